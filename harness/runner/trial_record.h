// What the records of trials have in common (TrialDocument in harness/store/DOCUMENTS.md).
#pragma once

#include "harness/integrate/integrate.h"
#include "harness/metrics/accuracy_judge.h"
#include "harness/runner/cell.h"

namespace mbsbench {

// What every trial with an integration records.
Json CommonRecord(const Cell& cell, const IntegrationReport& report);
// What its judge found.
void AddAccuracy(const Accuracy& accuracy, const System& system, Json& record);
Json ToJson(const MaybeNumber& number);  // null where there is none

}  // namespace mbsbench
