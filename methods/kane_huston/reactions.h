// Joint reactions of a tree once its accelerations are known: Kane's equations never contain them
// (Lu et al. 2014, Sect. 4), so they follow from Newton-Euler, body by body from the tips to the
// root.
#pragma once

#include <span>
#include <vector>

#include "methods/interface/observation.h"
#include "methods/kinematics/force_elements.h"
#include "problems/model/topology.h"

namespace mbsbench::kane_huston {

// `wrenches`: what force elements exert on each body, gravity apart; `joints`: coordinates and
// rates, for the springs in the joints, which are no part of a reaction.
std::vector<JointReaction> TreeReactions(const System& system, const Topology& tree,
                                         std::span<const BodyState> bodies,
                                         std::span<const BodyAcceleration> accelerations,
                                         std::span<const Wrench> wrenches,
                                         const JointState& joints);

// What is left along the axis of a driven joint is the driver's: takes it out of the reactions and
// returns the power that the drivers supply [W].
double TakeOutDrivers(const System& system, std::span<const BodyState> bodies,
                      const JointState& joints, std::vector<JointReaction>& reactions);

}  // namespace mbsbench::kane_huston
