#include "reports/report.h"

#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "harness/store/sha1.h"
#include "reports/analysis/settling.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kRiccati = "riccati-mstmm:general";
constexpr const char* kDae = "cartesian-dae:ggl";
constexpr const char* kNasty = "bad \"name\", </script><script>alert(1)</script>|*";

// All texts of a table of the page, rows joined by newlines, cells by "|".
std::string TableTexts(const Json& table) {
  std::string text;
  for (const Json& row : table["rows"]) {
    for (const Json& cell : row)
      text += (cell.is_array() ? cell[0] : cell).get<std::string>() + "|";
    text += "\n";
  }
  return text;
}

// Every table on the page, with those of figures.
void CollectTables(const Json& sections, std::vector<Json>& tables) {
  for (const Json& section : sections) {
    for (const Json& block : section["blocks"]) {
      if (block["kind"] == "table") tables.push_back(block);
      if (block["kind"] == "figure") tables.push_back(block["table"]);
    }
    CollectTables(section["sections"], tables);
  }
}

// Two methods on branchN:bodies=500 and a small size of it, with awkward cells around.
void FillStore(FixtureStore& store) {
  store.AddRun();
  store.AddMethod(kRiccati);
  store.AddMethod(kDae);
  for (int bodies : {6, 12, 500}) {
    store.AddProblem("branchN:bodies=" + std::to_string(bodies),
                     {{"family", "branchN"},
                      {"bodies", bodies},
                      {"degrees_of_freedom", 3 * bodies},
                      {"reference",
                       {{"how", "test"},
                        {"certified_by", "test"},
                        {"error_estimate", 1e-12},
                        {"bodies", {"1"}}}},
                      {"published",
                       {{{"quantity", "theta_1"},
                         {"time", 1},
                         {"published", 1.17347099},
                         {"last_digit", 1e-8},
                         {"kind", "computed"},
                         {"source", "s"},
                         {"ours", 1.173470986},
                         {"difference", -4e-9},
                         {"why", ""}}}}});
  }
  store.AddProblem(kNasty, {{"title", "</script><img src=http://example.org/x>"},
                            {"bodies", nullptr},
                            {"reference", nullptr}});

  const std::string branch = "branchN:bodies=500";
  const Json values = {{"published",
                        {{{"quantity", "theta_1"},
                          {"time", 1},
                          {"source", "s"},
                          {"published", 1.17347099},
                          {"ours", 1.1734},
                          {"difference", -7.099e-5}}}}};
  // riccati: 1 ms at 1e-2, 16 ms at 1e-6; dae: 40 ms at 1e-2, 640 ms at 1e-6. At 1e-3 by hand: 2 ms
  // and 80 ms.
  store.AddCell({branch, kRiccati, "dopri5", "accuracy", 1e-3}, 1e-2,
                {0.0012, 0.001, 0.0011, 0.0013, 0.0016});
  store.AddCell({branch, kRiccati, "dopri5", "accuracy", 1e-7}, 1e-6, {0.016}, values);
  store.AddCell({branch, kDae, "ida", "accuracy", 1e-3}, 1e-2, {0.040});
  store.AddCell({branch, kDae, "ida", "accuracy", 1e-7}, 1e-6, {0.640});
  // as the paper ran it: 5 ms at error 1e-4, where the other takes 160 ms
  store.AddCell({branch, kRiccati, "rk4", "accuracy", {}, 0.001}, 1e-4, {0.005});
  // awkward: zero error, no time, failures, nulls, broken record
  store.AddCell({branch, kRiccati, "fehlberg8", "accuracy", 1e-12}, 0.0, {0.05});
  store.AddCell({branch, kRiccati, "fehlberg8", "accuracy", 1e-11}, 1e-11, {});
  store.Add({.problem = branch,
             .method = kDae,
             .integrator = "cvode-bdf",
             .tolerance = 1e-11,
             .outcome = "integrator_failed",
             .reason = "stopped at t = 0.5 s, \"too small\" steps\nsecond line",
             .record = "{\"error\": null}"});
  store.Add({.problem = branch,
             .method = kDae,
             .integrator = "cvode-bdf",
             .tolerance = 1e-12,
             .outcome = "crashed",
             .reason = "signal 11",
             .record = "{}"});
  store.Add({.problem = branch,
             .method = kDae,
             .integrator = "cvode-bdf",
             .kind = "time",
             .tolerance = 1e-12,
             .record = "{\"error\": {\"max\": 1e"});
  // sizes, for slopes: 10 us and 20 us per step
  store.AddCell({"branchN:bodies=6", kRiccati, "rk4", "accuracy", {}, 0.001}, 1e-5, {0.00006});
  store.AddCell({"branchN:bodies=12", kRiccati, "rk4", "accuracy", {}, 0.001}, 1e-5, {0.00012});
  for (auto [bodies, cost] : {std::pair{6, 80.}, std::pair{12, 80.}, std::pair{500, 80.}}) {
    store.Add({.problem = "branchN:bodies=" + std::to_string(bodies),
               .method = kRiccati,
               .kind = "evaluation",
               .record = Json{{"nanoseconds_per_body", cost},
                              {"bodies", bodies},
                              {"what", "accelerations"},
                              {"operations",
                               {{"multiplications", 300 * bodies},
                                {"additions", 284 * bodies},
                                {"divisions", 4 * bodies},
                                {"square_roots", 0}}},
                              {"batched", {{"states", 4}, {"nanoseconds_per_body", cost / 4}}}}
                             .dump()});
  }
  store.Add({.problem = kNasty,
             .method = kRiccati,
             .integrator = "rk4",
             .step = 0.01,
             .outcome = "no_reference",
             .record = "{\"error\": null, \"times\": [0, 1], \"error_series\": [null, null], "
                       "\"position_drift\": [0, 1e-15]}"});
  store.Add({.problem = kNasty,
             .method = kDae,
             .outcome = "unsupported",
             .reason = "joint '<b>' is not known"});
  store.Add({.problem = branch,
             .kind = "agreement",
             .record = Json{{"states", 20},
                            {"worst", {{"method", kDae}, {"difference", 3e-13}}},
                            {"methods",
                             {{{"method", kRiccati}, {"difference", 1e-13}, {"error", 5e-12}},
                              {{"method", kDae}, {"difference", 3e-13}}}}}
                           .dump()});
  store.Add({.problem = "branchN:bodies=6",
             .kind = "agreement",
             .record = Json{{"states", 20},
                            {"methods",
                             {{{"method", kRiccati}, {"difference", 1e-15}, {"error", 6e-14}},
                              {{"method", kDae},
                               {"difference", nullptr},
                               {"error", nullptr},
                               {"reason", "skipped: too large"}}}}}
                           .dump()});
}

class Report : public testing::Test {
 protected:
  Report() : store_(folder_ / "store.sqlite") {}
  void Write() {
    files_ = WriteReport(store_.path(), folder_ / "out");
    markdown_ = WholeMarkdown(store_.path());
    html_ = ReadFile(files_.html);
    data_ = DataOfPage(html_);
  }
  std::vector<std::map<std::string, std::string>> Csv(const std::string& name) {
    return ReadCsv(folder_ / ("out/csv/" + name));
  }
  TestFolder folder_;
  FixtureStore store_;
  ReportFiles files_;
  std::string markdown_, html_;
  Json data_;
};

