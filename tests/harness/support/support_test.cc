// Allow-lists: exactly the features that are not listed are refused, with a message that names them.
#include "harness/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/driver_motions.h"
#include "tests/support/everything.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A chain of revolutes about parallel axes with one of everything on it.
System OneOfEverything() {
  System system;
  for (const char* name : {"point", "wheel", "link", "rod"}) {
    Body body;
    body.name = name;
    system.bodies.push_back(body);
    Joint joint;
    joint.name = std::string("hinge of the ") + name;
    joint.type = JointType::kRevolute;
    joint.child = static_cast<int>(system.joints.size());
    joint.parent = joint.child - 1;
    system.joints.push_back(joint);
  }
  system.bodies[0].mass = 1;
  system.bodies[1].inertia = Diagonal(1, 1, 1);
  system.bodies[3].mass = 1;
  system.bodies[3].inertia = Diagonal(1, 1, 1);
  Joint cut;
  cut.name = "cut";
  cut.type = JointType::kUniversal;
  cut.child = 3;
  system.loop_joints = {cut};
  SpringDamper spring;
  spring.name = "strut";
  spring.body_b = 1;
  system.forces.Of<SpringDamper>() = {spring};
  system.forces.Of<JointSpringDamper>() = {{"twist", 1, 1, 0, 0}};
  system.forces.Of<AppliedForce>() = {{"push", 1, {}, {1, 0, 0}, {}, false}};
  system.forces.Of<GroundSpring>() = {{"tyre", 1, {}, {0, 1, 0}, 1000, 0, 0}};
  system.drivers = {{"motor", 2, 3.5}};
  return system;
}

std::string RefusalBy(const Capabilities& can, const System& system = OneOfEverything()) {
  return Refusal(system, can, "method:variant").value_or("");
}

TEST(Capabilities, AcceptListedFeatures) { EXPECT_EQ(RefusalBy(Everything()), ""); }

struct Missing {
  const char* what;
  std::function<void(Capabilities&)> leave_out;
  const char *named, *reason;
};
void PrintTo(const Missing& missing, std::ostream* os) { *os << missing.what; }

class UnlistedFeature : public testing::TestWithParam<Missing> {};

TEST_P(UnlistedFeature, IsRefusedWithItsNameAndThatOfTheMethod) {
  Capabilities can = Everything();
  GetParam().leave_out(can);
  EXPECT_THAT(RefusalBy(can), AllOf(HasSubstr(GetParam().named), HasSubstr(GetParam().reason),
                                    HasSubstr(", and method:variant "), testing::EndsWith(".")));
}

template <class Kind>
void Without(Allowed<Kind>& list, Kind kind) {
  std::erase(list.kinds, kind);
}
void KeepForces(Capabilities& can, std::vector<ForceElement> kinds) {
  can.force_elements = {std::move(kinds)};
}

INSTANTIATE_TEST_SUITE_P(
    Each, UnlistedFeature,
    testing::Values(
        Missing{"tree joints",
                [](Capabilities& c) {
                  c.tree_joints = {{JointType::kBall, JointType::kFree}, "of a lemma"};
                },
                "joint 'hinge of the point' is a revolute joint",
                "takes only ball and free joints in chains and trees: of a lemma."},
        Missing{"loops", [](Capabilities& c) { c.loop_joints = {}; }, "joint 'cut' closes a loop",
                "takes only open chains and trees"},
        Missing{"a loop joint",
                [](Capabilities& c) { Without(c.loop_joints, JointType::kUniversal); },
                "joint 'cut' closes a loop and is a universal joint",
                "only by ball, revolute, prismatic, fixed and distance joints"},
        Missing{"force elements", [](Capabilities& c) { KeepForces(c, {}); },
                "force element 'strut' is a spring-damper", "takes no force elements"},
        Missing{"springs in joints",
                [](Capabilities& c) { KeepForces(c, {ForceElement::kSpringDamper}); },
                "force element 'twist' is a joint spring", "takes only spring-dampers."},
        Missing{"applied forces",
                [](Capabilities& c) {
                  KeepForces(c, {ForceElement::kSpringDamper, ForceElement::kJointSpringDamper});
                },
                "force element 'push' is an applied force", "takes only"},
        Missing{"ground springs",
                [](Capabilities& c) {
                  KeepForces(c, {ForceElement::kSpringDamper, ForceElement::kJointSpringDamper,
                                 ForceElement::kAppliedForce});
                },
                "force element 'tyre' is a ground spring", "takes only"},
        Missing{"drivers", [](Capabilities& c) { c.drivers = {}; },
                "driver 'motor' gives joint 'hinge of the link' a constant-rate motion",
                "takes no drivers."},
        Missing{"points", [](Capabilities& c) { Without(c.bodies, UnusualBody::kPoint); },
                "body 'point' has mass and no inertia", "takes no such body"},
        Missing{"inertia without mass",
                [](Capabilities& c) { Without(c.bodies, UnusualBody::kInertiaWithoutMass); },
                "body 'wheel' has inertia and no mass", "takes no such body"},
        Missing{"massless links",
                [](Capabilities& c) { Without(c.bodies, UnusualBody::kWithoutMassOrInertia); },
                "body 'link' has neither mass nor inertia", "takes no such body"}),
    NameOfParameter);

