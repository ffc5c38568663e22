// Cut joints and drivers: the conditions that have multipliers, on particle coordinates.
//
// Points of a body are affine combinations of its particles and directions linear ones, so every
// condition is one product phi = u.w - c of two vectors that are linear in the particles:
//
//   lengths     u = X_c - X_p, w the three inertial axes (r_7 - r_10 = 0 in the paper) or x_p, y_p
//   products    u an axis of the parent, w one of the child
//   distance    u = w = X_c - X_p, divided by 2 l
//
// methods/kinematics/blocked_rows.h lists those of each joint. A driver has one, whose u and c depend on
// time: the coordinate q less that of the motion, or the sine of this difference:
//
//   revolute    u = cos(q(t)) y_p - sin(q(t)) x_p, w = x_c
//   prismatic   u = X_c - X_p, w = z_p, c = q(t)
//
// A multiplier pulls along the gradient: on the particles of u along w and of w along u.
#pragma once

#include <array>
#include <vector>

#include "methods/equivalent_particles/moment_sums.h"

namespace mbsbench::equivalent_particles {

// A vector that is linear in the slots of up to two nodes: constant + sum over parts. Points of the
// ground are parts too: with accelerations less gravity the ground accelerates.
struct LinearVector {
  struct Part {
    int node = 0;
    Weights weights{};
    double total = 0;  // of the weights: +-1 a point, 0 a direction
  };
  std::array<Part, 2> parts{};
  int count = 0;
  Vector3d constant = Vector3d::Zero();
};

struct CutRow {
  LinearVector u, w;
  double offset = 0;
  // A driver's: rates of u and of the offset at fixed particles.
  bool moves = false;
  LinearVector u_rate = {}, u_acceleration = {};
  double offset_rate = 0, offset_acceleration = 0;
};

struct CutJoint {
  int first_row = 0, end_row = 0;
  int parent_node = 0, child_node = 0;
  Weights child_point{};  // origin of the child's joint frame
  int tree_joint = -1;    // a driver's: index into System::joints
};

// u of a driver is factors[0] basis[0] + factors[1] basis[1], and its rates likewise.
struct DriverRow {
  int row = 0;
  bool turns = false;
  std::array<LinearVector, 2> basis{};
  DriverMotion motion;
  std::size_t coordinate = 0;  // in JointState::q
  double offset = 0;  // offset of the coordinate from the motion: the start of a constant rate
  int carried = -1;   // among the carried nodes, if the driven motion moves no inertia
  std::array<double, 2> factors{1, 0}, factor_rates{}, factor_accelerations{};
  MovedCoordinate<double> now;
};

class CutJoints {
 public:
  CutJoints(const System& system, const ParticleTree& tree);

  const std::vector<CutRow>& rows() const { return rows_; }
  const std::vector<CutJoint>& joints() const { return joints_; }  // loop joints, then drivers
  const std::vector<DriverRow>& drivers() const { return drivers_; }
  // The nodes that drivers without inertia move, at the time that was set, parents first. Their rows hold by themselves.
  const std::vector<CarriedNode>& carried() const { return carried_; }

  // A constant rate starts at the coordinate of the state at t; sets the drivers to t.
  void Start(double t, const JointState& state);
  // Sets the drivers to the time t.
  void SetTime(double t);

  double Value(const CutRow& row, const Vector3d* x) const;
  // Linear in v: the rate without the part of a driver.
  double Response(const CutRow& row, const Vector3d* x, const Vector3d* v) const;
  double Rate(const CutRow& row, const Vector3d* x, const Vector3d* v) const;
  double Acceleration(const CutRow& row, const Vector3d* x, const Vector3d* v,
                      const Vector3d* a) const;

  // Adds `multiplier` times the gradient of the row to the wrenches of its nodes.
  void Pull(const CutRow& row, double multiplier, const Vector3d* x,
            std::span<Load> wrenches) const;

  // A linear vector of slots' positions (without = velocities, accelerations: no constant).
  Vector3d ValueOf(const LinearVector& vector, const Vector3d* x, bool with_constant) const;

 private:
  // The slots of a carried node, by the child's directions in the driven joint.
  struct CarriedSlots {
    std::array<Weights, kMostParticles> at_rest, along_x, along_y;
  };
  void FindCarried(const System& system);
  void SetCarried(const DriverRow& driver);

  const ParticleTree& tree_;
  std::vector<CarriedNode> carried_;
  std::vector<CarriedSlots> carried_slots_;
  std::vector<CutRow> rows_;
  std::vector<CutJoint> joints_;
  std::vector<DriverRow> drivers_;
};

}  // namespace mbsbench::equivalent_particles
