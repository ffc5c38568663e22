// Reactions of tree joints from accelerations, for methods whose equations do not contain them:
// Newton and Euler's equations of each body, from the tips to the root.
#pragma once

#include <span>
#include <vector>

#include "methods/interface/observation.h"
#include "methods/kinematics/force_elements.h"

namespace mbsbench {

// What the joints of each body have to exert on it so that it accelerates as given. `applied`: what
// force elements and loop joints exert, gravity apart; one wrench per body.
std::vector<Wrench> NeededWrenches(const System& system, std::span<const BodyState> bodies,
                                   std::span<const BodyAcceleration> accelerations,
                                   std::span<const Wrench> applied);

// All that passes the tree joints to their children, springs and drivers in them included, when the
// joints of each body together exert `needed`.
std::vector<JointReaction> PassedThroughJoints(const System& system,
                                               std::span<const BodyState> bodies,
                                               std::vector<Wrench> needed);

// Leaves what the constraints exert: along its free directions a joint exerts nothing, and what is
// there is its spring's or its driver's.
void TakeOutFreeDirections(const System& system, std::span<const BodyState> bodies,
                           std::span<JointReaction> reactions);

// Per driver what passes its joint along the axis [N m] or [N].
std::vector<double> AlongDrivenAxes(const System& system, std::span<const BodyState> bodies,
                                    std::span<const JointReaction> passed);

// Per driver the generalised force that it exerts: what passes along the axis, less what the joint's springs exert
// there.
std::vector<double> DriverEfforts(const System& system, const JointState& joints,
                                  std::span<const double> along_axes);

}  // namespace mbsbench
