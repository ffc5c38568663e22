#include "harness/runner/trials/accuracy_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/control_kernel.h"
#include "harness/metrics/law_limits.h"
#include "harness/records/untried_limits.h"
#include "harness/runner/cells/shell_word.h"
#include "harness/runner/trials/checked_observe.h"
#include "harness/runner/trials/joint_coordinate_series.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/runner/trials/steady_trial.h"
#include "problems/model/forces.h"
#include "reference/certificate_paths.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// With more bodies a condition number costs more than the steps between two samples.
constexpr std::size_t kMostBodiesOfCondition = 60;

}  // namespace

TrialResult AccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit,
                          const JudgedStart* start, Detail detail, const StepVisitor& follow) {
  if (prepared.method.entry->form == Form::kAlgebraic)
    return SteadyAccuracyTrial(prepared, visit, detail);
  const Problem& problem = prepared.problem;
  const IntegrationSettings settings = prepared.Settings();
  const JudgedStart not_judged{{}, {NAN, "its equations are not those of the mechanism", false}};
  const JudgedStart at_start = start != nullptr                               ? *start
                               : Keeps(kEquations, LimitsOf(prepared.method)) ? JudgeStart(prepared)
                                                                              : not_judged;
  const JudgedStart judged = OfMotion(prepared, at_start);
  if (judged.ending.outcome != Outcome::kOk) {
    TrialResult refused{.ending = judged.ending};
    refused.record.command = SolveCommand(prepared.cell);
    refused.record.condition = RecordOf(judged.condition);
    return refused;
  }
  const std::unique_ptr<Formulation> formulation = prepared.MakeFormulation();
  const std::optional<Reference> reference = FindReference(problem);
  AccuracyJudge judge(problem, reference ? &*reference : nullptr, prepared.initial.bodies);

  Observation observation;
  if (reference && !reference->joints.empty()) detail = Detail::kReactions;
  JointCoordinateSeries coordinates(problem.system, prepared.initial);
  Unobserved unobserved;
  std::optional<SingularSamples> singular;
  const bool is_small =
      problem.system.bodies.size() <= kMostBodiesOfCondition && formulation->events() == nullptr;
  std::optional<MetCondition> largest_condition;
  double last_time = 0;
  std::vector<double> last_y;
  Sampling sampling;
  sampling.times = SampleTimesUntil(problem, settings.end_time);
  sampling.integrate_power = HasNonConservativeForces(problem.system);
  sampling.sink = [&](double time, std::span<const double> y, double work) {
    if (!unobserved.ok()) return;
    unobserved = {
        ObserveSample(*formulation, problem.system, time, y,
                      judge.WantsForces(time) ? Detail::kReactions : detail, observation, singular),
        y};
    if (!unobserved.ok()) return;
    last_time = time;
    last_y.assign(y.begin(), y.end());
    judge.Add(time, observation, work);
    const SolvedCondition here = is_small ? formulation->ConditionAt(time, y) : SolvedCondition();
    if (std::isfinite(here.number) &&
        (!largest_condition || here.number > largest_condition->number))
      largest_condition = MetCondition{here.number, time, here.of};
    coordinates.Add(time, observation.bodies);
    if (visit) visit(time, observation);
  };
  std::vector<BodyState> before_event;
  const auto observe_motion = [&](double time, std::span<const double> y) {
    if (unobserved.ok())
      unobserved = {
          CheckedObserve(*formulation, problem.system, time, y, Detail::kMotion, observation), y};
    return unobserved.ok();
  };
  sampling.event_sink.before = [&](double time, std::span<const double> y) {
    if (observe_motion(time, y)) before_event = observation.bodies;
  };
  sampling.event_sink.after = [&](const PastEvent& event, std::span<const double> y) {
    if (!observe_motion(event.time, y)) return 0.0;
    return judge.AddEvent(event.time, event.report.name, before_event, observation.bodies);
  };
  LawLimits limits(problem.system, prepared.initial.bodies);
  if (follow || limits.any() || !problem.system.forces.Of<JointSpringDamper>().empty()) {
    sampling.step_sink = [&, at_step = Observation{}](double time,
                                                      std::span<const double> y) mutable {
      if (!formulation->Observe(time, y, Detail::kMotion, at_step).ok()) return;
      judge.Follow(time, at_step.bodies);
      coordinates.Follow(time, at_step.bodies);
      limits.Follow(time, at_step.bodies);
      if (follow) follow(time, at_step.bodies);
    };
  }
  const double begin = ProcessCpuSeconds();
  IntegrationReport report = Integrate(*formulation, prepared.initial, settings, sampling);
  const double seconds = ProcessCpuSeconds() - begin;
  AddUnobserved(unobserved, report);
  if (!limits.passed().empty()) {
    report.outcome = IntegrationReport::Outcome::kDiverged;
    report.reason = limits.passed();
  }

  Accuracy accuracy = judge.Finish();
  TrialResult result;
  result.ending = Classify(report, accuracy, settings.end_time, problem.system);
  if (result.ending.outcome == Outcome::kNoReference && !reference) {
    result.ending.reason +=
        fmt::format("{}; 'mbsbench certify {} --write' makes one",
                    HoldsCertificate(problem) ? " as it is now, but for other parameters" : "",
                    ShellWord(prepared.cell.problem_or_file()));
  }
  MeasuredCondition worst = judged.condition;
  // A system that changes at events may have a different size than at its last sample.
  if (Finished(result.ending.outcome) && at_start.condition.measured() &&
      formulation->events() == nullptr) {
    const MeasuredCondition at_end = MeasureCondition(problem, *formulation, last_time, last_y);
    // A solution that agrees with the reference is not refused.
    if (at_end.no_digit_left() && result.ending.outcome != Outcome::kOk)
      result.ending = {Outcome::kIllConditioned, at_end.Sentence("at the end")};
    if (at_end.scatter > worst.scatter) worst = at_end;
  }
  result.record = RecordOf(prepared.cell, report);
  result.record.condition = RecordOf(worst);
  result.record.recorded_cpu_seconds = seconds;
  result.record.joint_coordinates = coordinates.record();
  accuracy.singular_samples = std::move(singular);
  accuracy.condition = std::move(largest_condition);
  result.record.accuracy = std::move(accuracy);
  return result;
}

}  // namespace mbsbench