TEST_F(Report, TimesAtATargetAreThoseOfCellsThatRan) {
  FillStore(store_);
  Write();
  int found = 0;
  for (const auto& row : Csv("time_at_target.csv")) {
    if (row.at("problem") != "branchN:bodies=500" || row.at("target") != "0.001") continue;
    if (row.at("method") == kRiccati && row.at("integrator") == "dopri5") {
      ++found;
      EXPECT_EQ(std::stod(row.at("cpu_s")), 0.016) << "at tolerance 1e-7";
      EXPECT_EQ(row.at("status"), "reached");
      EXPECT_EQ(row.at("best_integrator_of_method"), "0");
    } else if (row.at("method") == kDae && row.at("integrator") == "ida") {
      ++found;
      EXPECT_EQ(std::stod(row.at("cpu_s")), 0.640);
      EXPECT_NEAR(std::stod(row.at("ratio_to_fastest_method")), 128, 1e-10) << "over 5 ms by rk4";
    }
  }
  EXPECT_EQ(found, 2);
  EXPECT_THAT(markdown_, HasSubstr("| cartesian-dae:ggl | 640 ms<br>with ida<br>tol 1e-7 | 128†, "
                                   "slower<br>(1 round) |"));
}

TEST_F(Report, OurRatiosAtEqualErrorAreShownNextToTheFactorOf36) {
  FillStore(store_);
  Write();
  std::vector<std::map<std::string, std::string>> rows;
  for (const auto& row : Csv("claim_evidence.csv")) {
    if (row.at("claim").starts_with("36 times")) rows.push_back(row);
  }
  ASSERT_EQ(rows.size(), 2u) << "at 1e-6 and 1e-3; neither method reached 1e-9";
  EXPECT_NEAR(std::stod(rows[0].at("value")), 40, 1e-10);  // 640 ms / 16 ms
  EXPECT_EQ(rows[0].at("bound"), "") << "36 is a factor over ADAMS, not over our own program";
  EXPECT_EQ(rows[0].at("kept"), "");
  EXPECT_EQ(rows[0].at("paired rounds"), "1");
  for (const auto& row : rows) EXPECT_EQ(row.at("from").find("error 1e-9"), std::string::npos);
}

TEST_F(Report, AClaimExplainsItsNumbersAndHasNoEvidenceIfNotMeasured) {
  FillStore(store_);
  Write();
  const auto claims = Csv("paper_claims.csv");
  const auto factor = std::find_if(claims.begin(), claims.end(), [](const auto& row) {
    return row.at("claim").starts_with("36 times");
  });
  ASSERT_NE(factor, claims.end());
  EXPECT_NEAR(std::stod(factor->at("ours")), 40, 1e-10);
  EXPECT_EQ(factor->at("published"), "36");
  EXPECT_FALSE(factor->at("statistic").empty());
  EXPECT_THAT(markdown_, HasSubstr("(" + factor->at("statistic") + ")"));
  EXPECT_THAT(markdown_, HasSubstr("--problem 'swing*' --method steady-state-newton`"));
  bool found = false;
  for (const auto& row : Csv("paper_claims.csv")) {
    if (row.at("ours in words") != "× 40") continue;
    found = true;
    EXPECT_NEAR(std::stod(row.at("ours")), 40, 1e-10);
    EXPECT_EQ(row.at("published"), "36");
  }
  EXPECT_TRUE(found);
}

TEST_F(Report, AMethodThatFailedAtSomeStatesHasARemark) {
  FillStore(store_);
  store_.Add({.problem = "branchN:bodies=12",
              .kind = "agreement",
              .record = Json{{"states", 2},
                             {"methods",
                              {{{"method", kRiccati},
                                {"difference", 3e-11},
                                {"error", 3e-11},
                                {"reason", "cannot evaluate this state"}},
                               {{"method", kDae}, {"difference", 1e-13}, {"error", 1e-13}}}}}
                            .dump()});
  Write();
  EXPECT_THAT(markdown_, HasSubstr("| 1 method not compared at every state |"));
  EXPECT_THAT(
      Csv("agreement.csv"),
      testing::Contains(testing::Contains(testing::Pair("reason", "cannot evaluate this state"))));
}

TEST_F(Report, EveryCellOfTheStoreIsInTheMatrixAndInTheCellsFile) {
  FillStore(store_);
  Write();
  EXPECT_EQ(Csv("cells.csv").size(), 13u);
  const Json* matrix = FindFigure(data_["sections"], "outcomes", "Outcome of every cell");
  ASSERT_TRUE(matrix);
  std::size_t cells = 0;
  std::string letters;
  for (const Json& row : (*matrix)["data"]["rows"]) {
    for (const Json& entry : row["cells"]) {
      cells += entry.size();
      for (const Json& cell : entry) letters += cell[0].get<std::string>();
    }
  }
  EXPECT_EQ(cells, 13u);
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'F'), 1);
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'C'), 1);
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'U'), 1);
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'R'), 1);
  EXPECT_THAT(markdown_, HasSubstr("signal 11"));
}

TEST_F(Report, NumbersOfTheCellsFileAreThoseOfTheStoreToTheLastDigit) {
  FillStore(store_);
  store_.AddCell({"branchN:bodies=6", kDae, "ida", "accuracy", 1e-5}, 0.1 + 0.2, {1.0 / 3, 0.5});
  Write();
  const auto rows = Csv("cells.csv");
  const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& one) {
    return one.at("problem") == "branchN:bodies=6" && one.at("method") == kDae;
  });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(std::stod(row->at("error_max")), 0.1 + 0.2);
  EXPECT_EQ(std::stod(row->at("cpu_minimum_s")), 1.0 / 3);
  EXPECT_EQ(row->at("velocity_error_max"), "");  // null
  EXPECT_EQ(row->at("rounds"), "2");
}

TEST_F(Report, ACellThatFailedBeforeItsSecondSampleHasNoErrorUntilTheFailure) {
  store_.AddRun();
  const auto add = [this](const char* integrator, const std::vector<double>& times) {
    store_.Add({.problem = "pendulum",
                .method = kRiccati,
                .integrator = integrator,
                .tolerance = 1e-6,
                .outcome = "newton_failed",
                .record = Json{
                    {"time_reached", times.back()},
                    {"times", times},
                    {"error", {{"max", 1e-30}, {"end", 1e-30}, {"rms", 1e-30}}},
                    {"energy_drift_max",
                     0.0}}.dump()});
  };
  add("dopri5", {0});
  add("fehlberg8", {0, 0.01});
  Write();
  const auto rows = Csv("cells.csv");
  ASSERT_EQ(rows.size(), 2u);
  for (const char* name : {"error_until_failure", "energy_drift_until_failure"}) {
    EXPECT_EQ(rows[0].at(name), "") << name;
    EXPECT_NE(rows[1].at(name), "") << name;
  }
}

