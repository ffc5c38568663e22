#include "methods/articulated_body/loops.h"

#include <algorithm>

namespace mbsbench::articulated_body {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

std::vector<JointType> TypesOf(const LoopColumns<double>& columns) {
  std::vector<JointType> types;
  for (const LoopColumns<double>::Along& joint : columns.joints()) types.push_back(joint.type);
  return types;
}

}  // namespace

Loops::Loops(const System& system, const GroupTree<double>& tree, Sweep<double>& sweep)
    : ends_(system, tree),
      wrenches_(2 * At(LoopRowCount(system))),
      columns_(system, tree),
      elimination_(system, columns_.paths(), TypesOf(columns_)),
      is_cheaper_to_eliminate_(
          elimination_.IsCheaperThan(WorkOfColumns(columns_.paths(), LoopRowCount(system)))),
      eliminates_(is_cheaper_to_eliminate_),
      gravity_(Norm(system.gravity)) {
  sweep.KeepFactorsOf(columns_.Groups());
}

// About the origins of the groups. Accelerations of the point C of a group: those of the origin, seen through the wrench, and
// omega x (omega x arm).
void Loops::SetWrenches(const Sweep<double>& sweep, LoopClosure& closure) {
  for (int l = 0; l < closure.loop_count(); ++l) {
    for (int side : {0, 1}) {
      const double sign = side == 0 ? 1 : -1;
      const Vec<double>& arm = ends_.arm(l, side);
      const Vec<double> centripetal = DoubleCross(sweep.motion(ends_.group(l, side)).omega, arm);
      for (int i = closure.first_row(l); i < closure.end_row(l); ++i) {
        const Vec<double> f = sign * Lifted(closure.row(i).force);
        wrenches_[2 * At(i) + At(side)] = {f,
                                           AddCross(sign * Lifted(closure.row(i).moment), arm, f)};
        closure.right_side()[i] += Dot(f, centripetal);
      }
    }
  }
}

Status Loops::Close(const double* y, Sweep<double>& sweep, LoopClosure& closure) {
  ends_.CalcRows(y, sweep, closure);
  SetWrenches(sweep, closure);
  if (closure.is_starting()) eliminates_ = is_cheaper_to_eliminate_;
  if (eliminates_) {
    if (CloseByElimination(sweep, closure)) return {};
    // Where rows depend on one another at the start, they do later.
    if (closure.is_starting()) eliminates_ = false;
  }
  return CloseByColumns(sweep, closure);
}

// False where rows depend on one another.
bool Loops::CloseByElimination(Sweep<double>& sweep, LoopClosure& closure) {
  const LoopPaths& paths = columns_.paths();
  const auto ground = static_cast<int>(paths.stops().size()) - 1;
  for (int k = 0; k < ground; ++k) {
    const int group = paths.stops()[At(k)].element, parent = columns_.joints()[At(k)].parent_group;
    const auto& e = sweep.elimination(group);
    const auto& motion = sweep.motion(group);
    const auto& kept = sweep.kept_factors(group);
    LoopElimination::Passage& to = elimination_.passage(k);
    to.r = motion.r;
    to.gamma = motion.gamma;
    ForMovingJoint(columns_.joints()[At(k)].type, [&](auto joint) {
      if constexpr (joint.kOneAxis) {
        if constexpr (joint.kTurns == 1) to.turn = Cross(sweep.motion(parent).omega, motion.omega);
        to.s = AxisOf(motion.R);
        to.V_n = e.row[0], to.V_f = e.row[1];
        to.rate = e.row[2].x;
        to.inverse_D = kept.J.inverse_d.x;
      } else if constexpr (joint.kSlides == 0) {
        to.K = {e.row[0], e.row[1], e.row[2]};
        to.k = e.row[3];
        to.J = kept.J;
      } else {
        to.k = e.row[0], to.translation = e.row[1];
        to.K = kept.K;
        to.J = kept.J, to.M = kept.M;
      }
    });
  }
  if (!elimination_.Solve(wrenches_, {closure.right_side(), At(closure.row_count())},
                          sweep.elimination(0).row[1]))
    return false;
  closure.Take(elimination_.multipliers());
  for (int k = 0; k < ground; ++k) {
    auto& e = sweep.elimination(paths.stops()[At(k)].element);
    const double* const change = elimination_.change(k);
    ForMovingJoint(columns_.joints()[At(k)].type, [&](auto joint) {
      const auto vector = [change](int i) {
        return Vec<double>{change[i], change[i + 1], change[i + 2]};
      };
      if constexpr (joint.kOneAxis) {
        e.row[2].x += change[0];
      } else if constexpr (joint.kSlides == 0) {
        e.row[3] = e.row[3] - vector(0);
      } else {
        e.row[0] = e.row[0] + vector(0);
        e.row[1] = e.row[1] + vector(3);
      }
    });
  }
  return true;
}

Status Loops::CloseByColumns(Sweep<double>& sweep, LoopClosure& closure) {
  for (int i = 0; i < closure.row_count(); ++i) {
    for (int side : {0, 1}) {
      const Load<double>& wrench = wrenches_[2 * At(i) + At(side)];
      columns_.Set(i, side, wrench.moment, wrench.force);
    }
  }
  columns_.Carry(sweep, closure.ClearedMatrix(), closure.right_side());
  if (const Status status = closure.Solve(gravity_); !status.ok()) return status;

  std::fill(columns_.net().begin(), columns_.net().end(), Load<double>{});
  for (int l = 0; l < closure.loop_count(); ++l) {
    for (int side : {0, 1}) {
      Load<double>& load = columns_.net()[At(columns_.paths().StopOf(l, side))];
      for (int i = closure.first_row(l); i < closure.end_row(l); ++i) {
        const Load<double>& wrench = wrenches_[2 * At(i) + At(side)];
        load.force = AddScaled(load.force, closure.multiplier(i), wrench.force);
        load.moment = AddScaled(load.moment, closure.multiplier(i), wrench.moment);
      }
    }
  }
  columns_.Apply(sweep);
  return {};
}

}  // namespace mbsbench::articulated_body
