// Wrenches of the multipliers of loop rows on the groups at the ends of the loops.
//
// A method finds the multipliers x of A x + b = 0 after it has solved its tree without them:
//   PassAccelerations(...);                           a and alpha of the groups
//   ends.CalcRows(y, motion, closure);                LoopEnds
//   double* A = closure.ClearedMatrix();              row-major, lower triangle
//   wrenches.Set(closure, arm_of, omega_of);          arm_of: LoopEnds::arm
//   for each row i and side, with w = wrenches.of(i, side), on the group ends.group(loop, side):
//     closure.right_side()[i] += Dot(w.force, a) + Dot(w.moment, alpha)
//     A[i * row_count + j] = what the second derivative of row i gains by a unit multiplier of row j, J M^-1 J'
//   closure.Solve([&] { return ends.TypicalAcceleration(motion); });
// Then closure.multiplier(i) acts by wrenches.of(i, side) on both groups: u' += M^-1 J' x. With M = L'L
// (path_cholesky.h): Y = L'^-1 J', A = Y'Y, u' += L^-1 Y x. J projects a wrench onto the columns of the joints on the
// path to the root; from group to group, moment += r x force.
#pragma once

#include <span>
#include <vector>

#include "methods/loops/loop_closure.h"
#include "methods/tree_motion/load.h"

namespace mbsbench {

class LoopWrenches {
 public:
  explicit LoopWrenches(int rows) : wrenches_(2 * static_cast<std::size_t>(rows)) {}

  // After closure.CalcRows; adds to g'' the part omega x (omega x arm) of the accelerations at the joints' points C. arm_of(loop,
  // side): from the origin of the group at the loop's child (side 0) or parent (1) to C; omega_of(loop, side): angular velocity of
  // that group.
  template <class ArmOf, class OmegaOf>
  void Set(LoopClosure& closure, ArmOf arm_of, OmegaOf omega_of) {
    for (int l = 0; l < closure.loop_count(); ++l) {
      for (int side : {0, 1}) {
        const double sign = side == 0 ? 1 : -1;
        const Vec<double> arm = arm_of(l, side),
                          centripetal = DoubleCross(Vec<double>(omega_of(l, side)), arm);
        for (int i = closure.first_row(l); i < closure.end_row(l); ++i) {
          const Vec<double> f = sign * Lifted(closure.row(i).force);
          wrenches_[At(i, side)] = {f, AddCross(sign * Lifted(closure.row(i).moment), arm, f)};
          closure.right_side()[i] += Dot(f, centripetal);
        }
      }
    }
  }

  // The wrench of a unit multiplier, about the group's origin.
  const Load<double>& of(int row, int side) const { return wrenches_[At(row, side)]; }
  // Two per row.
  std::span<const Load<double>> all() const { return wrenches_; }

  // The sum of the wrenches of all multipliers of a loop, after closure.Solve.
  Load<double> Net(const LoopClosure& closure, int loop, int side) const {
    Load<double> net;
    for (int i = closure.first_row(loop); i < closure.end_row(loop); ++i) {
      const Load<double>& wrench = of(i, side);
      net.force = AddScaled(net.force, closure.multiplier(i), wrench.force);
      net.moment = AddScaled(net.moment, closure.multiplier(i), wrench.moment);
    }
    return net;
  }

 private:
  static std::size_t At(int row, int side) {
    return 2 * static_cast<std::size_t>(row) + static_cast<std::size_t>(side);
  }

  std::vector<Load<double>> wrenches_;
};

}  // namespace mbsbench
