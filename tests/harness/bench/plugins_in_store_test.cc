// Stores list the plug-ins that made their results, and commands warn of a slow one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/store/sha1.h"
#include "harness/store/store.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

using Arguments = std::vector<std::string>;
using testing::HasSubstr;
using testing::Not;

class PluginsInStore : public testing::Test {
 protected:
  CommandResult Toys(const std::string& plugin, Arguments arguments) {
    arguments.insert(arguments.begin(), {std::string("--plugin"), plugin});
    return RunCommand(TOYS_EXECUTABLE, arguments);
  }
  std::string Run(const std::string& name, const std::string& plugin, std::string& said) {
    const std::string store = folder_.File(name);
    const CommandResult result =
        Toys(plugin, {"run", "--quick", "--problem", "pendulum", "--method", "compound-pendulum",
                      "--integrator", "dopri5", "--rounds", "1", "--store", store});
    EXPECT_EQ(0, result.exit_code) << result.err;
    said = result.err;
    return store;
  }
  TemporaryFolder folder_;
};

TEST_F(PluginsInStore, AreListedByARunAndTheirDifferencesNamedByCompare) {
  std::string said_of_sound, said_of_slow;
  const std::string sound = Run("sound.sqlite", SOUND_PLUGIN, said_of_sound),
                    slow = Run("slow.sqlite", UNOPTIMISED_PLUGIN, said_of_slow);
  const auto plugins = [](const std::string& store) {
    return OrNone(Store::OpenToRead(store).Runs().back().build.plugins);
  };
  ASSERT_EQ(1u, plugins(sound).size());
  const PluginRecord plugin = plugins(sound)[0];
  EXPECT_EQ(std::filesystem::absolute(SOUND_PLUGIN).string(), plugin.file);
  EXPECT_EQ(Sha1OfFiles({SOUND_PLUGIN}), plugin.sha1);
  EXPECT_THAT(plugin.methods, testing::ElementsAre("compound-pendulum"));
  EXPECT_THAT(plugin.problems, testing::ElementsAre("swinging-bar"));
  EXPECT_THAT(plugin.flags, testing::StartsWith("optimised"));
  EXPECT_THAT(plugin.build, HasSubstr("compiler"));
  EXPECT_EQ(true, plugin.optimised);
  EXPECT_EQ(false, plugins(slow)[0].optimised);
  EXPECT_THAT(said_of_sound, Not(HasSubstr("WARNING")));
  EXPECT_THAT(said_of_slow, HasSubstr("was built without optimisation"));

  const CommandResult compared = RunCommand(TOYS_EXECUTABLE, {"compare", sound, slow});
  EXPECT_THAT(compared.out, HasSubstr("the plug-ins differ: "));
  EXPECT_THAT(compared.out, HasSubstr("WARNING: in B, the plug-in"));
  for (const char* form : {"--summary", "--json", "--markdown"}) {
    EXPECT_THAT(RunCommand(TOYS_EXECUTABLE, {"compare", sound, slow, form}).out,
                HasSubstr("without optimisation"))
        << form;
  }
  EXPECT_THAT(RunCommand(TOYS_EXECUTABLE, {"compare", sound, sound}).out,
              Not(HasSubstr("plug-in")));
}

TEST_F(PluginsInStore, AreListedByABenchWithAWarning) {
  const std::string store = folder_.File("bench.sqlite");
  const Arguments bench{"bench",    "--problem", "pendulum",       "--method", "compound-pendulum",
                        "--rounds", "1",         "--milliseconds", "10",       "--store",
                        store};
  const CommandResult result = Toys(UNOPTIMISED_PLUGIN, bench);
  EXPECT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.err, HasSubstr("was built without optimisation, so the times of"));
  const auto plugins = OrNone(Store::OpenToRead(store).BenchRuns().back().build.plugins);
  ASSERT_EQ(1u, plugins.size());
  EXPECT_EQ(Sha1OfFiles({UNOPTIMISED_PLUGIN}), plugins[0].sha1);
  EXPECT_THAT(Toys(SOUND_PLUGIN, bench).err, Not(HasSubstr("without optimisation")));

  // Both in one store, and nothing else.
  const CommandResult history =
      RunCommand(TOYS_EXECUTABLE, {"history", store, "--all", "--output", folder_.File("h.html")});
  EXPECT_EQ(0, history.exit_code) << history.err;
  EXPECT_THAT(history.out, HasSubstr("pendulum compound-pendulum accelerations"));
  EXPECT_TRUE(std::filesystem::exists(folder_.File("h.html")));
  const Json document = Json::parse(RunCommand(TOYS_EXECUTABLE, {"history", store, "--json"}).out);
  EXPECT_EQ(2u, document.at("runs").size());
  const CommandResult report =
      RunCommand(TOYS_EXECUTABLE, {"report", "--store", store, "--output", folder_.File("r")});
  EXPECT_EQ(0, report.exit_code) << report.err << " of benchmarks alone";
}

}  // namespace
}  // namespace mbsbench
