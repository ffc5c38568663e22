// Kane's equations of a tree, u'Mu u' = F - u'M u_dot u (Lu et al. 2014, eqs 6 to 13), for rigid
// bodies: the generalised inertia force of a node sums v_bj . m a_b + w_j . (J alpha + omega x J
// omega).
//
// The sums over nodes are formed from the tips to the root. Beyond joint j all partial velocities
// belong to one rigid motion, v_cj = v_bj + w_j x (r_c - r_b) for c beyond the joint's own node b,
// so
//   A_jk = sum_c m_c v_cj . v_ck + w_j . J_c w_k = v_bj . f_k + w_j . m_k + (S w_j) . w_k (1) f_k =
//   sum_c m_c v_ck,   m_k = sum_c (r_c - r_b) x m_c v_ck,   S = sum_c J_c                     (2)
// with sums over the subtree of b, which cost O(path) per node: O(n^2) for u'Mu on a chain instead
// of O(n^3). The right-hand side is one more such column. What remains of O(n^3) is the Cholesky
// factorisation.
#pragma once

#include <algorithm>
#include <vector>

#include "methods/kane_huston/partial_velocities.h"
#include "methods/kane_huston/path_cholesky.h"

namespace mbsbench::kane_huston {

// What acts on a node besides gravity: force at its mass centre and moment about it.
template <typename T>
struct NodeLoad {
  Eigen::Matrix<T, 3, 1> force = Eigen::Matrix<T, 3, 1>::Zero();
  Eigen::Matrix<T, 3, 1> moment = Eigen::Matrix<T, 3, 1>::Zero();
};

template <typename T>
class KaneEquations {
 public:
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;

  KaneEquations(const ReducedTree& tree, const Vector3& gravity)
      : partial_velocities(tree),
        loads(tree.nodes.size()),
        joint_forces(At(tree.dofs)),
        accelerations(At(tree.dofs)),
        inertia(tree.parent_dof),
        tree_(&tree),
        gravity_(ToEigen(gravity).cast<T>()),
        bias_(tree.nodes.size()),
        force_(tree.nodes.size()),
        moment_(tree.nodes.size()),
        rotary_(tree.nodes.size()),
        sums_(6 * At(tree.slots) * At(tree.longest_path)) {
    for (const Node& node : tree.nodes) node_inertia_.push_back(ToEigen(node.inertia).cast<T>());
  }

  // The right-hand side is read from `loads` (per node) and `joint_forces` (per degree of freedom);
  // partial_velocities.SetMotion has been called. Leaves A in `inertia` and F - u'M u_dot u in
  // `accelerations`.
  void Assemble(const T* u) {
    for (const TourStep& step : tree_->tour) {
      if (step.enter) {
        Enter(step.node, u);
      } else {
        Leave(step.node);
      }
    }
  }

  // Turns `accelerations` into u'. Returns -1 or the degree of freedom without inertia.
  int Solve() {
    const int failed = inertia.Factorise();
    if (failed < 0) inertia.Solve(accelerations.data());
    return failed;
  }

  // v' u of a node: its acceleration but for the u' (after Assemble).
  const Vector& bias(int node) const { return bias_[At(node)]; }

  PartialVelocities<T> partial_velocities;
  std::vector<NodeLoad<T>> loads;
  std::vector<T> joint_forces;
  std::vector<T> accelerations;
  PathCholesky<T> inertia;

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  T* sum(const Node& node, int row) {
    return sums_.data() + At(6 * node.slot + row) * At(tree_->longest_path);
  }

  void Enter(int b, const T* u) {
    const Node& node = tree_->nodes[At(b)];
    const NodeMotion<T>& motion = partial_velocities.motion(b);
    bias_[At(b)] = partial_velocities.Enter(b, u);
    const Matrix j = motion.rotation * node_inertia_[At(b)] * motion.rotation.transpose();
    force_[At(b)] = loads[At(b)].force + T(node.mass) * (gravity_ - bias_[At(b)]);
    moment_[At(b)] =
        loads[At(b)].moment - j * motion.bias_alpha - motion.omega.cross(j * motion.omega);
    rotary_[At(b)] = j;
  }

