#include "reports/paper_claims.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "reports/scaling.h"
#include "tests/reports/fixture_store.h"

namespace mbsbench::reports {
namespace {

using report_tests::FixtureStore;
using report_tests::TestFolder;
using report_tests::TrialRow;
using testing::HasSubstr;
using testing::StartsWith;

class PaperClaims : public testing::Test {
 protected:
  // Reads what the store holds by now.
  std::vector<PaperClaim> Claims() {
    results_ = ReadResults(store_.path());
    comparison_ = Compare(results_);
    return TransferMatrixClaims(comparison_);
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

  TestFolder folder_;
  FixtureStore store_{folder_ / "store.sqlite"};
  Results results_;
  Comparison comparison_;
};

TEST_F(PaperClaims, WithoutTheCellsNoVerdictIsGivenButTheRunThatGivesThem) {
  store_.AddRun();
  AddAgreement("pendulum", "pendulum", 1, 0, Json::array());
  for (const PaperClaim& claim : Claims())
    EXPECT_THAT(claim.verdict, StartsWith("not measured in this store: run `mbsbench run "))
        << claim.claim;
  EXPECT_THAT(WishboneClaim(comparison_).verdict, HasSubstr("--problem wishbone"));
  std::set<std::string> papers;
  for (const PaperClaim& claim : AllPaperClaims(comparison_)) {
    papers.insert(claim.source);
    EXPECT_EQ(claim.standing, Standing::kNotMeasured) << claim.claim;
    EXPECT_THAT(claim.verdict, StartsWith("not measured in this store")) << claim.claim;
  }
  EXPECT_EQ(papers.size(), 5u);
}

TEST_F(PaperClaims, AFactorOverAProgramThatIsAbsentCannotBeTestedAndTheStandInIsNamed) {
  store_.AddRun();
  const auto add = [this](const std::string& method, double seconds) {
    store_.AddCell({"branchN:bodies=500", method, "rk4", "accuracy", 1e-5}, 1e-5, {seconds});
    store_.AddCell({"branchN:bodies=500", method, "rk4", "accuracy", 1e-7}, 1e-7, {2 * seconds});
  };
  store_.AddProblem("branchN:bodies=500", {{"family", "branchN"}, {"bodies", 500}, {"loops", 0}});
  add("riccati-mstmm:general", 1);
  add("cartesian-dae:ggl", 4);
  Claims();
  const PaperClaim factor = LargeSystemClaims(comparison_)[0];
  EXPECT_EQ(factor.standing, Standing::kNotMeasured);
  EXPECT_NEAR(*factor.ours, 4, 1e-12);
  EXPECT_THAT(factor.verdict, HasSubstr("no ADAMS runs here; over our cartesian-dae"));
  EXPECT_THAT(factor.verdict, HasSubstr("by 4.00 and not by 36"));
  // the paper's variant in the paper's way: the rival takes 4 sqrt(2) s for its error
  store_.AddCell({"branchN:bodies=500", "riccati-mstmm:paper", "rk4", "accuracy", {}, 0.001}, 1e-6,
                 {2.8284271247});
  Claims();
  const PaperClaim range = LargeSystemClaims(comparison_)[0];
  EXPECT_THAT(range.verdict, HasSubstr("2.00 to 4.00 depending on error and variant"));
  EXPECT_THAT(range.evidence, HasSubstr("least 2.00 by riccati-mstmm:paper, rk4 at error 1e-6"));
}

TEST_F(PaperClaims, TheRecursionOfKaneIsComparedOnTreesAloneAndTheWorstIsNamed) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, int loops, double ours, double rival) {
    store_.AddProblem(problem, {{"family", problem}, {"bodies", 2}, {"loops", loops}});
    for (const auto& [method, seconds] :
         {std::pair<std::string, double>{"kane-huston:general", ours},
          {"cartesian-dae:ggl", rival}}) {
      store_.AddCell({problem, method, "rk4", "accuracy", 1e-5}, 1e-5, {seconds});
      store_.AddCell({problem, method, "rk4", "accuracy", 1e-7}, 1e-7, {2 * seconds});
    }
  };
  add("a", 0, 1, 3);
  add("b", 0, 1, 5);
  add("loop", 1, 1, 0.1);
  Claims();
  EXPECT_EQ(KaneHustonClaims(comparison_)[1].standing, Standing::kHolds);
  add("c", 0, 2, 1);
  Claims();
  const PaperClaim efficiency = KaneHustonClaims(comparison_)[1];
  EXPECT_EQ(efficiency.standing, Standing::kPartly);
  EXPECT_NEAR(*efficiency.ours, 3, 1e-12);  // the median
  EXPECT_EQ(efficiency.verdict, "on most trees of 2 bodies, not on c");
}

TEST_F(PaperClaims, HowFarTheRecursionOfKaneIsTheFasterIsToldByTheEvaluations) {
  store_.AddRun();
  const auto add = [this](int bodies, double ours, double rival) {
    const std::string problem = "chainN:bodies=" + std::to_string(bodies);
    store_.AddProblem(problem, {{"family", "chainN"}, {"bodies", bodies}, {"loops", 0}});
    for (const auto& [method, cost] : {std::pair<std::string, double>{"kane-huston:general", ours},
                                       {"cartesian-dae:index1", rival}}) {
      if (bodies == 4) store_.AddCell({problem, method, "rk4", "accuracy", 1e-5}, 1e-6, {cost});
      TrialRow row{.problem = problem, .method = method, .kind = "evaluation"};
      row.record = Json{{"nanoseconds_per_body", cost}, {"what", "accelerations"}}.dump();
      store_.Add(row);
    }
  };
  add(4, 1, 10);
  add(100, 5, 10);
  Claims();
  EXPECT_EQ(KaneHustonClaims(comparison_)[1].standing, Standing::kHolds);
  EXPECT_EQ(KaneHustonClaims(comparison_)[1].verdict, "on trees of 4 bodies");
  add(300, 12, 10);
  add(1000, 40, 10);
  Claims();
  const PaperClaim claim = KaneHustonClaims(comparison_)[1];
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_EQ(claim.verdict,
            "on trees of 4 bodies; one evaluation costs more than the rival's from 300 bodies "
            "on in chainN");
}

// A method that is at the error with its second cell, and one whose first is better than that already.
TEST_F(PaperClaims, OfATimeThatIsOnlyABoundAFactorDoesNotFollow) {
  store_.AddRun();
  const std::string branch = "branchN:bodies=500", mixed = "mixed250";
  const auto add = [this](const std::string& problem, const std::string& method, double seconds,
                          bool is_bound) {
    if (!is_bound)
      store_.AddCell({problem, method, "rk4", "accuracy", 1e-5}, 1e-6, {seconds});
    else
      store_.AddCell({problem, method, "rk4", "accuracy", 1e-5}, 1e-7, {seconds});
  };
  for (const std::string& problem : {branch, mixed})
    store_.AddProblem(problem, {{"family", "f"}, {"bodies", 500}, {"loops", 0}});
  add(branch, "riccati-mstmm:general", 1, false);
  add(branch, "cartesian-dae:ggl", 100, true);  // 100 times at most
  add(mixed, "riccati-mstmm:general", 1, true);
  add(mixed, "cartesian-dae:ggl", 100, false);  // 100 times at least
  Claims();
  const PaperClaim at_most = LargeSystemClaims(comparison_)[0];
  EXPECT_EQ(at_most.standing, Standing::kNotMeasured);
  EXPECT_FALSE(at_most.ours);
  EXPECT_THAT(at_most.verdict, HasSubstr("\u2264 100"));
  EXPECT_THAT(at_most.evidence, HasSubstr("\u2264 100 s"));
  EXPECT_THAT(LargeSystemClaims(comparison_)[3].verdict, HasSubstr("at least as much"));
}

TEST_F(PaperClaims, TheRecursionOfKaneIsNotCreditedWithARivalsBound) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, double ours_error, double rival_error,
                          double rival) {
    store_.AddProblem(problem, {{"family", problem}, {"bodies", 2}, {"loops", 0}});
    store_.AddCell({problem, "kane-huston:general", "rk4", "accuracy", 1e-5}, ours_error, {1});
    store_.AddCell({problem, "cartesian-dae:ggl", "rk4", "accuracy", 1e-5}, rival_error, {rival});
  };
  add("open", 1e-6, 1e-7, 5);     // 5 times at most
  add("nothing", 1e-7, 1e-7, 5);  // two bounds
  Claims();
  EXPECT_EQ(KaneHustonClaims(comparison_)[1].standing, Standing::kNotMeasured);
  EXPECT_THAT(KaneHustonClaims(comparison_)[1].evidence, HasSubstr("2 trees left open"));
  add("known", 1e-6, 1e-6, 3);
  add("at least", 1e-7, 1e-6, 7);
  Claims();
  const PaperClaim claim = KaneHustonClaims(comparison_)[1];
  EXPECT_EQ(claim.standing, Standing::kHolds);
  EXPECT_NEAR(*claim.ours, 3, 1e-12);
  EXPECT_THAT(claim.evidence, HasSubstr("a bound only: \u2265 7.00 on at least"));
  EXPECT_THAT(claim.evidence, HasSubstr("2 trees left open"));
}

