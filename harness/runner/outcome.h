// How a cell ended: the closed set. Nothing drops out of a report without one of these.
#pragma once

#include <string>
#include <string_view>

#include "harness/integrate/integrate.h"
#include "harness/metrics/accuracy_judge.h"
#include "problems/model/system.h"

namespace mbsbench {

enum class Outcome {
  kOk,
  kInaccurate,      // finished, error in the suite's measure above 1e-3
  kWrongEquations,  // accelerations further from those in 113 bits than round-off explains
  kIllConditioned,  // round-off leaves no digit of the accelerations
  kNoReference,     // finished, and nothing to judge it by up to its end
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
// Whether the integration reached its end, so that its time means something.
bool Finished(Outcome outcome);

struct Ending {
  Outcome outcome = Outcome::kOk;
  std::string reason;  // sentence; empty for ok
};

// " (joint 'hinge_4')" or " (body '3')", or nothing: where a status says that it happened.
std::string PlaceOf(const Status& status, const System& system);

Ending Classify(const IntegrationReport& report, const Accuracy& accuracy, double end_time,
                const System& system);
// Whether it got to the end, not how well.
Ending Classify(const IntegrationReport& report, const System& system);

}  // namespace mbsbench
