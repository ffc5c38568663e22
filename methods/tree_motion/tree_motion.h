// The sweep from the root to the tips over positions and velocities, the first step of every
// evaluation in joint coordinates on rigid groups.
//
// Everything is in inertial axes, about the group's own origin P, at its joint. Per group with parent
// p:
//   R = R_p E A(q)               omega = omega_p + s u
//   r = P - P_p                  gamma = the velocity-dependent part of a - a_p
//
// Groups of one kind are visited in one run, so that the loops over groups contain no branch on
// types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "methods/interface/observation.h"
#include "methods/kinematics/sweep_order.h"
#include "methods/kinematics/tree_joint.h"
#include "methods/numerics/prefetch.h"
#include "methods/numerics/sine_cosine.h"
#include "methods/tree_motion/group_tree.h"
#include "methods/tree_motion/load.h"

namespace mbsbench {

// The result of the sweep for a group.
template <class T>
struct GroupMotion {
  Mat<T> R;  // group axes -> inertial
  Vec<T> omega, r, gamma;
};

// The axis of a joint that has one, for the rotation matrix of its group.
template <class T>
[[gnu::always_inline]] inline Vec<T> AxisOf(const Mat<T>& R) {
  return Column<2>(R);
}

// The interfaces of a tree with others that are swept separately
// (methods/tree_sweeps/alike_subtrees.h).
struct TreeBorders {
  int bases = 0;  // the motion of groups 1 ... bases is set from outside; they only carry others
  std::vector<int> carriers;  // groups that also receive contributions from outside the tree
};

// When a sweep allocates the arrays of evaluations. kLater: after the GroupTree has been freed, to reuse its memory.
enum class WorkSpace { kNow, kLater };

// C: type of the constants of groups.
template <class T, class C = Constant<T>>
class TreeMotion {
 public:
  using Motion = GroupMotion<T>;

  explicit TreeMotion(const GroupTree<C>& tree, const TreeBorders& borders = {},
                      WorkSpace work_space = WorkSpace::kNow);

  // y = [q; u]; ydot gets q'.
  void PassMotion(const T* y, T* ydot) { PassMotion(y, ydot, all_); }

  // A part of the tree, 0 ... parts() (GroupTree::part_begins), can be passed alone: part 0 comes before the
  // others in passes towards the tips, and after them in those to the root.
  struct Part {
    std::size_t first_run = 0, end_run = 0;
  };
  int parts() const { return static_cast<int>(parts_.size()) - 1; }
  const Part& part(int k) const { return parts_[At(k)]; }
  void PassMotion(const T* y, T* ydot, const Part& part);

  int group_count() const { return static_cast<int>(links_.size()); }
  const Motion& motion(int group) const { return motions_[At(group)]; }

 protected:
  struct Link {
    Vec<C> arm;
    int parent, q, u;
    int axis;  // SweepGroup::axis
  };
  struct Run {
    JointType type;
    bool driven, plain;
    bool first;  // each is the first child to contribute to its parent
    int begin, end;
  };

  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  // WorkSpace::kLater: before the first evaluation.
  void MakeWorkSpace();

  // Calls `visit` with the run's TreeJoint and plainness as compile-time constants.
  template <class Visit>
  static auto Dispatch(const Run& run, Visit visit);

  std::vector<Run> runs_;
  std::vector<Part> parts_;
  Part all_;
  std::vector<Link> links_;
  std::vector<Mat<C>> turns_;  // per group; empty where all groups are plain
  std::vector<Motion> motions_;
  SlotPlan slot_plan_;  // accumulators for sums over children

 private:
  template <class Joint, bool kPlain>
  void MotionRun(const Run& run, const T* y, T* ydot);
};

template <class T, class C>
TreeMotion<T, C>::TreeMotion(const GroupTree<C>& tree, const TreeBorders& borders,
                             WorkSpace work_space) {
  bool all_plain = true;
  std::vector<int> parents, kinds;
  links_.reserve(tree.groups.size());
  parents.reserve(tree.groups.size());
  kinds.reserve(tree.groups.size());
  for (std::size_t i = 0; i < tree.groups.size(); ++i) {
    const SweepGroup<C>& g = tree.groups[i];
    links_.push_back({g.arm, g.parent, g.q, g.u, g.axis});
    all_plain = all_plain && (i == 0 || g.plain);
    parents.push_back(g.parent);
    kinds.push_back(static_cast<int>(i) <= borders.bases ? -1 : KindOf(g));
  }
  if (!all_plain) {
    for (const SweepGroup<C>& g : tree.groups) turns_.push_back(g.turn);
  }
  slot_plan_ = PlanSlots(parents, tree.part_begins, borders.carriers);
  for (const LikeRun& run : RunsOfLikeElements(kinds, slot_plan_, tree.part_begins)) {
    if (run.begin <= borders.bases) continue;
    const SweepGroup<C>& g = tree.groups[At(run.begin)];
    runs_.push_back({g.type, g.driven, g.plain, run.first, run.begin, run.end});
  }
  parts_.resize(1);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (parts_.size() <= tree.part_begins.size() &&
        runs_[r].begin == tree.part_begins[parts_.size() - 1]) {
      parts_.push_back({r, r});
    }
    parts_.back().end_run = r + 1;
  }
  all_ = {0, runs_.size()};
  if (work_space == WorkSpace::kNow) MakeWorkSpace();
}

