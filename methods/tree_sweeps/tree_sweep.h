// The common part of sweeps that eliminate one joint after another: the articulated-body algorithm and the Riccati
// transfer matrix method write their equations as two kernels over runs of groups with equal joints, and this class
// does the rest.
//
// Everything is in inertial axes, about the group's own origin P (at its joint); accelerations are those of the point of the group
// at P, less gravity: with a := a - g the ground accelerates at -g and no weight appears. Three passes:
//
//   motion, root to tips        R, omega, r = P - P_p, gamma (tree_motion.h)
//   inertia, tips to root       what a subtree gathers; each joint is eliminated and leaves what the last pass needs
//   acceleration, root to tips  u' of each joint, alpha and a of each group
//   reactions, on request       the wrench in a joint follows from the matrices of its subtree, which the
//                               inertia pass then keeps (joint_wrench.h)
//
// Groups of one kind are visited in one run, so that the loops over groups contain no branch on
// types.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/numerics/block_factors.h"
#include "methods/thresholds/thresholds.h"
#include "methods/tree_motion/tree_motion.h"
#include "methods/tree_sweeps/joint_wrench.h"

namespace mbsbench {

// What the inertia pass does in addition to eliminating joints: adds loads; and keeps factors for the
// columns of loop forces, which follow it (loop_columns.h).
enum class SweepExtras { kNone, kLoads, kLoadsAndFactors };

// Method: the derived class. Subtree: its sums on the way to the root, numbers of type T that are added. The kernels
// of a Method over a run of groups:
//
//   template <class Joint, bool kPlain, SweepExtras kExtras, bool kFirst, bool kReactions, bool kDriven>
//   int InertiaRun(const Run& run, T* wrenches);      0, or the group whose joint has no inertia about its free axes
//   template <class Joint, bool kReactions>
//   void AccelerationRun(const Run& run, const T* y, T* ydot, const T* wrenches, JointReaction* reactions);
//
// kFirst: each group of the run is the first child to contribute to its parent. A driven joint has no free axis to eliminate.
// It stores zeros for U / D, the limit of an infinite D, and its given acceleration as the rate, so that the acceleration
// pass and the columns of loops treat it like any other.
template <class Method, class Subtree, class T, class C>
class TreeSweep : public TreeMotion<T, C> {
  using Base = TreeMotion<T, C>;

 public:
  using typename Base::Motion, typename Base::Part;
  using Scalar = T;
  using Gathered = Subtree;

  TreeSweep(const GroupTree<C>& tree, const Vector3& gravity, const TreeBorders& borders,
            WorkSpace work_space);
  // WorkSpace::kLater: before the first evaluation.
  void MakeWorkSpace(const Vector3& gravity);

  // An evaluation is PassMotion and these two passes. y = [q; u]; ydot gets u' in the last.
  // 0, or the group whose joint has no inertia about its free axes.
  int PassInertia() { return PassInertia(all_); }
  void PassAcceleration(const T* y, T* ydot) { PassAcceleration(y, ydot, all_); }

  // Both passes over one part of the tree (TreeMotion::Part).
  int PassInertia(const Part& part);
  void PassAcceleration(const T* y, T* ydot, const Part& part);

  // The two passes with the reactions of the joints of the groups, `reactions` in the order of System::joints: constraint forces only,
  // zero along free directions. The accelerations equal those without reactions except for round-off: the compiler may fuse products and
  // sums in another order in a second kernel, and one kernel with a branch would cost 2 % more instructions. `joint_of_group` must outlive
  // the evaluations.
  void EnableReactions(std::span<const int> joint_of_group);
  bool has_reactions() const { return !wrenches_.empty(); }
  int PassInertiaForReactions();
  void PassAccelerationAndReactions(const T* y, T* ydot, std::span<JointReaction> reactions);
  // The effort of the springs or the driver along the axis of a joint with one axis.
  const T& along_axis(int group) const { return eliminations_[At(group)].row[2].y; }

  // Results of the inertia pass for the acceleration pass, with the joint-space inertia D and (U_n, U_f), the subtree's inertia
  // times the joint's axis:
  //   ball                 rows of K, and k                              alpha = -(K a + k)
  //   revolute, prismatic  U_n / D, U_f / D, u' but for these            u' = row[2].x - (U_n / D).alpha - (U_f / D).a
  //   free                 alpha and a
  // The acceleration pass overwrites it with alpha and a.
  struct Elimination {
    Vec<T> row[4];
  };
  // Additional data for the columns of loop forces.
  struct KeptFactors {
    Factors<T> J;  // ball, free: of the inertia about the rotations; one axis: inverse_d.x = 1 / D
    Factors<T> M;  // free: of the remaining inertia after the rotations
    Mat<T> K;      // free: as for ball
  };

