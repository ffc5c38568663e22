#include "reports/analysis/paper_claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "harness/records/json_codec.h"
#include "reports/analysis/statistics.h"
#include "reports/format/assets.h"
#include "tests/reports/fixture_store.h"

namespace mbsbench::reports {
namespace {

using report_tests::FixtureStore;
using report_tests::TestFolder;
using report_tests::TrialRow;
using testing::HasSubstr;
using testing::StartsWith;

// What the page says of the conditions of a claim.
std::string Words(const PaperClaim& claim) {
  std::string words;
  for (const TestedClaim& test : claim.tests)
    words += fmt::format("{}: {}; {}; ", test.what, fmt::join(test.measured, "; "),
                         fmt::join(test.remarks, "; "));
  return words;
}

class PaperClaims : public testing::Test {
 protected:
  // Reads the present content of the store.
  std::vector<PaperClaim> Claims() {
    results_ = ReadResults(store_.path());
    comparison_ = Compare(results_);
    return AllPaperClaims(comparison_);
  }
  PaperClaim Claim(const std::string& begin) {
    for (const PaperClaim& claim : Claims()) {
      if (claim.claim.starts_with(begin)) return claim;
    }
    ADD_FAILURE() << "no claim begins with " << begin;
    return {};
  }
  void AddAgreement(const std::string& problem, const std::string& family, int bodies, int loops,
                    const Json& methods) {
    store_.AddProblem(problem, {{"family", family}, {"bodies", bodies}, {"loops", loops}});
    TrialRow row;
    row.problem = problem;
    row.kind = "agreement";
    row.record = Json{{"methods", methods}}.dump();
    store_.Add(row);
  }
  // Nanoseconds per body of one evaluation of all accelerations, by method.
  void AddEvaluations(const std::string& problem,
                      const std::vector<std::pair<std::string, double>>& costs) {
    for (const auto& [method, cost] : costs) {
      TrialRow row{.problem = problem, .method = method, .kind = "evaluation"};
      row.record = Json{{"nanoseconds_per_body", cost}, {"what", "accelerations"}}.dump();
      store_.Add(row);
    }
  }
  // Evaluations that cost kane-huston clearly less than multipliers.
  void AddCheaperEvaluations() {
    store_.AddProblem("evaluated", {{"family", "evaluated"}, {"bodies", 2}, {"loops", 0}});
    AddEvaluations("evaluated", {{"kane-huston:general", 1}, {"cartesian-dae:index1", 5}});
  }

  TestFolder folder_;
  FixtureStore store_{folder_ / "store.sqlite"};
  Results results_;
  Comparison comparison_;
};

TEST_F(PaperClaims, WithoutCellsTheRemarkNamesTheRunInPlaceOfAVerdict) {
  store_.AddRun();
  AddAgreement("pendulum", "pendulum", 1, 0, Json::array());
  std::set<std::string> papers;
  for (const PaperClaim& claim : Claims()) {
    papers.insert(claim.source);
    const bool is_over_an_absent_program = claim.claim.find("ADAMS") != std::string::npos;
    const bool is_untestable = is_over_an_absent_program || claim.rule.starts_with("none");
    EXPECT_EQ(claim.standing, is_untestable ? Standing::kCannotBeTested : Standing::kNotMeasured)
        << claim.claim;
    EXPECT_FALSE(claim.label.empty() || claim.label.size() > 26u) << claim.claim;
    EXPECT_THAT(claim.remark,
                StartsWith(is_over_an_absent_program ? "ADAMS does not run here; `mbsbench run --"
                                                     : "not measured in this store"))
        << claim.claim;
    EXPECT_THAT(claim.remark, HasSubstr("`mbsbench run --"));
    EXPECT_FALSE(claim.rule.empty()) << claim.claim;
  }
  EXPECT_EQ(papers.size(), 9u);
}

TEST_F(PaperClaims, AFactorOverAnAbsentProgramIsUntestableAndTheSubstituteIsNamed) {
  store_.AddRun();
  const auto add = [this](const std::string& method, double seconds) {
    store_.AddCell({"branchN:bodies=500", method, "rk4", "accuracy", 1e-5}, 1e-5, {seconds});
    store_.AddCell({"branchN:bodies=500", method, "rk4", "accuracy", 1e-7}, 1e-7, {2 * seconds});
  };
  store_.AddProblem("branchN:bodies=500", {{"family", "branchN"}, {"bodies", 500}, {"loops", 0}});
  add("riccati-mstmm:general", 1);
  add("cartesian-dae:ggl", 4);
  const PaperClaim factor = Claim("36 times");
  EXPECT_EQ(factor.standing, Standing::kCannotBeTested);
  EXPECT_NEAR(*factor.ours, 4, 1e-12);
  EXPECT_THAT(factor.remark, HasSubstr("ADAMS"));
  EXPECT_EQ(factor.published, 36);
  ASSERT_EQ(factor.tests.size(), 2u) << "two programs stand in its place";
  EXPECT_FALSE(factor.tests[0].observations[0].is_met) << "the bound is one on ADAMS";
  EXPECT_FALSE(factor.Decisive());
  EXPECT_EQ(factor.tests[0].kept + factor.tests[0].undecided, 0u);
}

TEST_F(PaperClaims, TheRecursionOfKaneIsComparedOnTreesOnlyAndTheWorstIsNamed) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, int loops, double ours, double rival) {
    store_.AddProblem(problem, {{"family", problem}, {"bodies", 2}, {"loops", loops}});
    for (const auto& [method, seconds] :
         {std::pair<std::string, double>{"kane-huston:general", ours},
          {"cartesian-dae:ggl", rival}})
      store_.AddCell({problem, method, "rk4", "accuracy", 1e-6}, 1e-6, {seconds});
  };
  add("a", 0, 1, 3);
  add("b", 0, 1, 5);
  add("loop", 1, 1, 0.1);
  AddCheaperEvaluations();
  EXPECT_EQ(Claim("fewer variables").standing, Standing::kHolds);
  add("c", 0, 2.5, 1);
  const PaperClaim efficiency = Claim("fewer variables");
  EXPECT_EQ(efficiency.standing, Standing::kPartly);
  EXPECT_NEAR(*efficiency.ours, 3, 1e-12);  // the median
  EXPECT_THAT(Words(efficiency), HasSubstr("not kept: 0.4 (1 round) on c by kane-huston:general"));
}

