#include "methods/interface/formulation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench {
namespace {

TEST(SolvedCondition, OfAFormulationThatStatesNoneIsNanWithAReason) {
  class Silent final : public Formulation {
   public:
    Form form() const override { return Form::kOde; }
    std::size_t state_size() const override { return 0; }
    Status Initialise(double, const SystemState&, std::span<double>) override { return {}; }
    Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }
  } silent;
  const SolvedCondition condition = silent.ConditionAt(0, {});
  EXPECT_TRUE(std::isnan(condition.number));
  EXPECT_EQ(condition.order, 0);
  EXPECT_FALSE(condition.of.empty());
}

}  // namespace
}  // namespace mbsbench
