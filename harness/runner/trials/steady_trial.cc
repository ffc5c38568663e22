#include "harness/runner/trials/steady_trial.h"

#include <cmath>

#include "harness/control_kernel.h"
#include "harness/runner/cells/trial_record.h"
#include "harness/runner/trials/steady_survey.h"
#include "reference/steady_state.h"

namespace mbsbench {

namespace {

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

}  // namespace

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
