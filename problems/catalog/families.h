// One function per problem file; families.inc lists them.
#pragma once

#include "problems/catalog/catalog.h"

namespace mbsbench {

#define FAMILY(function) ProblemFamily function();
#include "problems/catalog/families.inc"
#undef FAMILY

}  // namespace mbsbench
