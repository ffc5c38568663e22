// A system as constrained particles.
//
// Every group of bodies (and the ground, node 0) is a node with k slots, one per primary particle.
// A slot is either an unknown particle, or it is fixed by the parent's slots l:
//
//   ball, revolute   the slots on the joint: x_i = sum_l w_il x_l; where the parent has a particle
//                    there, one weight is 1 and the particle is shared
//   prismatic        slot 1 is the node's only particle; the others x_i = x_1 + sum_l w_il x_l with
//                    sum_l w_il = 0, so that (44a) and (44c), which forbid the child to turn
//                    against the parent, hold identically; (44b) remains as two conditions across
//                    the axis
//   free             all slots are particles of its own
//
// The unknowns are therefore particle coordinates alone; the conditions are the distances of eqs 11
// to 16 that contain an own particle, and (44b).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/equivalent_particles/particle_choice.h"
#include "problems/model/state.h"

namespace mbsbench::equivalent_particles {

using Weights = std::array<double, kMostParticles>;

inline Weights ToWeights(const Vector4d& w) { return {w[0], w[1], w[2], w[3]}; }

struct Node {
  int joint = -1;       // index into System::joints
  bool slides = false;  // along a rail of the parent: prismatic
  int parent = 0;
  int count = 0;  // slots k
  int given = 0;  // the first ones, fixed by the parent: 1 ball, 2 revolute, else 0
  int first_slot = 0;
  int first_particle = 0, own = 0;  // unknown particles
  // w_il of given slots (ball, revolute) or of all (prismatic); if one weight is 1, its index.
  std::array<Weights, kMostParticles> from_parent{};
  std::array<int, kMostParticles> shared{-1, -1, -1, -1};
  std::array<Weights, kMostParticles> second_moments{};  // B_ij
  Weights masses{};                                      // eq. 25
  double distance[kMostParticles][kMostParticles] = {};  // between its particles [m]
  // Prismatic: the parent's point on the axis, the axis and two directions across it.
  Weights rail_point{}, rail_axis{};
  std::array<Weights, 2> rail_across{};
  double size = 1;             // [m]
  double subtree_inertia = 1;  // size of the masses it carries [kg]: scales its rows
};

// A body in its node.
struct BodySeat {
  int node = 0;
  Weights centre{};                                      // of its mass centre
  Matrix3d axes = Matrix3d::Identity();                  // body -> group
  std::array<Weights, kMostParticles> second_moments{};  // B_ij of this body alone
  Weights masses{};
};

struct ParticleTree {
  RigidGroups groups;
  std::vector<AffineFrame> frames;  // per node
  std::vector<ParticleChoice> choices;
  std::vector<Node> nodes;
  std::vector<BodySeat> placements;  // per body
  int slots = 0, particles = 0;
};

ParticleTree MakeParticleTree(const System& system);

// Sum of weighted slots that begin at `x`.
template <typename Slots>
Eigen::Matrix<typename Slots::Scalar, 3, 1> Combine(const Weights& w, const Slots* x, int count) {
  using Real = typename Slots::Scalar;
  Eigen::Matrix<Real, 3, 1> sum = Real(w[0]) * x[0];
  for (int i = 1; i < count; ++i) sum += Real(w[static_cast<std::size_t>(i)]) * x[i];
  return sum;
}

// The slots of a node on a ball or a revolute that its parent's fix.
template <typename Vector>
void SetGivenSlots(const ParticleTree& tree, const Node& node, Vector* slots) {
  const Node& parent = tree.nodes[static_cast<std::size_t>(node.parent)];
  const Vector* from = slots + parent.first_slot;
  for (int i = 0; i < node.given; ++i) {
    const int shared = node.shared[static_cast<std::size_t>(i)];
    slots[node.first_slot + i] =
        shared >= 0 ? from[shared]
                    : Combine(node.from_parent[static_cast<std::size_t>(i)], from, parent.count);
  }
}

// All slots from the particles' vectors (positions, velocities or accelerations); those of the
// ground do not change.
template <typename Real>
void SpreadOverSlots(const ParticleTree& tree, const Real* particles,
                     Eigen::Matrix<Real, 3, 1>* slots) {
  using Vector = Eigen::Matrix<Real, 3, 1>;
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    const Node& node = tree.nodes[n];
    Vector* x = slots + node.first_slot;
    const Node& parent = tree.nodes[static_cast<std::size_t>(node.parent)];
    const Vector* from = slots + parent.first_slot;
    const Real* own = particles + 3 * node.first_particle;
    if (node.slides) {
      x[0] = Vector(own[0], own[1], own[2]);
      for (int i = 1; i < node.count; ++i)
        x[i] = x[0] + Combine(node.from_parent[static_cast<std::size_t>(i)], from, parent.count);
      continue;
    }
    SetGivenSlots(tree, node, slots);
    for (int i = node.given; i < node.count; ++i, own += 3) {
      x[i] = Vector(own[0], own[1], own[2]);
    }
  }
}
extern template void SpreadOverSlots(const ParticleTree&, const double*, Vector3d*);

}  // namespace mbsbench::equivalent_particles
