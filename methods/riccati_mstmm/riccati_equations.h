// The Riccati sweeps with general hinges as printed, on any scalar: z_a = S z_b + e with S of 6 x 6, the steps (a) to (e)
// of general_sweep.h in their order. Those sweeps carry them out by hand on 21 numbers. These equations serve to measure
// round-off.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/riccati_mstmm/riccati_recursion.h"
#include "methods/tree_motion/load.h"
#include "methods/tree_motion/tree_motion.h"

namespace mbsbench {

template <class T>
class RiccatiEquations {
 public:
  RiccatiEquations(GroupTree<T> tree, const Vector3& gravity)
      : joint_forces(tree.groups.size()),
        loads(tree.groups.size()),
        tree_(std::move(tree)),
        motion_(tree_),
        pairs_(tree_.groups.size()),
        hinges_(tree_.groups.size()) {
    hinges_[0].z_b << -AsEigen(Lift<T>(gravity)), Vector::Zero();  // accelerations less gravity
  }

  // Per group: the generalised force of a joint with one axis, or the acceleration of a driven joint; and the load on
  // the group without gravity, about its origin and in inertial axes.
  std::vector<T> joint_forces;
  std::vector<Load<T>> loads;

  // y = [q; u]; ydot gets q' and u'. If a joint has no inertia about its free axes, the result is not
  // finite.
  void Evaluate(const T* y, T* ydot) {
    motion_.PassMotion(y, ydot);
    // (A) from the tips, S = 0 and e = 0 (34), to the root
    pairs_.assign(pairs_.size(), {});
    for (std::size_t k = pairs_.size() - 1; k > 0; --k) {
      AddBody(k);
      PassHinge(k, y);
      MoveToParent(k);
    }
    // (B) from the root, z_b = (-g, 0), to the tips
    for (std::size_t k = 1; k < pairs_.size(); ++k) Return(k, ydot);
  }

 private:
  using Types = TransferTypes<3, T>;
  using Vector = typename Types::Translation;
  using Matrix = typename Types::RotationMatrix;
  using Half = typename Types::HalfVector;
  using HalfMatrix = typename Types::HalfMatrix;
  using Pair = RiccatiCoefficients<3, T>;
  using Columns = Eigen::Matrix<T, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  using Rates = Eigen::Matrix<T, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;
  using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

  struct Hinge {
    Columns H;  // free axes, z_b,I = z_b + H udot; none if the joint is driven
    Eigen::Matrix<T, Eigen::Dynamic, 6, Eigen::ColMajor, 6, 6> by_z_b;  // udot = free - by_z_b z_b
    Rates free;
    Half z_b;  // at the output end of the body
  };

  const SweepGroup<T>& Group(std::size_t k) const { return tree_.groups[k]; }
  std::size_t Parent(std::size_t k) const { return static_cast<std::size_t>(Group(k).parent); }
  const GroupMotion<T>& Motion(std::size_t k) const { return motion_.motion(static_cast<int>(k)); }
  // P z_a = (q, -m), which pairs with z_b = (a, alpha).
  template <class Rows>
  static auto Paired(const Rows& z_a) {
    auto paired = z_a.eval();
    paired.template topRows<3>() = z_a.template bottomRows<3>();
    paired.template bottomRows<3>() = -z_a.template topRows<3>();
    return paired;
  }

  // (a) m = mc x a + J_O alpha + omega x J_O omega - m_load,   mc: mass x (O -> mass centre)
  // (b) q = -m_body a - alpha x mc - omega x (omega x mc) + f_load
  void AddBody(std::size_t k) {
    const SweepGroup<T>& body = Group(k);
    const Matrix A = AsEigen(Motion(k).R);
    const Vector omega = AsEigen(Motion(k).omega), mc = A * AsEigen(body.moment);
    const Matrix J_O = A * AsEigen(body.inertia) * A.transpose();
    Pair& at_O = pairs_[k];
    HalfMatrix own;
    own << TildeBeforeForce(mc), J_O, -body.mass * Matrix::Identity(), TildeBeforeRotation(mc);
    at_O.S += own;
    at_O.e.template head<3>() += GyroscopicMoment(omega, J_O) - AsEigen(loads[k].moment);
    at_O.e.template tail<3>() += AsEigen(loads[k].force) - CentripetalPart(omega, mc);
  }

