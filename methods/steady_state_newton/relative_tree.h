// The tree in relative coordinates: poses, and the velocity transformation xdot = B qdot by recursion
// (Choi, Park, Yoo 2002, eqs 4 to 10), with the coordinates partitioned into driven and rest (eq. 7).
//
//   V_b = V_p + S_b u        S_b: one motion vector per coordinate of the joint of body b
//   A_b = A_p + S_b u' + S_b' u,   S_b' = V_p x S_b + (dS_b/dq) u
//
// The columns of B that belong to a body are the S of its path to the ground (motion vectors about
// one origin need no shift from body to body), so that products with B and B' are two sweeps.
#pragma once

#include <span>
#include <vector>

#include "methods/steady_state_newton/spatial.h"
#include "problems/model/state.h"
#include "problems/model/system.h"
#include "problems/model/topology.h"

namespace mbsbench::steady {

struct RelativeJoint {
  JointType type{};
  int body = 0, parent = kGround;  // its child, and the parent of that
  int index = 0;                   // in System::joints
  Eigen::Vector3d parent_point, child_point;
  Eigen::Matrix3d parent_axes, child_axes;
  bool driven = false;
  double speed = 0;       // of a driven joint
  double coordinate = 0;  // of a driven joint, held
  int first = 0;          // of its coordinates in q_R
  int freedoms = 0;       // its number of coordinates in q_R; 0 if it is driven
  // Rotations of ball and free joints are relative to this, by a vector rho that is the rotation
  // vector as long as it is small: rho = 4 e tan(angle / 4), singular at a full turn only.
  Eigen::Matrix3d base = Eigen::Matrix3d::Identity();
};

template <typename Real>
struct BodyPlace {
  typename Spatial<Real>::Matrix3 rotation;
  typename Spatial<Real>::Vector3 centre;   // mass centre
  typename Spatial<Real>::Vector3 joint;    // origin of the joint frame on the body
  typename Spatial<Real>::Matrix3 inertia;  // about the mass centre, inertial axes
};

// Joint columns S and their derivatives by the joint's own coordinates.
template <typename Real>
struct JointColumns {
  std::array<typename Spatial<Real>::Vector6, 6> s;
  std::array<std::array<typename Spatial<Real>::Vector6, 6>, 6> ds;  // ds[k][l] = dS_k/dq_l
};

template <typename Real>
class RelativeTree {
 public:
  using S = Spatial<Real>;
  using Vector3 = typename S::Vector3;
  using Matrix3 = typename S::Matrix3;
  using Vector6 = typename S::Vector6;

  explicit RelativeTree(const System& system);

  std::size_t coordinates() const { return coordinates_; }              // of q_R
  const std::vector<RelativeJoint>& joints() const { return joints_; }  // root side first
  // Position in joints() of the joint that carries a body.
  int PositionOf(int body) const { return position_[static_cast<std::size_t>(body)]; }

  // Coordinates of driven joints and bases of rotations from a state; q_R of that state.
  void StartAt(const JointState& state, std::span<double> q);
  void SetSpeed(std::size_t driver, double speed);

  // Poses and columns at q_R.
  void Place(std::span<const Real> q);
  // Velocities and accelerations: driven joints at their speeds, the rest at the rates u (zero if
  // empty), without joint accelerations.
  void Move(std::span<const Real> u);

  const BodyPlace<Real>& place(int body) const { return places_[static_cast<std::size_t>(body)]; }
  const JointColumns<Real>& columns(std::size_t position) const { return columns_[position]; }
  Vector6 velocity(int body) const {
    return body == kGround ? Vector6::Zero() : velocities_[static_cast<std::size_t>(body)];
  }
  Vector6 acceleration(int body) const {
    return body == kGround ? Vector6::Zero() : accelerations_[static_cast<std::size_t>(body)];
  }
  // A point given in body axes from the mass centre (ground: in inertial axes).
  Vector3 PointOn(int body, const Vector3& point) const;
  Matrix3 AxesOf(int body) const;

 private:
  System system_;
  std::vector<RelativeJoint> joints_;
  std::vector<int> position_, driver_position_;
  std::size_t coordinates_ = 0;
  std::vector<BodyPlace<Real>> places_;
  std::vector<JointColumns<Real>> columns_;
  std::vector<Vector6> velocities_, accelerations_;
};

extern template class RelativeTree<double>;

}  // namespace mbsbench::steady
