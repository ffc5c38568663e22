// Exact derivatives of force elements and cut joints on particles.
//
// Applied loads are subtracted from a node's sums F and M. Its derivatives are blocks of six rows,
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

// Receives the derivative of a node's sums by an argument.
using SumsSink = std::function<void(int node, const Argument& by, const SumsBlock& block)>;

// At the state of the last application of `loads`.
void DifferentiateLoads(double t, const ParticleTree& tree, const ParticleLoads& loads,
                        const Vector3d* x, const Vector3d* v, const SumsSink& sink);

// Derivatives of `multiplier` times the gradient of a cut joint's condition with respect to positions.
void DifferentiatePull(const ParticleTree& tree, const CutJoints& cuts, const CutRow& row,
                       double multiplier, const Vector3d* x, const SumsSink& sink);

}  // namespace mbsbench::equivalent_particles