  // (c) z_b,I = z_b + H udot, H'P z_a = -tau; with M = -P S
  // (d) udot = (H'MH)^-1 (tau + H'P e - H'M z_b), and with it z_a = S (z_b + H udot) + e
  void PassHinge(std::size_t k, const T* y) {
    const SweepGroup<T>& group = Group(k);
    Pair& pair = pairs_[k];
    Hinge& hinge = hinges_[k];
    Columns& H = hinge.H;
    H.setZero(6, group.driven ? 0 : RateCount(group.type));
    if (H.cols() == 0) return;
    ForMovingJoint(group.type, [&](auto joint) {
      ForEachColumn<decltype(joint)>(
          Motion(k).R, y + group.q, [&](int i, bool turns, const Vec<T>& direction) {
            H.col(i).template segment<3>(turns ? 3 : 0) = AsEigen(direction);
          });
    });
    const HalfMatrix M = -Paired(pair.S);
    const Eigen::LDLT<Square> pivot(H.transpose() * M * H);
    Rates drive = H.transpose() * Paired(pair.e);
    if (H.cols() == 1) drive[0] += joint_forces[k];
    hinge.by_z_b = pivot.solve(H.transpose() * M);
    hinge.free = pivot.solve(drive);
    pair.e += pair.S * (H * hinge.free);
    pair.S -= pair.S * H * hinge.by_z_b;
  }

  // (e) a = a_O + alpha_O x r + gamma, alpha = alpha_O + omega_O x omega; q_O = q, m_O = m - r x q
  void MoveToParent(std::size_t k) {
    const HalfMatrix X = Shift(k);  // of z_b; of z_a = (m, q) too
    Pair& parent = pairs_[Parent(k)];
    parent.S += X * pairs_[k].S * X;
    parent.e += X * (pairs_[k].S * Bias(k) + pairs_[k].e);
  }
  HalfMatrix Shift(std::size_t k) const {
    HalfMatrix X = HalfMatrix::Identity();
    X.template topRightCorner<3, 3>() = -TildeBeforeForce(AsEigen(Motion(k).r));
    return X;
  }
  Half Bias(std::size_t k) const {
    const SweepGroup<T>& group = Group(k);
    const GroupMotion<T>& m = Motion(k);
    Half bias;
    bias << AsEigen(m.gamma), AsEigen(Cross(Motion(Parent(k)).omega, m.omega));
    if (group.driven) {
      bias.template segment<3>(TurnsAboutZ(group.type) ? 3 : 0) +=
          joint_forces[k] * AsEigen(AxisOf(m.R));
    }
    return bias;
  }

  // (33): (e), (d) and (c) from the root side, whose z_b is known
  void Return(std::size_t k, T* ydot) {
    Hinge& hinge = hinges_[k];
    hinge.z_b = Shift(k) * hinges_[Parent(k)].z_b + Bias(k);
    if (hinge.H.cols() > 0) {
      const Rates udot = hinge.free - hinge.by_z_b * hinge.z_b;
      hinge.z_b += hinge.H * udot;
      for (Eigen::Index i = 0; i < udot.size(); ++i) ydot[Group(k).u + i] = udot[i];
    } else if (Group(k).driven) {
      ydot[Group(k).u] = joint_forces[k];
    }
  }

  const GroupTree<T> tree_;
  TreeMotion<T> motion_;
  std::vector<Pair> pairs_;  // sums over the inputs of a body, then at its output end
  std::vector<Hinge> hinges_;
};

}  // namespace mbsbench
