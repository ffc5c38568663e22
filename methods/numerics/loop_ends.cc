#include "methods/numerics/loop_ends.h"

namespace mbsbench {

LoopEnds::LoopEnds(const System& system, const GroupTree<double>& tree) : stations_(tree) {
  const auto end_at = [&](int body) {
    End end;
    if (body != kGround) end.seat = tree.seats[static_cast<std::size_t>(body)];
    end.station = stations_.Add(end.seat.group, tree);
    return end;
  };
  for (const Joint& joint : system.loop_joints) {
    ends_.push_back({end_at(joint.child), end_at(joint.parent)});
  }
}

void LoopEnds::CalcRows(const double* y, const TreeMotion<double>& motion, LoopClosure& closure) {
  stations_.Track(y, motion);
  closure.CalcRows([&](int loop, int side) {
    const End& e = end(loop, side);
    return stations_.AxesOf(e.station, e.seat, motion);
  });
  for (int l = 0; l < closure.loop_count(); ++l) {
    for (End& e : ends_[static_cast<std::size_t>(l)]) {
      e.arm = Lifted(closure.point(l)) - stations_.position(e.station);
    }
  }
}

}  // namespace mbsbench
