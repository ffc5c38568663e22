// A problem in which every field of the model differs from its default: all joint types, a loop with
// dependent joints, all force elements, and all data of a run.
#pragma once

#include <cmath>

#include "problems/model/kinematics.h"
#include "problems/model/problem.h"

namespace mbsbench {

inline Problem FullProblem() {
  Problem p;
  p.name = "full:option=1";
  p.title = "Every field \"quoted\", \\ and µ";
  p.description = "Two lines\nand a tab\t.";
  p.source = "made for the tests";
  System& s = p.system;
  s.gravity = {0.1, -9.7, 0.3};
  const char* names[] = {"crank",      "rod", "slider", "bob",    "carriage",
                         "free flier", "lid", "mast",   "sleeve", "tile"};
  for (const char* name : names) {
    Body b;
    b.name = name;
    b.mass = 1.0 / 3;
    b.inertia = {{0.3, 0.01, -0.02, 0.4, 0.03, 0.5}};
    b.shape = {Shape::Kind::kBox, {0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, 0.07};
    s.bodies.push_back(b);
  }
  s.bodies[1].shape = {Shape::Kind::kRod, {-0.5, 0, 0}, {0.5, 0, 0}, 0.01};
  s.bodies[2].shape = {Shape::Kind::kSphere, {}, {}, 0.2};
  s.bodies[3].is_point = true;
  p.inertias_as_given = {4};
  s.bodies[3].inertia = Diagonal(0, 0, 0);
  s.bodies[3].shape = {};
  const Quaternion turned = AxisAngle({0.6, 0, 0.8}, 0.7);
  const auto joint = [&s](const char* name, JointType type, int parent, int child,
                          const Frame& on_parent, const Frame& on_child) {
    Joint j;
    j.name = name;
    j.type = type;
    j.parent = parent;
    j.child = child;
    j.parent_frame = on_parent;
    j.child_frame = on_child;
    s.joints.push_back(j);
  };
  // The order of the joints is not that of the bodies.
  joint("elbow", JointType::kRevolute, 0, 1, {{0.3, 0, 0}, {}}, {{-0.5, 0, 0}, {}});
  joint("pin", JointType::kRevolute, kGround, 0, {}, {{-0.3, 0, 0}, {}});
  joint("rail", JointType::kPrismatic, kGround, 2, {{0, 0.1, 0.2}, turned}, {{0.1, 0, 0}, turned});
  joint("string", JointType::kBall, 2, 3, {{0.1, 0.2, 0.3}, turned}, {{0, 1, 0}, {}});
  joint("weld", JointType::kFixed, 3, 4, {{0.5, 0, 0}, turned}, {{0, 0, 0.25}, turned});
  joint("none", JointType::kFree, kGround, 5, {{1, 2, 3}, turned}, {{0.1, 0, 0}, turned});
  joint("hinge of the lid", JointType::kBall, 5, 6, {{0.1, 0, 0}, {}}, {{0, 0.5, 0}, {}});
  joint("gimbal", JointType::kUniversal, kGround, 7, {{7, 0, 0}, turned}, {{0, 0, 0.5}, {}});
  joint("bush", JointType::kCylindrical, 7, 8, {}, {{0.1, 0, 0}, {}});
  joint("floor", JointType::kPlanar, kGround, 9, {{9, 0, 0}, {}}, {{0, 0.1, 0}, turned});

  const Quaternion ball = AxisAngle({0, 0.6, 0.8}, -1.1), flier = AxisAngle({1, 0, 0}, 2.5);
  p.initial.joints.q = {-0.9, 0.4,     0.25,    ball.w,  ball.x,  ball.y, ball.z, 0.1, 0.2,
                        0.3,  flier.w, flier.x, flier.y, flier.z, 1,      0,      0,   0,
                        0.6,  -0.7,    0.8,     -0.9,    0.35,    0.45,   0.55};
  p.initial.joints.u = {0.2, 1.5,  -0.3, 0.1, 0.2, 0.3,  1,   2,    3,   4,    5,
                        6,   -0.0, 0.5,  0,   0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7};

  // Two struts hold the rod to what the coordinates above give, so that they need no correction.
  const auto bodies = ForwardKinematics(s, p.initial.joints);
  const auto strut = [&](const char* name, int child, const Vector3& at, const Vector3& ground) {
    Joint j;
    j.name = name;
    j.type = JointType::kDistance;
    j.child = child;
    j.parent_frame.position = ground;
    j.child_frame.position = at;
    const BodyState& b = bodies[static_cast<std::size_t>(child)];
    j.length = Norm(b.position + Rotate(b.orientation, at) - ground);
    s.loop_joints.push_back(j);
  };
  strut("strut", 1, {0.5, 0, 0}, {1, -1, 0.5});
  strut("second strut", 2, {0, 0, 0.1}, {3, 0, 0});
  // A universal joint between two bodies that turn together with the ones above: no more than read.
  Joint cross;
  cross.name = "cross";
  cross.type = JointType::kUniversal;
  cross.parent = 3;
  cross.child = 4;
  cross.parent_frame = {{0.5, 0, 0}, turned * AxisAngle({0, 0, 1}, 0.3)};
  cross.child_frame = {{0, 0, 0.25}, turned * AxisAngle({1, 0, 0}, -0.8)};
  s.loop_joints.push_back(cross);
  p.initial.dependent_joints = {2, 0};  // not ascending: the order is kept

  s.forces.Of<SpringDamper>() = {{"spring", kGround, 3, {1, 0, 0}, {0.1, 0.2, 0.3}, 100, 3, 0.4},
                                 {"second spring", 1, 2, {0.5, 0, 0}, {}, 7, 0, 0}};
  s.forces.Of<JointSpringDamper>() = {{"torsion", 1, 10, 0.1, 0.2}, {"buffer", 2, 20, 0.3, -0.4}};
  s.forces.Of<AppliedForce>() = {{"thrust", 5, {0.1, 0, 0}, {1, 2, 3}, {4, 5, 6}, true},
                                 {"wind", 6, {}, {0, 0, 1}, {}, false}};
  s.forces.Of<GroundSpring>() = {{"tyre", 5, {0.1, 0, -0.2}, {0.6, 0, 0.8}, 300, 1.5, -0.25},
                                 {"pad", 6, {}, {0, 1, 0}, 0, 0, 0}};
  DriverMotion push;
  push.kind = MotionKind::kHarmonic;
  push.amplitude = 2.5;
  push.angular_frequency = 3;
  s.forces.Of<Motor>() = {{"winch", 2, false, EffortOverTime::Constant(3.5)},
                          {"screw", 8, true, {{}, {{-0.5, 1}, {0.25, -1.0 / 3}, {1, 0}}}},
                          {"push", 8, false, {push, {}}}};
  s.forces.Of<Bushing>() = {{"mount",
                             kGround,
                             5,
                             {{0.5, 0, 0}, {0.6, 0, 0.8, 0}},
                             {{0, -0.25, 0}, {}},
                             {10, 20, 30},
                             {},
                             {1.5, 0, 2.5},
                             {0.125, 0, 0}},
                            {"hanger", 6, 5, {}, {}, {}, {1, 2, 3}, {}, {}}};

  s.drivers = {{"motor", 1, 1.5}};
  p.equilibria = {
      {1.5, {{0, 0.25, 1e-3}, {2, -0.5, 0}}, false, PublishedValue::Kind::kPublished, "me"},
      {-2, {}, true, PublishedValue::Kind::kExact, ""}};

  p.end_time = 1.7;
  p.length = 0.8;
  p.time = 0.25;
  p.energy_reference = 12.5;
  p.conservative = false;
  p.planar = true;
  p.reference_bodies = {3, 1};
  p.observables = {{"x of bob", Observable::Kind::kPositionX, 3, 0.5, {0.1, 0, 0}},
                   {"turn", Observable::Kind::kQuaternionZ, 5, 0, {}},
                   {"swing", Observable::Kind::kPlaneRate, 0, 0, {}, 1}};
  p.branch = {{{"up", Observable::Kind::kElevation, 5, 0.25, {}}, 0.5, 0.125},
              {{"side", Observable::Kind::kPlaneAngle, 0, 0, {0, 0.5, 0}, 2}, -1, 1, "lies"}};
  using Formula = LibraryMeasure::Formula;
  p.library_measures = {{"digits", Formula::kSignificantDigits, {1, 0}, {0.1, 1.0 / 3}, 0.5},
                        {"error", Formula::kLargestDifference, {2}, {}, 0},
                        {"H", Formula::kAngularMomentumZ, {}, {}, 0}};
  p.published = {{1, 0.33, 0.25, 1e-3, PublishedValue::Kind::kPublished, "nobody"},
                 {0, 1.1, -0.5, 0, PublishedValue::Kind::kExact, ""}};
  p.papers_step = 0.002;
  p.fixed_steps = {0.1, 0.05};
  p.accuracy_required_ode = 1e-7;
  p.accuracy_required_dae = 1e-6;
  p.sample_times = {0, 0.5, 1.7};
  return p;
}

}  // namespace mbsbench
