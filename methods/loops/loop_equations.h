// The loops of a method that solves trees, as equations on any scalar. The joints that close loops are cut, and the multipliers
// lambda of their constraints close them again. loop_closure.h is the fast version; elimination_equations.h solves (3) where loops
// meet.
//
//   g'' = G V' + gamma             the constraints of the cut joints; V' = (v', omega') of all bodies    (1)
//   V'  = V'_0 + sum V'_k lambda_k   V'_k: what the forces (G')_k on both bodies of row k add            (2)
//   (G V'_k) lambda = -(G V'_0 + gamma)                                                                 (3)
//
// A driven joint has its given acceleration in V'_0 and none in V'_k.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/kinematics/constraint_rows.h"
#include "methods/numerics/blocks_in_eigen.h"
#include "methods/tree_motion/group_tree.h"
#include "methods/tree_motion/load.h"

namespace mbsbench {

// Tree: printed equations of a tree on the scalar T, such as featherstone_equations.h.
template <template <class> class Tree, class T>
class LoopEquations {
 public:
  using Column = Eigen::Matrix<T, Eigen::Dynamic, 1>;

  explicit LoopEquations(const System& system) : LoopEquations(system, MakeGroupTree<T>(system)) {}

  Tree<T> tree;  // has the other loads and the forces in joints
  Column lambda;

  // y = [q; u]; ydot gets u'.
  void Evaluate(const T* y, T* ydot) {
    const Column b = EvaluateCut(y, ydot);
    const auto n = static_cast<Eigen::Index>(rows_.size());
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> A(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      EvaluateUnder(Column::Unit(n, k), y, ydot);
      A.col(k) = SecondDerivatives() - b;  // G V'_k
    }
    lambda = A.fullPivLu().solve(-b);  // (3)
    EvaluateUnder(lambda, y, ydot);    // (2)
  }

  // g'' after Evaluate.
  Column SecondDerivatives() const {
    Column g(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      g[static_cast<Eigen::Index>(i)] = row.by_parent.dot(MotionOf(row.parent).acceleration) +
                                        row.by_child.dot(MotionOf(row.child).acceleration) +
                                        row.rest;  // (1)
    }
    return g;
  }

 protected:
  using Rows = absolute::ConstraintRows<T>;
  using Row = typename Rows::Row;
  using Vector = typename Rows::Vector;

  struct BodyMotion {
    typename Rows::Motion motion;
    Eigen::Matrix<T, 6, 1> acceleration = Eigen::Matrix<T, 6, 1>::Zero();  // v', omega'
    int group = 0;
    Vector arm = Vector::Zero();  // group's origin -> mass centre, inertial axes
  };

  LoopEquations(const System& system, const GroupTree<T>& groups)
      : tree(groups, system.gravity),
        placements_(groups.placements),
        cut_(CutJointsOf(system)),
        rows_of_(cut_) {}

  // A system whose joints are the cut ones.
  static System CutJointsOf(const System& system) {
    System cut;
    cut.joints = system.loop_joints;
    return cut;
  }

  BodyMotion MotionOf(int body) const {
    BodyMotion b;
    if (body == kGround) return b;
    const BodyInGroup<T>& in_group = placements_[static_cast<std::size_t>(body)];
    const auto group = tree.MotionOf(in_group.group);
    b.group = in_group.group;
    b.arm = group.R * AsEigen(in_group.centre);
    b.motion.R = group.R * AsEigen(in_group.turn);
    b.motion.r = group.r + b.arm;
    const Vector turned = group.omega.cross(b.arm);
    b.motion.v = group.v + turned;
    b.motion.omega = b.motion.R.transpose() * group.omega;
    b.acceleration.template head<3>() =
        group.a + group.alpha.cross(b.arm) + group.omega.cross(turned);
    b.acceleration.template tail<3>() = b.motion.R.transpose() * group.alpha;
    return b;
  }

  // The tree with open cuts: G V'_0 + gamma.
  Column EvaluateCut(const T* y, T* ydot) {
    tree.Evaluate(y, ydot);
    rows_of_.Calc(
        Rows::Rest::kAcceleration, [this](int body) { return MotionOf(body).motion; }, rows_);
    return SecondDerivatives();
  }
  // u' of the tree under its own loads and the forces G' multipliers.
  void EvaluateUnder(const Column& multipliers, const T* y, T* ydot) {
    const std::vector<Load<T>> own = tree.loads;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Apply(rows_[i].parent, multipliers[static_cast<Eigen::Index>(i)] * rows_[i].by_parent);
      Apply(rows_[i].child, multipliers[static_cast<Eigen::Index>(i)] * rows_[i].by_child);
    }
    tree.Evaluate(y, ydot);
    tree.loads = own;
  }
  void Apply(int body, const typename Rows::OfBody& wrench) {
    if (body == kGround) return;
    const auto [group, force, moment] = OnGroup(body, wrench);
    Load<T>& load = tree.loads[static_cast<std::size_t>(group)];
    load = {load.force + FromEigenVector(force), load.moment + FromEigenVector(moment)};
  }
  struct Wrench {  // about the group's origin, inertial axes
    int group;
    Vector force, moment;
  };
  Wrench OnGroup(int body, const typename Rows::OfBody& wrench) const {
    const BodyMotion b = MotionOf(body);
    const Vector force = wrench.template head<3>().transpose(),
                 moment = b.motion.R * wrench.template tail<3>().transpose() + b.arm.cross(force);
    return {b.group, force, moment};
  }

  std::vector<Row> rows_;

 private:
  const std::vector<BodyInGroup<T>> placements_;
  const System cut_;
  const Rows rows_of_;
};

}  // namespace mbsbench
