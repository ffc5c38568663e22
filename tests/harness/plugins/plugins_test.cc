// Which plug-ins are loaded, and the messages for those that are refused.
#include "harness/plugins/plugins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/plugins/engines.h"
#include "methods/interface/plugin.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

std::string Refusal(const std::filesystem::path& file) {
  try {
    LoadPlugin(file);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LoadPlugin, LoadsTheMethodsOfAMatchingPlugin) {
  const std::vector<MethodEntry> methods = LoadPlugin(FITTING_PLUGIN).methods;
  ASSERT_EQ(methods.size(), 1u);
  EXPECT_EQ(methods[0].key, "compound-pendulum");
  EXPECT_EQ(methods[0].origin, Origin::kPlugIn) << "though its entry does not say so";
}

TEST(LoadPlugin, LoadsTheProblemsOfAMatchingPlugin) {
  const std::vector<ProblemFamily> problems = LoadPlugin(FITTING_PLUGIN).problems;
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].name, "swinging-bar");
  const Problem longer = MakeProblem(problems[0], "length=3");
  EXPECT_EQ(longer.name, "swinging-bar:length=3");
  EXPECT_EQ(longer.system.joints[0].child_frame.position.x, -1.5);
  EXPECT_THROW(MakeProblem(problems[0], "length=0"), ModelError);
  EXPECT_THROW(MakeProblem(problems[0], "width=1"), ModelError);
}

TEST(LoadPlugin, RefusesAnotherAbiAndAdvises) {
  EXPECT_THAT(Refusal(OLD_PLUGIN), testing::HasSubstr("speaks plug-in ABI 0, this mbsbench " +
                                                      std::to_string(kPluginAbi) + ": rebuild it"));
}

TEST(LoadPlugin, RefusesABuildOfAnotherCompilerAndAdvises) {
  const std::string refusal = Refusal(FOREIGN_PLUGIN);
  EXPECT_THAT(refusal, testing::HasSubstr("was built with another compiler, this mbsbench with "));
  EXPECT_THAT(refusal, testing::HasSubstr(kPluginBuild));
  EXPECT_THAT(refusal, testing::HasSubstr(": rebuild it with the same compiler and headers."));
}

TEST(LoadPlugin, RefusesAPluginWithoutMethodsAndProblems) {
  EXPECT_THAT(Refusal(EMPTY_PLUGIN), testing::HasSubstr("lists no method and no problem."));
}

TEST(LoadPlugin, RefusesAFileThatIsNotAPlugin) {
  EXPECT_THAT(Refusal("/no/such/file.so"), testing::HasSubstr("does not exist"));
  EXPECT_THAT(Refusal("/"), testing::HasSubstr("not a file"));
  EXPECT_THAT(Refusal(NO_PLUGIN), testing::HasSubstr("exports neither mbsbench_plugin"));
  const std::filesystem::path text =
      std::filesystem::temp_directory_path() / "mbsbench_not_a_library.so";
  std::ofstream(text) << "hello";
  EXPECT_THAT(Refusal(text), testing::HasSubstr("cannot be loaded"));
  std::filesystem::remove(text);
}

// There is no plug-in of an engine in the folder of this test.
TEST(LoadEngines, LoadsOnlyRequestedEngines) {
  std::vector<MethodEntry> methods;
  EXPECT_TRUE(
      LoadEngines({"riccati-mstmm", "cartesian-dae:*"}, LoadPlugin, methods).plugins.empty());
  EXPECT_TRUE(methods.empty());
}

TEST(LoadEngines, SkipsAbsentEnginesAmongOthers) {
  std::vector<MethodEntry> methods;
  EXPECT_TRUE(LoadEngines({}, LoadPlugin, methods).plugins.empty());
  EXPECT_TRUE(LoadEngines({"*"}, LoadPlugin, methods).plugins.empty());
}

TEST(LoadEngines, AdvisesHowToGetAnAbsentEngineRequestedByName) {
  for (const auto& [key, advice] :
       {std::pair("simbody", "install libsimbody-dev and rebuild."),
        std::pair("mujoco-node",
                  "install nodejs and npm, call 'make packages-all' and rebuild.")}) {
    std::vector<MethodEntry> methods;
    try {
      LoadEngines({key}, LoadPlugin, methods);
      FAIL() << "accepted";
    } catch (const ModelError& error) {
      EXPECT_EQ(std::string("engine '") + key + "' is absent: " + advice, error.what());
    }
  }
}

TEST(LoadEngines, DoesNotReplaceAMethodOfTheSameKey) {
  std::vector<MethodEntry> methods(1);
  methods[0].key = "simbody";
  EXPECT_TRUE(LoadEngines({"simbody"}, LoadPlugin, methods).plugins.empty());
  EXPECT_EQ(methods.size(), 1u);
}

TEST(KnownEngines, TitlesStateTheReleaseAndMarkWhatIsOverTwoYearsOld) {
  const Engine engine{"e", "E", "libe-dev", "3.7", "2024-11-28"};
  EXPECT_EQ("E 3.7 (2024-11-28)", DatedTitle(engine, "E 3.7", "2026-11-28"));
  EXPECT_EQ("E 3.7 (2024-11-28, over two years old)", DatedTitle(engine, "E 3.7", "2026-11-29"));
  EXPECT_EQ("E 13.7 (release date unknown)", DatedTitle(engine, "E 13.7", "2026-11-29"));
  const Engine of_a_month{"e", "E", "libe-dev", "3.7", "2024-11"};
  EXPECT_EQ("E 3.7 (2024-11)", DatedTitle(of_a_month, "E 3.7", "2026-11-01"));
  EXPECT_EQ("E 3.7 (2024-11, over two years old)", DatedTitle(of_a_month, "E 3.7", "2026-12-01"));
}

}  // namespace
}  // namespace mbsbench