TEST_F(PaperClaims, AnEquilibriumThatWasNotFoundIsNamed) {
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
  Claims();
  EXPECT_EQ(SteadyStateClaims(comparison_)[0].standing, Standing::kHolds);
  EXPECT_EQ(SteadyStateClaims(comparison_)[1].standing, Standing::kNotMeasured);
  add("spunchain", "newton_failed", 0);
  Claims();
  EXPECT_EQ(SteadyStateClaims(comparison_)[0].standing, Standing::kPartly);
  EXPECT_EQ(SteadyStateClaims(comparison_)[0].verdict, "not on spunchain");
}

TEST_F(PaperClaims, AMatrixThatGrowsWithBodiesRefutesItsConstantOrder) {
  store_.AddRun();
  const auto methods = [](int general) {
    return Json{{{"method", "classical-mstmm:paper"}, {"order", 6}, {"error", 1e-12}},
                {{"method", "classical-mstmm:general"}, {"order", general}, {"error", 1e-12}}};
  };
  AddAgreement("chainN:bodies=10", "chainN", 10, 0, methods(15));
  AddAgreement("chainN:bodies=100", "chainN", 100, 0, methods(105));
  const PaperClaim claim = Claim("constant order of the matrices");
  EXPECT_EQ(claim.standing, Standing::kHolds);
  EXPECT_EQ(claim.verdict, "with the paper's hinges");
  EXPECT_EQ(claim.ours, 6);
  EXPECT_EQ(claim.reads, "{} rows");
  EXPECT_THAT(claim.evidence,
              HasSubstr("classical-mstmm:paper on chainN: 6 rows at each of 2 sizes "
                        "from 10 to 100 bodies; classical-mstmm:general"));
  EXPECT_THAT(
      claim.evidence,
      HasSubstr("15 rows at 10 bodies, 105 at 100: with these hinges it grows by 1 per body"));
  AddAgreement(
      "chainN:bodies=200", "chainN", 200, 0,
      Json::array({Json{{"method", "classical-mstmm:paper"}, {"order", 8}, {"error", 2}}}));
  EXPECT_EQ(Claim("constant order").standing, Standing::kFails);
  EXPECT_THAT(Claim("constant order").verdict,
              HasSubstr("; all digits are lost from 200 bodies on"));
}

