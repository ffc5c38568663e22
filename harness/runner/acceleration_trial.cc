#include "harness/runner/acceleration_trial.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <optional>

#include "harness/metrics/acceleration_error.h"
#include "harness/runner/checked_observe.h"
#include "harness/runner/evaluation_kernel.h"
#include "harness/runner/guarded_method.h"
#include "harness/runner/judged_evaluation.h"
#include "harness/runner/observation_document.h"
#include "harness/runner/random_states.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

Observation ObserveBy(Formulation& formulation, const PreparedCell& prepared,
                      const SystemState& state, Detail detail, SolvedCondition* condition) {
  Observation observation;
  StatePoint point;
  Status status = PointAt(formulation, state, point);
  if (status.ok()) {
    status = CheckedObserve(formulation, prepared.problem.system, 0, point.y, detail, observation);
  }
  if (!status.ok()) {
    throw EvaluationFailed(
        {OutcomeOf(status), fmt::format("method '{}' cannot evaluate this state of '{}': {}{}",
                                        prepared.method.spec, prepared.problem.name, status.what,
                                        PlaceOf(status, prepared.problem.system))});
  }
  if (condition != nullptr) *condition = formulation.ConditionAt(0, point.y);
  return observation;
}

// The same by a copy of this process: numbers come back bit by bit.
Observation ObservedApart(const PreparedCell& prepared, const SystemState& state, Detail detail,
                          SolvedCondition* condition) {
  const TrialResult result = CallOf(*prepared.method.entry, "evaluated at one state", [&] {
    SolvedCondition solved;
    TrialResult observed;
    observed.record = {{"observation", ToJson(ObserveAt(prepared, state, detail, &solved))},
                       {"condition", solved.number},
                       {"condition_of", solved.of},
                       {"order", solved.order}};
    return observed;
  });
  if (result.ending.outcome != Outcome::kOk) throw EvaluationFailed(result.ending);
  if (condition != nullptr) {
    const Json& number = result.record.at("condition");
    *condition = {number.is_null() ? NAN : number.get<double>(),
                  result.record.at("condition_of").get<std::string>(),
                  result.record.at("order").get<int>()};
  }
  return ObservationFrom(result.record.at("observation"));
}

// Six numbers per body, for each state those that `accelerations` gives.
TrialResult AtStates(
    const Problem& problem, const SystemState& initial, int random_states, std::uint64_t seed,
    const std::function<std::vector<BodyAcceleration>(const SystemState&)>& accelerations) {
  TrialResult result;
  Json states = Json::array(), reasons = Json::array();
  for (int k = 0; k <= random_states; ++k) {
    const std::optional<SystemState> state =
        k == 0 ? std::optional<SystemState>(initial)
               : MovedState(problem, seed + static_cast<std::uint64_t>(k));
    if (!state) break;
    try {
      states.push_back(AccelerationNumbers(problem.system, accelerations(*state)));
      reasons.push_back("");
    } catch (const ModelError& error) {
      states.push_back(nullptr);
      reasons.push_back(error.what());
    }
  }
  result.record = {{"states", std::move(states)}, {"reasons", std::move(reasons)}};
  return result;
}

// How far round-off in y scatters the accelerations of a state; NaN: not measured.
double ScatterAtState(const PreparedCell& prepared, Formulation* formulation,
                      const SystemState& state) {
  if (formulation == nullptr) return NAN;
  std::vector<double> y(formulation->state_size());
  if (!formulation->Initialise(0, state, y).ok()) return NAN;
  return MeasureCondition(prepared.problem, *formulation, 0, y).scatter;
}

}  // namespace

Observation ObserveAt(const PreparedCell& prepared, const SystemState& state, Detail detail,
                      SolvedCondition* condition) {
  if (prepared.method.entry->form == Form::kAlgebraic) {
    throw EvaluationFailed({Outcome::kUnsupported,
                            "method '" + prepared.method.spec +
                                "' gives steady states, and no accelerations of other states."});
  }
  if (IsGuarded(*prepared.method.entry)) return ObservedApart(prepared, state, detail, condition);
  return ObserveBy(*prepared.LendToFormulation(), prepared, state, detail, condition);
}

TrialResult AccelerationTrial(const PreparedCell& prepared, int random_states, std::uint64_t seed) {
  Json conditions = Json::array(), scatters = Json::array();
  SolvedCondition condition;
  MeasuredCondition start{NAN, "the method cannot evaluate the initial state"};
  // Prepared once for all states: engines take seconds for hundreds of bodies.
  std::unique_ptr<Formulation> formulation;
  const auto observe = [&](const SystemState& state) {
    if (IsGuarded(*prepared.method.entry))
      return ObserveAt(prepared, state, Detail::kAccelerations, &condition);
    if (!formulation) formulation = prepared.MakeFormulation();
    return ObserveBy(*formulation, prepared, state, Detail::kAccelerations, &condition);
  };
  TrialResult result = AtStates(
      prepared.problem, prepared.initial, random_states, seed, [&](const SystemState& state) {
        condition.number = NAN;
        const bool is_first = conditions.empty();
        Json& number = conditions.emplace_back(nullptr);  // stays where an exception is thrown
        Json& scatter = scatters.emplace_back(nullptr);
        const Observation observation = observe(state);
        if (std::isfinite(condition.number)) number = condition.number;
        if (is_first) start = MeasureCondition(prepared, observation);
        const double measured =
            is_first ? start.scatter : ScatterAtState(prepared, formulation.get(), state);
        if (std::isfinite(measured)) scatter = measured;
        return observation.accelerations;
      });
  if (!result.record["states"].empty() && result.record["states"][0].is_null())
    start.why_not = result.record["reasons"][0].get<std::string>();
  result.record["conditions"] = std::move(conditions);
  result.record["scatters"] = std::move(scatters);
  result.record["condition_of"] = condition.of;
  result.record["order"] = condition.order;
  result.record["start"] = {{"scatter", start.scatter}, {"why_not", start.why_not}};
  return result;
}

TrialResult ReferenceAccelerationTrial(const Problem& problem, int random_states,
                                       std::uint64_t seed) {
  const SystemState initial = InitialState(problem);
  TrialResult result =
      AtStates(problem, initial, random_states, seed, [&problem](const SystemState& state) {
        std::vector<BodyAcceleration> accelerations;
        for (const ReferenceAcceleration& a :
             ReferenceAccelerations(problem.system, state.joints).accelerations)
          accelerations.push_back({a.acceleration, a.angular_acceleration});
        return accelerations;
      });
  result.record["length"] = problem.length;
  result.record["natural_acceleration"] = NaturalAcceleration(problem, initial.bodies);
  return result;
}

}  // namespace mbsbench
