// Checks the observations of a formulation against the contract before they are used.
#pragma once

#include <optional>
#include <span>

#include "harness/integrate/integrate.h"
#include "harness/records/accuracy_record.h"
#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

// Formulation::Observe, and with reactions HasAlgorithmicReactions; kNotFinite if a number is missing or not finite. The
// observation must hold at least the bodies of `system` (systems may grow), and as many accelerations if they are requested.
// `alone`: of the formulation, for accelerations or more without the motion of the bodies; null: with it.
Status CheckedObserve(Formulation& formulation, const System& system, double t,
                      std::span<const double> y, Detail detail, Observation& observation,
                      ObservesWithoutMotion* alone = nullptr);
// CheckedObserve at a sample of a motion. If a matrix of the method is singular at its state, the motion alone is observed,
// and the sample is counted in `singular`: states that drift within the tolerance can lie where
// redundant constraints contradict each other, although the integration passes them.
Status ObserveSample(Formulation& formulation, const System& system, double t,
                     std::span<const double> y, Detail detail, Observation& observation,
                     std::optional<SingularSamples>& singular);
// The first sample of a motion that could not be observed, or was not known because the dense output failed there.
struct Unobserved {
  Status status = {};
  bool is_known = true;

  Unobserved() = default;
  Unobserved(const Status& of_sample, std::span<const double> y);
  bool ok() const { return status.ok(); }
};
// A motion that reached its end, and of which a sample could not be observed, failed there.
void AddUnobserved(const Unobserved& unobserved, IntegrationReport& report);
}  // namespace mbsbench
