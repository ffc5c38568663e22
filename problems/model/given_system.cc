#include "problems/model/given_system.h"

#include "problems/model/problem.h"

namespace mbsbench {

GivenSystem::GivenSystem(const Problem& problem)
    : GivenSystem(problem.system, {.length = problem.length, .time = problem.time}) {}

}  // namespace mbsbench
