// Simbody's equations of motion: y = (q, u) in its coordinates, accelerations by its own O(n) recursion
// (realize to Stage::Acceleration) with ball mobilizers as quaternions; loops by its constraints, held
// closed by its coordinate projection. Its own integrator is the error-controlled RungeKuttaMerson.
#pragma once

#include <memory>

#include "methods/engines/simbody/simbody_model.h"
#include "methods/interface/formulation.h"

namespace mbsbench {

std::unique_ptr<OdeFormulation> MakeSimbodyFormulation(const System& system);

}  // namespace mbsbench
