// One function per problem file; catalog.cc lists them.
#pragma once

#include "problems/catalog/catalog.h"

namespace mbsbench {

ProblemFamily PendulumFamily();
ProblemFamily Dpend18Family();
ProblemFamily Branch4Family();
ProblemFamily BranchNFamily();

}  // namespace mbsbench
