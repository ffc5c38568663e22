// Invalid models are refused, and the message names the body or joint and the rule.
#include "problems/model/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"

namespace mbsbench {
namespace {

// The message with which `check` is refused.
std::string Sentence(const std::function<void()>& check) {
  try {
    check();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

// The message for a changed catalogue problem.
std::string SentenceFor(const char* name, const std::function<void(Problem&)>& spoil) {
  Problem p = MakeProblem(name);
  spoil(p);
  return Sentence([&p] { Validate(p); });
}

struct Fault {
  const char* name;
  std::function<void(System&)> make;
  const char* says;
};

class InvalidSystem : public testing::TestWithParam<Fault> {};

TEST_P(InvalidSystem, IsRefusedWithTheNameAndTheRule) {
  System system = MakeProblem("branch4").system;
  Validate(system);
  GetParam().make(system);
  try {
    Validate(system);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().says));
  }
}

const double kNan = std::numeric_limits<double>::quiet_NaN();
INSTANTIATE_TEST_SUITE_P(
    Faults, InvalidSystem,
    testing::Values(
        Fault{"NegativeMass", [](System& s) { s.bodies[1].mass = -1; }, "body '3' has mass -1"},
        Fault{"NanMass", [](System& s) { s.bodies[1].mass = kNan; }, "body '3' has mass"},
        Fault{"TriangleInequality", [](System& s) { s.bodies[2].inertia = Diagonal(1, 1, 3); },
              "body '5' has an inertia that violates the triangle"},
        Fault{"NegativeInertia", [](System& s) { s.bodies[2].inertia = Diagonal(-1, 1, 1); },
              "body '5' has a negative principal moment"},
        Fault{"QuaternionOffUnit",
              [](System& s) { s.joints[1].child_frame.orientation.w = 1.00001; },
              "joint 'hinge_4' has a child frame orientation of norm"},
        Fault{"NanFrame", [](System& s) { s.joints[1].parent_frame.position.y = kNan; },
              "joint 'hinge_4' has a parent frame whose position"},
        Fault{"AbsentBody", [](System& s) { s.joints[1].parent = 9; },
              "joint 'hinge_4' names a parent body that does not exist"},
        Fault{"AbsentChild", [](System& s) { s.joints[1].child = -1; },
              "joint 'hinge_4' names a child body that does not exist"},
        Fault{"TwoParents", [](System& s) { s.joints[0].child = 1; }, "body '3' has two parents"},
        Fault{"NoJoint", [](System& s) { s.joints.erase(s.joints.begin()); },
              "body '1' has no joint"},
        Fault{"Cycle", [](System& s) { s.joints[3].parent = 1; }, "cycle"},
        Fault{"SameName", [](System& s) { s.bodies[1].name = "1"; }, "body '1' occurs twice"},
        Fault{"NoName", [](System& s) { s.bodies[1].name = ""; }, "the name of a body is empty"},
        Fault{"DistanceInTree", [](System& s) { s.joints[1].type = JointType::kDistance; },
              "distance joints close loops only"},
        Fault{"PlanarInALoop",
              [](System& s) {
                Joint cut = s.joints[1];
                cut.name = "cut";
                cut.type = JointType::kPlanar;
                s.loop_joints = {cut};
              },
              "joint 'cut' is a planar joint, which is allowed in the tree only"},
        Fault{"GroundSpringOnTheGround",
              [](System& s) {
                s.forces.Of<GroundSpring>() = {{"tyre", kGround, {}, {0, 1, 0}, 1, 0, 0}};
              },
              "ground spring 'tyre' acts on a body that does not exist"},
        Fault{"GroundSpringOffUnit",
              [](System& s) {
                s.forces.Of<GroundSpring>() = {{"tyre", 0, {}, {0, 2, 0}, 1, 0, 0}};
              },
              "ground spring 'tyre' has a direction of length 2: a unit vector is needed"},
        Fault{"GroundSpringWithoutDirection",
              [](System& s) {
                s.forces.Of<GroundSpring>() = {{"tyre", 0, {}, {}, 1, 0, 0}};
              },
              "ground spring 'tyre' has a direction of length 0"},
        Fault{"GroundSpringNan",
              [](System& s) {
                s.forces.Of<GroundSpring>() = {{"tyre", 0, {}, {0, 1, 0}, kNan, 0, 0}};
              },
              "ground spring 'tyre' has a value that is not finite"},
        Fault{"LoopOnItself",
              [](System& s) {
                Joint j = s.joints[0];
                j.name = "loop";
                j.parent = j.child;
                s.loop_joints = {j};
              },
              "joins a body to itself"},
        Fault{"SpringOnBall",
              [](System& s) {
                s.forces.Of<JointSpringDamper>() = {{"spring", 0, 1, 0, 0}};
              },
              "a revolute or prismatic one is needed"},
        Fault{"DriverOfAnAbsentJoint",
              [](System& s) {
                s.drivers = {{"motor", 4, 1}};
              },
              "driver 'motor' names a joint that does not exist"},
        Fault{"DriverOfTheGround",
              [](System& s) {
                s.drivers = {{"motor", -1, 1}};
              },
              "driver 'motor' names a joint that does not exist"},
        Fault{"DriverOfABall",
              [](System& s) {
                s.drivers = {{"motor", 1, 1}};
              },
              "driver 'motor' drives a joint that is neither revolute nor prismatic"},
        Fault{"DrivenTwice",
              [](System& s) {
                s.joints[1].type = JointType::kRevolute;
                s.drivers = {{"motor", 1, 1}, {"brake", 1, 0}};
              },
              "driver 'brake' drives joint 'hinge_4', which another driver drives"},
        Fault{"DriverNan",
              [](System& s) {
                s.joints[1].type = JointType::kRevolute;
                s.drivers = {{"motor", 1, kNan}};
              },
              "driver 'motor' has a motion with a number that is not finite"},
        Fault{"GravityNan", [](System& s) { s.gravity.x = kNan; }, "gravity is not finite"},
        Fault{"NoBody", [](System& s) { s = System{}; }, "no body"}),
    [](const auto& i) { return i.param.name; });

// A rocket of 20 kg with links of 4 m.
TEST(Validation, RefusesRopesThatCannotBePaidOut) {
  const auto sentence = [](const std::function<void(RopeFlight&)>& spoil) {
    System system = MakeProblem("rocket").system;
    spoil(*system.rope_flight);
    return Sentence([&system] { Validate(system); });
  };
  EXPECT_EQ(sentence([](RopeFlight&) {}), "accepted");
  for (double bad : {0., -1., kNan}) {
    EXPECT_THAT(sentence([bad](RopeFlight& f) { f.link_length = bad; }),
                testing::HasSubstr("rope flight 'rope' has a link length or line density of"));
    EXPECT_THAT(sentence([bad](RopeFlight& f) { f.line_density = bad; }),
                testing::HasSubstr("rope flight 'rope' has a link length or line density of"));
  }
  EXPECT_EQ(sentence([](RopeFlight& f) { f.propellant_mass = 19; }), "accepted");
  EXPECT_THAT(sentence([](RopeFlight& f) { f.propellant_mass = 21; }),
              testing::HasSubstr("burns more than the mass of its body 'rocket'"));
  EXPECT_THAT(sentence([](RopeFlight& f) { f.thrust = -1; }),
              testing::HasSubstr("has the value -1: finite numbers >= 0 are needed"));
  EXPECT_THAT(sentence([](RopeFlight& f) { f.rail_length = 5; }),
              testing::HasSubstr("has a rail longer than a link"));
  EXPECT_THAT(sentence([](RopeFlight& f) { f.box.z = 1; }),
              testing::HasSubstr("leaves the plane z = 0"));
}

// The governor's spindle is joint 0, its collar's slide the dependent joint.
TEST(Validation, RefusesDriversThatContradictTheInitialState) {
  const auto sentence = [](const auto& spoil) { return SentenceFor("governor", spoil); };
  EXPECT_EQ(sentence([](Problem&) {}), "accepted");
  EXPECT_THAT(sentence([](Problem& p) { p.initial.joints.u[0] = 5; }),
              testing::HasSubstr("driver 'motor' runs at 11.0174, but joint 'spindle' starts at a "
                                 "rate of 5: the two must be equal"));
  EXPECT_THAT(sentence([](Problem& p) { p.system.drivers[0].motion.rate = -11.0174; }),
              testing::HasSubstr("driver 'motor' runs at -11.0174, but joint 'spindle' starts"));
  EXPECT_THAT(
      sentence([](Problem& p) { p.initial.dependent_joints.push_back(0); }),
      testing::HasSubstr("driver 'motor' drives joint 'spindle', which is named dependent"));
}

TEST(Validation, AcceptsMasslessLinksAndPointMasses) {
  System system = MakeProblem("dpend18").system;
  system.bodies[0].mass = 0;
  EXPECT_NO_THROW(Validate(system));
}

TEST(Validation, RefusesStatesOfWrongSizeOrOffUnit) {
  Problem p = MakeProblem("branch4");
  p.initial.joints.q[0] = 2;
  EXPECT_THROW(Validate(p.system, p.initial.joints), ModelError);
  p = MakeProblem("branch4");
  p.initial.joints.u.pop_back();
  EXPECT_THROW(Validate(p.system, p.initial.joints), ModelError);
}

// A triangle of two unit rods and the ground: its second angle and its loop joint follow from the
// first.
struct Triangle {
  System system;
  InitialCondition initial;
};
Triangle MakeTriangle(double first_rad, double guess_rad) {
  Triangle t;
  for (const char* name : {"a", "b"}) {
    Body rod;
    rod.name = name;
    rod.mass = 1;
    rod.inertia = Diagonal(0.01, 0.1, 0.1);
    t.system.bodies.push_back(rod);
  }
  Joint pin;
  pin.type = JointType::kRevolute;
  pin.name = "pin";
  pin.child = 0;
  pin.child_frame.position = {-0.5, 0, 0};
  t.system.joints.push_back(pin);
  pin.name = "elbow";
  pin.parent = 0;
  pin.child = 1;
  pin.parent_frame.position = {0.5, 0, 0};
  t.system.joints.push_back(pin);
  Joint distance;
  distance.name = "strut";
  distance.type = JointType::kDistance;
  distance.parent = kGround;
  distance.parent_frame.position = {1, 0, 0};
  distance.child = 1;
  distance.child_frame.position = {0.5, 0, 0};
  distance.length = 0.5;
  t.system.loop_joints.push_back(distance);
  t.initial.joints = {{first_rad, guess_rad}, {1, 0}};
  t.initial.dependent_joints = {1};
  return t;
}

TEST(Assembly, ClosesALoopToRoundOffAndMovesDependentCoordinatesOnly) {
  // With the first rod at 60 degrees its end is at (1/2, sqrt(3)/2); the second rod's end has to be
  // 1/2 away from (1, 0).
  const double first = M_PI / 3;
  // End of b: on the unit circle about (1/2, sqrt3/2); law of cosines with sides 1 (elbow to
  // (1,0)), 1, 1/2.
  const double inner =
      std::acos((1 + 1 - 0.25) / 2);  // angle at the elbow between (1,0) and the end of b
  const double exact = -M_PI / 3 - inner - first;  // direction of b relative to a
  Triangle t = MakeTriangle(first, exact + 5e-4);
  const Assembly a = Assemble(t.system, t.initial, 1);
  EXPECT_DOUBLE_EQ(a.state.joints.q[0], first);
  EXPECT_NEAR(a.state.joints.q[1], exact, 1e-14);
  EXPECT_NEAR(a.largest_position_correction, 5e-4, 1e-8);
  const ConstraintResidual r = ConstraintResiduals(t.system, a.state.bodies, 1, 1);
  EXPECT_LT(r.position, 1e-14);
  EXPECT_LT(r.velocity, 1e-13);
  EXPECT_GT(a.largest_velocity_correction, 0.1);  // the rate of the elbow had to be found
}

TEST(Assembly, RefusesAStateThatIsFarFromClosed) {
  Triangle t = MakeTriangle(M_PI / 3, -2.0);
  EXPECT_THROW(Assemble(t.system, t.initial, 1), ModelError);
  t = MakeTriangle(M_PI, 0);  // stretched away from the pin: cannot close
  EXPECT_THROW(Assemble(t.system, t.initial, 1), ModelError);
}

TEST(Assembly, NamesTheJointThatStaysOpenAndTheOneThatMovesTooFar) {
  const auto sentence = [](const Triangle& t) {
    return Sentence([&t] { Assemble(t.system, t.initial, 1); });
  };
  EXPECT_THAT(sentence(MakeTriangle(M_PI, 0)), testing::HasSubstr("loop joint 'strut'"));
  EXPECT_THAT(sentence(MakeTriangle(M_PI / 3, -2.0)), testing::HasSubstr("move joint 'elbow' by"));
}

// Without a dependent joint the positions may fit by chance although the rates do not.
TEST(Assembly, RefusesRatesThatNoDependentJointCanCorrect) {
  Triangle t = MakeTriangle(M_PI / 3, -2.5);
  t.system.loop_joints[0].length =
      Norm(ForwardKinematics(t.system, t.initial.joints)[1].position +
           Rotate(ForwardKinematics(t.system, t.initial.joints)[1].orientation, {0.5, 0, 0}) -
           Vector3{1, 0, 0});
  t.initial.dependent_joints.clear();
  EXPECT_THROW(Assemble(t.system, t.initial, 1), ModelError);
  t.initial.joints.u = {0, 0};  // at rest it is consistent
  EXPECT_NO_THROW(Assemble(t.system, t.initial, 1));
}

TEST(Assembly, RefusesAWeldThatIsHalfATurnApart) {
  Triangle t = MakeTriangle(0.3, 0.4);
  t.initial.joints.u = {0, 0};
  t.initial.dependent_joints.clear();
  const std::vector<BodyState> bodies = ForwardKinematics(t.system, t.initial.joints);
  Joint weld;
  weld.name = "weld";
  weld.type = JointType::kFixed;
  weld.child = 1;
  weld.parent_frame = {bodies[1].position, bodies[1].orientation};
  t.system.loop_joints = {weld};
  EXPECT_NO_THROW(Assemble(t.system, t.initial, 1));
  t.system.loop_joints[0].child_frame.orientation = {0, 0, 0, 1};
  EXPECT_THROW(Assemble(t.system, t.initial, 1), ModelError);
}

TEST(Validation, OfAProblemNamesTheFieldThatBreaksARule) {
  const auto sentence = [](const auto& spoil) { return SentenceFor("branch4", spoil); };
  EXPECT_EQ(sentence([](Problem&) {}), "accepted");
  EXPECT_THAT(sentence([](Problem& p) { p.end_time = -1; }),
              testing::HasSubstr("end_time_s is -1"));
  EXPECT_THAT(sentence([](Problem& p) { p.length = kNan; }), testing::HasSubstr("length_m is nan"));
  EXPECT_THAT(sentence([](Problem& p) { p.energy_reference = 0; }),
              testing::HasSubstr("energy_ref"));
  EXPECT_THAT(sentence([](Problem& p) { p.fixed_steps = {1e-30}; }),
              testing::HasSubstr("1e9 steps"));
  EXPECT_THAT(sentence([](Problem& p) {
                p.sample_times = {0, 1, 1};
              }),
              testing::HasSubstr("ascending"));
  EXPECT_THAT(sentence([](Problem& p) { p.reference_bodies = {4}; }),
              testing::HasSubstr("reference body"));
  EXPECT_THAT(sentence([](Problem& p) { p.observables[1].body = 4; }),
              testing::HasSubstr("'theta_3' reads a body that does not exist"));
  EXPECT_THAT(sentence([](Problem& p) { p.observables[1].name = p.observables[0].name; }),
              testing::HasSubstr("'theta_1' occurs twice"));
  EXPECT_THAT(sentence([](Problem& p) { p.published[0].value = kNan; }),
              testing::HasSubstr("'theta_1' has a published value"));
  EXPECT_THAT(sentence([](Problem& p) { p.initial.dependent_joints = {1}; }),
              testing::HasSubstr("'hinge_4' is named dependent, but no loop"));
  EXPECT_THAT(sentence([](Problem& p) { p.initial.joints.q[0] = 2; }),
              testing::HasSubstr("'hinge_8_1' has an initial quaternion of norm"));
  EXPECT_THAT(sentence([](Problem& p) { p.name = "two words"; }), testing::HasSubstr("blank"));
}

// Beyond 1e6 rad the round-off of an angle leaves fewer than ten digits of its sine.
TEST(Validation, OfAProblemBoundsTheAnglesOfItsRevolutes) {
  const auto at = [](double angle) {
    return SentenceFor("pendulum", [angle](Problem& p) { p.initial.joints.q[0] = angle; });
  };
  for (const double angle : {1e6, -1e6}) EXPECT_EQ(at(angle), "accepted");
  for (const double angle : {1.0000001e6, -1e15, 1e300})
    EXPECT_THAT(at(angle), testing::HasSubstr("starts at an angle of "));
}

}  // namespace
}  // namespace mbsbench