  Vec<T> alpha(int group) const { return eliminations_[At(group)].row[0]; }
  Vec<T> acceleration_less_gravity(int group) const { return eliminations_[At(group)].row[1]; }
  // Bytes per group that an evaluation writes: motion and elimination.
  static constexpr std::size_t kWorkBytes = sizeof(Motion) + 12 * sizeof(T);

  // Generalised forces on revolute and prismatic joints, per group, and accelerations of driven ones;
  // read by PassInertia.
  std::span<T> joint_forces() { return joint_forces_; }
  // Loads per group, read by PassInertia; empty until EnableLoads.
  void EnableLoads() { loads_.resize(links_.size()); }
  std::span<Load<T>> loads() { return loads_; }
  // Makes the inertia pass keep the factors of these groups.
  void KeepFactorsOf(std::span<const int> groups);
  const KeptFactors& kept_factors(int group) const { return kept_[At(place_of_kept_[At(group)])]; }
  Elimination& elimination(int group) { return eliminations_[At(group)]; }
  // For a group whose mass is at its origin and changes.
  void SetMass(int group, C mass) { bodies_[At(group)].mass = mass; }

  // For bases: their motion is set from outside; rows 0 and 1 of elimination() are alpha and a.
  Motion& base_motion(int base) { return motions_[At(base)]; }
  // The accumulated sum of a base or a carrier (TreeBorders).
  Subtree& gathered(int group) { return slots_[At(bodies_[At(group)].slots.own)]; }

 protected:
  using Base::all_, Base::At, Base::Dispatch, Base::links_, Base::motions_, Base::runs_;
  using typename Base::Link, typename Base::Run;

  struct RigidBody {
    Vec<C> moment;
    Sym<C> inertia;
    C mass;
    GatheringSlots slots;
  };

  // Whether the inertia D about the axis s of a joint is more than round-off, with the subtree's J and M about P. The trace of J
  // contains inertia that the axis does not see: on a straight chain it grows with the cube of the bodies outboard while D does
  // not. Therefore D is compared with the smaller of that trace and of what the axis can see: the trace of the group itself, the
  // diagonal of J weighed by s, and the mass outboard at the largest radius of the tree. (a b / (a + b) is at least half of
  // the smaller one, in each lane.)
  template <class Joint>
  [[gnu::always_inline]] bool HasInertia(const T& D, const Vec<T>& s, const Sym<T>& J,
                                         const Sym<T>& M, int group) const {
    const T share(kThresholds.no_inertia), trace = Trace(Joint::kTurns == 1 ? J : M);
    if (Exceeds(D, share * trace)) [[likely]]
      return true;
    if constexpr (Joint::kTurns == 0) return false;
    const T seen = Trace(Raise<T>(bodies_[At(group)].inertia)) + s.x * s.x * J.xx +
                   s.y * s.y * J.yy + s.z * s.z * J.zz + T(largest_radius_squared_) * Trace(M);
    return Exceeds(D * (trace + seen), share * trace * seen);
  }

  // Offset of the numbers of a group's joint in those of its run.
  template <class Joint, class Number>
  static Number* WrenchOf(Number* wrenches, const Run& run, int group) {
    return wrenches + kWrenchNumbers<Joint> * At(group - run.begin);
  }
  // Rate derivative of a joint with one axis, at the accelerations on its root side.
  template <class Joint>
  void PutReactionOfAxis(const T* wrench_numbers, const Vec<T>& axis, const Vec<T>& alpha,
                         const Vec<T>& a, int group, JointReaction* reactions) {
    Load<T> wrench = WrenchAt(wrench_numbers, alpha, a);
    eliminations_[At(group)].row[2].y = EliminateAxis(Joint::kTurns == 1, axis, wrench);
    PutReaction(wrench.force, wrench.moment, reactions[joint_of_group_[At(group)]]);
  }

  std::vector<RigidBody> bodies_;
  C largest_radius_squared_{};  // of arms and radii of gyration
  std::vector<Elimination> eliminations_;
  // Slot 0 stays zero (for tips), slot 1 receives the contributions to the ground.
  std::vector<Subtree> slots_;
  std::vector<T> joint_forces_;
  std::vector<Load<T>> loads_;
  std::vector<KeptFactors> kept_;   // entry 0 is for values that are not read
  std::vector<int> place_of_kept_;  // per group; empty if nothing is kept
  // For reactions; empty until EnableReactions.
  KeptWrenches<T> wrenches_;
  std::span<const int> joint_of_group_;

 private:
  template <bool kReactions>
  int InertiaOfRuns(const Part& part);

