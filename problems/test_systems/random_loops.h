// Random multibody systems with loops, for tests: a random tree, cut joints of all types between
// bodies of it placed where they close, rates that keep them closed. Nothing is redundant: systems
// whose constraints are nearly dependent are thrown away.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "problems/test_systems/random_trees.h"

namespace mbsbench {

struct RandomLoopOptions {
  RandomTreeOptions tree;
  int loops = 1;
  std::vector<JointType> loop_types{JointType::kBall,  JointType::kRevolute, JointType::kPrismatic,
                                    JointType::kFixed, JointType::kDistance, JointType::kUniversal};
  // Smallest by largest singular value of the loop rows by the joint rates.
  double least_independence = 0.02;
};

// Rows of all loop joints by all joint rates: exact, because the rows are linear in the rates.
Eigen::MatrixXd LoopJacobian(const System& system, JointState joints);

// A joint between two bodies whose frames stand where it closes; free directions at random.
Joint MakeClosedJoint(RandomNumbers& random, JointType type, int parent, int child,
                      const std::vector<BodyState>& bodies);

RandomTree MakeRandomLoops(std::uint64_t seed, const RandomLoopOptions& options = {});

}  // namespace mbsbench
