#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

enum class DaeVariant { kGgl, kBaumgarte, kIndex3 };

// `baumgarte_rate`: alpha = beta [1/s], of kBaumgarte only.
std::unique_ptr<Formulation> MakeDaeFormulation(const System& system, DaeVariant variant,
                                                double baumgarte_rate);

}  // namespace mbsbench::cartesian
