// Kane's equations of a tree, u'Mu u' = F - u'M u_dot u (Lu et al. 2014, eqs 6 to 13), for rigid
// bodies: a node adds v_bj . m a_b + w_j . (J alpha + omega x J omega) to the generalised inertia
// force of j.
//
// The sums over nodes are formed from the tips to the root. Beyond joint j all partial velocities
// belong to one rigid motion: v_cj = v_bj + w_j x (r_c - r_b) for a node c beyond the node b of j.
// With sums over the subtree of b therefore
//
//   A_jk = sum m_c v_cj . v_ck + w_j . J_c w_k = v_bj . f_k + w_j . m_k + (S w_j) . w_k    (1)
//   f_k = sum m_c v_ck        m_k = sum (r_c - r_b) x m_c v_ck        S = sum J_c          (2)
//
// at a cost of O(path) per node: O(n^2) for u'Mu on a chain instead of O(n^3). The right-hand side
// is one more such column. Only the Cholesky factorisation remains O(n^3).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "methods/kane_huston/partial_velocities.h"
#include "methods/numerics/path_cholesky.h"
#include "methods/tree_motion/load.h"
#include "problems/model/eigen.h"

namespace mbsbench::kane_huston {

template <typename T>
class KaneEquations {
 public:
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;

  KaneEquations(const ReducedTree<T>& tree, const Vector3& gravity)
      : partial_velocities(tree),
        loads(tree.nodes.size()),
        joint_forces(At(tree.dofs)),
        accelerations(At(tree.dofs)),
        inertia(tree.parent_dof, tree.triples),
        tree_(&tree),
        gravity_(ToEigen(gravity).cast<T>()),
        bias_(tree.nodes.size()),
        force_(tree.nodes.size()),
        moment_(tree.nodes.size()),
        rotary_(tree.nodes.size()),
        point_sums_(tree.nodes.size()),
        scale_(At(tree.dofs)),
        sums_(6 * At(tree.slots) * At(tree.longest_path)) {}

  // The right-hand side is read from `loads` (per group, about its origin, besides gravity) and
  // `joint_forces` (per degree of freedom); partial_velocities.SetMotion has been called at y. Leaves A in `inertia` and F - u'M u_dot u in
  // `accelerations`.
  void Assemble(const T* y) {
    for (const TourStep& step : tree_->tour) {
      if (step.enter) {
        Enter(step.node, y);
      } else {
        Leave(step.node);
      }
    }
  }

  // Sets the driven rates: their u' is driven_accelerations() from now on.
  void Hold(const std::vector<int>& dofs) {
    for (int dof : dofs) {
      Held held{dof, {}};
      for (int beyond = dof + 1; beyond < tree_->dofs; ++beyond) {
        int on_path = beyond;
        while (on_path > dof) on_path = tree_->parent_dof[At(on_path)];
        if (on_path == dof) held.beyond.push_back(beyond);
      }
      held_.push_back(std::move(held));
    }
    driven_accelerations_.resize(held_.size());
  }
  std::span<T> driven_accelerations() { return driven_accelerations_; }

  // Turns `accelerations` into u'. Returns -1 or the degree of freedom without inertia.
  int Solve() {
    ReplaceDrivenRows();
    const int failed = inertia.Factorise(scale_.data());
    if (failed < 0) inertia.Solve(accelerations.data());
    return failed;
  }

  PartialVelocities<T> partial_velocities;
  std::vector<Load<T>> loads;
  std::vector<T> joint_forces;
  std::vector<T> accelerations;
  PathCholesky<T> inertia;

 private:
  // Moments of the masses of a subtree about its node's mass centre: sums of m, m (r_c - r_b) and
  // m |r_c - r_b|^2.
  struct PointSums {
    T mass{}, second{};
    Vector first = Vector::Zero();
  };

