// The forces in cut joints, eliminated where loops meet, as equations on any scalar with dense matrices. loop_elimination.h is the fast
// version, which holds only the groups and rows that are coupled.
//
// The tree with open cuts is solved first; k_r is g_r'' of its rows. The forces in the cuts then change the accelerations of group i by
// a_i = (alpha; a). This follows from the change of the parent p and from d_i, what the cuts outboard add to the joint's u_i',
//
//   a_i = A_i a_p + S_i d_i           A_i = (1 - S_i D_i^-1 U_i') X_i, of the articulated-body algorithm              (1)
//
// By Gauss' principle they make this stationary, with E_r the wrenches of row r and v = (a; lambda):
//
//   1/2 sum d_i' D_i d_i + sum lambda_r (E_r a + k_r)   =   1/2 sum d_i' D_i d_i + 1/2 v' G v + h' v                  (2)
//
//   (a) At first G contains the E_r, and h the k_r.
//   (b) From the tips to the root (1) replaces a_i, then d_i = -(Z v + z) is eliminated: c = D_i + S_i' G_ii S_i, y = S_i' G_i,
//       Z = c^-1 y, z = c^-1 S_i' h_i, G -= y' Z, h -= y' z. A driven joint has no d_i.
//   (c) After each joint the rows leave whose compliance -G_rr has reached a fraction of that of the free bodies at their ends, the
//       largest first: lambda_r is eliminated as d_i is, with c = G_rr.
//   (d) At the ground all rows leave with more than a small compliance. The others depend on them: their lambda is zero, one of many
//       solutions with the same accelerations. (The fast version leaves such systems to closure_system.h.)
//   (e) In the opposite order each variable follows from those that remained, and a_i from (1).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "methods/loops/loop_elimination.h"
#include "methods/loops/loop_equations.h"
#include "methods/thresholds/thresholds.h"

namespace mbsbench {

template <template <class> class Tree, class T>
class EliminationEquations : public LoopEquations<Tree, T> {
  using Base = LoopEquations<Tree, T>;
  using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using Base::rows_;

 public:
  using Base::lambda, Base::tree;
  using typename Base::Column;

  explicit EliminationEquations(const System& system) : Base(system), system_(system) {}

  // y = [q; u]; ydot gets u'.
  void Evaluate(const T* y, T* ydot) {
    Enter(this->EvaluateCut(y, ydot));
    for (int i = groups() - 1; i > 0; --i) {
      EliminateJoint(i);
      EliminateRows(LoopElimination::kLeastCompliance);
    }
    EliminateRows(kThresholds.compliance_left);  // (d)
    Return();
    this->EvaluateUnder(lambda, y, ydot);
  }

  // Rows that depend on the others.
  const std::vector<int>& dependent_rows() const { return pending_; }

 private:
  struct Eliminated {
    int group = -1, row = -1;  // one of them
    Dense Z;
    Column z;
  };
  int groups() const { return static_cast<int>(tree.loads.size()); }
  static Eigen::Index At(int group) { return 6 * static_cast<Eigen::Index>(group); }
  Eigen::Index AtRow(int row) const { return At(groups()) + row; }
  T& OfFreeBodies(int row) { return of_free_bodies_[static_cast<std::size_t>(row)]; }

  // (a)
  void Enter(const Column& k) {
    const int rows = static_cast<int>(rows_.size());
    G_.setZero(AtRow(rows), AtRow(rows));
    h_.setZero(AtRow(rows));
    h_.tail(rows) = k;
    of_free_bodies_.assign(rows_.size(), T(0));
    eliminated_.clear();
    pending_.clear();
    for (int r = 0; r < rows; ++r) {
      pending_.push_back(r);
      const auto& row = rows_[static_cast<std::size_t>(r)];
      if (row.parent != kGround) Enter(r, row.parent, row.by_parent);
      if (row.child != kGround) Enter(r, row.child, row.by_child);
    }
  }
  void Enter(int r, int body, const Eigen::Matrix<T, 1, 6>& of_body) {
    const auto wrench = this->OnGroup(body, of_body);
    const auto R = tree.MotionOf(wrench.group).R;
    Eigen::Matrix<T, 6, 1> E;
    E << R.transpose() * wrench.moment, R.transpose() * wrench.force;
    G_.col(AtRow(r)).segment(At(wrench.group), 6) += E;
    G_.row(AtRow(r)).segment(At(wrench.group), 6) += E.transpose();
    const Body& b = system_.bodies[static_cast<std::size_t>(body)];
    const T inertia((b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2)) / 3),
        moment = of_body.tail(3).squaredNorm();
    OfFreeBodies(r) += of_body.head(3).squaredNorm() / T(b.mass);
    if (moment > T(0)) OfFreeBodies(r) += moment / inertia;
  }

