// Closed loops: every cut joint's unknown forces are carried as extra columns of e.
//
// With x the multipliers of the cut joints' constraint rows, e = e_0 + sum of e_i x_i (21). A row's
// column starts where its joint acts on a body, as an external force and moment do in (a), (b) of
// general_sweep.h: e_m = -n, e_q = f with n about the output end, opposite on the other body. It
// then follows (c), (d), (e) like e itself, with S shared by all columns, and only on the way from
// the cut to the root.
//
// Its second derivative is f . a + n . alpha = e_q . a - e_m . alpha of the bodies that it acts on.
// Going to the root with the column, a and alpha of the tip side are expressed by those of the root
// side and what the joint adds: the hinge solution of e_0, and h. So when the columns have arrived
// at the ground, where z_b = (-g, 0) in accelerations less gravity, what was added is
//   g'' = A x + b,      A = sum over hinges of (H'P e_i) (H'MH)^-1 (H'P e_k),
// symmetric by construction; b collects (H'P e_i) times the hinge's own solution, h, and the
// ground's z_b. It is solved once; the column of the solution goes the same way and corrects the hinge solutions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/numerics/loop_paths.h"
#include "methods/riccati_mstmm/general_sweep.h"

namespace mbsbench {

// e at the output end of an element: what external forces add to it.
template <class T>
struct LoopForce {
  Vec<T> e_m, e_q;
};

template <class T>
class RiccatiLoopColumns {
 public:
  // `child_ends`, `parent_ends`: indices into the motions of what each cut joint acts on.
  RiccatiLoopColumns(const System& system, const JointTree& tree, std::span<const int> child_ends,
                     std::span<const int> parent_ends, int rows);

  const LoopPaths& paths() const { return paths_; }

  // Column of `row` on the child (side 0) or the parent (side 1).
  void Set(int row, int side, const LoopForce<T>& e);

  // After SweepToRoot: adds to the lower triangle of A and to b.
  void Carry(const JointTree& tree, const SweepSpace<T>& space, T* matrix, T* right_side);

  // Before SweepToTips: e of the solution per stop of paths(), corrects the hinges.
  std::span<LoopForce<T>> solution() { return solution_; }
  void Apply(const JointTree& tree, SweepSpace<T>& space);

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  T* Side(int side) { return columns_.data() + At(side) * 6 * At(size_); }

  LoopPaths paths_;
  int size_;
  std::vector<T> columns_;  // two sides of six rows of numbers: e_m, e_q
  std::vector<T> y_, z_;    // H'P e and (H'MH)^-1 H'P e, up to six rows of numbers
  std::vector<LoopForce<T>> solution_;
};

extern template class RiccatiLoopColumns<double>;

}  // namespace mbsbench
