#include "harness/runner/trials/steady_trial.h"

#include <algorithm>
#include <cmath>

#include "harness/control_kernel.h"
#include "problems/model/random_numbers.h"
#include "reference/steady_state.h"

namespace mbsbench {

namespace {

// In units of L, or rad. Newton's error is far smaller, except at singular positions, where it is 1e-6.
constexpr double kSame = 1e-5;

// Whether the unknown of this name has a joint spring: a full turn of it is another state.
bool IsSprung(const System& system, const std::string& unknown) {
  return std::ranges::any_of(
      system.forces.Of<JointSpringDamper>(), [&](const JointSpringDamper& e) {
        return e.stiffness != 0 && system.joints[static_cast<std::size_t>(e.joint)].name == unknown;
      });
}

// Reduces angles without a spring to within half a turn.
void Wrap(const System& system, const AlgebraicFormulation& formulation, std::vector<double>& z) {
  const auto names = formulation.unknowns();
  for (std::size_t i = 0; i < formulation.coordinate_count(); ++i) {
    const bool is_angle = std::ranges::any_of(system.joints, [&](const Joint& j) {
      return j.name == names[i].name && CoordinateCount(j.type) == 1 && !IsLength(j.type, 0);
    });
    if (is_angle && !IsSprung(system, names[i].name)) z[i] = std::remainder(z[i], 2 * M_PI);
  }
}

// The same positions of the bodies, and the same turns of joint springs.
bool SameState(const System& system, const AlgebraicFormulation& formulation, const FoundState& a,
               const FoundState& b, double length) {
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    if (Norm(a.bodies[i].position - b.bodies[i].position) > kSame * length) return false;
    if (AngleBetween(a.bodies[i].orientation, b.bodies[i].orientation) > kSame) return false;
  }
  const auto names = formulation.unknowns();
  for (std::size_t i = 0; i < formulation.coordinate_count(); ++i) {
    if (std::abs(a.z[i] - b.z[i]) > 10 * kSame && IsSprung(system, names[i].name)) return false;
  }
  return true;
}

// The certified equilibrium as a reference with one sample, for the judge of trajectories.
std::optional<Reference> AsReference(const Problem& problem) {
  const std::optional<SteadyReference> steady = FindSteadyReference(problem);
  if (!steady) return {};
  Reference r;
  r.problem = steady->problem;
  r.how = steady->how;
  r.certified_by = steady->certified_by;
  r.error_estimate = r.velocity_error_estimate = steady->error_estimate;
  r.bodies = RecordedBodies(problem);
  ReferenceSample sample;
  for (int b : r.bodies) {
    sample.bodies.push_back(steady->bodies[static_cast<std::size_t>(b)]);
    sample.remainders.push_back({{}, {0, 0, 0, 0}, {}, {}});
  }
  r.samples = {sample};
  return r;
}

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

// The steady states that many guesses reach; empty if the problem requests none.
std::optional<SteadySurveyRecord> SurveyOf(const PreparedCell& prepared,
                                           AlgebraicFormulation& formulation) {
  const int starts = prepared.problem.steady_guesses;
  if (starts == 0) return std::nullopt;
  const SteadySearch search =
      SearchSteadyStates(prepared, formulation, formulation.speed(), starts, kSteadySeed);
  EquilibriaRecord record{search.speed, starts, kSteadySeed, {}, {}};
  for (const auto& failed : search.failed) record.failed.list.push_back(failed);
  for (const FoundState& state : search.found) {
    const Stability& stability = state.stability;
    record.found.push_back({.values = ValuesOf(prepared.problem, formulation, state),
                            .stable = IfKnown(stability, &Stability::stable),
                            .growth = IfKnown(stability, &Stability::growth),
                            .frequencies = stability.frequencies,
                            .reached_by = state.reached_by,
                            .from_the_problems_guess = state.from_problem,
                            .neutral = IfKnown(stability, &Stability::neutral),
                            .growth_round_off = IfKnown(stability, &Stability::round_off)});
  }
  return SteadySurveyRecord{std::move(record)};
}

// The unknowns, residuals and iterations of a steady state.
SteadyStateRecord RecordOf(const AlgebraicFormulation& formulation,
                           const IntegrationReport& report) {
  SteadyStateRecord record;
  const auto put = [&record](const std::vector<AlgebraicFormulation::Quantity>& quantities,
                             const std::vector<double>& values, NamedValues<double>& to) {
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      to.list.emplace_back(quantities[i].name, i < values.size() ? values[i] : NAN);
      record.units.list.emplace_back(quantities[i].name, quantities[i].unit);
    }
  };
  put(formulation.unknowns(), report.end_state, record.unknowns);
  put(formulation.residuals(), report.residual, record.residuals);
  record.residual_history = report.residual_history;
  record.step_history = report.step_history;
  return record;
}

}  // namespace

