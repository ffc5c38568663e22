// The closed set of outcomes of a cell. Every cell in a report has one of them.
#pragma once

#include <string>
#include <string_view>

#include "harness/integrate/integrate.h"
#include "harness/metrics/accuracy_judge.h"
#include "problems/model/system.h"

namespace mbsbench {

enum class Outcome {
  kOk,
  kInaccurate,      // finished, beyond one of kAccuracyBounds
  kWrongEquations,  // accelerations differ from those in 113 bits by more than round-off explains
  kIllConditioned,  // round-off leaves no digit of the accelerations
  kNoReference,     // finished, but no reference up to its end
  kDiverged,
  kNewtonFailed,
  kIntegratorFailed,
  kSingular,
  kTimeout,
  kOutOfMemory,
  kCrashed,
  kUnsupported,
  kSkipped,
};
std::string_view Name(Outcome outcome);
Outcome OutcomeNamed(std::string_view name);  // throws std::invalid_argument
// Whether the integration reached its end, so that its time is meaningful.
bool Finished(Outcome outcome);

struct Ending {
  Outcome outcome = Outcome::kOk;
  std::string reason;  // sentence; empty for ok
};

// The place of a failure, " (joint 'hinge_4')" or " (body '3')"; empty if the status has none.
std::string PlaceOf(const Status& status, const System& system);

Ending Classify(const IntegrationReport& report, const Accuracy& accuracy, double end_time,
                const System& system);
// Without accuracy: whether the integration reached its end.
Ending Classify(const IntegrationReport& report, const System& system);

}  // namespace mbsbench
