// The absolute motion for the joint coordinates of a problem, to 1e-33, with the independent rows of its loops closed as
// far as BoundsOnClosedLoops demands.
#pragma once

#include <vector>

#include "problems/model/problem.h"
#include "reference/system/extended_system.h"
#include "reference/system/independent_rows.h"

namespace mbsbench::extended {

// Coordinates and rates of all tree joints as in JointState.
struct JointNumbers {
  std::vector<Real> q, u;
};
JointNumbers Extend(const JointState& joints);

// Absolute motion of the tree, root side first. Quaternions need not be of unit length.
Motion MotionOf(const SystemData& system, const JointNumbers& joints);

// The given coordinates. Where the precision of the loops is stated, the dependent ones are moved near to where rows that
// clearly count close: further off, rows that differ by rounding seem independent, and closing them would move the mechanism.
JointState JointsNearClosed(const SystemData& system, const InitialCondition& initial,
                            const Scales& scales);

// Rows are closed below 1e-29 L, their rates below 1e-27 L/T or of what the fastest body covers, and both above the round-off
// of 113 bits in the largest coordinate, which exceeds that far from the origin.
struct LoopBounds {
  Real position, velocity;  // in L; per unit time
};
LoopBounds BoundsOnClosedLoops(const Motion& motion, const Scales& scales);

// The initial motion of a problem: driven joints follow their motions, and dependent coordinates are
// moved until the independent rows of all loop joints close. Throws ModelError if they do not, or if a redundant row is open
// by more than the accuracy of the data explains.
struct ClosedStart {
  Motion motion;
  std::vector<LoopRow> independent;  // rows of the loop joints
};
ClosedStart CloseAtStart(SystemData system, const InitialCondition& initial, const Scales& scales);
inline Scales ScalesOf(const Problem& problem) { return {problem.length, problem.time}; }
inline Motion InitialMotion(const SystemData& system, const Problem& problem) {
  return CloseAtStart(system, problem.initial, ScalesOf(problem)).motion;
}

}  // namespace mbsbench::extended
