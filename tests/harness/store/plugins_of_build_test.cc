// Statements about the plug-ins of builds.
#include "harness/store/plugins_of_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mbsbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PluginRecord Plugin(const std::string& name, const std::string& sha1, const std::string& flags) {
  PluginRecord plugin{.name = name, .sha1 = sha1, .flags = flags, .methods = {"m1", "m2"}};
  if (!flags.empty()) plugin.optimised = !flags.starts_with("not");
  return plugin;
}
BuildRecord Build(const std::vector<PluginRecord>& plugins) { return {.plugins = plugins}; }

TEST(PluginsOfBuild, ThoseOfOneBuildAloneOrWithOtherFilesAreNamed) {
  const BuildRecord a = Build({Plugin("same", "1", "optimised"), Plugin("new", "1", "optimised"),
                               Plugin("slow", "1", "optimised"), Plugin("gone", "1", "")}),
                    b = Build({Plugin("same", "1", "optimised"), Plugin("new", "2", "optimised"),
                               Plugin("slow", "3", "not optimised"), Plugin("more", "1", "")});
  EXPECT_EQ("the plug-ins differ: gone, more, new, slow.", PluginDifferences(a, b));
  EXPECT_EQ("", PluginDifferences(a, a));
  EXPECT_EQ("", PluginDifferences(a, {.commit = "old"})) << "it does not list them";
}

TEST(PluginsOfBuild, OneWithoutOptimisationCausesAWarning) {
  EXPECT_THAT(
      PluginWarnings(Build({Plugin("slow", "1", "not optimised, assertions"),
                            Plugin("fast", "1", "optimised, AVX2"), Plugin("foreign", "1", "")})),
      ElementsAre("the plug-in 'slow' was built without optimisation, so the times of m1, "
                  "m2 are not representative: rebuild it with -O2 or more."));
  EXPECT_THAT(PluginWarnings({}), IsEmpty());
}

}  // namespace
}  // namespace mbsbench
