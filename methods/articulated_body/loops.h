// The loops of one system beside its sweep: constraint rows at the motion, the columns they carry,
// and the loop forces brought back into the sweep.
#pragma once

#include "methods/articulated_body/loop_columns.h"
#include "methods/numerics/loop_ends.h"

namespace mbsbench::articulated_body {

class Loops {
 public:
  Loops(const System& system, const GroupTree<double>& tree, Sweep<double>& sweep);

  // Between PassInertia and PassAcceleration, at the same y.
  Status Close(const double* y, Sweep<double>& sweep, LoopClosure& closure);

 private:
  void SetColumns(int loop, int side, const Sweep<double>& sweep, LoopClosure& closure);

  LoopEnds ends_;
  LoopColumns<double> columns_;
  double gravity_;
};

}  // namespace mbsbench::articulated_body
