// Partial velocities of the bodies of a tree and their derivatives.
//
// With the joint rates u_k as generalised speeds, a node b (a rigid group, mass centre at r_b) moves with sums over the degrees of freedom k on its path:
//
//   omega_b = sum w_k u_k                    v_b = sum v_bk u_k                        (1)
//   alpha_b = sum w_k u_k' + w_k' u_k        a_b = sum v_bk u_k' + v_bk' u_k           (2)
//
// (Lu et al. 2014, eq. 5). The partial angular velocity w_k is the same for all nodes beyond joint
// k. The partial velocities follow from those of the parent p along the path, as the paper's do in
// its eqs 1 to 4 for lumped rods:
//
//   v_bk = v_pk + w_k x d        v_bk' = v_pk' + w_k' x d + w_k x d'        d = r_b - r_p    (3)
//
// and for the joint's own degrees of freedom, with P and C its frames, z the z axis of P and c the
// arm from the origin of C to r_b:                                                           (4)
//
//   revolute   w = z            v = z x c         w' = omega_p x z
//   ball       w = axes of C    v = w x c         w' = omega_b x w
//   prismatic  w = 0            v = z             v' = omega_p x z
//   free       along the axes of P like prismatic, then about the axes of C like ball
//
// All vectors in inertial axes. v and v' are stored by path position, node after node: 6 numbers
// per node and degree of freedom on its path, so O(n^2) on a chain.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/kane_huston/reduced_tree.h"
#include "methods/numerics/blocks_in_eigen.h"
#include "methods/numerics/no_alias_loop.h"
#include "methods/tree_motion/tree_motion.h"

namespace mbsbench::kane_huston {

// The part of a node's motion that its coordinates and rates determine.
template <typename T>
struct NodeMotion {
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;
  Vector omega = Vector::Zero();
  Vector bias_alpha = Vector::Zero();                  // sum_k w_k' u_k
  Vector d = Vector::Zero(), d_rate = Vector::Zero();  // from the parent's mass centre
  Vector c = Vector::Zero();                           // from the group's origin, at its joint
};

// Vectors along a path: one row per degree of freedom, contiguous by axis.
template <typename T>
using PathVectors =
    Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 3>, Eigen::Unaligned, Eigen::OuterStride<>>;

template <typename T>
T* Axis(PathVectors<T>& vectors, int axis) {
  return vectors.data() + axis * vectors.outerStride();
}

// Column of one degree of freedom on its own node.
template <typename T>
struct Column {
  Eigen::Matrix<T, 3, 1> w, w_rate, v, v_rate;
};

template <typename T>
class PartialVelocities {
 public:
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;
  using Motion = NodeMotion<T>;

  // `tree` must outlive this object.
  explicit PartialVelocities(const ReducedTree<T>& tree)
      : tree_(&tree),
        groups_(tree),
        motion_(tree.nodes.size()),
        columns_(At(tree.dofs)),
        rows_(6 * tree.path_entries),
        path_(7 * At(tree.longest_path)) {}

  const TreeMotion<T>& groups() const { return groups_; }
  const Motion& motion(int node) const { return motion_[At(node)]; }
  const Column<T>& column(int dof) const { return columns_[At(dof)]; }

  // From the root to the tips: rotations, velocities and the columns (4); q' into ydot.
  void SetMotion(const T* y, T* ydot) {
    groups_.PassMotion(y, ydot);
    for (std::size_t b = 1; b < motion_.size(); ++b) SetNode(b, y);
  }

  // Rows (3) of a node after those of its parent, in a depth-first tour of the tree: until the node
  // is left, w(path) contains the partial angular velocities along its path. Returns v' u of (2).
  Vector Enter(int index, const T* y) {
    const Node& node = tree_->nodes[At(index)];
    const SweepGroup<T>& group = tree_->groups[At(index)];
    const Motion& motion = motion_[At(index)];
    const int inherited = node.path - node.dofs;
    const auto own = v(index), own_rate = v_rate(index);
    const auto along = w(node.path), along_rate = w_rate(node.path);
    T* rates = path_.data() + 6 * At(tree_->longest_path);
    for (int i = 0; i < node.dofs; ++i) {
      const Column<T>& column = columns_[At(node.dof + i)];
      const int place = inherited + i;
      SetRow(own, place, column.v);
      SetRow(own_rate, place, column.v_rate);
      SetRow(along, place, column.w);
      SetRow(along_rate, place, column.w_rate);
      rates[place] = y[group.u + i];
    }
    if (inherited > 0)
      Inherit(inherited, motion.d, motion.d_rate, along, along_rate, v(group.parent),
              v_rate(group.parent), own, own_rate);
    const Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>> speeds(rates, node.path);
    return {own_rate.col(0).dot(speeds), own_rate.col(1).dot(speeds), own_rate.col(2).dot(speeds)};
  }

