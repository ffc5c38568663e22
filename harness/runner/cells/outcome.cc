#include "harness/runner/cells/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/records/accuracy_bounds.h"
#include "problems/model/joint_at.h"

namespace mbsbench {

namespace {

constexpr std::array<std::string_view, 14> kNames{
    "ok",           "inaccurate", "wrong_equations", "ill_conditioned",
    "no_reference", "diverged",   "newton_failed",   "integrator_failed",
    "singular",     "timeout",    "out_of_memory",   "crashed",
    "unsupported",  "skipped"};

// The first bound of kAccuracyBounds that a finished motion exceeds; empty if none.
std::string WhyInaccurate(const Accuracy& accuracy) {
  const auto beyond = [](const AccuracyBound& bound, double value, const std::string& where = "") {
    return value <= bound.largest
               ? ""
               : fmt::format("the {}{} is {:.3g} (of {}), above {:.3g}", bound.quantity, where,
                             value, bound.of, bound.largest);
  };
  std::vector<std::string> reasons;
  if (accuracy.error) {
    reasons.push_back(beyond(kPositionBound, accuracy.error->max));
    reasons.push_back(beyond(kVelocityBound, accuracy.error->velocity_max));
    reasons.push_back(beyond(kRelativeVelocityBound, accuracy.relative_velocity_error));
    reasons.push_back(beyond(kReactionBound, accuracy.error->reactions_max.value_or(0)));
  }
  if (accuracy.forces_not_finite_at)
    reasons.push_back(
        fmt::format("the reactions or the efforts of drivers are not finite at t = {:.9g} s",
                    *accuracy.forces_not_finite_at));
  const ForceErrors& forces = accuracy.forces;
  reasons.push_back(beyond(kReactionBound, forces.reactions.error, forces.reactions.where));
  reasons.push_back(beyond(kEffortBound, forces.efforts.error, forces.efforts.where));
  reasons.push_back(beyond(kEnergyBound, accuracy.energy_error.value_or(0)));
  reasons.push_back(beyond(kOpeningBound, accuracy.position_drift_max));
  const auto first =
      std::ranges::find_if(reasons, [](const std::string& reason) { return !reason.empty(); });
  return first == reasons.end() ? "" : *first;
}

}  // namespace

std::string_view Name(Outcome outcome) { return kNames[static_cast<std::size_t>(outcome)]; }

Outcome OutcomeNamed(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end())
    throw std::invalid_argument("no outcome is called " + std::string(name));
  return static_cast<Outcome>(found - kNames.begin());
}

bool Finished(Outcome outcome) {
  return outcome == Outcome::kOk || outcome == Outcome::kInaccurate ||
         outcome == Outcome::kNoReference;
}

std::string PlaceOf(const Status& status, const System& system) {
  if (status.joint >= 0) {
    const auto j = static_cast<std::size_t>(status.joint);
    if (j < system.joints.size() + system.loop_joints.size())
      return fmt::format(" (joint '{}')", JointAt(system, j).name);
  }
  if (status.body >= 0) {
    const auto b = static_cast<std::size_t>(status.body);
    if (b < system.bodies.size()) return fmt::format(" (body '{}')", system.bodies[b].name);
  }
  return "";
}

Ending Classify(const IntegrationReport& report, const Accuracy& accuracy, double end_time,
                const System& system) {
  const std::string reason = report.reason + PlaceOf(report.failure, system);
  if (accuracy.left_branch) {
    const LeftBranch& left = *accuracy.left_branch;
    return {
        Outcome::kDiverged,
        fmt::format("left the branch of the reference by t = {:.9g} s: {} is {:.3g}, on the branch "
                    "it is {:.3g} within {:.3g}{}{}",
                    left.time, left.quantity, left.value, left.expected, left.bound,
                    reason.empty() ? "" : "; ", reason)};
  }
  // In the order of IntegrationReport::Outcome.
  constexpr std::array kOfReports{Outcome::kOk, Outcome::kSingular, Outcome::kDiverged,
                                  Outcome::kNewtonFailed, Outcome::kIntegratorFailed};
  if (!report.ok()) return {kOfReports.at(static_cast<std::size_t>(report.outcome)), reason};
  if (!accuracy.finite) {
    const double last = accuracy.times.empty() ? 0 : accuracy.times.back();
    return {Outcome::kDiverged,
            fmt::format("the motion is not finite after the sample at t = {:.9g} s", last)};
  }
  if (std::string why = WhyInaccurate(accuracy); !why.empty())
    return {Outcome::kInaccurate, std::move(why)};
  if (!accuracy.error) return {Outcome::kNoReference, "there is no reference for this problem"};
  if (!accuracy.error->end) {
    return {Outcome::kNoReference,
            fmt::format("the reference ends at {:.9g} s, the solution at {:.9g} s",
                        accuracy.error->judged_until, end_time)};
  }
  return {};
}

Ending Classify(const IntegrationReport& report, const System& system) {
  Accuracy finished;
  finished.error = ErrorMeasure{.end = 0};
  return Classify(report, finished, report.time_reached, system);
}

}  // namespace mbsbench
