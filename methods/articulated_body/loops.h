// The loops of one system, closed after its sweep: constraint rows at the motion, the forces that close them, and these brought back
// into the sweep. Few rows are carried to the root as columns and solved at once (loop_columns.h); many are eliminated where
// loops meet (loop_elimination.h), if they are independent.
#pragma once

#include "methods/articulated_body/loop_columns.h"
#include "methods/numerics/loop_elimination.h"
#include "methods/numerics/loop_ends.h"

namespace mbsbench::articulated_body {

class Loops {
 public:
  Loops(const System& system, const GroupTree<double>& tree, Sweep<double>& sweep,
        LoopElimination::Use elimination = LoopElimination::Use::kWhereCheaper);

  // Between PassInertia and PassAcceleration, at the same y.
  Status Close(const double* y, Sweep<double>& sweep, LoopClosure& closure);

 private:
  void SetPassages(Sweep<double>& sweep);
  void ApplyChanges(Sweep<double>& sweep);

  LoopEnds ends_;
  LoopWrenches wrenches_;
  LoopColumns<double> columns_;
  LoopElimination elimination_;
  double gravity_;
};

}  // namespace mbsbench::articulated_body