TEST_F(PaperClaims, TheEvaluationsShowUpToWhichSizeTheRecursionOfKaneIsTheFaster) {
  store_.AddRun();
  const auto add = [this](int bodies, double ours, double rival) {
    const std::string problem = "chainN:bodies=" + std::to_string(bodies);
    store_.AddProblem(problem, {{"family", "chainN"}, {"bodies", bodies}, {"loops", 0}});
    const std::vector<std::pair<std::string, double>> costs{{"kane-huston:general", ours},
                                                            {"cartesian-dae:index1", rival}};
    AddEvaluations(problem, costs);
    if (bodies > 4) return;
    for (const auto& [method, cost] : costs)
      store_.AddCell({problem, method, "rk4", "accuracy", 1e-5}, 1e-6, {cost});
  };
  add(4, 1, 10);
  add(100, 4, 10);
  EXPECT_EQ(Claim("fewer variables").standing, Standing::kHolds);
  add(300, 12, 10);
  add(1000, 40, 10);
  const PaperClaim claim = Claim("fewer variables");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_THAT(Words(claim), HasSubstr("not kept: 0.25 (1 round) on chainN"));
  EXPECT_THAT(Words(claim), HasSubstr("costs more from 300 bodies on"));
}

// Paired rounds of "less time on all trees": a ratio whose range spans the bound is undecided.
TEST_F(PaperClaims, AClaimIsUndecidedWhereTheRangeOfItsRoundsSpansTheBound) {
  store_.AddRun();
  store_.AddProblem("a", {{"family", "a"}, {"bodies", 2}, {"loops", 0}});
  struct Case {
    std::vector<double> rival;  // seconds, where ours takes 1 s
    Standing standing;
  };
  for (const Case& c :
       {Case{{1.3, 1.3, 1.3}, Standing::kHolds},
        Case{{1.3, 1.05, 1.3}, Standing::kNotMeasured},  // within 10 % of 1
        Case{{1.3, 0.9, 1.3}, Standing::kNotMeasured},
        Case{{0.7, 0.95, 0.7}, Standing::kNotMeasured}, Case{{0.7, 0.7, 0.7}, Standing::kFails},
        Case{{1.9}, Standing::kNotMeasured},  // a single round, within a factor of 2
        Case{{2.1}, Standing::kHolds}, Case{{1.05, 1.05, 1.05, 1.05, 1.05, 1.05}, Standing::kHolds},
        Case{{1.01, 1.01, 1.01, 1.01, 1.01, 1.01}, Standing::kNotMeasured}}) {
    store_.Execute("DELETE FROM trial; DELETE FROM problem WHERE name = 'evaluated'");
    AddCheaperEvaluations();
    store_.AddCell({"a", "kane-huston:general", "rk4", "accuracy", 1e-5}, 1e-6,
                   std::vector<double>(c.rival.size(), 1));
    store_.AddCell({"a", "cartesian-dae:ggl", "rk4", "accuracy", 1e-5}, 1e-6, c.rival);
    const PaperClaim claim = Claim("fewer variables");
    EXPECT_EQ(claim.standing, c.standing) << testing::PrintToString(c.rival);
    EXPECT_DOUBLE_EQ(claim.ours.value_or(0), Median(c.rival)) << "of the paired rounds";
    const auto& spread = claim.tests[0].observations.at(0).ratio->spread;
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->rounds, std::ssize(c.rival));
    EXPECT_EQ(claim.tests[0].values, 1u);
    EXPECT_EQ(claim.tests[0].undecided, c.standing == Standing::kNotMeasured ? 1u : 0u);
    EXPECT_THAT(claim.statistic, HasSubstr(SpreadInWords(spread)));
  }
}

// The verdict is what holds whether the undecided trees keep the bound or not.
TEST_F(PaperClaims, AnUndecidedValueWeakensAConfirmation) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, const std::vector<double>& rival) {
    store_.AddProblem(problem, {{"family", problem}, {"bodies", 2}, {"loops", 0}});
    store_.AddCell({problem, "kane-huston:general", "rk4", "accuracy", 1e-5}, 1e-6, {1, 1, 1});
    store_.AddCell({problem, "cartesian-dae:ggl", "rk4", "accuracy", 1e-5}, 1e-6, rival);
    return Claim("fewer variables");
  };
  AddCheaperEvaluations();
  EXPECT_EQ(add("faster", {2, 2, 2}).standing, Standing::kHolds);
  EXPECT_EQ(add("open", {0.8, 1.3, 1.3}).standing, Standing::kNotMeasured) << "most, or half";
  EXPECT_EQ(add("as fast", {3, 3, 3}).standing, Standing::kPartly) << "all three, or most";
  EXPECT_EQ(add("slower", {0.5, 0.5, 0.5}).standing, Standing::kNotMeasured) << "3 or 2 of 4";
  EXPECT_EQ(add("slower too", {0.5, 0.5, 0.5}).standing, Standing::kNotMeasured) << "3 or 2 of 5";
  EXPECT_EQ(add("slower as well", {0.5, 0.5, 0.5}).standing, Standing::kFails) << "3 or 2 of 6";
}

