#include "commands/compare_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mbsbench {
namespace {

using testing::HasSubstr;
using testing::Not;

ComparedRuns OneWorseOneAlike() {
  ComparedRuns c;
  ComparedCell worse, alike;
  worse.name = {"a<b>|c", "toy", "rk4", 1e-6, {}, {}, "cell", ""};
  worse.truth = {{"error", 1e-9, 1e-6, Direction::kWorse, ""}};
  alike.name = {"pendulum", "toy", "rk4", 1e-6, {}, {}, "cell", ""};
  c.cells = {worse, alike};
  c.only_a = {{"dpend18", "toy", "rk4", 1e-6, {}, {}, "cell", ""}};
  return c;
}

TEST(CompareFormats, TheVerdictComesFirstWithAllCounts) {
  EXPECT_EQ("WORSE: 1 of 2 compared; 0 better, 0 changed, 1 alike; 1 only in A, 0 only in B",
            VerdictOf(OneWorseOneAlike()));
  ComparedRuns c = OneWorseOneAlike();
  c.cells.erase(c.cells.begin());
  EXPECT_THAT(VerdictOf(c), testing::StartsWith("Nothing got worse: 1 compared"));
  c.of_other_mechanisms = c.only_a;
  EXPECT_THAT(VerdictOf(c), HasSubstr("; 1 not compared: another mechanism"));
}

TEST(CompareFormats, MarkdownNamesRegressionsAndEscapesTheMarkupOfModels) {
  const std::string text = MarkdownOf(OneWorseOneAlike());
  EXPECT_THAT(text, HasSubstr("a&lt;b&gt;\\|c"));
  EXPECT_THAT(text, HasSubstr("error 1e-09 -&gt; 1e-06"));
  EXPECT_THAT(text, Not(HasSubstr("pendulum")));
}

TEST(CompareFormats, JunitHasATestPerCellAndAFailurePerRegression) {
  const std::string text = JunitOf(OneWorseOneAlike());
  EXPECT_THAT(text, HasSubstr("tests=\"3\" failures=\"1\" skipped=\"1\""));
  EXPECT_THAT(text, HasSubstr("classname=\"a&lt;b&gt;|c\""));
  EXPECT_THAT(text, HasSubstr("<failure message=\"error 1e-09 -&gt; 1e-06\"/>"));
}

}  // namespace
}  // namespace mbsbench
