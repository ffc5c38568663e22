// A formulation on joint coordinates whose equations are those of a sweep that eliminates one joint after another (tree_sweep.h): trees
// by the three passes, in SIMD lanes if subtrees are alike, or by threads on request; loops closed after the sweep to the root; reactions
// of trees by the sweep to the tips.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "methods/coordinates/tree_formulation.h"
#include "methods/kinematics/joint_laws.h"
#include "methods/tree_motion/force_element_loads.h"
#include "methods/tree_motion/group_tree.h"
#include "methods/tree_sweeps/alike_subtrees.h"
#include "methods/tree_sweeps/condition_of_factors.h"
#include "methods/tree_sweeps/partition.h"
#include "methods/tree_sweeps/sweep_loops.h"
#include "methods/tree_sweeps/thread_team.h"

namespace mbsbench {

// y = [q; u]: joint coordinates and rates in the order of System::joints. SweepOf<T, C>: a TreeSweep.
template <template <class, class> class SweepOf>
class SweepFormulation final : public TreeFormulation {
  using Sweep = SweepOf<double, double>;

 public:
  SweepFormulation(const GivenSystem& given, Stabilisation stabilisation, int threads = 1,
                   LoopElimination::Use elimination = LoopElimination::Use::kWhereCheaper)
      : SweepFormulation(given, Divided(MakeGroupTree<double>(given), threads), threads,
                         stabilisation, elimination) {}

  // By a separate sweep, which keeps all factors. Inertias depend on positions only.
  SolvedCondition ConditionAt(double t, std::span<const double> state) override {
    const std::span<const double> y = DrivenAt(t, state);
    SolvedCondition condition{1, Sweep::kConditionOf,
                              closure() ? std::max(3, closure()->row_count()) : 3};
    const GroupTree<double> tree = MakeGroupTree<double>(system());
    Sweep sweep(tree, system().gravity);
    std::vector<int> all(tree.groups.size());
    std::iota(all.begin(), all.end(), 0);
    sweep.KeepFactorsOf(all);
    std::vector<double> ydot(y.size());
    sweep.PassMotion(y.data(), ydot.data());
    if (sweep.PassInertia() != 0) condition.number = std::numeric_limits<double>::infinity();
    const auto note = [&condition](const Factors<double>& f) {
      condition.number = std::max(condition.number, ConditionOfFactors(f));
    };
    for (std::size_t g = 1; g < tree.groups.size(); ++g) {
      const typename Sweep::KeptFactors& kept = sweep.kept_factors(static_cast<int>(g));
      ForMovingJoint(tree.groups[g].type, [&](auto joint) {
        if constexpr (joint.kTurnsFreely) note(kept.J);
        if constexpr (joint.kTurnsFreely && joint.kSlides > 0) note(kept.M);
      });
    }
    return condition;
  }

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  SweepFormulation(const GivenSystem& given, GroupTree<double> tree, int threads,
                   Stabilisation stabilisation, LoopElimination::Use elimination)
      : TreeFormulation(given, stabilisation),
        loads_(given, tree),
        forces_in_joints_(given, tree.GroupOfJoint(given)),
        centres_(TakeCentres(tree, closure() != nullptr)),
        sweep_(tree, TreeFormulation::system().gravity, {}, WorkSpace::kLater) {
    const System& system = this->system();
    joint_of_group_.reserve(tree.groups.size());
    for (const SweepGroup<double>& group : tree.groups) joint_of_group_.push_back(group.joint);
    if (!system.drivers.empty()) {
      const std::vector<int> group_of_joint = tree.GroupOfJoint(system);
      for (const Driver& d : system.drivers)
        group_of_driver_.push_back(group_of_joint[At(d.joint)]);
    }
    if (!loads_.empty()) sweep_.EnableLoads();
    if (sweep_.parts() > 1 && loads_.empty() && system.loop_joints.empty()) {
      team_ = std::make_unique<ThreadTeam>(sweep_.parts() - 1);
      singular_.resize(At(sweep_.parts()));
    }
    if (threads == 1 && !closure() && loads_.empty() && system.drivers.empty() &&
        !system.forces.AnyOnJoints()) {
      alike_ = AlikeSubtrees<SweepOf>::Make(tree, system.gravity);
    }
    const auto is_fixed = [](const Joint& joint) { return RateCount(joint.type) == 0; };
    equations_contain_reactions_ = !closure() && std::ranges::none_of(system.joints, is_fixed);
    if (!closure()) tree = GroupTree<double>();
    sweep_.MakeWorkSpace(system.gravity);
    if (closure()) loops_ = std::make_unique<SweepLoops<Sweep>>(system, tree, sweep_, elimination);
  }

