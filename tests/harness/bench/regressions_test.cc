// The gates from end to end: a build with regressions is compared with one without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using Arguments = std::vector<std::string>;

Arguments Joined(Arguments words, const Arguments& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Arguments GateOf(const Arguments& methods) {
  Arguments words{"bench", "--gate", "--problem", "pendulum"};
  for (const std::string& method : methods) words.insert(words.end(), {"--method", method});
  return words;
}

constexpr char kNoCells[] = R"({"key": {}, "problems": [], "cells": []})";

class Gate : public testing::Test {
 protected:
  explicit Gate(const Arguments& methods = {"toy-pendulum", "toy-lossy", "toy-work"})
      : gate_(GateOf(methods)) {}
  void SetUp() override {
    Arguments move = gate_;
    move[1] = "--move-baselines";
    move.insert(move.end(), {"--reason", "first"});
    const CommandResult moved = RunCommand(TOYS_EXECUTABLE, At(move));
    ASSERT_EQ(0, moved.exit_code) << moved.err;
    if (moved.out.find("valgrind is not installed") != std::string::npos)
      GTEST_SKIP() << "valgrind is not installed";
  }
  Arguments At(const Arguments& words) const {
    return Joined(words, {"--baselines", folder_.path().string()});
  }
  const Arguments gate_;
  const TemporaryFolder folder_;
};

// Whatever does not tell kernels apart takes one: valgrind needs seconds for each.
class GateOfOne : public Gate {
 protected:
  GateOfOne() : Gate({"toy-lossy"}) {}
};

TEST_F(Gate, FlagsOnlyATwoPercentHeavierKernelAndAMethodThatLosesDigits) {
  CommandResult result = RunCommand(TOYS_EXECUTABLE, At(gate_));
  EXPECT_EQ(0, result.exit_code) << result.out;
  EXPECT_THAT(result.out, HasSubstr("instructions: 3 compared, 0 worse, 0 better"));
  EXPECT_THAT(result.out, HasSubstr(" 0 worse (0 of them not run), 0 better, 0 changed"));

  result = RunCommand(WORSE_TOYS_EXECUTABLE, At(gate_));
  EXPECT_EQ(1, result.exit_code) << result.out;
  EXPECT_THAT(result.out, HasSubstr("WORSE   pendulum toy-work accelerations"));
  EXPECT_THAT(result.out, HasSubstr("instructions: 3 compared, 1 worse"));
  EXPECT_THAT(result.out, HasSubstr("WORSE   pendulum by toy-lossy, dopri5 tol 1e-11"));
  EXPECT_THAT(result.out, Not(HasSubstr("WORSE   pendulum by toy-pendulum")));
}

TEST_F(GateOfOne, BaselinesAreNotUpdatedFromAPartOfTheKernels) {
  const auto contents = [this] {
    std::ifstream in(folder_.File("cells.json"));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string before = contents();
  const CommandResult result =
      RunCommand(TOYS_EXECUTABLE, At({"bench", "--move-baselines", "--reason", "a part",
                                      "--problem", "pendulum", "--method", "toy-twin"}));
  EXPECT_EQ(2, result.exit_code) << result.out;
  EXPECT_THAT(result.err, HasSubstr("leave out --problem, --method and --case"));
  EXPECT_EQ(before, contents());
}

// A cell that a method no longer runs counts as a fault.
TEST_F(Gate, FlagsACellOfTheBaselinesThatWasNotRun) {
  std::ifstream in(folder_.File("cells.json"));
  nlohmann::ordered_json document = nlohmann::ordered_json::parse(in);
  in.close();
  nlohmann::ordered_json vanished = document.at("cells").back();
  vanished["tolerance"] = 0.125;
  document["cells"].push_back(vanished);
  std::ofstream(folder_.File("cells.json")) << document.dump();
  CommandResult result = RunCommand(TOYS_EXECUTABLE, At(gate_));
  EXPECT_EQ(1, result.exit_code) << result.out;
  EXPECT_THAT(result.out, HasSubstr("it was not run"));
  // Another selection does not ask for it.
  const std::string other = vanished.at("method") == "toy-pendulum" ? "toy-lossy" : "toy-pendulum";
  result = RunCommand(TOYS_EXECUTABLE,
                      At({"bench", "--gate", "--problem", "pendulum", "--method", other}));
  EXPECT_EQ(0, result.exit_code) << result.out;
}

// A timed run contains evaluations, an untimed one does not. Neither may count as missing in the other.
TEST_F(GateOfOne, ComparesATimedRunWithAnUntimedOneInBothDirections) {
  const TemporaryFolder folder;
  const std::string store = folder.File("timed.sqlite"), baselines = folder.File("baselines");
  Arguments run = gate_, gate = gate_, move = gate_;
  run.erase(run.begin(), run.begin() + 2);
  CommandResult result = RunCommand(
      TOYS_EXECUTABLE, Joined({"run", "--quick", "--rounds", "1", "--store", store}, run));
  ASSERT_EQ(0, result.exit_code) << result.out << result.err;
  result = RunCommand(TOYS_EXECUTABLE, At(Joined(gate, {"--run", store})));
  EXPECT_EQ(0, result.exit_code) << result.out << result.err;
  move[1] = "--move-baselines";
  std::filesystem::create_directory(baselines);
  result =
      RunCommand(TOYS_EXECUTABLE,
                 Joined(move, {"--run", store, "--reason", "timed", "--baselines", baselines}));
  ASSERT_EQ(0, result.exit_code) << result.out << result.err;
  result = RunCommand(TOYS_EXECUTABLE, Joined(gate, {"--baselines", baselines}));
  EXPECT_EQ(0, result.exit_code) << result.out << result.err;
}

TEST_F(GateOfOne, GivesNoVerdictOnAPlugInWithoutBaselineOrBenchmark) {
  const Arguments with_plugin{"--plugin", SOUND_PLUGIN};
  // Loaded and not among the methods that are benched.
  CommandResult result = RunCommand(TOYS_EXECUTABLE, Joined(with_plugin, At(gate_)));
  EXPECT_EQ(5, result.exit_code) << result.out;
  EXPECT_THAT(result.out, HasSubstr("NOT GATED   kernels of the plug-in's method "
                                    "'compound-pendulum', because none was benched."));
  EXPECT_THAT(result.out, HasSubstr("NOT GATED   cells of the plug-in's method "
                                    "'compound-pendulum', because none was benched."));
  // Benched, and without baselines.
  const Arguments with_method =
      Joined(with_plugin, Joined(At(gate_), {"--method", "compound-pendulum"}));
  result = RunCommand(TOYS_EXECUTABLE, with_method);
  EXPECT_EQ(5, result.exit_code) << result.out;
  EXPECT_THAT(result.out, HasSubstr("1 of 1 kernels of the plug-in's method 'compound-pendulum'"));
  // With baselines of its own it is gated.
  const TemporaryFolder own;
  const auto held = [&](const Arguments& what) {
    return RunCommand(
        TOYS_EXECUTABLE,
        Joined(Joined(with_plugin, what), {"--problem", "pendulum", "--method", "compound-pendulum",
                                           "--baselines", own.path().string()}));
  };
  result = held({"bench", "--move-baselines", "--reason", "first"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  result = held({"bench", "--gate"});
  EXPECT_EQ(0, result.exit_code) << result.out;
  EXPECT_THAT(result.out, HasSubstr("instructions: 1 compared, 0 worse"));
}

TEST(Bench, HasCasesForAPlugInOnTheProblemsThatItSupports) {
  const CommandResult result =
      RunCommand(TOYS_EXECUTABLE, {"--plugin", SOUND_PLUGIN, "bench", "--list"});
  EXPECT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.out, HasSubstr("pendulum compound-pendulum accelerations\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("fourbar compound-pendulum")));
}

TEST_F(GateOfOne, BaselinesAreUpdatedOnlyWithAReasonWhichIsStored) {
  const TemporaryFolder folder;
  Arguments move = Joined(gate_, {"--baselines", folder.path().string()});
  move[1] = "--move-baselines";
  CommandResult result = RunCommand(TOYS_EXECUTABLE, move);
  EXPECT_EQ(2, result.exit_code) << result.out;
  EXPECT_THAT(result.err, HasSubstr("--reason"));
  std::ifstream in(folder_.File("cells.json"));
  EXPECT_EQ("first", json::parse(in).at("moved").at("reason"));
}

// Nothing could ever be worse than these.
TEST(Baselines, ThatAreEmptyAreRefusedWithASentence) {
  const TemporaryFolder folder;
  const auto gate = [&folder](const std::string& instructions, const std::string& cells) {
    std::ofstream(folder.File("instructions.json")) << instructions;
    std::ofstream(folder.File("cells.json")) << cells;
    const CommandResult result = RunCommand(
        TOYS_EXECUTABLE, Joined(GateOf({"toy-lossy"}), {"--baselines", folder.path().string()}));
    EXPECT_EQ(2, result.exit_code) << result.out;
    return result.err;
  };
  EXPECT_THAT(gate(R"({"builds": [{"key": {}, "instructions": {}}]})", kNoCells),
              HasSubstr("instructions.json' holds a build without any count of instructions: "));
  EXPECT_THAT(gate(R"({"builds": [{"key": {}, "instructions": {"a": 1}}]})", kNoCells),
              HasSubstr("cells.json' holds no cells: "));
  EXPECT_THAT(gate(R"({"builds": []})", kNoCells), HasSubstr("holds no baselines, neither in "));
}

// Valgrind is there and cannot run the build: here, because it is another program.
TEST(Baselines, AreNotMadeWithoutAnyCount) {
  const TemporaryFolder folder;
  std::ofstream(folder.File("valgrind"))
      << "#!/bin/sh\n[ \"$1\" = --version ] && echo valgrind-3 || kill -ILL $$\n";
  std::filesystem::permissions(folder.File("valgrind"), std::filesystem::perms::owner_all);
  const CommandResult result =
      RunCommand("/usr/bin/env",
                 {"PATH=" + folder.path().string() + ":" + std::getenv("PATH"), TOYS_EXECUTABLE,
                  "bench", "--move-baselines", "--reason", "first", "--problem", "pendulum",
                  "--method", "toy-twin", "--baselines", folder.File("baselines")});
  EXPECT_EQ(2, result.exit_code) << result.out;
  EXPECT_THAT(result.err, HasSubstr("no kernel could be counted"));
  EXPECT_THAT(result.err, HasSubstr("use the preset portable"));
  EXPECT_FALSE(std::filesystem::exists(folder.File("baselines")));
}

// Baselines of other flags, and of another version of a library.
TEST_F(GateOfOne, GivesNoVerdictForAnotherBuildButDetectsLostDigits) {
  const auto text_of = [this](const char* name) {
    std::ifstream in(folder_.File(name));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string instructions = text_of("instructions.json"), cells = text_of("cells.json");
  for (const std::string place : {"-O", "\"Eigen\":\""}) {
    for (auto [name, text] :
         {std::pair("instructions.json", instructions), std::pair("cells.json", cells)}) {
      const std::size_t at = text.find(place);
      ASSERT_NE(std::string::npos, at) << place;
      text[at + place.size()] = '7';
      std::ofstream(folder_.File(name)) << text;
    }
    CommandResult result = RunCommand(TOYS_EXECUTABLE, At(gate_));
    EXPECT_EQ(5, result.exit_code) << result.out;
    EXPECT_THAT(result.out, HasSubstr("NOT GATED   instructions"));
    EXPECT_THAT(result.out, HasSubstr("NOT GATED   exact counters"));
    result = RunCommand(WORSE_TOYS_EXECUTABLE, At(gate_));
    EXPECT_EQ(1, result.exit_code) << result.out;
    EXPECT_THAT(result.out, HasSubstr("WORSE   pendulum by toy-lossy"));
  }
}

TEST_F(GateOfOne, GivesNoVerdictOnInstructionsWithoutValgrind) {
  CommandResult result = RunCommand(
      "/usr/bin/env", Joined({"PATH=" + folder_.path().string(), TOYS_EXECUTABLE}, At(gate_)));
  EXPECT_EQ(5, result.exit_code) << result.out;
  EXPECT_THAT(result.out, HasSubstr("NOT GATED   instructions, because valgrind is not installed"));
}

// Paired, with processes long enough to resolve five percent. On a machine that is busy with other tests a
// verdict may be inconclusive, but never wrong.
TEST(Paired, FindsAHeavierKernelAndDoesNotJudgeTheTimeOfOneThatLostDigits) {
  const TemporaryFolder folder;
  const CommandResult result =
      RunCommand(WORSE_TOYS_EXECUTABLE,
                 {"bench", "--against", TOYS_EXECUTABLE, "--problem", "pendulum", "--method",
                  "toy-more-work", "--method", "toy-lossy", "--what", "solve", "--milliseconds",
                  "60", "--json", "--store", folder.File("s")});
  const json document = json::parse(result.out, nullptr, false);
  ASSERT_TRUE(document.is_object()) << result.out << result.err;
  const json &work = document.at("cases").at(0), &lossy = document.at("cases").at(1);
  EXPECT_THAT(work.at("verdict"), testing::AnyOf("worse", "inconclusive")) << result.out;
  EXPECT_GT(work.at("screening").size(), 11u) << result.out;
  EXPECT_EQ("worse", lossy.at("verdict"));
  EXPECT_EQ("error", lossy.at("truth").at(0).at("what"));
  EXPECT_EQ(0u, lossy.at("screening").size()) << "nothing is timed if the results differ";
  EXPECT_EQ(1, result.exit_code) << result.err;
}

// The references determine the direction; the exit code shows that a process crashed.
TEST(Paired, ACrashingCandidateIsWorseAndACrashingBaseIsNotASuccess) {
  const TemporaryFolder folder;
  const auto against = [&](const char* candidate, const char* base, const char* method) {
    return RunCommand(candidate,
                      {"bench", "--against", base, "--problem", "pendulum", "--method", method,
                       "--milliseconds", "10", "--json", "--store", folder.File("s")});
  };
  for (const auto& [candidate, base, method, verdict, exit_code] :
       {std::tuple{WORSE_TOYS_EXECUTABLE, TOYS_EXECUTABLE, "toy-fragile", "worse", 1},
        std::tuple{TOYS_EXECUTABLE, WORSE_TOYS_EXECUTABLE, "toy-fragile", "better", 3},
        std::tuple{TOYS_EXECUTABLE, TOYS_EXECUTABLE, "toy-crash", "changed", 3}}) {
    const CommandResult result = against(candidate, base, method);
    EXPECT_EQ(exit_code, result.exit_code) << verdict << result.err;
    const json document = json::parse(result.out, nullptr, false);
    ASSERT_TRUE(document.is_object()) << result.out << result.err;
    const json& one = document.at("cases").at(0);
    EXPECT_EQ(verdict, one.at("verdict"));
    EXPECT_THAT(one.at("failure").get<std::string>(), HasSubstr("crashed: signal 11"));
    EXPECT_EQ(0u, one.at("screening").size());
    EXPECT_EQ(1, document.at("counts").at("failed"));
  }
}

TEST(Paired, GivesTheRatioOfTwoMethods) {
  const TemporaryFolder folder;
  const CommandResult result = RunCommand(
      TOYS_EXECUTABLE, {"bench", "--pair", "toy-pendulum", "toy-work", "--problem", "pendulum",
                        "--milliseconds", "10", "--json", "--store", folder.File("s")});
  EXPECT_THAT(result.exit_code, testing::AnyOf(0, 5)) << result.err;
  const json document = json::parse(result.out, nullptr, false);
  ASSERT_TRUE(document.is_object()) << result.out;
  EXPECT_EQ("toy-pendulum", document.at("base"));
  const json& judged = document.at("case").at("screened");
  EXPECT_GT(judged.at("ratio"), 5) << "5000 multiply-adds compared with some hundred";
  EXPECT_GE(judged.at("ratio"), judged.at("low"));
  EXPECT_LE(judged.at("ratio"), judged.at("high"));
}

TEST(Bench, RefusesAnExecutableOtherThanMbsbenchWithAMessage) {
  for (const auto& [executable, says] : {std::pair{"/no/such", "there is no executable '/no/such'"},
                                         std::pair{"/bin/true", "is not an mbsbench"},
                                         std::pair{"/etc/passwd", "is not an executable file"}}) {
    const CommandResult result =
        RunCommand(TOYS_EXECUTABLE, {"bench", "--against", executable, "--problem", "pendulum",
                                     "--method", "toy-twin", "--store", "/tmp/never.sqlite"});
    EXPECT_EQ(2, result.exit_code);
    EXPECT_THAT(result.err, HasSubstr(says));
  }
  EXPECT_FALSE(std::filesystem::exists("/tmp/never.sqlite"));
}

TEST(Bench, RefusesOptionsThatConflictOrAreIncomplete) {
  for (const auto& [arguments, says] : std::vector<std::pair<Arguments, std::string>>{
           {{"--gate", "--against", "x"}, "give either --against or --gate, not both"},
           {{"--pair", "toy-twin", "toy-work"}, "give --problem"},
           {{"--pair", "toy-twin", "toy-wrok", "--problem", "pendulum"}, "Did you mean 'toy-work'"},
           {{"--problem", "pendulum"}, "a --problem with its --method"},
           {{"--problem", "fourbar", "--method", "toy-work"}, "does not support"},
           {{"--problem", "pendulum", "--method", "toy-work", "--what", "residual"},
            "has 'accelerations', 'accelerations and reactions', 'solve'"},
           {{"--milliseconds", "1"}, "--milliseconds is 1"},
           {{"--case", "tree*"}, "no benchmark matches 'tree*'"},
           {{}, "none of the methods here supports a problem of the benchmarks"},
           {{"--list", "--run", "x"}, "--run is for --gate"}}) {
    Arguments words = Joined({"bench"}, arguments);
    const CommandResult result =
        RunCommand(TOYS_EXECUTABLE, Joined(words, {"--store", "/tmp/never.sqlite"}));
    EXPECT_EQ(2, result.exit_code) << result.out;
    EXPECT_THAT(result.err, HasSubstr(says));
  }
  EXPECT_FALSE(std::filesystem::exists("/tmp/never.sqlite"));
}

TEST(Bench, RecordsTimesWithThoseOfTheControlKernel) {
  const TemporaryFolder folder;
  const CommandResult result = RunCommand(
      TOYS_EXECUTABLE, {"bench", "--problem", "pendulum", "--method", "toy-work", "--rounds", "2",
                        "--milliseconds", "10", "--json", "--store", folder.File("s.sqlite")});
  ASSERT_EQ(0, result.exit_code) << result.err;
  const json one = json::parse(result.out).at("cases").at(0);
  EXPECT_EQ("pendulum toy-work accelerations", one.at("name"));
  EXPECT_EQ(2u, one.at("cpu_seconds").size());
  EXPECT_EQ(2u, one.at("control_seconds").size());
  // 5000 dependent multiply-adds of four cycles each.
  EXPECT_GT(one.at("cpu_minimum"), 2e-6);
  EXPECT_LT(one.at("cpu_minimum"), 1e-4);
}

TEST(Bench, ACrashIsReportedWithExitCode3) {
  const TemporaryFolder folder;
  const CommandResult result = RunCommand(
      TOYS_EXECUTABLE, {"bench", "--problem", "pendulum", "--method", "toy-crash", "--rounds", "1",
                        "--milliseconds", "10", "--store", folder.File("s.sqlite")});
  EXPECT_EQ(3, result.exit_code);
  EXPECT_THAT(result.out, HasSubstr("signal 11"));
}

}  // namespace
}  // namespace mbsbench
