// All conditions on particle coordinates as products of two vectors, phi = u.w - c: distances
// (eqs 11 to 16, divided by 2 d), rails (44b) and cut joints. With u = u_0 + sum_p u_p x_p and the
// same for w,
//
//   gradient   phi_p  = u_p w + w_p u             rate   phi' = u'.w + u.w'
//   Hessian    phi_pq = (u_p w_q + w_p u_q) 1     second rate   phi'' = u''.w + 2 u'.w' + u.w''
#pragma once

#include <vector>

#include "methods/equivalent_particles/cut_joints.h"

namespace mbsbench::equivalent_particles {

// A slot as a combination of unknown particles, its constant part left out.
struct ParticleWeight {
  int particle;
  double weight;
};
using ParticleWeights = std::vector<ParticleWeight>;

// Per slot of the tree. Particles that several nodes share appear in each.
std::vector<ParticleWeights> WeightsOfSlots(const ParticleTree& tree);
// The unknown particles of a combination of a node's slots.
ParticleWeights Expand(const ParticleTree& tree, const std::vector<ParticleWeights>& slots,
                       int node, const Weights& weights);

struct Condition {
  CutRow row;
  struct Term {
    int particle;
    double u, w;
    double u_rate = 0, u_acceleration = 0;  // a driver's
    std::array<double, 2> basis = {};       // a driver's: of DriverRow::basis
  };
  std::vector<Term> terms;
};

// The conditions of a node: its distances, or its two rails.
std::vector<Condition> ConditionsOf(const ParticleTree& tree,
                                    const std::vector<ParticleWeights>& slots, int node);
std::vector<Condition> ConditionsOf(const ParticleTree& tree,
                                    const std::vector<ParticleWeights>& slots,
                                    const CutJoints& cuts);
// Sets the conditions of drivers to the time of `cuts`.
void SetDrivers(const CutJoints& cuts, std::vector<Condition>& conditions);

}  // namespace mbsbench::equivalent_particles
