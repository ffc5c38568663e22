#include "methods/riccati_mstmm/general_formulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/interface/all_finite.h"
#include "methods/numerics/condition_of_factors.h"

namespace mbsbench {

RiccatiGeneral::RiccatiGeneral(const System& system, Stabilisation stabilisation)
    : JointCoordinateFormulation(system, stabilisation), space_(tree_, closure_ != nullptr) {
  if (!closure_) return;
  std::array<std::vector<int>, 2> ends;
  for (const Joint& joint : system.loop_joints) {
    ends[0].push_back(ElementOf(joint.child));
    ends[1].push_back(ElementOf(joint.parent));
  }
  columns_ = std::make_unique<RiccatiLoopColumns<double>>(system, tree_, ends[0], ends[1],
                                                          closure_->row_count());
  std::vector<int> stop_of_element(tree_.elements.size() + 1);
  const auto& stops = columns_->paths().stops();
  for (std::size_t k = 0; k < stops.size(); ++k) {
    stop_of_element[static_cast<std::size_t>(stops[k].element)] = static_cast<int>(k);
  }
  for (std::size_t l = 0; l < system.loop_joints.size(); ++l) {
    std::array<CutEnd, 2> cut;
    for (std::size_t side : {0u, 1u}) {
      cut[side].element = ends[side][l];
      cut[side].stop = stop_of_element[static_cast<std::size_t>(ends[side][l])];
    }
    cuts_.push_back(cut);
  }
}

// The cut joints' rows at y, their columns of e, the closure, and e of its solution in the hinges.
Status RiccatiGeneral::CloseLoops(std::span<const double> y) {
  const std::span<const BodyState> bodies = CalcBodies(y, space_.motions.data());
  const auto state_of = [&bodies](int body) {
    return body == kGround ? BodyState{} : bodies[static_cast<std::size_t>(body)];
  };
  for (int l = 0; l < closure_->loop_count(); ++l) {
    const Joint& joint = system_.loop_joints[static_cast<std::size_t>(l)];
    closure_->CalcRows(l, state_of(joint.parent), state_of(joint.child));
  }
  closure_->Start();
  // Column of a force and a moment at a cut joint's point, on the child or against it on the parent.
  const auto column_of = [](const Vector3& force, const Vector3& moment, std::size_t side,
                            const CutEnd& end) {
    const double sign = side == 0 ? 1 : -1;
    const Vec3<double> f{sign * force.x, sign * force.y, sign * force.z};
    const Vec3<double> n{sign * moment.x, sign * moment.y, sign * moment.z};
    return LoopForce<double>{-n - Cross(end.arm, f), f};
  };
  for (int l = 0; l < closure_->loop_count(); ++l) {
    const Joint& joint = system_.loop_joints[static_cast<std::size_t>(l)];
    for (std::size_t side : {0u, 1u}) {
      CutEnd& end = cuts_[static_cast<std::size_t>(l)][side];
      const int body = side == 0 ? joint.child : joint.parent;
      const Vector3 from_centre = closure_->point(l) - state_of(body).position;
      const ElementMotion<double>& motion = space_.motions[static_cast<std::size_t>(end.element)];
      end.arm = {from_centre.x, from_centre.y, from_centre.z};
      if (end.element > 0) {
        end.arm =
            end.arm + motion.A * tree_.elements[static_cast<std::size_t>(end.element) - 1].r_OC;
      }
      const Vec3<double> centripetal = DoubleCross(motion.omega, end.arm);
      for (int i = closure_->first_row(l); i < closure_->end_row(l); ++i) {
        const LoopForce<double> e =
            column_of(closure_->row(i).force, closure_->row(i).moment, side, end);
        columns_->Set(i, static_cast<int>(side), e);
        closure_->right_side()[i] += Dot(e.e_q, centripetal);
      }
    }
  }
  columns_->Carry(tree_, space_, closure_->matrix(), closure_->right_side());
  const Vec3<double>& g = tree_.gravity;
  if (const Status status = closure_->Solve(std::sqrt(Dot(g, g))); !status.ok()) return status;

  for (LoopForce<double>& e : columns_->solution()) e = {};
  for (int l = 0; l < closure_->loop_count(); ++l) {
    const JointReaction reaction = closure_->ReactionOf(l);
    for (std::size_t side : {0u, 1u}) {
      const CutEnd& end = cuts_[static_cast<std::size_t>(l)][side];
      const LoopForce<double> e = column_of(reaction.force, reaction.torque, side, end);
      LoopForce<double>& sum = columns_->solution()[static_cast<std::size_t>(end.stop)];
      sum.e_m = sum.e_m + e.e_m;
      sum.e_q = sum.e_q + e.e_q;
    }
  }
  columns_->Apply(tree_, space_);
  return {};
}

Status RiccatiGeneral::Evaluate(double t, std::span<const double> state, std::span<double> ydot) {
  // positions and velocities, root -> tips
  const std::span<const double> y = Driven(t, state);
  CalcMotion(tree_, y.data(), space_.motions.data(), ydot.data());
  Drive(space_.motions.data());
  if (has_wrenches()) {
    const std::span<const Wrench> wrenches = CalcWrenches(y, space_.motions.data());
    for (std::size_t k = 0; k < tree_.elements.size(); ++k) {
      const Wrench& w = wrenches[static_cast<std::size_t>(tree_.elements[k].body)];
      space_.forces[k + 1] = {{w.force.x, w.force.y, w.force.z},
                              {w.moment.x, w.moment.y, w.moment.z}};
    }
  }
  // S and e at every output end, tips -> root
  Status status;
  if (const int singular = SweepToRoot(tree_, has_wrenches(), space_); singular != 0) {
    const TreeElement& e = tree_.elements[static_cast<std::size_t>(singular) - 1];
    status = {Status::Code::kSingular, e.joint, e.body,
              "the tip side has no inertia about the joint's free axes"};
    if (!AllFinite(y)) status = {Status::Code::kNotFinite, -1, -1, "the state is not finite"};
  }
  if (status.ok() && closure_) status = CloseLoops(y);
  // z_b, and from it the rates, root -> tips
  if (status.ok()) SweepToTips(tree_, space_, ydot.data());
  PutDrivenRates(ydot);
  return Checked(status, ydot);
}

// A sweep of its own, which keeps the pivots; it needs motions and forces only.
SolvedCondition RiccatiGeneral::ConditionAt(double t, std::span<const double> y) {
  SolvedCondition condition{1, "largest of the blocks H'MH inverted at the hinges, 3 x 3 or less",
                            closure_ ? std::max(3, closure_->row_count()) : 3};
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
  const auto note = [&condition](const Pivots<double>& p) {
    const double number = ConditionOfFactors({p.l.x, p.l.y, p.l.z}, {p.x, p.y, p.z});
    condition.number = std::max(condition.number, number);
  };
  for (std::size_t k = 0; k < tree_.elements.size(); ++k) {
    ForHinge(tree_.elements[k], [&](auto joint) {
      if constexpr (joint.kTurnsFreely) note(space.pivots[k + 1].rotation);
      if constexpr (joint.kTurnsFreely && joint.kSlides > 0) note(space.pivots[k + 1].translation);
    });
  }
  return condition;
}

// z_a from the tips to the root, (a), (b) and (e) of general_sweep.h with z_b known: cheaper than
// to keep S and e for it.
void RiccatiGeneral::OutputStates(std::span<OutputState> states) const {
  for (std::size_t k = 0; k < states.size(); ++k) {
    const HingeSolution<double>& hinge = space_.hinges[k + 1];
    states[k] = {hinge.a() + tree_.gravity, hinge.alpha(), {}, {}};
  }
  for (std::size_t l = 0; l < cuts_.size(); ++l) {
    const JointReaction reaction = closure_->ReactionOf(static_cast<int>(l));
    const Vec3<double> f{reaction.force.x, reaction.force.y, reaction.force.z};
    const Vec3<double> n{reaction.torque.x, reaction.torque.y, reaction.torque.z};
    for (std::size_t side : {0u, 1u}) {
      const CutEnd& end = cuts_[l][side];
      if (end.element == 0) continue;
      OutputState& z = states[static_cast<std::size_t>(end.element) - 1];
      const double sign = side == 0 ? 1 : -1;
      z.q = z.q + sign * f;
      z.m = z.m - sign * (n + Cross(end.arm, f));
    }
  }
  for (std::size_t k = states.size(); k > 0; --k) {
    const TreeElement& e = tree_.elements[k - 1];
    const ElementMotion<double>& motion = space_.motions[k];
    const ExternalForce<double>& external = space_.forces[k];
    OutputState& z = states[k - 1];
    const Vec3<double> r_OC = motion.A * e.r_OC;
    const Vec3<double> a_C = z.a + Cross(z.alpha, r_OC) + DoubleCross(motion.omega, r_OC);
    const Vec3<double> f_C = e.mass * tree_.gravity + external.f_C;
    const Sym3<double> J = Rotated(motion.A, e.J_O);
    z.q = z.q + f_C - e.mass * a_C;
    z.m = z.m + e.mass * Cross(r_OC, z.a) + J * z.alpha + Cross(motion.omega, J * motion.omega) -
          Cross(r_OC, f_C) - external.m_C;
    if (e.parent > 0) {
      OutputState& outboard = states[static_cast<std::size_t>(e.parent) - 1];
      outboard.q = outboard.q + z.q;
      outboard.m = outboard.m + z.m - Cross(motion.d, z.q);
    }
  }
}

}  // namespace mbsbench
