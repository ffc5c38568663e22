// Formulations of a method for one state and for one per lane.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/runner/cells/method_choice.h"
#include "methods/all_methods.h"
#include "problems/model/problem.h"
#include "tests/support/worst.h"

namespace mbsbench {

// Its parameter is a method's spec.
class BatchedMethod : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<OdeFormulation> Single(const System& system) const {
    auto formulation = Prepare(method_, system);
    EXPECT_EQ(formulation->form(), Form::kOde);
    return std::unique_ptr<OdeFormulation>(static_cast<OdeFormulation*>(formulation.release()));
  }
  std::unique_ptr<BatchFormulation> Many(const System& system) const {
    return PrepareBatch(method_, system);
  }

 private:
  const std::vector<MethodEntry> methods_ = AllMethods();
  const MethodChoice method_ = ChooseMethod(GetParam(), methods_);
};

// The methods under test, by spec, and what they are called in names of tests.
inline auto BatchedMethods() {
  return testing::Values("articulated-body", "riccati-mstmm:general");
}
inline std::string NameOfSpec(const testing::TestParamInfo<const char*>& method) {
  std::string name = method.param;
  for (char& c : name) {
    if (c == '-' || c == ':') c = '_';
  }
  return name;
}

inline std::vector<double> LaneOf(std::span<const LaneValues> values, std::size_t lane) {
  std::vector<double> of_lane;
  for (const LaneValues& value : values) of_lane.push_back(value.lane[lane]);
  return of_lane;
}

// Largest difference of y', in units of the largest entry of `b`.
inline double Difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    Raise(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return difference / size;
}

}  // namespace mbsbench
