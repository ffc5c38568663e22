#include "methods/riccati_mstmm/general_formulation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "methods/numerics/condition_of_factors.h"

namespace mbsbench {

RiccatiGeneral::RiccatiGeneral(const GivenSystem& given, Stabilisation stabilisation,
                               LoopElimination::Use elimination)
    : JointCoordinateFormulation(given, stabilisation), space_(tree_, closure() != nullptr) {
  if (!closure()) return;
  const System& system = this->system();
  for (const Joint& joint : system.loop_joints) {
    ends_[0].push_back(ElementOf(joint.child));
    ends_[1].push_back(ElementOf(joint.parent));
  }
  const int rows = closure()->row_count();
  columns_ = std::make_unique<RiccatiLoopColumns<double>>(system, tree_, ends_[0], ends_[1], rows);
  wrenches_ = std::make_unique<LoopWrenches>(rows);
  std::vector<JointType> types;
  for (const LoopPaths::Stop& stop : columns_->paths().stops()) {
    if (stop.element == 0) continue;
    const TreeElement& element = tree_.elements[static_cast<std::size_t>(stop.element) - 1];
    types.push_back(element.driven || element.type == JointType::kFixed ? JointType::kRevolute
                                                                        : element.type);
  }
  elimination_ =
      std::make_unique<LoopElimination>(system, columns_->paths(), std::move(types), elimination);
}

// The cut joints' rows at y, the forces that close the loops, and these in the hinges.
Status RiccatiGeneral::CloseLoops(std::span<const double> y) {
  CalcLoopRows(y);
  LoopClosure& closure = *this->closure();
  const auto element_of = [this](int loop, int side) {
    return ends_[static_cast<std::size_t>(side)][static_cast<std::size_t>(loop)];
  };
  wrenches_->Set(
      closure, [&](int loop, int side) { return ArmTo(loop, element_of(loop, side)); },
      [&](int loop, int side) {
        return space_.motions[static_cast<std::size_t>(element_of(loop, side))].omega;
      });
  if (elimination_->IsChosen(closure)) {
    SetPassages();
    if (elimination_->Close(*wrenches_, space_.hinges[0].a(), closure)) {
      ApplyChanges();
      return {};
    }
  }
  const auto force_of = [](const Load<double>& wrench) {
    return LoopForce<double>{-wrench.moment, wrench.force};
  };
  for (int i = 0; i < closure.row_count(); ++i) {
    for (int side : {0, 1}) columns_->Set(i, side, force_of(wrenches_->of(i, side)));
  }
  columns_->Carry(tree_, space_, closure.ClearedMatrix(), closure.right_side());
  if (const Status status = closure.Solve(Norm(system().gravity)); !status.ok()) return status;
  for (LoopForce<double>& e : columns_->solution()) e = {};
  for (int l = 0; l < closure.loop_count(); ++l) {
    for (int side : {0, 1}) {
      const LoopForce<double> e = force_of(wrenches_->Net(closure, l, side));
      LoopForce<double>& sum =
          columns_->solution()[static_cast<std::size_t>(columns_->paths().StopOf(l, side))];
      sum.e_m = sum.e_m + e.e_m;
      sum.e_q = sum.e_q + e.e_q;
    }
  }
  columns_->Apply(tree_, space_);
  return {};
}

// (1) of loop_elimination.h. Fixed and driven hinges pass all: one axis with nothing along it.
void RiccatiGeneral::SetPassages() {
  for (std::size_t k = 0; k + 1 < columns_->paths().stops().size(); ++k) {
    const auto at = static_cast<std::size_t>(columns_->paths().stops()[k].element);
    const TreeElement& element = tree_.elements[at - 1];
    const ElementMotion<double>& motion = space_.motions[at];
    const HingeSolution<double>& hinge = space_.hinges[at];
    const HingePivots<double>& pivots = space_.pivots[at];
    LoopElimination::Passage& to = elimination_->passage(static_cast<int>(k));
    to.r = motion.d;
    to.gamma = motion.h_a;
    to.turn =
        AngularBias(element, space_.motions[static_cast<std::size_t>(element.parent)], motion);
    ForHinge(element, [&](auto joint) {
      if constexpr (joint.kOneAxis) {
        to.s = motion.axis();
        to.V_n = hinge.g_alpha(), to.V_f = hinge.g_a();
        to.rate = hinge.epsilon();
        to.inverse_D = pivots.rotation.inverse_d.x;
      } else if constexpr (joint.kTurnsFreely && joint.kSlides == 0) {
        to.K = Transposed(hinge.K_t);
        to.k = hinge.k;
        to.J = pivots.rotation;
      } else if constexpr (joint.kTurnsFreely) {
        to.k = hinge.alpha(), to.translation = hinge.a();
        to.K = Transposed(pivots.K_t);
        to.J = pivots.rotation, to.M = pivots.translation;
      }
    });
  }
}

void RiccatiGeneral::ApplyChanges() {
  for (std::size_t k = 0; k + 1 < columns_->paths().stops().size(); ++k) {
    const auto at = static_cast<std::size_t>(columns_->paths().stops()[k].element);
    HingeSolution<double>& hinge = space_.hinges[at];
    const double* const change = elimination_->change(static_cast<int>(k));
    const auto vector = [change](int i) {
      return Vec<double>{change[i], change[i + 1], change[i + 2]};
    };
    ForHinge(tree_.elements[at - 1], [&](auto joint) {
      if constexpr (joint.kOneAxis) {
        hinge.epsilon() += change[0];
      } else if constexpr (joint.kTurnsFreely && joint.kSlides == 0) {
        hinge.k = hinge.k - vector(0);
      } else if constexpr (joint.kTurnsFreely) {
        hinge.K_t.x = hinge.K_t.x + vector(0);
        hinge.K_t.y = hinge.K_t.y + vector(3);
      }
    });
  }
}

void RiccatiGeneral::MoveElements(std::span<const double> y, std::span<double> ydot) {
  Move(y, ydot, space_.motions.data(),
       [this](std::size_t k, const Vec<double>& f_C, const Vec<double>& m_C) {
         space_.forces[k + 1] = {f_C, m_C};
       });
}

Status RiccatiGeneral::SolveWithReactions(double, std::span<const double> y, std::span<double> ydot,
                                          std::span<JointReaction> reactions,
                                          std::span<double> along_axes) {
  if (space_.wrenches.empty()) space_.EnableReactions(tree_);
  MoveElements(y, ydot);
  if (const int singular = SweepToRootForReactions(tree_, has_wrenches(), space_); singular != 0)
    return Singular(tree_.elements[static_cast<std::size_t>(singular) - 1].joint);
  SweepToTipsWithReactions(tree_, space_, ydot.data(), reactions);
  for (std::size_t i = 0; i < along_axes.size(); ++i) {
    const auto joint = static_cast<std::size_t>(system().drivers[i].joint);
    const auto element = static_cast<std::size_t>(ElementOf(system().joints[joint].child));
    along_axes[i] = space_.along_axis[element];
  }
  return {};
}

Status RiccatiGeneral::Solve(double, std::span<const double> y, std::span<double> ydot) {
  // positions and velocities, root -> tips
  MoveElements(y, ydot);
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
