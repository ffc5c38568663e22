// Momenta that follow from the joints on the ground and from gravity, worked out by hand.
#include "problems/model/conserved_momenta.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

System OneBodyOn(JointType type, const Frame& on_ground, const Vector3& gravity) {
  System system;
  system.bodies.resize(1);
  system.joints.resize(1);
  system.joints[0].type = type;
  system.joints[0].parent_frame = on_ground;
  system.gravity = gravity;
  return system;
}

struct HeldCount {
  std::size_t directions, axes;
  bool operator==(const HeldCount&) const = default;
};
HeldCount HeldBy(const System& system) {
  const ConservedMomenta momenta = ConservedMomentaOf(system);
  return {momenta.directions.size(), momenta.axes.size()};
}

constexpr Vector3 kNoGravity{}, kDown{0, 0, -9.81};

TEST(ConservedMomenta, OfABodyFollowFromItsJointOnTheGroundWithAVerticalAxisAndGravity) {
  const Frame away{{1, 2, 3}, {}};  // z is vertical
  using enum JointType;
  const struct {
    JointType type;
    HeldCount weightless, heavy;
  } known[] = {{kFree, {3, 3}, {2, 1}},      {kBall, {0, 3}, {0, 1}},
               {kRevolute, {0, 1}, {0, 1}},  {kFixed, {0, 0}, {0, 0}},
               {kPrismatic, {1, 0}, {0, 0}}, {kUniversal, {0, 1}, {0, 1}},
               {kPlanar, {2, 1}, {2, 1}},    {kCylindrical, {1, 1}, {0, 1}}};
  for (const auto& [type, weightless, heavy] : known) {
    EXPECT_EQ(HeldBy(OneBodyOn(type, away, kNoGravity)), weightless) << Name(type);
    EXPECT_EQ(HeldBy(OneBodyOn(type, away, kDown)), heavy) << Name(type);
  }
  const Frame lying{{1, 2, 3}, AxisAngle({1, 0, 0}, M_PI / 2)};
  EXPECT_EQ(HeldBy(OneBodyOn(kRevolute, lying, kDown)), (HeldCount{0, 0}));
  EXPECT_EQ(HeldBy(OneBodyOn(kPrismatic, lying, kDown)), (HeldCount{1, 0}));
}

TEST(ConservedMomenta, OfTwoJointsOnTheGroundAreThoseThatBothAllow) {
  System system = OneBodyOn(JointType::kBall, {{1, 2, 3}, {}}, kDown);
  system.loop_joints = system.joints;
  system.loop_joints[0].parent_frame.position = {1, 2, 5};
  EXPECT_EQ(HeldBy(system), (HeldCount{0, 1})) << "on one vertical line";
  system.loop_joints[0].parent_frame.position = {1, 2.5, 5};
  EXPECT_EQ(HeldBy(system), (HeldCount{0, 0}));
  system.gravity = kNoGravity;
  EXPECT_EQ(HeldBy(system), (HeldCount{0, 1})) << "about the line through both";
  system.joints[0].type = JointType::kUniversal;
  system.joints[0].parent_frame.orientation = {};
  system.loop_joints.clear();
  std::swap(system.joints[0].parent, system.joints[0].child);
  std::swap(system.joints[0].parent_frame, system.joints[0].child_frame);
  const ConservedMomenta turned = ConservedMomentaOf(system);
  ASSERT_EQ(turned.axes.size(), 1u);
  EXPECT_NEAR(std::abs(turned.axes[0].axis.x), 1, 1e-12) << "the arm that the ground holds";
}

TEST(ConservedMomenta, AreNoneWhereAnElementOrADriverActsFromTheGround) {
  System system = OneBodyOn(JointType::kRevolute, {}, kDown);
  System driven = system, sprung = system, pulled = OneBodyOn(JointType::kFree, {}, kNoGravity);
  driven.drivers.resize(1);
  EXPECT_EQ(HeldBy(driven), (HeldCount{0, 0}));
  sprung.forces.Of<JointSpringDamper>().resize(1);
  EXPECT_EQ(HeldBy(sprung), (HeldCount{0, 0}));
  pulled.forces.Of<SpringDamper>().push_back({"s", kGround, 0, {}, {}, 1, 0, 0});
  EXPECT_EQ(HeldBy(pulled), (HeldCount{0, 0}));
  pulled.forces.Of<SpringDamper>()[0].body_a = 0;
  EXPECT_EQ(HeldBy(pulled), (HeldCount{3, 3})) << "within the mechanism";
}

// The moment of a force through the axis about it is zero.
TEST(ConservedMomenta, CountTheAngularMomentumAboutTheAxisOfTheJoint) {
  const Vector3 at{1, 2, 3};
  const ConservedMomenta momenta =
      ConservedMomentaOf(OneBodyOn(JointType::kRevolute, {at, {}}, kDown));
  const Vector3 push{0.3, -0.7, 0.2};
  EXPECT_NEAR(momenta.Angular({push, Cross(at, push)}), 0, 1e-14);
  EXPECT_NEAR(momenta.Angular({push, Cross(at + Vector3{2, 0, 9}, push)}), 1.4, 1e-14);
  EXPECT_EQ(momenta.Linear({push, {}}), 0);
}

TEST(ConservedMomenta, OfTheCatalogueAreThoseOfFreeBodiesAndAboutTheVertical) {
  const auto of = [](const char* problem) { return HeldBy(MakeProblem(problem).system); };
  EXPECT_EQ(of("dzhanibekov"), (HeldCount{3, 3}));
  EXPECT_EQ(of("heavytop"), (HeldCount{0, 1}));
  EXPECT_EQ(of("chainN3d:bodies=4"), (HeldCount{0, 1}));
  EXPECT_EQ(of("pendulum"), (HeldCount{0, 0}));
  EXPECT_EQ(of("fourbar"), (HeldCount{0, 0}));
}

}  // namespace
}  // namespace mbsbench
