// Random models of eight kinds, each difficult in one way, for the health card of methods and engines.
#pragma once

#include <vector>

#include "problems/test_systems/random_trees.h"

namespace mbsbench {

struct RandomModelKind {
  const char* name;  // lower case with hyphens
  RandomTree (*make)(RandomNumbers& random);
};
//   trees        up to 40 bodies on all joints, force elements of all kinds
//   loops        one to three loops closed by all loop joints, 6 to 16 bodies
//   deep         chains of 30 to 100 bodies, one in sixteen of up to 1,000
//   mass-ratios  up to 1e9
//   inertias     down to 1e-9 of the usual ones, and rods as thin, some of which spin on pins through their mass centres
//   fast-spins   rates of up to 2e4 per second
//   springs      stiffnesses of up to 5e7 N/m, free lengths of zero and negative ones
//   drivers      some joints held at constant rates
const std::vector<RandomModelKind>& RandomModelKinds();

// The inertia of a rod along the unit vector n: `across` about axes across it, `about` about n.
SymmetricMatrix3 InertiaOfRod(const Vector3& n, double across, double about);

bool IsDrivable(JointType type);

// Drives about a third of the revolute and prismatic joints at their rates, at least one if there is any.
void DriveSome(RandomNumbers& random, RandomTree& tree);

}  // namespace mbsbench
