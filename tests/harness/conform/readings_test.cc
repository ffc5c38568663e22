// What an engine reads in a robot file against ours: equal readings are found equal, and each difference is named.
#include "harness/conform/readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problems/io/robot_file.h"
#include "tests/support/crane.h"

namespace mbsbench {
namespace {

using testing::ElementsAre;

ComparedReading ComparedWith(const ModelReading& theirs) {
  return Compared(ParseRobot(CraneUrdf(), "crane.urdf"), theirs);
}

ModelReading WholeCrane() {
  return {.bodies = {{.name = "base", .mass = 0, .centre = {}, .inertia = {}},
                     ArmOfCrane(),
                     ToolOfCrane()},
          .joints = {HingeOfCrane()},
          .refused = ""};
}

// The differences in words; a reading without any gives none.
std::vector<std::string> DifferencesIn(const ModelReading& theirs) {
  std::vector<std::string> words;
  for (const ReadingDifference& difference : ComparedWith(theirs).differences)
    words.push_back(DifferenceInWords(difference));
  return words;
}

TEST(Readings, OfTheTrueMassesAndAxesAreAlike) {
  EXPECT_THAT(DifferencesIn(WholeCrane()), ElementsAre());
  EXPECT_THAT(ComparedWith(WholeCrane()).merged, ElementsAre());
}

TEST(Readings, ThatAddFixedBodiesToTheirCarriersAreComparedAsSums) {
  const ModelReading theirs{.bodies = {ArmWithTool()}, .joints = {HingeOfCrane()}, .refused = ""};
  EXPECT_THAT(DifferencesIn(theirs), ElementsAre());
  EXPECT_THAT(ComparedWith(theirs).merged, ElementsAre("tool"));
  const ModelReading lost{.bodies = {ArmOfCrane()}, .joints = {HingeOfCrane()}, .refused = ""};
  EXPECT_EQ(3u, DifferencesIn(lost).size()) << "mass, centre and inertia lack the tool";
}

TEST(Readings, NameWhatDiffersWithBothNumbers) {
  ModelReading theirs = WholeCrane();
  theirs.bodies[1].mass = 2.5;
  EXPECT_THAT(DifferencesIn(theirs),
              ElementsAre("body 'arm': the mass [kg] is 2 here and 2.5 there"));
  theirs = WholeCrane();
  theirs.bodies[1].centre.z = 0.8;  // the other sense of the joint's rpy
  EXPECT_THAT(
      DifferencesIn(theirs),
      ElementsAre("body 'arm': the mass centre [m] is (0.1, 0, 1.2) here and (0.1, 0, 0.8) there"));
  theirs = WholeCrane();
  theirs.bodies[1].inertia = Diagonal(0.01, 0.025, 0.02);
  EXPECT_EQ(1u, DifferencesIn(theirs).size()) << "the rpy of the inertia is ignored";
  theirs = WholeCrane();
  theirs.joints[0] = {.name = "hinge", .axis = {0, 1, 0}, .damping = 0, .armature = 0.25};
  EXPECT_THAT(DifferencesIn(theirs),
              ElementsAre("joint 'hinge': the axis is (0, -1, 0) here and (0, 1, 0) there",
                          "joint 'hinge': the damping is 0.3 here and 0 there",
                          "joint 'hinge': the armature is 0 here and 0.25 there"));
}

TEST(Readings, NameElementsThatOneOfThemLacks) {
  ModelReading theirs = WholeCrane();
  theirs.joints.clear();
  theirs.bodies.push_back({.name = "hook", .mass = 4, .centre = {}, .inertia = {}});
  EXPECT_THAT(DifferencesIn(theirs),
              ElementsAre("body 'hook': the mass [kg] is absent here and 4 there",
                          "joint 'hinge': the axis is (0, -1, 0) here and absent there"));
}

}  // namespace
}  // namespace mbsbench
