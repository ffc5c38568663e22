// The accelerations and reactions of a large system take a limited number of bytes per body. The largest moment is the
// acceleration pass with reactions. Bytes per body of `chainN3d` there, 960 in all:
//   280  Body and Joint of the model         136  constants of the sweep (Link, RigidBody)
//    56  q and u                             144  GroupMotion
//    56  y'                                   96  Elimination
//    56  reactions                            72  numbers for the joint's reaction (a revolute: 216)
//    64  mass centres in their groups, joint forces, indices
#include <gtest/gtest.h>

#include <string>

#include "harness/runner/trials/judged_evaluation.h"
#include "methods/all_methods.h"
#include "tests/support/heap_peak.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

// The largest heap of all that `accelerations` does before it prints.
double BytesPerBody(const std::string& family, int bodies, const std::string& method) {
  const std::vector<MethodEntry>& methods = AllMethods();
  const std::size_t bytes = HeapPeakOf([&] {
    Cell cell;
    cell.problem = family + ":bodies=" + std::to_string(bodies);
    cell.method = method;
    PreparedCell prepared = PrepareCell(cell, methods);
    prepared.problem.initial = {};
    const JudgedEvaluation judged = JudgeInitialStateInPlace(prepared, Detail::kReactions);
    EXPECT_EQ(judged.ending.outcome, Outcome::kOk);
    EXPECT_TRUE(judged.condition.measured());
    EXPECT_EQ(judged.observation.reactions.size(), static_cast<std::size_t>(bodies));
  });
  return static_cast<double>(bytes) / bodies;
}

class MemoryOfLargeSystems : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Sweeps, MemoryOfLargeSystems,
                         testing::Values("articulated-body", "riccati-mstmm"), NameOfParameter);

TEST_P(MemoryOfLargeSystems, IsAtMost990BytesPerBodyOnABallAnd1060OnARevolute) {
  if (!kCountsHeap) GTEST_SKIP() << "the heap is not counted under sanitizers";
  const double on_balls = BytesPerBody("chainN3d", 20000, GetParam());
  EXPECT_LE(on_balls, 990);
  EXPECT_GE(on_balls, 280 + 376) << "model and sweep alone: the heap is counted";
  EXPECT_LE(BytesPerBody("chainN", 5000, GetParam()), 1060);
}

}  // namespace
}  // namespace mbsbench
