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

// The rows of a table, with a column per reading: "body 'arm' | mass [kg] | 2 | 2.5"
std::vector<std::string> RowsWith(const std::vector<ModelReading>& readings) {
  std::vector<ComparedReading> compared;
  for (const ModelReading& theirs : readings) compared.push_back(ComparedWith(theirs));
  std::vector<std::string> rows;
  for (const ReadingRow& row : RowsOf(compared)) {
    rows.push_back(row.element + " | " + row.quantity + " | " + row.ours);
    for (const std::string& theirs : row.theirs) rows.back() += " | " + theirs;
  }
  return rows;
}

// A reading without any difference has none.
std::vector<std::string> DifferencesIn(const ModelReading& theirs) { return RowsWith({theirs}); }

TEST(Readings, OfTheTrueMassesAndAxesAreAlike) {
  EXPECT_THAT(DifferencesIn(WholeCrane()), ElementsAre());
  EXPECT_THAT(ComparedWith(WholeCrane()).merged, ElementsAre());
}

TEST(Readings, ThatAddFixedBodiesToTheirCarriersAreComparedAsSums) {
  const ModelReading theirs{.bodies = {ArmWithTool()}, .joints = {HingeOfCrane()}, .refused = ""};
  EXPECT_THAT(DifferencesIn(theirs), ElementsAre());
  EXPECT_THAT(ComparedWith(theirs).merged, ElementsAre("tool"));
  const ModelReading lost{.bodies = {ArmOfCrane()}, .joints = {HingeOfCrane()}, .refused = ""};
  EXPECT_EQ(3u, ComparedWith(lost).differences.size()) << "mass, centre and inertia lack the tool";
}

TEST(Readings, NameWhatDiffersWithBothNumbers) {
  ModelReading theirs = WholeCrane();
  theirs.bodies[1].mass = 2.5;
  EXPECT_THAT(DifferencesIn(theirs), ElementsAre("body 'arm' | mass [kg] | 2 | 2.5"));
  theirs = WholeCrane();
  theirs.bodies[1].centre.z = 0.8;  // the other sense of the joint's rpy
  EXPECT_THAT(DifferencesIn(theirs), ElementsAre("body 'arm' | mass centre z [m] | 1.2 | 0.8"));
  theirs = WholeCrane();
  theirs.bodies[1].inertia = Diagonal(0.01, 0.025, 0.02);  // the rpy of the inertia is ignored
  EXPECT_THAT(DifferencesIn(theirs), ElementsAre("body 'arm' | inertia xx [kg m^2] | 0.02 | 0.01",
                                                 "body 'arm' | inertia zz [kg m^2] | 0.01 | 0.02"));
  theirs = WholeCrane();
  theirs.joints[0] = {.name = "hinge", .axis = {0, 1, 0}, .damping = 0, .armature = 0.25};
  EXPECT_THAT(DifferencesIn(theirs),
              ElementsAre("joint 'hinge' | axis y | -1 | 1", "joint 'hinge' | damping | 0.3 | 0",
                          "joint 'hinge' | armature | 0 | 0.25"));
}

TEST(Readings, OfSeveralEnginesHaveAColumnEach) {
  ModelReading heavy = WholeCrane(), bare = WholeCrane();
  heavy.bodies[1].mass = 2.5;
  bare.bodies[1].mass = 3;
  bare.joints[0].damping = 0;
  EXPECT_THAT(RowsWith({WholeCrane(), heavy, bare}),
              ElementsAre("body 'arm' | mass [kg] | 2 | = | 2.5 | 3",
                          "joint 'hinge' | damping | 0.3 | = | = | 0"));
  const ModelReading lost{.bodies = {ArmOfCrane()}, .joints = {HingeOfCrane()}, .refused = ""};
  EXPECT_THAT(RowsWith({lost, heavy}),
              testing::IsSupersetOf(
                  {"body 'arm' | mass [kg] | 3 | 2 | =", "body 'arm' | mass [kg] | 2 | = | 2.5"}))
      << "the first adds the tool to the arm";
}

TEST(Readings, NameElementsThatOneOfThemLacks) {
  ModelReading theirs = WholeCrane();
  theirs.joints.clear();
  theirs.bodies.push_back({.name = "hook", .mass = 4, .centre = {}, .inertia = {}});
  EXPECT_THAT(DifferencesIn(theirs), ElementsAre("body 'hook' | mass [kg] | absent | 4",
                                                 "joint 'hinge' | axis | present | absent"));
}

}  // namespace
}  // namespace mbsbench
