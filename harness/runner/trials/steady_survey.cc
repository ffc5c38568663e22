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
  const std::vector<std::string>& names() const { return names_; }

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

BranchRecord RecordOf(const Branch& branch, AlgebraicFormulation& formulation,
                      Quantities& quantities) {
  BranchRecord record{.begins = branch.begins, .ends = branch.ends};
  for (const std::string& name : quantities.names())
    record.values.list.emplace_back(name, std::vector<double>{});
  for (const BranchPoint& point : branch.points) {
    formulation.SetSpeed(point.speed);
    const std::vector<double> at = quantities.At(point.z);
    record.speeds.push_back(point.speed);
    record.stable.push_back(IfKnown(point.stability, &Stability::stable));
    record.neutral.push_back(IfKnown(point.stability, &Stability::neutral));
    for (std::size_t i = 0; i < at.size(); ++i) record.values.list[i].second.push_back(at[i]);
  }
  for (const Branch::TurningPoint& point : branch.turning_points) {
    formulation.SetSpeed(point.speed);
    record.turning_points.push_back(
        {point.speed, quantities.Named(point.z), static_cast<std::size_t>(point.after)});
  }
  return record;
}

}  // namespace

std::optional<SteadySurveyRecord> SurveyOf(const PreparedCell& prepared,
                                           AlgebraicFormulation& formulation) {
  const std::optional<SteadySurvey>& wanted = prepared.problem.steady_survey;
  if (!wanted) return std::nullopt;
  const double own = formulation.speed();
  Quantities quantities(prepared.problem, formulation);
  SteadySurveyRecord record{
      wanted->drawn, wanted->label,
      RecordOf(SearchSteadyStates(prepared, formulation, own, wanted->starts, kSteadySeed),
               quantities),
      std::nullopt};
  if (wanted->from != wanted->to) {
    const BranchSurvey survey = SurveyBranches(prepared, formulation, wanted->from, wanted->to,
                                               wanted->starts, kSteadySeed);
    record.branches = {wanted->from, wanted->to, {}};
    for (const Branch& branch : survey.branches)
      record.branches->list.push_back(RecordOf(branch, formulation, quantities));
  }
  formulation.SetSpeed(own);
  return record;
}

}  // namespace mbsbench
