// Fixed steps of a problem of the catalogue, each half of the one before.
#pragma once

#include <cmath>
#include <vector>

namespace mbsbench {

inline std::vector<double> HalvedSteps(double coarsest, int count = 6) {
  std::vector<double> steps;
  for (int halvings = 0; halvings < count; ++halvings)
    steps.push_back(std::ldexp(coarsest, -halvings));
  return steps;
}

}  // namespace mbsbench
