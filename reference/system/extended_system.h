// A system's data and motion in extended precision: exactly the doubles of the model, quaternions
// renormalised.
#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"
#include "problems/model/topology.h"
#include "reference/system/extended_geometry.h"

namespace mbsbench::extended {

struct BodyData {
  Real mass = 0;  // [kg]
  Mat3 inertia;   // about the mass centre, body axes [kg m^2]
};

// Joint frame on its body: origin and axes in body axes (ground: inertial).
struct FrameData {
  Vec3 position;
  Quat orientation;  // joint axes -> body axes
  Vec3 x, y, z;      // its axes
};

struct JointData {
  JointType type = JointType::kBall;
  int parent = kGround, child = 0;
  FrameData on_parent, on_child;
  Real length = 0;  // kDistance only [m]
  // A driven joint: its motion at the time of SetTime (MotionAt).
  bool driven = false, starts_anywhere = false;
  MovedCoordinate<Real> motion = {};
};

struct SystemData {
  explicit SystemData(const System& system);

  // Sets the motions of all drivers and the efforts of all motors to the time t [s]; initially 0.
  void SetTime(Real t);
  // Coordinates and rates of all tree joints as in JointState, with those of driven joints as their
  // motions have them at time 0. A motion without a start of its own starts at the given
  // coordinate.
  void PlaceDriven(std::vector<Real>& q, std::vector<Real>& u);

  System model;
  Topology tree;
  std::vector<BodyData> bodies;
  std::vector<JointData> joints, loop_joints;
  std::vector<Real> efforts;  // per motor
  Vec3 gravity;
};

// Absolute motion of one body, inertial axes, as BodyState.
struct BodyMotion {
  Vec3 position;
  Quat orientation;
  Vec3 velocity;
  Vec3 angular_velocity;
};
using Motion = std::vector<BodyMotion>;

// Characteristic length and time of a problem. Residuals of joints are measured in these units: lengths in L, their
// rates in L/T, rates of angles in 1/T.
struct Scales {
  Real length = 1, time = 1;  // [m], [s]
};

// The unit of the rates of angles at a motion: 1/T or, if it is larger, the rate of the fastest body [1/s].
Real UnitOfRates(const Motion& motion, const Scales& scales);

inline constexpr std::size_t kNumbersPerBody = 13;
std::vector<Real> Pack(const Motion& motion);
void Unpack(const std::vector<Real>& numbers, Motion& motion);

// The motion of a point fixed to a body (or to the ground).
struct PointMotion {
  Vec3 arm;  // from the mass centre, inertial axes; ground: from the inertial origin
  Vec3 position;
  Vec3 velocity;
  Vec3 centripetal;       // its acceleration without accelerations of the body
  Vec3 angular_velocity;  // of its body
};
// `rotations` are RotationOf the bodies' orientations.
PointMotion MotionOfPoint(const Vec3& point, int body, const Motion& motion,
                          const std::vector<Mat3>& rotations);
// Direction fixed to a body (or to the ground), in inertial axes.
inline Vec3 Direction(const Vec3& axis, int body, const std::vector<Mat3>& rotations) {
  return body == kGround ? axis : rotations[static_cast<std::size_t>(body)] * axis;
}

std::vector<Mat3> RotationsOf(const Motion& motion);

BodyState Round(const BodyMotion& body);
std::vector<BodyState> Round(const Motion& motion);

}  // namespace mbsbench::extended