// An error of 1e-9 up to the failure does not describe the requested motion.
TEST_F(Report, ACellThatFailedBeforeTheEndHasNoErrorOfItsMotionAnywhere) {
  store_.AddRun();
  const auto add = [this](const char* integrator, double reached) {
    store_.Add({.problem = "pendulum",
                .method = kRiccati,
                .integrator = integrator,
                .tolerance = 1e-6,
                .outcome = "diverged",
                .record = Json{
                    {"time_reached", reached},
                    {"error", {{"max", 1e-9}, {"end", 1e-9}, {"rms", 1e-9}}},
                    {"position_drift_max", 2e-9},
                    {"velocity_drift_max", 3e-9},
                    {"energy_drift_max",
                     4e-9}}.dump()});
  };
  add("dopri5", 0.5);
  add("fehlberg8", 1);  // its motion reached the end and was judged wrong there
  Write();
  const auto rows = Csv("cells.csv");
  ASSERT_EQ(rows.size(), 2u);
  for (const char* name : {"error_max", "error_end", "error_over_tolerance"}) {
    EXPECT_EQ(rows[0].at(name), "") << name;
    EXPECT_NE(rows[1].at(name), "") << name;
  }
  EXPECT_EQ(std::stod(rows[0].at("error_until_failure")), 1e-9);
  EXPECT_EQ(rows[1].at("error_until_failure"), "");
  int drift = 2;  // [1e-9]
  for (const std::string name : {"position_drift", "velocity_drift", "energy_drift"}) {
    EXPECT_EQ(rows[0].at(name + "_max"), "") << name;
    EXPECT_NEAR(std::stod(rows[0].at(name + "_until_failure")), 1e-9 * drift, 1e-20) << name;
    EXPECT_NEAR(std::stod(rows[1].at(name + "_max")), 1e-9 * drift++, 1e-20) << name;
    EXPECT_EQ(rows[1].at(name + "_until_failure"), "") << name;
  }
  EXPECT_EQ(Csv("work_precision.pendulum.csv")[0].at("error_max"), "");
  EXPECT_THAT(data_.dump(), HasSubstr("tol 1e-6: diverged, error 1e-9 until the failure"));
  const Json cells = DataOfElement(html_, "cells-pendulum").at("cells");
  EXPECT_FALSE(cells.at("key1").contains("error"));
  EXPECT_EQ(cells.at("key1").at("error until the failure"), 1e-9);
  EXPECT_FALSE(cells.at("key1").contains("energy drift"));
  EXPECT_EQ(cells.at("key1").at("energy drift until the failure"), 4e-9);
  EXPECT_FALSE(cells.at("key1").contains("drawn")) << "no diagram shows a failed cell";
}

TEST_F(Report, TheOutcomesBeginWithWhatFailedAndWhatWasRefusedAndByWhom) {
  store_.AddRun();
  for (const auto& [method, integrator, outcome] :
       {std::tuple(kRiccati, "dopri5", "singular"), std::tuple(kRiccati, "rk4", "timeout"),
        std::tuple(kDae, "ida", "singular"), std::tuple(kDae, "dopri5", "inaccurate"),
        std::tuple("third", "rk4", "unsupported"), std::tuple("third", "ida", "ok")})
    store_.Add({.problem = "pendulum",
                .method = method,
                .integrator = integrator,
                .step = 0.1,
                .outcome = outcome});
  Write();
  const auto outcomes = std::ranges::find_if(
      data_["sections"], [](const Json& one) { return one["id"] == "outcomes"; });
  ASSERT_NE(outcomes, data_["sections"].end());
  const Json& lead = (*outcomes)["blocks"][0];
  EXPECT_EQ(
      lead["text"],
      "Failed: 3 cells of 2 methods (riccati-mstmm:general, cartesian-dae:ggl). Inaccurate or not "
      "judged: 1 cell of 1 method (cartesian-dae:ggl). Refused: 1 cell of 1 method (third).");
  const Json* status = FindFigure(data_["sections"], "status", "");
  ASSERT_TRUE(status);
  EXPECT_EQ((*status)["data"]["items"][1]["value"], "1 ok, 1 inaccurate or not judged, 3 failed")
      << "the overview has the same counts, without refusals";
  std::vector<std::string> sections;
  for (const Json& one : (*outcomes)["sections"]) sections.push_back(one["id"]);
  std::vector<std::string> linked;
  for (const Json& link : lead["links"]) linked.push_back(link[1]);
  EXPECT_EQ(linked, sections);
  EXPECT_EQ(linked.size(), 3u);
  const Json& failed = (*outcomes)["sections"][0];
  EXPECT_TRUE(failed["folded"]);
  EXPECT_EQ(failed["blocks"][0]["rows"].size(), 3u);
}

TEST_F(Report, RefusalsAreCountedByReasonAndMethodWhateverTheNamesOfTheirProblem) {
  store_.AddRun();
  for (const auto& [problem, bodies, loops] :
       {std::tuple("tree", 4, 0), {"one", 4, 1}, {"two", 5, 1}}) {
    store_.AddProblem(problem, {{"bodies", bodies}, {"loops", loops}});
    for (const std::string method : {"third:a", "third:b", "fourth"}) {
      const bool is_refused = loops > 0 || method == "third:a";
      store_.Add({.problem = problem,
                  .method = method,
                  .integrator = "rk4",
                  .outcome = is_refused ? "unsupported" : "ok",
                  .reason = loops == 0 ? "needs 3 GB"
                                       : fmt::format("joint '{}' closes a loop of {}, and {} takes "
                                                     "none: it's a tree's method",
                                                     problem, bodies, method)});
    }
  }
  Write();
  const auto outcomes = std::ranges::find_if(
      data_["sections"], [](const Json& one) { return one["id"] == "outcomes"; });
  ASSERT_NE(outcomes, data_["sections"].end());
  const Json& table = (*outcomes)["sections"][0]["blocks"][0];
  EXPECT_EQ(table["rows"],
            (Json{{"joint … closes a loop of …, and it takes none: it's a tree's method",
                   "fourth (2), third:a (2), third:b (2)",
                   {"2", 2, ""}},
                  {"needs … GB", "third:a (1)", {"1", 1, ""}}}));
}

// Velocities have a reference error of their own; without one none is a bound.
TEST_F(Report, AVelocityErrorBelowThatOfTheReferenceIsABoundIfTheReferenceStatesOne) {
  store_.AddRun();
  for (const auto& [problem, velocity] :
       {std::pair("new", Json(1e-6)), std::pair("old", Json(nullptr))}) {
    Json reference = {{"error_estimate", 1e-8}};
    if (!velocity.is_null()) reference["velocity_error_estimate"] = velocity;
    store_.AddProblem(problem, {{"reference", reference}});
    store_.Add(
        {.problem = problem,
         .method = kRiccati,
         .integrator = "rk4",
         .step = 0.1,
         .record = R"({"error": {"max": 1e-7, "end": 1e-7, "rms": 1e-7, "velocity_max": 5e-7}})"});
  }
  Write();
  const Json known = DataOfElement(html_, "cells-new"), unknown = DataOfElement(html_, "cells-old");
  EXPECT_EQ(known["cells"]["key1"]["velocity error"], "≤ 1e-6, at the reference's limit");
  EXPECT_EQ(unknown["cells"]["key2"]["velocity error"], 5e-7);
  EXPECT_EQ(Csv("cells.csv")[0].at("velocity_error_max"), "5e-07")
      << "the file has what was measured";
}

// The reference is good to 1e-8: what lies below is not known.
TEST_F(Report, AnErrorBelowThatOfTheReferenceIsABoundOnEveryPage) {
  store_.AddRun();
  store_.AddProblem("dpend", {{"reference", {{"error_estimate", 1e-8}}}});
  const Json trajectory = {{"times", {0, 1}},
                           {"bodies", {"a"}},
                           {"poses", {{0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 1, 0, 0, 0}}}};
  store_.AddCell({"dpend", kRiccati, "dopri5", "accuracy", 1e-9}, 1.5e-12, {0.1},
                 {{"trajectory", trajectory}, {"position_drift_max", 1e-9}});
  store_.AddCell({"dpend", kRiccati, "dopri5", "accuracy", 1e-6}, 2e-5, {0.1});
  Write();
  const std::string bound = "≤ 1e-8, at the reference's limit";
  const Json cells = DataOfElement(html_, "cells-dpend").at("cells");
  EXPECT_EQ(cells.at("key1").at("error"), bound);
  EXPECT_EQ(cells.at("key1").at("error at the end"), bound);
  EXPECT_FALSE(cells.at("key1").contains("error over tolerance"));
  EXPECT_EQ(cells.at("key3").at("error"), 2e-5);
  EXPECT_EQ(DataOfElement(html_, "motions-dpend")["cells"][0]["error"], bound) << "the player";
  EXPECT_THAT(markdown_, Not(HasSubstr("1.5e-12")));
  const auto rows = Csv("cells.csv");
  EXPECT_EQ(std::stod(rows[1].at("error_max")), 1.5e-12) << "files have what was measured";
}