TEST_F(PaperClaims, APowerWhoseStandardErrorLeavesTheBoundOpenIsUndecided) {
  store_.AddRun();
  const auto standing_of = [this](const std::vector<double>& per_body) {
    store_.Execute("DELETE FROM trial");
    store_.Execute("DELETE FROM problem");
    int bodies = 10;
    for (const double cost : per_body) {
      const std::string problem = fmt::format("branchN:bodies={}", bodies);
      store_.AddProblem(problem, {{"family", "branchN"}, {"bodies", bodies}, {"loops", 0}});
      TrialRow row{"branchN", "riccati-mstmm:general", "rk4", "accuracy", {}, 0.001};
      row.problem = problem;
      store_.AddCell(row, 1e-6, {cost * bodies});
      AddEvaluations(problem, {{"riccati-mstmm:general", 50}});
      bodies *= 10;
    }
    return Claim("cost grows").standing;
  };
  EXPECT_EQ(standing_of({1, 1, 1, 1}), Standing::kHolds);
  EXPECT_EQ(standing_of({1, 1.8, 1, 1.8}), Standing::kNotMeasured) << "1.05, and 0.13 either way";
  EXPECT_EQ(standing_of({1, 10, 100, 1000}), Standing::kFails);
}

TEST_F(PaperClaims, AMissingEquilibriumIsNamed) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, const std::string& outcome, double error) {
    store_.AddProblem(problem, {{"family", problem}, {"bodies", 2}, {"loops", 0}});
    store_.AddCell({.problem = problem,
                    .method = "steady-state-newton",
                    .integrator = "kinsol",
                    .outcome = outcome},
                   error, {}, {{"counters", {{"newton_iterations", 6}}}});
  };
  add("swing", "ok", 1e-14);
  EXPECT_EQ(Claim("steady states of open").standing, Standing::kHolds);
  EXPECT_EQ(Claim("steady states of closed").standing, Standing::kNotMeasured);
  add("spunchain", "newton_failed", 0);
  EXPECT_EQ(Claim("steady states of open").standing, Standing::kPartly);
  EXPECT_THAT(Words(Claim("steady states of open")), HasSubstr("not kept: spunchain"));
}

// A damper changes no steady state. A repeated state that misses its bound is counted.
TEST_F(PaperClaims, ASteadyStateSharedByTwoProblemsCountsOnce) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, double error, double theta) {
    store_.AddProblem(problem, {{"family", "swing"}, {"bodies", 2}, {"loops", 0}});
    store_.AddCell({.problem = problem, .method = "steady-state-newton", .integrator = "kinsol"},
                   error, {},
                   {{"counters", {{"newton_iterations", 6}}},
                    {"steady_state", {{"unknowns", {{"theta", theta}}}}}});
  };
  const auto repeats = [](const PaperClaim& claim) {
    const auto& all = claim.tests.at(0).observations;
    return std::count_if(all.begin(), all.end(), [](const auto& one) { return one.is_repeat; });
  };
  add("swing", 1e-15, 0.45);
  add("swing:damped", 3e-15, 0.45);
  PaperClaim claim = Claim("steady states of open");
  EXPECT_EQ(claim.tests.at(0).observations.size(), 2u);
  EXPECT_EQ(repeats(claim), 1);
  EXPECT_EQ(claim.ours, 1e-15);
  add("swing:speed=5", 2e-15, 0.09);
  claim = Claim("steady states of open");
  EXPECT_EQ(repeats(claim), 1);
  EXPECT_EQ(claim.ours, 2e-15);
  add("swing:damped,speed=5", 1e-6, 0.09);
  claim = Claim("steady states of open");
  EXPECT_EQ(repeats(claim), 1);
  EXPECT_EQ(claim.ours, 1e-6);
  EXPECT_NE(claim.standing, Standing::kHolds);
}

TEST_F(PaperClaims, EveryNumberStatesItsStatistic) {
  store_.AddRun();
  AddAgreement("pendulum", "pendulum", 1, 0,
               {{{"method", "equivalent-particles:index1"}, {"error", 1e-15}}});
  AddAgreement("fourbar", "fourbar", 3, 1,
               {{{"method", "equivalent-particles:index1"}, {"error", 2e-15}}});
  store_.AddProblem("dpend18", {{"family", "dpend18"}, {"bodies", 2}, {"loops", 0}});
  store_.AddCell({"dpend18", "kane-huston:paper", "rk4", "accuracy", 1e-9}, 1e-8, {1});
  int with_number = 0;
  for (const PaperClaim& claim : Claims()) {
    EXPECT_EQ(claim.ours.has_value(), !claim.statistic.empty()) << claim.claim;
    with_number += claim.ours.has_value();
  }
  EXPECT_EQ(with_number, 2);
}

