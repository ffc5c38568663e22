#pragma once

#include <string>

#include "problems/model/problem.h"

namespace mbsbench {

// The mechanical part of a model file: gravity, bodies, joints, force elements and initial state.
// Equal texts mean equal bits.
std::string WriteMechanism(const Problem& problem);

}  // namespace mbsbench
