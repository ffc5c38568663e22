// The command line as users see it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

#include "harness/records/search_limits.h"
#include "harness/store/store.h"
#include "methods/interface/plugin.h"
#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "tests/harness/command_line/bench.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using Arguments = std::vector<std::string>;

CommandResult Toys(const Arguments& arguments) { return RunCommand(TOYS_EXECUTABLE, arguments); }

struct WrongInput {
  Arguments arguments;
  std::string says;
};

void PrintTo(const WrongInput& input, std::ostream* out) {
  for (const std::string& argument : input.arguments) *out << argument << ' ';
}

class WrongInputs : public testing::TestWithParam<WrongInput> {};

TEST_P(WrongInputs, AreRefusedWithOneSentenceAndExitCode2) {
  const CommandResult result = Toys(GetParam().arguments);
  EXPECT_EQ(2, result.exit_code);
  EXPECT_EQ("", result.out);
  EXPECT_THAT(result.err, HasSubstr(GetParam().says));
  EXPECT_EQ(0u, result.err.rfind("mbsbench: ", 0)) << result.err;
  EXPECT_EQ(1, std::count(result.err.begin(), result.err.end(), '\n')) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, WrongInputs,
    testing::Values(
        WrongInput{
            {},
            "give a command: list, solve, accelerations, settle, health, steady, stability, check"},
        WrongInput{{"slove", "pendulum", "toy-twin"},
                   "there is no command 'slove'. Did you mean 'solve'"},
        WrongInput{{"--jsn"}, "there is no option '--jsn'"},
        WrongInput{{"solve"}, "PROBLEM is required"},
        WrongInput{{"solve", "pendulum"}, "METHOD is required"},
        WrongInput{{"solve", "pendulm"}, "there is no problem 'pendulm'. Did you mean 'pendulum'"},
        WrongInput{{"solve", "pendulm", "toy-twinn"}, "there is no problem 'pendulm'"},
        WrongInput{{"accelerations", "pendulm"}, "there is no problem 'pendulm'"},
        WrongInput{{"accelerations", "pendulm", "toy-twinn"}, "there is no problem 'pendulm'"},
        WrongInput{{"show", "pendulm", "--method", "toy-twinn"}, "there is no problem 'pendulm'"},
        WrongInput{{"bench", "--problem", "pendulm"}, "there is no problem 'pendulm'"},
        WrongInput{{"bench", "--problem", "pendulm", "--method", "toy-twinn"},
                   "there is no problem 'pendulm'"},
        WrongInput{{"explain", "pendulm", "toy-twinn"}, "there is no problem 'pendulm'"},
        WrongInput{{"explain", "pendulm"}, "there is no problem 'pendulm'"},
        WrongInput{{"explain", "pendulum"}, "explain needs a METHOD after the problem 'pendulum'"},
        WrongInput{{"explain", "pendulum", "toy-twin", "more"}, "CELL takes 1 to 2 values"},
        WrongInput{{"explain", "pendulum", "toy-twin", "--tolerance", "nan"}, "--tolerance is nan"},
        WrongInput{{"explain", "pendulum", "toy-twin", "--step", "-1"}, "--step is -1"},
        WrongInput{{"solve", "no_such.urdf", "toy-twin"},
                   "the robot file 'no_such.urdf' does not exist"},
        WrongInput{{"convert", "pendulum", "--end", "3"}, "--end is for a robot file"},
        WrongInput{{"convert", "pendulm", "--end", "3"}, "there is no problem 'pendulm'"},
        WrongInput{{"advise", "pendulum", "--error", "1"}, "--error is 1"},
        WrongInput{{"advise", "pendulum", "--minutes", "0"}, "--minutes is 0"},
        WrongInput{{"steady", "swing", "--starts", "0"}, "--starts is 0"},
        WrongInput{{"check", "a.urdf", "--loop-precision", "nan"},
                   "--loop-precision is nan: a number from 1e-16 to 1e-5 is needed"},
        WrongInput{{"check", "a.urdf", "--loop-precision", "1e-4"}, "--loop-precision is 1e-4"},
        WrongInput{{"task", ".", "0"}, "SHARD is 0"},
        WrongInput{{"bench", "--gate", "--list"}, "give either --list or --gate, not both"},
        WrongInput{{"bench", "--gate", "--rounds", "3"}, "give either --gate or --rounds"},
        WrongInput{{"bench", "--reason", "none"}, "--reason requires --move-baselines"},
        WrongInput{{"bench", "--pair", "toy-twin"}, "--pair takes 2 values"},
        WrongInput{{"bench", "--run", "a.sqlite"}, "--run is for --gate and --move-baselines"},
        WrongInput{{"compare", "a", "b", "--json", "--markdown"},
                   "give either --json or --markdown, not both"},
        WrongInput{{"solve", "pendulm", "toy-twin"},
                   "there is no problem 'pendulm'. Did you mean 'pendulum'"},
        WrongInput{{"solve", "pendulum:bodies=3", "toy-twin"}, "has no options"},
        WrongInput{{"solve", "branchN:body=3", "toy-twin"}, "Did you mean 'bodies'?"},
        WrongInput{{"solve", "branchN:bodies=many", "toy-twin"}, "a whole number"},
        WrongInput{{"solve", "pendulum", "toy-twinn"},
                   "there is no method 'toy-twinn'. Did you mean 'toy-twin'"},
        WrongInput{{"solve", "pendulum", "toy-twin:fast"}, "has no options"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--integrator", "rk5"},
                   "there is no integrator 'rk5'"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--integrator", "ida"},
                   "use rk4 or dopri5 or fehlberg8"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--tolerance", "small"}, "--tolerance"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--tolerance", "-1"}, "--tolerance is -1"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--tolerance", "nan"}, "--tolerance is nan"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--tolerance"}, "--tolerance"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--tolerance", "1e-6", "--step", "0.1"},
                   "not both"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--integrator", "rk4", "--tolerance", "1e-6"},
                   "fixed step only"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--end", "0"}, "--end is 0"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--tolerance", ""},
                   "--tolerance: its value is empty"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--step="}, "--step takes 1 value"},
        WrongInput{{"solve", "", "toy-twin"}, "PROBLEM: its value is empty"},
        WrongInput{{"run", "--store", ""}, "--store: its value is empty"},
        WrongInput{{"run", "--problem", ""}, "--problem: its value is empty"},
        WrongInput{{"list", "furbar"}, "Did you mean 'fourbar'"},
        WrongInput{{"--plugin", "", "list"}, "--plugin: its value is empty"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--time-limit", "0"}, "--time-limit is 0"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--time-limit", "inf"}, "--time-limit is inf"},
        WrongInput{{"solve", "branchN:bodies=6,bodies=12", "toy-twin"},
                   "option 'bodies' of problem 'branchN' is given more than once"},
        WrongInput{{"run", "--seed", "18446744073709551616", "--store", "/tmp/never.sqlite"},
                   "--seed is 18446744073709551616: a whole number from 0 to 18446744073709551615"},
        WrongInput{{"run", "--seed", "-1", "--store", "/tmp/never.sqlite"},
                   "--seed is -1: a whole number"},
        WrongInput{{"run", "--retry", "crash", "--store", "/tmp/never.sqlite"},
                   "there is no outcome 'crash'. Did you mean 'crashed'"},
        WrongInput{{"steady", "swing", "--seed", "1e3"}, "--seed is 1e3: a whole number"},
        WrongInput{{"bench", "--seed", "99999999999999999999"}, "a whole number"},
        WrongInput{{"bench", "--gate", "--baselines", "/no/such/folder"},
                   "the folder '/no/such/folder' holds no baselines"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--tolernce", "1e-6"},
                   "there is no option '--tolernce' of solve. Did you mean '--tolerance'"},
        WrongInput{{"solve", "pendulum", "toy-twin", "more"},
                   "'more' is one argument too many for solve"},
        WrongInput{{"solve", "pendulum", "toy-twin", "--csv", "/no/such/folder/file.csv"},
                   "cannot be written"},
        WrongInput{{"accelerations", "pendulum", "toy"}, "there is no method 'toy'"},
        WrongInput{{"certify", "pend"}, "there is no problem 'pend'"},
        WrongInput{{"run", "--quick", "--full", "--store", "/tmp/never.sqlite"},
                   "either --quick or --full"},
        WrongInput{{"run", "--rounds", "0", "--store", "/tmp/never.sqlite"}, "--rounds is 0"},
        WrongInput{{"run", "--minutes", "-1", "--store", "/tmp/never.sqlite"}, "--minutes is -1"},
        WrongInput{{"run", "--minutes", "0", "--store", "/tmp/never.sqlite"}, "--minutes is 0"},
        WrongInput{{"run", "--minutes", "nan", "--store", "/tmp/never.sqlite"}, "--minutes is nan"},
        WrongInput{{"run", "--minutes", "soon", "--store", "/tmp/never.sqlite"}, "--minutes"},
        WrongInput{{"run", "--target", "0", "--store", "/tmp/never.sqlite"},
                   "--target is 0: a number from 1e-12 to 0.1 is needed"},
        WrongInput{{"run", "--target", "abc", "--store", "/tmp/never.sqlite"},
                   "--target is abc: a number from 1e-12 to 0.1 is needed"},
        WrongInput{{"run", "--time-limit", "0", "--store", "/tmp/never.sqlite"},
                   "--time-limit is 0"},
        WrongInput{{"run", "--memory-limit", "1", "--store", "/tmp/never.sqlite"},
                   "--memory-limit is 1"},
        WrongInput{{"run", "--problem", "pendulm", "--store", "/tmp/never.sqlite"},
                   "Did you mean 'pendulum'"},
        WrongInput{{"run", "--method", "riccati*", "--store", "/tmp/never.sqlite"},
                   "no method matches 'riccati*'"},
        WrongInput{{"run", "--method", "toy-twin", "--store", "/tmp"}, "is a folder"},
        WrongInput{{"run", "--method", "toy-twin", "--store", "/proc/x/s.sqlite"},
                   "cannot be made"},
        WrongInput{{"report", "--store", "/tmp/never.sqlite"},
                   "there is no store '/tmp/never.sqlite'"},
        WrongInput{{"export", "--store", "/tmp/never.sqlite", "/tmp/out.sqlite"},
                   "there is no store"},
        WrongInput{{"compare"}, "RUN_A is required"},
        WrongInput{{"compare", "/tmp/never.sqlite", "/tmp/never.sqlite"}, "there is no store"},
        WrongInput{{"compare", "/tmp", "/tmp"}, "is a folder"},
        WrongInput{{"explain"}, "CELL is required"},
        WrongInput{{"explain", "1a2b", "--store", "/tmp/never.sqlite"}, "there is no store"},
        WrongInput{{"explain", "pendulm", "toy-twin"}, "Did you mean 'pendulum'"},
        WrongInput{{"explain", "1a2b", "--budget"}, "--budget runs a cell"},
        WrongInput{{"explain", "pendulum", "toy-twin", "--json"}, "--budget"},
        WrongInput{{"explain", "pendulum", "toy-twin"}, "run the cell now by 'mbsbench solve pend"},
        WrongInput{{"explain", "pendulum", "toy-twin", "--integrator", "rk5"},
                   "there is no integrator 'rk5'"},
        WrongInput{{"export"}, "OUTPUT is required"},
        WrongInput{{"merge", "/tmp/never.sqlite"}, "there is no store"},
        WrongInput{{"run", "--shard", "0/4", "--store", "/tmp/never.sqlite"}, "--shard is '0/4'"},
        WrongInput{{"run", "--shard", "5/4", "--store", "/tmp/never.sqlite"}, "--shard is '5/4'"},
        WrongInput{{"run", "--shard", "a/b", "--store", "/tmp/never.sqlite"}, "--shard is 'a/b'"},
        WrongInput{{"run", "--shard", "2", "--store", "/tmp/never.sqlite"}, "--shard is '2'"},
        WrongInput{{"--plugin", "/no/such.so", "list"}, "/no/such.so"},
        WrongInput{{"list", "--plugin", "/no/such.so"}, "/no/such.so"},
        WrongInput{{"list", "--plugin-time-limit", "-3"}, "--plugin-time-limit is -3"},
        WrongInput{{"help", "slove"}, "there is no command 'slove'. Did you mean 'solve'"},
        WrongInput{{"list", "--plugn", "x.so"}, "Did you mean '--plugin'"},
        WrongInput{{"list", "--plugin-time-limit", "inf"}, "--plugin-time-limit is inf"}),
    NameOfParameter);

