// The corrections of LoopProjection for many independent loops, at a cost linear in bodies and loops.
//
// The change of least energy that removes a gap g makes 1/2 sum d_i' D_i d_i + sum lambda_r (E_r dx + g_r) stationary, with the
// motions dx_i = Psi_i X_i dx_p + S_i d_i of the bodies and the factors D_i of the metric of the masses (mass_metric.h). These are
// (1) and (2) of loop_elimination.h without biases, so the same elimination applies: no column runs from a loop to the root.
//
// Gaps and their rates come from one pass over the bodies between the loops' ends and their common ancestors, in the axes of these;
// bodies that several loops share are placed once.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/kinematics/loop_joint.h"
#include "methods/loops/loop_elimination.h"
#include "methods/loops/mass_metric.h"

namespace mbsbench {

class LoopCorrections {
 public:
  // `sizes`: of the loops [m].
  LoopCorrections(const System& system, std::span<const double> sizes, UseOfElimination use);

  // Whether this is cheaper than columns.
  bool is_wanted() { return elimination_.IsChosen(true); }

  // At y = [q; u]. Returns the largest gap, lengths divided by the loop size; infinite if one is NaN.
  double CalcRows(const double* y);
  std::span<const double> gaps() const { return gaps_; }
  std::span<const double> gap_rates() const { return gap_rates_; }
  // The largest term of a gap's rate.
  double largest_rate() const { return largest_rate_; }

  // Uses the metric at y, the argument of the last CalcRows.
  void SetMetric(MassMetric& metric, const double* y);
  // The changes of coordinates or rates that remove `gaps`. False if rows are dependent.
  bool Correct(MassMetric& metric, std::span<const double> gaps, std::span<double> rates);

 private:
  struct Place {  // of a body, relative to an ancestor at rest
    JointType type;
    Frame parent_frame, child_frame;
    int q, u;
    int parent;  // place; -1: the ancestor
    BodyState state;
  };
  struct Loop {
    LoopJoint joint;
    int first_row, ancestor;          // a body
    std::array<int, 2> bodies, ends;  // of child and parent; their places, -1: the ancestor
    double size;
    Vector3 point;
  };
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  std::vector<Place> places_;
  std::vector<Loop> loops_;
  std::vector<LoopRow> rows_;
  std::vector<double> gaps_, gap_rates_;
  double largest_rate_ = 0;

  std::vector<int> body_of_element_;
  LoopPaths paths_;
  LoopElimination elimination_;
  std::vector<Load<double>> wrenches_;  // two per row
  std::vector<double> weighed_;         // per rate
};

}  // namespace mbsbench
