#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench::equivalent_particles {

enum class DaeVariant { kGgl, kIndex1 };

std::unique_ptr<Formulation> MakeDaeFormulation(const System& system, DaeVariant variant);

// Number of entries of the moment sums of all joints in the Jacobian: each sum extends to the tips.
double PathEntries(const System& system);

}  // namespace mbsbench::equivalent_particles
