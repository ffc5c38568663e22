// What redundant constraints leave of reactions, against the printed ranks, classes and dimensions of fifteen mechanisms.
#include "reference/redundancy.h"

#include <gtest/gtest.h>

#include <map>

#include "problems/catalog/catalog.h"
#include "problems/test_systems/redundant_mechanisms.h"

namespace mbsbench {
namespace {

const Quaternion kGenericTurn = Normalised(Quaternion{0.8, -0.3, 0.5, 0.2});

// In brackets behind the printed classes; a delta robot has others in its parallelograms.
int PrintedDimension(const RedundantMechanism& m, const std::string& classes) {
  static const std::map<std::string, int> printed{
      {"parallelogram3", 4}, {"nfourbar2-30", 3}, {"nfourbar2-90", 4},   {"fourbar-rrrr", 3},
      {"bennett", 3},        {"bricard", 1},      {"sarrus", 1},         {"door2", 5},
      {"door3", 5},          {"door2-ball", 3},   {"drawer", 5},         {"table4", 3},
      {"ring6", 3},          {"delta", 2},        {"wishbone-extra", 1},
  };
  if (classes == "UUUUUU") return 0;
  return m.name == "delta" && classes[0] == 'D' ? 4 : printed.at(m.name);
}

TEST(Redundancy, HasThePrintedRanksClassesAndDimensions) {
  for (const RedundantMechanism& m : RedundantMechanisms()) {
    SCOPED_TRACE(m.name);
    ASSERT_TRUE(IsTestedForRedundancy(m.system));
    const Redundancy found = RedundancyOf(m.system, m.state.joints);
    EXPECT_EQ(found.rows, m.rows);
    EXPECT_EQ(found.rank, m.rank);
    EXPECT_GT(found.gap, 1e3);
    ASSERT_EQ(found.joints.size(), m.classes.size());
    for (std::size_t j = 0; j < m.classes.size(); ++j) {
      EXPECT_EQ(found.joints[j].classes, m.classes[j]) << "joint " << j;
      EXPECT_EQ(found.joints[j].undetermined, PrintedDimension(m, m.classes[j])) << "joint " << j;
    }
  }
}

TEST(Redundancy, InJointAxesDoesNotDependOnHowAModelIsTurned) {
  int spread = 0;
  for (const RedundantMechanism& m : RedundantMechanisms()) {
    SCOPED_TRACE(m.name);
    const Redundancy printed = RedundancyOf(m.system, m.state.joints),
                     turned = RedundancyOf(Turned(m, kGenericTurn).system, m.state.joints);
    EXPECT_EQ(turned.rank, printed.rank);
    for (std::size_t j = 0; j < printed.joints.size(); ++j) {
      EXPECT_EQ(turned.joints[j].in_joint_axes, printed.joints[j].in_joint_axes) << "joint " << j;
      EXPECT_EQ(turned.joints[j].undetermined, printed.joints[j].undetermined) << "joint " << j;
      spread += turned.joints[j].classes != printed.joints[j].classes ? 1 : 0;
    }
  }
  EXPECT_GT(spread, 50) << "letters in inertial axes spread";
}

// z is the axis of the pins.
TEST(Redundancy, OfBricardsAndSarrusLinkagesIsThatOfTheAxesOfTheirPins) {
  for (const RedundantMechanism& m : RedundantMechanisms()) {
    if (m.name != "bricard" && m.name != "sarrus") continue;
    for (const JointRedundancy& joint : RedundancyOf(m.system, m.state.joints).joints) {
      if (m.name == "bricard") {
        EXPECT_EQ(joint.in_joint_axes, "DDDDDU");
      } else {
        EXPECT_TRUE(joint.in_joint_axes == "UUUUNU" || joint.in_joint_axes == "UUUNUU")
            << joint.in_joint_axes;
      }
    }
  }
}

TEST(Redundancy, HasTheSameRankAndUniqueComponentsInAnyUnits) {
  for (const RedundantMechanism& printed : RedundantMechanisms()) {
    for (const double length : {1e3, 1e-3}) {
      const RedundantMechanism m = InUnits(printed, length, 1e3);
      SCOPED_TRACE(m.name);
      const Redundancy found = RedundancyOf(m.system, m.state.joints);
      EXPECT_EQ(found.rank, m.rank);
      for (std::size_t j = 0; j < m.classes.size(); ++j) {
        EXPECT_EQ(found.joints[j].undetermined, PrintedDimension(m, m.classes[j])) << "joint " << j;
        for (std::size_t k = 0; k < 6; ++k)
          EXPECT_EQ(found.joints[j].classes[k] == 'U', m.classes[j][k] == 'U') << "joint " << j;
      }
    }
  }
}

TEST(Redundancy, IsTestedOnLoopsOfFewRowsAlone) {
  EXPECT_FALSE(IsTestedForRedundancy(MakeProblem("branch4").system));
  EXPECT_FALSE(IsTestedForRedundancy(MakeProblem("nfourbar:windows=40").system));
  const Problem plane = MakeProblem("nfourbar:windows=10");  // three in each window
  ASSERT_TRUE(IsTestedForRedundancy(plane.system));
  const Redundancy found = RedundancyOf(plane.system, plane.initial.joints);
  EXPECT_EQ(found.rows - found.rank, 30);
}

}  // namespace
}  // namespace mbsbench
