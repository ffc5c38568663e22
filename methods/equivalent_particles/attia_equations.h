// Attia's equations of motion (2002), eqs 23 to 44 in the paper's order, on trees of particles and on any
// scalar. moment_sums.h is the fast version. These equations serve to count operations and to measure
// round-off.
//
// x, v are positions and velocities of all slots (particle_tree.h), a = x'' - g, so that only the ground
// contains gravity. Per node F and M, the force and moment of its joint about its slot 1, are affine in
// a: a row of 3 k columns and a constant each. Nodes are eliminated from the tips to the root.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

#include "methods/equivalent_particles/particle_tree.h"
#include "methods/equivalent_particles/small_elimination.h"

namespace mbsbench::equivalent_particles {

template <typename Real>
class AttiaEquations {
 public:
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Rows = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

  // `tree` must outlive this object; gravity [m/s^2] in inertial axes.
  AttiaEquations(const ParticleTree& tree, const Vector3d& gravity)
      : x(Size(tree.slots), Vector::Zero()),
        v(x),
        a(x),
        R(tree.nodes.size(), Vector::Zero()),
        G(R),
        tree_(tree),
        gravity_(gravity.cast<Real>()),
        sums_(tree.nodes.size()),
        solution_(tree.nodes.size()) {
    for (int i = 0; i < tree.nodes[0].count; ++i) {
      x[Size(i)] = tree.choices[0].points[Size(i)].template cast<Real>();
      a[Size(i)] = -gravity_;
    }
  }

  std::vector<Vector> x, v, a;  // per slot
  std::vector<Vector> R, G;     // applied per node: force, moment about its slot 1

  // y = [x; x'] of all particles, ydot = [x'; x'']. False if a joint's outboard subsystem has no
  // inertia along its free direction.
  bool Evaluate(const Real* y, Real* ydot) {
    const int half = 3 * tree_.particles;
    SpreadOverSlots(tree_, y, x.data());
    SpreadOverSlots(tree_, y + half, v.data());
    if (!Solve()) return false;
    for (int i = 0; i < half; ++i) ydot[i] = y[half + i];
    for (const Node& node : tree_.nodes) {
      for (int i = 0; i < 3 * node.own; ++i) {
        const Vector& of = a[Size(node.first_slot + node.given + i / 3)];
        ydot[half + 3 * node.first_particle + i] = of[i % 3] + gravity_[i % 3];
      }
    }
    return true;
  }

  // a of all slots at x, v, R and G.
  bool Solve() {
    for (std::size_t n = 1; n < sums_.size(); ++n) SetOwnSums(n);
    for (std::size_t n = sums_.size(); n-- > 1;) {
      const Rows over = Over(n);
      Rows rows = tree_.nodes[n].slides ? PrismaticRows(n, over) : TurningRows(n, over);
      if (!EliminateRows(rows)) return false;
      solution_[n] = rows.rightCols(rows.cols() - rows.rows());
      PassOn(n, over);
    }
    for (std::size_t n = 1; n < sums_.size(); ++n) Recover(n);
    return true;
  }

 private:
  static std::size_t Size(int i) { return static_cast<std::size_t>(i); }

  // Eqs 23 to 27: F = sum m_j a_j - R, M = sum A_j a_j - G of the node alone, A_j = [sum_i B_ij r_i1 x].
  void SetOwnSums(std::size_t n) {
    const Node& node = tree_.nodes[n];
    const Vector* p = &x[Size(node.first_slot)];
    Rows& sums = sums_[n] = Rows::Zero(6, 3 * node.count + 1);
    Vector r[kMostParticles];
    for (int i = 1; i < node.count; ++i) r[i] = p[i] - p[0];
    for (int j = 0; j < node.count; ++j) {
      Vector A = Vector::Zero();
      for (int i = 1; i < node.count; ++i) A += Real(node.second_moments[Size(i)][Size(j)]) * r[i];
      for (int i = 0; i < 3; ++i) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        sums(i, 3 * j + i) = Real(node.masses[Size(j)]);
        sums(3 + i, 3 * j + l) = A[k];
        sums(3 + i, 3 * j + k) = -A[l];
      }
    }
    sums.col(3 * node.count) << -R[n], -G[n];
  }

