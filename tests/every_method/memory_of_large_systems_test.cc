// The accelerations and reactions of a large system take a limited number of bytes per body: model, initial state, the method's own arrays
// and printed results (itemised in docs/theory/articulated_body.md).
#include <gtest/gtest.h>

#include <string>

#include "harness/runner/trials/judged_evaluation.h"
#include "methods/all_methods.h"
#include "tests/support/heap_peak.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

// Of everything that `accelerations` does before printing.
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
