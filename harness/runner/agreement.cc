#include "harness/runner/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/metrics/acceleration_error.h"

namespace mbsbench {

namespace {

using States = std::vector<std::optional<std::vector<double>>>;

// Numbers per state; empty where the method could not evaluate it. A number that is not finite
// arrives as null.
States StatesOf(const TrialResult& trial) {
  States states;
  if (!trial.record.contains("states")) return states;
  for (const Json& state : trial.record.at("states")) {
    std::optional<std::vector<double>>& numbers = states.emplace_back();
    if (state.is_null()) continue;
    numbers.emplace();
    for (const Json& number : state)
      numbers->push_back(number.is_null() ? NAN : number.get<double>());
  }
  return states;
}

// Largest difference over the states that both evaluated; empty where there are none.
std::optional<double> Difference(const States& a, const States& b) {
  std::optional<double> worst;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    if (!a[k] || !b[k]) continue;
    double difference = 0, size = 0;
    if (a[k]->size() != b[k]->size()) difference = NAN;
    for (std::size_t i = 0; i < std::min(a[k]->size(), b[k]->size()); ++i) {
      const double d = std::abs((*a[k])[i] - (*b[k])[i]);
      if (!(d <= difference)) difference = d;  // not a number stays the worst
      size = std::max({size, std::abs((*a[k])[i]), std::abs((*b[k])[i])});
      if (std::isnan(difference)) break;
    }
    const double relative = std::isnan(difference) ? INFINITY : size > 0 ? difference / size : 0;
    worst = std::max(worst.value_or(0), relative);
  }
  return worst;
}

// Over the random states; over the initial one where there is no other.
std::optional<double> WorstError(const States& ours, const States& truth, double length) {
  std::optional<double> worst;
  for (std::size_t k = truth.size() > 1 ? 1 : 0; k < std::min(ours.size(), truth.size()); ++k) {
    if (ours[k] && truth[k])
      worst = std::max(worst.value_or(0), AccelerationError(*ours[k], *truth[k], length));
  }
  return worst;
}

// Over the random states; over the initial one where there is no other.
std::optional<double> WorstCondition(const TrialResult& trial) {
  std::optional<double> worst;
  if (!trial.record.contains("conditions")) return worst;
  const Json& conditions = trial.record.at("conditions");
  for (std::size_t k = conditions.size() > 1 ? 1 : 0; k < conditions.size(); ++k) {
    if (!conditions[k].is_null()) worst = std::max(worst.value_or(0), conditions[k].get<double>());
  }
  return worst;
}

// How much round-off explains at a random state: an entry of "scatters", null where it is not measured.
MeasuredCondition ScatterAt(const TrialResult& trial, std::size_t state) {
  const Json none;
  const Json& scatter =
      trial.record.contains("scatters") && state < trial.record.at("scatters").size()
          ? trial.record.at("scatters")[state]
          : none;
  if (!scatter.is_number()) return {NAN, "it was not measured at this state", false};
  return {scatter.get<double>(), "", false};
}

// The worst over the initial state, whose verdict is `start`, and the random ones.
Ending JudgedOver(const TrialResult& trial, const States& ours, const TrialResult& reference,
                  const States& truth, const std::optional<JudgedStart>& start) {
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
    const double error =
        AccelerationError(*ours[k], *truth[k], reference.record.value("length", 1.));
    take(VerdictOn(ScatterAt(trial, k), error,
                   k == 0 ? "at the initial state" : fmt::format("at random state {}", k)));
  }
  return worst;
}

// By the same measure as JudgeInitialState.
std::optional<JudgedStart> StartOf(const TrialResult& trial, const States& ours,
                                   const TrialResult& reference, const States& truth) {
  if (!trial.record.contains("start")) return std::nullopt;
  Json json = trial.record.at("start");
  json.update({{"outcome", Name(Outcome::kOk)}, {"reason", ""}});
  JudgedStart start = JudgedStartFrom(json);
  if (ours.empty() || !ours[0]) return start;  // the integration reports it
  std::optional<double> error;
  if (!truth.empty() && truth[0])
    error = AccelerationError(*ours[0], *truth[0], reference.record.value("length", 1.),
                              reference.record.value("natural_acceleration", 0.));
  start.ending = VerdictOn(start.condition, error);
  return start;
}

}  // namespace

Agreement Compare(const std::vector<std::string>& methods, const std::vector<TrialResult>& trials,
                  const TrialResult& truth) {
  Agreement agreement;
  std::vector<States> states;
  for (const TrialResult& trial : trials) {
    states.push_back(StatesOf(trial));
    agreement.states = std::max(agreement.states, static_cast<int>(states.back().size()));
  }
  const States exact = StatesOf(truth);
  agreement.judged_states = static_cast<int>(exact.size() > 1 ? exact.size() - 1 : exact.size());
  for (std::size_t m = 0; m < methods.size(); ++m) {
    MethodAgreement& mine = agreement.methods.emplace_back();
    mine.method = methods[m];
    if (trials[m].ending.outcome != Outcome::kOk) {
      mine.reason = std::string(Name(trials[m].ending.outcome)) + ": " + trials[m].ending.reason;
    } else if (trials[m].record.contains("reasons")) {
      for (const Json& reason : trials[m].record.at("reasons")) {
        if (mine.reason.empty()) mine.reason = reason.get<std::string>();
      }
    }
    mine.error = WorstError(states[m], exact, truth.record.value("length", 1.));
    mine.condition = WorstCondition(trials[m]);
    mine.condition_of = trials[m].record.value("condition_of", "");
    mine.order = trials[m].record.value("order", 0);
    mine.start = StartOf(trials[m], states[m], truth, exact);
    mine.judged = JudgedOver(trials[m], states[m], truth, exact, mine.start);
    // The median: one method that is wrong does not make all others look wrong.
    std::vector<double> differences;
    for (std::size_t other = 0; other < methods.size(); ++other) {
      if (other == m) continue;
      if (const auto d = Difference(states[m], states[other])) differences.push_back(*d);
    }
    if (differences.empty()) continue;
    std::sort(differences.begin(), differences.end());
    mine.difference = differences[(differences.size() - 1) / 2];
  }
  return agreement;
}

}  // namespace mbsbench
