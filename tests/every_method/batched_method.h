// Formulations of a method for one state and for one per lane.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "harness/runner/method_choice.h"
#include "methods/all_methods.h"
#include "problems/model/problem.h"

namespace mbsbench {

// Its parameter is a method's spec.
class BatchedMethod : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<OdeFormulation> Single(const System& system) const {
    auto formulation = Prepare(method_, system, Problem{}.time);
    EXPECT_EQ(formulation->form(), Form::kOde);
    return std::unique_ptr<OdeFormulation>(static_cast<OdeFormulation*>(formulation.release()));
  }
  std::unique_ptr<BatchFormulation> Many(const System& system) const {
    return PrepareBatch(method_, system, Problem{}.time);
  }

 private:
  const std::vector<MethodEntry> methods_ = AllMethods();
  const MethodChoice method_ = ChooseMethod(GetParam(), methods_);
};

}  // namespace mbsbench
