// Partial velocities of the bodies of a tree and their derivatives.
//
// With the joint rates u_k as generalised speeds, a node b (bodies moving as one, mass centre at
// r_b) moves with
//   omega_b = sum_k w_k u_k,     v_b = sum_k v_bk u_k          k on the path of b (1) alpha_b =
//   sum_k w_k u_k' + w_k' u_k,  a_b = sum_k v_bk u_k' + v_bk' u_k   (cf. Lu et al. eq. 5) (2)
// The partial angular velocity w_k is the same for all nodes beyond joint k. The partial velocities
// follow from those of the parent p along the path (Lu et al. eqs 1 to 4, for rigid bodies):
//   v_bk = v_pk + w_k x d,   v_bk' = v_pk' + w_k' x d + w_k x d',   d = r_b - r_p (3)
// and for the joint's own degrees of freedom, with P and C its frames, z the z axis of P and c the
// arm from the origin of C to r_b:
//   revolute   w = z,             v = z x c           w' = omega_p x z
//   ball       w = axes of C,     v = w x c           w' = omega_b x w
//   prismatic  w = 0,             v = z               v' = omega_p x z
//   free       axes of P as translations like prismatic, then axes of C like ball (4)
// All vectors in inertial axes. Rows of v and v' are stored by path position, node after node:
// 6 numbers per node and degree of freedom on its path, so O(n^2) on a chain.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "methods/kane_huston/reduced_tree.h"
#include "problems/model/eigen.h"

namespace mbsbench::kane_huston {

// Motion of a node as far as its coordinates and rates determine it.
template <typename T>
struct NodeMotion {
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;
  Eigen::Quaternion<T> orientation = Eigen::Quaternion<T>::Identity();  // node axes -> inertial
  Matrix rotation = Matrix::Identity();                                 // the same
  Vector position = Vector::Zero(), velocity = Vector::Zero();          // of the mass centre
  Vector omega = Vector::Zero();
  Vector bias_alpha = Vector::Zero();                  // sum_k w_k' u_k
  Vector d = Vector::Zero(), d_rate = Vector::Zero();  // from the parent's mass centre
};

// Of one degree of freedom on its own node.
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
  // Rows of one node, each `path` long.
  struct Rows {
    T *x, *y, *z, *x_rate, *y_rate, *z_rate;
  };

  explicit PartialVelocities(const ReducedTree& tree)
      : tree_(&tree),
        motion_(tree.nodes.size()),
        columns_(At(tree.dofs)),
        rows_(6 * tree.path_entries),
        path_(7 * At(tree.longest_path)) {
    for (const Node& node : tree.nodes) {
      joints_.push_back({ToEigen(node.parent_point).cast<T>(), ToEigen(node.parent_axes).cast<T>(),
                         -ToEigen(node.child_point).cast<T>(),
                         ToEigen(node.child_axes).conjugate().template cast<T>()});
    }
  }

  const ReducedTree& tree() const { return *tree_; }
  const Motion& motion(int node) const { return motion_[At(node)]; }
  const Column<T>& column(int dof) const { return columns_[At(dof)]; }

  // From the root to the tips: poses, velocities and the columns (4). Relative quaternions are
  // taken as they are, unit.
  void SetMotion(const T* q, const T* u) {
    for (std::size_t b = 0; b < motion_.size(); ++b) {
      const Node& node = tree_->nodes[b];
      SetNode(node, joints_[b], node.parent == kGround ? ground_ : motion_[At(node.parent)],
              q + node.q, u + node.u, motion_[b], columns_.data() + node.dof);
    }
  }

  // Rows (3) of a node whose parent's rows stand, on the way around the tree: until it is left,
  // w() holds the partial angular velocities along its path. Returns v' u of (2).
  Vector Enter(int index, const T* u) {
    const Node& node = tree_->nodes[At(index)];
    const Motion& motion = motion_[At(index)];
    const int inherited = node.path - node.dofs;
    const Rows own = rows(index);
    for (int i = 0; i < node.dofs; ++i) {
      const Column<T>& column = columns_[At(node.dof + i)];
      const int place = inherited + i;
      for (int axis = 0; axis < 3; ++axis) {
        path(axis)[place] = column.w[axis];
        path(3 + axis)[place] = column.w_rate[axis];
      }
      path(6)[place] = u[node.u + i];
      own.x[place] = column.v.x();
      own.y[place] = column.v.y();
      own.z[place] = column.v.z();
      own.x_rate[place] = column.v_rate.x();
      own.y_rate[place] = column.v_rate.y();
      own.z_rate[place] = column.v_rate.z();
    }
    if (inherited > 0) Inherit(rows(node.parent), own, motion.d, motion.d_rate, inherited);
    using Row = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>;
    const Row rates(path(6), node.path);
    return {Row(own.x_rate, node.path).dot(rates), Row(own.y_rate, node.path).dot(rates),
            Row(own.z_rate, node.path).dot(rates)};
  }

  Rows rows(int index) {
    const Node& node = tree_->nodes[At(index)];
    T* first = rows_.data() + 6 * node.path_begin;
    const int n = node.path;
    return {first, first + n, first + 2 * n, first + 3 * n, first + 4 * n, first + 5 * n};
  }
  // One axis of the partial angular velocities along the path of the node entered last (and, as
  // far as their paths are common, of those entered before and not yet left).
  const T* w(int axis) const { return path_.data() + At(axis) * At(tree_->longest_path); }

 private:
  struct JointFrames {
    Vector parent_point;
    Eigen::Quaternion<T> parent_axes;
    Vector to_centre;  // from the origin of C to the mass centre, node axes
    Eigen::Quaternion<T> node_to_joint_axes;
  };

  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  T* path(int row) { return path_.data() + At(row) * At(tree_->longest_path); }

