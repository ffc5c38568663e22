#include "harness/comparison/same_machine.h"

#include <gtest/gtest.h>

#include <functional>

namespace mbsbench {
namespace {

TEST(SameMachine, HostsWithinThreePercentOfTheFastestAreOneMachine) {
  const auto groups =
      SpeedGroups({{"a", 1.029}, {"b", 1.0}, {"c", 1.031}, {"d", 1.06}, {"e", 1.08}});
  EXPECT_EQ(groups.at("b"), groups.at("a"));
  EXPECT_NE(groups.at("b"), groups.at("c"));
  EXPECT_EQ(groups.at("c"), groups.at("d")) << "both within 3 % of c";
  EXPECT_NE(groups.at("c"), groups.at("e"));
}

TEST(SameMachine, AHostWithoutDataIsInTheFirstGroup) {
  const auto groups = SpeedGroups({{"a", 0}, {"b", 1.0}, {"c", 1.2}});
  EXPECT_EQ(0, groups.at("a"));
  EXPECT_EQ(0, groups.at("b"));
  EXPECT_EQ(1, groups.at("c"));
}

TEST(SameMachine, IsKeyedByProcessorCoresExecutableAndLibraries) {
  const MachineRecord machine{.cpu = "x", .cores = 2};
  const BuildRecord build{.commit = "c", .binary_hash = "h", .loaded_libraries = "l"};
  const std::string kind = ProcessorAndBuild(machine, build);
  const auto on = [&](const std::function<void(MachineRecord&)>& change) {
    MachineRecord other = machine;
    change(other);
    return ProcessorAndBuild(other, build);
  };
  const auto by = [&](const std::function<void(BuildRecord&)>& change) {
    BuildRecord other = build;
    change(other);
    return ProcessorAndBuild(machine, other);
  };
  EXPECT_EQ(kind, on([](MachineRecord& m) { m.load_average = 3; })) << "other work";
  EXPECT_NE(kind, on([](MachineRecord& m) { m.cpu = "y"; }));
  EXPECT_NE(kind, on([](MachineRecord& m) { m.cores = 4; }));
  EXPECT_NE(kind, by([](BuildRecord& b) { b.binary_hash = "other"; }));
  EXPECT_NE(kind, by([](BuildRecord& b) { b.loaded_libraries = "other"; }));
  EXPECT_EQ(kind, by([](BuildRecord& b) { b.commit = "d"; })) << "the executable is known";
  const auto of_unknown = [&](const char* commit) {
    return by([commit](BuildRecord& b) {
      b.binary_hash = "";
      b.commit = commit;
    });
  };
  EXPECT_NE(of_unknown("c"), of_unknown("d")) << "then all that is known of the build counts";
}

}  // namespace
}  // namespace mbsbench
