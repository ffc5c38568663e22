// The joint-space equations as printed, on any scalar: (1) to (5) of joint_space_equations.h in their order, with
// spatial vectors (rotation or moment; translation or force). They serve to measure round-off.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/numerics/blocks_in_eigen.h"
#include "methods/tree_motion/tree_motion.h"

namespace mbsbench::composite_body {

template <class T>
class CompositeBodyEquations {
 public:
  using Rates = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

  CompositeBodyEquations(GroupTree<T> tree, const Vector3& gravity)
      : joint_forces(tree.groups.size()),
        loads(tree.groups.size()),
        tree_(std::move(tree)),
        motion_(tree_),
        bodies_(tree_.groups.size()) {
    bodies_[0].a << Vector::Zero(), -T(gravity.x), -T(gravity.y), -T(gravity.z);
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      bodies_[i].first = rates_;
      if (!tree_.groups[i].driven) rates_ += RateCount(tree_.groups[i].type);
    }
  }

  // Per group: the generalised force of a joint with one axis, or the acceleration of a driven joint; and the load on
  // the group without gravity, about its origin and in inertial axes.
  std::vector<T> joint_forces;
  std::vector<Load<T>> loads;
  Square H;  // of the last evaluation
  Rates C, tau;

  // y = [q; u]; ydot gets q' and u'.
  void Evaluate(const T* y, T* ydot) {
    motion_.PassMotion(y, ydot);
    H.setZero(rates_, rates_);
    C.setZero(rates_);
    tau.setZero(rates_);
    for (std::size_t i = 1; i < bodies_.size(); ++i) SetBody(i, y);
    for (std::size_t i = bodies_.size() - 1; i > 0; --i) SetRows(i);
    const Rates udot = H.partialPivLu().solve(tau - C);  // H u' + C = tau
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      const SweepGroup<T>& group = tree_.groups[i];
      if (group.driven) ydot[group.u] = joint_forces[i];
      for (Eigen::Index k = 0; k < bodies_[i].S.cols(); ++k)
        ydot[group.u + k] = udot[bodies_[i].first + k];
    }
  }

 private:
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;
  using Spatial = Eigen::Matrix<T, 6, 1>;
  using Spatial6 = Eigen::Matrix<T, 6, 6>;
  using Columns = Eigen::Matrix<T, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

  struct Body {
    Eigen::Index first = 0;  // of its free rates
    Columns S;
    Spatial a = Spatial::Zero(), f = Spatial::Zero();
    Spatial6 X = Spatial6::Zero(), I_c = Spatial6::Zero();
  };

  void SetBody(std::size_t i, const T* y) {
    const SweepGroup<T>& group = tree_.groups[i];
    const GroupMotion<T>&m = motion_.motion(static_cast<int>(i)), &p = motion_.motion(group.parent);
    Body& body = bodies_[i];
    Columns S(6, RateCount(group.type));
    ForMovingJoint(group.type, [&](auto joint) {
      ForEachColumn<decltype(joint)>(m.R, y + group.q,
                                     [&](int k, bool turns, const Vec<T>& direction) {
                                       S.col(k) << (turns ? AsEigen(direction) : Vector::Zero()),
                                           (turns ? Vector::Zero() : AsEigen(direction));
                                     });
    });
    body.S = S.leftCols(group.driven ? 0 : S.cols());
    if (body.S.cols() == 1) tau[body.first] = joint_forces[i];

    const Vector omega = AsEigen(m.omega), mc = AsEigen(m.R * group.moment);
    body.X << Matrix::Identity(), Matrix::Zero(), -CrossMatrix(AsEigen(m.r)), Matrix::Identity();
    Spatial gamma, of_rates, applied;
    gamma << AsEigen(p.omega).cross(omega), AsEigen(m.gamma);
    if (group.driven) gamma += joint_forces[i] * S.col(0);
    body.a = body.X * bodies_[static_cast<std::size_t>(group.parent)].a + gamma;  // (1)

    const Matrix J = AsEigen(Turned(m.R, group.inertia));
    body.I_c << J, CrossMatrix(mc), -CrossMatrix(mc), group.mass * Matrix::Identity();
    of_rates << omega.cross(J * omega), omega.cross(omega.cross(mc));
    applied << AsEigen(loads[i].moment), AsEigen(loads[i].force);
    body.f = body.I_c * body.a + of_rates - applied;  // (2)
  }

  void SetRows(std::size_t i) {
    Body& body = bodies_[i];
    C.segment(body.first, body.S.cols()) = body.S.transpose() * body.f;  // (4)
    Columns F = body.I_c * body.S;
    for (std::size_t j = i; j != 0; j = static_cast<std::size_t>(tree_.groups[j].parent)) {
      const Body& above = bodies_[j];
      const Square rows = F.transpose() * above.S;  // (5)
      H.block(body.first, above.first, body.S.cols(), above.S.cols()) = rows;
      H.block(above.first, body.first, above.S.cols(), body.S.cols()) = rows.transpose();
      F = Columns(above.X.transpose() * F);
    }
    Body& parent = bodies_[static_cast<std::size_t>(tree_.groups[i].parent)];
    parent.f += body.X.transpose() * body.f;  // (3)
    parent.I_c += body.X.transpose() * body.I_c * body.X;
  }

  const GroupTree<T> tree_;
  TreeMotion<T> motion_;
  std::vector<Body> bodies_;  // per group
  Eigen::Index rates_ = 0;
};

}  // namespace mbsbench::composite_body