SteadySearch SearchSteadyStates(const PreparedCell& prepared, AlgebraicFormulation& formulation,
                                double speed, int starts, std::uint64_t seed) {
  const System& system = prepared.problem.system;
  const double length = prepared.problem.length;
  SteadySearch search;
  search.speed = speed;
  search.starts = starts;
  formulation.SetSpeed(speed);
  std::vector<double> own(formulation.state_size());
  formulation.Initialise(0, prepared.initial, own);
  const auto names = formulation.unknowns();
  RandomNumbers random(seed);
  for (int k = 0; k < starts; ++k) {
    std::vector<double> guess = own;
    for (std::size_t i = 0; k > 0 && i < formulation.coordinate_count(); ++i) {
      if (names[i].unit == "m") {
        guess[i] += random.Between(-length, length);
      } else {
        guess[i] = random.Between(-2 * M_PI, 2 * M_PI);
      }
    }
    IntegrationReport report = SolveSteadyState(formulation, guess);
    if (!report.ok()) {
      ++search.failed[std::string(Name(Classify(report, prepared.problem.system).outcome))];
      continue;
    }
    FoundState state;
    state.z = std::move(report.end_state);
    Wrap(system, formulation, state.z);
    state.residual = std::move(report.residual);
    Observation observation;
    formulation.Observe(0, state.z, Detail::kMotion, observation);
    state.bodies = std::move(observation.bodies);
    auto known = std::find_if(search.found.begin(), search.found.end(), [&](const FoundState& f) {
      return SameState(system, formulation, f, state, length);
    });
    if (known == search.found.end()) {
      state.stability = StabilityAt(formulation, state.z);
      known = search.found.insert(search.found.end(), std::move(state));
    }
    ++known->reached_by;
    known->from_problem |= k == 0;
  }
  const std::size_t n = formulation.coordinate_count();
  std::sort(search.found.begin(), search.found.end(),
            [n](const FoundState& a, const FoundState& b) {
              for (std::size_t i = 0; i < n; ++i) {
                if (std::abs(a.z[i] - b.z[i]) > kSame) return a.z[i] < b.z[i];
              }
              return false;
            });
  return search;
}

TrialResult SteadyAccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit,
                                Detail detail) {
  Problem problem = prepared.problem;
  problem.published.clear();  // values of the motion
  const IntegrationSettings settings = prepared.Settings();
  const std::unique_ptr<Formulation> formulation = prepared.MakeFormulation();
  auto& algebraic = static_cast<AlgebraicFormulation&>(*formulation);
  const std::optional<Reference> reference = AsReference(problem);

  const double start = ProcessCpuSeconds();
  IntegrationReport report = Integrate(*formulation, prepared.initial, settings);
  const double seconds = ProcessCpuSeconds() - start;
  Observation observation;
  Accuracy accuracy;
  if (report.outcome == IntegrationReport::Outcome::kOk) {
    formulation->Observe(0, report.end_state, detail, observation);
    AccuracyJudge judge(problem, reference ? &*reference : nullptr, observation.bodies);
    judge.Add(0, observation, 0);
    accuracy = judge.Finish();
    if (visit) visit(NAN, observation);
  }
  TrialResult result;
  result.ending = Classify(report, accuracy, 0, problem.system);
  result.record = RecordOf(prepared.cell, report);
  result.record.recorded_cpu_seconds = seconds;
  // A steady state has no energy drift.
  accuracy.energy_drift.clear();
  accuracy.energy_drift_max = NAN;
  result.record.accuracy = std::move(accuracy);
  result.record.steady_state = RecordOf(algebraic, report);
  result.record.steady_survey = SurveyOf(prepared, algebraic);
  return result;
}

}  // namespace mbsbench
