// The statements at the top of the report on wrong methods.
#include <gmock/gmock.h>

#include <initializer_list>
#include <string>

#include "reports/analysis/stalled.h"
#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Trust : public testing::Test {
 protected:
  Trust() : store_(folder_ / "store.sqlite") {
    store_.AddRun();
    for (const char* method : {"sound", "other"}) store_.AddMethod(method);
    store_.AddProblem(
        "p",
        {{"bodies", 4}, {"reference", {{"error_estimate", 1e-20}, {"attainable_error", 2e-15}}}});
  }
  static Json Judged(const std::string& method, const std::string& judged, double error) {
    return {{"method", method}, {"judged", judged}, {"error", error}, {"difference", error}};
  }
  void Agreement(const std::string& outcome, const Json& methods) {
    store_.Add({.problem = "p",
                .kind = "agreement",
                .outcome = outcome,
                .record = Json{{"states", 4}, {"methods", methods}}.dump()});
  }
  // Errors of `other` at tolerances of 1e-3, 1e-4 and so on, or at halved steps.
  void Errors(std::initializer_list<double> errors, bool by_steps = false) {
    double setting = by_steps ? 0.1 : 1e-3;
    for (const double error : errors) {
      TrialRow row{.problem = "p", .method = "other", .integrator = "rk4"};
      (by_steps ? row.step : row.tolerance) = setting;
      store_.AddCell(row, error, {1e-3});
      setting /= by_steps ? 2 : 10;
    }
  }
  std::vector<std::string> Stalled() const {
    const reports::Results results = reports::ReadResults(store_.path());
    std::vector<std::string> sentences;
    for (const auto& [problem, curve] : reports::AllStalledCurves(reports::Compare(results)))
      sentences.push_back(curve.Sentence(problem));
    return sentences;
  }
  std::string Markdown() { return WholeMarkdown(store_.path()); }

  TestFolder folder_;
  FixtureStore store_;
};

TEST_F(Trust, WrongEquationsAreReportedFirstWithTheNameOfTheMethod) {
  Agreement("wrong_equations",
            {Judged("sound", "ok", 1e-15), Judged("other", "wrong_equations", 1e-5)});
  const std::string text = Markdown();
  EXPECT_THAT(text,
              HasSubstr("| equations | 1 wrong: p: `other` is wrong: its accelerations differ "
                        "from those in 113 bits by 1e-5 at a random state."));
  EXPECT_THAT(text, Not(HasSubstr("`sound` is wrong")));
}

TEST_F(Trust, TheMessageOfTheInitialStateIsThatOfTheRun) {
  Json wrong = Judged("other", "wrong_equations", 1e-16);
  wrong["start"] = {{"outcome", "wrong_equations"}, {"reason", "they are off by 3e-5"}};
  Agreement("wrong_equations", Json::array({wrong}));
  EXPECT_THAT(Markdown(), HasSubstr("`other` is wrong: they are off by 3e-5."));
}

// A check of two methods is not outvoted by an earlier one of three that were right.
TEST_F(Trust, AWrongMethodAddedByALaterCommandIsReported) {
  Agreement("ok", {Judged("sound", "ok", 1e-15), Judged("twin", "ok", 1e-15)});
  Agreement("wrong_equations", Json::array({Judged("other", "wrong_equations", 1e-5)}));
  EXPECT_THAT(Markdown(), HasSubstr("`other` is wrong"));
}

TEST_F(Trust, DigitsExplainedByAConditionAreReportedAsLostNotWrong) {
  Agreement("ok", {Judged("sound", "ok", 1e-15), Judged("other", "ill_conditioned", 0.01)});
  const std::string text = Markdown();
  EXPECT_THAT(text, HasSubstr("| digits | lost by 1 method on 1 problem: `other` loses digits on 1 "
                              "problem: p. The error of its accelerations against 113 bits is up "
                              "to 1e-2; that of the other methods is 1e-15 at most. No motion "
                              "was run by `other`."));
  EXPECT_THAT(text, HasSubstr("1 problem compared: 1 ok, digits lost."))
      << "the table counts by the same rule";
  WriteReport(store_.path(), folder_ / "out");
  for (const auto& row : ReadCsv(folder_ / "out/csv/agreement.csv"))
    EXPECT_EQ(row.at("outcome_of_problem"), "ok, digits lost");
  EXPECT_THAT(text, Not(HasSubstr("| equations | ")));
  Errors({1e-3});
  EXPECT_THAT(Markdown(), Not(HasSubstr("No motion was run by")));
}

TEST_F(Trust, ACurveWhoseErrorStopsFallingAboveRoundOffIsFlagged) {
  Errors({1e-3, 1.2e-5, 1.02e-5, 1e-5, 1e-5});
  EXPECT_THAT(Stalled(),
              ElementsAre(HasSubstr("p: the error of other, rk4 no longer falls from tol 1e-4 to "
                                    "tol 1e-7. It stays at 1e-5")));
  EXPECT_THAT(
      Markdown(),
      HasSubstr("| equations | the error of other stops falling on p: p: the error of other"));
}

TEST_F(Trust, ACurveOfFixedStepsWhoseErrorStopsFallingIsFlaggedToo) {
  Errors({1e-3, 1.1e-5, 1e-5, 1e-5}, true);
  EXPECT_THAT(Stalled(), ElementsAre(HasSubstr("to h 0.0125 s")));
}

TEST_F(Trust, ACurveThatConvergesIsNotFlagged) {
  Errors({1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 8e-8});
  EXPECT_THAT(Stalled(), IsEmpty());
}

TEST_F(Trust, ACurveThatEndsInRoundOffIsNotFlagged) {
  Errors({1e-3, 1e-8, 4e-13, 4.1e-13, 4e-13, 4e-13});
  EXPECT_THAT(Stalled(), IsEmpty());
}

TEST_F(Trust, ErrorsThatAreAlikeAndFallAfterwardsAreNotFlagged) {
  Errors({1e-3, 1e-3, 1e-3, 1e-3, 1e-6});
  EXPECT_THAT(Stalled(), IsEmpty());
}

TEST_F(Trust, TheReferenceIsSuspectedIfAllMethodsLevelOffAtTheSameError) {
  Errors({1e-3, 1e-4, 1e-4, 1e-4});
  for (double setting : {1e-3, 1e-4, 1e-5, 1e-6}) {
    TrialRow row{.problem = "p", .method = "sound", .integrator = "rk4", .tolerance = setting};
    store_.AddCell(row, setting > 5e-4 ? 2e-3 : 1.1e-4, {1e-3});
  }
  EXPECT_THAT(Stalled(), ElementsAre(HasSubstr("or the reference is wrong"),
                                     HasSubstr("or the reference is wrong")));
}

}  // namespace
}  // namespace mbsbench::report_tests
