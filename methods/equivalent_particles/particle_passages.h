// The passage of accelerations and forces through the joint of a node, for the elimination of loops
// (methods/loops/loop_elimination.h). About the node's slot 1.
//
// Changes of accelerations by loads keep all distances, so the slots of a node move as a rigid body in the current configuration, by
// (alpha; a_1). With the response of a node to unit loads (moment_sums.h),
//
//   ball       alpha to moments: D^-1        force passed on for moment n: -K' n
//   revolute, prismatic, along the axis s    rate: 1 / D, load passed on: s - V
//   free       (alpha; a_1) to all six: the inverse of [J J K; K' J M + K' J K]
//
// No load has a moment about the line of two particles, or about a single one: any inertia can be used
// there.
#pragma once

#include "methods/equivalent_particles/moment_sums.h"
#include "methods/loops/loop_elimination.h"

namespace mbsbench::equivalent_particles {

// After sums.Solve(). Changes alone: biases are zero.
void SetPassage(const ParticleTree& tree, const MomentSums& sums, int node,
                LoopElimination::Passage& passage);

}  // namespace mbsbench::equivalent_particles