TEST_F(PaperClaims, AMatrixThatGrowsWithBodiesRefutesItsConstantOrder) {
  store_.AddRun();
  const auto methods = [](int general) {
    return Json{{{"method", "classical-mstmm:paper"}, {"order", 6}, {"error", 1e-12}},
                {{"method", "classical-mstmm:general"}, {"order", general}, {"error", 1e-12}}};
  };
  AddAgreement("chainN:bodies=10", "chainN", 10, 0, methods(15));
  AddAgreement("chainN:bodies=100", "chainN", 100, 0, methods(105));
  const PaperClaim claim = Claim("constant order of the transfer matrices");
  EXPECT_EQ(claim.standing, Standing::kHolds);
  EXPECT_EQ(claim.ours, 6);
  EXPECT_EQ(claim.reads, "{} rows");
  EXPECT_THAT(Words(claim), HasSubstr("6 rows at each of 2 sizes from 10 bodies to 100 bodies"));
  EXPECT_THAT(Words(claim),
              HasSubstr("15 rows with 10 bodies, 105 with 100 bodies: it grows by 1 per body"));
  AddAgreement(
      "chainN:bodies=200", "chainN", 200, 0,
      Json::array({Json{{"method", "classical-mstmm:paper"}, {"order", 8}, {"error", 2}}}));
  EXPECT_EQ(Claim("constant order").standing, Standing::kFails);
  EXPECT_THAT(Words(Claim("constant order")), HasSubstr("all digits are lost from 200 bodies on"));
}

TEST_F(PaperClaims, LoopsAreJudgedByThePapersVariantAndOursIsMarked) {
  store_.AddRun();
  const auto methods = [](int paper, int general) {
    return Json{{{"method", "classical-mstmm:paper"}, {"order", paper}, {"error", 1e-12}},
                {{"method", "riccati-mstmm:general"}, {"order", general}, {"error", 1e-12}}};
  };
  AddAgreement("ladder:bodies=200,loops=1", "ladder", 200, 1, methods(33, 3));
  EXPECT_EQ(Claim("no global equations, closed").standing, Standing::kNotMeasured);
  AddAgreement("ladder:bodies=50,loops=10", "ladder", 50, 10, methods(108, 30));
  AddAgreement("ladder:bodies=1000,loops=10", "ladder", 1000, 10, methods(108, 30));
  const PaperClaim claim = Claim("no global equations, closed");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_THAT(Words(claim), HasSubstr("33 rows with 1 loop, 108 with 10 loops"));
  EXPECT_EQ(claim.ours, 108);
  ASSERT_EQ(claim.tests[1].observations.size(), 2u);  // over bodies, of either method
  for (const Observation& one : claim.tests[1].observations) EXPECT_EQ(one.value, 0);
  AddAgreement("ladder:bodies=3000,loops=10", "ladder", 3000, 10, methods(308, 30));
  EXPECT_EQ(Claim("no global equations, closed").standing, Standing::kFails);
}

TEST_F(PaperClaims, StabilityIsComparedBetweenEqualHinges) {
  store_.AddRun();
  const auto one = [](const std::string& method, double error) {
    return Json{{"method", method}, {"error", error}};
  };
  const Json singular = {{"method", "riccati-mstmm:paper"},
                         {"reason", "cannot evaluate: singular"}};
  AddAgreement("chainN:bodies=100", "chainN", 100, 0,
               {one("riccati-mstmm:general", 1e-15), one("classical-mstmm:general", 3e-12),
                one("riccati-mstmm:paper", 3e-14), one("classical-mstmm:paper", 1e33)});
  EXPECT_EQ(Claim("the Riccati").standing, Standing::kHolds);
  AddAgreement(
      "chainN3d:bodies=1000", "chainN3d", 1000, 0,
      {one("riccati-mstmm:general", 1e-13), one("classical-mstmm:general", 6e-8), singular});
  const PaperClaim claim = Claim("the Riccati");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_THAT(Words(claim), HasSubstr("no support: chainN3d by riccati-mstmm:paper"));
  EXPECT_EQ(claim.ours, 1e-13);
  EXPECT_THAT(Words(claim), HasSubstr("1e-15 against 3e-12"));
  EXPECT_THAT(Words(claim), HasSubstr("3e-14 against 1e33"));
}

TEST_F(PaperClaims, AProblemWhoseDeducedEquationsMissTheReferenceIsNamed) {
  store_.AddRun();
  const auto error = [](double value) {
    return Json{{{"method", "classical-mstmm:general"}, {"error", value}}};
  };
  AddAgreement("tree12", "tree12", 12, 0, error(1e-14));
  AddAgreement("mixed12", "mixed12", 12, 1, error(1e-12));
  EXPECT_EQ(Claim("automatic deduction").standing, Standing::kPartly) << "not the paper's variant";
  AddAgreement("mixed250", "mixed250", 250, 1, error(1e-3));
  const PaperClaim claim = Claim("automatic deduction");
  EXPECT_EQ(claim.ours, 2);
  EXPECT_THAT(Words(claim), HasSubstr("not kept: 1e-3 on mixed250"));
}

