// The exact motion of a planar four-bar with a rotating crank: one degree of freedom, conservative.
//
//   E = 1/2 A(theta) theta'^2 + V(theta)            theta: direction of the crank                 (1)
//   t = s (F(theta) - F(theta_0)),  F' = f = sqrt(A / (2 (E - V))),  s = sign theta'_0            (2)
//
// A and V are 2 pi periodic and analytic, and so is f: its Fourier series, by the trapezoidal rule,
// converges exponentially, and its integral term by term gives F to all digits. theta(t) by Newton.
// The motion is periodic with F(theta + 2 pi) - F(theta).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "problems/model/problem.h"
#include "reference/system/extended_system.h"

namespace mbsbench::extended {

class PlaneFourBar {
 public:
  // Empty unless the problem is one: bodies 0 and 2 on revolutes to the ground, 1 on 0 by a ball or a
  // revolute, closed onto 2 by a universal joint or a revolute; all in the plane z = 0, gravity too;
  // no force elements; and the crank (body 0) rotates fully.
  static std::optional<PlaneFourBar> Of(const Problem& problem);

  Motion At(Real t) const;
  Real period() const { return 2 * Pi() * mean_; }

 private:
  // A link from its near pin to its far one.
  struct Link {
    Vec3 near;                   // of the mass centre [m]
    Real length = 0;             // [m]
    Real turn = 0;               // of near -> far from the body's x axis [rad]
    Real mass = 0, inertia = 0;  // [kg], [kg m^2] about the mass centre
  };
  // Directions of the links, and their rates and the motion of the mass centres per unit crank rate.
  struct Position {
    std::array<Real, 3> direction, rate;
    std::array<Vec3, 3> centre, centre_rate;
  };
  struct Harmonic {
    Real cosine = 0, sine = 0;
  };

  // A and V of (1).
  struct EnergyTerms {
    Real inertia = 0, potential = 0;
  };

  // Empty if the links do not reach each other.
  std::optional<Position> PositionAt(Real theta) const;
  EnergyTerms TermsOf(const Position& position) const;
  // The Fourier series of f; false if the crank does not rotate fully.
  bool Expand();
  struct Integral {
    Real F = 0, f = 0;
  };
  Integral Integrate(Real theta) const;

  std::array<Link, 3> links_;
  std::array<Vec3, 2> pins_;
  Vec3 gravity_;
  Real branch_ = 1;  // side of the line knee -> right pin on which the top is
  Real start_ = 0, energy_ = 0, sign_ = 1, start_f_ = 0;
  Real mean_ = 0;
  std::vector<Harmonic> harmonics_;  // of f, from the first
};

}  // namespace mbsbench::extended
