// Random mechanisms with every joint type and every force element, and their random consistent
// states.
#pragma once

#include <cmath>
#include <random>
#include <string>

#include "problems/model/kinematics.h"
#include "problems/model/state.h"
#include "problems/model/system.h"
#include "problems/model/validation.h"

namespace mbsbench {

class RandomSystem {
 public:
  explicit RandomSystem(unsigned seed) : random_(seed) {}

  double Uniform(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  Vector3 Vector(double size = 1) {
    return {Uniform(-size, size), Uniform(-size, size), Uniform(-size, size)};
  }
  Quaternion Rotation() {
    return Normalised({Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)});
  }
  mbsbench::Frame Frame() { return {Vector(), Rotation()}; }

  // Inertia of a few random mass points: symmetric, positive definite, with the triangle
  // inequality.
  Body MakeBody(const std::string& name) {
    Body body;
    body.name = name;
    body.mass = Uniform(0.5, 2);
    SymmetricMatrix3 inertia;
    for (int k = 0; k < 5; ++k) {
      const Vector3 p = Vector(0.5);
      const double x[] = {p.x, p.y, p.z};
      for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
          inertia(i, j) += (i == j ? Dot(p, p) : 0) - x[i] * x[j];
        }
      }
    }
    body.inertia = inertia;
    return body;
  }

  // A tree with a joint of each type, branching at body 1, with springs on it.
  System Tree() {
    System system;
    const JointType types[] = {JointType::kRevolute,  JointType::kBall, JointType::kPrismatic,
                               JointType::kFixed,     JointType::kFree, JointType::kRevolute,
                               JointType::kPrismatic, JointType::kBall};
    const int parents[] = {kGround, 0, 1, 1, kGround, 3, 4, kGround};
    for (int b = 0; b < 8; ++b) {
      system.bodies.push_back(MakeBody("body" + std::to_string(b)));
      Joint joint;
      joint.name = "joint" + std::to_string(b);
      joint.type = types[b];
      joint.parent = parents[b];
      joint.child = b;
      joint.parent_frame = Frame();
      joint.child_frame = Frame();
      system.joints.push_back(joint);
    }
    system.gravity = Vector(10);
    system.forces.Of<SpringDamper>() = {
        {"ground spring", kGround, 2, Vector(), Vector(), 30, 3, 0.7},
        {"body spring", 3, 4, Vector(), Vector(), 20, 2, 0.4},
    };
    system.forces.Of<JointSpringDamper>() = {{"hinge spring", 0, 5, 0.5, 0.3},
                                             {"slide spring", 2, 40, 4, 0.2},
                                             {"inner hinge spring", 5, 7, 0.7, -0.4},
                                             {"outer slide spring", 6, 30, 2, 0.1}};
    system.forces.Of<AppliedForce>() = {
        {"fixed in space", 5, Vector(), Vector(5), Vector(2), false},
        {"fixed in the body", 6, Vector(), Vector(5), Vector(2), true}};
    system.forces.Of<GroundSpring>() = {
        {"tyre", 6, {0.3, -0.2, 0.4}, {0.48, 0.6, 0.64}, 60, 5, 0.2}};
    system.forces.Of<Bushing>() = {
        {"mount",
         3,
         5,
         {{0.1, 0.2, -0.3}, {0.6, 0, 0.8, 0}},
         {{-0.2, 0.4, 0.1}, {0.5, 0.5, -0.5, 0.5}},
         {30, 20, 10},
         {3, 2, 1},
         {7, 5, 3},
         {0.7, 0.5, 0.3}},
        {"foot", kGround, 6, {{1, 0, 0.5}, {0, 0.6, 0, 0.8}}, {}, {5, 5, 5}, {}, {4, 4, 4}, {}},
        {"hanger", 2, kGround, {{0, 0.3, 0}, {}}, {{0, 2, 0}, {}}, {9, 0, 9}, {0, 1, 0}, {}, {}}};
    Validate(system);
    return system;
  }

  JointState MakeJointState(const System& system) {
    JointState state;
    for (const Joint& joint : system.joints) {
      const auto append = [](std::vector<double>& to, std::initializer_list<double> values) {
        to.insert(to.end(), values);
      };
      const Quaternion q = Rotation();
      const Vector3 x = Vector();
      if (joint.type == JointType::kFree) append(state.q, {x.x, x.y, x.z});
      if (CoordinateCount(joint.type) >= 4) append(state.q, {q.w, q.x, q.y, q.z});
      if (CoordinateCount(joint.type) == 1) append(state.q, {Uniform(-1, 1)});
      for (int k = 0; k < RateCount(joint.type); ++k) state.u.push_back(Uniform(-2, 2));
    }
    Validate(system, state);
    return state;
  }

  SystemState MakeState(const System& system) {
    SystemState state;
    state.joints = MakeJointState(system);
    state.bodies = ForwardKinematics(system, state.joints);
    return state;
  }

 private:
  std::mt19937 random_;
};

}  // namespace mbsbench
