#include "methods/loops/loop_ends.h"

#include <algorithm>

#include "methods/kinematics/reach.h"

namespace mbsbench {

namespace {

// A frame on a body, seen from the group that the body sits in.
Frame OnGroup(const Frame& frame, const BodyInGroup<double>& placement) {
  const Mat<double> turn = placement.turn * Lift<double>(Normalised(frame.orientation));
  return {Plain(placement.centre + placement.turn * Lifted(frame.position)),
          IsIdentity(placement.turn) ? frame.orientation : QuaternionOf(turn)};
}

}  // namespace

LoopEnds::LoopEnds(const System& system, const GroupTree<double>& tree)
    : stations_(tree), gravity_(Norm(system.gravity)), reach_(std::ranges::max(ReachOf(system))) {
  const auto seat_of = [&tree](int body) {
    return body == kGround ? BodyInGroup<double>{}
                           : tree.placements[static_cast<std::size_t>(body)];
  };
  for (const Joint& joint : system.loop_joints) {
    const BodyInGroup<double> child = seat_of(joint.child), parent = seat_of(joint.parent);
    Joint between_groups = joint;
    between_groups.child_frame = OnGroup(joint.child_frame, child);
    between_groups.parent_frame = OnGroup(joint.parent_frame, parent);
    const auto end_at = [&](const BodyInGroup<double>& placement) {
      return End{placement.group, stations_.Add(placement.group, tree), {}};
    };
    loops_.push_back({LoopJoint(between_groups), {end_at(child), end_at(parent)}});
  }
}

void LoopEnds::CalcRows(const double* y, const TreeMotion<double>& motion, LoopClosure& closure) {
  stations_.Track(y, motion);
  closure.CalcRows([&](int l, LoopRow* rows) {
    auto& [joint, ends] = loops_[static_cast<std::size_t>(l)];
    const Vector3 point = joint.CalcRows(stations_.AxesOf(ends[1].station, motion),
                                         stations_.AxesOf(ends[0].station, motion), rows);
    for (End& end : ends) end.arm = Lifted(point) - stations_.position(end.station);
  });
}

double LoopEnds::TypicalAcceleration(const TreeMotion<double>& motion) const {
  double typical = gravity_;
  for (int s = 1; s < static_cast<int>(stations_.size()); ++s) {
    const Vec<double> omega(motion.motion(stations_.group(s)).omega);
    typical = std::max(typical, reach_ * Dot(omega, omega));
  }
  return typical;
}

}  // namespace mbsbench
