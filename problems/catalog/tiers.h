// The run to which a cell belongs, for problems without rules of their own.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// `tier` for most cells. The index-3 equations, for which IDA needs tens of thousands of steps, are left to the default
// run. Methods whose cost grows with the square or cube of the bodies, and CVODE, which is seldom the fastest here, are
// left to the full run. Drift without stabilisation is shown if `drift_is_the_question`, else in the full run only.
inline std::vector<TierRule> Tiers(Tier tier, int bodies, bool drift_is_the_question = false) {
  constexpr int kLargestCubic = 60, kLargestIndex3 = 2, kLargestSparse = 5000,
                kLargestFactorised = 6, kLargestOnPaths = 250, kLargestByManyIntegrators = 60,
                kLargestByFixedSteps = 1000, kLargestVariational = 12;
  const Tier not_quick = std::max(tier, Tier::kDefault);
  const Tier unstabilised = drift_is_the_question ? not_quick : Tier::kFull;
  std::vector<TierRule> rules{
      {.integrator = "cvode-*", .tier = Tier::kFull},
      {.method = "equivalent-particles:index1-dae*", .tier = Tier::kFull},
      {.method = "*,none", .tier = unstabilised},
      {.method = "*,baumgarte", .tier = unstabilised},
      {.method = "articulated-body:none", .tier = unstabilised},
      {.method = "articulated-body:baumgarte", .tier = unstabilised},
      {.method = "variational", .tier = bodies > kLargestVariational ? Tier::kFull : not_quick},
      {.method = "cartesian-dae:index3", .tier = bodies > kLargestIndex3 ? Tier::kFull : not_quick},
      {.method = "cartesian-dae:index1", .tier = bodies > kLargestSparse ? Tier::kFull : not_quick},
      {.method = "classical-mstmm*", .tier = bodies > kLargestCubic ? Tier::kFull : tier},
      {.method = "equivalent-particles:ggl*",
       .tier = bodies > kLargestCubic ? Tier::kFull : not_quick},
      {.method = "composite-body*", .tier = bodies > kLargestOnPaths ? Tier::kFull : tier},
      {.method = "kane-huston*", .tier = bodies > kLargestCubic ? Tier::kFull : tier},
      {.method = "cartesian-dae*", .tier = bodies > kLargestSparse ? Tier::kFull : tier},
      {.tier = tier}};
  // One curve shows the cost of a method that factorises matrices in each evaluation. With other integrators the number
  // of evaluations changes as for cheaper methods.
  if (bodies > kLargestFactorised) {
    for (const char* method : {"cartesian-dae:index1", "equivalent-particles:index1",
                               "classical-mstmm*", "composite-body*"}) {
      for (const char* integrator : {"rk4", "fehlberg8"})
        rules.insert(rules.begin(),
                     {.method = method, .integrator = integrator, .tier = Tier::kFull});
    }
  }
  if (bodies > kLargestByFixedSteps)
    rules.insert(rules.begin(), {.integrator = "rk4", .tier = Tier::kFull});
  // A solve of a large system takes seconds: one curve per method shows its cost.
  if (bodies > kLargestByManyIntegrators)
    rules.insert(rules.begin(), {{.integrator = "fehlberg8", .tier = Tier::kFull},
                                 {.integrator = "own", .tier = Tier::kFull}});
  return rules;
}

// Cells of the quick run in addition to the `tiers` of the problem: these methods with these
// integrators.
inline void AlsoQuick(Problem& problem, std::initializer_list<TierRule> rules) {
  for (TierRule rule : rules) {
    rule.tier = Tier::kQuick;
    problem.tiers.insert(problem.tiers.begin(), rule);
  }
}

}  // namespace mbsbench