  // F and M over [own particles; given ones; 1]: given are the particles that the parent fixes, or, at
  // a prismatic joint, for which a_i = a_1 + sum_l w_il a_l holds (44a) and (44c), the parent's.
  Rows Over(std::size_t n) const {
    const Node& node = tree_.nodes[n];
    const int given = node.slides ? tree_.nodes[Size(node.parent)].count : node.given;
    const int own = 3 * node.own;
    Rows over = Rows::Zero(6, own + 3 * given + 1);
    over.leftCols(own) = sums_[n].middleCols(3 * node.given, own);
    over.middleCols(own, 3 * node.given) = sums_[n].leftCols(3 * node.given);
    over.col(own + 3 * given) = sums_[n].col(3 * node.count);
    for (int i = 1; node.slides && i < node.count; ++i) {
      over.leftCols(3) += sums_[n].middleCols(3 * i, 3);
      for (int l = 0; l < given; ++l)
        over.middleCols(3 + 3 * l, 3) +=
            Real(node.from_parent[Size(i)][Size(l)]) * sums_[n].middleCols(3 * i, 3);
    }
    return over;
  }

  // Conditions on the own particles of balls, revolutes and free nodes, columns as in Over.
  Rows TurningRows(std::size_t n, const Rows& over) const {
    const Node& node = tree_.nodes[n];
    const Vector *p = &x[Size(node.first_slot)], *p_rate = &v[Size(node.first_slot)];
    const int k = node.count, given = node.given;
    const auto column = [&](int slot) { return 3 * ((slot + k - given) % k); };
    const Real per_force = Real(1) / Real(node.subtree_inertia);
    const Real per_moment = per_force / Real(node.size);
    Rows rows = Rows::Zero(3 * node.own, over.cols());
    if (node.own == 0) return rows;
    if (given == 0) rows.topRows(3) = per_force * over.topRows(3);  // (43)
    int at = given == 0 ? 3 : 0;
    if (k == 1) return rows;
    // (37) to (42): r_ji.(a_j - a_i) = -|v_ji|^2, over the distance.
    const auto distance = [&](int j, int i) {
      Rows row = Rows::Zero(1, over.cols());
      const Real scale = Real(1) / Real(node.distance[i][j]);
      const Vector r = scale * (p[j] - p[i]);
      row.middleCols(column(j), 3) = r.transpose();
      row.middleCols(column(i), 3) = -r.transpose();
      row(0, over.cols() - 1) = scale * (p_rate[j] - p_rate[i]).squaredNorm();
      return row;
    };
    const Vector axis = (p[1] - p[0]) / Real(node.distance[0][1]);
    if (k == 2) {
      // A line: M is perpendicular to it for any a. (36) x axis + axis (37) = 0.
      const Rows M = per_moment * over.bottomRows(3), length = distance(1, 0);
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        rows.row(at++) = axis[l] * M.row(j) - axis[j] * M.row(l) + axis[i] * length.row(0);
      }
      return rows;
    }
    for (int i = 0; i < k; ++i) {
      for (int j = std::max(i + 1, given); j < k; ++j) rows.row(at++) = distance(j, i);
    }
    if (given == 2)  // the moments (36) projected on the axis of a revolute
      rows.row(at) = Along(per_moment * axis, over, 3);
    else  // (36)
      rows.bottomRows(3) = per_moment * over.bottomRows(3);
    return rows;
  }

  // Prismatic, columns as in Over: d = x_1 - x_rail stays perpendicular to t, (44b), twice
  // differentiated d''.t + 2 d'.t' + d.t'' = 0; the force along the axis vanishes.
  Rows PrismaticRows(std::size_t n, const Rows& over) const {
    const Node& node = tree_.nodes[n];
    const Node& parent = tree_.nodes[Size(node.parent)];
    const Vector *p = &x[Size(parent.first_slot)], *p_rate = &v[Size(parent.first_slot)];
    Rows rows = Rows::Zero(3, over.cols());
    const Vector d = x[Size(node.first_slot)] - Combine(node.rail_point, p, parent.count);
    const Vector d_rate = v[Size(node.first_slot)] - Combine(node.rail_point, p_rate, parent.count);
    for (int i = 0; i < 2; ++i) {
      const Weights& w = node.rail_across[Size(i)];
      const Vector t = Combine(w, p, parent.count);
      rows.row(i).head(3) = t.transpose();
      for (int l = 0; l < parent.count; ++l)
        rows.row(i).segment(3 + 3 * l, 3) =
            (Real(w[Size(l)]) * d - Real(node.rail_point[Size(l)]) * t).transpose();
      rows(i, over.cols() - 1) = Real(2) * d_rate.dot(Combine(w, p_rate, parent.count));
    }
    rows.row(2) =
        Along(Combine(node.rail_axis, p, parent.count) / Real(node.subtree_inertia), over, 0);
    return rows;
  }

  static Rows Along(const Vector& n, const Rows& over, int first) {
    return n[0] * over.row(first) + n[1] * over.row(first + 1) + n[2] * over.row(first + 2);
  }

  // F and M with the own particles eliminated, as those of the parent: M about its slot 1.
  void PassOn(std::size_t n, const Rows& over) {
    const Node& node = tree_.nodes[n];
    if (node.parent == 0) return;
    const Node& parent = tree_.nodes[Size(node.parent)];
    Rows rest = over.rightCols(solution_[n].cols());
    const int needed = node.given == 1 && !node.slides ? 3 : 6;  // a ball passes no moment
    for (int i = 0; i < needed; ++i)
      for (Eigen::Index u = 0; u < solution_[n].rows(); ++u)
        rest.row(i) -= over(i, u) * solution_[n].row(u);
    if (needed == 3) rest.bottomRows(3).setZero();
    const Vector rho = x[Size(node.first_slot)] - x[Size(parent.first_slot)];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      rest.row(3 + i) += rho[j] * rest.row(k) - rho[k] * rest.row(j);
    }
    Rows& sums = sums_[Size(node.parent)];
    sums.col(sums.cols() - 1) += rest.col(rest.cols() - 1);
    if (node.slides) sums.leftCols(rest.cols() - 1) += rest.leftCols(rest.cols() - 1);
    for (int i = 0; i < node.given; ++i) {
      for (int l = 0; l < parent.count; ++l)
        if (node.shared[Size(i)] < 0 || node.shared[Size(i)] == l)
          sums.middleCols(3 * l, 3) +=
              Real(node.from_parent[Size(i)][Size(l)]) * rest.middleCols(3 * i, 3);
    }
  }

  void Recover(std::size_t n) {
    const Node& node = tree_.nodes[n];
    const Node& parent = tree_.nodes[Size(node.parent)];
    Vector *own = &a[Size(node.first_slot)], *from = &a[Size(parent.first_slot)];
    SetGivenSlots(tree_, node, a.data());
    const Real* given = node.slides ? from->data() : own->data();
    const Rows& U = solution_[n];
    for (int i = 0; i < 3 * node.own; ++i) {
      Real sum = U(i, U.cols() - 1);
      for (Eigen::Index j = 0; j + 1 < U.cols(); ++j) sum += U(i, j) * given[j];
      own[node.given + i / 3][i % 3] = -sum;
    }
    for (int i = 1; node.slides && i < node.count; ++i)
      own[i] = own[0] + Combine(node.from_parent[Size(i)], from, parent.count);
  }

  const ParticleTree& tree_;
  const Vector gravity_;
  std::vector<Rows> sums_;      // F; M
  std::vector<Rows> solution_;  // U of u = -U [given; 1]
};

}  // namespace mbsbench::equivalent_particles
