// The loops of a system for a method that solves trees by accelerations. The method computes the
// response of the constraint rows' second derivatives to multipliers,
//   g'' = A x + b,
// and gets the multipliers x for which g'' vanishes, or follows Baumgarte's rule.
#pragma once

#include <span>
#include <vector>

#include "methods/interface/method.h"
#include "methods/interface/observation.h"
#include "methods/interface/status.h"
#include "methods/kinematics/loop_joint.h"
#include "methods/loops/baumgarte.h"
#include "methods/loops/closure_system.h"
#include "methods/loops/loop_projection.h"

namespace mbsbench {

// The stabilisation that keeps the loops closed over time, in addition to g'' = 0.
struct Stabilisation {
  enum Kind { kNone, kBaumgarte, kProjected };
  Stabilisation(Kind what, double alpha = kBaumgarteRate.by_default) : kind(what), rate(alpha) {}
  bool operator==(Kind other) const { return kind == other; }

  Kind kind;
  double rate;  // alpha = beta of Baumgarte's terms [1/s]
};

// The option group of every method that solves accelerations on loops, listed after its variants; its
// numeric option is kBaumgarteRate.
std::vector<MethodOption> StabilisationOptions(std::vector<MethodOption> variants = {});
Stabilisation StabilisationOf(const MethodOptions& options);
// Refuses stabilisation options on trees, so that a tree is one cell and not three.
Verdict StabilisationSupports(const System& system, const MethodOptions& options);

class LoopClosure {
 public:
  LoopClosure(const System& system, Stabilisation stabilisation);

  int loop_count() const { return static_cast<int>(loops_.size()); }
  int row_count() const { return system_.size(); }
  int first_row(int loop) const { return loops_[At(loop)].first_row; }
  int end_row(int loop) const { return first_row(loop) + loops_[At(loop)].joint.size(); }

  // Rows of all loop joints; rows_of(loop, rows) writes the rows of one loop joint. Sets b to the
  // part that does not depend on the tree.
  template <class RowsOf>
  void CalcRows(const RowsOf& rows_of) {
    for (int l = 0; l < loop_count(); ++l) rows_of(l, rows_.data() + first_row(l));
    SetRightSide();
  }
  // Calculates the rows at the motion of all bodies.
  void CalcRowsAt(std::span<const BodyState> bodies);
  const LoopRow& row(int i) const { return rows_[At(i)]; }

  // The method adds to these: lower triangle of A, row-major, initially zero, and b.
  double* ClearedMatrix() {
    system_.ClearMatrix();
    return system_.matrix().data();
  }
  double* right_side() { return system_.right_side().data(); }
  // The response of the whole mechanism as one body.
  double unit(int row) { return system_.units()[static_cast<std::size_t>(row)]; }

  // If rows are dependent, typical_acceleration() is called: their contradictions are compared with it.
  template <class Typical>
  Status Solve(const Typical& typical_acceleration) {
    Factorise();
    return SolveFactorised(system_.rank() < system_.size() ? typical_acceleration() : 0.);
  }

  // Chooses the bound for dependent rows from now on, at y = [q; u] (JointCoordinates), which closes the
  // loops. `evaluate` ends in a Solve at y. If the wide bound loses rows, the bound becomes the accuracy
  // of the loop closure; if rows are lost even then, because Solve has only their squares, it fails. A
  // mechanism without lost rows at the start keeps the wide bound, with which it passes singular
  // positions.
  template <class Evaluate>
  Status Start(std::span<const double> y, Evaluate&& evaluate) {
    const auto start = [&] {
      is_starting_ = true;
      const Status status = evaluate();
      is_starting_ = false;
      return status;
    };
    compares_closely_ = false;
    if (start().ok() && CheckLoopRank(tree_, y, system_.rank()).ok()) return {};
    compares_closely_ = true;
    const Status status = start();
    return status.ok() ? CheckLoopRank(tree_, y, system_.rank()) : status;
  }

  // Whether this evaluation is one of Start.
  bool is_starting() const { return is_starting_; }
  // In place of Solve, if a method has computed the multipliers of independent rows itself.
  void Take(std::span<const double> multipliers) { system_.Take(multipliers); }

  double multiplier(int row) const { return system_.solution()[At(row)]; }

  // Force and moment of the loop joint on its child, about its point; the opposite acts on the
  // parent at the same point of space.
  JointReaction ReactionOf(int loop) const { return ReactionOf(loop, system_.solution()); }

  // Appends the reactions of the loop joints to those of the tree joints, and marks all that
  // dependent constraints leave undetermined. After a Solve at the motion `bodies`.
  void CompleteReactions(const std::vector<BodyState>& bodies,
                         std::vector<JointReaction>& reactions) const;

 private:
  struct Loop {
    LoopJoint joint;
    int parent, child;
    int first_row;
    double per_length;  // 1 / size of the smaller of its bodies, for gaps in metres [1/m]
  };
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  void SetRightSide();
  void Factorise();
  Status SolveFactorised(double scale);
  // The largest gap of the loops relative to the size of their bodies.
  double Gap() const;
  JointReaction ReactionOf(int loop, std::span<const double> multipliers) const;

  System tree_;  // bodies, joints and drivers only: for undetermined reactions and for the rank
  Stabilisation stabilisation_;
  bool compares_closely_ = false, is_starting_ = false;
  std::vector<Loop> loops_;
  std::vector<LoopRow> rows_;
  ClosureSystem system_;
};

}  // namespace mbsbench