  // (b); the ground takes part, but its a is zero.
  void EliminateJoint(int i) {
    const auto joint = tree.PassageOf(i);
    const Eigen::Index at = At(i), up = At(joint.parent);
    Dense y = joint.S.transpose() * G_.middleRows(at, 6);
    const Dense c = joint.D + y.middleCols(at, 6) * joint.S;
    const Column h_d = joint.S.transpose() * h_.segment(at, 6);
    G_.middleRows(up, 6) += joint.A.transpose() * G_.middleRows(at, 6);
    G_.middleCols(up, 6) += G_.middleCols(at, 6) * joint.A;
    h_.segment(up, 6) += joint.A.transpose() * h_.segment(at, 6);
    y.middleCols(up, 6) += y.middleCols(at, 6) * joint.A;
    Eliminate(at, 6, y, c, h_d).group = i;
  }

  // (c)
  void EliminateRows(double least) {
    const auto compliance = [this](int r) { return -G_(AtRow(r), AtRow(r)) / OfFreeBodies(r); };
    while (!pending_.empty()) {
      const auto next = std::max_element(pending_.begin(), pending_.end(), [&](int a, int b) {
        return compliance(a) < compliance(b);
      });
      const int row = *next;
      if (!(compliance(row) > T(least))) return;
      pending_.erase(next);
      const Eigen::Index at = AtRow(row);
      Eliminate(at, 1, G_.row(at), G_.block(at, at, 1, 1), h_.segment(at, 1)).row = row;
    }
  }

  // The variable with row y, pivot c and entry h_d; what stands at `at` leaves G and h.
  Eliminated& Eliminate(Eigen::Index at, Eigen::Index size, Dense y, Dense c, Column h_d) {
    y.middleCols(at, size).setZero();
    G_.middleRows(at, size).setZero();
    G_.middleCols(at, size).setZero();
    h_.segment(at, size).setZero();
    Eliminated& e = eliminated_.emplace_back();
    if (c.rows() == 0) return e;
    const Eigen::LDLT<Dense> pivot(c);
    e.Z = pivot.solve(y);
    e.z = pivot.solve(h_d);
    G_ -= y.transpose() * e.Z;
    h_ -= y.transpose() * e.z;
    return e;
  }

  // (e); the forces on the bodies are -E' times lambda of (2).
  void Return() {
    Column v = Column::Zero(h_.size());
    for (auto e = eliminated_.rbegin(); e != eliminated_.rend(); ++e) {
      Column value = -e->z;
      if (value.size() > 0) value -= e->Z * v;
      if (e->row >= 0) {
        v[AtRow(e->row)] = value[0];
        continue;
      }
      const auto joint = tree.PassageOf(e->group);
      v.segment(At(e->group), 6) = joint.A * v.segment(At(joint.parent), 6);
      if (value.size() > 0) v.segment(At(e->group), 6) += joint.S * value;
    }
    lambda = -v.tail(static_cast<Eigen::Index>(rows_.size()));
  }

  const System& system_;
  Dense G_;
  Column h_;
  std::vector<T> of_free_bodies_;  // per row, their compliance
  std::vector<int> pending_;       // rows that are not eliminated
  std::vector<Eliminated> eliminated_;
};

}  // namespace mbsbench
