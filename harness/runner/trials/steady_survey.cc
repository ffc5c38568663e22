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
class Quantities {
 public:
  Quantities(const Problem& problem, AlgebraicFormulation& formulation)
      : problem_(problem), formulation_(formulation) {
    const auto unknowns = formulation.unknowns();
    for (std::size_t i = 0; i < formulation.coordinate_count(); ++i)
      names_.push_back(unknowns[i].name);
    for (const Observable& observable : problem.observables) {
      if (IsPosition(observable)) names_.push_back(observable.name);
    }
  }

  // Values at a steady state of the speed that the formulation is set to.
  std::vector<double> At(const std::vector<double>& z) {
    std::vector<double> values(
        z.begin(), z.begin() + static_cast<std::ptrdiff_t>(formulation_.coordinate_count()));
    formulation_.Observe(0, z, Detail::kMotion, observation_);
    for (const Observable& observable : problem_.observables) {
      if (IsPosition(observable)) values.push_back(Evaluate(observable, observation_.bodies, 0));
    }
    return values;
  }
  NamedValues<double> Named(const std::vector<double>& z) {
    const std::vector<double> values = At(z);
    NamedValues<double> named;
    for (std::size_t i = 0; i < values.size(); ++i) named.list.emplace_back(names_[i], values[i]);
    return named;
  }

 private:
  const Problem& problem_;
  AlgebraicFormulation& formulation_;
  std::vector<std::string> names_;
  Observation observation_;
};

// Empty where the stability is not known.
template <typename Value>
std::optional<Value> IfKnown(const Stability& stability, Value Stability::*what) {
  return stability.known ? std::optional(stability.*what) : std::nullopt;
}

EquilibriaRecord RecordOf(const SteadySearch& search, Quantities& quantities) {
  EquilibriaRecord record{search.speed, search.starts, kSteadySeed, {}, {}};
  for (const auto& failed : search.failed) record.failed.list.push_back(failed);
  for (const FoundState& state : search.found) {
    const Stability& stability = state.stability;
    record.found.push_back({.values = quantities.Named(state.z),
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
  Quantities quantities(prepared.problem, formulation);
  return SteadySurveyRecord{
      RecordOf(SearchSteadyStates(prepared, formulation, formulation.speed(), starts, kSteadySeed),
               quantities)};
}

}  // namespace mbsbench
