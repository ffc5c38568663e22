#include "harness/store/same_machine.h"

#include <gtest/gtest.h>

#include "harness/store/store.h"

namespace mbsbench {
namespace {

TEST(SameMachine, HostsWithinThreePercentOfTheFastestAreOne) {
  const auto groups =
      SpeedGroups({{"a", 1.029}, {"b", 1.0}, {"c", 1.031}, {"d", 1.06}, {"e", 1.08}});
  EXPECT_EQ(groups.at("b"), groups.at("a"));
  EXPECT_NE(groups.at("b"), groups.at("c"));
  EXPECT_EQ(groups.at("c"), groups.at("d")) << "both within 3 % of c";
  EXPECT_NE(groups.at("c"), groups.at("e"));
}

TEST(SameMachine, AHostOfWhichNothingIsKnownIsInTheFirstGroup) {
  const auto groups = SpeedGroups({{"a", 0}, {"b", 1.0}, {"c", 1.2}});
  EXPECT_EQ(0, groups.at("a"));
  EXPECT_EQ(0, groups.at("b"));
  EXPECT_EQ(1, groups.at("c"));
}

TEST(SameMachine, ProcessorCoresExecutableAndLibrariesMakeTheKind) {
  const Json machine = {{"cpu", "x"}, {"cores", 2}, {"gigaflops_scalar", 14.}},
             build = {{"binary_hash", "h"}, {"loaded_libraries", "l"}};
  const std::string kind = ProcessorAndBuild(machine, build);
  Json other = machine;
  other["gigaflops_scalar"] = 15.;
  EXPECT_EQ(kind, ProcessorAndBuild(other, build)) << "a measured speed";
  for (const auto& [field, value] : {std::pair<const char*, Json>{"cpu", "y"}, {"cores", 4}}) {
    other = machine;
    other[field] = value;
    EXPECT_NE(kind, ProcessorAndBuild(other, build)) << field;
  }
  for (const char* field : {"binary_hash", "loaded_libraries"}) {
    other = build;
    other[field] = "other";
    EXPECT_NE(kind, ProcessorAndBuild(machine, other)) << field;
  }
}

}  // namespace
}  // namespace mbsbench
