#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

enum class DaeVariant { kGgl, kBaumgarte, kIndex3 };

std::unique_ptr<Formulation> MakeDaeFormulation(const System& system, DaeVariant variant);

}  // namespace mbsbench::cartesian
