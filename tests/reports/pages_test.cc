// Pages of the report, their content, and the data of the player.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;

constexpr const char* kFast = "riccati-mstmm:general";
constexpr const char* kSlow = "cartesian-dae:ggl";
constexpr const char* kNone = "kane-huston:paper";

Json Document(int bodies, int loops, double floor) {
  return {{"family", "f"},
          {"title", "A problem"},
          {"bodies", bodies},
          {"loops", loops},
          {"end_time", 2},
          {"time", 0.5},
          {"length", 1},
          {"gravity", {0, -9.81, 0}},
          {"reference", {{"error_estimate", floor}, {"attainable_error", 1e-15}}},
          {"shapes", {{{"name", "1"}, {"kind", "rod"}, {"a", {0, 0, 0}}, {"b", {1, 0, 0}}}}},
          {"joints", Json::array()}};
}

class Pages : public testing::Test {
 protected:
  Pages() : store_(folder_ / "store.sqlite") {
    store_.AddRun();
    for (const char* method : {kFast, kSlow, kNone}) store_.AddMethod(method);
    store_.AddProblem("small", Document(4, 0, 1e-12));
    store_.AddProblem("loop", Document(4, 1, 3e-5));
  }
  void Write() {
    files_ = WriteReport(store_.path(), folder_ / "out");
    html_ = ReadFile(files_.html);
    data_ = DataOfPage(html_);
  }
  std::vector<std::map<std::string, std::string>> Csv(const std::string& name) {
    return ReadCsv(folder_ / ("out/csv/" + name));
  }
  // 1 ms at 1e-3, 16 ms at 1e-6, and ten times as long; no coarser cell of the slower is as fast
  void AddCells(const std::string& problem) {
    for (const auto& [tolerance, error, seconds] : {std::tuple(1e-2, 1e-2, 0.0008),
                                                    {1e-3, 1e-3, 0.001},
                                                    {1e-6, 1e-5, 0.012},
                                                    {1e-7, 1e-6, 0.016}}) {
      store_.AddCell({problem, kFast, "rk4", "accuracy", tolerance}, error, {seconds, seconds});
      store_.AddCell({problem, kSlow, "ida", "accuracy", tolerance}, error,
                     {10 * seconds, 10 * seconds});
    }
    store_.Add({.problem = problem,
                .method = kNone,
                .integrator = "rk4",
                .outcome = "unsupported",
                .reason = "chains only"});
  }
  // An engine with this document, timed on "small" in addition to a method of ours.
  void AddEngine(const Json& document) {
    store_.Execute("INSERT INTO method VALUES ('run1', 'engine', '" + document.dump() + "')");
    for (const char* method : {kFast, "engine"}) {
      TrialRow row{.problem = "small", .method = method, .kind = "evaluation"};
      row.record = Json{{"nanoseconds_per_body", 70}, {"what", "accelerations"}}.dump();
      store_.Add(row);
    }
  }
  void SetFlags(const std::string& flags) {
    store_.Execute("UPDATE run SET build = json_set(build, '$.flags', '" + flags + "')");
  }
  TestFolder folder_;
  FixtureStore store_;
  ReportFiles files_;
  std::string html_;
  Json data_;
};

TEST_F(Pages, EachRoundOfACellStatesItsTimeAndTheNumberOfItsIntegrations) {
  TrialRow row{"small", kFast, "rk4", "accuracy", 1e-3};
  store_.AddCell(row, 1e-2, {});
  row.kind = "time";
  const std::vector<std::pair<double, int>> rounds{{0.002, 26}, {0.0025, 21}};
  for (const auto& [seconds, repetitions] : rounds) {
    row.cpu_seconds = seconds;
    row.record = Json{{"repetitions", repetitions}, {"process", row.round}}.dump();
    store_.Add(row);
    ++row.round;
  }
  Write();
  const Json cells = DataOfElement(html_, "cells-small").at("cells");
  ASSERT_EQ(1u, cells.size());
  EXPECT_EQ((Json{{0, 0.002, 26, nullptr}, {1, 0.0025, 21, nullptr}}),
            cells.begin().value().at("rounds"));
  const auto cell = Csv("cells.csv").at(0);
  EXPECT_DOUBLE_EQ(0.002, std::stod(cell.at("cpu_minimum_s")));
  EXPECT_EQ("21", Csv("rounds.csv").at(1).at("repetitions"));
}

