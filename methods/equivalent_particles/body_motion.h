// Conversion between the absolute states of bodies and the motion of particles: the only place
// where orientations occur.
//
// Orientation, angular velocity and angular acceleration are computed from a triad of unit
// directions of the particles: three combinations of four particles, or two combinations of three
// particles and their vector product. Two particles define one direction: the body has no rotation
// about it, and by convention its orientation is the shortest rotation from that direction in the
// body. A single particle keeps inertial axes. Only bodies that are points may have such particles
// (see Supports).
#pragma once

#include <vector>

#include "methods/equivalent_particles/particle_tree.h"
#include "methods/interface/observation.h"

namespace mbsbench::equivalent_particles {

class BodyMotion {
 public:
  // `tree` must outlive this object.
  explicit BodyMotion(const ParticleTree& tree);

  // Positions and velocities of all own particles.
  void ParticlesOf(const std::vector<BodyState>& bodies, double* positions,
                   double* velocities) const;

  // From the slots' positions and velocities, and accelerations.
  BodyState StateOf(int body, const Vector3d* x, const Vector3d* v) const;
  BodyAcceleration AccelerationOf(int body, const Vector3d* x, const Vector3d* v,
                                  const Vector3d* a) const;

 private:
  struct Triad {
    Weights along[3] = {};                     // unit directions of the node
    Matrix3d in_group = Matrix3d::Identity();  // as columns
  };
  // Directions, their rates and second rates as columns; the latter if `a` is given.
  struct TriadMotion {
    Matrix3d value, rate, acceleration;
  };
  TriadMotion MotionOf(int node, const Vector3d* x, const Vector3d* v, const Vector3d* a) const;

  const ParticleTree& tree_;
  std::vector<Triad> triads_;  // per node
};

}  // namespace mbsbench::equivalent_particles
