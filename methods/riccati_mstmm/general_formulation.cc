#include "methods/riccati_mstmm/general_formulation.h"

#include <algorithm>
#include <limits>

#include "methods/numerics/condition_of_factors.h"

namespace mbsbench {

RiccatiGeneral::RiccatiGeneral(const System& system, Stabilisation stabilisation)
    : JointCoordinateFormulation(system, stabilisation), space_(tree_, closure() != nullptr) {
  if (!closure()) return;
  std::array<std::vector<int>, 2> ends;
  for (const Joint& joint : system.loop_joints) {
    ends[0].push_back(ElementOf(joint.child));
    ends[1].push_back(ElementOf(joint.parent));
    cuts_.push_back({CutEnd{ends[0].back(), {}}, CutEnd{ends[1].back(), {}}});
  }
  columns_ = std::make_unique<RiccatiLoopColumns<double>>(system, tree_, ends[0], ends[1],
                                                          closure()->row_count());
}

// The cut joints' rows at y, their columns of e, the closure, and e of its solution in the hinges.
Status RiccatiGeneral::CloseLoops(std::span<const double> y) {
  CalcLoopRows(y);
  LoopClosure& closure = *this->closure();
  // Column of a force and a moment at a cut joint's point, on the child or against it on the parent.
  const auto column_of = [](const Vector3& force, const Vector3& moment, int side,
                            const CutEnd& end) {
    const double sign = side == 0 ? 1 : -1;
    const Vec<double> f = sign * Lifted(force), n = sign * Lifted(moment);
    return LoopForce<double>{-n - Cross(end.arm, f), f};
  };
  for (int l = 0; l < closure.loop_count(); ++l) {
    for (int side : {0, 1}) {
      CutEnd& end = cuts_[static_cast<std::size_t>(l)][static_cast<std::size_t>(side)];
      end.arm = ArmTo(l, end.element);
      const Vec<double> centripetal =
          DoubleCross(space_.motions[static_cast<std::size_t>(end.element)].omega, end.arm);
      for (int i = closure.first_row(l); i < closure.end_row(l); ++i) {
        const LoopForce<double> e =
            column_of(closure.row(i).force, closure.row(i).moment, side, end);
        columns_->Set(i, side, e);
        closure.right_side()[i] += Dot(e.e_q, centripetal);
      }
    }
  }
  columns_->Carry(tree_, space_, closure.ClearedMatrix(), closure.right_side());
  if (const Status status = closure.Solve(Norm(system().gravity)); !status.ok()) return status;

  for (LoopForce<double>& e : columns_->solution()) e = {};
  for (int l = 0; l < closure.loop_count(); ++l) {
    const JointReaction reaction = closure.ReactionOf(l);
    for (int side : {0, 1}) {
      const CutEnd& end = cuts_[static_cast<std::size_t>(l)][static_cast<std::size_t>(side)];
      const LoopForce<double> e = column_of(reaction.force, reaction.torque, side, end);
      LoopForce<double>& sum =
          columns_->solution()[static_cast<std::size_t>(columns_->paths().StopOf(l, side))];
      sum.e_m = sum.e_m + e.e_m;
      sum.e_q = sum.e_q + e.e_q;
    }
  }
  columns_->Apply(tree_, space_);
  return {};
}

Status RiccatiGeneral::Solve(double, std::span<const double> y, std::span<double> ydot) {
  // positions and velocities, root -> tips
  Move(y, ydot, space_.motions.data(),
       [this](std::size_t k, const Vec<double>& f_C, const Vec<double>& m_C) {
         space_.forces[k + 1] = {f_C, m_C};
       });
  // S and e at every output end, tips -> root
  if (const int singular = SweepToRoot(tree_, has_wrenches(), space_); singular != 0) {
    return Singular(tree_.elements[static_cast<std::size_t>(singular) - 1].joint);
  }
  if (closure()) {
    if (const Status status = CloseLoops(y); !status.ok()) return status;
  }
  // z_b, and from it the rates, root -> tips
  SweepToTips(tree_, space_, ydot.data());
  return {};
}

// A sweep of its own, which keeps the pivots; it needs motions and forces only.
SolvedCondition RiccatiGeneral::ConditionAt(double t, std::span<const double> y) {
  SolvedCondition condition{1, "largest of the blocks H'MH inverted at the hinges, 3 x 3 or less",
                            closure() ? std::max(3, closure()->row_count()) : 3};
  std::vector<double> ydot(y.size());
  SweepSpace<double> space(tree_, true);
  if (Evaluate(t, y, ydot).ok()) {
    space.motions = space_.motions;
    space.forces = space_.forces;
  }
  if (SweepToRoot(tree_, has_wrenches(), space) != 0) {
    condition.number = std::numeric_limits<double>::infinity();
    return condition;
  }
  const auto note = [&condition](const Factors<double>& f) {
    condition.number = std::max(condition.number, ConditionOfFactors(f));
  };
  for (std::size_t k = 0; k < tree_.elements.size(); ++k) {
    ForHinge(tree_.elements[k], [&](auto joint) {
      if constexpr (joint.kTurnsFreely) note(space.pivots[k + 1].rotation);
      if constexpr (joint.kTurnsFreely && joint.kSlides > 0) note(space.pivots[k + 1].translation);
    });
  }
  return condition;
}

void RiccatiGeneral::OutputStates(std::span<OutputState> states) const {
  for (std::size_t k = 0; k < states.size(); ++k) {
    const HingeSolution<double>& hinge = space_.hinges[k + 1];
    states[k] = {hinge.a() + tree_.gravity, hinge.alpha(), {}, {}};
  }
}

// z_a from z_b: cheaper than to keep S and e for it.
std::vector<JointReaction> RiccatiGeneral::Passed(
    std::span<const BodyState> bodies, std::span<const BodyAcceleration> accelerations) const {
  return TreeFormulation::Passed(bodies, accelerations);
}

}  // namespace mbsbench
