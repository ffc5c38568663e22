// Positions of the primary particles of each group.
//
// Their number is 1 + the dimension of the affine hull of the mass distribution together with all joint and force points: 4 for a
// solid, 3 for a lamina that contains its joints, 2 for a line, 1 for a point. The points that a joint needs: ball, distance - its
// origin; revolute - two on its axis; universal - one on the arm in the body; prismatic, fixed (as a cut) - origin and three axes,
// because it determines the whole orientation.
//
// The first particles are on the joint towards the root, the next on joints towards the tips as
// long as the tetrahedron stays well-conditioned; the rest are added at right angles.
#pragma once

#include <vector>

#include "methods/equivalent_particles/particle_groups.h"

namespace mbsbench::equivalent_particles {

struct ParticleChoice {
  std::vector<Vector3d> points;  // group axes
  double size = 1;               // largest extent of the group [m]
  double axis_length = 1;        // distance of the two particles on its revolute axis [m]
};

// Per group; the ground gets the inertial origin and the unit points.
std::vector<ParticleChoice> ChooseParticles(const System& system, const RigidGroups& tree);

}  // namespace mbsbench::equivalent_particles