TEST(CommandLine, HelpCommandEqualsHelpOption) {
  EXPECT_EQ(Toys({"help", "solve"}).out, Toys({"solve", "--help"}).out);
  EXPECT_EQ(Toys({"help"}).out, Toys({"--help"}).out);
}

// As the help lists them.
std::vector<std::string> AllCommands() {
  const std::string help = Toys({"--help"}).out, heading = "Subcommands:\n";
  std::istringstream lines(help.substr(help.find(heading) + heading.size()));
  std::vector<std::string> commands;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    if (line.rfind("   ", 0) == 0) continue;  // continues a description
    std::istringstream words(line);
    words >> commands.emplace_back();
  }
  return commands;
}

TEST(CommandLine, HelpAndVersionAreNotErrors) {
  const CommandResult version = Toys({"--version"});
  EXPECT_EQ(0, version.exit_code);
  EXPECT_THAT(version.out, HasSubstr("store schema " + std::string(kSchemaVersion) +
                                     "\nplug-in ABI " + std::to_string(kPluginAbi) + "\n"));
  std::vector<Arguments> pages{{"--help"}, {"help"}};
  for (const std::string& command : AllCommands()) pages.push_back({command, "--help"});
  EXPECT_GE(pages.size(), 20u);
  for (const Arguments& page : pages) {
    SCOPED_TRACE(page.front());
    const CommandResult result = Toys(page);
    EXPECT_EQ(0, result.exit_code);
    EXPECT_THAT(result.out, HasSubstr("Exit codes: 0"));
  }
}

