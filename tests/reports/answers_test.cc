// The overview of a store with one problem.
#include <gmock/gmock.h>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Answers, UseTheSingularForOneProblem) {
  TestFolder folder;
  FixtureStore store(folder / "store.sqlite");
  store.AddRun("run1", "2025-01-01T00:00:00Z", "Test CPU");
  store.AddMethod("riccati-mstmm:general");
  store.AddProblem("small", {{"bodies", 4},
                             {"loops", 0},
                             {"end_time", 2},
                             {"time", 0.5},
                             {"reference", {{"error_estimate", 1e-12}}}});
  store.AddCell({"small", "riccati-mstmm:general", "rk4", "accuracy", 1e-3}, 1e-2, {0.001});
  store.AddCell({"small", "riccati-mstmm:general", "rk4", "accuracy", 1e-7}, 1e-6, {0.016});
  const std::string markdown = WholeMarkdown(store.path());
  EXPECT_THAT(markdown, Not(HasSubstr("of the 1 problem")));
}

}  // namespace
}  // namespace mbsbench::report_tests
