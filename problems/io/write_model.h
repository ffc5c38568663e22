#pragma once

#include <string>

#include "problems/model/problem.h"

namespace mbsbench {

// The part of a model file that says what moves and from where: gravity, bodies, joints, force
// elements and initial state. Equal texts are equal bits.
std::string WriteMechanism(const Problem& problem);

}  // namespace mbsbench
