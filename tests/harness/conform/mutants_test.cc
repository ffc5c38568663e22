// Time steppers with one spoiled term: each row of mutants.tsv breaks a promise about steps, and without it all are held.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

using nlohmann::json;

struct Mutant {
  int row;  // of the table; 0: nothing is spoiled
  std::string method, spoiled;
};
void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.spoiled; }

std::vector<Mutant> Mutants() {
  std::vector<Mutant> all;
  std::ifstream table(MBSBENCH_SOURCE_DIR "/tests/harness/conform/mutants.tsv");
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    Mutant mutant{static_cast<int>(all.size()) + 1, "", ""};
    std::getline(fields, mutant.method, '\t');
    for (int skipped = 0; skipped < 3; ++skipped) std::getline(fields, mutant.spoiled, '\t');
    all.push_back(mutant);
  }
  return all;
}

const std::vector<std::string> kAboutSteps{"order-own*", "energy-own*", "second-start",
                                           "first-steps"};

json Tried(const Mutant& mutant, const std::vector<std::string>& promises) {
  static const std::map<std::string, std::pair<std::string, std::string>> plugins{
      {"variational", {VARIATIONAL_MUTANTS, "variational-mutant"}},
      {"lie-generalised-alpha", {LIE_GENERALISED_ALPHA_MUTANTS, "lie-generalised-alpha-mutant"}},
      {"half-explicit", {HALF_EXPLICIT_MUTANTS, "half-explicit-mutant"}},
      {"index3-direct", {INDEX3_DIRECT_MUTANTS, "index3-direct-mutant"}},
      {"natural-coordinates", {NATURAL_COORDINATES_MUTANTS, "natural-coordinates-mutant"}},
      {"symplectic-tree", {SYMPLECTIC_TREE_MUTANTS, "symplectic-tree"}},
      {"absolute-stepper", {ABSOLUTE_STEPPER_MUTANTS, "new-method"}}};
  const std::string method = mutant.method.substr(0, mutant.method.find(':')),
                    variant = mutant.method.substr(method.size());
  const auto& [plugin, key] = plugins.at(method);
  const TemporaryFolder folder;
  setenv("MBSBENCH_TEST_MUTANT", std::to_string(mutant.row).c_str(), 1);
  std::vector<std::string> arguments{"--plugin", plugin,        "conform", key + variant,
                                     "--models", folder.path(), "--json"};
  for (const std::string& promise : promises)
    arguments.insert(arguments.end(), {"--promise", promise});
  const CommandResult result = RunCommand(MBSBENCH_EXECUTABLE, arguments);
  unsetenv("MBSBENCH_TEST_MUTANT");
  const json document = json::parse(result.out, nullptr, false);
  EXPECT_TRUE(document.is_object()) << result.err;
  if (!document.is_object()) return document;
  const bool takes_none = document.at("held") == 0 && document.at("refused") > 0;
  EXPECT_EQ(document.at("broken") > 0 ? 1 : takes_none ? 6 : 0, result.exit_code);
  return document;
}

class MutantOfAStepper : public testing::TestWithParam<Mutant> {};

TEST_P(MutantOfAStepper, BreaksAPromiseAboutSteps) {
  // Most spoiled terms show on two problems that take a tenth of the time of all.
  json document;
  for (const std::vector<std::string>& promises :
       {std::vector<std::string>{"order-own-dpend18", "order-own-heavytop"},
        {"order-own-pendulum-with-motor", "order-own-bricard"},
        {"first-steps"},
        kAboutSteps}) {
    document = Tried(GetParam(), promises);
    if (document.at("broken") > 0) break;
  }
  EXPECT_GT(document.at("broken"), 0);
  for (const json& promise : document.at("promises"))
    if (promise.at("standing") == "broken")
      std::printf("  %s: %s\n", promise.at("name").get<std::string>().c_str(),
                  promise.at("reason").get<std::string>().c_str());
}

INSTANTIATE_TEST_SUITE_P(All, MutantOfAStepper, testing::ValuesIn(Mutants()),
                         [](const auto& one) { return "Row" + std::to_string(one.param.row); });

TEST(MutantOfAStepper, WithoutASpoiledTermHoldsAllPromises) {
  for (const char* method :
       {"variational", "lie-generalised-alpha", "half-explicit", "index3-direct",
        "natural-coordinates", "symplectic-tree", "absolute-stepper"}) {
    const json document = Tried({0, method, "nothing"}, kAboutSteps);
    for (const json& promise : document.at("promises")) {
      const std::string name = promise.at("name").get<std::string>();
      if (promise.at("standing") == "refused") continue;
      EXPECT_EQ("held", promise.at("standing")) << method << " " << name << promise.at("reason");
    }
  }
}

}  // namespace
}  // namespace mbsbench