TEST_F(Report, ErrorBarsReachFromTheMinimumToTheUpperQuartileOfTheRounds) {
  FillStore(store_);
  Write();
  const Json* figure = FindFigure(data_["sections"], "work-precision", "branchN:bodies=500");
  ASSERT_TRUE(figure);
  const Json& series = (*figure)["data"]["series"];
  const auto dopri5 = std::find_if(series.begin(), series.end(), [](const Json& one) {
    return one["name"] == "riccati-mstmm:general, dopri5";
  });
  ASSERT_NE(dopri5, series.end());
  EXPECT_EQ((*dopri5)["points"][0][0], 0.001);
  EXPECT_DOUBLE_EQ((*dopri5)["points"][0][2].get<double>(), 0.0013);  // fourth of five
  EXPECT_EQ((*figure)["data"]["floor"], 1e-12);
}

TEST_F(Report, RoundOffOfStartAndDataIsTheFloorIfTheReferenceIsBetter) {
  FillStore(store_);
  store_.AddProblem(
      "branch4",
      {{"bodies", 4}, {"reference", {{"error_estimate", 1e-20}, {"attainable_error", 2e-15}}}});
  store_.AddCell({"branch4", kRiccati, "rk4", "accuracy", {}, 0.001}, 1e-15, {0.001});
  Write();
  const Json* figure = FindFigure(data_["sections"], "work-precision", "branch4");
  ASSERT_TRUE(figure);
  EXPECT_EQ((*figure)["data"]["floor"], 2e-15);
  EXPECT_NE((*figure)["data"]["below_floor"],
            (*FindFigure(data_["sections"], "work-precision",
                         "branchN:bodies=500"))["data"]["below_floor"]);
}

TEST_F(Report, PointsThatADiagramCannotDrawAreInItsTable) {
  FillStore(store_);
  Write();
  const Json* figure = FindFigure(data_["sections"], "work-precision", "branchN:bodies=500");
  ASSERT_TRUE(figure);
  for (const Json& series : (*figure)["data"]["series"]) {
    for (const Json& point : series["points"]) {
      EXPECT_TRUE(point[0].is_null() || point[0].get<double>() > 0) << "a cell without a time";
      EXPECT_GT(point[1].get<double>(), 0);
    }
  }
  const Json& rows = (*figure)["table"]["rows"];
  EXPECT_EQ(rows.size(), 9u);
  for (const char* outcome : {"integrator_failed", "crashed"})
    EXPECT_THAT(rows.dump(), HasSubstr(outcome));
}

TEST_F(Report, MarkdownAndPagePrintTheSameTables) {
  FillStore(store_);
  Write();
  std::vector<Json> tables;
  CollectTables(data_["sections"], tables);
  EXPECT_GT(tables.size(), 10u);
  int printed_tables = 0;
  const std::string markdown =  // without its links
      std::regex_replace(markdown_, std::regex(R"(\[([^\]|]*)\]\([^)|]*\.md\))"), "$1");
  for (const Json& table : tables) {
    std::string header = "|";
    for (const Json& column : table["columns"])
      header += " " + column["label"].get<std::string>() + " |";
    if (markdown.find(header + "\n") == std::string::npos) continue;  // its file is named there
    ++printed_tables;
    std::istringstream lines(TableTexts(table));
    for (std::string line; std::getline(lines, line);) {
      if (line.find_first_of("<*\"`\\") != std::string::npos ||
          line.find("next:") != std::string::npos)
        continue;
      std::string printed = "|";
      std::istringstream fields(line);
      for (std::string field; std::getline(fields, field, '|');) printed += " " + field + " |";
      if (std::count(line.begin(), line.end(), '|') != static_cast<long>(table["columns"].size()))
        continue;  // text with breaks
      EXPECT_THAT(markdown, HasSubstr(printed)) << table["caption"];
    }
  }
  EXPECT_GT(printed_tables, 10);
}

TEST_F(Report, PowersAreThoseOfTheSizesMeasured) {
  FillStore(store_);
  Write();
  const auto rows = Csv("scaling_powers.csv");
  const auto own =
      std::ranges::find_if(rows, [](const auto& row) { return row.at("method") == kRiccati; });
  ASSERT_NE(own, rows.end());
  EXPECT_NEAR(std::stod(own->at("branchN")), 1, 1e-12) << "80 ns per body at each size";
}

TEST_F(Report, EvaluationsOfManyStatesAtOnceAreASeparateCurve) {
  FillStore(store_);
  Write();
  int sizes = 0;
  for (const auto& row : Csv("scaling_evaluation.branchN.csv")) {
    if (row.at("what") != "accelerations of 4 states at once, per state") continue;
    ++sizes;
    EXPECT_EQ(std::stod(row.at("nanoseconds_per_body")), 20);
  }
  EXPECT_EQ(sizes, 3);
}

TEST_F(Report, OperationsPerBodyAreComparedWithThePrintedCounts) {
  FillStore(store_);
  Write();
  const auto rows = Csv("operations_per_body.csv");
  ASSERT_EQ(rows.size(), 4u) << "one method on one family, and three printed counts";
  EXPECT_EQ(rows[0].at("recursion"), kRiccati);
  EXPECT_EQ(rows[0].at("on"), "branchN:bodies=500") << "the largest";
  EXPECT_EQ(std::stod(rows[0].at("all")), 588);
  EXPECT_EQ(std::stod(rows[1].at("all")), 579) << "Featherstone";
}

TEST_F(Report, MethodsWithEqualOperationCountsAreGroupedAsOneAlgorithm) {
  FillStore(store_);
  for (const auto& [method, divisions] : {std::pair{"articulated-body", 2000}, {kDae, 2001}}) {
    store_.Add({.problem = "branchN:bodies=500",
                .method = method,
                .kind = "evaluation",
                .record = Json{{"nanoseconds_per_body", 60.},
                               {"bodies", 500},
                               {"what", "accelerations"},
                               {"operations_of", "evaluation"},
                               {"operations",
                                {{"multiplications", 150000},
                                 {"additions", 142000},
                                 {"divisions", divisions},
                                 {"square_roots", 0}}}}
                              .dump()});
  }
  Write();
  const auto rows = Csv("identical_work.csv");
  ASSERT_EQ(rows.size(), 1u) << "one division more is other work";
  EXPECT_EQ(rows[0].at("on"), "branchN:bodies=500");
  EXPECT_EQ(rows[0].at("same operations as"), "articulated-body");
  EXPECT_EQ(rows[0].at("recursion"), kRiccati);
  EXPECT_EQ(std::stod(rows[0].at("operations_per_body")), 588);
  EXPECT_NEAR(std::stod(rows[0].at("time_ratio")), 80. / 60, 1e-12);
}

