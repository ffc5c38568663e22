#include "harness/runner/survey_document.h"

#include "harness/runner/steady_search.h"

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
  Json Named(const std::vector<double>& z) {
    const std::vector<double> values = At(z);
    Json object = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) object[names_[i]] = values[i];
    return object;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  const Problem& problem_;
  AlgebraicFormulation& formulation_;
  std::vector<std::string> names_;
  Observation observation_;
};

Json Stable(const Stability& stability) {
  return stability.known ? Json(stability.stable) : Json(nullptr);
}

Json ToJson(const SteadySearch& search, Quantities& quantities) {
  Json found = Json::array();
  for (const FoundState& state : search.found) {
    found.push_back({{"values", quantities.Named(state.z)},
                     {"stable", Stable(state.stability)},
                     {"growth", state.stability.known ? Json(state.stability.growth) : Json()},
                     {"frequencies", state.stability.frequencies},
                     {"reached_by", state.reached_by},
                     {"from_the_problems_guess", state.from_problem}});
  }
  return {{"speed", search.speed},
          {"starts", search.starts},
          {"seed", kSteadySeed},
          {"failed", search.failed},
          {"found", std::move(found)}};
}

Json ToJson(const Branch& branch, AlgebraicFormulation& formulation, Quantities& quantities) {
  Json speeds = Json::array(), stable = Json::array(), values = Json::object(),
       turning = Json::array();
  for (const std::string& name : quantities.names()) values[name] = Json::array();
  for (const BranchPoint& point : branch.points) {
    formulation.SetSpeed(point.speed);
    const std::vector<double> at = quantities.At(point.z);
    speeds.push_back(point.speed);
    stable.push_back(Stable(point.stability));
    for (std::size_t i = 0; i < at.size(); ++i) values[quantities.names()[i]].push_back(at[i]);
  }
  for (const Branch::TurningPoint& point : branch.turning_points) {
    formulation.SetSpeed(point.speed);
    turning.push_back(
        {{"speed", point.speed}, {"values", quantities.Named(point.z)}, {"after", point.after}});
  }
  return {{"speeds", std::move(speeds)}, {"stable", std::move(stable)},
          {"values", std::move(values)}, {"turning_points", std::move(turning)},
          {"begins", branch.begins},     {"ends", branch.ends}};
}

}  // namespace

Json SurveyDocument(const PreparedCell& prepared, AlgebraicFormulation& formulation) {
  const std::optional<SteadySurvey>& wanted = prepared.problem.steady_survey;
  if (!wanted) return nullptr;
  const double own = formulation.speed();
  Quantities quantities(prepared.problem, formulation);
  const SteadySearch search =
      SearchSteadyStates(prepared, formulation, own, wanted->starts, kSteadySeed);
  Json document = {{"drawn", wanted->drawn},
                   {"label", wanted->label},
                   {"equilibria", ToJson(search, quantities)},
                   {"branches", nullptr}};
  if (wanted->from != wanted->to) {
    const BranchSurvey survey = SurveyBranches(prepared, formulation, wanted->from, wanted->to,
                                               wanted->starts, kSteadySeed);
    Json branches = Json::array();
    for (const Branch& branch : survey.branches)
      branches.push_back(ToJson(branch, formulation, quantities));
    document["branches"] = {
        {"from", wanted->from}, {"to", wanted->to}, {"list", std::move(branches)}};
  }
  formulation.SetSpeed(own);
  return document;
}

}  // namespace mbsbench
