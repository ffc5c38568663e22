// What the elimination of loops (methods/numerics/loop_elimination.h) has to know of a node: how its joint passes on accelerations and
// forces. About the node's slot 1.
//
// The accelerations that loads add keep all distances, so the slots of a node move as a rigid body in its present form, by (alpha; a_1).
// With what a node answers to a unit of load (moment_sums.h),
//
//   ball       alpha to moments: D^-1        force passed on for moment n: -K' n
//   revolute, prismatic, along the axis s    rate: 1 / D, load passed on: s - V
//   free       (alpha; a_1) to all six: the inverse of [J J K; K' J M + K' J K]
//
// Nothing exerts a moment about the line of two particles, or about a single one: any inertia does for it.
#pragma once

#include "methods/equivalent_particles/moment_sums.h"
#include "methods/numerics/loop_elimination.h"

namespace mbsbench::equivalent_particles {

// After sums.Solve(). Changes alone: biases are zero.
void SetPassage(const ParticleTree& tree, const MomentSums& sums, int node,
                LoopElimination::Passage& passage);

}  // namespace mbsbench::equivalent_particles