TEST_F(Report, TheOverviewCountsTheProblemsOnWhichTwoFamiliesCarryOutTheSameOperations) {
  FillStore(store_);
  const auto add = [this](const std::string& problem, const char* method, int bodies,
                          int multiplications, int additions, int divisions) {
    store_.Add({.problem = problem,
                .method = method,
                .kind = "evaluation",
                .record = Json{{"nanoseconds_per_body", 60.},
                               {"bodies", bodies},
                               {"what", "accelerations"},
                               {"operations_of", "evaluation"},
                               {"operations",
                                {{"multiplications", multiplications},
                                 {"additions", additions},
                                 {"divisions", divisions},
                                 {"square_roots", 0}}}}
                              .dump()});
  };
  const auto lead = [this] {
    Write();
    const auto overview = std::ranges::find_if(
        data_["sections"], [](const Json& one) { return one["id"] == "overview"; });
    return overview == data_["sections"].end() ? Json() : (*overview)["blocks"][0];
  };
  add("branchN:bodies=500", "articulated-body", 500, 150000, 142000, 2000);
  EXPECT_THAT(lead()["text"].get<std::string>(),
              testing::StartsWith(std::string(kRiccati) +
                                  " and articulated-body carry out the same operations; "));
  for (const char* problem : {"one", "two"}) {
    store_.AddProblem(problem, {{"family", problem}, {"bodies", 1}});
    add(problem, "articulated-body", 1, 260, 233, 1);
    add(problem, kRiccati, 1, 272, std::string(problem) == "one" ? 245 : 239, 1);
  }
  // of this family the largest systems are not the same
  for (const auto& [method, bodies] : {std::pair("articulated-body", 10), {kRiccati, 20}}) {
    const std::string name = fmt::format("three:bodies={}", bodies);
    store_.AddProblem(name, {{"family", "three"}, {"bodies", bodies}});
    add(name, method, bodies, 1, 1, 1);
  }
  const Json two = lead();
  EXPECT_THAT(two["text"].get<std::string>(),
              testing::StartsWith(std::string(kRiccati) +
                                  " and articulated-body carry out the same operations (on 1 of 3 "
                                  "problems, else within a factor of 1.05); "))
      << "518 / 494 and 512 / 494";
  EXPECT_EQ(two["links"], Json::parse(R"([["Identical work", "operation-counts", "scaling"]])"));
}

TEST_F(Report, ErrorsOfOneEvaluationAreDrawnBySizeAndMethodsWithoutOneHaveAReason) {
  FillStore(store_);
  Write();
  std::map<std::string, std::string> errors, reasons;
  for (const auto& row : Csv("evaluation_error.branchN.csv")) {
    if (row.at("method") == kRiccati) errors[row.at("bodies")] = row.at("error_against_113_bits");
    if (row.at("method") == kDae) reasons[row.at("bodies")] = row.at("reason");
  }
  EXPECT_EQ(6e-14, std::stod(errors.at("6")));
  EXPECT_EQ(5e-12, std::stod(errors.at("500")));
  EXPECT_THAT(markdown_, HasSubstr("Error of one evaluation against 113 bits: branchN"));
  EXPECT_EQ(reasons.at("6"), "skipped: too large");
}

TEST_F(Report, AttainableDigitsOfAProblemAreStatedWithTheirMeaning) {
  FillStore(store_);
  store_.AddProblem(
      "branch4", {{"bodies", 4},
                  {"reference",
                   {{"error_estimate", 1e-20}, {"sensitivity", 10.7}, {"digits_allowed", 14.92}}}});
  store_.AddCell({"branch4", kRiccati, "rk4", "accuracy", {}, 0.001}, 1e-9, {0.001});
  Write();
  EXPECT_THAT(markdown_, testing::ContainsRegex("14\\.9.*10\\.7 times"));
}

TEST_F(Report, FailedCellsHaveKeysThatExplainAccepts) {
  FillStore(store_);
  Write();
  for (const auto& row : Csv("cells.csv")) EXPECT_EQ(0u, row.at("key").rfind("key", 0));
  for (const auto& row : Csv("reasons.csv"))
    EXPECT_EQ(0u, row.at("key of the first").rfind("key", 0));
}

// There is no diagram or text on a motion; its cell is a table.
TEST_F(Report, AProblemWithASteadyStateOnlyShowsNoMotion) {
  store_.AddRun();
  store_.AddMethod("steady-state-newton");
  store_.AddProblem(
      "governor",
      {{"bodies", 4},
       {"end_time", 1},
       {"reference",
        {{"error_estimate", 1e-20}, {"sensitivity", 10.7}, {"digits_allowed", 14.92}}}});
  store_.AddCell({"governor", "steady-state-newton", "kinsol", "accuracy", 1e-14, {}}, 1e-15,
                 {1e-5, 1.1e-5});
  Write();
  EXPECT_EQ(FindFigure(data_["sections"], "work-precision", "governor"), nullptr);
  EXPECT_EQ(Csv("work_precision.governor.csv").size(), 1u);
  EXPECT_THAT(markdown_, Not(HasSubstr("Digits it allows")));
}