TEST_F(PaperClaims, TheDeductionIsConfirmedOnceThePapersVariantEvaluatesTreesAndLoops) {
  store_.AddRun();
  const Json both = {{{"method", "classical-mstmm:general"}, {"error", 1e-14}},
                     {{"method", "classical-mstmm:paper"}, {"error", 1e-12}}};
  AddAgreement("tree12", "tree12", 12, 0, both);
  AddAgreement("mixed12", "mixed12", 12, 1, Json::array({both[0]}));
  const PaperClaim claim = Claim("automatic deduction");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_THAT(claim.remark, HasSubstr("not evaluated on loops: the same with the paper's hinges"));
  AddAgreement("ladder", "ladder", 20, 2, both);
  EXPECT_EQ(Claim("automatic deduction").standing, Standing::kHolds);
}

TEST_F(PaperClaims, LostDigitsAreNotEvidenceOfWrongEquations) {
  store_.AddRun();
  const auto error = [](double value) {
    return Json::array({Json{{"method", "classical-mstmm:general"}, {"error", value}}});
  };
  AddAgreement("tree12", "tree12", 12, 0, error(1e-14));
  AddAgreement("mixed250", "mixed250", 250, 1, error(5e-7));
  const PaperClaim claim = Claim("automatic deduction");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_EQ(claim.tests[0].kept, 2u);
  EXPECT_EQ(claim.ours, 2);
  EXPECT_EQ(claim.reads, "{} of 2");
}

TEST_F(PaperClaims, CellsStoppedByALimitAreNoEvidenceAgainstAPaper) {
  store_.AddRun();
  const auto one = [](const Json& fields) {
    Json method = fields;
    method["method"] = "classical-mstmm:general";
    return Json::array({method});
  };
  AddAgreement("tree12", "tree12", 12, 0, one({{"error", 1e-14}}));
  AddAgreement("mixed12", "mixed12", 12, 1, one({{"error", 1e-12}}));
  AddAgreement("ladder", "ladder", 1000, 10, one({{"reason", "timeout: not finished after 12 s"}}));
  const PaperClaim deduction = Claim("automatic deduction");
  EXPECT_EQ(deduction.ours, 2);
  EXPECT_THAT(Words(deduction), HasSubstr("left open: ladder by"));
  store_.AddProblem("branchN:bodies=50000",
                    {{"family", "branchN"}, {"bodies", 50000}, {"degrees_of_freedom", 150000}});
  store_.Add({.problem = "branchN:bodies=50000",
              .method = "riccati-mstmm:general",
              .integrator = "rk4",
              .outcome = "timeout",
              .reason = "not finished after 12 s"});
  store_.Add({.problem = "branchN:bodies=50000",
              .method = "riccati-mstmm:paper",
              .integrator = "rk4",
              .outcome = "diverged"});
  const PaperClaim many = Claim("computes more");
  EXPECT_EQ(many.standing, Standing::kNotMeasured);
  EXPECT_THAT(Words(many), HasSubstr("not finished after 12 s"));
}

TEST_F(PaperClaims, AVariantThatFailsAtTheLargeSizeIsNotHiddenByAnother) {
  store_.AddRun();
  const std::string problem = "branchN:bodies=50000";
  store_.AddProblem(problem,
                    {{"family", "branchN"}, {"bodies", 50000}, {"degrees_of_freedom", 150000}});
  store_.Add({.problem = problem,
              .method = "riccati-mstmm:general",
              .integrator = "rk4",
              .step = 0.0005,
              .outcome = "no_reference",
              .reason = "no reference is held for this problem",
              .record = "{\"counters\": {\"steps\": 10}}"});
  EXPECT_EQ(Claim("computes more").standing, Standing::kHolds);
  store_.Add({.problem = problem,
              .method = "riccati-mstmm:paper",
              .integrator = "rk4",
              .step = 0.0005,
              .outcome = "diverged",
              .reason = "not finite at t = 0 s"});
  const PaperClaim claim = Claim("computes more");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_THAT(Words(claim), HasSubstr("not kept: branchN:bodies=50000 by riccati-mstmm:paper"));
  EXPECT_THAT(Words(claim), HasSubstr("diverged, not finite at t = 0 s"));
  EXPECT_EQ(claim.ours, 150000);
  EXPECT_THAT(Words(claim),
              HasSubstr("10 steps over 1 s; accuracy not judged: no reference is held"));
}

TEST_F(PaperClaims, AClaimOnAnEvaluationIsDecidedByTheTimeOfThePapersVariant) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, const std::string& family, int loops,
                          int general, int paper) {
    store_.AddProblem(problem, {{"family", family}, {"bodies", 10}, {"loops", loops}});
    for (const auto& [method, count] :
         {std::pair("riccati-mstmm:general", general), std::pair("riccati-mstmm:paper", paper),
          std::pair("articulated-body", 1000)}) {
      TrialRow row{.problem = problem, .method = method, .kind = "evaluation"};
      row.record = Json{
          {"nanoseconds_per_body", count},
          {"what", "accelerations"},
          {"operations",
           {{"multiplications", count},
            {"additions", 0},
            {"divisions", 0},
            {"square_roots",
             0}}}}.dump();
      store_.Add(row);
    }
  };
  add("a", "a", 0, 1000, 400);
  EXPECT_EQ(Claim("a little more efficient").standing, Standing::kHolds);
  for (int i = 0; i < 10; ++i) add(fmt::format("chainN:bodies={}", i), "chainN", 0, 1000, 4000);
  PaperClaim claim = Claim("a little more efficient");
  EXPECT_EQ(claim.tests[0].families, 2u) << "the sizes of a family count as one problem";
  EXPECT_EQ(claim.tests[0].values, 11u);
  EXPECT_DOUBLE_EQ(*claim.ours, 2.2) << "median over two families, 0.4 and 4";
  add("b", "b", 0, 1000, 4000);
  add("chainN:loop", "chainN", 1, 1000, 4000);
  claim = Claim("a little more efficient");
  EXPECT_EQ(claim.standing, Standing::kFails) << "1 of 4 families";
  EXPECT_EQ(claim.tests[0].families, 4u) << "a closed loop is no size of a tree";
  EXPECT_THAT(Words(claim),
              HasSubstr("4 (1 round) on b by riccati-mstmm:paper against articulated-body"));
}

