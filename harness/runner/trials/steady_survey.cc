#include "harness/runner/trials/steady_survey.h"

#include "harness/runner/trials/steady_search.h"

namespace mbsbench {

namespace {

bool IsPosition(const Observable& observable) {
  using Kind = Observable::Kind;
  return observable.kind == Kind::kPositionX || observable.kind == Kind::kPositionY ||
         observable.kind == Kind::kPositionZ;
}

// The unknowns that are coordinates, and the positions that the problem asks for.
NamedValues<double> ValuesOf(const Problem& problem, const AlgebraicFormulation& formulation,
                             const FoundState& state) {
  NamedValues<double> values;
  const auto unknowns = formulation.unknowns();
  for (std::size_t i = 0; i < formulation.coordinate_count(); ++i)
    values.list.emplace_back(unknowns[i].name, state.z[i]);
  for (const Observable& observable : problem.observables) {
    if (IsPosition(observable))
      values.list.emplace_back(observable.name, Evaluate(observable, state.bodies, 0));
  }
  return values;
}

// Empty where the stability is not known.
template <typename Value>
std::optional<Value> IfKnown(const Stability& stability, Value Stability::*what) {
  return stability.known ? std::optional(stability.*what) : std::nullopt;
}

EquilibriaRecord RecordOf(const SteadySearch& search, const Problem& problem,
                          const AlgebraicFormulation& formulation) {
  EquilibriaRecord record{search.speed, search.starts, kSteadySeed, {}, {}};
  for (const auto& failed : search.failed) record.failed.list.push_back(failed);
  for (const FoundState& state : search.found) {
    const Stability& stability = state.stability;
    record.found.push_back({.values = ValuesOf(problem, formulation, state),
                            .stable = IfKnown(stability, &Stability::stable),
                            .growth = IfKnown(stability, &Stability::growth),
                            .frequencies = stability.frequencies,
                            .reached_by = state.reached_by,
                            .from_the_problems_guess = state.from_problem,
                            .neutral = IfKnown(stability, &Stability::neutral),
                            .growth_round_off = IfKnown(stability, &Stability::round_off)});
  }
  return record;
}

}  // namespace

std::optional<SteadySurveyRecord> SurveyOf(const PreparedCell& prepared,
                                           AlgebraicFormulation& formulation) {
  const int starts = prepared.problem.steady_guesses;
  if (starts == 0) return std::nullopt;
  return SteadySurveyRecord{
      RecordOf(SearchSteadyStates(prepared, formulation, formulation.speed(), starts, kSteadySeed),
               prepared.problem, formulation)};
}

}  // namespace mbsbench
