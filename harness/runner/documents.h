// The records of problems and methods in the store.
#pragma once

#include "harness/records/method_record.h"
#include "harness/records/problem_record.h"
#include "harness/runner/cells/method_choice.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {

// ProblemRecord::problem_hash. Its first word identifies the motion.
std::string HashOf(const Problem& problem);
ProblemRecord RecordOf(const Problem& problem);
MethodRecord RecordOf(const MethodChoice& method);
std::vector<LimitRecord> RecordsOf(const std::vector<DeclaredLimit>& limits);

}  // namespace mbsbench
