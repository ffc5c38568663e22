// Equations of a rope flight between two events, in the plane z = 0, in coordinates of the nodes.
//
//   m_i a_i = F_i - T_i d_i + T_(i+1) d_(i+1)         d_i = r_i - r_(i-1), T_i >= 0 pulls       (1)
//   d_i . (a_i - a_(i-1)) = -|v_i - v_(i-1)|^2        from |d_i|^2 = l^2                        (2)
//
// (1) in (2) gives a tridiagonal system for T_1, ..., T_n, symmetric and positive definite. The
// impulses of a capture and the corrections of a projection solve the same system with other right
// sides.
#pragma once

#include <vector>

#include "problems/model/system.h"
#include "reference/real.h"

namespace mbsbench::extended {

struct Point2 {
  Real x = 0, y = 0;
};

struct NodeMotion {
  Point2 position, velocity;
};

class RopeFlightEquations {
 public:
  explicit RopeFlightEquations(const System& system);

  // y = [r_0, ..., r_n; v_0, ..., v_n], x and y of each.
  static std::size_t NodesIn(const std::vector<Real>& y) { return y.size() / 4; }
  void Evaluate(Real t, const std::vector<Real>& y, std::vector<Real>& ydot);
  // Back to links of their length that do not change it.
  void Project(Real t, std::vector<Real>& y);
  // A node joins at rest in the box; returns the energy lost.
  Real Capture(Real t, std::vector<Real>& y);

  // Of the body, or of the last node.
  NodeMotion Body(const std::vector<Real>& y) const { return Node(y, 0); }
  NodeMotion LastNode(const std::vector<Real>& y) const { return Node(y, NodesIn(y) - 1); }
  // What an entry's error is divided by.
  double ScaleOf(std::size_t entry, const std::vector<Real>& y, double length, double time) const {
    return entry < y.size() / 2 ? length : length / time;
  }

  bool on_rail = true, burning = true;
  static constexpr const char* kDescription =
      "coordinates of the nodes, tensions from one tridiagonal system";
  Real BodyMass(Real t) const;
  Real link_length() const { return l_; }

 private:
  static NodeMotion Node(const std::vector<Real>& y, std::size_t i) {
    const std::size_t half = y.size() / 2;
    return {{y[2 * i], y[2 * i + 1]}, {y[half + 2 * i], y[half + 2 * i + 1]}};
  }
  Real Mass(std::size_t i, Real t) const { return i == 0 ? BodyMass(t) : node_mass_; }
  void SetLinks(Real t, const std::vector<Real>& y);
  // Solves the tridiagonal system for `right_`, which becomes the solution.
  void SolveTensions();
  // Adds (1 / m_i) (-T_i d_i + T_(i+1) d_(i+1)) to n + 1 points from `points` on.
  void AddPulls(Real* points) const;

  Point2 box_, rail_, gravity_;
  Real l_, launch_mass_, propellant_mass_, burn_time_, thrust_, node_mass_;
  Real body_drag_, tangential_drag_, normal_drag_;  // force by speed squared
  // Of the links 1, ..., n at index i - 1; of the nodes at index i.
  std::vector<Point2> d_, force_;
  std::vector<Real> inverse_mass_, diagonal_, beside_, right_;
};

}  // namespace mbsbench::extended