TEST(CommandLine, HelpOfEveryCommandFitsATerminalOf100Columns) {
  std::vector<Arguments> pages{{"--help"}};
  for (const std::string& command : AllCommands()) pages.push_back({command, "--help"});
  for (const Arguments& page : pages) {
    std::istringstream lines(Toys(page).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(CommandLine, HelpNamesPositionalArgumentsInOnePlainForm) {
  for (const auto& [command, usage] : {std::pair{"explain", "explain [OPTIONS] CELL..."},
                                       {"merge", "merge [OPTIONS] STORE..."},
                                       {"list", "list [OPTIONS] [NAME...]"},
                                       {"compare", "compare [OPTIONS] RUN_A RUN_B"},
                                       {"bench", "bench [OPTIONS]"}}) {
    const std::string page = Toys({command, "--help"}).out;
    EXPECT_THAT(page, HasSubstr(std::string("Usage: mbsbench ") + usage + "\n"));
    for (const char* jargon : {"REQUIRED", "(1x)", " x 2", "STORE ...", "NAME ..."})
      EXPECT_THAT(page, testing::Not(HasSubstr(jargon))) << command;
  }
}

TEST(CommandLine, ListHasTheThreeArraysAndEachEntryAName) {
  const CommandResult result = Bench({"list", "--json"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  const json list = json::parse(result.out);
  for (const char* kind : {"methods", "problems", "integrators"}) {
    ASSERT_GT(list.at(kind).size(), 0u);
    for (const json& entry : list.at(kind)) EXPECT_TRUE(entry.at("name").is_string());
  }
  const auto has = [&list](const char* kind, const char* name) {
    return std::any_of(list.at(kind).begin(), list.at(kind).end(),
                       [name](const json& e) { return e.at("name") == name; });
  };
  EXPECT_TRUE(has("methods", "riccati-mstmm") && has("methods", "cartesian-dae"));
  EXPECT_TRUE(has("problems", "branch4") && has("problems", "branchN"));
  EXPECT_TRUE(has("integrators", "rk4") && has("integrators", "ida"));
  for (const json& entry : list.at("methods")) EXPECT_TRUE(entry.at("limits").is_array());
}

TEST(CommandLine, ListFitsOnAScreenAndAHalfAndMarksWhichMethodSolvesWhichProblem) {
  const CommandResult text = Bench({"list"}), document = Bench({"list", "--json"});
  ASSERT_EQ(0, text.exit_code) << text.err;
  EXPECT_LE(std::count(text.out.begin(), text.out.end(), '\n'), 115);
  const json list = json::parse(document.out);
  std::vector<std::string> keys;
  for (const json& method : list.at("methods")) keys.push_back(method.at("name"));
  std::istringstream lines(text.out);
  std::map<std::string, std::string> marks;  // by the first word, one per method
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 126u) << line;
    std::istringstream words(line);
    std::string first, word;
    words >> first;
    while (marks[first].size() < keys.size() && words >> word && word.size() == 1)
      marks[first] += word;
  }
  for (const json& problem : list.at("problems")) {
    const std::string& row = marks[problem.at("name")];
    ASSERT_EQ(keys.size(), row.size()) << problem.at("name");
    EXPECT_EQ(std::string::npos, row.find_first_not_of("x.o")) << row;
  }
  // Only two formulations grow, one of them in its paper's variant.
  const std::string& rocket = marks.at("rocket");
  for (std::size_t k = 0; k < keys.size(); ++k) {
    EXPECT_EQ(keys[k] == "articulated-body" ? 'x'
              : keys[k] == "kane-huston"    ? 'o'
                                            : '.',
              rocket[k])
        << keys[k];
  }
  // What several methods share is explained once.
  EXPECT_EQ(text.out.find("drift is not corrected"), text.out.rfind("drift is not corrected"));
  const auto row = std::find_if(list.at("support").begin(), list.at("support").end(),
                                [](const json& r) { return r.at("problem") == "fourbar"; });
  ASSERT_NE(row, list.at("support").end());
  EXPECT_THAT(row->at("solved_by"), testing::Contains("riccati-mstmm:general"));
  EXPECT_THAT(row->at("refused_by").at("kane-huston:general").get<std::string>(),
              HasSubstr("closes a loop"));
}

TEST(CommandLine, ListShowsTheLimitsOfANamedMethodAndTheInstancesOfANamedProblem) {
  const CommandResult result = Bench({"list", "riccati-mstmm", "fourbar"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.out, HasSubstr("limit: paper: reference-chainN3d:bodies=*"));
  EXPECT_THAT(result.out, HasSubstr("fourbar:end=1000"));
  EXPECT_THAT(result.out, HasSubstr("kane-huston:general: joint 'top' closes a loop"));
  EXPECT_THAT(result.out,
              testing::Not(HasSubstr("\n  riccati-mstmm:general: joint")));  // solves it
}

TEST(CommandLine, ListsEveryEngineAndSolvesByThosePresent) {
  const CommandResult result = Bench({"list", "--json"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  const json engines = json::parse(result.out).at("engines");
  ASSERT_EQ(8u, engines.size());
  for (const json& engine : engines) {
    const std::string key = engine.at("name");
    const CommandResult solved = Bench({"solve", "branch4", key, "--end", "0.1", "--json"});
    if (engine.at("present").get<bool>()) {
      ASSERT_EQ(0, solved.exit_code) << key << solved.err;
      EXPECT_LT(json::parse(solved.out).at("metrics").at("error").at("max"), 1e-6) << key;
    } else {
      EXPECT_EQ(2, solved.exit_code) << key;
      EXPECT_THAT(solved.err, HasSubstr(engine.at("hint"))) << key;
    }
  }
}

TEST(CommandLine, SolveGivesSamplesMetricsAndCost) {
  const CommandResult result =
      Toys({"solve", "pendulum", "toy-twin", "--tolerance", "1e-10", "--end", "1", "--json"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  const json solution = json::parse(result.out);
  EXPECT_EQ("ok", solution.at("outcome"));
  ASSERT_EQ(11u, solution.at("samples").size()) << "0 to 1 s by 0.1 s";
  const json& last = solution.at("samples").back();
  EXPECT_EQ(1, last.at("time"));
  const json& bob = last.at("bodies").at(0);
  EXPECT_EQ("bob", bob.at("name"));
  EXPECT_NEAR(0.9862917511318753, bob.at("position").at(0).get<double>(), 1e-8) << "printed value";
  EXPECT_NEAR(-0.1650108531255412, bob.at("position").at(1).get<double>(), 1e-8);
  EXPECT_EQ(4u, bob.at("quaternion").size());
  EXPECT_EQ(3u, bob.at("velocity").size());
  EXPECT_EQ(3u, bob.at("angular_velocity").size());
  EXPECT_LT(solution.at("metrics").at("error").at("max").get<double>(), 1e-8);
  EXPECT_GT(solution.at("cost").at("cpu_seconds").get<double>(), 0);
  EXPECT_GT(solution.at("cost").at("counters").at("steps").get<int>(), 10);
}

TEST(CommandLine, SolveOfASystemThatGrowsNamesAllBodiesInJsonAndThoseOfItsStartInCsv) {
  const std::vector<std::string> solve = {"solve", "rocket:links=4", "kane-huston:paper", "--end",
                                          "1"};
  std::vector<std::string> as_json = solve;
  as_json.push_back("--json");
  const CommandResult document = Bench(as_json), csv = Bench(solve);
  const json solution = json::parse(document.out);
  const json &first = solution.at("samples").front(), &last = solution.at("samples").back();
  EXPECT_EQ(1u, first.at("bodies").size());
  ASSERT_GT(last.at("bodies").size(), 3u);
  EXPECT_EQ("rocket", last.at("bodies").at(0).at("name"));
  EXPECT_EQ("node_2", last.at("bodies").at(2).at("name"));
  std::istringstream rows(csv.out);
  std::size_t count = 0;
  for (std::string row; std::getline(rows, row); ++count)
    EXPECT_EQ(13, std::count(row.begin(), row.end(), ',')) << row;
  EXPECT_EQ(solution.at("samples").size() + 1, count);
}

TEST(CommandLine, SolveGivesASteadyStateAsOneSampleWithoutATime) {
  const CommandResult result = Bench({"solve", "swing", "steady-state-newton", "--json"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  const json solution = json::parse(result.out);
  EXPECT_EQ("ok", solution.at("outcome"));
  ASSERT_EQ(1u, solution.at("samples").size());
  const json& sample = solution.at("samples").at(0);
  EXPECT_TRUE(sample.at("time").is_null());
  EXPECT_NEAR(0.4537717194972358, sample.at("unknowns").at("theta").get<double>(), 1e-13);
  EXPECT_NEAR(1.0153129043019644, sample.at("unknowns").at("d").get<double>(), 1e-13);
  EXPECT_LT(std::abs(sample.at("residuals").at("force along theta").get<double>()), 1e-9);
  EXPECT_EQ("m", sample.at("units").at("d"));
  EXPECT_LT(solution.at("metrics").at("error").at("max").get<double>(), 1e-13);
  EXPECT_EQ(4, solution.at("iterations"));
  EXPECT_EQ(5u, solution.at("residual_history").size());
}

TEST(CommandLine, CertifyGivesASteadyStateInTheSameForm) {
  const CommandResult result = Bench({"certify", "governor", "--json"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  const json certificate = json::parse(result.out);
  EXPECT_LT(certificate.at("error_estimate").get<double>(), 1e-20);
  const json& sample = certificate.at("samples").at(0);
  EXPECT_TRUE(sample.at("time").is_null());
  EXPECT_NEAR(0.1500261156008845, sample.at("unknowns").at("s").get<double>(), 1e-15);
}

TEST(CommandLine, SteadyListsEachStateWithTheNumberOfGuessesThatReachedIt) {
  const CommandResult result = Bench({"steady", "swing:speed=40", "--starts", "100", "--json"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  const json search = json::parse(result.out);
  ASSERT_EQ(3u, search.at("samples").size());
  int reached = 0;
  for (const json& s : search.at("samples")) reached += s.at("reached_by").get<int>();
  for (const auto& [outcome, count] : search.at("failed").items()) reached += count.get<int>();
  EXPECT_EQ(100, reached);
  EXPECT_FALSE(search.at("claims_completeness").get<bool>());
  EXPECT_EQ(2, Bench({"steady", "pendulum"}).exit_code);
}

TEST(CommandLine, SolveWritesCsvToStandardOutputAndItsSummaryToStandardError) {
  const CommandResult result = Toys(
      {"solve", "pendulum", "toy-twin", "--integrator", "rk4", "--step", "0.1", "--end", "0.5"});
  EXPECT_EQ(0u, result.out.rfind("time,bob.x,bob.y,bob.z,bob.qw", 0));
  EXPECT_EQ(7, std::count(result.out.begin(), result.out.end(), '\n')) << "a header and 0 to 0.5 s";
  EXPECT_THAT(result.err, HasSubstr("outcome"));
  EXPECT_THAT(result.err, HasSubstr("5 steps"));
}

TEST(CommandLine, SolveQuotesNamesThatWouldSplitAFieldOfCsv) {
  const TemporaryFolder folder;
  const std::string model = folder.File("odd.json");
  std::ofstream(model) << R"({
  "format": "mbsbench-model",
  "version": 1,
  "name": "odd-names",
  "gravity_m_s2": [0, -9.81, 0],
  "bodies": [
    {"name": "rod, \"left\"", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.01, "yy": 0.1, "zz": 0.1}}
  ],
  "joints": [
    {"name": "pin", "type": "revolute", "parent": "ground", "child": "rod, \"left\"",
     "child_frame": {"position_m": [-0.5, 0, 0]}}
  ],
  "initial_state": [{"joint": "pin", "angle_rad": 0.5, "rate_rad_s": 0}],
  "end_time_s": 0.1
}
)";
  const CommandResult result = Toys({"solve", model, "toy-twin"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  EXPECT_EQ(0u, result.out.rfind(R"(time,"rod, ""left"".x","rod, ""left"".y",)", 0))
      << result.out.substr(0, 80);
}

TEST(CommandLine, SolveBeyondTheReferenceJudgesTheCoveredPart) {
  const CommandResult result = Toys({"solve", "pendulum", "toy-twin", "--end", "11", "--json"});
  EXPECT_EQ(0, result.exit_code);
  const json solution = json::parse(result.out);
  EXPECT_EQ("no_reference", solution.at("outcome"));
  EXPECT_THAT(solution.at("reason").get<std::string>(), HasSubstr("the reference ends at 10 s"));
  EXPECT_TRUE(solution.at("metrics").at("error").at("max").is_number());
  EXPECT_TRUE(solution.at("metrics").at("error").at("end").is_null());
}

TEST(CommandLine, SolveHasADistinctExitCodeForOutcomesOtherThanOk) {
  const auto outcome = [](const CommandResult& result) {
    EXPECT_EQ(3, result.exit_code) << result.err;
    return json::parse(result.out).at("outcome").get<std::string>();
  };
  EXPECT_EQ("unsupported", outcome(Toys({"solve", "branch4", "toy-twin", "--json"})));
  EXPECT_EQ("wrong_equations", outcome(Toys({"solve", "pendulum", "toy-liar", "--json"})));
  EXPECT_EQ("wrong_equations", outcome(Toys({"accelerations", "pendulum", "toy-liar", "--json"})));
  const CommandResult singular = Toys({"solve", "pendulum", "toy-singular", "--json"});
  EXPECT_EQ("singular", outcome(singular));
  EXPECT_THAT(singular.out, HasSubstr("joint 'pin'"));
  EXPECT_EQ("diverged",
            outcome(Toys({"solve", "pendulum", "toy-nan", "--integrator", "rk4", "--json"})));
}

TEST(CommandLine, ALooseToleranceDoesNotMakeAWrongSolutionOk) {
  const CommandResult result =
      Toys({"solve", "pendulum", "toy-twin", "--tolerance", "1", "--json"});
  EXPECT_EQ(3, result.exit_code) << result.err;
  const json solution = json::parse(result.out);
  EXPECT_EQ("inaccurate", solution.at("outcome"));
  EXPECT_GT(solution.at("metrics").at("error").at("max").get<double>(), 1e-3);
}

TEST(CommandLine, SolveEndsAMethodThatHangs) {
  const CommandResult text = Toys({"solve", "pendulum", "toy-hang", "--time-limit", "0.3"});
  EXPECT_EQ(3, text.exit_code);
  EXPECT_THAT(text.err, HasSubstr("outcome   timeout: not finished after 0.3 s"));
  const CommandResult document =
      Toys({"solve", "pendulum", "toy-hang", "--time-limit", "0.3", "--json"});
  EXPECT_EQ(3, document.exit_code);
  const json solution = json::parse(document.out);
  EXPECT_EQ("timeout", solution.at("outcome"));
  EXPECT_EQ("toy-hang", solution.at("method"));
  EXPECT_TRUE(solution.at("samples").empty());
  EXPECT_TRUE(solution.at("metrics").is_null());
}

TEST(CommandLine, ControlCharactersAreNotPrinted) {
  const TemporaryFolder folder;
  const std::string model = folder.File("hostile.json");
  std::ofstream(model) << R"({
  "format": "mbsbench-model",
  "version": 1,
  "name": "hostile",
  "title": "\u001b[31mred\u001b]0;window\u0007 \u009b2J",
  "source": "\u001b[2J",
  "gravity_m_s2": [0, -9.81, 0],
  "bodies": [{"name": "=cmd", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.01, "yy": 0.1, "zz": 0.1}}],
  "joints": [{"name": "pin", "type": "revolute", "parent": "ground", "child": "=cmd",
              "child_frame": {"position_m": [-0.5, 0, 0]}}],
  "initial_state": [{"joint": "pin", "angle_rad": 0.5, "rate_rad_s": 0}],
  "end_time_s": 0.1
}
)";
  const std::string escape = "\x1b[31m";
  for (const Arguments& arguments :
       {Arguments{"check", model}, Arguments{"solve", model, "toy-twin"},
        Arguments{"solve", model, "toy-twin", "--json"},
        Arguments{"accelerations", model, "toy-twin"}, Arguments{"solve", escape, "toy-twin"},
        Arguments{"solve", model, escape}, Arguments{escape}, Arguments{"list", escape},
        Arguments{"check", escape + ".json"}, Arguments{"report", "--store", escape},
        Arguments{"explain", escape, "--store", model}}) {
    const CommandResult result = Toys(arguments);
    for (const std::string* text : {&result.out, &result.err}) {
      EXPECT_TRUE(std::none_of(text->begin(), text->end(),
                               [](char c) { return c == '\x1b' || c == '\a' || c == '\x7f'; }))
          << arguments.front() << ": " << *text;
      EXPECT_EQ(std::string::npos, text->find("\xc2\x9b")) << *text;
    }
  }
  EXPECT_THAT(Toys({"solve", model, "toy-twin"}).out, HasSubstr("time,'=cmd.x,'=cmd.y,"));
}

TEST(CommandLine, AnExceptionInAMethodIsReportedAsOneSentence) {
  const CommandResult result = Toys({"solve", "pendulum", "toy-throw"});
  EXPECT_EQ(4, result.exit_code);
  EXPECT_THAT(result.err,
              HasSubstr("mbsbench: internal error: thrown in an evaluation. Please report it."));
}

TEST(CommandLine, AccelerationsOfBranch4AgreeWithTheCatalogue) {
  for (const char* method : {"riccati-mstmm", "cartesian-dae"}) {
    const CommandResult result = Bench({"accelerations", "branch4", method, "--json"});
    ASSERT_EQ(0, result.exit_code) << result.err;
    const json state = json::parse(result.out);
    for (const json& body : state.at("bodies")) {
      const double expected = body.at("name") == "7" ? -5.886 : 0;  // -3 g / 5
      EXPECT_NEAR(expected, body.at("angular_acceleration").at(2).get<double>(), 1e-11) << method;
      EXPECT_EQ(3u, body.at("acceleration").size());
    }
    double weight = 0;
    for (const json& joint : state.at("joints")) {
      if (joint.at("name") == "ceiling") weight = joint.at("force").at(1).get<double>();
      EXPECT_EQ(3u, joint.at("torque").size());
    }
    // m sum(g + a_y): rods 1, 3, 5 follow the ends of 7, which turn by -5.886 rad/s^2 at 0.5 m.
    EXPECT_NEAR(4 * 9.81 + 2.943 - 2 * 2.943, weight, 1e-10);
  }
}

TEST(CommandLine, AccelerationsAndSolveStateTheConditionAndTheDigitsLeft) {
  for (const char* command : {"accelerations", "solve"}) {
    const CommandResult result = Bench({command, "pendulum", "riccati-mstmm", "--json"});
    ASSERT_EQ(0, result.exit_code) << result.err;
    const json document = json::parse(result.out);
    EXPECT_LT(document.at("condition").get<double>(), 1e3) << command;
    EXPECT_GT(document.at("digits_left").get<double>(), 12) << command;
  }
  EXPECT_THAT(Bench({"accelerations", "pendulum", "riccati-mstmm"}).out, HasSubstr("digits left"));
  EXPECT_THAT(Bench({"solve", "pendulum", "riccati-mstmm"}).err, HasSubstr("digits    "));
}

TEST(CommandLine, WithoutDigitsLeftTheOutcomeIsIllConditionedAndNoNumbersAreGiven) {
  for (const char* command : {"accelerations", "solve"}) {
    const CommandResult result =
        Bench({command, "chainN3d:bodies=50", "classical-mstmm:paper", "--json"});
    EXPECT_EQ(3, result.exit_code) << command;
    const json document = json::parse(result.out);
    EXPECT_EQ("ill_conditioned", document.at("outcome")) << command;
    EXPECT_THAT(document.at("reason").get<std::string>(), HasSubstr("no digit"));
    EXPECT_TRUE(document.at(command[0] == 'a' ? "bodies" : "samples").empty()) << command;
  }
}

TEST(CommandLine, CertifyGivesTheErrorEstimate) {
  const CommandResult result = Bench({"certify", "pendulum", "--json"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  const json certificate = json::parse(result.out);
  EXPECT_LT(certificate.at("error_estimate").get<double>(), 1e-12);
  EXPECT_EQ(101u, certificate.at("samples").size());
  EXPECT_EQ("bob", certificate.at("samples").at(0).at("bodies").at(0).at("name"));
}

// The sentence on the missing certificate ends with the file's name and a full stop.
TEST(CommandLine, CertifyReportsAMissingReferenceInWholeSentences) {
  const TemporaryFolder folder;
  Problem problem = MakeProblem("dpend18");
  problem.name = "without-reference";
  problem.end_time = 0.01;
  problem.published.clear();
  problem.library_measures.clear();
  problem.fixed_steps = {0.001};
  SetSampleTimes(problem);
  std::ofstream(folder.File("model.json")) << WriteModel(problem);
  const CommandResult result =
      RunCommand(MBSBENCH_EXECUTABLE, {"certify", folder.File("model.json")});
  EXPECT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.err, HasSubstr("without-reference.json. "));
  EXPECT_EQ(std::string::npos, result.err.find(".;")) << result.err;
}

TEST(CommandLine, RunExportMergeAndReportWorkOnOneStore) {
  const TemporaryFolder folder;
  const std::string store = folder.File("a.sqlite");
  const CommandResult run =
      Toys({"run", "--quick", "--problem", "pendulum", "--method", "toy-twin", "--method",
            "toy-pendulum", "--integrator", "dopri5", "--rounds", "1", "--store", store});
  EXPECT_EQ(0, run.exit_code) << run.err;
  EXPECT_THAT(run.out, HasSubstr("15 trials run, 0 found"));
  EXPECT_THAT(run.out, HasSubstr("cells: 6 ok"));
  EXPECT_EQ(0, Toys({"export", "--store", store, folder.File("shard.sqlite")}).exit_code);
  EXPECT_EQ(2, Toys({"export", "--store", store, folder.File("shard.sqlite")}).exit_code)
      << "nothing is overwritten";
  EXPECT_THAT(Toys({"merge", "--store", folder.File("b.sqlite"), folder.File("shard.sqlite")}).out,
              HasSubstr("15 trials added, 0 were there already"));
  EXPECT_THAT(Toys({"merge", "--store", folder.File("b.sqlite"), store}).out,
              HasSubstr("0 trials added, 15 were there already"));
  const CommandResult again = Toys({"run", "--quick", "--problem", "pendulum", "--store", store});
  EXPECT_EQ(2, again.exit_code);
  EXPECT_THAT(again.err, HasSubstr("--resume"));
}

TEST(CommandLine, AnIncompleteRunReportsItsCoverageAndTheTimeLeft) {
  const TemporaryFolder folder;
  const std::string store = folder.File("cut.sqlite");
  CommandResult cut;
  // The whole run takes two minutes. A busy machine needs more time for its first cell.
  for (const char* minutes : {"0.04", "0.2", "0.6"}) {
    cut = Toys({"run", "--full", "--problem", "pendulum", "--method", "toy-twin", "--method",
                "toy-pendulum", "--minutes", minutes, "--store", store, "--resume"});
    if (cut.out.find("covered: 1 of 1") != std::string::npos) break;
  }
  EXPECT_EQ(0, cut.exit_code) << cut.err;
  for (const char* part : {" of 8; covered: 1 of 1 problem families", "' continues"})
    EXPECT_THAT(cut.out, HasSubstr(part));
  EXPECT_THAT(cut.out, HasSubstr("'" TOYS_EXECUTABLE " run"));
  EXPECT_THAT(cut.out, HasSubstr("--resume'")) << "the command that continues, without its minutes";
  const CommandResult report =
      Toys({"report", "--store", store, "--output", folder.File("report")});
  EXPECT_EQ(0, report.exit_code);
  EXPECT_LE(std::ranges::count(cut.out, '\n'), 3);
  EXPECT_THAT(report.out, HasSubstr("goes on by: " TOYS_EXECUTABLE " run --full"));
}

TEST(CommandLine, ARunThatMakeStartedGoesOnByMake) {
  const TemporaryFolder folder;
  const std::string store = folder.File("cut.sqlite");
  setenv("MBSBENCH_STARTED_BY", "make suite", 1);
  const CommandResult run = Toys({"run", "--problem", "pendulum", "--method", "toy-twin",
                                  "--minutes", "1e-9", "--store", store});
  unsetenv("MBSBENCH_STARTED_BY");
  EXPECT_THAT(run.out, HasSubstr("'make suite' continues\nresults in " + store + "\n"));
}

TEST(CommandLine, ATargetThatAProblemDoesNotAllowIsNamed) {
  const TemporaryFolder folder;
  const CommandResult run = Toys({"run", "--problem", "kapitza", "--method", "toy-twin", "--target",
                                  "1e-3", "--target", "1e-12", "--store", folder.File("a.sqlite")});
  EXPECT_EQ(0, run.exit_code) << run.err;
  EXPECT_THAT(run.out, HasSubstr("'kapitza': the error 1e-12 is not searched for"));
  EXPECT_THAT(run.out, Not(HasSubstr("1e-3 is not searched for")));
}

TEST(CommandLine, AStoreOfAnEarlierSchemaIsRefusedAndLeftAsItIs) {
  const TemporaryFolder folder;
  const std::string store = folder.File("old.sqlite");
  Store::OpenToWrite(store);
  sqlite3* database = nullptr;
  ASSERT_EQ(SQLITE_OK, sqlite3_open(store.c_str(), &database));
  ASSERT_EQ(SQLITE_OK,
            sqlite3_exec(database, "UPDATE meta SET value = '1'", nullptr, nullptr, nullptr));
  sqlite3_close(database);
  const auto content = [&store] {
    std::ifstream in(store, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  const std::string before = content();
  const CommandResult run =
      Toys({"run", "--resume", "--problem", "pendulum", "--method", "toy-twin", "--store", store});
  EXPECT_EQ(2, run.exit_code);
  EXPECT_EQ("", run.out);
  EXPECT_THAT(run.err, HasSubstr("has schema version 1; this mbsbench reads and writes version"));
  EXPECT_EQ(1, std::ranges::count(run.err, '\n')) << run.err;
  EXPECT_TRUE(before == content());
}

// The error of this method stalls, here just above the target: each next step is expected to hold it.
TEST(CommandLine, ASearchThatEndsAfterTheMostTrialsIsReportedAsNotFoundWithItsLeastError) {
  const TemporaryFolder folder;
  double least = 1;
  const auto status_at = [&](const std::string& target) {
    const std::string store = folder.File(target), output = folder.File("report-" + target);
    EXPECT_NE(2, Toys({"run", "--problem", "pendulum", "--method", "toy-astray", "--integrator",
                       "rk4", "--rounds", "1", "--target", target, "--store", store})
                     .exit_code);
    int trials = 0;
    for (const TrialRow& row : Store::OpenToRead(store).Trials()) {
      if (row.kind != "accuracy") continue;
      least = std::min(least, *row.record.LargestError());
      ++trials;
    }
    EXPECT_EQ(0, Toys({"report", "--store", store, "--output", output}).exit_code);
    std::ifstream csv(output + "/csv/time_at_target.csv");
    for (std::string line; std::getline(csv, line);) {
      for (const char* status : {"not found", "not reached"}) {
        if (line.find(status) != std::string::npos)
          return fmt::format("{} after {}", status, trials);
      }
    }
    return std::string("no such row");
  };
  EXPECT_THAT(status_at("1e-9"), testing::StartsWith("not reached after "));
  EXPECT_EQ(fmt::format("not found after {}", kMostTrials),
            status_at(fmt::format("{:g}", 0.98 * least)));
}

// The lines of a run and its report on a terminal, after a comparison with every kind of failure.
TEST(CommandLine, ARunAndItsReportEndWithTwentyLinesAtMost) {
  const TemporaryFolder folder;
  const std::string store = folder.File("a.sqlite");
  Arguments wrong = {"run",    "--quick",  "--problem", "pendulum", "--integrator",
                     "dopri5", "--rounds", "1",         "--store",  store};
  for (const char* method :
       {"twin", "pendulum", "liar", "singular", "nan", "throw", "crash", "silent", "astray"})
    wrong.insert(wrong.end(), {"--method", std::string("toy-") + method});
  const CommandResult run = Toys(wrong);
  EXPECT_EQ(3, run.exit_code) << run.err;
  const CommandResult report =
      Toys({"report", "--store", store, "--output", folder.File("report")});
  EXPECT_THAT(run.out, HasSubstr("and 1 more; the report has all of them"));
  EXPECT_LE(std::ranges::count(run.out + report.out, '\n'), 18)
      << "two more say of an unfinished run how to go on\n"
      << run.out << report.out;
}

Arguments QuickShard(const std::string& shard, const std::string& store) {
  Arguments run{"run",          "--quick", "--problem", "pendulum", "--problem", "dpend18",
                "--problem",    "branch4", "--method",  "toy-twin", "--method",  "toy-pendulum",
                "--integrator", "dopri5",  "--rounds",  "1",        "--store",   store};
  if (!shard.empty()) run.insert(run.end(), {"--shard", shard});
  return run;
}

TEST(CommandLine, MergedShardsEqualASingleRunInAnyOrderAndAMissingOneIsNamed) {
  const TemporaryFolder folder;
  const std::string plain = folder.File("plain.sqlite"), all = folder.File("all.sqlite");
  ASSERT_EQ(0, Toys(QuickShard("", plain)).exit_code);
  std::vector<std::string> shards;
  for (const char* shard : {"1/4", "2/4", "3/4", "4/4"}) {
    shards.push_back(folder.File(std::string(shard, 1) + ".sqlite"));
    const CommandResult run = Toys(QuickShard(shard, shards.back()));
    ASSERT_EQ(0, run.exit_code) << run.err;
  }
  const CommandResult three =
      Toys({"merge", "--store", all, shards[3], shards[1], shards[1], shards[2]});
  ASSERT_EQ(0, three.exit_code) << three.err;
  EXPECT_THAT(three.out, HasSubstr("shard 1 of 4 is missing: "));
  const CommandResult four = Toys({"merge", "--store", all, shards[0]});
  EXPECT_THAT(four.out, HasSubstr("all shards are there"));
  const json compared = json::parse(Toys({"compare", plain, all, "--json"}).out);
  EXPECT_EQ(0, compared.at("counts").at("worse")) << compared.dump(1);
}

TEST(CommandLine, MergedShardsWithSearchesHoldTheTrialsOfASingleRun) {
  const TemporaryFolder folder;
  const auto search = [&folder](const std::string& shard, const std::string& name) {
    Arguments run = QuickShard(shard, folder.File(name));
    std::erase(run, "--quick");
    run.insert(run.end(), {"--target", "1e-4", "--target", "1e-7"});
    EXPECT_EQ(0, Toys(run).exit_code);
    return folder.File(name);
  };
  // Without timed rounds, whose number follows from their scatter.
  const auto keys = [](const std::string& store) {
    std::set<std::string> all;
    for (const TrialRow& row : Store::OpenToRead(store).Trials()) {
      if (row.kind != "time") all.insert(row.key);
    }
    return all;
  };
  const std::string whole = search("", "whole.sqlite"), all = folder.File("all.sqlite");
  ASSERT_EQ(0, Toys({"merge", "--store", all, search("2/2", "2.sqlite"), search("1/2", "1.sqlite")})
                   .exit_code);
  EXPECT_GE(keys(whole).size(), 12u) << "at least three trials of two methods at two targets";
  EXPECT_EQ(keys(whole), keys(all));
}

TEST(CommandLine, AMergedStoreIsFinishedByTheCommandOfTheWholePlan) {
  const TemporaryFolder folder;
  std::vector<std::string> merge{"merge", "--store", folder.File("all.sqlite")};
  for (const char* shard : {"1/2", "2/2"}) {
    merge.push_back(folder.File(std::string(shard, 1) + ".sqlite"));
    Arguments run = QuickShard(shard, merge.back());
    run.insert(run.end(), {"--minutes", "1e-9"});
    ASSERT_EQ(0, Toys(run).exit_code);
  }
  EXPECT_THAT(Toys(merge).out, HasSubstr("shard 2 of 2 has not finished"));
  Arguments rest = QuickShard("", folder.File("all.sqlite"));
  rest.push_back("--resume");
  const CommandResult run = Toys(rest);
  ASSERT_EQ(0, run.exit_code) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("still waits for")));
  ASSERT_EQ(
      0, Toys({"report", "--store", folder.File("all.sqlite"), "--output", folder.File("report")})
             .exit_code);
  std::ifstream file(folder.File("report/report.md"));
  const std::string report{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(report, Not(HasSubstr("is unfinished")));
  EXPECT_THAT(report, Not(HasSubstr("has not finished")));
  EXPECT_THAT(report, HasSubstr("--rounds 1 --minutes 1e-9 && mbsbench run"));
}

TEST(CommandLine, AShardWithoutAProblemIsCompleteImmediately) {
  const TemporaryFolder folder;
  const CommandResult run = Toys(QuickShard("4/4", folder.File("4.sqlite")));
  EXPECT_EQ(0, run.exit_code) << run.err;
  EXPECT_THAT(run.out, HasSubstr("0 trials run"));
}

TEST(CommandLine, ATruncatedShardIsRefusedBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  const std::string whole = folder.File("1.sqlite"), shard = folder.File("2.sqlite"),
                    all = folder.File("all.sqlite");
  ASSERT_EQ(0, Toys(QuickShard("1/2", whole)).exit_code);
  ASSERT_EQ(0, Toys({"export", "--store", whole, shard}).exit_code);
  std::filesystem::resize_file(shard, std::filesystem::file_size(shard) / 2);
  const CommandResult merge = Toys({"merge", "--store", all, whole, shard});
  EXPECT_EQ(2, merge.exit_code);
  EXPECT_THAT(merge.err, HasSubstr("is damaged"));
  EXPECT_FALSE(std::filesystem::exists(all));
}

std::size_t LongestLine(const std::string& text) {
  std::size_t longest = 0, begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

TEST(CommandLine, CompareReportsRegressionsByItsExitCode) {
  const TemporaryFolder folder;
  const auto run = [&folder](const char* name, const char* method) {
    const std::string store = folder.File(name);
    EXPECT_NE(
        2, Toys({"run", "--quick", "--problem", "pendulum", "--method", "toy-pendulum", "--method",
                 method, "--integrator", "rk4", "--rounds", "1", "--store", store})
               .exit_code);
    return store;
  };
  const std::string a = run("a.sqlite", "toy-twin"), b = run("b.sqlite", "toy-singular");
  const CommandResult same = Toys({"compare", a, a});
  EXPECT_EQ(0, same.exit_code) << same.err;
  EXPECT_THAT(same.out, testing::StartsWith("Nothing got worse: "));
  EXPECT_THAT(same.out, HasSubstr("0 better, 0 changed"));
  EXPECT_THAT(same.out, HasSubstr("not paired"));
  const CommandResult other = Toys({"compare", a, b});
  EXPECT_THAT(other.out, HasSubstr("pendulum by toy-twin, rk4"));
  EXPECT_THAT(other.out, HasSubstr("only in A"));
  EXPECT_LE(LongestLine(other.out), 100u);
  const json document = json::parse(Toys({"compare", a, b, "--json"}).out);
  EXPECT_EQ(other.exit_code, document.at("counts").at("worse") > 0 ? 1 : 0);
  const std::string summary = Toys({"compare", a, b, "--summary"}).out;
  EXPECT_LT(summary.size(), other.out.size());
  EXPECT_THAT(other.out, testing::StartsWith(summary));
  const CommandResult markdown =
      Toys({"compare", a, b, "--markdown", "--junit", folder.File("junit.xml")});
  EXPECT_THAT(markdown.out, testing::StartsWith("**"));
  EXPECT_EQ(other.exit_code, markdown.exit_code);
  std::ifstream in(folder.File("junit.xml"));
  const std::string junit(std::istreambuf_iterator<char>(in), {});
  EXPECT_THAT(junit, HasSubstr("failures=\"" + document.at("counts").at("worse").dump() + "\""));
  EXPECT_THAT(junit, HasSubstr("only in A"));
  EXPECT_EQ(2, Toys({"compare", a, b, "--junit", "/nonexistent/junit.xml"}).exit_code);
  EXPECT_EQ(2, Toys({"compare", a, b, "--json", "--markdown"}).exit_code);
  for (const json& cell : document.at("cells"))
    EXPECT_EQ(false, cell.at("cpu_seconds").at("paired"));
}

// A method with right accelerations that integrates different ones is detected only by its curves.
TEST(CommandLine, RunFlagsAMethodWhoseErrorStopsFallingAboveRoundOff) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& method) {
    return Toys({"run", "--problem", "pendulum", "--method", method, "--integrator", "dopri5",
                 "--rounds", "1", "--store", folder.File(method + ".sqlite")});
  };
  const CommandResult astray = run("toy-astray"), sound = run("toy-pendulum");
  EXPECT_EQ(3, astray.exit_code) << astray.out;
  EXPECT_THAT(astray.out, HasSubstr("WARNING: pendulum: the error of toy-astray, dopri5 no longer "
                                    "falls from tol 1e-8 to tol 1e-13. It stays at 2.2e-4"));
  EXPECT_EQ(0, sound.exit_code) << sound.out;
  EXPECT_THAT(sound.out, Not(HasSubstr("WARNING")));
}

TEST(CommandLine, TheExampleOfAnErrorBudgetPrintsItsParts) {
  const std::string help = RunCommand(MBSBENCH_EXECUTABLE, {"explain", "--help"}).out;
  const std::size_t at = help.find("mbsbench explain fourbar");
  ASSERT_NE(at, std::string::npos);
  std::istringstream words(help.substr(at, help.find('\n', at) - at));
  Arguments arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  arguments.erase(arguments.begin());
  ASSERT_EQ("--budget", arguments.back());
  const CommandResult budget = RunCommand(MBSBENCH_EXECUTABLE, arguments);
  EXPECT_EQ(0, budget.exit_code) << budget.err;
  for (const char* part : {"discretisation", "constraint", "round-off", "iteration"})
    EXPECT_THAT(budget.out, HasSubstr(part));
}

TEST(CommandLine, ExplainShowsWhyACellFailedAndHowToRunItAlone) {
  const TemporaryFolder folder;
  const std::string store = folder.File("s.sqlite");
  Toys({"run", "--quick", "--problem", "pendulum", "--method", "toy-singular", "--integrator",
        "rk4", "--rounds", "1", "--store", store});
  const CommandResult list = Toys({"explain", "pendulum", "toy-singular", "--store", store});
  EXPECT_EQ(0, list.exit_code) << list.err;
  EXPECT_THAT(list.out, HasSubstr("4 cells"));
  const CommandResult one = Toys({"explain", "pendulum", "toy-singular", "--integrator", "rk4",
                                  "--step", "0.01", "--store", store});
  EXPECT_EQ(0, one.exit_code) << one.err;
  EXPECT_THAT(one.out, HasSubstr("outcome     singular: a matrix became singular"));
  EXPECT_THAT(one.out, HasSubstr("joint 'pin'"));
  EXPECT_THAT(one.out, HasSubstr("reached     0.5 s of 10 s"));
  EXPECT_THAT(one.out, HasSubstr("last state  at 0.5 s"));
  EXPECT_THAT(one.out, HasSubstr("alone       mbsbench solve pendulum toy-singular --integrator rk4"
                                 " --step 0.01 --end 10"));
  EXPECT_LE(LongestLine(one.out), 100u);
  const std::size_t key = one.out.find("key         ") + 12;
  for (const std::size_t digits : {8, 12, 36}) {  // the report prints 12 of a UUID
    EXPECT_EQ(one.out, Toys({"explain", one.out.substr(key, digits), "--store", store}).out)
        << "by the first " << digits << " characters of its key";
  }
  const CommandResult none =
      Toys({"explain", "pendulum", "toy-singular", "--step", "3", "--store", store});
  EXPECT_EQ(2, none.exit_code);
  EXPECT_THAT(none.err, HasSubstr("holds no such cell"));
}

TEST(CommandLine, ExplainShowsTheErrorBudgetAndTheNumberOfIntegrationsPerTime) {
  const TemporaryFolder folder;
  const std::string store = folder.File("s.sqlite");
  const CommandResult run =
      Toys({"run", "--quick", "--budgets", "--problem", "pendulum", "--method", "toy-pendulum",
            "--integrator", "dopri5", "--rounds", "2", "--store", store});
  ASSERT_EQ(0, run.exit_code) << run.err;
  const CommandResult split = Toys({"explain", "pendulum", "toy-pendulum", "--integrator", "dopri5",
                                    "--tolerance", "1e-8", "--store", store});
  EXPECT_THAT(split.out, HasSubstr("budget      what the error consists of"));
  EXPECT_THAT(split.out, HasSubstr("%  discretisation"));
  EXPECT_THAT(split.out, HasSubstr("the vectors of the parts add up to the error"));
  EXPECT_THAT(split.out, HasSubstr("the least of 2 rounds of "));
  EXPECT_THAT(split.out, HasSubstr("integrations; the"));
  EXPECT_LE(LongestLine(split.out), 100u);
  const CommandResult other = Toys({"explain", "pendulum", "toy-pendulum", "--integrator", "dopri5",
                                    "--tolerance", "1e-5", "--store", store});
  EXPECT_THAT(other.out, testing::Not(HasSubstr("discretisation"))) << "one per curve";
}

TEST(CommandLine, HistoryRefusesNoStoreAndAMissingStore) {
  const TemporaryFolder folder;
  EXPECT_EQ(2, Toys({"history"}).exit_code);
  const CommandResult none = Toys({"history", folder.File("none.sqlite")});
  EXPECT_EQ(2, none.exit_code);
  EXPECT_THAT(none.err, HasSubstr("none.sqlite"));
}

TEST(CommandLine, ExplainSplitsTheErrorOfACell) {
  const Arguments cell = {"explain", "dpend18", "articulated-body", "--integrator", "rk4",
                          "--step",  "0.05",    "--budget"};
  Arguments as_json = cell;
  as_json.push_back("--json");
  const CommandResult result = Bench(as_json);
  ASSERT_EQ(0, result.exit_code) << result.err;
  const json budget = json::parse(result.out);
  std::set<std::string> names;
  double shares = 0;
  for (const json& part : budget.at("parts")) {
    names.insert(part.at("part"));
    shares += part.at("share").get<double>();
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"constraint", "discretisation", "iteration", "round-off"}));
  EXPECT_NEAR(shares, 1, 1e-12);
  EXPECT_EQ("discretisation", budget.at("parts").at(0).at("part"));
  EXPECT_NEAR(budget.at("parts").at(0).at("norm").get<double>(), budget.at("error").get<double>(),
              1e-6 * budget.at("error").get<double>());
  EXPECT_EQ(true, budget.at("asymptotic"));
  const CommandResult shown = Bench(cell);
  EXPECT_THAT(shown.out, HasSubstr("100 %  discretisation"));
  EXPECT_LE(LongestLine(shown.out), 100u);
}

TEST(CommandLine, ADisagreementIsReportedWithItsOwnExitCode) {
  const TemporaryFolder folder;
  const CommandResult run =
      Toys({"run", "--quick", "--problem", "pendulum", "--method", "toy-liar", "--method",
            "toy-twin", "--method", "toy-pendulum", "--integrator", "rk4", "--rounds", "1",
            "--store", folder.File("s.sqlite")});
  EXPECT_EQ(3, run.exit_code);
  EXPECT_THAT(run.out, HasSubstr("WARNING: pendulum: 'toy-liar': the accelerations differ"));
  EXPECT_THAT(run.out, HasSubstr("'toy-liar'"));
  EXPECT_THAT(run.err, HasSubstr("DISAGREEMENT"));
}

// The shell's limit counts blocks of 512 bytes.
TEST(CommandLine, AFileLargerThanItsLimitEndsWithASentence) {
  const TemporaryFolder folder;
  const std::string run = std::string(TOYS_EXECUTABLE) +
                          " run --quick --problem pendulum --method toy-twin --integrator dopri5 "
                          "--rounds 1 --store " +
                          folder.File("s.sqlite");
  const CommandResult result = RunCommand("/bin/sh", {"-c", "ulimit -f 16; exec " + run});
  EXPECT_EQ(2, result.exit_code) << result.out;
  EXPECT_THAT(result.err, HasSubstr("mbsbench: "));
  EXPECT_THAT(result.err, HasSubstr("s.sqlite'"));
}

// By the name that the store has of it, also without the file; and a run states the folder of references with its command.
TEST(CommandLine, ExplainTakesTheCellsOfAModelFile) {
  const TemporaryFolder folder;
  const std::string model = folder.File("own.json"), store = folder.File("s.sqlite");
  std::string text = WriteModel(LoadProblem("pendulum"));
  const std::string name = "\"pendulum\"";
  text.replace(text.find(name), name.size(), "\"my-pendulum\"");
  std::ofstream(model) << text;
  const CommandResult run = RunCommand(
      "/usr/bin/env", {"MBSBENCH_REFERENCE_DIR=" + folder.File("my references"), TOYS_EXECUTABLE,
                       "run", "--quick", "--problem", model, "--method", "toy-twin", "--integrator",
                       "dopri5", "--rounds", "1", "--store", store});
  ASSERT_EQ(0, run.exit_code) << run.out << run.err;
  for (const std::string& problem : {model, std::string("my-pendulum")}) {
    const CommandResult explained = Toys({"explain", problem, "toy-twin", "--store", store});
    EXPECT_EQ(0, explained.exit_code) << explained.err;
    EXPECT_THAT(explained.out, HasSubstr("dopri5 tol 1e-08"));
    EXPECT_THAT(explained.out, testing::Not(HasSubstr("\nnote ")));
  }
  Problem edited = ReadModelFile(model);
  edited.conservative = false;
  std::ofstream(model) << WriteModel(edited);
  EXPECT_THAT(Toys({"explain", model, "toy-twin", "--store", store}).out, HasSubstr("\nnote "));
  edited.system.bodies[0].mass *= 2;
  std::ofstream(model) << WriteModel(edited);
  const CommandResult other = Toys({"explain", model, "toy-twin", "--store", store});
  EXPECT_EQ(2, other.exit_code) << other.out;
  EXPECT_THAT(other.err, HasSubstr("another mechanism of that name"));
  std::filesystem::remove(model);
  EXPECT_EQ(0, Toys({"explain", "my-pendulum", "toy-twin", "--store", store}).exit_code);
  EXPECT_THAT(Store::OpenToRead(store).Runs().back().command,
              testing::StartsWith("MBSBENCH_REFERENCE_DIR='" + folder.File("my references") +
                                  "' mbsbench run --quick --problem "));
}

}  // namespace
}  // namespace mbsbench