TEST_F(PaperClaims, LoopsAreJudgedByThePapersVariantAndOursIsNamedAsOurs) {
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
  EXPECT_THAT(claim.verdict, HasSubstr("grows with the loops"));
  EXPECT_THAT(claim.verdict, HasSubstr("it does not grow with the bodies"));
  EXPECT_THAT(claim.evidence,
              HasSubstr("classical-mstmm:paper 33 rows with 1 loop, 108 with 10 (with 10 loops 108 "
                        "at 50 bodies and 108 at 1,000)"));
  EXPECT_THAT(claim.evidence, HasSubstr("by this suite's own treatment of loops"));
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
  EXPECT_THAT(claim.verdict, HasSubstr("riccati-mstmm:paper evaluates no member of chainN3d"));
  EXPECT_EQ(claim.ours, 1e-13);
  EXPECT_THAT(claim.evidence, HasSubstr("riccati-mstmm:general 1e-15 against "
                                        "classical-mstmm:general 3e-12 on chainN of 100 bodies"));
  EXPECT_THAT(claim.evidence, HasSubstr("riccati-mstmm:paper 3e-14 against classical-mstmm:paper "
                                        "1e33 on chainN of 100 bodies"));
}

TEST_F(PaperClaims, AnErrorAtSomeOfTheStatesOnlyTakesNoPartInAFit) {
  store_.AddRun();
  const auto method = [](double error, const char* reason) {
    return Json::array({Json{{"method", "m"}, {"error", error}, {"reason", reason}}});
  };
  AddAgreement("f:bodies=10", "f", 10, 0, method(1e-15, ""));
  AddAgreement("f:bodies=100", "f", 100, 0, method(1e-14, ""));
  AddAgreement("f:bodies=1000", "f", 1000, 0, method(1e-13, ""));
  AddAgreement("f:bodies=10000", "f", 10000, 0, method(1e-2, "cannot evaluate this state"));
  Claims();
  const std::vector<FamilyScaling> families = Scaling(comparison_);
  ASSERT_EQ(families.size(), 1u);
  ASSERT_EQ(families[0].errors.size(), 1u);
  EXPECT_EQ(families[0].errors[0].points.size(), 4u);
  ASSERT_TRUE(families[0].errors[0].fit);
  EXPECT_EQ(families[0].errors[0].fit->points, 3);
  EXPECT_NEAR(families[0].errors[0].fit->slope, 1, 1e-9);
}

