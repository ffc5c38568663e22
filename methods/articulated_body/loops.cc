#include "methods/articulated_body/loops.h"

namespace mbsbench::articulated_body {

Loops::Loops(const System& system, const GroupTree<double>& tree, Sweep<double>& sweep)
    : ends_(system, tree), columns_(system, tree), gravity_(Norm(system.gravity)) {
  sweep.KeepFactorsOf(columns_.Groups());
}

// Accelerations of the point C of a group: those of the group's origin, seen through the column, and
// omega x (omega x arm).
void Loops::SetColumns(int loop, int side, const Sweep<double>& sweep, LoopClosure& closure) {
  const double sign = side == 0 ? 1 : -1;
  const Vec<double>& arm = ends_.arm(loop, side);
  const Vec<double> centripetal = DoubleCross(sweep.motion(ends_.group(loop, side)).omega, arm);
  for (int i = closure.first_row(loop); i < closure.end_row(loop); ++i) {
    const Vec<double> f = sign * Lifted(closure.row(i).force);
    columns_.Set(i, side, AddCross(sign * Lifted(closure.row(i).moment), arm, f), f);
    closure.right_side()[i] += Dot(f, centripetal);
  }
}

Status Loops::Close(const double* y, Sweep<double>& sweep, LoopClosure& closure) {
  ends_.CalcRows(y, sweep, closure);
  for (int l = 0; l < closure.loop_count(); ++l) {
    for (int side : {0, 1}) SetColumns(l, side, sweep, closure);
  }
  columns_.Carry(sweep, closure.matrix(), closure.right_side());
  if (const Status status = closure.Solve(gravity_); !status.ok()) return status;

  for (Load<double>& load : columns_.net()) load = {};
  for (int l = 0; l < closure.loop_count(); ++l) {
    const JointReaction on_child = closure.ReactionOf(l);
    const Vec<double> force = Lifted(on_child.force), torque = Lifted(on_child.torque);
    for (int side : {0, 1}) {
      const double sign = side == 0 ? 1 : -1;
      Load<double>& load =
          columns_.net()[static_cast<std::size_t>(columns_.paths().StopOf(l, side))];
      load.force = load.force + sign * force;
      load.moment = load.moment + sign * AddCross(torque, ends_.arm(l, side), force);
    }
  }
  columns_.Apply(sweep);
  return {};
}

}  // namespace mbsbench::articulated_body
