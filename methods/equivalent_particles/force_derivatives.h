// Exact derivatives of force elements and cut joints on particles.
//
// A node's sums F and M are less by what is applied to it. Its derivatives are blocks of six rows,
// F and M about a point that is held fixed while differentiating: the node's slot 1 as it is now.
#pragma once

#include <functional>
#include <vector>

#include "methods/equivalent_particles/conditions.h"
#include "methods/equivalent_particles/particle_loads.h"

namespace mbsbench::equivalent_particles {

using SumsBlock = Eigen::Matrix<double, 6, 3>;

// By positions or velocities of a combination of slots.
struct Argument {
  OnNode of;
  bool is_velocity = false;
};

// Gets for a node the derivative of its sums by an argument.
using SumsSink = std::function<void(int node, const Argument& by, const SumsBlock& block)>;

// Where `loads` were applied last.
void DifferentiateLoads(const ParticleTree& tree, const ParticleLoads& loads, const Vector3d* x,
                        const Vector3d* v, const SumsSink& sink);

// Of `multiplier` times the gradient of a cut joint's condition, by positions.
void DifferentiatePull(const ParticleTree& tree, const CutJoints& cuts, const CutRow& row,
                       double multiplier, const Vector3d* x, const SumsSink& sink);

}  // namespace mbsbench::equivalent_particles
