// How sweeps over a tree share work space and are cut into loops without branches on joint types.
// Element 0 is the ground; a parent stands before its children.
#pragma once

#include <span>
#include <vector>

namespace mbsbench {

// Where what the children of an element pass on gathers in a sweep from the tips to the root.
struct GatheringSlots {
  int own = 0;     // 0, which stays zero, at tips
  int parent = 1;  // that of the parent; 1 takes what reaches the ground
  int so_far =
      0;  // what the children of that parent that came before have gathered; 0 for the first
};
struct SlotPlan {
  std::vector<GatheringSlots> slots;  // per element
  int count = 2;
};
// An element takes a slot when the first of its children reports, and gives it back when its turn
// comes: a chain lives on one slot, which never leaves the nearest cache. Parts of the tree, which
// begin at `part_begins` (ascending) and go on to the next, share none, nor a cache line.
// `carriers` gather from outside the tree before their children report: their own slots are there from the start.
SlotPlan PlanSlots(std::span<const int> parents, std::span<const int> part_begins = {},
                   std::span<const int> carriers = {});

// Elements that follow one another and are treated alike.
struct LikeRun {
  bool first;  // all of them report first to their parents
  int begin, end;
};
// Elements are alike where `kinds` are equal. Only long stretches that report first have runs of their
// own.
std::vector<LikeRun> RunsOfLikeElements(std::span<const int> kinds, const SlotPlan& plan,
                                        std::span<const int> part_begins = {});

}  // namespace mbsbench
