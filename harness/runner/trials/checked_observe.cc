#include "harness/runner/trials/checked_observe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/runner/cells/outcome.h"

namespace mbsbench {

namespace {

bool Finite(const Vector3& v) { return std::isfinite(v.x + v.y + v.z); }
bool Finite(const Quaternion& q) { return std::isfinite(q.w + q.x + q.y + q.z); }

Status Missing(const char* what) { return {Status::Code::kNotFinite, -1, -1, what}; }

Status CheckedMotion(const System& system, const Observation& observation) {
  const std::vector<BodyState>& bodies = observation.bodies;
  if (bodies.size() < system.bodies.size())
    return Missing("bodies are missing from its observation");
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyState& s = bodies[b];
    if (!Finite(s.position) || !Finite(s.orientation) || !Finite(s.velocity) ||
        !Finite(s.angular_velocity)) {
      return {Status::Code::kNotFinite, -1, static_cast<int>(b), "its motion is not finite"};
    }
  }
  return {};
}

Status CheckedForces(const System& system, const Observation& observation) {
  const auto& [bodies, accelerations, reactions, drivers, algorithmic] = observation;
  if (accelerations.size() < system.bodies.size() ||
      (!bodies.empty() && accelerations.size() != bodies.size()))
    return Missing("accelerations are missing from its observation");
  for (std::size_t b = 0; b < accelerations.size(); ++b) {
    const bool turns = b >= system.bodies.size() || !system.bodies[b].is_point;
    if (!Finite(accelerations[b].acceleration) ||
        (turns && !Finite(accelerations[b].angular_acceleration))) {
      return {Status::Code::kNotFinite, -1, static_cast<int>(b),
              "its accelerations are not finite"};
    }
  }
  // Empty for an engine that does not report them.
  if (!reactions.empty() && reactions.size() < system.joints.size() + system.loop_joints.size())
    return Missing("joint reactions are missing from its observation");
  if (!algorithmic.empty() && algorithmic.size() != reactions.size())
    return Missing("joint reactions are missing by the multipliers of its steps");
  if (!drivers.empty() && drivers.size() != system.drivers.size())
    return Missing("drivers are missing from its observation");
  return {};
}

}  // namespace

Status CheckedObserve(Formulation& formulation, const System& system, double t,
                      std::span<const double> y, Detail detail, Observation& observation,
                      ObservesWithoutMotion* alone) {
  Status status = alone != nullptr ? alone->ObserveWithoutMotion(t, y, detail, observation)
                                   : formulation.Observe(t, y, detail, observation);
  if (status.ok() && alone == nullptr) status = CheckedMotion(system, observation);
  if (!status.ok() || detail == Detail::kMotion) return status;
  if (auto* const steps = formulation.algorithmic_reactions();
      steps != nullptr && detail == Detail::kReactions)
    observation.algorithmic_reactions = steps->AlgorithmicReactions(t, y);
  return CheckedForces(system, observation);
}

Status ObserveSample(Formulation& formulation, const System& system, double t,
                     std::span<const double> y, Detail detail, Observation& observation,
                     std::optional<SingularSamples>& singular) {
  const Status status = CheckedObserve(formulation, system, t, y, detail, observation);
  if (detail == Detail::kMotion || status.code != Status::Code::kSingular) return status;
  observation = {};
  const Status of_motion = CheckedObserve(formulation, system, t, y, Detail::kMotion, observation);
  if (!of_motion.ok()) return status;
  if (!singular) singular = {0, t, status.what + PlaceOf(status, system)};
  ++singular->count;
  return {};
}

Unobserved::Unobserved(const Status& of_sample, std::span<const double> y)
    : status(of_sample),
      is_known(std::ranges::none_of(y, [](double value) { return std::isnan(value); })) {}

void AddUnobserved(const Unobserved& unobserved, IntegrationReport& report) {
  if (!report.ok() || unobserved.ok()) return;
  const bool is_between = !unobserved.is_known && !report.uninterpolated.ok();
  report.failure = is_between ? report.uninterpolated : unobserved.status;
  report.outcome = report.failure.code == Status::Code::kSingular
                       ? IntegrationReport::Outcome::kSingular
                       : IntegrationReport::Outcome::kDiverged;
  report.reason =
      fmt::format("the steps reach the end, but a sample could not be {}: {}",
                  is_between ? "interpolated between them" : "observed", report.failure.what);
}

}  // namespace mbsbench