  static Eigen::Quaternion<T> QuaternionAt(const T* q) { return {q[0], q[1], q[2], q[3]}; }

  static void SetNode(const Node& node, const JointFrames& joint, const Motion& p, const T* q,
                      const T* u, Motion& b, Column<T>* columns) {
    const Eigen::Quaternion<T> to_p = p.orientation * joint.parent_axes;
    Eigen::Quaternion<T> to_c = to_p;
    Vector s = p.rotation * joint.parent_point;  // from the parent's mass centre to the origin of C
    Vector s_rate = p.omega.cross(s);
    Vector z = Vector::Zero();
    Matrix p_axes = Matrix::Identity();
    b.omega = p.omega;
    int ball = -1;  // where the columns of a relative quaternion begin
    switch (node.type) {
      case JointType::kRevolute: {
        using std::cos, std::sin;
        z = to_p * Vector::UnitZ();
        to_c = to_p * Eigen::Quaternion<T>(cos(q[0] / 2), 0, 0, sin(q[0] / 2));
        b.omega += u[0] * z;
        break;
      }
      case JointType::kPrismatic: {
        z = to_p * Vector::UnitZ();
        s += q[0] * z;
        s_rate = p.omega.cross(s) + u[0] * z;
        break;
      }
      case JointType::kBall: {
        ball = 0;
        to_c = to_p * QuaternionAt(q);
        break;
      }
      case JointType::kFree: {
        ball = 3;
        p_axes = to_p.toRotationMatrix();
        s += p_axes * Vector(q[0], q[1], q[2]);
        s_rate = p.omega.cross(s) + p_axes * Vector(u[0], u[1], u[2]);
        to_c = to_p * QuaternionAt(q + 3);
        break;
      }
      case JointType::kFixed:     // merged when the tree was prepared
      case JointType::kDistance:  // closes loops only
        break;
    }
    b.orientation = to_c * joint.node_to_joint_axes;
    b.rotation = b.orientation.toRotationMatrix();
    const Vector c = b.rotation * joint.to_centre;
    Matrix c_axes = Matrix::Identity();
    if (ball >= 0) {
      c_axes = to_c.toRotationMatrix();
      b.omega += c_axes * Vector(u[ball], u[ball + 1], u[ball + 2]);
    }
    const Vector c_rate = b.omega.cross(c);
    b.d = s + c;
    b.d_rate = s_rate + c_rate;
    b.position = p.position + b.d;
    b.velocity = p.velocity + b.d_rate;
    b.bias_alpha = p.bias_alpha;

    // (4)
    const auto rotation = [&](Column<T>& column, const Vector& axis, const Vector& carrier) {
      column.w = axis;
      column.w_rate = carrier.cross(axis);
      column.v = axis.cross(c);
      column.v_rate = column.w_rate.cross(c) + axis.cross(c_rate);
    };
    const auto translation = [&](Column<T>& column, const Vector& axis) {
      column.w.setZero();
      column.w_rate.setZero();
      column.v = axis;
      column.v_rate = p.omega.cross(axis);
    };
    if (node.type == JointType::kRevolute) {
      rotation(columns[0], z, p.omega);
    } else if (node.type == JointType::kPrismatic) {
      translation(columns[0], z);
    } else {
      for (int i = 0; i < ball; ++i) translation(columns[i], p_axes.col(i));
      for (int i = 0; i < 3; ++i) rotation(columns[ball + i], c_axes.col(i), b.omega);
    }
    for (int i = 0; i < node.dofs; ++i) b.bias_alpha += u[i] * columns[i].w_rate;
  }

  // (3) over the positions that node and parent have in common.
  void Inherit(const Rows& p, const Rows& b, const Vector& d, const Vector& d_rate, int n) const {
    const T* __restrict wx = w(0), * __restrict wy = w(1), * __restrict wz = w(2);
    const T* __restrict wx1 = w(3), * __restrict wy1 = w(4), * __restrict wz1 = w(5);
    const T* __restrict px = p.x, * __restrict py = p.y, * __restrict pz = p.z;
    const T* __restrict px1 = p.x_rate, * __restrict py1 = p.y_rate, * __restrict pz1 = p.z_rate;
    T* __restrict x = b.x, * __restrict y = b.y, * __restrict z = b.z;
    T* __restrict x1 = b.x_rate, * __restrict y1 = b.y_rate, * __restrict z1 = b.z_rate;
    const T dx = d.x(), dy = d.y(), dz = d.z();
    const T ex = d_rate.x(), ey = d_rate.y(), ez = d_rate.z();
    for (int k = 0; k < n; ++k) {
      x[k] = px[k] + wy[k] * dz - wz[k] * dy;
      y[k] = py[k] + wz[k] * dx - wx[k] * dz;
      z[k] = pz[k] + wx[k] * dy - wy[k] * dx;
    }
    for (int k = 0; k < n; ++k) {
      x1[k] = px1[k] + wy1[k] * dz - wz1[k] * dy + wy[k] * ez - wz[k] * ey;
      y1[k] = py1[k] + wz1[k] * dx - wx1[k] * dz + wz[k] * ex - wx[k] * ez;
      z1[k] = pz1[k] + wx1[k] * dy - wy1[k] * dx + wx[k] * ey - wy[k] * ex;
    }
  }

  const ReducedTree* tree_;
  Motion ground_;
  std::vector<JointFrames> joints_;
  std::vector<Motion> motion_;
  std::vector<Column<T>> columns_;
  std::vector<T> rows_;
  std::vector<T> path_;  // w, w' and u along the path at hand: 7 rows of `longest_path`
};

}  // namespace mbsbench::kane_huston
