#include "harness/runner/agreement_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/records/untried_limits.h"
#include "harness/runner/process/guarded_method.h"
#include "harness/runner/run_context.h"

namespace mbsbench {

namespace {

// Random states of an agreement check; a system above this size is compared at one state.
constexpr int kRandomStates = 3;
constexpr std::size_t kOneStateAbove = 2000;
// Time limit of evaluations in 113 bits, in units of that of a trial.
constexpr double kTruthTakesLonger = 10;

// Names the methods that are wrong by the truth. Without a truth it names the methods that differ from most others; which of
// them is wrong remains open.
Ending VerdictOf(const AgreementRecord& agreement, const TrialResult& truth) {
  std::vector<std::string> wrong, apart;
  bool any_truth = false, any_difference = false;
  for (const MethodAgreementRecord& m : agreement.methods) {
    any_truth |= !m.judged.empty() && m.judged != Name(Outcome::kNoReference);
    any_difference |= m.difference.has_value();
    if (m.judged == Name(Outcome::kWrongEquations))
      wrong.push_back(fmt::format("'{}': {}", m.method, m.judged_reason));
    if (m.difference && !(*m.difference <= kAgreementLimit))
      apart.push_back(fmt::format("'{}' by {:.2g}", m.method, *m.difference));
  }
  if (!wrong.empty()) return {Outcome::kWrongEquations, fmt::format("{}", fmt::join(wrong, "; "))};
  if (any_truth) return {};
  if (!any_difference)
    return {Outcome::kNoReference, "no truth, and no state that two methods evaluated"};
  if (apart.empty()) return {};
  return {Outcome::kInaccurate,
          fmt::format("accelerations differ from those of the other methods: {} of the largest one "
                      "(limit {:g}); without a truth it is not known which are wrong ({})",
                      fmt::join(apart, ", "), kAgreementLimit,
                      truth.ending.reason.empty() ? "none in 113 bits" : truth.ending.reason)};
}

}  // namespace

std::vector<MethodChoice> ComparedMethods(const PlannedProblem& problem) {
  std::vector<MethodChoice> methods = problem.evaluated;
  std::erase_if(methods, [](const MethodChoice& m) {
    return m.form() == Form::kAlgebraic || !Keeps(kEquations, LimitsOf(m));
  });
  return methods;
}

ChildEnd CheckAgreement(const PlannedProblem& problem, const ProcessLimits& limits,
                        std::uint64_t seed, Supervisor& supervisor) {
  const std::vector<MethodChoice> methods = ComparedMethods(problem);
  std::vector<std::string> specs;
  for (const MethodChoice& method : methods) specs.push_back(method.spec);
  // The last one is the truth, in 113 bits.
  std::vector<TrialResult> trials(methods.size() + 1);
  double seconds = 0;
  for (std::size_t next = 0; next < trials.size() || supervisor.running() > 0;) {
    if (next < trials.size() && supervisor.running() < SideBySide()) {
      const bool is_truth = next == methods.size();
      ChildJob job{.id = next,
                   .request = {.cell = problem.Unsolved(),
                               .kind = is_truth ? "reference accelerations" : "accelerations",
                               .random_states = problem.bodies > kOneStateAbove ? 1 : kRandomStates,
                               .seed = seed},
                   .limits = limits,
                   .code_of = is_truth ? "" : CodeOf(methods[next])};
      job.request.cell.method = is_truth ? "" : methods[next].spec;
      // The truth is not timed and may take longer than a method.
      if (is_truth) job.limits.seconds *= kTruthTakesLonger;
      supervisor.Start(job);
      ++next;
      continue;
    }
    ChildEnd end = supervisor.Wait();
    seconds += end.seconds;
    trials[end.id] = std::move(end.result);
  }
  const TrialResult truth = std::move(trials.back());
  trials.pop_back();
  AgreementRecord agreement = Compare(specs, trials, truth);
  for (const auto& [spec, ending] : problem.not_evaluated)
    agreement.methods.push_back(
        {.method = spec,
         .judged = std::string(Name(Outcome::kNoReference)),
         .reason = std::string(Name(ending.outcome)) + ": " + ending.reason});
  ChildEnd check{.result = {.ending = VerdictOf(agreement, truth)}, .seconds = seconds};
  agreement.truth = truth.ending.outcome == Outcome::kOk
                        ? "113 bits"
                        : std::string(Name(truth.ending.outcome)) + ": " + truth.ending.reason;
  for (const MethodAgreementRecord& m : agreement.methods) {
    if (m.difference && (!agreement.worst || *m.difference > *agreement.worst->difference))
      agreement.worst = {m.method, m.difference};
  }
  check.result.record.agreement = std::move(agreement);
  return check;
}

}  // namespace mbsbench
