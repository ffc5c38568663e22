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
#include "reference/numerics/real.h"

namespace mbsbench::extended {

template <class Scalar>
struct Point2 {
  Scalar x = 0, y = 0;
};

template <class Scalar>
struct NodeMotion {
  Point2<Scalar> position, velocity;
};

// In 113 or 64 bits.
template <class Scalar>
class RopeFlightEquationsIn {
 public:
  explicit RopeFlightEquationsIn(const System& system);

  // y = [r_0, ..., r_n; v_0, ..., v_n], x and y of each.
  static std::size_t NodesIn(const std::vector<Scalar>& y) { return y.size() / 4; }
  void Evaluate(Scalar t, const std::vector<Scalar>& y, std::vector<Scalar>& ydot);
  // Restores the lengths of the links and removes their rates of change.
  void Project(Scalar t, std::vector<Scalar>& y);
  // A node joins at rest in the box; returns the energy lost.
  Scalar Capture(Scalar t, std::vector<Scalar>& y);

  // Motion of the body, or of the last node.
  NodeMotion<Scalar> Body(const std::vector<Scalar>& y) const { return Node(y, 0); }
  NodeMotion<Scalar> LastNode(const std::vector<Scalar>& y) const {
    return Node(y, NodesIn(y) - 1);
  }
  // Divisor of an entry's error.
  double ScaleOf(std::size_t entry, const std::vector<Scalar>& y, double length,
                 double time) const {
    return entry < y.size() / 2 ? length : length / time;
  }

  using Number = Scalar;
  bool on_rail = true, burning = true;
  static constexpr const char* kDescription =
      "coordinates of the nodes, tensions from one tridiagonal system";
  Scalar BodyMass(Scalar t) const;
  Scalar link_length() const { return l_; }

 private:
  static NodeMotion<Scalar> Node(const std::vector<Scalar>& y, std::size_t i) {
    const std::size_t half = y.size() / 2;
    return {{y[2 * i], y[2 * i + 1]}, {y[half + 2 * i], y[half + 2 * i + 1]}};
  }
  Scalar Mass(std::size_t i, Scalar t) const { return i == 0 ? BodyMass(t) : node_mass_; }
  void SetLinks(Scalar t, const std::vector<Scalar>& y);
  // Solves the tridiagonal system for `right_`, which becomes the solution.
  void SolveTensions();
  // Adds (1 / m_i) (-T_i d_i + T_(i+1) d_(i+1)) to n + 1 points from `points` on.
  void AddPulls(Scalar* points) const;

  Point2<Scalar> box_, rail_, gravity_;
  Scalar l_, launch_mass_, propellant_mass_, burn_time_, thrust_, node_mass_;
  Scalar body_drag_, tangential_drag_, normal_drag_;  // force by speed squared
  // Link i, from 1 to n, is at index i - 1, node i at index i.
  std::vector<Point2<Scalar>> d_, force_;
  std::vector<Scalar> inverse_mass_, diagonal_, beside_, right_;
};

extern template class RopeFlightEquationsIn<Real>;
extern template class RopeFlightEquationsIn<Real64>;
using RopeFlightEquations = RopeFlightEquationsIn<Real>;

}  // namespace mbsbench::extended