// A value without an enumerator represents a future type of the model.
TEST(Capabilities, AcceptAnUnknownTypeOnlyIfAllAreListed) {
  constexpr auto kLater = static_cast<JointType>(57);
  System system = OneOfEverything();
  system.joints[3].type = kLater;
  EXPECT_EQ(RefusalBy(Everything(), system), "");
  Capabilities can = Everything();
  using enum JointType;
  can.tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree, kDistance, kUniversal}};
  EXPECT_THAT(RefusalBy(can, system), HasSubstr("joint 'hinge of the rod' is"));
  system = OneOfEverything();
  system.loop_joints[0].type = kLater;
  EXPECT_THAT(RefusalBy(Everything(), system), HasSubstr("joint 'cut' closes a loop and is"));
}

TEST(Capabilities, RefuseAMotionWithTheNameOfTheDriverAlsoWhenNested) {
  System system = OneOfEverything();
  Capabilities can = Everything();
  can.drivers = {{MotionKind::kConstantRate, MotionKind::kSum}};
  EXPECT_EQ(RefusalBy(can, system), "");
  system.drivers[0].motion = Sum({{1.0}, Arcsine(Harmonic(0.1, 1))});
  EXPECT_EQ(RefusalBy(can, system),
            "driver 'motor' gives joint 'hinge of the link' an arcsine motion, and method:variant "
            "takes drivers only with a constant-rate motion and sum of motions.");
  can.drivers = AllMotions();
  EXPECT_EQ(RefusalBy(can, system), "");
  system.drivers[0].motion.terms[1].kind = static_cast<MotionKind>(57);  // a later one
  EXPECT_EQ(RefusalBy(can, system), "");
}

TEST(Capabilities, OfAnEntryWithoutAnyAcceptNothing) {
  MethodEntry entry;
  entry.key = "silent";
  const Verdict verdict = VerdictOf(entry, OneOfEverything(), {});
  EXPECT_FALSE(verdict.supported);
  EXPECT_THAT(verdict.reason, HasSubstr("joint 'hinge of the point'"));
}

TEST(Capabilities, RefuseGrowthWithTheNameOfTheRope) {
  System system = OneOfEverything();
  system.rope_flight.emplace().name = "rocket";
  Capabilities can = Everything();
  EXPECT_EQ(RefusalBy(can, system), "");
  can.growth = false;
  EXPECT_THAT(RefusalBy(can, system), HasSubstr("rope flight 'rocket' makes the system grow"));
}

TEST(Capabilities, OfThePlaneAcceptJointsInOnePlaneAndNameTheFirstOutOfIt) {
  Capabilities can = Everything();
  can.motion_in_space = false;
  const System planar = OneOfEverything();
  EXPECT_EQ(RefusalBy(can, planar), "");

  System tilted = planar;  // all of it, as a plane of any attitude
  tilted.joints[0].parent_frame.orientation = AxisAngle({1, 0, 0}, 0.7);
  EXPECT_EQ(RefusalBy(can, tilted), "");
  tilted = planar;  // an axis of its own
  tilted.joints[2].parent_frame.orientation = AxisAngle({1, 0, 0}, 0.7);
  EXPECT_THAT(RefusalBy(can, tilted),
              HasSubstr("joint 'hinge of the link' leads out of the plane"));
  tilted.joints[2].child_frame.orientation = tilted.joints[2].parent_frame.orientation;
  EXPECT_THAT(RefusalBy(can, tilted), HasSubstr("'hinge of the link'")) << "turned back after it";

  System sliding = planar;
  sliding.joints[1].type = JointType::kPrismatic;
  EXPECT_THAT(RefusalBy(can, sliding), HasSubstr("'hinge of the wheel'")) << "along the normal";
  sliding.joints[1].parent_frame.orientation = AxisAngle({1, 0, 0}, 1.5707963267948966);
  sliding.joints[1].child_frame.orientation = sliding.joints[1].parent_frame.orientation;
  EXPECT_EQ(RefusalBy(can, sliding), "");

  System in_its_plane = planar;
  in_its_plane.joints[1].type = JointType::kPlanar;
  EXPECT_EQ(RefusalBy(can, in_its_plane), "");
  for (const JointType type :
       {JointType::kBall, JointType::kFree, JointType::kUniversal, JointType::kCylindrical}) {
    System in_space = planar;
    in_space.joints[1].type = type;
    EXPECT_THAT(RefusalBy(can, in_space), HasSubstr("'hinge of the wheel'"));
  }
}

TEST(Capabilities, OfThePlaneAcceptTwoDirectionsOfSlidingButNoThird) {
  Capabilities can = Everything();
  can.motion_in_space = false;
  System system = OneOfEverything();
  system.drivers.clear();
  for (Joint& joint : system.joints) joint.type = JointType::kPrismatic;
  EXPECT_EQ(RefusalBy(can, system), "");
  system.joints[1].parent_frame.orientation = AxisAngle({1, 0, 0}, 0.7);
  EXPECT_EQ(RefusalBy(can, system), "");
  system.joints[3].parent_frame.orientation = AxisAngle({0, 1, 0}, 0.7);
  EXPECT_THAT(RefusalBy(can, system), HasSubstr("'hinge of the rod'"));
}

}  // namespace
}  // namespace mbsbench
