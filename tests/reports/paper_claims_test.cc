#include "reports/paper_claims.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

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

TEST_F(PaperClaims, AFactorBelowThePrintedOneIsSaidToHoldInPart) {
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
  EXPECT_EQ(factor.standing, Standing::kPartly);
  EXPECT_NEAR(*factor.ours, 4, 1e-12);
  EXPECT_EQ(factor.verdict, "faster, by 4.00 and not by 36");
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
  EXPECT_THAT(efficiency.verdict, HasSubstr("not on c"));
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
  EXPECT_EQ(LargeSystemClaims(comparison_)[3].standing, Standing::kHolds);
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
  EXPECT_EQ(Claim("constant order of the matrices, with the paper's hinges").verdict, "holds");
  const PaperClaim general = Claim("constant order of the matrices, with general hinges");
  EXPECT_EQ(general.verdict, "does not hold: it grows by 1 per body");
  EXPECT_EQ(general.ours, 105);
}

TEST_F(PaperClaims, WhereTheDeducedEquationsMissTheReferenceTheProblemIsNamed) {
  store_.AddRun();
  const auto error = [](double value) {
    return Json{{{"method", "classical-mstmm:general"}, {"error", value}}};
  };
  AddAgreement("tree12", "tree12", 12, 0, error(1e-14));
  AddAgreement("mixed12", "mixed12", 12, 1, error(1e-12));
  EXPECT_EQ(Claim("automatic deduction").verdict, "holds");
  AddAgreement("mixed250", "mixed250", 250, 1, error(1e-3));
  const PaperClaim claim = Claim("automatic deduction");
  EXPECT_THAT(claim.verdict, HasSubstr("mixed250 (error 1e-3)"));
  EXPECT_THAT(claim.evidence, HasSubstr("1 of 1 trees and 1 of 2 systems with loops"));
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
  EXPECT_EQ(deduction.verdict, "holds");
  EXPECT_THAT(deduction.evidence, HasSubstr("1 of 1 systems with loops; within the limits of this "
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
  EXPECT_EQ(Claim("a little more efficient").verdict, "does not hold: 1.20 times the time");
  add("d", 95, 100);
  add("e", 95, 100);
  EXPECT_EQ(Claim("a little more efficient").verdict, "as efficient, not more");
  for (const char* more : {"f", "g", "h"}) add(more, 80, 100);
  EXPECT_EQ(Claim("a little more efficient").verdict, "holds");
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
  EXPECT_EQ(WishboneClaim(comparison_).verdict, "holds");
}

}  // namespace
}  // namespace mbsbench::reports