TEST_F(Report, AProblemWithASteadyStateOnlyNamesTheReferenceOfItsState) {
  store_.AddRun();
  store_.AddProblem("governor");
  store_.AddCell({"governor", "steady-state-newton", "kinsol", "accuracy", 1e-14, {}}, 1e-15,
                 {1e-5});
  store_.AddProblem("pendulum");
  store_.Add({.problem = "pendulum",
              .method = kRiccati,
              .integrator = "rk4",
              .step = 0.01,
              .outcome = "no_reference"});
  Write();
  const auto rows = Csv("references.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[0].at("how"), HasSubstr("steady state is judged against closed equations"));
  EXPECT_EQ(rows[1].at("how"), "none held: accuracy is not judged");
}

// An engine that runs no cell refuses problems too.
TEST_F(Report, ProblemsWithARefusedEvaluationCountAsRefused) {
  store_.AddRun();
  store_.AddMethod("engine");
  const Json refused = {{"method", "engine"}, {"reason", "unsupported: joint 'top' closes a loop"}};
  for (const char* problem : {"fourbar", "slider"})
    store_.Add({.problem = problem,
                .kind = "agreement",
                .record = Json{{"states", 2}, {"methods", {refused}}}.dump()});
  store_.Add(
      {.problem = "rope", .method = "engine", .kind = "evaluation", .outcome = "unsupported"});
  store_.Add(
      {.problem = "pendulum",
       .kind = "agreement",
       .record = Json{{"states", 2}, {"methods", {{{"method", "engine"}, {"error", 0}}}}}.dump()});
  Write();
  EXPECT_EQ(Csv("methods.csv")[0].at("problems refused"), "3");
  const auto why = Csv("refusals.engine.csv");
  ASSERT_EQ(why.size(), 2u);
  EXPECT_EQ(why[0].at("why"), "unsupported: joint 'top' closes a loop");
  EXPECT_EQ(why[0].at("which"), "fourbar, slider");
}

TEST_F(Report, PublishedValuesAreComparedWithTheReference) {
  FillStore(store_);
  Write();
  const auto rows = Csv("published.branchN-bodies-500.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(std::stod(rows[0].at("ours (reference)")), 1.173470986);
  EXPECT_EQ(std::stod(rows[0].at("published")), 1.17347099);
  EXPECT_NEAR(std::stod(rows[0].at("difference / uncertainty of theirs")), -0.4, 1e-12);
}

TEST_F(Report, DeclaredLimitsOfAMethodAreOnItsPage) {
  store_.AddRun();
  store_.AddMethod(
      kDae, {{{"promises", {"energy", "reference-a"}}, {"bound", nullptr}, {"reason", "index 3"}},
             {{"promises", {"reference-b"}}, {"bound", 2.5e-5}, {"reason", "it drifts"}}});
  store_.AddProblem("andrews");
  store_.AddCell({"andrews", kDae, "ida", "accuracy", 1e-4}, 1e-3, {0.01});
  Write();
  const auto rows = Csv("limits.cartesian-dae-ggl.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("promises"), "energy, reference-a");
  EXPECT_EQ(rows[0].at("why"), "index 3");
  EXPECT_EQ(std::stod(rows[1].at("bound")), 2.5e-5);
}

TEST_F(Report, NothingInAStoreBecomesMarkup) {
  FillStore(store_);
  Write();
  std::string page = html_;
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(page.find("<img src=http"), std::string::npos);
  EXPECT_EQ(data_["sections"][0]["id"], "overview");                  // parsed whole
  EXPECT_THAT(data_.dump(), HasSubstr("</script><script>alert(1)"));  // and unchanged as data
  EXPECT_THAT(markdown_, Not(HasSubstr("<script>")));
  EXPECT_THAT(markdown_, Not(HasSubstr("\nsecond line")));
}

TEST_F(Report, ThePageLoadsNoExternalResources) {
  FillStore(store_);
  Write();
  const std::string data_open = "id=\"report-data\">";
  std::string page = html_;  // without the data, which is inert
  const std::size_t begin = page.find(data_open) + data_open.size();
  page.erase(begin, page.find("</script>", begin) - begin);
  for (const char* attribute : {"src=", "href="}) {
    for (const char* target : {"http", "\"http", "'http", "//", "\"//", "'//"}) {
      EXPECT_EQ(page.find(std::string(attribute) + target), std::string::npos)
          << attribute << target;
    }
  }
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.find("url(http"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  // one data, one code element and the cells of each problem: the bundle does not end its element early
  const auto count = [&page](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = page.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("</script"), 2 + count("<script type=\"application/zlib\" id=\"cells-"));
  EXPECT_EQ(page.find("{{"),
            page.find("{{", page.find("<script>")));  // no placeholder is left before the code
}

TEST_F(Report, EveryFigureAndTableNamesADataFileThatWasWritten) {
  FillStore(store_);
  Write();
  std::vector<Json> tables;
  CollectTables(data_["sections"], tables);
  for (const Json& table : tables) {
    const std::string csv = table["csv"];
    if (csv.empty()) continue;
    EXPECT_TRUE(std::filesystem::exists(folder_ / ("out/csv/" + csv))) << csv;
  }
  for (const char* kind : {"outcomes", "work-precision", "series", "scaling"}) {
    const Json* figure = FindFigure(data_["sections"], kind, "");
    ASSERT_TRUE(figure) << kind;
    EXPECT_TRUE(
        std::filesystem::exists(folder_ / ("out/csv/" + (*figure)["csv"].get<std::string>())));
    EXPECT_EQ((*figure)["command"], "mbsbench run --quick");
    EXPECT_NE((*figure)["summary"], "");
  }
  for (const auto& file : files_.csv) EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(Report, ReproduceJsonHoldsTheHashesOfAllDataFilesAndHowEachRunWasMade) {
  FillStore(store_);
  Write();
  const Json reproduce = Json::parse(ReadFile(folder_ / "out/reproduce.json"));
  ASSERT_EQ(reproduce["sha1"].size(), files_.csv.size());
  for (const std::filesystem::path& csv : files_.csv)
    EXPECT_EQ(reproduce["sha1"]["csv/" + csv.filename().string()], Sha1(ReadFile(csv))) << csv;
  ASSERT_EQ(reproduce["runs"].size(), 1u);
  for (const char* field : {"id", "command", "seed", "started", "finished", "machine", "build"})
    EXPECT_TRUE(reproduce["runs"][0].contains(field)) << field;
  EXPECT_EQ(reproduce["store"]["file"], store_.path().filename().string());
}

TEST_F(Report, ARecordThatCannotBeReadIsNamedAndAffectsNoOther) {
  FillStore(store_);
  Write();
  EXPECT_THAT(markdown_, HasSubstr("could not be read"));
  EXPECT_THAT(markdown_,
              HasSubstr("time trial of branchN:bodies=500 by cartesian-dae:ggl, cvode-bdf"));
}

TEST_F(Report, TimesOfTwoMachinesAreNeverMixed) {
  store_.AddRun("run1", "2025-01-01T00:00:00Z", "Old CPU");
  store_.AddRun("run2", "2025-02-01T00:00:00Z", "New CPU");
  store_.AddProblem("pendulum");
  store_.AddMethod(kRiccati);
  TrialRow row{"pendulum", kRiccati, "rk4", "accuracy", {}, 0.1};
  store_.AddCell(row, 1e-3, {0.001});  // faster, on the old machine
  row.run = "run2";
  store_.AddCell(row, 1e-3, {0.002});
  Write();
  const auto rows = Csv("cells.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(std::stod(rows[0].at("cpu_minimum_s")), 0.002);
  EXPECT_THAT(markdown_, HasSubstr("2 trials not shown: of older builds or other machines"));
}

TEST_F(Report, RunsOfOneMachineAndBuildAreComparedThoughItsLoadVaries) {
  store_.AddRun("run1", "2025-01-01T00:00:00Z");
  store_.AddRun("run2", "2025-01-02T00:00:00Z");
  store_.Execute(
      "UPDATE run SET machine = json_set(machine, '$.load_average', 1.5) WHERE id = 'run2'");
  TrialRow row{"pendulum", kRiccati, "rk4", "accuracy", {}, 0.1};
  store_.AddCell(row, 1e-3, {0.001});
  row.run = "run2";
  row.step = 0.05;
  store_.AddCell(row, 1e-4, {0.002});
  Write();
  EXPECT_EQ(Csv("cells.csv").size(), 2u);
}

TEST_F(Report, TolerancesAndFixedStepsOfOneIntegratorAreTwoCurves) {
  store_.AddRun();
  for (double tolerance : {1e-3, 1e-6}) {
    store_.AddCell({"pendulum", kRiccati, "dopri5", "accuracy", tolerance}, tolerance, {0.001});
  }
  for (double step : {0.1, 0.05}) {
    store_.AddCell({"pendulum", kRiccati, "dopri5", "accuracy", {}, step}, step / 100, {0.001});
  }
  Write();
  const Json& series =
      (*FindFigure(data_["sections"], "work-precision", "pendulum"))["data"]["series"];
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0]["name"], "riccati-mstmm:general, dopri5");
  EXPECT_EQ(series[1]["name"], "riccati-mstmm:general, dopri5, fixed steps");
  EXPECT_EQ(series[0]["points"].size(), 2u);
}

TEST_F(Report, AMethodThatFailedEverywhereIsNotReportedAsMissingATarget) {
  FillStore(store_);
  store_.Add({.problem = "branchN:bodies=500",
              .method = "other:x",
              .integrator = "rk4",
              .step = 0.001,
              .outcome = "singular",
              .reason = "hinge_4 at t = 0.1 s"});
  Write();
  EXPECT_THAT(markdown_, HasSubstr("| other:x | singular | - |"));
}

TEST_F(Report, DisagreementAndDifferentWorkAreReported) {
  FillStore(store_);
  store_.Execute(
      "UPDATE trial SET outcome = 'inaccurate', reason = 'they differ by 2' WHERE kind = "
      "'agreement'");
  store_.Execute(
      "UPDATE trial SET reason = 'its end state differs' WHERE kind = 'time' AND integrator = "
      "'ida'");
  Write();
  EXPECT_THAT(markdown_, HasSubstr("| equations | "));
  EXPECT_THAT(markdown_, HasSubstr("branchN:bodies=500: they differ by 2"));
  EXPECT_THAT(
      markdown_,
      HasSubstr("Caution: cartesian-dae:ggl, ida, tol 1e-3 and tol 1e-7: its end state differs"));
}

TEST_F(Report, AMethodThatLosesDigitsIsNotADisagreement) {
  FillStore(store_);
  const Json record = {
      {"worst", {{"method", kDae}, {"difference", 1}}},
      {"methods", {{{"method", kDae}, {"error", 0.5}}, {{"method", kRiccati}, {"error", 2e-12}}}}};
  store_.Execute(
      "UPDATE trial SET outcome = 'inaccurate', reason = 'they differ by 1', record = '" +
      record.dump() + "' WHERE kind = 'agreement'");
  Write();
  EXPECT_THAT(markdown_,
              HasSubstr("loses digits on 2 problems: branchN:bodies=6, branchN:bodies=500."));
  EXPECT_THAT(markdown_, HasSubstr("that of the other methods is 2e-12 at most"));
  EXPECT_THAT(markdown_, testing::Not(HasSubstr("| equations | ")));
}

TEST_F(Report, AFailedTimingRoundInvalidatesItsCell) {
  store_.AddRun();
  store_.AddCell({"pendulum", kRiccati, "rk4", "accuracy", {}, 0.1}, 1e-3, {0.001});
  store_.Add({.problem = "pendulum",
              .method = kRiccati,
              .integrator = "rk4",
              .kind = "time",
              .step = 0.1,
              .round = 1,
              .outcome = "timeout",
              .reason = "after 60 s"});
  Write();
  const auto rows = Csv("cells.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("outcome"), "timeout");
  EXPECT_EQ(rows[0].at("reason"), "in timing round 1: after 60 s");
}

TEST_F(Report, SummaryFitsATerminalOf100Columns) {
  FillStore(store_);
  const std::string summary = Summary(store_.path());
  std::istringstream lines(summary);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    for (char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7F) << line;
  }
  EXPECT_LE(std::ranges::count(summary, '\n'), 20);
  EXPECT_THAT(summary, HasSubstr("12 cells: 9 ok")) << "a refusal is no result";
  EXPECT_THAT(summary,
              HasSubstr("riccati-mstmm                       1.00 3/3                1.00 "));
  EXPECT_THAT(summary, HasSubstr("crashed"));
  EXPECT_THAT(summary, HasSubstr("mbsbench explain key"));
}

// A rocket in a store: two methods, two sources for the same values, a flight with three events.
constexpr const char* kSimulation = "Author 2014, simulation";
constexpr const char* kTest = "Author 2014, test";

Json Event(const std::string& name, double time, double speed, double x, double y) {
  return {{"name", name}, {"time", time}, {"position", {x, y, 0}}, {"speed", speed}};
}

void AddRocket(FixtureStore& store) {
  store.AddRun();
  store.AddMethod(kRiccati);
  store.AddMethod(kDae);
  const auto printed = [](const char* quantity, double time, Json event, double value,
                          const char* source, double ours) {
    return Json{{"quantity", quantity},
                {"time", time},
                {"event", event},
                {"published", value},
                {"last_digit", .1},
                {"kind", "published"},
                {"source", source},
                {"ours", ours},
                {"difference", ours - value},
                {"why", ""}};
  };
  store.AddProblem("rocket:links=4", {{"family", "rocket"},
                                      {"reference", {{"how", "test"}, {"error_estimate", 1e-12}}},
                                      {"published",
                                       {printed("range", 0, "landing", 637.1, kSimulation, 659.5),
                                        printed("speed", 0, "burn-out", 206.5, kSimulation, 223.5),
                                        printed("speed", 1, nullptr, 158.5, kSimulation, 163.5),
                                        printed("range", 0, "landing", 629.9, kTest, 659.5),
                                        printed("speed", 0, "burn-out", 199.5, kTest, 223.5),
                                        printed("speed", 1, nullptr, 154.25, kTest, 163.5)}}});
  // `off` distinguishes the methods.
  const auto record = [](double off) {
    const auto own = [](const char* quantity, double time, Json event, double value, double ours,
                        const char* source) {
      return Json{{"quantity", quantity},      {"time", time},       {"event", event},
                  {"source", source},          {"published", value}, {"ours", ours},
                  {"difference", ours - value}};
    };
    return Json{
        {"published",
         {own("speed", 0.5, "burn-out", 206.5, 223 + off, kSimulation),
          own("speed", 0.5, "burn-out", 199.5, 223 + off, kTest),
          own("speed", 1, nullptr, 158.5, 163 + off, kSimulation),
          own("speed", 1, nullptr, 154.25, 163 + off, kTest),
          own("range", 11, "landing", 637.1, 659 + off, kSimulation),
          own("range", 11, "landing", 629.9, 659 + off, kTest)}},
        {"events",
         {Event("burn-out", 0.5, 223 + off, 40, 20), Event("capture", 0.6, 220, 60, 30),
          Event("capture", 0.7, 218, 80, 40), Event("landing", 11, 30, 659 + off, 0)}},
        {"trajectory",
         {{"times", {0, 1, 2}},
          {"bodies", {"rocket"}},
          {"poses", {{0, 0, 0, 1, 0, 0, 0}, {100, 50, 0, 1, 0, 0, 0}, {200, 80, 0, 1, 0, 0, 0}}}}}};
  };
  const std::string name = "rocket:links=4";
  store.AddCell({name, kRiccati, "rk4", "accuracy", {}, 0.004}, 1e-3, {0.1}, record(0.25));
  store.AddCell({name, kRiccati, "rk4", "accuracy", {}, 0.002}, 1e-5, {0.2}, record(0.5));
  store.AddCell({name, kDae, "ida", "accuracy", 1e-6}, 1e-6, {0.3}, record(0.75));
}

// The difference of each printed value from the own one of each cell: by "source, quantity, event, curve, setting".
std::map<std::string, double> DifferencesOfCells(const FixtureStore& store) {
  const reports::Results results = reports::ReadResults(store.path());
  const reports::Comparison comparison = reports::Compare(results);
  const reports::ProblemResults& problem = comparison.problems.at(0);
  std::map<std::string, double> differences;
  for (const PrintedValueRecord& value : problem.record.published) {
    for (const reports::Cell& cell : problem.cells) {
      if (const PublishedComparison* own = reports::FindOwnValue(cell, value))
        differences[value.source + ", " + value.quantity + ", " + value.event + ", " +
                    cell.Curve() + ", " + cell.Setting()] = own->difference;
    }
  }
  return differences;
}

TEST_F(Report, ValuesAtEventsAndOfSeveralSourcesHaveADifferencePerMethod) {
  AddRocket(store_);
  const std::map<std::string, double> differences = DifferencesOfCells(store_);
  EXPECT_EQ(differences.size(), 6u * 3);  // each value by three cells
  const std::string simulation = kSimulation, test = kTest;
  const std::string finest = ", riccati-mstmm:general, rk4, h 0.002 s",
                    dae = ", cartesian-dae:ggl, ida, tol 1e-6";
  EXPECT_NEAR(differences.at(simulation + ", range, landing" + finest), 659.5 - 637.1, 1e-12);
  EXPECT_NEAR(differences.at(test + ", range, landing" + finest), 659.5 - 629.9, 1e-12);
  EXPECT_NEAR(differences.at(test + ", range, landing" + dae), 659.75 - 629.9, 1e-12);
  EXPECT_EQ(differences.at(simulation + ", speed, burn-out" + dae), 223.75 - 206.5);
  EXPECT_EQ(differences.at(simulation + ", speed, " + dae), 163.75 - 158.5);
  EXPECT_EQ(differences.at(test + ", speed, " + dae), 163.75 - 154.25);
}

TEST_F(Report, ARecordIsMatchedByTheSourceThatItNames) {
  AddRocket(store_);
  store_.Execute(
      "UPDATE trial SET record = json_set(record, '$.published', json('[{\"quantity\": \"range\", "
      "\"event\": \"landing\", \"time\": 11, \"published\": 637.1, \"source\": \"Author 2014, "
      "test\", "
      "\"difference\": 7.0}]')) WHERE kind = 'accuracy'");
  const std::map<std::string, double> differences = DifferencesOfCells(store_);
  EXPECT_EQ(differences.size(), 3u);
  for (const auto& [name, difference] : differences) {
    EXPECT_TRUE(name.starts_with(kTest)) << name;
    EXPECT_EQ(difference, 7);
  }
}

std::vector<reports::SettlingCost> SettlingCostsOf(const FixtureStore& store) {
  const reports::Results results = reports::ReadResults(store.path());
  return reports::SettlingCosts(reports::Compare(results));
}

// A damped driven problem: Newton's cell with two steady states, and a motion that settles on
// the one that is not the nearest to its start.
TEST_F(Report, AMotionThatSettlesIsComparedWithNewtonsMethod) {
  store_.AddRun();
  store_.AddMethod(kRiccati);
  store_.AddMethod("steady-state-newton");
  store_.AddProblem("swing:damped", {{"family", "swing"}, {"length", 1}});
  const auto state = [](double theta, bool stable) {
    return Json{
        {"values", {{"theta", theta}}}, {"stable", stable},  {"growth", -1},
        {"frequencies", {2}},           {"reached_by", 100}, {"from_the_problems_guess", stable}};
  };
  store_.AddCell({"swing:damped", "steady-state-newton", "kinsol", "accuracy", 1e-14, {}}, 1e-15,
                 {1e-5},
                 {{"counters", {{"newton_iterations", 4}}},
                  {"steady_state",
                   {{"unknowns", {{"theta", 0.5}}},
                    {"residuals", {{"theta", 0}}},
                    {"units", {{"theta", "rad"}}}}},
                  {"steady_survey",
                   {{"equilibria",
                     {{"speed", 20},
                      {"starts", 200},
                      {"found", Json::array({state(0.5, true), state(4.5, true)})}}}}}});
  store_.AddCell({"swing:damped", kRiccati, "rk4", "accuracy", {}, 0.01}, 1e-5, {0.02},
                 {{"joint_coordinates",
                   {{"joints", {"theta"}},
                    {"units", {"rad"}},
                    {"times", {0, 1, 2, 3, 4}},
                    {"values", {{0.75}, {3.0}, {4.5002}, {4.5000001}, {4.5000001}}}}}});
  Write();
  EXPECT_EQ(Csv("steady_states_found.csv").size(), 2u);
  const std::vector<reports::SettlingCost> costs = SettlingCostsOf(store_);
  ASSERT_EQ(costs.size(), 1u);
  EXPECT_EQ(costs[0].method, kRiccati);
  EXPECT_NEAR(costs[0].ratio.value, 2000, 1e-9);
  // Passing a state is not landing on it.
  store_.Execute(
      "UPDATE trial SET record = json_set(record, '$.joint_coordinates.values[3]', "
      "json('[4.7]')) WHERE kind = 'accuracy' AND integrator = 'rk4'");
  EXPECT_TRUE(SettlingCostsOf(store_).empty());
}

TEST_F(Report, AStateFromARandomGuessIsPrintedWithItsSignificantDigitsAndUnits) {
  store_.AddRun();
  store_.AddMethod("steady-state-newton");
  store_.AddProblem("wheel", {{"joints",
                               {{{"name", "axle"}, {"kind", "revolute"}, {"closes_loop", false}},
                                {{"name", "s"}, {"kind", "prismatic"}, {"closes_loop", false}}}}});
  const auto state = [](double s, bool own, double growth) {
    return Json{{"values", {{"s", s}, {"x_1", 2 * s}}},
                {"stable", true},
                {"neutral", growth < 1e-6},
                {"growth", growth},
                {"growth_round_off", 1e-6},
                {"frequencies", Json::array()},
                {"reached_by", 1},
                {"from_the_problems_guess", own}};
  };
  store_.AddCell(
      {"wheel", "steady-state-newton", "kinsol", "accuracy", 1e-14, {}}, 1e-12, {1e-5},
      {{"steady_state", {{"unknowns", {{"s", 0.5}}}, {"units", {{"s", "m"}}}}},
       {"steady_survey",
        {{"equilibria",
          {{"speed", 20},
           {"starts", 9},
           {"found", {state(0.123456789012, true, 1e-14), state(1.57079618894, false, 5)}}}}}}});
  Write();
  // The error of its own state leaves 11 decimals, a random guess 5; round-off does not count as growth.
  EXPECT_THAT(
      markdown_,
      HasSubstr("| 20 rad/s | s = 0.12345678901 m, x_1 = 0.24691357802 m | neutral | - | 0 (within "
                "1e-6) |"));
  EXPECT_THAT(markdown_,
              HasSubstr("| 20 rad/s | s = 1.57080 m, x_1 = 3.14159 m | stable | - | 5 |"));
  const auto rows = Csv("steady_states_found.csv");
  EXPECT_EQ(std::stod(rows[0].at("growth_per_s")), 1e-14) << "the file has what was computed";
}

TEST_F(Report, AStateIsStableNeutralOrUnstableAsItsRecordStates) {
  store_.AddRun();
  store_.AddMethod("steady-state-newton");
  store_.AddProblem("wheel");
  Json states = Json::array();
  for (const bool neutral : {true, false})
    states.push_back({{"values", {{"s", 0.5}}},
                      {"stable", true},
                      {"growth", neutral ? -1e-3 : -1e-5},
                      {"frequencies", {200}},
                      {"neutral", neutral},
                      {"growth_round_off", 2e-3}});
  states.push_back({{"values", {{"s", 0.5}}}, {"stable", false}, {"growth", 1e-3}});
  states.push_back({{"values", {{"s", 0.5}}}, {"stable", nullptr}});
  store_.AddCell({"wheel", "steady-state-newton", "kinsol", "accuracy", 1e-14, {}}, 1e-12, {1e-5},
                 {{"steady_state", {{"unknowns", {{"s", 0.5}}}}},
                  {"steady_survey", {{"equilibria", {{"speed", 20}, {"found", states}}}}}});
  Write();
  const auto found = Csv("steady_states_found.csv");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].at("stability"), "neutral");
  EXPECT_EQ(found[1].at("stability"), "stable");
  EXPECT_EQ(found[2].at("stability"), "unstable");
  EXPECT_EQ(found[3].at("stability"), "not known");
  EXPECT_THAT(markdown_, HasSubstr("| 0 (within 2e-3) |"));
  EXPECT_THAT(markdown_, Not(HasSubstr("this store holds only whether motions grow")));
}

// A motion that ends at 4.5 and hangs by a second joint, and Newton's cell with `states`.
void AddSwing(FixtureStore& store, const Json& states) {
  store.AddRun();
  store.AddMethod(kRiccati);
  store.AddMethod("steady-state-newton");
  store.AddProblem("swing:damped", {{"family", "swing"}, {"length", 1}});
  store.AddCell({"swing:damped", "steady-state-newton", "kinsol", "accuracy", 1e-14, {}}, 1e-15,
                {1e-5},
                {{"steady_state", {{"unknowns", {{"theta", 0.5}}}}},
                 {"steady_survey", {{"equilibria", {{"speed", 20}, {"found", states}}}}}});
  store.AddCell({"swing:damped", kRiccati, "rk4", "accuracy", {}, 0.01}, 1e-5, {0.02},
                {{"joint_coordinates",
                  {{"joints", {"theta", "phi"}},
                   {"units", {"rad", "rad"}},
                   {"times", {0, 1, 2, 3, 4}},
                   {"values", {{0.75, 0}, {3.0, 0}, {4.5, 0}, {4.5, 0}, {4.5, 0}}}}}});
}

TEST_F(Report, AStateWithoutAJointIsNotMatched) {
  AddSwing(store_, {{{"values", {{"theta", 4.5}, {"phi", nullptr}}}, {"stable", true}},
                    {{"values", {{"theta", 0.5}, {"phi", 0}}}, {"stable", true}}});
  EXPECT_TRUE(SettlingCostsOf(store_).empty());
}

TEST_F(Report, AMotionWithoutCandidateStatesLandsOnNone) {
  AddSwing(store_, Json::array());
  Write();
  EXPECT_TRUE(SettlingCostsOf(store_).empty());
  EXPECT_THAT(markdown_, Not(HasSubstr("| nan")));
}

}  // namespace
}  // namespace mbsbench::report_tests