  void Leave(int b) {
    const Node& node = tree_->nodes[At(b)];
    const int n = node.path;
    const auto own = partial_velocities.rows(b);
    T* __restrict fx = sum(node, 0), * __restrict fy = sum(node, 1), * __restrict fz = sum(node, 2);
    T* __restrict mx = sum(node, 3), * __restrict my = sum(node, 4), * __restrict mz = sum(node, 5);
    const T mass(node.mass);
    {  // (2): the node's own share
      const T* __restrict x = own.x, * __restrict y = own.y, * __restrict z = own.z;
      if (node.child_count == 0) {
        for (T* row : {mx, my, mz}) std::fill(row, row + n, T(0));
        for (int k = 0; k < n; ++k) fx[k] = mass * x[k], fy[k] = mass * y[k], fz[k] = mass * z[k];
      } else {
        for (int k = 0; k < n; ++k) {
          fx[k] += mass * x[k];
          fy[k] += mass * y[k];
          fz[k] += mass * z[k];
        }
      }
    }
    // (1): the rows of the joint's own degrees of freedom
    const T *__restrict wx = partial_velocities.w(0), *__restrict wy = partial_velocities.w(1),
            *__restrict wz = partial_velocities.w(2);
    for (int i = 0; i < node.dofs; ++i) {
      const Column<T>& column = partial_velocities.column(node.dof + i);
      const Vector h = rotary_[At(b)] * column.w;
      const Vector &v = column.v, &w = column.w;
      T* __restrict row = inertia.Row(node.dof + i);
      const int end = n - node.dofs + i + 1;
      for (int k = 0; k < end; ++k) {
        row[k] = v[0] * fx[k] + v[1] * fy[k] + v[2] * fz[k] + w[0] * mx[k] + w[1] * my[k] +
                 w[2] * mz[k] + h[0] * wx[k] + h[1] * wy[k] + h[2] * wz[k];
      }
      accelerations[At(node.dof + i)] =
          v.dot(force_[At(b)]) + w.dot(moment_[At(b)]) + joint_forces[At(node.dof + i)];
    }
    if (node.parent != kGround) HandOver(node, b);
  }

  // Moves the sums of a subtree to the parent's mass centre and adds them to the parent's.
  void HandOver(const Node& node, int b) {
    const Node& parent = tree_->nodes[At(node.parent)];
    const auto p = At(node.parent);
    const Vector& d = partial_velocities.motion(b).d;
    const int n = parent.path;
    const T dx = d.x(), dy = d.y(), dz = d.z();
    const T *fx = sum(node, 0), *fy = sum(node, 1), *fz = sum(node, 2);
    if (node.first_child) {  // its work row becomes the parent's
      T* __restrict mx = sum(node, 3), * __restrict my = sum(node, 4), * __restrict mz = sum(node, 5);
      for (int k = 0; k < n; ++k) {
        mx[k] += dy * fz[k] - dz * fy[k];
        my[k] += dz * fx[k] - dx * fz[k];
        mz[k] += dx * fy[k] - dy * fx[k];
      }
    } else {
      const T *mx = sum(node, 3), *my = sum(node, 4), *mz = sum(node, 5);
      T* __restrict gx = sum(parent, 0), * __restrict gy = sum(parent, 1), * __restrict gz = sum(parent, 2);
      T* __restrict hx = sum(parent, 3), * __restrict hy = sum(parent, 4), * __restrict hz = sum(parent, 5);
      for (int k = 0; k < n; ++k) {
        gx[k] += fx[k], gy[k] += fy[k], gz[k] += fz[k];
        hx[k] += mx[k] + dy * fz[k] - dz * fy[k];
        hy[k] += my[k] + dz * fx[k] - dx * fz[k];
        hz[k] += mz[k] + dx * fy[k] - dy * fx[k];
      }
    }
    moment_[p] += moment_[At(b)] + d.cross(force_[At(b)]);
    force_[p] += force_[At(b)];
    rotary_[p] += rotary_[At(b)];
  }

  const ReducedTree* tree_;
  Vector gravity_;
  std::vector<Matrix> node_inertia_;  // node axes
  std::vector<Vector> bias_;
  std::vector<Vector> force_,
      moment_;                  // net, then summed over the subtree, about its node's centre
  std::vector<Matrix> rotary_;  // S of (2), inertial axes
  std::vector<T> sums_;         // f_k and m_k of (2): 6 rows of `longest_path` per work row
};

}  // namespace mbsbench::kane_huston