  // v and v' of a node by path position.
  PathVectors<T> v(int index) {
    const Node& node = tree_->nodes[At(index)];
    return Vectors(rows_.data() + 6 * node.path_begin, node.path, node.path);
  }
  PathVectors<T> v_rate(int index) {
    const Node& node = tree_->nodes[At(index)];
    return Vectors(rows_.data() + 6 * node.path_begin + 3 * At(node.path), node.path, node.path);
  }
  // w and w' for the first `length` entries of the path of the node entered last (and, on the
  // common part of their paths, of those entered before and not yet left).
  PathVectors<T> w(int length) { return Vectors(path_.data(), length, tree_->longest_path); }
  PathVectors<T> w_rate(int length) {
    return Vectors(path_.data() + 3 * At(tree_->longest_path), length, tree_->longest_path);
  }

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  static PathVectors<T> Vectors(T* first, int length, int stride) {
    return {first, length, 3, Eigen::OuterStride<>(stride)};
  }
  static void SetRow(PathVectors<T> vectors, int place, const Vector& value) {
    for (int axis = 0; axis < 3; ++axis) vectors(place, axis) = value[axis];
  }

  // (3) for the first n entries, which the paths of node and parent have in common.
  static void Inherit(int n, const Vector& d, const Vector& d_rate, PathVectors<T> w,
                      PathVectors<T> w_rate, PathVectors<T> parent, PathVectors<T> parent_rate,
                      PathVectors<T> own, PathVectors<T> own_rate) {
    const T dx = d.x(), dy = d.y(), dz = d.z();
    const T ex = d_rate.x(), ey = d_rate.y(), ez = d_rate.z();
    const T *wx = Axis(w, 0), *wy = Axis(w, 1), *wz = Axis(w, 2);
    const T *wx1 = Axis(w_rate, 0), *wy1 = Axis(w_rate, 1), *wz1 = Axis(w_rate, 2);
    const T *px = Axis(parent, 0), *py = Axis(parent, 1), *pz = Axis(parent, 2);
    const T *px1 = Axis(parent_rate, 0), *py1 = Axis(parent_rate, 1), *pz1 = Axis(parent_rate, 2);
    T *x = Axis(own, 0), *y = Axis(own, 1), *z = Axis(own, 2);
    T *x1 = Axis(own_rate, 0), *y1 = Axis(own_rate, 1), *z1 = Axis(own_rate, 2);
    MBS_NO_ALIAS_LOOP
    for (int k = 0; k < n; ++k) {
      x[k] = px[k] + wy[k] * dz - wz[k] * dy;
      y[k] = py[k] + wz[k] * dx - wx[k] * dz;
      z[k] = pz[k] + wx[k] * dy - wy[k] * dx;
      x1[k] = px1[k] + wy1[k] * dz - wz1[k] * dy + wy[k] * ez - wz[k] * ey;
      y1[k] = py1[k] + wz1[k] * dx - wx1[k] * dz + wz[k] * ex - wx[k] * ez;
      z1[k] = pz1[k] + wx1[k] * dy - wy1[k] * dx + wx[k] * ey - wy[k] * ex;
    }
  }

  void SetNode(std::size_t b, const T* y) {
    const SweepGroup<T>& group = tree_->groups[b];
    const GroupMotion<T>& of_group = groups_.motion(static_cast<int>(b));
    const Motion& p = motion_[At(group.parent)];
    Motion& m = motion_[b];
    m.omega = AsEigen(of_group.omega);
    m.c = AsEigen(of_group.R * tree_->centres[b]);
    const Vector c_rate = m.omega.cross(m.c);
    const Vector s = AsEigen(of_group.r) - p.c;  // parent's mass centre -> origin of C
    m.d = s + m.c;
    m.d_rate = p.omega.cross(s) + c_rate;
    m.bias_alpha = p.bias_alpha;
    ForMovingJoint(group.type, [&](auto joint) {
      using Joint = decltype(joint);
      const Vector& carrier = Joint::kTurnsFreely ? m.omega : p.omega;
      ForEachColumn<Joint>(of_group.R, y + group.q,
                           [&](int i, bool turns, const Vec<T>& direction) {
                             Column<T>& column = columns_[At(tree_->nodes[b].dof + i)];  // (4)
                             const Vector axis = AsEigen(direction);
                             const T& rate = y[group.u + i];
                             if (turns) {
                               column.w = axis;
                               column.w_rate = carrier.cross(axis);
                               column.v = axis.cross(m.c);
                               column.v_rate = column.w_rate.cross(m.c) + axis.cross(c_rate);
                               m.bias_alpha += rate * column.w_rate;
                             } else {
                               column.w.setZero();
                               column.w_rate.setZero();
                               column.v = axis;
                               column.v_rate = p.omega.cross(axis);
                               m.d_rate += rate * axis;
                             }
                           });
    });
  }

  const ReducedTree<T>* tree_;
  TreeMotion<T> groups_;
  std::vector<Motion> motion_;  // per group
  std::vector<Column<T>> columns_;
  std::vector<T> rows_;
  std::vector<T> path_;  // w, w' and u along the current path: 7 rows of `longest_path`
};

}  // namespace mbsbench::kane_huston