TEST_F(PaperClaims, AFailingConditionIsNamedBesideTheVerdictThatItDecides) {
  store_.AddRun();
  const auto errors = [](double paper) {
    return Json{{{"method", "classical-mstmm:general"}, {"error", 1e-14}},
                {{"method", "classical-mstmm:paper"}, {"error", paper}}};
  };
  AddAgreement("tree12", "tree12", 12, 0, errors(1e-12));
  AddAgreement("ladder", "ladder", 50, 10, errors(8.4e-5));
  const PaperClaim claim = Claim("automatic deduction");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_EQ(claim.ours, 2) << "both are within the bound of the first condition";
  EXPECT_THAT(claim.remark, HasSubstr("not kept: 8.4e-5 on ladder by classical-mstmm:paper"));
}

TEST_F(PaperClaims, TheAgreementOfARocketWithItsTestIsMeasuredButCannotBeTested) {
  store_.AddRun();
  for (const auto& [problem, ours] : {std::pair("rocket", 100.), std::pair("rocket:air=0", 125.)}) {
    store_.AddProblem(problem, {{"family", "rocket"},
                                {"published",
                                 {{{"quantity", "speed"},
                                   {"time", 1},
                                   {"published", 100},
                                   {"kind", "measured"},
                                   {"source", "Author 2014, test"}}}}});
    store_.AddCell({problem, "kane-huston:general", "rk4", "accuracy", 1e-9}, 1e-8, {1},
                   {{"published",
                     {{{"quantity", "speed"},
                       {"time", 1},
                       {"source", "Author 2014, test"},
                       {"published", 100},
                       {"ours", ours},
                       {"difference", ours - 100}}}}});
  }
  const PaperClaim claim = Claim("velocities of the line-throwing rocket");
  EXPECT_EQ(claim.standing, Standing::kCannotBeTested);
  EXPECT_THAT(claim.tests[0].measured, testing::ElementsAre(HasSubstr("0 on rocket by"),
                                                            HasSubstr("20 on rocket:air=0 by")));
}

// "In part: on most trees": three sizes of one family that keep the bound are one tree, and two others miss it.
TEST_F(PaperClaims, TheSizesOfAFamilyHaveOneVoteOnMostTrees) {
  store_.AddRun();
  AddCheaperEvaluations();
  const auto add = [this](const std::string& problem, const std::string& family, double rival) {
    store_.AddProblem(problem, {{"family", family}, {"bodies", 2}, {"loops", 0}});
    store_.AddCell({problem, "kane-huston:general", "rk4", "accuracy", 1e-5}, 1e-6, {1, 1, 1});
    store_.AddCell({problem, "cartesian-dae:ggl", "rk4", "accuracy", 1e-5}, 1e-6,
                   {rival, rival, rival});
  };
  for (int i = 1; i <= 3; ++i) add(fmt::format("f:bodies={}", i), "f", 2);
  add("a", "a", 0.5);
  add("b", "b", 0.5);
  EXPECT_EQ(Claim("fewer variables").standing, Standing::kFails)
      << "3 of 5 values, 1 of 3 families";
  add("c", "c", 2);
  add("d", "d", 2);
  EXPECT_EQ(Claim("fewer variables").standing, Standing::kPartly) << "3 of 5 families";
}

TEST_F(PaperClaims, AnEvaluationOnAProblemOfASingleSizeCounts) {
  store_.AddRun();
  store_.AddProblem("heavytop", {{"family", "heavytop"}, {"bodies", 1}, {"loops", 0}});
  AddEvaluations("heavytop", {{"kane-huston:general", 300}, {"cartesian-dae:index1", 100}});
  const PaperClaim claim = Claim("fewer variables");
  const auto& observations = claim.tests.at(1).observations;
  ASSERT_EQ(observations.size(), 1u);
  EXPECT_NEAR(*observations[0].value, 100. / 300, 1e-15);
  EXPECT_EQ(observations[0].is_met, false) << "a single round decides beyond a factor of 2";
}

TEST_F(PaperClaims, AgreementOnTheWishboneIsBoundedByTheErrorsOfBoth) {
  store_.AddRun();
  store_.AddProblem("wishbone", {{"family", "wishbone"}, {"bodies", 5}, {"end_time", 2}});
  TrialRow row;
  row.problem = "wishbone";
  row.integrator = "ida";
  row.tolerance = 1e-8;
  row.method = "equivalent-particles:ggl";
  store_.AddCell(row, 3e-9, {0.1});
  EXPECT_THAT(Claim("complete agreement").remark, StartsWith("not measured"));
  row.method = "cartesian-dae:ggl";
  store_.AddCell(row, 1e-9, {0.1});
  EXPECT_NEAR(*Claim("complete agreement").ours, 4e-9, 1e-20);
  EXPECT_EQ(Claim("complete agreement").standing, Standing::kHolds);
}

