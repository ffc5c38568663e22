// The motion of a tree in joint coordinates q and rates u: the kinematics of the second formulation.
// A rate k moves the body of its joint and the whole outboard subtree along a screw:
//
//   v(x) = sum_k u_k V_k(x),   V_k(x) = e_k x (x - p_k) where it turns, e_k where it slides       (1)
//   omega = sum_k u_k W_k,     W_k = e_k where it turns, 0 where it slides                        (2)
//   a(x) = sum_k u_k' V_k(x) + a_0(x),   alpha = sum_k u_k' W_k + alpha_0                         (3)
//
// sums over the rates between the body and the ground; e_k, p_k: the axis and a point of it, inertial
// axes. It shares only the data of the system with the first formulation.
#pragma once

#include <vector>

#include "reference/system/extended_system.h"

namespace mbsbench::extended {

struct Screw {
  bool turns = false;
  bool carried = false;  // its axis rotates with the previous angles of its joint
  bool driven = false;   // its rate is given
  Vec3 axis, point;
  Vec3 AngularVelocity() const { return turns ? axis : Vec3{}; }  // W_k
  Vec3 VelocityAt(const Vec3& x) const {                          // V_k(x)
    return turns ? Cross(axis, x - point) : axis;
  }
};

struct MovingBody {
  Quat orientation;  // body -> inertial, of any length
  Mat3 rotation;
  Vec3 joint_point, centre;     // origin of the child's joint frame, mass centre [m]
  Vec3 velocity, acceleration;  // of the mass centre
  Vec3 angular_velocity, angular_acceleration;
};

// A point fixed in a body (or on the ground).
struct CarriedPoint {
  Vec3 position, velocity, acceleration;
};

class JointMotion {
 public:
  explicit JointMotion(const SystemData& system);

  // Positions and screws, from all coordinates.
  void Place(const std::vector<Real>& q);
  // Velocities, and accelerations, from all rates and their derivatives (empty: the part of (3) without
  // u'). Requires Place.
  void Move(const std::vector<Real>& u, const std::vector<Real>& u_rates = {});

  const MovingBody& body(int b) const { return bodies_[static_cast<std::size_t>(b)]; }
  const std::vector<Screw>& screws() const { return screws_; }
  const SystemData& system() const { return *system_; }
  // First rate of a joint; for the index after the last joint the number of rates.
  std::size_t RateOf(int joint) const {
    return static_cast<std::size_t>(at_.u[static_cast<std::size_t>(joint)]);
  }
  std::size_t rates() const { return screws_.size(); }
  std::size_t coordinates() const { return static_cast<std::size_t>(at_.q.back()); }

  // The joint of the body, and the parent of that joint.
  int JointOf(int b) const { return system_->tree.joint[static_cast<std::size_t>(b)]; }
  int ParentOf(int b) const { return system_->tree.parent[static_cast<std::size_t>(b)]; }
  // Calls use(rate) for all rates between a body and the ground.
  template <class Use>
  void ForRatesOf(int body, const Use& use) const {
    for (int b = body; b != kGround; b = ParentOf(b)) {
      const int j = JointOf(b);
      for (std::size_t k = RateOf(j); k < RateOf(j + 1); ++k) use(k);
    }
  }

  // `point`: from the mass centre in body axes (ground: from the inertial origin).
  CarriedPoint PointOf(int body, const Vec3& point) const;
  Vec3 AngularVelocityOf(int body) const;
  Vec3 AngularAccelerationOf(int body) const;
  Quat OrientationOf(int body) const;

  // dq/dt of all coordinates.
  void CoordinateRates(const std::vector<Real>& q, const std::vector<Real>& u, Real* out) const;
  // Moves the coordinates along a rate by `change`; quaternions keep their length.
  void Displace(std::size_t rate, Real change, std::vector<Real>& q) const;
  void Normalise(std::vector<Real>& q) const;

  // The absolute motion in the form of the first formulation.
  Motion Absolute() const;

 private:
  const SystemData* system_;
  JointOffsets at_;
  std::vector<int> joint_of_rate_;
  std::vector<MovingBody> bodies_;
  std::vector<Screw> screws_;
};

}  // namespace mbsbench::extended