  struct Held {
    int dof;
    std::vector<int> beyond;  // degrees of freedom on whose paths it lies
  };

  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  // The equation of a driven rate would give the driver's force, which is not needed here: it is
  // replaced by the known u', which is moved to the right-hand sides of the other equations.
  void ReplaceDrivenRows() {
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const Held& held = held_[k];
      const T& known = driven_accelerations_[k];
      const int own = inertia.position(held.dof);
      T* row = inertia.Row(held.dof);
      int before = tree_->parent_dof[At(held.dof)];
      for (int i = own; i-- > 0; before = tree_->parent_dof[At(before)]) {
        accelerations[At(before)] -= row[i] * known;
        row[i] = T(0);
      }
      row[own] = T(1);
      for (int dof : held.beyond) {
        T& entry = inertia.Row(dof)[own];
        accelerations[At(dof)] -= entry * known;
        entry = T(0);
      }
      scale_[At(held.dof)] = T(1);
    }
    for (std::size_t k = 0; k < held_.size(); ++k)
      accelerations[At(held_[k].dof)] = driven_accelerations_[k];
  }

  // f_k and m_k of (2) along the path.
  PathVectors<T> f(const Node& node) { return Sums(2 * node.slot, node.path); }
  PathVectors<T> m(const Node& node) { return Sums(2 * node.slot + 1, node.path); }
  PathVectors<T> Sums(int row, int length) {
    const int stride = tree_->longest_path;
    return {sums_.data() + 3 * At(row) * At(stride), length, 3, Eigen::OuterStride<>(stride)};
  }

  void Enter(int b, const T* y) {
    const NodeMotion<T>& motion = partial_velocities.motion(b);
    const T& mass = tree_->groups[At(b)].mass;
    const Vector load = AsEigen(loads[At(b)].force);
    bias_[At(b)] = partial_velocities.Enter(b, y);
    const Matrix j =
        AsEigen(Turned(partial_velocities.groups().motion(b).R, tree_->inertias[At(b)]));
    force_[At(b)] = load + mass * (gravity_ - bias_[At(b)]);
    moment_[At(b)] = AsEigen(loads[At(b)].moment) - motion.c.cross(load) - j * motion.bias_alpha -
                     motion.omega.cross(j * motion.omega);
    rotary_[At(b)] = j;
    point_sums_[At(b)] = {mass, T(0), Vector::Zero()};
  }

  void Leave(int b) {
    const Node& node = tree_->nodes[At(b)];
    AddOwnShare(node, tree_->groups[At(b)].mass, partial_velocities.v(b));
    // (1): the rows of the joint's own degrees of freedom
    if (node.dofs == 1) {
      SetRows<1>(node, node.dof, rotary_[At(b)]);
    } else {
      for (int i = 0; i < node.dofs; i += 3) SetRows<3>(node, node.dof + i, rotary_[At(b)]);
    }
    const Vector& arm = partial_velocities.motion(b).c;
    const T second_moment = point_sums_[At(b)].second + T(2) * arm.dot(point_sums_[At(b)].first) +
                            point_sums_[At(b)].mass * arm.squaredNorm();
    const T inertia_trace = T(2) * second_moment + rotary_[At(b)].trace();
    for (int i = 0; i < node.dofs; ++i) {
      const Column<T>& column = partial_velocities.column(node.dof + i);
      accelerations[At(node.dof + i)] = column.v.dot(force_[At(b)]) + column.w.dot(moment_[At(b)]) +
                                        joint_forces[At(node.dof + i)];
      const bool slides = column.w[0] == T(0) && column.w[1] == T(0) && column.w[2] == T(0);
      scale_[At(node.dof + i)] = slides ? point_sums_[At(b)].mass : inertia_trace;
    }
    if (tree_->Parent(b) != 0) AddToParent(node, b);
  }

  // The node's own terms of f_k in (2).
  void AddOwnShare(const Node& node, const T& mass, PathVectors<T> v) {
    PathVectors<T> force = f(node), moment = m(node);
    const T *x = Axis(v, 0), *y = Axis(v, 1), *z = Axis(v, 2);
    T *fx = Axis(force, 0), *fy = Axis(force, 1), *fz = Axis(force, 2);
    T *mx = Axis(moment, 0), *my = Axis(moment, 1), *mz = Axis(moment, 2);
    if (node.child_count == 0) {
      MBS_NO_ALIAS_LOOP
      for (int k = 0; k < node.path; ++k) {
        fx[k] = mass * x[k], fy[k] = mass * y[k], fz[k] = mass * z[k];
        mx[k] = my[k] = mz[k] = T(0);
      }
    } else {
      MBS_NO_ALIAS_LOOP
      for (int k = 0; k < node.path; ++k)
        fx[k] += mass * x[k], fy[k] += mass * y[k], fz[k] += mass * z[k];
    }
  }

