// The loops of one system beside its sweep: constraint rows at the motion, the columns they carry,
// the closure, and the loop forces brought back into the sweep.
#pragma once

#include <array>
#include <vector>

#include "methods/articulated_body/loop_columns.h"
#include "methods/kinematics/force_elements.h"
#include "methods/numerics/loop_closure.h"
#include "methods/numerics/stations.h"

namespace mbsbench::articulated_body {

class Loops {
 public:
  Loops(const System& system, const GroupTree<double>& tree, Stabilisation stabilisation,
        Sweep<double>& sweep);

  // Between PassInertia and PassAcceleration, at the same y.
  Status Close(const double* y, Sweep<double>& sweep);
  const LoopClosure& closure() const { return closure_; }
  LoopClosure& closure() { return closure_; }
  // What the loop joints exert on the bodies, after Close.
  void AddForces(const System& system, const std::vector<BodyState>& bodies,
                 std::span<Wrench> wrenches) const;

 private:
  struct End {
    Seat<double> seat;
    int station = 0;
    int stop = 0;
  };
  void SetColumns(int loop, int side, const Sweep<double>& sweep);

  Stations stations_;
  std::vector<std::array<End, 2>> ends_;  // per loop: of the child, of the parent
  LoopClosure closure_;
  LoopColumns<double> columns_;
  double gravity_;
};

}  // namespace mbsbench::articulated_body
