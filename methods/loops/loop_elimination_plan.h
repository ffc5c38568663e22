// The order in which the joints on the paths of loops are eliminated, so that few groups are coupled at a
// time.
//
// The rows of a loop couple the groups at their two ends. When the joint of a group i is eliminated, all groups coupled with i become
// coupled with one another and with the parent p of i: as in a sparse factorisation, N(i) + p becomes a clique. A group can be
// eliminated after all its children. Among these the one with the fewest couplings is next (minimum degree), among equals one that is
// already in the front, then the deepest. On a ladder each group then has one partner, whereas an order branch by branch has as many
// partners as loops. If loops lie side by side all over a mechanism, minimum degree begins everywhere at once, and the front becomes
// too wide. Then the cheaper of two other orders is chosen: groups of the front before others, or the deepest first.
//
// The front is the set of pending groups that carry a part of a loop. Each has a slot in it.
#pragma once

#include <span>
#include <vector>

#include "methods/loops/loop_paths.h"

namespace mbsbench {

// Whether loops are eliminated where they meet, or their columns are carried to the root.
enum class UseOfElimination { kWhereCheaper, kAlways, kNever };

struct LoopEliminationPlan {
  struct Entry {  // a group in the front
    int stop, slot;
  };
  struct Step {
    int stop, parent;        // stops of LoopPaths; parent -1: the ground
    int slot;                // of the stop's group
    int parent_slot;         // of the parent's; -1: the ground
    bool parent_takes_slot;  // the parent enters the front in this step, in the slot of its child
    bool
        is_bare;  // the group enters in this step: it carries the rows of its loops and nothing else
    // Groups coupled with this one, without the parent; up to last_piece with the parent, if it has its own slot.
    int first_partner, last_partner, last_piece;
    int first_loop, last_loop;    // loops whose rows enter the front before this step
    int first_entry, last_entry;  // and the groups that enter with them
  };
  std::vector<Step> steps;
  std::vector<Entry> partners;
  std::vector<int> loops;
  std::vector<int> slot_of_stop;  // the same from its entry to its elimination
  std::vector<Entry> entries;
  int slots = 0;  // at once

  // Approximate number of multiply-adds.
  double work = 0;
};

// The largest number of groups in the front.
inline constexpr int kMostSlots = 32;

// `rows`: per loop joint. The order needs more than kMostSlots only if every order does; then the plan ends there.
LoopEliminationPlan PlanLoopElimination(const LoopPaths& paths, std::span<const int> rows);

}  // namespace mbsbench
