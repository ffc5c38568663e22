// Siconos' equations of motion: NewtonEulerDS for each body (position, quaternion, velocity of the mass centre, angular
// velocity in body axes), joints of its mechanics component as bilateral constraints h(q) = 0.
//
// An evaluation takes from Siconos the mass matrices M, the forces f with the gyroscopic ones, the Jacobians J(q), and T of
// q' = T v, and solves M a = f + G' l, G a = -(J' q' + J T' v) with G = J T. G M^-1 G' is factored by Siconos' sparse LU
// solver, since its Cholesky solver writes each matrix into a file cs.py. Siconos has J' of its ball joint only, and there the
// rate of the quaternion's first component stands where that of its last belongs (KneeJointR::DotJd1, DotJd1d2). So J' is a
// difference of its J, which is exact: J is a polynomial.
//
// Its own integrator is its time stepping: MoreauJeanOSI with theta = 1/2, whose joints hold G v = 0 at the end of a step while
// positions drift. Forces of springs and motors are those at the begin of the step.
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

std::unique_ptr<OdeFormulation> MakeSiconosFormulation(const System& system);

}  // namespace mbsbench
