// What the store says of problems and methods.
#pragma once

#include "harness/records/method_record.h"
#include "harness/records/problem_record.h"
#include "harness/runner/method_choice.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {

ProblemRecord RecordOf(const Problem& problem);
MethodRecord RecordOf(const MethodChoice& method);
std::vector<LimitRecord> RecordsOf(const std::vector<DeclaredLimit>& limits);

// Degrees of freedom of the tree less the constraints of the joints that close loops, as far as
// these are independent.
int DegreesOfFreedom(const Problem& problem);

}  // namespace mbsbench