  Method& method() { return static_cast<Method&>(*this); }
};

template <class Method, class Subtree, class T, class C>
TreeSweep<Method, Subtree, T, C>::TreeSweep(const GroupTree<C>& tree, const Vector3& gravity,
                                            const TreeBorders& borders, WorkSpace work_space)
    : Base(tree, borders, WorkSpace::kLater) {
  const std::size_t n = tree.groups.size();
  bodies_.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const SweepGroup<C>& g = tree.groups[i];
    bodies_.push_back({g.moment, g.inertia, g.mass, this->slot_plan_.slots[i]});
    if (i == 0) continue;
    const C arm_squared = Dot(g.arm, g.arm), trace = Trace(g.inertia);
    if (Exceeds(arm_squared, largest_radius_squared_)) largest_radius_squared_ = arm_squared;
    if (Exceeds(g.mass, C(0)) && Exceeds(trace, largest_radius_squared_ * g.mass))
      largest_radius_squared_ = trace / g.mass;
  }
  slots_.resize(At(this->slot_plan_.count));
  this->slot_plan_ = SlotPlan();
  if (work_space == WorkSpace::kNow) MakeWorkSpace(gravity);
}

template <class Method, class Subtree, class T, class C>
void TreeSweep<Method, Subtree, T, C>::MakeWorkSpace(const Vector3& gravity) {
  Base::MakeWorkSpace();
  eliminations_.resize(links_.size());
  joint_forces_.resize(links_.size());
  eliminations_[0].row[1] = -Lift<T>(gravity);
}

template <class Method, class Subtree, class T, class C>
void TreeSweep<Method, Subtree, T, C>::KeepFactorsOf(std::span<const int> groups) {
  EnableLoads();
  place_of_kept_.assign(links_.size(), 0);
  kept_.resize(1);
  for (int group : groups) {
    place_of_kept_[At(group)] = static_cast<int>(kept_.size());
    kept_.emplace_back();
  }
}

template <class Method, class Subtree, class T, class C>
void TreeSweep<Method, Subtree, T, C>::EnableReactions(std::span<const int> joint_of_group) {
  joint_of_group_ = joint_of_group;
  wrenches_.Plan(runs_, [](const Run& run) {
    return Dispatch(run, []<class Joint, bool>() { return kWrenchNumbers<Joint>; });
  });
}

template <class Method, class Subtree, class T, class C>
template <bool kReactions>
int TreeSweep<Method, Subtree, T, C>::InertiaOfRuns(const Part& part) {
  int singular = 0;
  for (std::size_t k = part.end_run; k-- > part.first_run;) {
    const Run& run = runs_[k];
    T* const wrenches = kReactions ? wrenches_.of_run(k) : nullptr;
    const int found = Dispatch(run, [&]<class Joint, bool kPlain>() {
      using enum SweepExtras;
      const auto pass = [&]<SweepExtras kExtras, bool kFirst, bool kDriven>() {
        constexpr bool kKeepsWrenches = kReactions && kExtras != kLoadsAndFactors;
        return method()
            .template InertiaRun<Joint, kPlain, kExtras, kFirst, kKeepsWrenches, kDriven>(run,
                                                                                          wrenches);
      };
      if constexpr (Joint::kOneAxis) {
        if (run.driven) {
          return !kept_.empty()    ? pass.template operator()<kLoadsAndFactors, false, true>()
                 : !loads_.empty() ? pass.template operator()<kLoads, false, true>()
                                   : pass.template operator()<kNone, false, true>();
        }
      }
      return !kept_.empty()    ? pass.template operator()<kLoadsAndFactors, false, false>()
             : !loads_.empty() ? pass.template operator()<kLoads, false, false>()
             : run.first       ? pass.template operator()<kNone, true, false>()
                               : pass.template operator()<kNone, false, false>();
    });
    if (singular == 0) singular = found;
  }
  return singular;
}

template <class Method, class Subtree, class T, class C>
int TreeSweep<Method, Subtree, T, C>::PassInertia(const Part& part) {
  return InertiaOfRuns<false>(part);
}
template <class Method, class Subtree, class T, class C>
int TreeSweep<Method, Subtree, T, C>::PassInertiaForReactions() {
  return InertiaOfRuns<true>(all_);
}

template <class Method, class Subtree, class T, class C>
void TreeSweep<Method, Subtree, T, C>::PassAcceleration(const T* y, T* ydot, const Part& part) {
  for (std::size_t k = part.first_run; k < part.end_run; ++k) {
    const Run& run = runs_[k];
    Dispatch(run, [&]<class Joint, bool>() {
      method().template AccelerationRun<Joint, false>(run, y, ydot, nullptr, nullptr);
    });
  }
}

template <class Method, class Subtree, class T, class C>
void TreeSweep<Method, Subtree, T, C>::PassAccelerationAndReactions(
    const T* y, T* ydot, std::span<JointReaction> reactions) {
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const T* const wrenches = wrenches_.of_run(k);
    Dispatch(runs_[k], [&]<class Joint, bool>() {
      method().template AccelerationRun<Joint, true>(runs_[k], y, ydot, wrenches, reactions.data());
    });
  }
}

}  // namespace mbsbench
