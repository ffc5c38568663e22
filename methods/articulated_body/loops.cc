#include "methods/articulated_body/loops.h"

namespace mbsbench::articulated_body {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

int GroupOf(int body, const GroupTree<double>& tree) {
  return body == kGround ? 0 : tree.seats[At(body)].group;
}

std::vector<int> Groups(const System& system, const GroupTree<double>& tree, int Joint::*body) {
  std::vector<int> groups;
  for (const Joint& joint : system.loop_joints) groups.push_back(GroupOf(joint.*body, tree));
  return groups;
}

}  // namespace

Loops::Loops(const System& system, const GroupTree<double>& tree, Stabilisation stabilisation,
             Sweep<double>& sweep)
    : stations_(tree),
      closure_(system, stabilisation),
      columns_(system, tree, Groups(system, tree, &Joint::child),
               Groups(system, tree, &Joint::parent), closure_.row_count()),
      gravity_(Norm(system.gravity)) {
  sweep.KeepFactorsOf(columns_.Groups());
  std::vector<int> stop_of_group(tree.groups.size());
  const auto& stops = columns_.paths().stops();
  for (std::size_t k = 0; k < stops.size(); ++k) {
    stop_of_group[At(stops[k].element)] = static_cast<int>(k);
  }
  const auto end_at = [&](int body) {
    End end;
    if (body != kGround) end.seat = tree.seats[At(body)];
    end.station = stations_.Add(end.seat.group, tree);
    end.stop = stop_of_group[At(end.seat.group)];
    return end;
  };
  for (const Joint& joint : system.loop_joints) {
    ends_.push_back({end_at(joint.child), end_at(joint.parent)});
  }
}

// Accelerations of the point C of a group: those of the group's origin, seen through the column, and
// omega x (omega x arm).
void Loops::SetColumns(int loop, int side, const Sweep<double>& sweep) {
  const End& end = ends_[At(loop)][At(side)];
  const double sign = side == 0 ? 1 : -1;
  const Vec<double> arm = Lifted(closure_.point(loop)) - stations_.position(end.station);
  const Vec<double> centripetal = DoubleCross(sweep.motion(end.seat.group).omega, arm);
  for (int i = closure_.first_row(loop); i < closure_.end_row(loop); ++i) {
    const Vec<double> f = sign * Lifted(closure_.row(i).force);
    columns_.Set(i, side, AddCross(sign * Lifted(closure_.row(i).moment), arm, f), f);
    closure_.right_side()[i] += Dot(f, centripetal);
  }
}

Status Loops::Close(const double* y, Sweep<double>& sweep) {
  stations_.Track(y, sweep);
  for (int l = 0; l < closure_.loop_count(); ++l) {
    const auto& [child, parent] = ends_[At(l)];
    closure_.CalcRows(l, stations_.StateOf(parent.station, parent.seat, sweep),
                      stations_.StateOf(child.station, child.seat, sweep));
  }
  closure_.Start();
  for (int l = 0; l < closure_.loop_count(); ++l) {
    for (int side : {0, 1}) SetColumns(l, side, sweep);
  }
  columns_.Carry(sweep, closure_.matrix(), closure_.right_side());
  if (const Status status = closure_.Solve(gravity_); !status.ok()) return status;

  for (Load<double>& load : columns_.net()) load = {};
  for (int l = 0; l < closure_.loop_count(); ++l) {
    const JointReaction on_child = closure_.ReactionOf(l);
    const Vec<double> force = Lifted(on_child.force), torque = Lifted(on_child.torque);
    for (int side : {0, 1}) {
      const End& end = ends_[At(l)][At(side)];
      const double sign = side == 0 ? 1 : -1;
      const Vec<double> arm = Lifted(closure_.point(l)) - stations_.position(end.station);
      Load<double>& load = columns_.net()[At(end.stop)];
      load.force = load.force + sign * force;
      load.moment = load.moment + sign * AddCross(torque, arm, force);
    }
  }
  columns_.Apply(sweep);
  return {};
}

void Loops::AddForces(const System& system, const std::vector<BodyState>& bodies,
                      std::span<Wrench> wrenches) const {
  for (int l = 0; l < closure_.loop_count(); ++l) {
    const JointReaction on_child = closure_.ReactionOf(l);
    const auto exert = [&](int body, double sign) {
      if (body == kGround) return;
      const Vector3 arm = closure_.point(l) - bodies[At(body)].position;
      Wrench& w = wrenches[At(body)];
      w.force = w.force + sign * on_child.force;
      w.moment = w.moment + sign * (on_child.torque + Cross(arm, on_child.force));
    };
    exert(system.loop_joints[At(l)].child, 1);
    exert(system.loop_joints[At(l)].parent, -1);
  }
}

}  // namespace mbsbench::articulated_body
