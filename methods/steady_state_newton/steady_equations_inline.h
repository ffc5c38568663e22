// The sweeps (1) and (2) of steady_equations.h, for the sources that instantiate them.
#pragma once

#include "methods/steady_state_newton/pair_forces_inline.h"
#include "methods/steady_state_newton/relative_tree_inline.h"
#include "methods/steady_state_newton/steady_equations.h"
#include "methods/steady_state_newton/steady_jacobian_inline.h"

namespace mbsbench::steady {

template <typename Real>
SteadyEquations<Real>::SteadyEquations(const System& system) : system_(system), tree_(system) {
  springs_of_.resize(system_.joints.size());
  for (std::size_t e = 0; e < system_.forces.Of<JointSpringDamper>().size(); ++e) {
    springs_of_[static_cast<std::size_t>(system_.forces.Of<JointSpringDamper>()[e].joint)]
        .push_back(static_cast<int>(e));
  }
  for (std::size_t j = 0; j < system_.loop_joints.size(); ++j) {
    row_joint_.insert(row_joint_.end(),
                      static_cast<std::size_t>(ConstraintCount(system_.loop_joints[j].type)),
                      static_cast<int>(j));
  }
  size_ = tree_.coordinates() + row_joint_.size();
  lambda_.resize(row_joint_.size());
  wrenches_.resize(system_.bodies.size());

  const int bodies = static_cast<int>(system_.bodies.size());
  first_x_ = static_cast<int>(size_);
  int next = first_x_ + 6 * bodies;
  group_.assign(system_.bodies.size(), -1);
  for (const RelativeJoint& j : tree_.joints()) {
    int& group = group_[static_cast<std::size_t>(j.body)];
    group = Group(j.parent);
    if (j.driven && j.parent != kGround) {
      group = next;
      next += 12;
    }
  }
  first_w_ = next;
  matrix_size_ = first_w_ + 6 * bodies;

  const std::vector<Real> z(size_, Real(0));
  Sweep(z, {});
  blocks_.Begin({});
  AddJacobianBlocks();
  blocks_.FindPattern(matrix_size_);
}

template <typename Real>
void SteadyEquations<Real>::Sweep(std::span<const Real> z, std::span<const Real> rates) {
  tree_.Place(z.first(tree_.coordinates()));
  tree_.Move(rates);
  PlacePairs(z);
  BalanceWrenches();
}

template <typename Real>
void SteadyEquations<Real>::PlacePairs(std::span<const Real> z) {
  std::copy(z.begin() + static_cast<std::ptrdiff_t>(tree_.coordinates()), z.end(), lambda_.begin());
  cut_rows_.clear();
  for (const Joint& joint : system_.loop_joints) CutJointRows(tree_, joint, cut_rows_);
  pulls_.clear();
  for (const SpringDamper& e : system_.forces.Of<SpringDamper>())
    pulls_.push_back(PullOf(tree_, e));
}

template <typename Real>
auto SteadyEquations<Real>::NetWrench(int b) const -> Vector6 {
  const Body& body = system_.bodies[static_cast<std::size_t>(b)];
  const BodyPlace<Real>& place = tree_.place(b);
  const Vector6 v = tree_.velocity(b), a = tree_.acceleration(b);
  const Vector3 omega = Angular(v), alpha = Angular(a), r = place.centre;
  const Vector3 velocity = Linear(v) + omega.cross(r);
  const Vector3 acceleration = Linear(a) + alpha.cross(r) + omega.cross(velocity);
  const Vector3 force = Real(body.mass) * (acceleration - this->Vector(system_.gravity));
  // The gyroscopic moment omega x J omega belongs to Q in the paper's form.
  const Vector3 moment = place.inertia * alpha + omega.cross(place.inertia * omega);
  return ForceAt(r, force) + Stack(moment, Vector3::Zero());
}

template <typename Real>
void SteadyEquations<Real>::BalanceWrenches() {
  for (std::size_t b = 0; b < wrenches_.size(); ++b) wrenches_[b] = NetWrench(static_cast<int>(b));
  const auto add = [this](int body, const Vector6& wrench) {
    if (body != kGround) wrenches_[static_cast<std::size_t>(body)] += wrench;
  };
  for (const AppliedForce& e : system_.forces.Of<AppliedForce>()) {
    const Matrix3 axes = e.in_body_axes ? tree_.AxesOf(e.body) : Matrix3::Identity();
    add(e.body,
        -ForceAt(tree_.PointOn(e.body, this->Vector(e.point)), axes * this->Vector(e.force)) -
            Stack(axes * this->Vector(e.moment), Vector3::Zero()));
  }
  for (std::size_t i = 0; i < pulls_.size(); ++i) {
    const SpringDamper& e = system_.forces.Of<SpringDamper>()[i];
    add(e.body_b, pulls_[i].force * pulls_[i].line.l);
    add(e.body_a, -pulls_[i].force * pulls_[i].line.l);
  }
  for (std::size_t i = 0; i < cut_rows_.size(); ++i) {
    const Joint& joint = system_.loop_joints[static_cast<std::size_t>(row_joint_[i])];
    add(joint.child, lambda_[i] * cut_rows_[i].l);
    add(joint.parent, -lambda_[i] * cut_rows_[i].l);
  }
  for (auto j = tree_.joints().rbegin(); j != tree_.joints().rend(); ++j) {
    add(j->parent, wrenches_[static_cast<std::size_t>(j->body)]);
  }
}

template <typename Real>
void SteadyEquations<Real>::ForceRows(std::span<const Real> z, std::span<const Real> rates,
                                      std::span<Real> f) {
  for (std::size_t i = 0; i < tree_.joints().size(); ++i) {
    const RelativeJoint& j = tree_.joints()[i];
    if (j.freedoms == 0) continue;
    const Vector6& w = wrenches_[static_cast<std::size_t>(j.body)];
    for (std::size_t k = 0; k < static_cast<std::size_t>(j.freedoms); ++k) {
      f[static_cast<std::size_t>(j.first) + k] = tree_.columns(i).s[k].dot(w);
    }
    for (int e : springs_of_[static_cast<std::size_t>(j.index)]) {
      const JointSpringDamper& spring =
          system_.forces.Of<JointSpringDamper>()[static_cast<std::size_t>(e)];
      const auto k = static_cast<std::size_t>(j.first);
      f[k] -= rates.empty() ? SpringForce(spring.stiffness, spring.free_coordinate, z[k])
                            : SpringForce(spring.stiffness, spring.damping, spring.free_coordinate,
                                          z[k], rates[k]);
    }
  }
}

template <typename Real>
void SteadyEquations<Real>::CalcResidual(std::span<const Real> z, std::span<Real> f) {
  Sweep(z, {});
  ForceRows(z, {}, f);
  for (std::size_t i = 0; i < cut_rows_.size(); ++i)
    f[tree_.coordinates() + i] = cut_rows_[i].value;
}

}  // namespace mbsbench::steady
