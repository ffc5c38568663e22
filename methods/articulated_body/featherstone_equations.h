// The articulated-body algorithm as Featherstone 2008 prints it, in the three passes of table 7.1 and on any scalar.
// sweep.h is the fast version, in inertial axes and by blocks. These equations serve to measure round-off; loop_equations.h and
// elimination_equations.h close loops around them.
//
// Spatial vectors (moment or rotation; force or translation) in link coordinates: axes and origin of group i are those of
// the child frame of its joint. X moves a motion from the parent's coordinates to the group's own, X' a force back.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/numerics/blocks_in_eigen.h"
#include "methods/tree_motion/group_tree.h"
#include "methods/tree_motion/load.h"

namespace mbsbench::articulated_body {

template <class T>
class FeatherstoneEquations {
 public:
  FeatherstoneEquations(GroupTree<T> tree, const Vector3& gravity)
      : joint_forces(tree.groups.size()),
        loads(tree.groups.size()),
        tree_(std::move(tree)),
        links_(tree_.groups.size()),
        gravity_(T(gravity.x), T(gravity.y), T(gravity.z)) {
    links_[0].a << Vector::Zero(), -T(gravity.x), -T(gravity.y), -T(gravity.z);  // a_0 = -a_g
  }

  // Per group: the generalised force of a joint with one axis, or the acceleration of a driven joint; and the load on
  // the group without gravity, about its origin and in inertial axes.
  std::vector<T> joint_forces;
  std::vector<Load<T>> loads;

  // y = [q; u]; ydot gets u'. If a joint has no inertia about its free axes, the result is not
  // finite.
  void Evaluate(const T* y, T* ydot) {
    for (std::size_t i = 1; i < links_.size(); ++i) Pass1(i, y);
    for (std::size_t i = links_.size() - 1; i > 0; --i) Pass2(i);
    for (std::size_t i = 1; i < links_.size(); ++i) Pass3(i, ydot);
  }

  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;
  // Axes, origin and motion of a group after Evaluate, in inertial axes.
  struct GroupMotion {
    Matrix R;
    Vector r, v, omega, a, alpha;
  };
  GroupMotion MotionOf(int group) const {
    const Link& link = links_[static_cast<std::size_t>(group)];
    const Vector omega = link.v.template head<3>(), v = link.v.template tail<3>();
    const Vector a = link.a.template tail<3>() + omega.cross(v);
    return {link.R,
            link.r,
            link.R * v,
            link.R * omega,
            link.R * a + gravity_,
            link.R * link.a.template head<3>()};
  }

  using Spatial6 = Eigen::Matrix<T, 6, 6>;
  using Columns = Eigen::Matrix<T, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  // How the acceleration of a group follows that of its parent and the change d of its joint's rates, after Evaluate and in
  // the axes of both: A = (1 - S D^-1 U') X. S has no column if the joint is driven.
  struct Passage {
    int parent;
    Spatial6 A;
    Columns S;
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> D;
  };
  Passage PassageOf(int group) const {
    const Link& link = links_[static_cast<std::size_t>(group)];
    Spatial6 A = link.X;
    if (link.S.cols() > 0) A -= link.S * link.D.solve((link.U.transpose() * link.X).eval());
    return {tree_.groups[static_cast<std::size_t>(group)].parent, A, link.S,
            link.S.transpose() * link.U};
  }

 private:
  using Spatial = Eigen::Matrix<T, 6, 1>;
  using Rates = Eigen::Matrix<T, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;
  using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

  struct Link {
    Matrix R = Matrix::Identity();  // group axes -> inertial
    Vector r = Vector::Zero();      // origin, inertial axes
    Spatial v = Spatial::Zero(), c = Spatial::Zero(), a = Spatial::Zero();
    Spatial6 X = Spatial6::Zero(), I_A = Spatial6::Zero();
    Spatial p_A = Spatial::Zero();
    Columns S, U;  // no column if the joint is driven
    Eigen::LDLT<Square> D;
    Rates u;
  };

  // v x m and v x* f
  static Spatial CrossMotion(const Spatial& v, const Spatial& m) {
    const Vector w = v.template head<3>(), t = v.template tail<3>(), n = m.template head<3>();
    return (Spatial() << w.cross(n), w.cross(m.template tail<3>()) + t.cross(n)).finished();
  }
  static Spatial CrossForce(const Spatial& v, const Spatial& f) {
    const Vector w = v.template head<3>(), t = v.template tail<3>(), l = f.template tail<3>();
    return (Spatial() << w.cross(f.template head<3>()) + t.cross(l), w.cross(l)).finished();
  }