TEST_F(PaperClaims, WhereTheDeducedEquationsMissTheReferenceTheProblemIsNamed) {
  store_.AddRun();
  const auto error = [](double value) {
    return Json{{{"method", "classical-mstmm:general"}, {"error", value}}};
  };
  AddAgreement("tree12", "tree12", 12, 0, error(1e-14));
  AddAgreement("mixed12", "mixed12", 12, 1, error(1e-12));
  EXPECT_EQ(Claim("automatic deduction").standing, Standing::kPartly) << "not the paper's variant";
  AddAgreement("mixed250", "mixed250", 250, 1, error(1e-3));
  const PaperClaim claim = Claim("automatic deduction");
  EXPECT_THAT(claim.verdict, HasSubstr("mixed250 (error 1e-3)"));
  EXPECT_THAT(claim.evidence, HasSubstr("1 of 1 tree and 1 of 2 systems with loops"));
}

TEST_F(PaperClaims, LostDigitsDoNotMakeOtherEquations) {
  store_.AddRun();
  const auto error = [](double value) {
    return Json::array({Json{{"method", "classical-mstmm:general"}, {"error", value}}});
  };
  AddAgreement("tree12", "tree12", 12, 0, error(1e-14));
  AddAgreement("mixed250", "mixed250", 250, 1, error(5e-7));
  const PaperClaim claim = Claim("automatic deduction");
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_THAT(claim.verdict,
              HasSubstr("evaluated on all 2, to 1e-9 on 1 of them and to 5e-7 on the other"));
  EXPECT_EQ(claim.ours, 2);
  EXPECT_EQ(claim.reads, "{} of 2");
}

TEST_F(PaperClaims, WhatALimitOfTheRunStoppedIsNoEvidenceAgainstAPaper) {
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
  EXPECT_THAT(deduction.evidence, HasSubstr("1 of 1 system with loops; within the limits of this "
                                            "run not evaluated on ladder"));
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
  Claims();
  const PaperClaim many = LargeSystemClaims(comparison_)[2];
  EXPECT_EQ(many.standing, Standing::kNotMeasured);
  EXPECT_THAT(many.evidence, HasSubstr("not finished after 12 s"));
}