TEST_F(PaperClaims, AnErrorThatFinerCellsMayStillBringBelowTheBoundDecidesNothing) {
  store_.AddRun("run1", "2025-01-01T00:00:00Z", "Test CPU", false);
  store_.AddProblem("wishbone", {{"family", "wishbone"}, {"bodies", 5}, {"end_time", 2}});
  for (const char* method : {"equivalent-particles:index1", "cartesian-dae:ggl"})
    store_.AddCell({"wishbone", method, "ida", "accuracy", 1e-7}, 4e-7, {0.1});
  EXPECT_EQ(Claim("complete agreement").standing, Standing::kFails);
  store_.AddCoverage({{"wishbone", "cartesian-dae:ggl", "ida"}});
  EXPECT_EQ(Claim("complete agreement").standing, Standing::kNotMeasured);
}

TEST_F(PaperClaims, NoGlobalEquationsIsPartlyConfirmedByAnUnpublishedVariant) {
  store_.AddRun();
  const auto orders = [](bool is_paper) {
    Json methods = {{{"method", "riccati-mstmm:general"}, {"order", 3}, {"error", 1e-14}}};
    if (is_paper)
      methods.push_back({{"method", "riccati-mstmm:paper"}, {"order", 3}, {"error", 1e-14}});
    else
      methods.push_back({{"method", "riccati-mstmm:paper"}, {"reason", "singular"}});
    return methods;
  };
  AddAgreement("branchN:bodies=6", "branchN", 6, 0, orders(false));
  AddAgreement("branchN:bodies=60", "branchN", 60, 0, orders(false));
  EXPECT_EQ(Claim("no global equations, trees").standing, Standing::kPartly);
  AddAgreement("chainN3d:bodies=6", "chainN3d", 6, 0, orders(true));
  AddAgreement("chainN3d:bodies=60", "chainN3d", 60, 0, orders(true));
  EXPECT_EQ(Claim("no global equations, trees").standing, Standing::kHolds);
}

TEST_F(PaperClaims, AFittedFlightIsNoEvidence) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, const std::string& title, double ours) {
    const Json printed = {{"quantity", "speed"},
                          {"time", 1},
                          {"event", nullptr},
                          {"published", 100},
                          {"source", "A, test"}};
    Json own = printed;
    own["ours"] = ours;
    store_.AddProblem(
        problem, {{"family", "rocket"}, {"title", title}, {"published", Json::array({printed})}});
    store_.AddCell({problem, "kane-huston:general", "rk4", "accuracy", 1e-5}, 1e-6, {1},
                   {{"published", Json::array({own})}});
  };
  add("rocket:R2", "Rocket, fitted to the paper's speeds", 100.1);
  EXPECT_FALSE(Claim("velocities").ours);
  add("rocket", "Rocket", 120);
  EXPECT_NEAR(*Claim("velocities").ours, 100. / 6, 1e-9) << "20 of 120";
}

TEST_F(PaperClaims, TheRemarkStatesWhichMeasurementsAreMissing) {
  store_.AddRun();
  store_.AddProblem("branchN:bodies=6", {{"family", "branchN"}, {"bodies", 6}});
  store_.Add({.problem = "branchN:bodies=6",
              .method = "riccati-mstmm:general",
              .kind = "evaluation",
              .record = R"({"nanoseconds_per_body": 80, "bodies": 6, "what": "accelerations"})"});
  const PaperClaim claim = Claim("cost grows");
  EXPECT_EQ(claim.standing, Standing::kNotMeasured);
  EXPECT_THAT(claim.remark, HasSubstr("needs three sizes over a decade of bodies: run"));
}

TEST_F(PaperClaims, TheFlightTimeIsListedWithTheSpeedsButNotJudged) {
  store_.AddRun();
  Json speed = {{"quantity", "speed"}, {"time", 1}, {"published", 100}, {"source", "A, test"}};
  Json flight = {
      {"quantity", "flight time"}, {"event", "landing"}, {"published", 10}, {"source", "A, test"}};
  Json top = {
      {"quantity", "speed"}, {"event", "burn-out"}, {"published", 200}, {"source", "A, test"}};
  store_.AddProblem("rocket", {{"family", "rocket"}, {"published", {speed, flight, top}}});
  speed["ours"] = 101, flight["ours"] = 12.5, top["ours"] = 300;
  store_.AddCell({"rocket", "kane-huston:general", "rk4", "accuracy", 1e-5}, 1e-6, {1},
                 {{"published", {speed, flight, top}}});
  const PaperClaim claim = Claim("velocities");
  EXPECT_NEAR(*claim.ours, 100. / 101, 1e-9) << "of the speeds at times, without the largest";
  ASSERT_EQ(claim.tests.size(), 2u);
  EXPECT_NEAR(*claim.tests[1].observations.at(0).value, 20, 1e-9) << "relative to ours";
  EXPECT_THAT(Words(claim), HasSubstr("flight time"));
}

