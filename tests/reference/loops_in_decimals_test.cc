// Redundant loops whose frames doubles cannot state exactly: the redundant rows stay open by what rounding the data explains.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "problems/model/error.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "reference/reference.h"
#include "reference/system/initial_motion.h"
#include "reference/trajectory.h"

namespace mbsbench {
namespace {

using namespace extended;

Joint FramedJoint(const char* name, JointType type, int parent, const Frame& on_parent, int child,
                  const Frame& on_child) {
  return {name, type, parent, child, on_parent, on_child};
}

// A shaft of 3 kg in bearings at two places of the z axis, its mass centre 1 cm beside it.
Problem ShaftInBearingsAt(double left, double right) {
  Problem p;
  p.name = "shaft";
  p.system.bodies.push_back({"shaft", 3, Diagonal(0.02, 0.02, 0.01), false, {}});
  p.system.joints.push_back(FramedJoint("left", JointType::kRevolute, kGround, {{0, 0, left}, {}},
                                        0, {{0.01, 0, -0.4}, {}}));
  p.system.loop_joints.push_back(FramedJoint("right", JointType::kRevolute, kGround,
                                             {{0, 0, right}, {}}, 0, {{0.01, 0, 0.4}, {}}));
  p.initial.joints = {{0}, {20}};
  p.end_time = 0.1;
  p.sample_times = {0, 0.05, 0.1};
  return p;
}

// Links of 0.3 m, a slider on the x axis whose frame is a rounded quarter turn about y, no gravity.
Problem SliderCrank() {
  constexpr double kCosine = 0.7071067811865476, kSine = 0.7071067811865475;
  const Frame rail{{}, {kCosine, 0, kSine, 0}};
  Problem p;
  p.name = "slider-crank";
  System& s = p.system;
  s.bodies = {{"crank", 0.36, Diagonal(0.0001, 0.002727, 0.002727), false, {}},
              {"rod", 0.151104, Diagonal(1e-05, 0.0045339259, 0.0045339259), false, {}},
              {"slider", 0.075552, Diagonal(1e-05, 1e-05, 1e-05), false, {}}};
  const JointType pin = JointType::kRevolute;
  s.joints = {FramedJoint("O", pin, kGround, {}, 0, {}),
              FramedJoint("A", pin, 0, {{0.15, 0, 0}, {}}, 1, {{-0.15, 0, 0}, {}}),
              FramedJoint("S", JointType::kPrismatic, kGround, rail, 2, rail)};
  s.loop_joints = {FramedJoint("B", pin, 1, {{0.15, 0, 0}, {}}, 2, {})};
  s.gravity = {};
  p.initial = {{{0, 0, 0.44999999999999996}, {150, 0, 0}}, {1, 2}};
  p.length = 0.45;
  p.end_time = 0.1;
  p.sample_times = {0, 0.02, 0.1};
  return p;
}

Problem ProblemOf(const RedundantMechanism& m) {
  Problem p;
  p.name = m.name;
  p.system = m.system;
  p.initial.joints = m.state.joints;
  for (std::size_t j = 0; j < m.system.joints.size(); ++j)
    p.initial.dependent_joints.push_back(static_cast<int>(j));
  p.length = m.length;
  p.end_time = 0.05;
  p.sample_times = {0, 0.05};
  return p;
}

// The second bearing takes force and moment, but does not change the motion.
TEST(LoopsInDecimals, AShaftInTwoBearingsMovesAsInOne) {
  for (const double left : {0., 0.3}) {
    const Problem two = ShaftInBearingsAt(left, left + 0.8);
    Problem one = two;
    one.system.loop_joints.clear();
    const Reference a = SolveUncertified(two), b = SolveUncertified(one);
    EXPECT_LT(DifferenceBetween(two, a, b), 1e-13) << left;
    for (std::size_t k = 0; k < a.samples.size(); ++k) {
      const auto& in_two = a.samples[k].reactions;
      const Vector3 sum = in_two[0].force + in_two[1].force;
      EXPECT_LT(Norm(sum - b.samples[k].reactions[0].force), 1e-9) << left;
      EXPECT_FALSE(in_two[1].unique.all());
    }
  }
}

TEST(LoopsInDecimals, ACertificateStatesTheOpeningAndItsErrorIsAtLeastItsEffect) {
  Problem p = ShaftInBearingsAt(0.3, 1.1);
  p.end_time = 0.01;
  p.sample_times = {0, 0.01};
  const Reference r = Certify(p);
  EXPECT_NE(r.certified_by.find("5 of 5 loop rows redundant and open by 5.6e-17"),
            std::string::npos)
      << r.certified_by;
  double growth = 1;
  for (const ReferenceSample& sample : r.samples)
    growth = std::max(growth, sample.state_sensitivity);
  EXPECT_GE(r.error_estimate, 5.55e-17 * growth);
  EXPECT_LT(r.error_estimate, 1e-13);
}

// The slider is at r cos(phi) + sqrt(l^2 - r^2 sin(phi)^2) for the crank angle phi.
TEST(LoopsInDecimals, ASliderCrankWithARoundedRailFollowsItsClosedForm) {
  const Problem p = SliderCrank();
  const Reference r = SolveUncertified(p);
  for (const ReferenceSample& sample : r.samples) {
    const Quaternion& q = sample.bodies[0].orientation;
    const double phi = 2 * std::atan2(q.z, q.w), sine = std::sin(phi);
    EXPECT_NEAR(sample.bodies[2].position.x,
                0.15 * std::cos(phi) + std::sqrt(0.09 - 0.0225 * sine * sine), 1e-14);
  }
  EXPECT_GT(Norm(r.samples[2].bodies[2].position - r.samples[0].bodies[2].position), 0.01);
}

// Doors, tables and linkages are turned so that nothing is exact, and stated in other units of length.
TEST(LoopsInDecimals, BothFormulationsAgreeOnTurnedMechanismsOfAnySize) {
  const Quaternion turn = mbsbench::Normalised(Quaternion{0.8, -0.3, 0.5, 0.2});
  constexpr ExtrapolationSettings kSettings{.columns = 5, .tolerance = 1e-13};
  for (const RedundantMechanism& printed : RedundantMechanisms()) {
    if (printed.name == "nfourbar2-90") continue;  // starts in a singular position
    for (const double length : {1., 1e5, 1e-6}) {
      RedundantMechanism m = Turned(printed, turn);
      m.system.gravity = printed.system.gravity;
      const Problem p = ProblemOf(InUnits(m, length, 1));
      SCOPED_TRACE(p.name + ", unit " + std::to_string(length));
      const Trajectory a = SolveInMaximalCoordinates(p, kSettings),
                       b = SolveInJointCoordinates(p, kSettings);
      EXPECT_LT(DistanceBetween(p, a, b).position, 1e-11);
      EXPECT_LT(static_cast<double>(a.largest_drift), 1e-24);
      EXPECT_LT(static_cast<double>(b.largest_drift), 1e-14);
    }
  }
}

// The ground turned by turns[0], and body b's own frame by turns[b + 1]; all frames are rounded anew.
Problem InOtherFrames(Problem p, const std::vector<Quaternion>& turns) {
  const auto turn = [&](int body, Frame& frame) {
    const Quaternion& t = turns[static_cast<std::size_t>(body + 1)];
    frame = {Rotate(t, frame.position), mbsbench::Normalised(t * frame.orientation)};
  };
  for (auto* joints : {&p.system.joints, &p.system.loop_joints}) {
    for (Joint& joint : *joints) {
      turn(joint.parent, joint.parent_frame);
      turn(joint.child, joint.child_frame);
    }
  }
  p.system.gravity = Rotate(turns[0], p.system.gravity);
  return p;
}

// Inertias are those of balls, which no turn changes.
TEST(LoopsInDecimals, ASliderCrankMovesAlikeWhateverTheFramesOfItsBodies) {
  Problem printed = SliderCrank();
  for (Body& body : printed.system.bodies) body.inertia = Diagonal(0.004, 0.004, 0.004);
  printed.system.gravity = {0, -9.81, 0};
  const auto accelerations =
      ReferenceAccelerations(printed.system, printed.initial.joints).accelerations;
  std::mt19937 random(7);
  const auto number = [&] { return static_cast<double>(random()) / 4294967296. - 0.5; };
  for (int i = 0; i < 100; ++i) {
    SCOPED_TRACE(i);
    std::vector<Quaternion> turns;
    for (int body = kGround; body < 3; ++body)
      turns.push_back(mbsbench::Normalised({number(), number(), number(), number()}));
    const Problem p = InOtherFrames(printed, turns);
    const Motion motion = InitialMotion(SystemData(p.system), p);
    EXPECT_NEAR(static_cast<double>(Norm(motion[2].position)), 0.45, 1e-14);
    const auto turned = ReferenceAccelerations(p.system, p.initial.joints).accelerations;
    for (std::size_t b = 0; b < 3; ++b) {
      EXPECT_LT(Norm(turned[b].acceleration - Rotate(turns[0], accelerations[b].acceleration)),
                1e-9);
    }
  }
}

// Frames that a program printed with 17 digits: crank, rod and slider in a plane along no axis.
Problem TiltedSliderCrank() {
  const Frame crank{
      {0.0018621977990933014, -0.45769233771153467, 0.2083111347333038},
      {0.7968734998260293, -0.018119445815513623, 0.4488608230718646, 0.40396568229195207}};
  const Quaternion rod{0.5080752255473175, 0.07048506674533098, -0.19130966241041758,
                       0.8368345318038453};
  const Vector3 on_slider{-0.00016840884901289557, 0.0009187455975590993, -0.001174978213020923};
  Problem p;
  p.name = "tilted-slider-crank";
  System& s = p.system;
  s.bodies = {{"crank", 0.5, Diagonal(0.02, 0.025, 0.036), false, {}},
              {"rod", 0.6, Diagonal(0.026, 0.031, 0.046), false, {}},
              {"slider", 0.2, Diagonal(0.001, 0.001, 0.001), false, {}}};
  const JointType pin = JointType::kRevolute;
  s.joints = {
      FramedJoint(
          "O", pin, kGround,
          {{0.2, -0.3, 0.15},
           {0.9098932989315763, 0.3004192842000921, 0.07541376439231752, 0.2759623205807226}},
          0, crank),
      FramedJoint(
          "A", pin, 0,
          {{-0.03760043981303889, -0.02100886604673473, -0.032001673513513226}, crank.orientation},
          1, {{-0.0010548405719503547, -0.005407507545675863, 0.012653894697549184}, rod}),
      FramedJoint(
          "S", JointType::kPrismatic, kGround,
          {{0.8963220793757976, 0.009027590907571159, 0.08202146455130783},
           {0.3359715531021876, -0.7339250623796245, 0.0761156069989918, -0.5853917770932072}},
          2,
          {on_slider,
           {0.6906331971244539, -0.28129046285924736, -0.33127985175157404, -0.5780615212566399}})};
  s.loop_joints = {FramedJoint(
      "B", pin, 2,
      {on_slider, {0.532478087104717, 0.2318818143566829, -0.2341682474998421, 0.7796557848094293}},
      1, {{0.19530477798627177, 0.4112891819515448, 0.2070935232760016}, rod})};
  p.initial = {{{0, 0, 0}, {0.5, 0, 0}}, {1, 2}};
  return p;
}

// Along the rod crank pin and slider have the same velocity. The rounding of the frames of all joints around the loop adds to its
// opening.
TEST(LoopsInDecimals, ASliderCrankInATiltedPlaneStartsWithTheVelocityOfItsCrankAlongTheRod) {
  const Problem p = TiltedSliderCrank();
  const Motion motion = InitialMotion(SystemData(p.system), p);
  const auto& [on_ground, on_crank] =
      std::pair(p.system.joints[0].parent_frame, p.system.joints[0].child_frame);
  const Vector3 arm = Rotate(on_ground.orientation * Conjugate(on_crank.orientation),
                             p.system.joints[1].parent_frame.position - on_crank.position);
  const Frame& rail = p.system.joints[2].parent_frame;
  const Vector3 rod = rail.position - (on_ground.position + arm);
  const Vector3 velocity = Cross(0.5 * Rotate(on_ground.orientation, {0, 0, 1}), arm);
  const double speed = Dot(rod, velocity) / Dot(rod, Rotate(rail.orientation, {0, 0, 1}));
  EXPECT_NEAR(static_cast<double>(Norm(motion[2].velocity)), std::abs(speed), 1e-13);
}

// Far away the round-off of 113 bits in the coordinates alone exceeds 1e-29 L.
TEST(LoopsInDecimals, ASliderCrankFarFromTheOriginMovesAsAtIt) {
  constexpr ExtrapolationSettings kSettings{.columns = 6, .tolerance = 1e-15};
  Problem here = SliderCrank();
  here.end_time = 0.004;
  here.sample_times = {0, 0.004};
  const Quaternion turn = mbsbench::Normalised({0.8, -0.3, 0.5, 0.2});
  here = InOtherFrames(here, {turn, turn, turn, turn});
  for (const double distance : {1e5, 5e6}) {
    SCOPED_TRACE(distance);
    const Vector3 offset{distance, 1.1 * distance, 0.3 * distance};
    Problem there = here;
    for (Joint& joint : there.system.joints) {
      if (joint.parent == kGround)
        joint.parent_frame.position = joint.parent_frame.position + offset;
    }
    Trajectory near = SolveInJointCoordinates(here, kSettings);
    for (Motion& motion : near.samples) {
      for (BodyMotion& body : motion) body.position = body.position + Extend(offset);
    }
    for (const Trajectory& far :
         {SolveInJointCoordinates(there, kSettings), SolveInMaximalCoordinates(there, kSettings)}) {
      EXPECT_LT(DistanceBetween(here, near, far).position, 1e-12);
      EXPECT_LT(DistanceBetween(here, near, far).velocity, 1e-12);
    }
  }
}

// 1e-9 m are no rounding of 1.1 m, and with axes out of parallel by 1e-12 rad the last places of the data decide.
TEST(LoopsInDecimals, LoopsThatRoundingDoesNotExplainAreRefused) {
  EXPECT_THROW(SolveUncertified(ShaftInBearingsAt(0.3, 1.1 + 1e-9)), ModelError);
  Problem p = ShaftInBearingsAt(0.3, 1.1);
  p.system.loop_joints[0].parent_frame.orientation = mbsbench::AxisAngle({1, 0, 0}, 1e-9);
  EXPECT_THROW(SolveUncertified(p), ModelError);
}

// tan(out) = tan(in) cos(beta); the axes of both shafts meet in the joint, so that no part has a length.
TEST(Loops, AHookeJointBetweenShaftsThatMeetTransmitsTheKnownAngle) {
  const Frame cross{{}, {0.7071067811865476, -0.7071067811865475, 0, 0}};
  const Frame bearing{{}, mbsbench::AxisAngle({0, 1, 0}, 0.6)};
  Problem p;
  p.name = "hooke";
  p.system.bodies = {{"in", 1, Diagonal(0.02, 0.02, 0.01), false, {}},
                     {"out", 1.5, Diagonal(0.02, 0.02, 0.015), false, {}}};
  p.system.joints = {FramedJoint("bin", JointType::kRevolute, kGround, {}, 0, {}),
                     FramedJoint("bout", JointType::kRevolute, kGround, bearing, 1, {})};
  p.system.loop_joints = {FramedJoint("u", JointType::kUniversal, 0, cross, 1, cross)};
  p.system.drivers = {{"motor", 0, DriverMotion{5}}};
  p.system.gravity = {};
  p.initial = {{{0, 0}, {5, 5}}, {1}};
  p.sample_times = {0, 1};
  p.end_time = 1;
  const Reference r = SolveUncertified(p);
  const Quaternion out = Conjugate(bearing.orientation) * r.samples[1].bodies[1].orientation;
  const double angle = 2 * std::atan2(out.z, out.w);
  EXPECT_NEAR(std::remainder(angle - 5.056540970813927, 2 * M_PI), 0, 1e-9);
}

// Without forces all accelerations of a balanced rotor are zero, and its redundant rows differ by round-off alone.
TEST(Loops, ABalancedRotorSpinsWithoutGravity) {
  Problem p = ShaftInBearingsAt(0.3, 1.1);
  for (Joint* joint : {&p.system.joints[0], &p.system.loop_joints[0]}) {
    joint->child_frame.position.x = 0;
    joint->parent_frame.orientation = mbsbench::AxisAngle({0.6, 0, 0.8}, 0.7);
    joint->parent_frame.position =
        Rotate(joint->parent_frame.orientation, joint->parent_frame.position);
  }
  p.system.gravity = {};
  for (const double rate : {0., 1e-3, 100.}) {
    p.initial.joints = {{0.3}, {rate}};
    const ReferenceDynamics d = ReferenceAccelerations(p.system, p.initial.joints);
    EXPECT_LT(Norm(d.accelerations[0].acceleration), 1e-12 * rate * rate + 1e-30);
    EXPECT_LT(Norm(d.accelerations[0].angular_acceleration), 1e-12 * rate * rate + 1e-30);
  }
}

}  // namespace
}  // namespace mbsbench
