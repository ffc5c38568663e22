// mbsbench conform as users see it, and a plug-in with an error of inertia of 1e-5 in every command that can detect it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/harness/command_line/bench.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using Arguments = std::vector<std::string>;

// With the wrong plug-in, alone or together with the correct one from which it was made.
CommandResult WithPlugins(bool in_company, const Arguments& arguments) {
  Arguments all{"--plugin", HEAVY_PLUGIN};
  if (in_company) all.insert(all.end(), {"--plugin", SOUND_PLUGIN});
  all.insert(all.end(), arguments.begin(), arguments.end());
  return Bench(all);
}

json PromiseOf(const json& document, const std::string& name) {
  for (const json& promise : document.at("promises")) {
    if (promise.at("name") == name) return promise;
  }
  return nullptr;
}

TEST(ConformCommand, PrintsOneLineForEachPromise) {
  const CommandResult result =
      Bench({"conform", "articulated-body", "--promise", "loop*", "--promise", "jacobian"});
  EXPECT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.out, HasSubstr("articulated-body:"));
  EXPECT_THAT(result.out,
              testing::ContainsRegex("held +loop-joint-ball .*e-1[0-9] of 1e-09  +5 systems"));
  EXPECT_THAT(result.out, testing::ContainsRegex("not applicable +jacobian .*not a DAE"));
  EXPECT_THAT(result.out, HasSubstr("7 held, 0 limited, 0 broken, 0 refused, 1 not applicable\n"));
  EXPECT_EQ(10, std::count(result.out.begin(), result.out.end(), '\n')) << result.out;
}

TEST(ConformCommand, ShowsTheReasonOfARefusalAndTheNumberOfSystems) {
  const CommandResult result = Bench(
      {"conform", "kane-huston:general", "--promise", "loops", "--promise", "refusals", "--json"});
  EXPECT_EQ(6, result.exit_code) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(1, document.at("refused"));
  const json loops = PromiseOf(document, "loops");
  EXPECT_EQ("refused", loops.at("standing"));
  EXPECT_EQ(50, loops.at("refused"));
  EXPECT_EQ(0, loops.at("tried"));
  EXPECT_THAT(loops.at("reason"), HasSubstr("'loop_0'"));
  EXPECT_TRUE(loops.at("figure").is_null());
}

// Otherwise a method that declares a limit of infinity for every promise would end as one that keeps them all.
TEST(ConformCommand, EndsWithACodeOfItsOwnWhereAPromiseIsNotKeptOrNotTried) {
  for (const auto& [method, promise, standing] :
       {std::tuple{"classical-mstmm", "reference-mixed250", "not kept"},
        {"composite-body", "reference-branchN:bodies=500", "not tried"}}) {
    const CommandResult result =
        Bench({"conform", method, "--promise", "tree-joint-ball", "--promise", promise});
    EXPECT_EQ(6, result.exit_code) << result.out << result.err;
    EXPECT_THAT(result.out, testing::ContainsRegex(std::string(standing) + " +reference-"));
    EXPECT_THAT(result.out, HasSubstr(std::string(", 1 ") + standing + ", "));
    EXPECT_THAT(result.out, Not(HasSubstr("0 broken")));
  }
}

// A good refusal is no promise about a system.
TEST(ConformCommand, DoesNotEndAsKeptWhereAMethodTakesNoSystem) {
  const CommandResult result = Bench({"conform", "kane-huston:general", "--promise", "loop*",
                                      "--promise", "drivers-on-loops", "--promise", "refusals"});
  EXPECT_EQ(6, result.exit_code) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 held, "));
  EXPECT_THAT(result.out, HasSubstr(": the method takes none of these systems\n"));
}

TEST(ConformCommand, SuggestsPromisesForAnUnknownOne) {
  const CommandResult result = Bench({"conform", "articulated-body", "--promise", "lops"});
  EXPECT_EQ(2, result.exit_code);
  EXPECT_THAT(result.err, AllOf(HasSubstr("'lops'"), HasSubstr("'loops'")));
}

TEST(ConformCommand, ConfirmsAllPromisesOfTheExamplePlugin) {
  const TemporaryFolder folder;
  const CommandResult result = Bench({"--plugin", SOUND_PLUGIN, "conform", "compound-pendulum",
                                      "--models", folder.path(), "--json"});
  EXPECT_EQ(0, result.exit_code) << result.out << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(0, document.at("broken"));
  for (const char* name : {"tree-joint-revolute", "planar-trees", "order-rk4", "refusals",
                           "reference-pendulum", "no-allocation", "not-a-number"})
    EXPECT_EQ("held", PromiseOf(document, name).at("standing")) << name;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

class HeavyPlugin : public testing::TestWithParam<bool> {};

TEST_P(HeavyPlugin, IsDetectedByConformWithAModelThatReproducesTheFault) {
  const TemporaryFolder folder;
  const CommandResult result =
      WithPlugins(GetParam(), {"conform", "heavy-pendulum", "--promise", "tree-joint-revolute",
                               "--promise", "refusals", "--models", folder.path(), "--json"});
  EXPECT_EQ(1, result.exit_code) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ("held", PromiseOf(document, "refusals").at("standing"));
  const json broken = PromiseOf(document, "tree-joint-revolute");
  EXPECT_EQ("broken", broken.at("standing"));
  EXPECT_THAT(broken.at("reason"), HasSubstr("(1 body): accelerations are off by"));
  const CommandResult repeated =
      WithPlugins(GetParam(), {"accelerations", broken.at("model"), "heavy-pendulum"});
  EXPECT_EQ(3, repeated.exit_code);
  EXPECT_THAT(repeated.err, HasSubstr("wrong_equations"));
  const CommandResult sound = Bench({"accelerations", broken.at("model"), "articulated-body"});
  EXPECT_EQ(0, sound.exit_code) << sound.err;
}

TEST_P(HeavyPlugin, IsDetectedByAccelerations) {
  const CommandResult result =
      WithPlugins(GetParam(), {"accelerations", "pendulum", "heavy-pendulum"});
  EXPECT_EQ(3, result.exit_code);
  EXPECT_THAT(result.err, HasSubstr("wrong_equations"));
  EXPECT_THAT(result.err, HasSubstr("differ from those in 113 bits by 1e-05"));
}

TEST_P(HeavyPlugin, IsDetectedByRunAndOnlyItIsBlamed) {
  const TemporaryFolder folder;
  Arguments run{"run",
                "--problem",
                "pendulum",
                "--method",
                "heavy-pendulum",
                "--integrator",
                "dopri5",
                "--target",
                "1e-6",
                "--rounds",
                "1",
                "--store",
                folder.File("store.sqlite")};
  if (GetParam()) run.insert(run.end(), {"--method", "compound-pendulum"});
  const CommandResult result = WithPlugins(GetParam(), run);
  EXPECT_EQ(3, result.exit_code) << result.err;
  const std::string said = result.out + result.err;
  EXPECT_THAT(said, HasSubstr("'heavy-pendulum': the accelerations differ from those in 113 bits"));
  EXPECT_THAT(said, HasSubstr("wrong_equations"));
  EXPECT_THAT(said, Not(HasSubstr("'compound-pendulum': the accelerations")));
}

INSTANTIATE_TEST_SUITE_P(AloneAndInCompany, HeavyPlugin, testing::Bool(),
                         [](const auto& one) { return one.param ? "InCompany" : "Alone"; });

}  // namespace
}  // namespace mbsbench
