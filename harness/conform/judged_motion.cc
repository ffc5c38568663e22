#include "harness/conform/judged_motion.h"

#include "harness/conform/promise.h"
#include "harness/runner/trials/checked_observe.h"

namespace mbsbench {

JudgedMotion JudgeMotion(const Problem& problem, const Reference* reference,
                         const SystemState& start, const MethodChoice& method,
                         IntegrationSettings settings) {
  NowTrying(problem.name);
  const std::unique_ptr<Formulation> formulation = Prepare(method, problem);
  AccuracyJudge judge(problem, reference, start.bodies);
  const bool with_reactions = reference != nullptr && !reference->joints.empty();
  Unobserved unobserved;
  std::optional<SingularSamples> singular;  // judged without their reactions, as in a run
  Sampling sampling;
  sampling.times = problem.sample_times;
  sampling.integrate_power = formulation->power() != nullptr;
  sampling.sink = [&](double t, std::span<const double> y, double work) {
    if (!unobserved.ok()) return;
    Observation observation;
    unobserved = {
        ObserveSample(*formulation, problem.system, t, y,
                      with_reactions ? Detail::kReactions : Detail::kMotion, observation, singular),
        y};
    if (unobserved.ok()) judge.Add(t, observation, work);
  };
  settings.end_time = problem.end_time;
  settings.length = problem.length;
  settings.time = problem.time;
  JudgedMotion motion;
  motion.report = Integrate(*formulation, start, settings, sampling);
  AddUnobserved(unobserved, motion.report);
  motion.accuracy = judge.Finish();
  return motion;
}

}  // namespace mbsbench
