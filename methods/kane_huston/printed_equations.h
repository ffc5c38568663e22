// Kane's equations as printed, u'Mu u' = F - u'M u_dot u (Lu et al. 2014, eqs 5 to 13; their u are the partial
// velocities), on any scalar and sum by sum. kane_equations.h forms the sums from the tips to the root. These equations
// serve to measure round-off.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/kane_huston/kane_equations.h"

namespace mbsbench::kane_huston {

template <typename T>
class PrintedEquations {
 public:
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;

  // `tree` must outlive this object.
  PrintedEquations(const ReducedTree<T>& tree, const Vector3& gravity)
      : loads(tree.nodes.size()),
        joint_forces(static_cast<std::size_t>(tree.dofs)),
        tree_(tree),
        own_(tree),
        gravity_(ToEigen(gravity).cast<T>()) {}

  std::vector<Load<T>> loads;   // per group, about its origin
  std::vector<T> joint_forces;  // per degree of freedom

  // u' per degree of freedom.
  Eigen::Matrix<T, Eigen::Dynamic, 1> Accelerations(const T* y) {
    SetPartialVelocities(y);
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> A(tree_.dofs, tree_.dofs);  // u'Mu
    Eigen::Matrix<T, Eigen::Dynamic, 1> right(tree_.dofs);
    A.setZero();
    for (int j = 0; j < tree_.dofs; ++j) right[j] = joint_forces[static_cast<std::size_t>(j)];
    for (std::size_t b = 1; b < tree_.nodes.size(); ++b) {
      const NodeMotion<T>& motion = own_.motion(static_cast<int>(b));
      const T& m = tree_.groups[b].mass;
      const Matrix J =
          AsEigen(Turned(own_.groups().motion(static_cast<int>(b)).R, tree_.inertias[b]));
      Vector a = Vector::Zero(), alpha = Vector::Zero();  // but for u': eq. 5
      for (const auto& [k, rate, column] : partial_[b])
        a += column.v_rate * y[rate], alpha += column.w_rate * y[rate];
      const Vector load = AsEigen(loads[b].force);
      const Vector force = load + m * gravity_ - m * a;
      const Vector moment = AsEigen(loads[b].moment) - motion.c.cross(load) - J * alpha -
                            motion.omega.cross(J * motion.omega);
      for (const auto& [j, rate_j, of_j] : partial_[b]) {
        right[j] += of_j.v.dot(force) + of_j.w.dot(moment);  // F - u'M u_dot u
        for (const auto& [k, rate_k, of_k] : partial_[b])
          A(j, k) += m * of_j.v.dot(of_k.v) + of_j.w.dot(J * of_k.w);
      }
    }
    return A.ldlt().solve(right);
  }

 private:
  struct Partial {
    int dof, rate;  // rate: its place in y
    Column<T> of;   // w, v of the node and their derivatives
  };

  // (3) and (4) of partial_velocities.h: those of the parent, moved by d to the node, and those of its own joint.
  void SetPartialVelocities(const T* y) {
    std::vector<T> ydot(static_cast<std::size_t>(tree_.groups.back().u) + 6);
    own_.SetMotion(y, ydot.data());
    partial_.assign(tree_.nodes.size(), {});
    for (std::size_t b = 1; b < tree_.nodes.size(); ++b) {
      const Node& node = tree_.nodes[b];
      const NodeMotion<T>& motion = own_.motion(static_cast<int>(b));
      partial_[b] = partial_[static_cast<std::size_t>(tree_.groups[b].parent)];
      for (Partial& p : partial_[b]) {
        p.of.v += p.of.w.cross(motion.d);
        p.of.v_rate += p.of.w_rate.cross(motion.d) + p.of.w.cross(motion.d_rate);
      }
      for (int i = 0; i < node.dofs; ++i)
        partial_[b].push_back({node.dof + i, tree_.groups[b].u + i, own_.column(node.dof + i)});
    }
  }

  const ReducedTree<T>& tree_;
  PartialVelocities<T> own_;                   // motion of nodes, columns of their own joints
  std::vector<std::vector<Partial>> partial_;  // per node, along its path
  const Vector gravity_;
};

}  // namespace mbsbench::kane_huston
