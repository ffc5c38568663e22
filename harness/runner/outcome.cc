#include "harness/runner/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace mbsbench {

namespace {

constexpr std::array<std::string_view, 14> kNames{
    "ok",           "inaccurate", "wrong_equations", "ill_conditioned",
    "no_reference", "diverged",   "newton_failed",   "integrator_failed",
    "singular",     "timeout",    "out_of_memory",   "crashed",
    "unsupported",  "skipped"};

// A finished cell with a larger error is inaccurate, independent of its tolerance.
constexpr double kLargestError = 1e-3;

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
    const std::size_t trees = system.joints.size();
    if (j < trees) return fmt::format(" (joint '{}')", system.joints[j].name);
    if (j - trees < system.loop_joints.size())
      return fmt::format(" (joint '{}')", system.loop_joints[j - trees].name);
  }
  if (status.body >= 0) {
    const auto b = static_cast<std::size_t>(status.body);
    if (b < system.bodies.size()) return fmt::format(" (body '{}')", system.bodies[b].name);
  }
  return "";
}

Ending Classify(const IntegrationReport& report, const Accuracy& accuracy, double end_time,
                const System& system) {
  using Report = IntegrationReport::Outcome;
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
  switch (report.outcome) {
    case Report::kSingular: return {Outcome::kSingular, reason};
    case Report::kDiverged: return {Outcome::kDiverged, reason};
    case Report::kNewtonFailed: return {Outcome::kNewtonFailed, reason};
    case Report::kIntegratorFailed: return {Outcome::kIntegratorFailed, reason};
    case Report::kOk: break;
  }
  if (!accuracy.finite) {
    const double last = accuracy.times.empty() ? 0 : accuracy.times.back();
    return {Outcome::kDiverged,
            fmt::format("the motion is not finite after the sample at t = {:.9g} s", last)};
  }
  if (!accuracy.error) return {Outcome::kNoReference, "there is no reference for this problem"};
  if (!(accuracy.error->max <= kLargestError)) {
    return {Outcome::kInaccurate,
            fmt::format("the error {:.3g} is above {:.3g}", accuracy.error->max, kLargestError)};
  }
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