TEST_F(PaperClaims, AVariantThatFailsAtTheLargeSizeIsNotHiddenByOneThatDoesNot) {
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
  Claims();
  EXPECT_EQ(LargeSystemClaims(comparison_)[2].standing, Standing::kHolds);
  EXPECT_EQ(LargeSystemClaims(comparison_)[2].verdict, "accuracy is not judged");
  store_.Add({.problem = problem,
              .method = "riccati-mstmm:paper",
              .integrator = "rk4",
              .step = 0.0005,
              .outcome = "diverged",
              .reason = "not finite at t = 0 s"});
  Claims();
  const PaperClaim claim = LargeSystemClaims(comparison_)[2];
  EXPECT_EQ(claim.standing, Standing::kPartly);
  EXPECT_EQ(claim.verdict,
            "for riccati-mstmm:general; riccati-mstmm:paper diverged; accuracy is not judged");
  EXPECT_EQ(claim.ours, 150000);
  EXPECT_THAT(claim.evidence,
              HasSubstr("10 steps over 1 s; accuracy not judged: no reference is held"));
  EXPECT_THAT(claim.evidence, HasSubstr("riccati-mstmm:paper: 1 of 1 cell failed, the first "
                                        "diverged, not finite at t = 0 s"));
}

TEST_F(PaperClaims, TheFasterSweepIsToldByTheMedianOfAllProblems) {
  store_.AddRun();
  const auto add = [this](const std::string& problem, double riccati, double rival) {
    store_.AddProblem(problem, {{"family", problem}, {"bodies", 10}, {"loops", 0}});
    for (const auto& [method, cost] :
         {std::pair<std::string, double>{"riccati-mstmm:general", riccati},
          {"articulated-body", rival}}) {
      TrialRow row;
      row.problem = problem;
      row.method = method;
      row.kind = "evaluation";
      row.record = Json{{"nanoseconds_per_body", cost}, {"what", "accelerations"}}.dump();
      store_.Add(row);
    }
  };
  add("a", 120, 100);
  add("b", 130, 100);
  add("c", 50, 100);
  EXPECT_EQ(Claim("a little more efficient").standing, Standing::kPartly) << "undecided";
  add("d", 90, 100);
  EXPECT_DOUBLE_EQ(*Claim("a little more efficient").ours, 1.05) << "of 0.5, 0.9, 1.2, 1.3";
  for (int i = 0; i < 20; ++i) add("slower" + std::to_string(i), 104, 100);
  EXPECT_EQ(Claim("a little more efficient").standing, Standing::kFails);
  for (int i = 0; i < 60; ++i) add("faster" + std::to_string(i), 80, 100);
  EXPECT_EQ(Claim("a little more efficient").standing, Standing::kHolds);
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
  EXPECT_THAT((Claims(), WishboneClaim(comparison_).verdict), StartsWith("not measured"));
  row.method = "cartesian-dae:ggl";
  store_.AddCell(row, 1e-9, {0.1});
  Claims();
  EXPECT_NEAR(*WishboneClaim(comparison_).ours, 4e-9, 1e-20);
  EXPECT_EQ(WishboneClaim(comparison_).standing, Standing::kHolds);
}

TEST_F(PaperClaims, NoGlobalEquationsByAVariantThatThePaperDoesNotPrintIsConfirmedInPart) {
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

TEST_F(PaperClaims, AFlightCanFailAndOneThatWasFittedIsNoEvidence) {
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
  Claims();
  EXPECT_EQ(KaneHustonClaims(comparison_)[2].standing, Standing::kNotMeasured);
  add("rocket", "Rocket", 120);
  Claims();
  const PaperClaim flight = KaneHustonClaims(comparison_)[2];
  EXPECT_EQ(flight.standing, Standing::kFails);
  EXPECT_NEAR(*flight.ours, 20, 1e-9);
  store_.Execute("UPDATE trial SET record = json_set(record, '$.published[0].ours', 102)");
  Claims();
  EXPECT_EQ(KaneHustonClaims(comparison_)[2].standing, Standing::kHolds);
}

}  // namespace
}  // namespace mbsbench::reports