TEST_F(Pages, ACellWhoseErrorWasSplitShowsItsParts) {
  AddCells("small");
  const auto part = [](const char* name, double norm, double share) {
    return Json{
        {"part", name}, {"norm", norm}, {"share", share}, {"estimated", false}, {"how", "so"}};
  };
  const Json parts = {part("discretisation", 9e-7, 0.9), part("round-off", 1e-7, 0.1)};
  TrialRow budget{.problem = "small", .method = kFast, .integrator = "rk4", .kind = "budget"};
  budget.tolerance = 1e-7;
  budget.record = Json{{"budget", {{"error", 1e-6}, {"parts", parts}}}}.dump();
  store_.Add(budget);
  budget.tolerance = 1e-5;  // of a cell that no longer exists
  store_.Add(budget);
  Write();
  const Json cells = DataOfElement(html_, "cells-small").at("cells");
  int split = 0;
  for (const auto& [key, cell] : cells.items()) {
    if (!cell.contains("budget")) continue;
    ++split;
    EXPECT_EQ("tol 1e-7", cell.at("setting"));
    EXPECT_EQ(parts, cell.at("budget").at("parts"));
  }
  EXPECT_EQ(1, split);
}

TEST_F(Pages, EveryPageHasASectionAndEverySectionAPage) {
  AddCells("small");
  Write();
  std::set<std::string> routes, used;
  for (const Json& page : data_["pages"]) {
    EXPECT_TRUE(routes.insert(page["route"]).second) << page["route"];
    EXPECT_TRUE(page["parent"] == "" || routes.count(page["parent"]) == 1) << page["route"];
  }
  for (const Json& section : data_["sections"]) {
    EXPECT_EQ(routes.count(section["page"]), 1u) << section["id"];
    used.insert(section["page"]);
    for (const Json& inner : section["sections"]) {
      if (inner["page"] != "") used.insert(inner["page"]);
    }
  }
  EXPECT_EQ(used, routes);
  EXPECT_EQ(routes.count("problem/small"), 1u);
  EXPECT_EQ(routes.count("method/kane-huston-paper"), 1u);
}

TEST_F(Pages, TheMarkdownReportIsTheFrontPageTheClaimsAndOneTablePerProblem) {
  AddCells("small");
  AddCells("loop");
  Write();
  const std::string text = ReadFile(files_.markdown);
  EXPECT_EQ(files_.markdown.filename(), "report.md");
  std::vector<std::string> headings;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ") || line.starts_with("### ")) headings.push_back(line);
  }
  EXPECT_EQ(headings, (std::vector<std::string>{"## Overview", "## Problems", "### small",
                                                "### loop", "## Claims of papers"}));
  EXPECT_THAT(text, HasSubstr("| cartesian-dae:ggl | 10.0 ms<br>with ida<br>tol 1e-3 | 10.0†"));
  const std::regex link(R"(\]\(([^)]+)\))");
  int links = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at, ++links)
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / (*at)[1].str())) << (*at)[1];
  EXPECT_GT(links, 2);
}

