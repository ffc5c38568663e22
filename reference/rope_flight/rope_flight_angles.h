// Equations of a rope flight between two events in the angles of its links, a second formulation without
// tensions and constraints: r_i = r_(i-1) + l t_i, t_i = (cos phi_i, sin phi_i), n_i = (-sin, cos).
//
//   f_i = A_i a_i + p_i      force that node i and all after it need from their link; at the last node A = m 1,
//                            p = -F                                                                  (1)
//   a_i = a_(i-1) + l phi_i'' n_i - l phi_i'^2 t_i                                                   (2)
//   n_i . f_i = 0            the force of a massless link is along the link: gives phi_i''                       (3)
//   A_(i-1) = m 1 + alpha t t',  p_(i-1) = -F + beta t                                               (4)
//
// (3) in (1): alpha = det A / (n.A n), beta = t.w - (t.A n) (n.w) / (n.A n), w = p - l phi'^2 A t. One
// recursion from the last node to the body and one back, linear in links. With momenta m_i v_i for F and
// without the term of phi'^2 the same recursion gives the velocities after a capture: those of rigid
// links that are nearest to v_i, weighted by mass.
#pragma once

#include <vector>

#include "reference/rope_flight/rope_flight_equations.h"

namespace mbsbench::extended {

// In 113 or 64 bits.
template <class Scalar>
class RopeFlightAnglesIn {
 public:
  explicit RopeFlightAnglesIn(const System& system);

  // y = [x_0, y_0, phi_1, ..., phi_n; their rates].
  std::size_t LinksIn(const std::vector<Scalar>& y) const { return y.size() / 2 - 2; }
  void Evaluate(Scalar t, const std::vector<Scalar>& y, std::vector<Scalar>& ydot);
  void Project(Scalar, std::vector<Scalar>&) const {}  // links have constant length here
  // A node joins at rest in the box; returns the energy lost.
  Scalar Capture(Scalar t, std::vector<Scalar>& y);

  // Motion of the body, or of the last node.
  NodeMotion<Scalar> Body(const std::vector<Scalar>& y) const;
  NodeMotion<Scalar> LastNode(const std::vector<Scalar>& y) const;
  // Divisor of an entry's error.
  double ScaleOf(std::size_t entry, const std::vector<Scalar>& y, double length, double time) const;

  using Number = Scalar;
  bool on_rail = true, burning = true;
  static constexpr const char* kDescription =
      "angles of the links, articulated recursion over the nodes";

 private:
  Scalar Mass(std::size_t i, Scalar t) const;
  // Nodes of y.
  void Walk(const std::vector<Scalar>& y);
  // The recursion for forces (or momenta) force_; rates: phi' (empty: none). Gives a_0 and phi''.
  void Solve(Scalar t, const Scalar* rates, Scalar* solution);

  RopeFlight flight_;
  Point2<Scalar> gravity_;
  Scalar launch_mass_, node_mass_, l_;
  std::vector<Point2<Scalar>> position_, velocity_, tangent_, force_;
  struct Passed {           // of a link, kept for the backward recursion
    Point2<Scalar> a_n, w;  // A n, p - l phi'^2 A t
    Scalar n_a_n;
  };
  std::vector<Passed> passed_;
};

extern template class RopeFlightAnglesIn<Real>;
extern template class RopeFlightAnglesIn<Real64>;

}  // namespace mbsbench::extended
