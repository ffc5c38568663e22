// The forces in cut joints by elimination where loops meet, compared with columns of e.
#include "methods/loops/loop_elimination.h"

#include <gtest/gtest.h>

#include "methods/riccati_mstmm/sweeps.h"
#include "methods/tree_sweeps/sweep_formulation.h"
#include "problems/test_systems/random_loops.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

Observation ObserveBy(LoopElimination::Use use, const RandomTree& random) {
  SweepFormulation<RiccatiSweep> method(random.system, Stabilisation::kNone, 1, use);
  std::vector<double> y(method.state_size());
  EXPECT_TRUE(method.Initialise(0, random.state, y).ok());
  Observation observation;
  const Status status = method.Observe(0, y, Detail::kReactions, observation);
  EXPECT_TRUE(status.ok()) << status.what;
  return observation;
}

TEST(RiccatiLoopElimination, AgreesWithColumnsOnRandomSystems) {
  for (int k = 0; k < 50; ++k) {
    RandomLoopOptions options;
    options.loops = 1 + k % 6;
    options.tree.bodies = 6 + 2 * options.loops;
    options.least_independence = 1e-3;
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(43'000 + k), options);
    const Observation columns = ObserveBy(LoopElimination::Use::kNever, random),
                      elimination = ObserveBy(LoopElimination::Use::kAlways, random);
    double worst = 0, size = 1, worst_reaction = 0, largest_reaction = 1;
    ASSERT_EQ(columns.accelerations.size(), elimination.accelerations.size());
    for (std::size_t b = 0; b < columns.accelerations.size(); ++b) {
      const BodyAcceleration &one = columns.accelerations[b], &other = elimination.accelerations[b];
      Raise(worst, Norm(one.acceleration - other.acceleration));
      Raise(worst, Norm(one.angular_acceleration - other.angular_acceleration));
      size = std::max({size, Norm(one.acceleration), Norm(one.angular_acceleration)});
    }
    ASSERT_EQ(columns.reactions.size(), elimination.reactions.size());
    for (std::size_t j = 0; j < columns.reactions.size(); ++j) {
      Raise(worst_reaction, Norm(columns.reactions[j].force - elimination.reactions[j].force));
      Raise(worst_reaction, Norm(columns.reactions[j].torque - elimination.reactions[j].torque));
      largest_reaction = std::max(largest_reaction, Norm(columns.reactions[j].force));
    }
    EXPECT_LT(worst / size, 1e-9) << "system " << k;
    EXPECT_LT(worst_reaction / largest_reaction, 1e-9) << "system " << k;
  }
}

}  // namespace
}  // namespace mbsbench
