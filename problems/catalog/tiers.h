// Which run a cell belongs to, for problems without reasons of their own.
#pragma once

#include <algorithm>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// `tier` for most cells. The index-3 equations, which IDA takes tens of thousands of steps for, wait for the default run;
// what grows with the square or cube of the bodies, and CVODE, which is seldom the quickest here, for the full one.
inline std::vector<TierRule> Tiers(Tier tier, int bodies) {
  constexpr int kLargestCubic = 150, kLargestIndex3 = 2, kLargestSparse = 5000;
  const Tier not_quick = std::max(tier, Tier::kDefault);
  return {
      {.integrator = "cvode-*", .tier = Tier::kFull},
      {.method = "cartesian-dae:index3", .tier = bodies > kLargestIndex3 ? Tier::kFull : not_quick},
      {.method = "classical-mstmm*", .tier = bodies > kLargestCubic ? Tier::kFull : tier},
      {.method = "equivalent-particles:ggl*",
       .tier = bodies > kLargestCubic ? Tier::kFull : not_quick},
      {.method = "equivalent-particles:index1-dae*",
       .tier = bodies > kLargestCubic ? Tier::kFull : not_quick},
      {.method = "kane-huston*", .tier = bodies > kLargestCubic ? Tier::kFull : tier},
      {.method = "cartesian-dae*", .tier = bodies > kLargestSparse ? Tier::kFull : tier},
      {.tier = tier}};
}

}  // namespace mbsbench
