// Reactions of tree joints from accelerations, for methods whose equations do not contain them:
// Newton and Euler's equations of each body, from the tips to the root.
#pragma once

#include <span>
#include <vector>

#include "methods/interface/observation.h"
#include "methods/kinematics/force_elements.h"

namespace mbsbench {

// The wrench that the joints of each body must exert on it for the given accelerations. `applied`:
// the wrenches of force elements and loop joints, without gravity, one per body.
std::vector<Wrench> NeededWrenches(const System& system, std::span<const BodyState> bodies,
                                   std::span<const BodyAcceleration> accelerations,
                                   std::span<const Wrench> applied);

// The wrenches that the tree joints exert on their children, including their springs and drivers,
// if the joints of each body together exert `needed`.
std::vector<JointReaction> PassedThroughJoints(const System& system,
                                               std::span<const BodyState> bodies,
                                               std::vector<Wrench> needed);

// Keeps only the constraint forces: the components along the free directions of a joint belong to
// its spring or driver and are removed.
void RemoveFreeDirections(const System& system, std::span<const BodyState> bodies,
                          std::span<JointReaction> reactions);

// Per driver the component of its joint's wrench along the axis [N m] or [N].
std::vector<double> AlongDrivenAxes(const System& system, std::span<const BodyState> bodies,
                                    std::span<const JointReaction> passed);

// Per driver the generalised force that it exerts: the component along the axis, less the forces of
// springs and motors on it.
std::vector<double> DriverEfforts(const System& system, double t, const JointState& joints,
                                  std::span<const double> along_axes);

}  // namespace mbsbench
