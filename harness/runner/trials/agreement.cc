#include "harness/runner/trials/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/metrics/acceleration_error.h"

namespace mbsbench {

namespace {

using States = decltype(AccelerationsRecord::states);

// Largest difference over the states that both evaluated; empty if there are none.
std::optional<double> Difference(const States& a, const States& b) {
  std::optional<double> worst;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    if (!a[k] || !b[k]) continue;
    double difference = 0, size = 0;
    if (a[k]->size() != b[k]->size()) difference = NAN;
    for (std::size_t i = 0; i < std::min(a[k]->size(), b[k]->size()); ++i) {
      const double d = std::abs((*a[k])[i] - (*b[k])[i]);
      if (!(d <= difference)) difference = d;  // NaN ranks worst and propagates
      size = std::max({size, std::abs((*a[k])[i]), std::abs((*b[k])[i])});
      if (std::isnan(difference)) break;
    }
    const double relative = std::isnan(difference) ? INFINITY : size > 0 ? difference / size : 0;
    worst = std::max(worst.value_or(0), relative);
  }
  return worst;
}

// Over the random states; over the initial one where there is no other.
std::optional<double> WorstError(const States& ours, const States& truth,
                                 const AccelerationScale& scale) {
  std::optional<double> worst;
  for (std::size_t k = truth.size() > 1 ? 1 : 0; k < std::min(ours.size(), truth.size()); ++k) {
    if (ours[k] && truth[k])
      worst = std::max(worst.value_or(0), AccelerationError(*ours[k], *truth[k], scale));
  }
  return worst;
}

// The largest difference from the truth, of lengths and angles in units of the largest acceleration of the state.
std::optional<ComponentRecord> WorstComponent(const States& ours, const States& truth,
                                              double length) {
  static const std::array<const char*, 6> names{"acceleration x",         "acceleration y",
                                                "acceleration z",         "angular acceleration x",
                                                "angular acceleration y", "angular acceleration z"};
  std::optional<ComponentRecord> worst;
  double largest = 0;
  for (std::size_t k = 0; k < std::min(ours.size(), truth.size()); ++k) {
    if (!ours[k] || !truth[k] || ours[k]->size() != truth[k]->size()) continue;
    const auto in_metres = [&](std::size_t i, double value) {
      return std::abs(i % 6 < 3 ? value : length * value);
    };
    double size = 0;
    for (std::size_t i = 0; i < truth[k]->size(); ++i)
      size = std::max(size, in_metres(i, (*truth[k])[i]));
    for (std::size_t i = 0; i < truth[k]->size(); ++i) {
      const double value = (*ours[k])[i], exact = (*truth[k])[i];
      const double off = in_metres(i, value - exact) / (size > 0 ? size : 1);
      if (off <= largest) continue;
      largest = std::isnan(off) ? INFINITY : off;
      worst =
          ComponentRecord{static_cast<int>(k), static_cast<int>(i / 6), names[i % 6], value, exact};
    }
  }
  return worst;
}

// Over the random states; over the initial one where there is no other.
std::optional<double> WorstCondition(const std::vector<MaybeNumber>& conditions) {
  std::optional<double> worst;
  for (std::size_t k = conditions.size() > 1 ? 1 : 0; k < conditions.size(); ++k) {
    if (conditions[k]) worst = std::max(worst.value_or(0), *conditions[k]);
  }
  return worst;
}

// Scatter by round-off at a random state.
MeasuredCondition ScatterAt(const AccelerationsRecord& trial, std::size_t state) {
  if (state >= trial.scatters.size() || !trial.scatters[state])
    return {NAN, "it was not measured at this state", false};
  return {*trial.scatters[state], "", false};
}

// The worst verdict over the initial state, whose verdict is `start`, and the random states.
Ending JudgedOver(const AccelerationsRecord& trial, const AccelerationsRecord& reference,
                  const std::optional<JudgedStart>& start) {
  const States &ours = trial.states, &truth = reference.states;
  Ending worst{Outcome::kNoReference, ""};
  const auto take = [&worst](const Ending& ending) {
    const auto rank = [](Outcome outcome) {
      return outcome == Outcome::kWrongEquations   ? 3
             : outcome == Outcome::kIllConditioned ? 2
             : outcome == Outcome::kOk             ? 1
                                                   : 0;
    };
    if (rank(ending.outcome) > rank(worst.outcome)) worst = ending;
  };
  for (std::size_t k = 0; k < std::min(ours.size(), truth.size()); ++k) {
    if (!ours[k] || !truth[k]) continue;
    if (k == 0 && start) {
      take(start->ending);
      continue;
    }
    const double error = AccelerationError(*ours[k], *truth[k], {reference.length, 0});
    take(VerdictOn(ScatterAt(trial, k), error, StateInWords(static_cast<int>(k))));
  }
  return worst;
}

// Uses the same measure as JudgeInitialState.
std::optional<JudgedStart> StartOf(const AccelerationsRecord& trial,
                                   const AccelerationsRecord& reference) {
  if (!trial.start) return std::nullopt;
  const States &ours = trial.states, &truth = reference.states;
  JudgedStart start = JudgedStartFrom(*trial.start);
  if (ours.empty() || !ours[0]) return start;  // reported by the integration
  if (reference.start_is_undetermined) {
    start.ending = NothingDetermines(reference.reasons.front());
    return start;
  }
  std::optional<double> error;
  if (!truth.empty() && truth[0])
    error =
        AccelerationError(*ours[0], *truth[0], {reference.length, reference.natural_acceleration});
  start.ending = VerdictOn(start.condition, error);
  return start;
}

}  // namespace

