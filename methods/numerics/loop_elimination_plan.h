// In which order the joints on the paths of loops are eliminated, so that few groups are coupled at a time.
//
// The rows of a loop couple the groups at their two ends. When the joint of a group i is eliminated, all that i is coupled with is
// coupled with one another and with the parent p of i: as in a sparse factorisation, N(i) + p becomes a clique. A group can be
// eliminated after all its children. Of those the one with the fewest couplings comes next (minimum degree), and of equals one that is
// in the front already, then the deepest: on a ladder each group has one partner then, where branch after branch has as many
// partners as there are loops. Where loops lie side by side all over a mechanism, that begins everywhere at once, and the front becomes
// too wide to be kept. Then the cheaper one of two other orders is taken: groups of the front before others, or the deepest first.
//
// The front is the set of groups that carry a part of a loop and still wait. Each has a slot in it.
#pragma once

#include <span>
#include <vector>

#include "methods/numerics/loop_paths.h"

namespace mbsbench {

// Whether loops are eliminated where they meet or their columns are carried to the root.
enum class UseOfElimination { kWhereCheaper, kAlways, kNever };

struct LoopEliminationPlan {
  struct Entry {  // a group in the front
    int stop, slot;
  };
  struct Step {
    int stop, parent;  // stops of LoopPaths; parent -1: the ground
    int slot;          // of the stop's group
    int parent_slot;   // of the parent's; -1: the ground
    bool
        parent_takes_slot;  // the parent comes into the front with this step, in the place of its child
    bool
        is_bare;  // the group comes with this step: it carries the rows of its loops and nothing else
    // Groups coupled with this one, without the parent; up to last_piece with the parent, where it has a slot of its own.
    int first_partner, last_partner, last_piece;
    int first_loop, last_loop;    // loops whose rows come into the front before this step
    int first_entry, last_entry;  // and the groups that come with them
  };
  std::vector<Step> steps;
  std::vector<Entry> partners;
  std::vector<int> loops;
  std::vector<int> slot_of_stop;  // the same from its entry to its end
  std::vector<Entry> entries;
  int slots = 0;  // at once

  // Multiply-adds, about.
  double work = 0;
};

// The groups that an elimination can hold at once.
inline constexpr int kMostSlots = 32;

// `rows`: per loop joint. In an order that needs more than kMostSlots only where each does; then the plan ends where it does.
LoopEliminationPlan PlanLoopElimination(const LoopPaths& paths, std::span<const int> rows);

}  // namespace mbsbench
