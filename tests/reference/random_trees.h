// Random trees of bodies with all tree joints and force elements: input for which only the laws of
// mechanics are known.
#pragma once

#include <cmath>
#include <random>
#include <string>

#include "problems/model/problem.h"

namespace mbsbench {

class RandomTrees {
 public:
  explicit RandomTrees(unsigned seed) : generator_(seed) {}

  double Number(double from = -1, double to = 1) {
    return std::uniform_real_distribution<double>(from, to)(generator_);
  }
  Vector3 Vector() { return {Number(), Number(), Number()}; }
  Quaternion Attitude() {
    return Normalised(Quaternion{Number(0.1, 1), Number(), Number(), Number()});
  }
  // Positive definite, obeys the triangle inequality: of four point masses.
  Matrix3 Inertia() {
    Matrix3 j{{}};
    for (int k = 0; k < 4; ++k) {
      const Vector3 r = Vector();
      const double x[] = {r.x, r.y, r.z};
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          j.m[static_cast<std::size_t>(3 * a + b)] +=
              0.1 * ((a == b ? Dot(r, r) : 0) - x[a] * x[b]);
        }
      }
    }
    return j;
  }

  Problem Tree(int bodies, bool with_forces) {
    constexpr JointType kTypes[] = {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                                    JointType::kFixed, JointType::kFree};
    Problem p;
    p.name = "random";
    System& s = p.system;
    for (int b = 0; b < bodies; ++b) {
      s.bodies.push_back({Name('b', b), Number(0.5, 2), Inertia(), false, {}});
      Joint joint;
      joint.name = Name('j', b);
      joint.type = kTypes[b % 5];
      joint.parent = std::uniform_int_distribution<int>(kGround, b - 1)(generator_);
      joint.child = b;
      joint.parent_frame = {Vector(), Attitude()};
      joint.child_frame = {Vector(), Attitude()};
      s.joints.push_back(joint);
      JointState& at = p.initial.joints;
      const int count = CoordinateCount(joint.type);
      for (int k = 0; k < count; ++k) at.q.push_back(Number());
      if (count >= 4) {
        double* q = at.q.data() + at.q.size() - 4;
        const Quaternion r = Attitude();
        q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
      }
      for (int k = 0; k < RateCount(joint.type); ++k) at.u.push_back(Number());
    }
    s.gravity = Vector3{1, -9, 2};
    if (with_forces) {
      for (int b = 1; b < bodies; ++b) {
        s.spring_dampers.push_back({Name('s', b), b % 3 == 0 ? kGround : b - 1, b, Vector(),
                                    Vector(), Number(1, 30), Number(0, 2), Number(0, 1)});
        s.applied_forces.push_back({Name('f', b), b, Vector(), Vector(), Vector(), b % 2 == 0});
        if (b % 5 == 1 || b % 5 == 2) {
          s.joint_spring_dampers.push_back(
              {Name('t', b), b, Number(1, 30), Number(0, 2), Number()});
        }
      }
    }
    p.end_time = 0.1;
    p.sample_times = {0, 0.05, 0.1};
    return p;
  }

  static std::string Name(char kind, int number) {
    return std::string(1, kind).append(std::to_string(number));
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace mbsbench
