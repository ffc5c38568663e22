// Loops in addition to the joint-space equations, by the response of the tree to the multipliers lambda of the
// constraint rows, H u' = tau - C + J' lambda:
//
//   Y = L'^-1 J'        A = J H^-1 J' = Y' Y                                                    (1)
//   g'' = A lambda + Y' t + (bias of the rows at u' = 0),    t = L'^-1 (tau - C)                (2)
//   u' = L^-1 (t + Y lambda)                                                                    (3)
//
// A is the Delassus matrix of the loops. A row of J has entries for rates that move only one of its
// two bodies; Y fills in up to the root.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/composite_body/joint_space_equations.h"
#include "methods/loops/loop_ends.h"

namespace mbsbench::composite_body {

class LoopResponse {
 public:
  LoopResponse(const System& system, const GroupTree<double>& tree, const FreeRates& rates);

  // Between L' t = tau - C and L u' = t, at the same y: adds Y lambda to `t`.
  Status Close(const double* y, const JointSpaceEquations<double>& equations, LoopClosure& closure,
               std::span<double> t);

 private:
  struct Stop {  // a rate on the path of a loop, tips first
    int rate;
    std::span<const RowRun> runs;  // rows that pass
  };

  void SetRows(int loop, int side, const JointSpaceEquations<double>& equations,
               LoopClosure& closure);
  double* y_of(int rate) { return y_.data() + At(stop_of_rate_[At(rate)]) * At(rows_); }
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  int rows_;
  LoopEnds ends_;
  // Per loop: the paths from child and parent to the group where they meet.
  std::vector<std::array<std::vector<int>, 2>> groups_;
  LoopPaths paths_;
  std::vector<Stop> stops_;
  std::vector<int> stop_of_rate_, before_;  // per free rate; before_: FreeRates::before
  std::vector<double> y_;                   // Y: a row per stop
};

}  // namespace mbsbench::composite_body
