#pragma once

#include "methods/interface/method.h"
#include "problems/model/problem_family.h"

namespace mbsbench {

MethodEntry CompoundPendulumEntry();
ProblemFamily SwingingBarFamily();

}  // namespace mbsbench
