// The common part of both forms of the method: the particles of a system, their accelerations at
// given positions and velocities, and observations.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "methods/equivalent_particles/body_motion.h"
#include "methods/equivalent_particles/loops.h"
#include "methods/equivalent_particles/moment_sums.h"
#include "methods/equivalent_particles/particle_loads.h"
#include "methods/equivalent_particles/rigidity_projection.h"

namespace mbsbench::equivalent_particles {

class ParticleDynamics {
 public:
  explicit ParticleDynamics(const System& system);

  const System& system() const { return system_; }
  const ParticleTree& tree() const { return tree_; }
  const ParticleLoads& loads() const { return loads_; }
  const BodyMotion& motion() const { return motion_; }
  Loops* loops() { return loops_.get(); }  // null on trees without drivers
  MomentSums& sums() { return sums_; }
  const MomentSums& sums() const { return sums_; }

  // A consistent state: positions and velocities of all particles, particle by particle. Full turns of
  // springs are counted from it. With loops it fails if accelerations fail or rows of loops are lost.
  Status Start(double t, const SystemState& state, double* positions, double* velocities);
  // Sets positions and velocities of all particles at time t.
  void Set(double t, const double* positions, const double* velocities);
  double time() const { return time_; }
  // Sets `loads` to those of the force elements, on the nodes on which they act.
  void ApplyLoads(std::span<Load> loads) {
    loads_.Apply(time_, sums_.positions(), sums_.velocities(), loads);
  }
  // Accelerations and multipliers of the cut joints at that state.
  Status Accelerate();
  // Moves that state onto the conditions and writes it back.
  Status Project(double* positions, double* velocities);

  Status Observe(Detail detail, Observation& observation);
  double Power();

 private:
  std::vector<BodyState> States() const;

  const System system_;
  const ParticleTree tree_;
  MomentSums sums_;
  ParticleLoads loads_;
  const BodyMotion motion_;
  const RigidityProjection projection_;
  const Status tip_without_inertia_;
  std::unique_ptr<Loops> loops_;
  double time_ = 0;
};

}  // namespace mbsbench::equivalent_particles
