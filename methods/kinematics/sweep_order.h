// Work space of sweeps over a tree, and their division into loops without branches on joint types.
// Element 0 is the ground; parents precede their children.
#pragma once

#include <span>
#include <vector>

namespace mbsbench {

// Accumulators for the contributions of the children of an element in a sweep from the tips to the
// root.
struct GatheringSlots {
  int own = 0;     // 0, which stays zero, at tips
  int parent = 1;  // slot of the parent; 1: contributions to the ground
  int so_far =
      0;  // slot with the sum of the preceding children of that parent; 0 for the first child
};
struct SlotPlan {
  std::vector<GatheringSlots> slots;  // per element
  int count = 2;
};
// An element takes a slot when the first of its children contributes, and releases it when it is itself swept: a
// chain needs one slot, which stays in the first-level cache. Parts of the tree, each from one of `part_begins`
// (ascending) to the next, share neither slots nor cache lines. `carriers` receive contributions from outside the
// tree before those of their children: their slots exist from the start.
SlotPlan PlanSlots(std::span<const int> parents, std::span<const int> part_begins = {},
                   std::span<const int> carriers = {});

// Consecutive elements that are treated alike.
struct LikeRun {
  bool first;  // each is the first child to contribute to its parent
  int begin, end;
};
// Elements are alike if their `kinds` are equal. Only long stretches of first children have their own
// runs.
std::vector<LikeRun> RunsOfLikeElements(std::span<const int> kinds, const SlotPlan& plan,
                                        std::span<const int> part_begins = {});

}  // namespace mbsbench
