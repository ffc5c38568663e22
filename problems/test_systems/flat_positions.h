// Positions of redundant mechanisms at rest in which further rows depend on others.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "problems/model/state.h"

namespace mbsbench {

// Cranks that turn alike, or legs that fold alike, through the position with all links in one line or plane.
struct FlatPosition {
  std::string mechanism;      // of RedundantMechanisms
  std::vector<double> rates;  // of the tree joints, which are revolutes
  double angle;               // at which it is flat, from the mechanism's own configuration [rad]
  int freedoms;               // there; one elsewhere

  JointState At(double from_flat) const {
    JointState joints;
    for (const double rate : rates) joints.q.push_back((angle + from_flat) * rate);
    joints.u.assign(rates.size(), 0);
    return joints;
  }
};

// The tips of the cranks of parallelogram3 move across its line as those of a rigid coupler do. The two windows have three freedoms, as
// printed. Each leg of Sarrus' linkage turns by itself about its first and last pin, and the platform rises.
inline std::vector<FlatPosition> FlatPositions() {
  return {{"parallelogram3", {1, 1, 1, -1}, -M_PI / 3, 2},
          {"nfourbar2-90", {1, 1, 1, -1, 0}, 0, 3},
          {"sarrus", {1, -2, 1, -1, 2}, std::asin(0.4), 3}};
}

}  // namespace mbsbench
