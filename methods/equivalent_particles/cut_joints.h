// Cut joints: the conditions that close loops, on particle coordinates.
//
// Points of a body are affine combinations of its particles and directions linear ones, so every
// condition is one product phi = u.w - c of two vectors that are linear in the particles:
//
//   lengths     u = X_c - X_p, w the three inertial axes (r_7 - r_10 = 0 in the paper) or x_p, y_p
//   products    u an axis of the parent, w one of the child
//   distance    u = w = X_c - X_p, divided by 2 l
//
// Which of them a joint has is said in methods/kinematics/blocked_rows.h.
//
// A multiplier pulls along the gradient: on the particles of u along w and of w along u.
#pragma once

#include <array>
#include <vector>

#include "methods/equivalent_particles/moment_sums.h"

namespace mbsbench::equivalent_particles {

// A vector that is linear in the slots of up to two nodes: constant + sum over parts. Points of the
// ground are parts too: with accelerations less gravity the ground has some.
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
};

struct CutJoint {
  int first_row = 0, end_row = 0;
  int parent_node = 0, child_node = 0;
  Weights child_point{};  // origin of the child's joint frame
};

class CutJoints {
 public:
  CutJoints(const System& system, const ParticleTree& tree);

  const std::vector<CutRow>& rows() const { return rows_; }
  const std::vector<CutJoint>& joints() const { return joints_; }

  double Value(const CutRow& row, const Vector3d* x) const;
  double Rate(const CutRow& row, const Vector3d* x, const Vector3d* v) const;
  double Acceleration(const CutRow& row, const Vector3d* x, const Vector3d* v,
                      const Vector3d* a) const;

  // Adds `multiplier` times the gradient of the row to the wrenches of its nodes.
  void Pull(const CutRow& row, double multiplier, const Vector3d* x,
            std::span<Load> wrenches) const;

  // A linear vector of slots' positions (without = velocities, accelerations: no constant).
  Vector3d ValueOf(const LinearVector& vector, const Vector3d* x, bool with_constant) const;

 private:
  const ParticleTree& tree_;
  std::vector<CutRow> rows_;
  std::vector<CutJoint> joints_;
};

}  // namespace mbsbench::equivalent_particles