  // [X_J, S, v_J, c_J] = jcalc(type, q, q'), then X, v, c, I_A and p_A of the group alone.
  void Pass1(std::size_t i, const T* y) {
    const SweepGroup<T>& group = tree_.groups[i];
    Link& link = links_[i];
    const Link& parent = links_[static_cast<std::size_t>(group.parent)];
    const T *const q = y + group.q, *const rates = y + group.u;
    Columns S(6, RateCount(group.type));
    Spatial v_J = Spatial::Zero(), c_J = Spatial::Zero();
    Matrix E_J;                 // axes of the joint's parent frame -> group axes
    Vector s = Vector::Zero();  // that frame's origin -> the group's, group axes
    Vector slide_rate = Vector::Zero();
    ForMovingJoint(group.type, [&](auto joint) {
      using Joint = decltype(joint);
      E_J = AsEigen(RootOf<Joint>(Identity<T>(), q));
      ForEachColumn<Joint>(Identity<T>(), q, [&](int k, bool turns, const Vec<T>& direction) {
        S.col(k) << (turns ? AsEigen(direction) : Vector::Zero()),
            (turns ? Vector::Zero() : AsEigen(direction));
        v_J += rates[k] * S.col(k);
        if (!turns) s += q[k] * AsEigen(direction), slide_rate += rates[k] * AsEigen(direction);
      });
    });
    // A sliding axis keeps its direction in the parent, so in the group's axes it rotates
    // backwards.
    c_J.template tail<3>() = -v_J.template head<3>().cross(slide_rate);

    const Matrix E = E_J * AsEigen(group.turn).transpose();
    const Vector r = E * AsEigen(group.arm) + s;  // parent's origin -> own, group axes
    link.X << E, Matrix::Zero(), -CrossMatrix(r) * E, E;
    link.R = parent.R * E.transpose();
    link.r = parent.r + link.R * r;
    link.v = link.X * parent.v + v_J;
    link.c = c_J + CrossMotion(link.v, v_J);

    const Matrix mc = CrossMatrix(AsEigen(group.moment));
    link.I_A << AsEigen(group.inertia), mc, -mc, group.mass * Matrix::Identity();
    const Spatial momentum = link.I_A * link.v;
    Spatial applied;
    applied << link.R.transpose() * AsEigen(loads[i].moment),
        link.R.transpose() * AsEigen(loads[i].force);
    link.p_A = CrossForce(link.v, momentum) - applied;

    link.S = S.leftCols(group.driven ? 0 : S.cols());
    if (group.driven) link.c += S.col(0) * joint_forces[i];
  }

  // U = I_A S, D = S'U, u = tau - S'p_A; the parent's I_A += X' I_a X, p_A += X' p_a.
  void Pass2(std::size_t i) {
    const SweepGroup<T>& group = tree_.groups[i];
    Link& link = links_[i];
    Link& parent = links_[static_cast<std::size_t>(group.parent)];
    const Columns& S = link.S;
    link.U = link.I_A * S;
    link.u = -(S.transpose() * link.p_A);
    if (S.cols() == 1) link.u[0] += joint_forces[i];
    Spatial6 I_a = link.I_A;
    Spatial p_a = link.p_A;
    if (S.cols() > 0) {
      link.D.compute(S.transpose() * link.U);
      I_a -= link.U * link.D.solve(link.U.transpose());
      p_a += link.U * link.D.solve(link.u);
    }
    p_a += I_a * link.c;
    parent.I_A += link.X.transpose() * I_a * link.X;
    parent.p_A += link.X.transpose() * p_a;
  }

  // a' = X a_parent + c, q'' = D^-1 (u - U'a'), a = a' + S q''
  void Pass3(std::size_t i, T* ydot) {
    const SweepGroup<T>& group = tree_.groups[i];
    Link& link = links_[i];
    link.a = link.X * links_[static_cast<std::size_t>(group.parent)].a + link.c;
    if (group.driven) {
      ydot[group.u] = joint_forces[i];
      return;
    }
    const Rates udot = link.D.solve(link.u - link.U.transpose() * link.a);
    link.a += link.S * udot;
    for (Eigen::Index k = 0; k < udot.size(); ++k) ydot[group.u + k] = udot[k];
  }

  const GroupTree<T> tree_;
  std::vector<Link> links_;
  const Vector gravity_;
};

}  // namespace mbsbench::articulated_body
