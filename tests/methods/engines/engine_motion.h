// A judged motion by an engine.
#pragma once

#include <gtest/gtest.h>

#include "harness/integrate/integrate.h"
#include "harness/metrics/accuracy_judge.h"

namespace mbsbench {

struct EngineMotion {
  IntegrationReport report;
  Accuracy accuracy;
};

// At the sample times of the problem, against its reference.
inline EngineMotion MotionBy(Formulation& formulation, const Problem& problem,
                             const Reference* reference, const SystemState& start,
                             const IntegrationSettings& settings, bool integrates_power = false) {
  AccuracyJudge judge(problem, reference, start.bodies);
  Sampling sampling;
  sampling.times = problem.sample_times;
  sampling.integrate_power = integrates_power;
  sampling.sink = [&](double time, std::span<const double> y, double work) {
    Observation observation;
    EXPECT_TRUE(formulation.Observe(time, y, Detail::kMotion, observation).ok());
    judge.Add(time, observation, work);
  };
  EngineMotion motion;
  motion.report = Integrate(formulation, start, settings, sampling);
  motion.accuracy = judge.Finish();
  return motion;
}

}  // namespace mbsbench