template <class T, class C>
void TreeMotion<T, C>::MakeWorkSpace() {
  motions_.resize(links_.size());
  motions_[0].R = Identity<T>();
}

template <class T, class C>
template <class Visit>
auto TreeMotion<T, C>::Dispatch(const Run& run, Visit visit) {
  return ForMovingJoint(run.type, [&run, &visit](auto joint) {
    return run.plain ? visit.template operator()<decltype(joint), true>()
                     : visit.template operator()<decltype(joint), false>();
  });
}

template <class T, class C>
void TreeMotion<T, C>::PassMotion(const T* y, T* ydot, const Part& part) {
  for (std::size_t k = part.first_run; k < part.end_run; ++k) {
    const Run& run = runs_[k];
    Dispatch(run, [&]<class Joint, bool kPlain>() { MotionRun<Joint, kPlain>(run, y, ydot); });
  }
}

template <class T, class C>
template <class Joint, bool kPlain>
[[gnu::noinline]] void TreeMotion<T, C>::MotionRun(const Run& run, const T* y, T* ydot) {
  // Sines and cosines are computed several revolutes ahead.
  constexpr int kBlock = SineCosineBlock<T>::kSize;
  [[maybe_unused]] SineCosineBlock<T> angles;
  for (int i = run.begin; i < run.end; ++i) {
    Prefetch<kRecordsAhead<T>>(motions_[At(i)]);
    const Link& link = links_[At(i)];
    const Motion& p = motions_[At(link.parent)];
    Motion& m = motions_[At(i)];
    Mat<T> R_P;  // axes of the joint's parent frame
    if constexpr (!kPlain) {
      R_P = p.R * Raise<T>(turns_[At(i)]);
    } else if constexpr (Joint::kOneAxis) {
      R_P = AxesEndingWith(p.R, link.axis);
    } else {
      R_P = p.R;
    }
    const int k = (i - run.begin) % kBlock;
    if constexpr (Joint::kTurning == Turning::kAboutZ) {
      if (k == 0) {
        const auto angle_of = [&](int ahead) {
          return y[links_[At(i + ahead)].q + Joint::kSlides];
        };
        angles.Calc(std::min(kBlock, run.end - i), angle_of);
      }
    }
    const T *const q = y + link.q, *const u = y + link.u;
    MoveFrame<Joint>(R_P, p.omega, p.R * Raise<T>(link.arm), q, u, angles.cosine[k], angles.sine[k],
                     m.R, m.omega, m.r, m.gamma);
    CoordinateRates<Joint>(q, u, ydot + link.q);
  }
}

extern template class TreeMotion<double>;  // tree_motion_double.cc

// Accelerations of the mass centres; `placements`: BodyInGroup or CentreInGroup per body; of_group(group): that of a group's origin, less
// gravity.
struct GroupAcceleration {
  Vec<double> alpha, a;
};
template <class Placement, class Motion, class OfGroup>
std::vector<BodyAcceleration> AccelerationsOfBodies(const std::vector<Placement>& placements,
                                                    const Motion& motion, const Vector3& gravity,
                                                    OfGroup of_group) {
  std::vector<BodyAcceleration> accelerations;
  accelerations.reserve(placements.size());
  for (const Placement& placement : placements) {
    const GroupMotion<double> m = motion.motion(placement.group);
    const GroupAcceleration g = of_group(placement.group);
    const Vec<double> arm = m.R * placement.centre;
    accelerations.push_back(
        {Plain(AddDoubleCross(AddCross(g.a, g.alpha, arm), m.omega, arm)) + gravity,
         Plain(g.alpha)});
  }
  return accelerations;
}

}  // namespace mbsbench
