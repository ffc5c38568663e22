// Kinematics and energy of a system computed from the *model*: the harness uses them to judge every
// method.
#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Absolute states of all bodies from joint coordinates and rates; linear in bodies.
std::vector<BodyState> ForwardKinematics(const System& system, const JointState& joints);

// Joint coordinates and rates of the tree joints nearest to the given absolute states (angles in
// (-pi, pi]).
JointState JointStateOf(const System& system, const std::vector<BodyState>& bodies);

// Largest residuals of all joints, loop joints included: lengths divided by `length`, directions as
// dot products; velocities divided by length/time and 1/time. NaN if one of them is NaN.
struct ConstraintResidual {
  double position = 0;  // dimensionless
  double velocity = 0;  // dimensionless
};
ConstraintResidual ConstraintResiduals(const System& system, const std::vector<BodyState>& bodies,
                                       double length, double time);

// Signed constraint rows of one joint, and their rates (exact where the rows are zero). Lengths
// first, then directions. Appends ConstraintCount(joint.type) entries to each vector.
struct ConstraintRows {
  std::vector<double> position, velocity;  // [m] and [m/s]; directions [rad] and [rad/s]
  std::vector<bool> is_length;
};
void AppendConstraintRows(const Joint& joint, const std::vector<BodyState>& bodies,
                          ConstraintRows& rows);

struct Energy {
  double kinetic = 0;    // [J]
  double potential = 0;  // gravity and springs [J]
  double total() const { return kinetic + potential; }
};
// With the joint springs at the coordinates `joints`, whose angles include full turns.
Energy EnergyOf(const System& system, const std::vector<BodyState>& bodies,
                const JointState& joints);
// From body states alone: valid if no joint with a torsion spring turns by more than half a turn.
Energy EnergyOf(const System& system, const std::vector<BodyState>& bodies);

// Linear momentum [kg m/s] and angular momentum about the inertial origin [kg m^2/s].
struct Momentum {
  Vector3 linear, angular;
};
Momentum MomentumOf(const System& system, const std::vector<BodyState>& bodies);

}  // namespace mbsbench
