// The Jacobian of steady_equations.h by its auxiliary unknowns (3) and (4), for the sources that instantiate it.
#pragma once

#include "methods/steady_state_newton/steady_equations.h"

namespace mbsbench::steady {

template <typename Real>
void SteadyEquations<Real>::CalcJacobian(std::span<const Real> z, std::span<Real> values) {
  Sweep(z, {});
  blocks_.Begin(values);
  AddJacobianBlocks();
}

template <typename Real>
void SteadyEquations<Real>::AddJacobianBlocks() {
  const Matrix6 one = Matrix6::Identity();
  const auto identity = [this](int at) {
    for (int k = 0; k < 6; ++k) blocks_.Add(at + k, at + k, Real(1));
  };
  for (std::size_t i = 0; i < tree_.joints().size(); ++i) {
    const RelativeJoint& j = tree_.joints()[i];
    const JointColumns<Real>& columns = tree_.columns(i);
    const Vector6& w = wrenches_[static_cast<std::size_t>(j.body)];
    const int x = X(j.body);
    // X_b - X_p - S dq = 0
    identity(x);
    if (j.parent != kGround) {
      for (int k = 0; k < 6; ++k) blocks_.Add(x + k, X(j.parent) + k, Real(-1));
    }
    for (int k = 0; k < j.freedoms; ++k) {
      blocks_.AddBlock(x, j.first + k, -columns.s[static_cast<std::size_t>(k)]);
    }
    // df_k = S_k . dW_b + W_b . (X_p x S_k + dS_k/dq dq)
    for (int k = 0; k < j.freedoms; ++k) {
      const Vector6& s = columns.s[static_cast<std::size_t>(k)];
      const int row = j.first + k;
      blocks_.AddBlock(row, W(j.body), s.transpose());
      if (j.parent != kGround) {
        blocks_.AddBlock(row, X(j.parent), -(CrossMatrix(s).transpose() * w).transpose());
      }
      for (int l = 0; l < j.freedoms; ++l) {
        const auto& ds = columns.ds[static_cast<std::size_t>(k)][static_cast<std::size_t>(l)];
        blocks_.Add(row, j.first + l, w.dot(ds));
      }
    }
    if (j.freedoms == 1) {
      for (int e : springs_of_[static_cast<std::size_t>(j.index)]) {
        blocks_.Add(
            j.first, j.first,
            Real(system_.forces.Of<JointSpringDamper>()[static_cast<std::size_t>(e)].stiffness));
      }
    }
    // A driver on a moving body: V = V_p + S u, A = A_p + V_p x S u, with dS = X_p x S.
    if (j.driven && j.parent != kGround) {
      const int group = Group(j.body), parent_group = Group(j.parent);
      const Matrix6 s = Real(j.speed) * CrossMatrix(columns.s[0]);
      const Matrix6 v = CrossMatrix(tree_.velocity(j.parent));
      identity(group);
      identity(group + 6);
      blocks_.AddBlock(group, X(j.parent), s);
      blocks_.AddBlock(group + 6, X(j.parent), v * s);
      if (parent_group >= 0) {
        blocks_.AddBlock(group, parent_group, -one);
        blocks_.AddBlock(group + 6, parent_group, s);
        blocks_.AddBlock(group + 6, parent_group + 6, -one);
      }
    }
    // dW_b - sum over children dW_c - d(net wrench, forces, pairs) = 0
    identity(W(j.body));
    if (j.parent != kGround) {
      for (int k = 0; k < 6; ++k) blocks_.Add(W(j.parent) + k, W(j.body) + k, Real(-1));
    }
    AddNetWrenchBlocks(j.body);
  }
  for (const AppliedForce& e : system_.forces.Of<AppliedForce>()) {
    const Matrix3 axes = e.in_body_axes ? tree_.AxesOf(e.body) : Matrix3::Identity();
    const Vector3 point = tree_.PointOn(e.body, this->Vector(e.point)),
                  force = axes * this->Vector(e.force);
    Matrix6 change = Matrix6::Zero();  // of the wrench
    change.template topRows<3>() = -Skew(force) * PointOf(point);
    if (e.in_body_axes) {
      change.template topLeftCorner<3, 3>() -=
          Skew(point) * Skew(force) + Skew(axes * this->Vector(e.moment));
      change.template bottomLeftCorner<3, 3>() -= Skew(force);
    }
    blocks_.AddBlock(W(e.body), X(e.body), change);
  }
  for (std::size_t i = 0; i < pulls_.size(); ++i)
    AddSpringBlocks(system_.forces.Of<SpringDamper>()[i], pulls_[i]);
  for (std::size_t i = 0; i < cut_rows_.size(); ++i) {
    const Joint& joint = system_.loop_joints[static_cast<std::size_t>(row_joint_[i])];
    const UnitWrench<Real>& row = cut_rows_[i];
    const int at = static_cast<int>(tree_.coordinates() + i);
    AddPairBlocks(joint.parent, joint.child, lambda_[i], row);
    if (system_.loop_precision > 0) blocks_.Add(at, at, Real(0));  // lambda = 0 may take its place
    blocks_.AddBlock(W(joint.child), at, -row.l);
    blocks_.AddBlock(at, X(joint.child), row.l.transpose());
    if (joint.parent != kGround) {
      blocks_.AddBlock(W(joint.parent), at, row.l);
      blocks_.AddBlock(at, X(joint.parent), -row.l.transpose());
    }
  }
}

template <typename Real>
void SteadyEquations<Real>::AddNetWrenchBlocks(int b) {
  const Body& body = system_.bodies[static_cast<std::size_t>(b)];
  const BodyPlace<Real>& place = tree_.place(b);
  const Vector6 v = tree_.velocity(b), a = tree_.acceleration(b);
  const Vector3 omega = Angular(v), alpha = Angular(a), r = place.centre;
  const Vector3 velocity = Linear(v) + omega.cross(r);
  const Vector3 force = Real(body.mass) * (Linear(a) + alpha.cross(r) + omega.cross(velocity) -
                                           this->Vector(system_.gravity));
  const Matrix3 spin = Skew(omega), turn = Skew(alpha), arm = Real(body.mass) * Skew(r);
  const Matrix3& inertia = place.inertia;
  const Matrix36 point = PointOf(r);
  // With the motion held: dr, da = alpha x dr + omega x (omega x dr), dJ = [phi] J - J [phi].
  const Matrix36 da = (turn + spin * spin) * point;
  Matrix6 by_place;
  by_place.template topRows<3>() = -Skew(force) * point + arm * da;
  by_place.template bottomRows<3>() = Real(body.mass) * da;
  by_place.template topLeftCorner<3, 3>() +=
      -Skew(inertia * alpha) + inertia * turn + spin * (-Skew(inertia * omega) + inertia * spin);
  blocks_.AddBlock(W(b), X(b), -by_place);
  if (Group(b) < 0) return;
  Matrix36 da_by_velocity;
  da_by_velocity << -Skew(velocity) - spin * Skew(r), spin;
  Matrix6 by_velocity, by_acceleration;
  by_velocity << arm * da_by_velocity, Real(body.mass) * da_by_velocity;
  by_velocity.template topLeftCorner<3, 3>() += -Skew(inertia * omega) + spin * inertia;
  by_acceleration << arm * point, Real(body.mass) * point;
  by_acceleration.template topLeftCorner<3, 3>() += inertia;
  blocks_.AddBlock(W(b), Group(b), -by_velocity);
  blocks_.AddBlock(W(b), Group(b) + 6, -by_acceleration);
}

// The wrench `force` l on the child and -`force` l on the parent, by the change of l.
template <typename Real>
void SteadyEquations<Real>::AddPairBlocks(int body_p, int body_c, const Real& force,
                                          const UnitWrench<Real>& line) {
  for (int on : {body_c, body_p}) {
    if (on == kGround) continue;
    const Real sign = on == body_c ? -force : force;
    if (body_c != kGround) blocks_.AddBlock(W(on), X(body_c), sign * line.by_child);
    if (body_p != kGround) blocks_.AddBlock(W(on), X(body_p), sign * line.by_parent);
  }
}

template <typename Real>
void SteadyEquations<Real>::AddSpringBlocks(const SpringDamper& e, const Pull<Real>& pull) {
  AddPairBlocks(e.body_a, e.body_b, pull.force, pull.line);
  for (int on : {e.body_b, e.body_a}) {
    if (on == kGround) continue;
    const Real sign(on == e.body_b ? -1 : 1);
    const Vector6 l = sign * pull.line.l;
    if (e.body_b != kGround) {
      blocks_.AddBlock(W(on), X(e.body_b), l * pull.by_b.transpose());
      AddByVelocity(W(on), e.body_b, l * pull.by_velocity_b.transpose());
    }
    if (e.body_a != kGround) {
      blocks_.AddBlock(W(on), X(e.body_a), l * pull.by_a.transpose());
      AddByVelocity(W(on), e.body_a, l * pull.by_velocity_a.transpose());
    }
  }
}

template <typename Real>
void SteadyEquations<Real>::AddByVelocity(int row, int body, const Matrix6& by_velocity) {
  if (Group(body) >= 0) blocks_.AddBlock(row, Group(body), by_velocity);
}

}  // namespace mbsbench::steady
