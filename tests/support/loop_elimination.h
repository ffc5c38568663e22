// Compares loops closed by elimination where they meet with columns that are carried to the root: the systems for both,
// and the comparison.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "problems/test_systems/random_loops.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "tests/support/worst.h"

namespace mbsbench {

struct ClosedLoops {
  std::vector<double> accelerations, multipliers;
};

// The number of loops of system k < 50: one to thirty, few systems with many.
inline RandomLoopOptions OneToThirtyLoops(int k, double least_independence) {
  RandomLoopOptions options;
  options.loops = 1 + k * k * k * 29 / (49 * 49 * 49);
  options.tree.bodies = 5 + 3 * options.loops;
  options.tree.chain_likelihood = k % 2 == 0 ? 0.6 : 0.95;
  options.least_independence = least_independence;
  if (options.loops > 8)
    options.loop_types = {JointType::kDistance, JointType::kUniversal, JointType::kBall};
  return options;
}

// Two loops, with joints of these types.
inline RandomLoopOptions TwoLoopsWith(JointType in_tree, JointType in_loop) {
  RandomLoopOptions options;
  options.tree.types = {in_tree, JointType::kBall, JointType::kRevolute};
  options.tree.bodies = 9;
  options.loop_types = {in_loop};
  options.loops = 2;
  return options;
}

// In units of the largest entry of `b`, or of 1.
inline double DifferenceOfClosed(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 1;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    Raise(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return difference / size;
}

// Does nothing if the loops cannot be closed. Returns whether the results differ at least in the last bits, which shows
// that the algorithms differ.
inline bool ExpectAlike(const std::optional<ClosedLoops>& columns,
                        const std::optional<ClosedLoops>& elimination, double tolerance) {
  EXPECT_EQ(elimination.has_value(), columns.has_value());
  if (!columns || !elimination) return false;
  EXPECT_LT(DifferenceOfClosed(elimination->accelerations, columns->accelerations), tolerance);
  EXPECT_LT(DifferenceOfClosed(elimination->multipliers, columns->multipliers), tolerance);
  return elimination->multipliers != columns->multipliers;
}

// If rows are dependent, elimination leaves them to columns.
inline void ExpectSame(const std::optional<ClosedLoops>& columns,
                       const std::optional<ClosedLoops>& elimination) {
  ASSERT_EQ(elimination.has_value(), columns.has_value());
  if (!columns) return;
  EXPECT_EQ(elimination->accelerations, columns->accelerations);
  EXPECT_EQ(elimination->multipliers, columns->multipliers);
}

}  // namespace mbsbench
