// Orocos KDL's equations of motion. Of an unbranched chain its forward dynamics (ChainFdSolver_RNE: composite rigid bodies, and
// L D L' of the joint-space inertia). KDL has none for trees: of these its inverse dynamics (TreeIdSolver_RNE), once for
// each rate and once for the forces, gives inertia and forces, and Eigen's L D L' solves for the accelerations. KDL has no
// integrator for trees either.
//
// All joints of KDL have one axis. A ball is three revolutes behind a fixed rotation, which each evaluation sets to the
// present one: the angles are zero, where they have no singularity and their rates are those of the ball. A free joint has
// three slides before it.
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

std::unique_ptr<OdeFormulation> MakeKdlFormulation(const System& system);

}  // namespace mbsbench
