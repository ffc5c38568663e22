// Pairs of an executable with itself: whatever was flagged there was a false alarm.
#pragma once

#include "reports/results.h"

namespace mbsbench::reports {

struct FalseAlarms {
  int verdicts = 0, alarms = 0;
  int screened_alarms = 0;  // that fresh rounds did not confirm
  int inconclusive = 0;     // not among the verdicts
};
FalseAlarms CountFalseAlarms(const Results& results);

}  // namespace mbsbench::reports