TEST_F(Pages, APageHasTheSameNameInListHeadingAndAddress) {
  AddCells("small");
  AddEngine({{"origin", "engine"}});
  SetFlags("-O3 -march=native");
  Write();
  std::map<std::string, std::string> heading;  // by page
  for (const Json& section : data_["sections"])
    heading.try_emplace(section["page"], section["title"].get<std::string>());
  for (const Json& page : data_["pages"]) {
    if (page["parent"] != "") continue;
    std::string name = page["title"];
    EXPECT_EQ(heading.at(page["route"]), name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    EXPECT_THAT(" " + name + " ", HasSubstr(" " + page["route"].get<std::string>() + " "));
  }
  EXPECT_EQ(heading.at("claims"), "Claims of papers");
}

TEST_F(Pages, AProblemWithoutAMotionHasNoFastestMethodAndStatesWhy) {
  AddCells("small");
  store_.AddCell({"loop", kFast, "kinsol", "accuracy", 1e-12}, 1e-15, {1e-5});
  Write();
  std::map<std::string, std::string> fastest;
  for (const auto& row : Csv("problems.csv"))
    fastest[row.at("problem")] = row.at("fastest at 1e-6");
  EXPECT_EQ(fastest["loop"], "no motion");
  EXPECT_THAT(fastest["small"], HasSubstr(kFast));
}

TEST_F(Pages, TargetsAreThoseThatTheProblemAndItsReferenceAllow) {
  AddCells("small");
  AddCells("loop");
  Write();
  std::map<std::string, std::set<std::string>> errors;
  for (const auto& row : Csv("time_at_target.csv")) {
    if (row.at("status") != "cannot be judged") errors[row.at("problem")].insert(row.at("target"));
  }
  EXPECT_EQ(errors["small"].size(), 3u);
  EXPECT_EQ(errors["loop"].size(), 1u) << "the reference is certified to 3e-5";
}

TEST_F(Pages, TheProfileOfAFamilyDoesNotDependOnOtherMethods) {
  AddCells("small");
  Write();
  const auto curve_of = [this](const std::string& method) {
    const Json* figure = FindFigure(data_["sections"], "distribution", "Share of all targets");
    for (const Json& one : (*figure)["data"]["series"]) {
      if (method.starts_with(one["name"].get<std::string>() + ":")) return one["steps"];
    }
    return Json();
  };
  const Json before = curve_of(kSlow);
  ASSERT_EQ(before.size(), 2u);  // 1e-3 and 1e-6
  EXPECT_NEAR(before.back()[1].get<double>(), 2. / 3, 1e-3);
  store_.Execute("DELETE FROM trial WHERE method = 'riccati-mstmm:general'");
  store_.Execute("DELETE FROM method WHERE spec = 'riccati-mstmm:general'");
  Write();
  EXPECT_EQ(curve_of(kSlow), before);
}

TEST_F(Pages, AProblemThatWasOnlyEvaluatedHasAPageWithTimesPerJointWithoutDiagram) {
  AddCells("small");
  Json loop = Document(4, 1, 3e-5);
  for (const char* kind : {"free", "revolute", "fixed", "ball"})
    loop["joints"].push_back({{"kind", kind}});
  loop["joints"].push_back({{"kind", "revolute"}, {"closes_loop", true}});
  store_.Execute("DELETE FROM problem WHERE name = 'loop'");
  store_.AddProblem("loop", loop);
  store_.Add({.problem = "loop",
              .method = kFast,
              .kind = "evaluation",
              .record = R"({"nanoseconds_per_body": 80, "bodies": 4, "what": "accelerations"})"});
  Write();
  std::set<std::string> routes;
  for (const Json& page : data_["pages"]) routes.insert(page["route"]);
  EXPECT_TRUE(routes.contains("problem/loop"));
  EXPECT_FALSE(FindFigure(data_["sections"], "work-precision", "of loop"));
  EXPECT_EQ(Csv("problems.csv").size(), 2u);
  const auto times = Csv("evaluations.loop.csv");
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(times[0].at("nanoseconds"), "320");
  EXPECT_EQ(times[0].at("nanoseconds_per_joint"), "160") << "of the revolute and the ball joint";
}

TEST_F(Pages, TheWordsOfTheReportAndTheIntegratorOfAMethodAreExplained) {
  AddCells("small");
  store_.Execute(
      "INSERT INTO method VALUES ('run1', 'stepper', '{\"own_integrator\": \"halves\"}')");
  Write();
  const std::string markdown = WholeMarkdown(store_.path());
  EXPECT_THAT(markdown, HasSubstr("## How to read it, and the words used here"));
  EXPECT_THAT(markdown, HasSubstr("Its own integrator: halves."));
}

TEST_F(Pages, ProblemsWhoseNamesDifferInPunctuationOnlyHaveSeparatePages) {
  const std::vector<std::string> names = {"a:b", "a-b", "ü", "ö"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    store_.AddProblem(names[i], Document(4, 0, 1e-12));
    const double x = static_cast<double>(i + 1);
    const Json poses = {{x, 0, 0, 1, 0, 0, 0}, {x, 0, 0, 1, 0, 0, 0}};
    store_.AddCell({names[i], kFast, "rk4", "accuracy", 1e-3}, 1e-2, {0.001},
                   {{"trajectory", {{"times", {0, 2}}, {"bodies", {"1"}}, {"poses", poses}}}});
  }
  Write();
  std::map<std::string, std::string> route_of;
  std::set<std::string> routes, anchors, motions;
  for (const Json& page : data_["pages"]) {
    EXPECT_TRUE(routes.insert(page["route"]).second) << page["route"];
    route_of[page["title"]] = page["route"];
  }
  EXPECT_EQ(route_of.at("a:b"), "problem/a-b");
  EXPECT_EQ(route_of.at("a-b"), "problem/a-b-2");
  EXPECT_EQ(route_of.at("ü"), "problem/unnamed");
  EXPECT_EQ(route_of.at("ö"), "problem/unnamed-2");
  for (const Json& section : data_["sections"]) {
    for (const Json& inner : section["sections"])
      EXPECT_TRUE(anchors.insert(inner["id"]).second) << inner["id"];
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Json* figure = FindFigure(data_["sections"], "player", "motion: " + names[i]);
    ASSERT_TRUE(figure) << names[i];
    const std::string id = (*figure)["data"]["motions"];
    EXPECT_TRUE(motions.insert(id).second) << id;
    const Json motion = DataOfElement(html_, id);
    EXPECT_EQ(motion["cells"][0]["extent"], static_cast<double>(i + 1)) << names[i];
  }
}

TEST_F(Pages, TheTableOfEveryCellHasItsReason) {
  AddCells("small");
  Write();
  const Json* figure = FindFigure(data_["sections"], "work-precision", "small");
  ASSERT_TRUE(figure);
  const Json& table = (*figure)["table"];
  int reasons = 0;
  for (const Json& row : table["rows"]) {
    ASSERT_EQ(row.size(), table["columns"].size());
    reasons += row.back() == "chains only";
  }
  EXPECT_EQ(reasons, 1);
}

TEST_F(Pages, EveryLinkLeadsToAPageAndProblemsWithoutCellsHaveNoMatrixRow) {
  AddCells("small");
  store_.AddProblem("evaluated", Document(7, 0, 1e-12));
  TrialRow row{.problem = "evaluated", .kind = "agreement"};
  row.record = Json{{"methods", {{{"method", kFast}, {"error", 3e-13}}}}}.dump();
  store_.Add(row);
  Write();
  std::set<std::string> routes;
  for (const Json& page : data_["pages"]) routes.insert(page["route"]);
  EXPECT_EQ(routes.count("problem/evaluated"), 0u);
  int links = 0;
  const auto check_table = [&](const Json& table) {
    for (const Json& cells : table["rows"]) {
      for (const Json& cell : cells) {
        if (!cell.is_array() || cell.size() < 4) continue;
        ++links;
        const std::string link = cell[3];
        EXPECT_TRUE(routes.contains(link) || std::filesystem::exists(folder_ / "out" / link))
            << cell;
      }
    }
  };
  const std::function<void(const Json&)> check = [&](const Json& sections) {
    for (const Json& section : sections) {
      for (const Json& block : section["blocks"]) {
        if (block["kind"] == "table") check_table(block);
        if (block["kind"] == "figure") check_table(block["table"]);
      }
      check(section["sections"]);
    }
  };
  check(data_["sections"]);
  EXPECT_GT(links, 5);
  const Json* matrix = FindFigure(data_["sections"], "outcomes", "Outcome of every cell");
  ASSERT_TRUE(matrix);
  ASSERT_EQ((*matrix)["data"]["rows"].size(), 1u);
  EXPECT_EQ((*matrix)["data"]["rows"][0]["label"], "small");
  EXPECT_THAT((*matrix)["notes"].dump(), HasSubstr("evaluated."));
}

TEST_F(Pages, AProblemsParametersAreThoseOfItsDocument) {
  AddCells("small");
  Write();
  const auto rows = Csv("parameters.small.csv");
  std::map<std::string, std::string> values;
  for (const auto& row : rows) values[row.at("what")] = row.at("value");
  EXPECT_EQ(values["bodies, as drawn"], "1 × rod of 1 m");
  EXPECT_EQ(values["gravity"], "(0, -9.81, 0) m/s²");
  EXPECT_EQ(values["length L"], "1 m");
}

TEST_F(Pages, AMethodsPageHasFewerColumnsThanItsFile) {
  AddCells("small");
  Write();
  const auto rows = Csv("method.riccati-mstmm-general.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("cells ok"), "4");
  EXPECT_EQ(std::stod(rows[0].at("time at 1e-6")), 0.016);
  EXPECT_EQ(rows[0].at("verdict"), "fastest");
  const std::string page = WholeMarkdown(store_.path());
  EXPECT_THAT(page, HasSubstr("| problem | cells ok | least error | time at 1e-6 "
                              "| ratio to the fastest, verdict | fastest |"));
  EXPECT_THAT(page, HasSubstr("| 4 of 4 | 1e-6<br>rk4, tol 1e-7 |"));
}

TEST_F(Pages, AMethodsPageListsItsRefusals) {
  AddCells("small");
  Write();
  const std::string markdown = WholeMarkdown(store_.path());
  EXPECT_THAT(markdown, HasSubstr("| unsupported: chains only | 1 | small |"));
  const auto rows = Csv("refusals.kane-huston-paper.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("which"), "small");
}

// Little-endian 16-bit integers out of base64.
std::vector<int> Unpack(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned> bytes;
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6u | static_cast<unsigned>(digits.find(c));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(bits >> held & 0xFFu);
  }
  std::vector<int> numbers;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
    numbers.push_back(static_cast<std::int16_t>(bytes[i] | bytes[i + 1] << 8u));
  return numbers;
}

TEST_F(Pages, MotionsHoldThePosesOfTheStoreToTheirSixteenBits) {
  const std::vector<std::vector<double>> poses = {{2, -0.5, 0, 1, 0, 0, 0},
                                                  {-1, 0.25, 1e-3, 0.6, 0, 0, -0.8}};
  const Json record = {{"trajectory", {{"times", {0, 2}}, {"bodies", {"1"}}, {"poses", poses}}}};
  store_.AddCell({"small", kFast, "rk4", "accuracy", 1e-3}, 1e-2, {0.001}, record);
  store_.AddCell({"small", kSlow, "ida", "accuracy", 1e-3}, 1e-2, {0.010});  // recorded no motion
  Write();
  const Json* figure = FindFigure(data_["sections"], "player", "small");
  ASSERT_TRUE(figure);
  const Json motions = DataOfElement(html_, "motions-small");
  EXPECT_EQ(motions["gravity"], Json({0, -9.81, 0}));
  ASSERT_EQ(motions["cells"].size(), 1u);
  const Json& cell = motions["cells"][0];
  EXPECT_EQ(cell["method"], kFast);
  EXPECT_EQ(motions["characteristic_time"], 0.5);
  const std::vector<int> packed = Unpack(cell["poses"]);
  ASSERT_EQ(packed.size(), 14u);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    const double scale = i % 7 < 3 ? cell["extent"].get<double>() : 1;
    EXPECT_NEAR(packed[i] / 32767. * scale, poses[i / 7][i % 7], scale / 32767) << i;
  }
}

TEST_F(Pages, AMechanismAtRestIsDrawnInTheRecordedPose) {
  const std::vector<double> pose = {0, 0.25, -0.5, 0.6, 0, 0.8, 0};
  const Json record = {{"steady_state", {{"unknowns", {{"phi", 1.}}}, {"units", {{"phi", "rad"}}}}},
                       {"trajectory", {{"times", {0}}, {"bodies", {"1"}}, {"poses", {pose}}}}};
  store_.AddCell({"small", kFast, "kinsol", "accuracy", 1e-12}, 1e-14, {}, record);
  Write();
  EXPECT_FALSE(FindFigure(data_["sections"], "player", "small"));
  const Json state = DataOfElement(html_, "motions-steady-small");
  ASSERT_EQ(state["times"], Json({0}));
  const std::vector<int> packed = Unpack(state["cells"][0]["poses"]);
  ASSERT_EQ(packed.size(), pose.size());
  for (std::size_t i = 0; i < pose.size(); ++i)
    EXPECT_NEAR(packed[i] / 32767. * (i < 3 ? 0.5 : 1), pose[i], 1. / 32767) << i;
}

TEST_F(Pages, MembersOfAFamilyWithEqualNumbersOfBodiesAreNotOneCurve) {
  for (const auto& [name, bodies] : {std::pair<std::string, int>{"ladder:bodies=10,loops=1", 10},
                                     {"ladder:bodies=10,loops=2", 10},
                                     {"ladder:bodies=20,loops=2", 20}}) {
    Json document = Document(bodies, 1, 1e-12);
    document["family"] = "ladder";
    store_.AddProblem(name, document);
    TrialRow row{.problem = name, .method = kFast, .kind = "evaluation"};
    row.record = Json{{"nanoseconds_per_body", 70}, {"what", "accelerations"}}.dump();
    store_.Add(row);
  }
  Write();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/csv/scaling_evaluation.ladder.csv"));
  const auto rows = Csv("scaling_evaluation.ladder-loops-2.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("bodies"), "10");
  EXPECT_EQ(rows[1].at("bodies"), "20");
}

TEST_F(Pages, ScalingOfWideLoopsIsDrawnOverTheirWidth) {
  for (const auto& [name, loops, cost] :
       {std::tuple<std::string, int, int>{"ladder:bodies=10,loops=1", 1, 60},
        {"ladder:bodies=10,loops=2", 2, 65},
        {"ladder:bodies=10,loops=3", 3, 70},
        {"ladder:bodies=10,loops=3,width=2", 3, 90},
        {"ladder:bodies=10,loops=3,width=3", 3, 110}}) {
    Json document = Document(10, loops, 1e-12);
    document["family"] = "ladder";
    store_.AddProblem(name, document);
    TrialRow row{.problem = name, .method = kFast, .kind = "evaluation"};
    row.record = Json{{"nanoseconds_per_body", cost}, {"what", "accelerations"}}.dump();
    store_.Add(row);
  }
  Write();
  const auto column = [this](const std::string& file, const std::string& title) {
    std::vector<std::string> values;
    for (const auto& row : Csv(file)) values.push_back(row.at(title));
    return values;
  };
  using testing::ElementsAre;
  EXPECT_THAT(column("loop_cost.ladder_10_bodies.csv", "loops"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(column("loop_cost.ladder_10_bodies.csv", "nanoseconds_per_body"),
              ElementsAre("60", "65", "70"));
  EXPECT_THAT(column("loop_cost.ladder_10_bodies_3_loops.csv", "width"),
              ElementsAre("1", "2", "3"));
  EXPECT_THAT(column("loop_cost.ladder_10_bodies_3_loops.csv", "nanoseconds_per_body"),
              ElementsAre("70", "90", "110"));
}

TEST_F(Pages, ThePowerOfGrowthIsStatedPerFamilyFromThreeSizesOn) {
  const auto add = [this](const std::string& family, int bodies, double nanoseconds_per_body) {
    const std::string name = fmt::format("{}:bodies={}", family, bodies);
    Json document = Document(bodies, 0, 1e-12);
    document["family"] = family;
    store_.AddProblem(name, document);
    TrialRow row{.problem = name, .method = kFast, .kind = "evaluation"};
    row.record =
        Json{{"nanoseconds_per_body", nanoseconds_per_body}, {"what", "accelerations"}}.dump();
    store_.Add(row);
  };
  for (const int bodies : {10, 100, 1000}) add("chain", bodies, 5 * bodies);
  for (const int bodies : {10, 100}) add("tree", bodies, 5 * bodies);
  Write();
  const auto rows = Csv("scaling_powers.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_NEAR(std::stod(rows[0].at("chain")), 2, 1e-12);
  EXPECT_FALSE(rows[0].contains("tree"));
}

TEST_F(Pages, ThePowerOfGrowthIsThatOfEvaluationsWithARightDigit) {
  for (const int bodies : {10, 100, 1000, 10000}) {
    const std::string name = fmt::format("chain:bodies={}", bodies);
    Json document = Document(bodies, 0, 1e-12);
    document["family"] = "chain";
    store_.AddProblem(name, document);
    const bool is_lost = bodies > 1000;
    store_.Add({.problem = name,
                .method = kFast,
                .kind = "evaluation",
                .record = Json{{"nanoseconds_per_body", is_lost ? 1 : 5 * bodies},
                               {"what", "accelerations"}}
                              .dump()});
    store_.Add(
        {.problem = name,
         .kind = "agreement",
         .record = Json{{"states", 4},
                        {"methods", {{{"method", kFast}, {"error", is_lost ? 1e142 : 1e-12}}}}}
                       .dump()});
  }
  Write();
  EXPECT_NEAR(std::stod(Csv("scaling_powers.csv")[0].at("chain")), 2, 1e-12);
}

TEST_F(Pages, TheEnginesPageNamesTheCommandThatMeasuresMissingBuilds) {
  AddEngine({{"origin", "engine"}});
  const std::pair<const char*, const char*> cases[] = {{"-O2 -march=x86-64", "ratio_debian"},
                                                       {"-O3 -march=native", "ratio_native"},
                                                       {"-O3 -march=x86-64-v3", "ratio_x86_64_v3"}};
  for (const auto& [flags, column] : cases) {
    SetFlags(flags);
    Write();
    EXPECT_THAT(WholeMarkdown(store_.path()), HasSubstr("; `make engines` measures both"));
    EXPECT_EQ(Csv("engines.csv")[0].at(column), "1");
  }
}

TEST_F(Pages, ABuildForAnotherProcessorIsNotCountedAsOneOfTheThree) {
  AddEngine({{"origin", "engine"}});
  SetFlags("-O3 -march=x86-64-v4");
  Write();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/csv/engines.csv"));
}

TEST_F(Pages, AnEngineIsRecognisedByItsOriginNotByItsOwnIntegrator) {
  store_.Execute("INSERT INTO method VALUES ('run1', 'rival', '{\"origin\": \"engine\"}')");
  store_.Execute(
      "INSERT INTO method VALUES ('run1', 'stepper', '{\"origin\": \"ours\", \"own_integrator\": "
      "\"a scheme of its own\"}')");
  const std::pair<const char*, int> times[] = {{"rival", 140}, {"stepper", 70}, {kFast, 280}};
  for (const auto& [method, time] : times) {
    TrialRow row{.problem = "small", .method = method, .kind = "evaluation"};
    row.record = Json{{"nanoseconds_per_body", time}, {"what", "accelerations"}}.dump();
    store_.Add(row);
  }
  SetFlags("-O3 -march=native");
  Write();
  const auto rows = Csv("engines.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("engine"), "rival");
  EXPECT_EQ(rows[0].at("baseline"), "stepper");
  EXPECT_EQ(rows[0].at("ratio_native"), "2")
      << "of two that evaluate as many the quicker: the stepper";
}

TEST_F(Pages, EnginesAreSummarisedByRatioAndUnfinishedCellsAreCounted) {
  store_.Execute("INSERT INTO method VALUES ('run1', 'engine', '{\"origin\": \"engine\"}')");
  const auto add = [this](const std::string& problem, const char* method, double time) {
    TrialRow row{.problem = problem, .method = method, .kind = "evaluation"};
    if (time == 0) row.outcome = "timeout";
    row.record = Json{{"nanoseconds_per_body", time}, {"what", "accelerations"}}.dump();
    store_.Add(row);
  };
  SetFlags("-O3 -march=native");
  const double engine_times[] = {140, 210, 700, 0};
  for (int i = 0; i < 4; ++i) {
    const std::string name = fmt::format("chain:bodies={}", i + 2);
    store_.AddProblem(name, Document(i + 2, 0, 1e-12));
    add(name, kFast, 70);
    add(name, "engine", engine_times[i]);
  }
  Write();
  const auto rows = Csv("engine_ratios.csv");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("problems"), "3");
  EXPECT_EQ(rows[0].at("least"), "2");
  EXPECT_EQ(rows[0].at("median"), "3");
  EXPECT_EQ(rows[0].at("most"), "10");
  EXPECT_EQ(rows[0].at("without a time"), "1 timeout");
  const auto times = Csv("engines.csv");
  ASSERT_EQ(times.size(), 4u);
  EXPECT_EQ(times[2].at("ratio_native"), "10");
  EXPECT_EQ(times[3].at("ratio_native"), "");
}

// Two sizes of a family, and two problems with the same number of bodies, which the store lists by rising speed.
TEST_F(Pages, TheFigureOfEnginesHasOneStylePerEngineAndItsRowsAreByBodiesAndTime) {
  store_.Execute("INSERT INTO method VALUES ('run1', 'engine', '{\"origin\": \"engine\"}')");
  SetFlags("-O3 -march=native");
  const auto add = [this](const std::string& name, int bodies, double time) {
    store_.AddProblem(name, Document(bodies, 0, 1e-12));
    for (const auto& [method, own] :
         {std::pair<const char*, double>{kFast, 10}, {"engine", time}}) {
      TrialRow row{.problem = name, .method = method, .kind = "evaluation"};
      row.record = Json{{"nanoseconds_per_body", own}, {"what", "accelerations"}}.dump();
      store_.Add(row);
    }
  };
  add("chain:bodies=2", 2, 20);
  add("chain:bodies=4", 4, 30);
  add("ladder:loops=1", 9, 80);
  add("ladder:loops=2", 9, 50);
  Write();
  const auto rows = Csv("engines.csv");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[2].at("problem"), "ladder:loops=2") << "the shorter time first";
  const Json* figure = FindFigure(data_["sections"], "scaling", "Time of one evaluation, engine");
  ASSERT_TRUE(figure);
  const Json& series = (*figure)["data"]["series"];
  ASSERT_EQ(series.size(), 1u) << "one engine";
  EXPECT_EQ(series[0]["name"], "engine");
  EXPECT_FALSE(series[0].contains("symbol")) << "the marker is that of the engine";
  std::string shape;  // of the line: a point, or an interruption
  for (const Json& point : series[0]["points"]) shape += point[1].is_null() ? '|' : '.';
  EXPECT_EQ(shape, "..|.|.") << "sizes are joined, problems of equal size are not";
}

TEST_F(Pages, UnknownsOfASteadyStateAreInTheOrderOfTheirNumbers) {
  store_.AddCell(
      {"small", kFast, "kinsol", "accuracy", 1e-12}, 1e-15, {1e-5},
      Json{{"steady_state",
            {{"unknowns", {{"hinge_1", 0.3}, {"hinge_10", 0.1}, {"hinge_2", 0.2}}},
             {"units", {{"hinge_1", "rad"}, {"hinge_10", "rad"}, {"hinge_2", "rad"}}}}}});
  Write();
  std::vector<std::string> names;
  for (const auto& row : Csv("steady_states.csv")) names.push_back(row.at("unknown"));
  EXPECT_THAT(names, testing::ElementsAre("hinge_1", "hinge_2", "hinge_10"));
}

TEST_F(Pages, VariantsAreGroupedWithFewerOptionsFirst) {
  for (const char* method : {"riccati-mstmm:general,none", "riccati-mstmm:paper"})
    store_.AddMethod(method);
  AddCells("small");
  Write();
  std::vector<std::string> names;
  for (const auto& row : Csv("methods.csv")) names.push_back(row.at("method"));
  const auto at = [&names](const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  EXPECT_EQ(std::abs(at("riccati-mstmm:paper") - at(kFast)), 1);
  EXPECT_EQ(at("riccati-mstmm:general,none"), std::max(at("riccati-mstmm:paper"), at(kFast)) + 1);
}

TEST_F(Pages, WarningsByTheReaderOfAFileAreOnItsPageAndOnTheFrontPage) {
  Json read = Document(4, 0, 1e-12);
  read["warnings"] = Json::array({"<wobble> is not known and may change the motion"});
  store_.AddProblem("robot", read);
  AddCells("robot");
  Write();
  EXPECT_THAT(ReadFile(folder_ / "out/report.md"), HasSubstr("may change the motion"));
  const std::string whole = WholeMarkdown(store_.path());
  const std::size_t first = whole.find("may change the motion");
  ASSERT_NE(std::string::npos, first);
  EXPECT_NE(std::string::npos, whole.find("may change the motion", first + 1));
}

TEST_F(Pages, ACommandInTheMarkdownReportIsPrintedUnescaped) {
  AddCells("small");
  Write();
  EXPECT_THAT(WholeMarkdown(store_.path()),
              HasSubstr("`mbsbench run --problem 'chainN:*' --problem 'chainN3d:*' --method "));
}

TEST_F(Pages, ADamagedTrajectoryIsNotShownAsAMotion) {
  const Json record = {
      {"trajectory", {{"times", {0, 2}}, {"bodies", {"1"}}, {"poses", {{1, 2, 3}, {1, nullptr}}}}}};
  store_.AddCell({"small", kFast, "rk4", "accuracy", 1e-3}, 1e-2, {0.001}, record);
  Write();
  EXPECT_FALSE(FindFigure(data_["sections"], "player", "small"));
}

TEST_F(Pages, ALinkInTheFolderOfTheReportIsReplacedAndItsTargetKept) {
  AddCells("small");
  std::ofstream(folder_ / "kept") << "kept";
  std::filesystem::create_directories(folder_ / "out/csv");
  const std::vector<std::string> names{"report.html", "report.md", "reproduce.json",
                                       "csv/cells.csv"};
  for (const std::string& name : names)
    std::filesystem::create_symlink(folder_ / "kept", folder_ / ("out/" + name));
  Write();
  EXPECT_EQ("kept", ReadFile(folder_ / "kept"));
  for (const std::string& name : names)
    EXPECT_FALSE(std::filesystem::is_symlink(folder_ / ("out/" + name))) << name;
}

}  // namespace
}  // namespace mbsbench::report_tests