std::string StateInWords(int state) {
  return state == 0 ? "at the initial state" : fmt::format("at random state {}", state);
}

AgreementRecord Compare(const std::vector<std::string>& methods,
                        const std::vector<TrialResult>& trials, const TrialResult& truth) {
  AgreementRecord agreement{.states = 0};
  for (const TrialResult& trial : trials) {
    agreement.states = std::max(*agreement.states,
                                static_cast<int>(OrNone(trial.record.accelerations).states.size()));
  }
  const AccelerationsRecord& reference = OrNone(truth.record.accelerations);
  const States& exact = reference.states;
  agreement.judged_states = static_cast<int>(exact.size() > 1 ? exact.size() - 1 : exact.size());
  agreement.redundancy = reference.redundancy;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    MethodAgreementRecord& mine = agreement.methods.emplace_back();
    mine.method = methods[m];
    const AccelerationsRecord& own = OrNone(trials[m].record.accelerations);
    if (trials[m].ending.outcome != Outcome::kOk) {
      mine.reason = std::string(Name(trials[m].ending.outcome)) + ": " + trials[m].ending.reason;
    } else {
      for (const std::string& reason : own.reasons) {
        if (mine.reason.empty()) mine.reason = reason;
      }
    }
    mine.error = WorstError(own.states, exact, {reference.length, 0});
    mine.condition = WorstCondition(own.conditions);
    mine.condition_of = own.condition_of;
    if (own.order > 0) mine.order = own.order;
    if (reference.redundancy) {
      mine.unique = own.unique;
      mine.dropped = own.dropped;
    }
    const std::optional<JudgedStart> start = StartOf(own, reference);
    if (start) mine.start = RecordOf(*start);
    const Ending judged = JudgedOver(own, reference, start);
    mine.judged = Name(judged.outcome);
    mine.judged_reason = judged.reason;
    if (judged.outcome == Outcome::kWrongEquations)
      mine.worst_at = WorstComponent(own.states, exact, reference.length);
    // The median, so that one wrong method does not make all others look wrong.
    std::vector<double> differences;
    for (std::size_t other = 0; other < methods.size(); ++other) {
      if (other == m) continue;
      if (const auto d = Difference(own.states, OrNone(trials[other].record.accelerations).states))
        differences.push_back(*d);
    }
    if (differences.empty()) continue;
    std::sort(differences.begin(), differences.end());
    mine.difference = differences[(differences.size() - 1) / 2];
  }
  return agreement;
}

}  // namespace mbsbench
