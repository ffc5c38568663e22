#include "harness/conform/judged_motion.h"

namespace mbsbench {

JudgedMotion JudgeMotion(const Problem& problem, const Reference* reference,
                         const SystemState& start, const MethodChoice& method,
                         IntegrationSettings settings) {
  const std::unique_ptr<Formulation> formulation = Prepare(method, problem.system, problem.time);
  AccuracyJudge judge(problem, reference, start.bodies);
  const bool with_reactions = reference != nullptr && !reference->joints.empty();
  Sampling sampling;
  sampling.times = problem.sample_times;
  sampling.integrate_power = formulation->has_power();
  sampling.sink = [&](double t, std::span<const double> y, double work) {
    Observation observation;
    formulation->Observe(t, y, with_reactions ? Detail::kReactions : Detail::kMotion, observation);
    judge.Add(t, observation, work);
  };
  settings.end_time = problem.end_time;
  settings.length = problem.length;
  settings.time = problem.time;
  JudgedMotion motion;
  motion.report = Integrate(*formulation, start, settings, sampling);
  motion.accuracy = judge.Finish();
  return motion;
}

}  // namespace mbsbench
