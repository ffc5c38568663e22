#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

std::unique_ptr<Formulation> MakeIndex1Formulation(const System& system);

}  // namespace mbsbench::cartesian
