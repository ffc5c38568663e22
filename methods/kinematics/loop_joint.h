// Kinematics of a joint that closes a loop, for acceleration-level methods: constraint rows as
// wrenches on the two bodies, and the velocity-dependent part of the rows' second derivatives.
// (`reference` has its own code; for absolute coordinates see absolute_constraints.h.)
//
//   C, P: origins of the joint frames on child and parent;  d = C - P;  v_rel: velocity of C seen
//   from the parent;  x_p, y_p, z_p and x_c, ...: axes of the joint frames
//
//   a length along an axis e of the parent   g = e.d          g' = e.v_rel
//   a product of an axis of each             g = e_p.e_c      g' = (omega_c - omega_p).(e_c x e_p)
//   the distance                             g = |d| - l      g' = d.d' / |d|
//
// blocked_rows.h lists the rows of each joint; lengths are along the parent's axes.
//
// Every row is the same for observers that move with any of the bodies. A multiplier therefore acts
// on the child and, with the opposite sign, on the parent at the same point of space, even if the
// loop is not exactly closed:
//   g'  = force.(V_c - V_p) + moment.(omega_c - omega_p)
//   g'' = force.(A_c - A_p) + moment.(alpha_c - alpha_p) + bias
// with V, A the velocity and acceleration of that point of each body which coincides with C.
#pragma once

#include "methods/kinematics/blocked_rows.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct LoopRow {
  Vector3 force, moment;  // of a unit multiplier on the child; the moment about C
  double position = 0;    // g [m or rad]
  double velocity = 0;    // g'
  double bias = 0;        // of g''
};

// The motion of a body with its direction cosine matrix.
struct BodyAxes {
  Vector3 position;
  Matrix3 axes;  // body -> inertial
  Vector3 velocity, angular_velocity;
};
BodyAxes AxesOf(const BodyState& body);

class LoopJoint {
 public:
  static constexpr int kMostRows = 6;

  explicit LoopJoint(const Joint& joint);

  int size() const { return rows_.size(); }
  // Number of leading rows that are forces along unit vectors; the others are moments.
  int force_rows() const { return rows_.size() - rows_.product_count; }
  // Writes size() rows and returns C. The ground is a default BodyState.
  Vector3 CalcRows(const BodyAxes& parent, const BodyAxes& child, LoopRow* rows) const;
  Vector3 CalcRows(const BodyState& parent, const BodyState& child, LoopRow* rows) const {
    return CalcRows(AxesOf(parent), AxesOf(child), rows);
  }

 private:
  BlockedRows rows_;
  Vector3 on_parent_, on_child_;      // origins of the joint frames, body axes
  Matrix3 parent_axes_, child_axes_;  // joint axes -> body axes
  double distance_;
};

// The number of rows of all loop joints together.
int LoopRowCount(const System& system);

}  // namespace mbsbench
