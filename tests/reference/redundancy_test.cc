// What redundant constraints leave of reactions, against the printed ranks, classes and dimensions of fifteen mechanisms.
#include "reference/redundancy.h"

#include <gtest/gtest.h>

#include <map>

#include "problems/catalog/catalog.h"
#include "problems/test_systems/flat_positions.h"
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

RedundantMechanism MechanismOf(const std::string& name) {
  for (RedundantMechanism& m : RedundantMechanisms()) {
    if (m.name == name) return m;
  }
  return {};
}

TEST(RankAt, FallsInTheFlatPositionsAloneAndIsRegainedBehindThem) {
  for (const FlatPosition& flat : FlatPositions()) {
    SCOPED_TRACE(flat.mechanism);
    const System system = MechanismOf(flat.mechanism).system;
    const int rates = 6 * static_cast<int>(system.bodies.size());
    EXPECT_EQ(rates - RankAt(system, flat.At(0)).rank, flat.freedoms);
    EXPECT_GT(RankAt(system, flat.At(0)).gap, 1e9) << "other rows stay independent";
    for (const double side : {-1., 1.}) {
      const RankOnPath near = RankAt(system, flat.At(1e-3 * side)),
                       off = RankAt(system, flat.At(1e-2 * side));
      EXPECT_EQ(rates - near.rank, 1);
      EXPECT_EQ(rates - off.rank, 1);
      EXPECT_NEAR(near.least / off.least, 0.1, 0.01) << "in proportion to the angle";
      EXPECT_GT(RankAt(system, flat.At(0.3 * side)).least, 10 * off.least);
    }
  }
}

// It falls over from the upright position, and is flat at about 0.7 s.
TEST(RanksAlong, AreThoseOfTheReferenceAtItsSamplesWhereItHoldsAllBodies) {
  Problem p = MakeProblem("nfourbar:windows=2");
  p.sample_times = {0, 0.35, 0.6};
  const std::vector<RankOnPath> ranks = RanksAlong(p.system, FindReference(p).value());
  ASSERT_EQ(ranks.size(), 3u);
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    EXPECT_EQ(ranks[k].time, p.sample_times[k]);
    EXPECT_EQ(ranks[k].rank, 29);
  }
  EXPECT_LT(ranks[2].least, ranks[0].least / 1.5);
  p.reference_bodies = {0};
  EXPECT_TRUE(RanksAlong(p.system, FindReference(p).value()).empty());
}

// A hinge or slide that exerts nothing beside another one that exerts all.
TEST(DroppedRows, AreNamedWhereAsManyMultipliersVanishAsRowsAreRedundant) {
  using Names = std::vector<std::string>;
  const std::vector<std::pair<const char*, Names>> second{
      {"door2",
       {"force x", "force y", "force z", "moment about y of its frame",
        "moment about x of its frame"}},
      {"door2-ball", {"force x", "force y", "force z"}},
      {"drawer",
       {"force along x of its frame", "force along y of its frame", "moment about y of its frame",
        "moment about x of its frame", "moment about z of its frame"}}};
  for (const auto& [name, names] : second) {
    SCOPED_TRACE(name);
    const RedundantMechanism m = MechanismOf(name);
    const bool slides = m.name == "drawer";  // along inertial x
    std::vector<ReferenceReaction> reactions(2);
    reactions[0].force = {slides ? 0. : 3, -8, 4};
    reactions[0].torque = {5, 2, slides ? -7. : 0};
    EXPECT_EQ(DroppedRows(m.system, m.state.joints, reactions), (std::vector<Names>{{}, names}));
    reactions[1].force = {0, 1, 0};
    EXPECT_TRUE(DroppedRows(m.system, m.state.joints, reactions).empty()) << "one is kept";
    reactions[1].force = {0, 0, 0};
    reactions[0].force.z = 0;
    EXPECT_TRUE(DroppedRows(m.system, m.state.joints, reactions).empty()) << "one more vanishes";
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