TEST_F(PaperClaims, TheNumberOfValuesIsThatOfTheStatisticAndStatesTheUndecidedOnes) {
  store_.AddRun();
  AddCheaperEvaluations();
  const auto add = [this](const std::string& problem, const std::vector<double>& rival) {
    store_.AddProblem(problem, {{"family", problem}, {"bodies", 2}, {"loops", 0}});
    store_.AddCell({problem, "kane-huston:general", "rk4", "accuracy", 1e-5}, 1e-6, {1, 1, 1});
    store_.AddCell({problem, "cartesian-dae:ggl", "rk4", "accuracy", 1e-5}, 1e-6, rival);
    return Claim("fewer variables");
  };
  add("a", {2, 2, 2});
  add("b", {3, 3, 3});
  const PaperClaim claim = add("open", {0.8, 1.3, 1.3});
  EXPECT_EQ(claim.tests[0].values, 3u);
  EXPECT_EQ(claim.tests[0].undecided, 1u);
  EXPECT_EQ(claim.tests[0].families, 3u);
  EXPECT_EQ(claim.statistic, "median over 3 families");
  EXPECT_EQ(claim.tests[0].kept, 2u);
}

TEST_F(PaperClaims, AConditionThatWasNotMeasuredNamesItsRunAndLeavesTheClaimConfirmedInPart) {
  store_.AddRun();
  store_.AddProblem("a", {{"family", "a"}, {"bodies", 2}, {"loops", 0}});
  store_.AddCell({"a", "kane-huston:general", "rk4", "accuracy", 1e-5}, 1e-6, {1});
  store_.AddCell({"a", "cartesian-dae:ggl", "rk4", "accuracy", 1e-5}, 1e-6, {3});
  PaperClaim claim = Claim("fewer variables");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_THAT(claim.remark, StartsWith("not measured in this store: time of one evaluation"));
  EXPECT_THAT(claim.remark, HasSubstr(": run `mbsbench run --problem 'chainN*'"));
  store_.Execute("UPDATE trial SET cpu_seconds = 0.1 WHERE method = 'cartesian-dae:ggl'");
  EXPECT_EQ(Claim("fewer variables").standing, Standing::kFails) << "the first condition fails";
  store_.Execute("UPDATE trial SET cpu_seconds = 3 WHERE method = 'cartesian-dae:ggl'");
  AddCheaperEvaluations();
  claim = Claim("fewer variables");
  EXPECT_EQ(claim.standing, Standing::kHolds);
  EXPECT_EQ(claim.remark, "");
}

TEST_F(PaperClaims, AClaimThatOnlyAnotherVariantFulfilsNamesTheRunOfThePrintedOne) {
  store_.AddRun();
  store_.AddProblem("dpend18", {{"family", "dpend18"}, {"bodies", 2}, {"loops", 0}});
  store_.AddCell({"dpend18", "kane-huston:general", "rk4", "accuracy", 1e-9}, 1e-8, {1});
  PaperClaim claim = Claim("the algorithm gives the motion of the double pendulum");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_EQ(claim.ours, 1e-8);
  EXPECT_THAT(claim.remark,
              HasSubstr("`mbsbench run --problem dpend18 --method kane-huston:paper`"));
  store_.AddCell({"dpend18", "kane-huston:paper", "rk4", "accuracy", 1e-9}, 1e-4, {1});
  EXPECT_NE(Claim("the algorithm gives the motion").standing, Standing::kHolds) << "it misses";
  store_.AddCell({"dpend18", "kane-huston:paper", "rk4", "accuracy", 1e-10}, 1e-9, {1});
  claim = Claim("the algorithm gives the motion");
  EXPECT_EQ(claim.standing, Standing::kHolds);
  EXPECT_EQ(claim.remark, "");
}

TEST_F(PaperClaims, WithoutAValueOfItsFirstConditionAClaimIsNotMeasured) {
  store_.AddRun();
  AddCheaperEvaluations();
  const PaperClaim claim = Claim("fewer variables");
  EXPECT_EQ(claim.standing, Standing::kNotMeasured);
  EXPECT_THAT(claim.remark, StartsWith("not measured in this store"));
}

TEST_F(PaperClaims, ASteadyStateThatALimitOfTheRunStoppedIsLeftOpen) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, const std::string& outcome) {
    store_.AddProblem(problem, {{"family", problem}, {"bodies", 2}, {"loops", 0}});
    store_.AddCell({.problem = problem,
                    .method = "steady-state-newton",
                    .integrator = "kinsol",
                    .outcome = outcome},
                   1e-14, {});
  };
  add("swing", "ok");
  add("spunchain", "timeout");
  const PaperClaim claim = Claim("steady states of open");
  EXPECT_EQ(claim.standing, Standing::kHolds);
  EXPECT_EQ(claim.tests[0].values, 1u);
  EXPECT_THAT(Words(claim), HasSubstr("left open: spunchain"));
}

TEST_F(PaperClaims, TheEvidenceNamesTheVariantsThatWereEvaluated) {
  store_.AddRun();
  store_.AddProblem("a", {{"family", "a"}, {"bodies", 2}, {"loops", 0}});
  AddEvaluations("a", {{"kane-huston:general", 3},
                       {"kane-huston:paper", 2},
                       {"cartesian-dae:index1", 5},
                       {"cartesian-dae:ggl", 7}});
  const Observation cheapest = Claim("fewer variables").tests.at(1).observations.at(0);
  EXPECT_EQ(cheapest.method, "kane-huston:paper");
  EXPECT_EQ(cheapest.against, "cartesian-dae:index1");
  EXPECT_EQ(cheapest.value, 2.5);
}

TEST(ClaimData, HoldsEveryFieldOfItsFile) {
  const std::string read = ToJson(reports::AllClaimData()).dump();
  EXPECT_EQ(nlohmann::json::parse(reports::ClaimsAsset()), nlohmann::json::parse(read));
}

}  // namespace
}  // namespace mbsbench::reports
