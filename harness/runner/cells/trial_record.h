// The record of an integration.
#pragma once

#include "harness/integrate/integrate.h"
#include "harness/records/trial_record.h"
#include "harness/runner/cells/cell.h"

namespace mbsbench {

TrialRecord RecordOf(const Cell& cell, const IntegrationReport& report);

}  // namespace mbsbench