  // The poses of the bodies are freed unless loops need them.
  static std::vector<CentreInGroup> TakeCentres(GroupTree<double>& tree, bool keeps_seats) {
    std::vector<CentreInGroup> centres;
    centres.reserve(tree.placements.size());
    for (const BodyInGroup<double>& placement : tree.placements)
      centres.push_back({placement.group, placement.centre});
    if (!keeps_seats) tree.placements = std::vector<BodyInGroup<double>>();
    return centres;
  }

  // True for trees in which each joint moves its own group.
  bool equations_contain_reactions() const override { return equations_contain_reactions_; }

  Status SolveWithReactions(double t, std::span<const double> y, std::span<double> ydot,
                            std::span<JointReaction> reactions,
                            std::span<double> along_axes) override {
    is_in_lanes_ = false;
    if (!sweep_.has_reactions()) sweep_.EnableReactions(joint_of_group_);
    PutJointForces(t, y);
    sweep_.PassMotion(y.data(), ydot.data());
    if (!loads_.empty()) loads_.Apply(y.data(), sweep_, sweep_.loads());
    if (const int group = sweep_.PassInertiaForReactions(); group != 0)
      return Singular(joint_of_group_[At(group)]);
    sweep_.PassAccelerationAndReactions(y.data(), ydot.data(), reactions);
    for (std::size_t k = 0; k < group_of_driver_.size(); ++k)
      along_axes[k] = sweep_.along_axis(group_of_driver_[k]);
    return {};
  }

  // Sets the accelerations of driven joints, and the forces of springs and motors.
  void PutJointForces(double t, std::span<const double> y) {
    const std::span<double> forces = sweep_.joint_forces();
    for (std::size_t k = 0; k < group_of_driver_.size(); ++k)
      forces[At(group_of_driver_[k])] = driven().all()[k].acceleration;
    forces_in_joints_.Put(t, y.data(), forces);
  }

  Status Solve(double t, std::span<const double> y, std::span<double> ydot) override {
    is_in_lanes_ = alike_ && alike_->Evaluate(y.data(), ydot.data());
    if (is_in_lanes_) return {};
    // If a lane finds a joint without inertia, the sweep of the whole tree identifies it.
    PutJointForces(t, y);
    if (const int group =
            team_ ? SweepToRootTogether(y.data(), ydot.data()) : SweepToRoot(y.data(), ydot.data());
        group != 0) {
      return Singular(joint_of_group_[At(group)]);
    }
    if (loops_) {
      if (const Status status = loops_->Close(y.data(), sweep_, *closure()); !status.ok())
        return status;
    }
    if (team_) {
      SweepToTipsTogether(y.data(), ydot.data());
    } else {
      sweep_.PassAcceleration(y.data(), ydot.data());
    }
    return {};
  }

  // Motion and inertia. Returns 0, or the group whose joint has no inertia about its free axes.
  int SweepToRoot(const double* y, double* ydot) {
    sweep_.PassMotion(y, ydot);
    if (!loads_.empty()) loads_.Apply(y, sweep_, sweep_.loads());
    return sweep_.PassInertia();
  }
  // Sweeps with a part of the tree per thread.
  int SweepToRootTogether(const double* y, double* ydot) {
    sweep_.PassMotion(y, ydot, sweep_.part(0));
    const auto work = [&](int k) {
      sweep_.PassMotion(y, ydot, sweep_.part(k + 1));
      singular_[At(k)] = sweep_.PassInertia(sweep_.part(k + 1));
    };
    team_->Run(work);
    for (int group : singular_) {
      if (group != 0) return group;
    }
    return sweep_.PassInertia(sweep_.part(0));
  }
  void SweepToTipsTogether(const double* y, double* ydot) {
    sweep_.PassAcceleration(y, ydot, sweep_.part(0));
    const auto work = [&](int k) { sweep_.PassAcceleration(y, ydot, sweep_.part(k + 1)); };
    team_->Run(work);
  }

  std::vector<BodyAcceleration> Accelerations() const override {
    if (is_in_lanes_) {
      return AccelerationsOfBodies(centres_, *alike_, system().gravity,
                                   [this](int group) { return alike_->acceleration(group); });
    }
    return AccelerationsOfBodies(centres_, sweep_, system().gravity, [this](int group) {
      return GroupAcceleration{sweep_.alpha(group), sweep_.acceleration_less_gravity(group)};
    });
  }

  ForceElementLoads loads_;
  JointForces forces_in_joints_;
  std::vector<CentreInGroup> centres_;  // per body
  Sweep sweep_;
  std::unique_ptr<SweepLoops<Sweep>> loops_;       // none on trees
  std::unique_ptr<AlikeSubtrees<SweepOf>> alike_;  // null if no subtrees are alike
  bool is_in_lanes_ = false;                       // the accelerations at hand
  std::unique_ptr<ThreadTeam> team_;               // null if one thread does all the work
  std::vector<int> singular_;                      // what its threads found
  bool equations_contain_reactions_ = false;
  std::vector<int> joint_of_group_, group_of_driver_;
};

}  // namespace mbsbench