  // (1) for kRows degrees of freedom of a node, `first` being the first of them.
  template <int kRows>
  void SetRows(const Node& node, int first, const Matrix& rotary) {
    PathVectors<T> force = f(node), moment = m(node), angular = partial_velocities.w(node.path);
    const T *fx = Axis(force, 0), *fy = Axis(force, 1), *fz = Axis(force, 2);
    const T *mx = Axis(moment, 0), *my = Axis(moment, 1), *mz = Axis(moment, 2);
    const T *wx = Axis(angular, 0), *wy = Axis(angular, 1), *wz = Axis(angular, 2);
    Vector v[kRows], w[kRows], h[kRows];
    T* row[kRows];
    for (int i = 0; i < kRows; ++i) {
      const Column<T>& column = partial_velocities.column(first + i);
      v[i] = column.v;
      w[i] = column.w;
      h[i] = rotary * column.w;
      row[i] = inertia.Row(first + i);
    }
    const auto entry = [&](int i, int k) {
      return v[i][0] * fx[k] + v[i][1] * fy[k] + v[i][2] * fz[k] + w[i][0] * mx[k] +
             w[i][1] * my[k] + w[i][2] * mz[k] + h[i][0] * wx[k] + h[i][1] * wy[k] +
             h[i][2] * wz[k];
    };
    const int common = inertia.position(first) + 1;  // entries of the first row
    MBS_NO_ALIAS_LOOP
    for (int k = 0; k < common; ++k) {
      for (int i = 0; i < kRows; ++i) row[i][k] = entry(i, k);
    }
    for (int i = 1; i < kRows; ++i) {
      for (int k = common; k < common + i; ++k) row[i][k] = entry(i, k);
    }
  }

  // Moves the sums of a subtree to the parent's mass centre and adds them to the parent's.
  void AddToParent(const Node& node, int b) {
    const auto p = At(tree_->Parent(b));
    const Vector& d = partial_velocities.motion(b).d;
    const T dx = d.x(), dy = d.y(), dz = d.z();
    const int n = tree_->nodes[p].path;
    PathVectors<T> force = f(node), moment = m(node);
    const T *fx = Axis(force, 0), *fy = Axis(force, 1), *fz = Axis(force, 2);
    T *mx = Axis(moment, 0), *my = Axis(moment, 1), *mz = Axis(moment, 2);
    MBS_NO_ALIAS_LOOP
    for (int k = 0; k < n; ++k) {
      mx[k] += dy * fz[k] - dz * fy[k];
      my[k] += dz * fx[k] - dx * fz[k];
      mz[k] += dx * fy[k] - dy * fx[k];
    }
    if (!node.first_child) {  // the parent takes over the work row of its first child
      const Node& parent = tree_->nodes[p];
      f(parent) += force.topRows(n);
      m(parent) += moment.topRows(n);
    }
    moment_[p] += moment_[At(b)] + d.cross(force_[At(b)]);
    force_[p] += force_[At(b)];
    rotary_[p] += rotary_[At(b)];
    const PointSums& own = point_sums_[At(b)];
    PointSums& sums = point_sums_[p];
    sums.second += own.second + T(2) * d.dot(own.first) + own.mass * d.squaredNorm();
    sums.first += own.first + own.mass * d;
    sums.mass += own.mass;
  }

  const ReducedTree<T>* tree_;
  Vector gravity_;
  std::vector<Vector> bias_;
  std::vector<Vector> force_,
      moment_;                  // net, then summed over the subtree, about its node's centre
  std::vector<Matrix> rotary_;  // S of (2), inertial axes
  std::vector<PointSums> point_sums_;
  // Per degree of freedom: the largest inertia that its subtree could have about it, for any axis.
  // Rounding errors of A and its pivots are relative to this.
  std::vector<T> scale_;
  std::vector<Held> held_;
  std::vector<T> driven_accelerations_;  // per held rate
  std::vector<T> sums_;  // f_k and m_k of (2): 6 rows of `longest_path` per work row
};

}  // namespace mbsbench::kane_huston
