// Reactions from the sums (Attia 2002, eq. 28): force and moment of what is outboard of a joint,
// body by body from the tips to the root, fixed joints inside groups included.
#pragma once

#include <span>
#include <vector>

#include "methods/equivalent_particles/particle_tree.h"
#include "methods/interface/observation.h"
#include "methods/kinematics/force_elements.h"

namespace mbsbench::equivalent_particles {

// `applied` holds for each body force at and moment about its mass centre of all force elements
// and cut joints; x, a are the slots' positions and accelerations less gravity.
std::vector<JointReaction> TreeReactions(const System& system, const ParticleTree& tree,
                                         const std::vector<BodyState>& bodies,
                                         std::span<const Wrench> applied, const Vector3d* x,
                                         const Vector3d* a);

}  // namespace mbsbench::equivalent_particles
