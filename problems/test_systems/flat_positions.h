// Positions of redundant mechanisms at rest in which further rows depend on others.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "problems/model/state.h"

namespace mbsbench {

// Another motion through a flat position.
struct OtherBranch {
  std::string motion;
  std::vector<double> rates;  // of the tree joints, from the flat position
  int freedoms;               // by the rank on it
};

// Cranks that turn alike, or legs that fold alike, through the position with all links in one line or plane.
struct FlatPosition {
  std::string mechanism;      // of RedundantMechanisms
  std::vector<double> rates;  // of the tree joints, which are revolutes
  double angle;               // at which it is flat, from the mechanism's own configuration [rad]
  int freedoms;               // there; one elsewhere
  std::string motion;         // through it
  std::vector<OtherBranch> others;

  JointState At(double from_flat) const {
    JointState joints;
    for (const double rate : rates) joints.q.push_back((angle + from_flat) * rate);
    joints.u.assign(rates.size(), 0);
    return joints;
  }
  JointState On(const OtherBranch& branch, double from_flat) const {
    JointState joints = At(0);
    for (std::size_t j = 0; j < rates.size(); ++j) joints.q[j] += from_flat * branch.rates[j];
    return joints;
  }
};

// The tips of the cranks of parallelogram3 move across its line as those of a rigid coupler do, but no motion follows: with the
// outer cranks as vectors a, b, the pin of the middle one, at the share t of the line, is (1 - t) a + t b from its foot, which is as
// long as a crank only if a = b. The two windows have three freedoms, as printed: with cranks at the angles a, b a window closes if
// sin((a - b) / 2) sin(a / 2) cos(b / 2) = 0. Each leg of Sarrus' linkage turns by itself about its first and last pin, which then
// lie on one another, or the platform rises.
inline std::vector<FlatPosition> FlatPositions() {
  return {{"parallelogram3", {1, 1, 1, -1}, -M_PI / 3, 2, "all cranks turn alike", {}},
          {"nfourbar2-90",
           {1, 1, 1, -1, 0},
           0,
           3,
           "all cranks turn alike",
           {{"the first crank rests, its coupler turns with the others", {0, 1, 1, 1, -1}, 1},
            {"the last crank turns with its coupler, the others rest", {0, 0, 1, 0, 1}, 2}}},
          {"sarrus",
           {1, -2, 1, -1, 2},
           std::asin(0.4),
           3,
           "both legs open alike, the platform rises",
           {{"the first leg turns folded, the platform rests", {1, 0, -1, 0, 0}, 2},
            {"the second leg turns folded, the platform rests", {0, 0, 0, 1, 0}, 2}}}};
}

}  // namespace mbsbench
