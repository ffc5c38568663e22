// The examples in other languages keep the promises that every method must keep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/sanitized.h"

namespace mbsbench {
namespace {

using nlohmann::json;

// The standing of each promise. None may be broken.
std::map<std::string, std::string> Conform(const std::string& plugin, const std::string& method,
                                           const std::vector<std::string>& promises = {}) {
  std::vector<std::string> arguments{
      "--plugin-time-limit", "200", "--plugin", plugin, "conform", method, "--json"};
  for (const std::string& promise : promises)
    arguments.insert(arguments.end(), {"--promise", promise});
  const CommandResult result = RunCommand(MBSBENCH_EXECUTABLE, arguments);
  EXPECT_EQ(0, result.exit_code) << result.out << result.err;
  std::map<std::string, std::string> standing;
  const json document = json::parse(result.out, nullptr, false);
  if (!document.is_object()) return standing;
  for (const json& promise : document.at("promises"))
    standing[promise.at("name").get<std::string>()] = promise.at("standing").get<std::string>();
  return standing;
}

TEST(MethodInC, KeepsThePromisesOfTreesWithForceElements) {
  const auto standing = Conform(C_METHOD_PLUGIN, "c-mass-matrix");
  for (const char* promise : {"tree-joint-revolute",
                              "tree-joint-prismatic",
                              "tree-joint-fixed",
                              "tree-joint-universal",
                              "tree-joint-cylindrical",
                              "tree-joint-planar",
                              "force-spring-damper",
                              "force-joint-spring",
                              "force-applied-force",
                              "force-ground-spring",
                              "force-motor",
                              "trees",
                              "turns",
                              "energy",
                              "not-a-number",
                              "refusals",
                              "catalogue",
                              "reference-pendulum",
                              "reference-dpend18",
                              "reference-flyball",
                              "reference-puck"})
    EXPECT_EQ("held", standing.at(promise)) << promise;
  for (const char* promise : {"tree-joint-ball", "loops", "drivers-on-trees"})
    EXPECT_EQ("refused", standing.at(promise)) << promise;
}

// A busy machine must not cause a failure, so longer motions are omitted.
TEST(MethodInPython, BreaksNoPromiseAndKeepsThoseOnThePendulum) {
  if (std::string(PYTHON_METHOD_PLUGIN).empty()) GTEST_SKIP() << "there is no Python";
  const std::vector<std::string> promises{"reference-pendulum",
                                          "energy",
                                          "order-rk4",
                                          "not-a-number",
                                          "repeatable",
                                          "no-allocation",
                                          "refusals",
                                          "tree-joint-revolute",
                                          "force-joint-spring",
                                          "samples",
                                          "tree-joint-universal",
                                          "no-inertia",
                                          "undamped-trees"};
  std::vector<std::string> tried = promises;
  tried.insert(tried.end(),
               {"*trees", "tree-joint-*", "force-*", "loop*", "turns", "redundant", "momentum",
                "projection", "*-own-*", "first-steps", "jacobian", "batches", "catalogue*"});
  const auto standing = Conform(PYTHON_METHOD_PLUGIN, "python-newton-euler", tried);
  for (const std::string& promise : promises) {
    if (promise == "no-allocation" && kIsSanitized) continue;
    EXPECT_EQ("held", standing.at(promise)) << promise;
  }
}

struct Fault {
  std::string name, sentence;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class FaultInPython : public testing::TestWithParam<Fault> {};

TEST_P(FaultInPython, EndsWithAOneSentenceMessage) {
  if (std::string(PYTHON_FAULTS_PLUGIN).empty()) GTEST_SKIP() << "there is no Python";
  setenv("MBSBENCH_TEST_FAULT", GetParam().name.c_str(), 1);
  const CommandResult result =
      RunCommand(MBSBENCH_EXECUTABLE,
                 {"--plugin-time-limit", GetParam().name == "hangs" ? "3" : "200", "--plugin",
                  PYTHON_FAULTS_PLUGIN, "accelerations", "pendulum", "fault-in-python"});
  unsetenv("MBSBENCH_TEST_FAULT");
  EXPECT_GT(result.exit_code, 1) << result.out;
  EXPECT_LT(result.exit_code, 4) << result.out;
  EXPECT_THAT(result.out + result.err, testing::HasSubstr(GetParam().sentence));
  EXPECT_THAT(result.out + result.err, testing::Not(testing::HasSubstr("Traceback")));
}

INSTANTIATE_TEST_SUITE_P(
    MethodInPython, FaultInPython,
    testing::Values(Fault{"load", "cannot be used: Python ended with code 1"},
                    Fault{"text",
                          "TypeError: files is 'data.txt': a tuple or list of paths is needed"},
                    Fault{"tab", "files names 'a\\tb': a path without tabs"},
                    Fault{"prepare", "cannot prepare this system: RuntimeError: no licence"},
                    Fault{"exits", "Python ended with code 5"},
                    Fault{"killed", "Python was ended by signal 9"},
                    Fault{"hangs", "not finished after 3 s"},
                    Fault{"raises", "ZeroDivisionError: division by zero"},
                    Fault{"short", "ValueError: evaluate gives 0 numbers of 1"},
                    Fault{"nan", "accelerations are not finite"},
                    Fault{"wrong", "the accelerations differ from those in 113 bits"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace mbsbench
