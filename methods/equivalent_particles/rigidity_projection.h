// Moves particles back onto the conditions of their tree: distances (eqs 11 to 16) and rails (44b),
// node by node from the root, each by the smallest motion of its own particles; then the
// velocities.
#pragma once

#include "methods/equivalent_particles/particle_tree.h"

namespace mbsbench::equivalent_particles {

class RigidityProjection {
 public:
  // `tree` must outlive this object.
  explicit RigidityProjection(const ParticleTree& tree) : tree_(tree) {}

  // `x` and `v` are all slots; own ones are moved, the others follow.
  void Apply(Vector3d* x, Vector3d* v) const;

 private:
  const ParticleTree& tree_;
};

}  // namespace mbsbench::equivalent_particles
