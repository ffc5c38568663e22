// The loops of one system, closed after its sweep: constraint rows at the motion, the forces that close them, and the transfer of
// these forces into the sweep. Few rows are carried to the root as columns and solved at once (loop_columns.h); many are eliminated
// where loops meet (loop_elimination.h), if they are independent.
#pragma once

#include <algorithm>
#include <string>

#include "methods/loops/loop_elimination.h"
#include "methods/loops/loop_ends.h"
#include "methods/tree_sweeps/loop_columns.h"

namespace mbsbench {

// The cost of the forces that close the loops by each of the two algorithms; empty on trees.
inline std::string ExplainSweepLoops(const System& system) {
  if (system.loop_joints.empty()) return "";
  return ExplainLoopElimination(system, PathsOfLoops(system, MakeGroupTree<double>(system)));
}

template <class Sweep>
class SweepLoops {
 public:
  SweepLoops(const System& system, const GroupTree<double>& tree, Sweep& sweep,
             LoopElimination::Use elimination = LoopElimination::Use::kWhereCheaper);

  // Between PassInertia and PassAcceleration, at the same y.
  Status Close(const double* y, Sweep& sweep, LoopClosure& closure);

 private:
  static std::vector<JointType> TypesOf(const LoopColumns<Sweep>& columns) {
    std::vector<JointType> types;
    for (const auto& joint : columns.joints()) types.push_back(joint.type);
    return types;
  }
  int stop_count() const { return static_cast<int>(columns_.paths().stops().size()) - 1; }
  int GroupOf(int stop) const {
    return columns_.paths().stops()[static_cast<std::size_t>(stop)].element;
  }
  void SetPassages(Sweep& sweep);
  void ApplyChanges(Sweep& sweep);

  LoopEnds ends_;
  LoopWrenches wrenches_;
  LoopColumns<Sweep> columns_;
  LoopElimination elimination_;
};

template <class Sweep>
SweepLoops<Sweep>::SweepLoops(const System& system, const GroupTree<double>& tree, Sweep& sweep,
                              LoopElimination::Use elimination)
    : ends_(system, tree),
      wrenches_(LoopRowCount(system)),
      columns_(system, tree),
      elimination_(system, columns_.paths(), TypesOf(columns_), elimination) {
  sweep.KeepFactorsOf(columns_.Groups());
  for (int k = 0; k < stop_count(); ++k) {
    const int group = GroupOf(k);
    const auto& motion = sweep.motion(group);
    elimination_.ReadFrom(
        k, {&motion.r, &motion.gamma, sweep.elimination(group).row, &sweep.kept_factors(group).J});
  }
}

template <class Sweep>
Status SweepLoops<Sweep>::Close(const double* y, Sweep& sweep, LoopClosure& closure) {
  ends_.CalcRows(y, sweep, closure);
  wrenches_.Set(
      closure, [this](int loop, int side) { return ends_.arm(loop, side); },
      [&](int loop, int side) { return sweep.motion(ends_.group(loop, side)).omega; });
  if (elimination_.IsChosen(closure)) {
    SetPassages(sweep);
    if (elimination_.Close(wrenches_, sweep.elimination(0).row[1], closure)) {
      ApplyChanges(sweep);
      return {};
    }
  }
  for (int i = 0; i < closure.row_count(); ++i) {
    for (int side : {0, 1})
      columns_.Set(i, side, wrenches_.of(i, side).moment, wrenches_.of(i, side).force);
  }
  columns_.AddResponses(sweep, closure.ClearedMatrix(), closure.right_side());
  const Status status = closure.Solve([&] { return ends_.TypicalAcceleration(sweep); });
  if (!status.ok()) return status;
  std::fill(columns_.net().begin(), columns_.net().end(), Load<double>{});
  for (int l = 0; l < closure.loop_count(); ++l) {
    for (int side : {0, 1}) {
      Load<double>& sum =
          columns_.net()[static_cast<std::size_t>(columns_.paths().StopOf(l, side))];
      const Load<double> net = wrenches_.Net(closure, l, side);
      sum = {sum.force + net.force, sum.moment + net.moment};
    }
  }
  columns_.Apply(sweep);
  return {};
}

// (1) of loop_elimination.h from the results of the sweep, except the data that are read in place.
template <class Sweep>
void SweepLoops<Sweep>::SetPassages(Sweep& sweep) {
  for (int k = 0; k < stop_count(); ++k) {
    const auto& joint_of_stop = columns_.joints()[static_cast<std::size_t>(k)];
    ForMovingJoint(joint_of_stop.type, [&](auto joint) {
      if constexpr (joint.kOneAxis || joint.kSlides > 0) {
        const auto& e = sweep.elimination(GroupOf(k));
        const auto& motion = sweep.motion(GroupOf(k));
        const auto& kept = sweep.kept_factors(GroupOf(k));
        LoopElimination::Passage& to = elimination_.passage(k);
        if constexpr (joint.kOneAxis) {
          if constexpr (joint.kTurns == 1)
            to.turn = Cross(sweep.motion(joint_of_stop.parent_group).omega, motion.omega);
          to.s = AxisOf(motion.R);
          to.V_n = e.row[0], to.V_f = e.row[1];
          to.rate = e.row[2].x;
          to.inverse_D = kept.J.inverse_d.x;
        } else {
          to.SetK(kept.K);
          to.K_and_k[3] = e.row[0], to.translation = e.row[1];
          to.J = kept.J, to.M = kept.M;
        }
      }
    });
  }
}

template <class Sweep>
void SweepLoops<Sweep>::ApplyChanges(Sweep& sweep) {
  for (std::size_t k = 0; k + 1 < columns_.paths().stops().size(); ++k) {
    auto& e = sweep.elimination(columns_.paths().stops()[k].element);
    const double* const change = elimination_.change(static_cast<int>(k));
    const auto vector = [change](int i) {
      return Vec<double>{change[i], change[i + 1], change[i + 2]};
    };
    ForMovingJoint(columns_.joints()[k].type, [&](auto joint) {
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
}

}  // namespace mbsbench
