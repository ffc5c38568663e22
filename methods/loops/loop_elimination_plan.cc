#include "methods/loops/loop_elimination_plan.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// What comes first among the groups that can be eliminated.
enum class Order { kFewestPartners, kFrontFirst, kDeepestFirst };

class Planner {
 public:
  Planner(const LoopPaths& paths, std::span<const int> rows, Order order)
      : paths_(paths),
        rows_(rows),
        order_(order),
        ground_(static_cast<int>(paths.stops().size()) - 1),
        groups_(At(ground_)) {
    for (int i = ground_; i-- > 0;) {
      const int parent = paths.stops()[At(i)].parent;
      groups_[At(i)].parent = parent;
      if (parent != ground_) {
        groups_[At(i)].depth = groups_[At(parent)].depth + 1;
        ++groups_[At(parent)].children;
      }
    }
    for (std::size_t l = 0; l < rows.size(); ++l) {
      const int loop = static_cast<int>(l), a = paths.StopOf(loop, 0), b = paths.StopOf(loop, 1);
      for (int end : {a, b}) {
        if (end != ground_) groups_[At(end)].loops.push_back(loop);
      }
      Couple(a, b);
    }
    is_in_front_.resize(rows.size());
  }

  // Ends early where the front does not fit.
  LoopEliminationPlan Plan() {
    for (int i = 0; i < ground_; ++i) Offer(i);
    while (!waiting_.empty() && plan_.slots <= kMostSlots) {
      const int next = std::get<3>(*waiting_.begin());
      waiting_.erase(waiting_.begin());
      Eliminate(next);
    }
    for (const Group& g : groups_) plan_.slot_of_stop.push_back(g.slot);
    return std::move(plan_);
  }

 private:
  struct Group {
    int parent = 0, depth = 0, children = 0, slot = -1;
    bool is_waiting = false;
    std::set<int> coupled;   // groups of the front or to come
    std::vector<int> loops;  // that end here
  };
  using Key = std::tuple<int, int, int, int>;

  Key KeyOf(int i) const {
    const Group& g = groups_[At(i)];
    const bool has_parent = g.parent != ground_ && !g.coupled.contains(g.parent);
    const int partners = static_cast<int>(g.coupled.size()) + (has_parent ? 1 : 0),
              is_new = g.slot < 0 ? 1 : 0;
    switch (order_) {
      case Order::kFewestPartners: break;
      case Order::kFrontFirst: return {is_new, partners, -g.depth, i};
      case Order::kDeepestFirst: return {-g.depth, is_new, partners, i};
    }
    return {partners, is_new, -g.depth, i};
  }
  // Changes a group, whose key may change with it.
  template <class Change>
  void With(int i, Change change) {
    Group& g = groups_[At(i)];
    if (g.is_waiting) waiting_.erase(KeyOf(i));
    change(g);
    if (g.is_waiting) waiting_.insert(KeyOf(i));
  }
  void Offer(int i) {
    if (groups_[At(i)].children > 0) return;
    groups_[At(i)].is_waiting = true;
    waiting_.insert(KeyOf(i));
  }
  void Couple(int a, int b) {
    if (a == b || a == ground_ || b == ground_) return;
    With(a, [b](Group& g) { g.coupled.insert(b); });
    With(b, [a](Group& g) { g.coupled.insert(a); });
  }
  int FreeSlot() {
    const auto free = std::find(taken_.begin(), taken_.end(), 0);
    const int slot = static_cast<int>(free - taken_.begin());
    if (free == taken_.end()) taken_.push_back(0);
    taken_[At(slot)] = 1;
    return slot;
  }
  void Enter(int stop) {
    if (stop == ground_ || groups_[At(stop)].slot >= 0) return;
    const int slot = FreeSlot();
    With(stop, [slot](Group& g) { g.slot = slot; });
    plan_.entries.push_back({stop, slot});
  }

  void Eliminate(int i) {
    groups_[At(i)].is_waiting = false;
    LoopEliminationPlan::Step step{};
    step.stop = i;
    step.first_loop = static_cast<int>(plan_.loops.size());
    step.first_entry = static_cast<int>(plan_.entries.size());
    int entering_rows = 0;
    step.is_bare = groups_[At(i)].slot < 0;
    Enter(i);
    for (int loop : groups_[At(i)].loops) {
      if (is_in_front_[At(loop)]) continue;
      is_in_front_[At(loop)] = 1;
      plan_.loops.push_back(loop);
      for (int side : {0, 1}) Enter(paths_.StopOf(loop, side));
      entering_rows += rows_[At(loop)];
    }
    step.last_loop = static_cast<int>(plan_.loops.size());
    step.last_entry = static_cast<int>(plan_.entries.size());

    const Group own = groups_[At(i)];
    step.slot = own.slot;
    step.parent = own.parent == ground_ ? -1 : own.parent;
    step.first_partner = static_cast<int>(plan_.partners.size());
    for (int k : own.coupled) {
      if (k != own.parent) plan_.partners.push_back({k, groups_[At(k)].slot});
      With(k, [i](Group& g) { g.coupled.erase(i); });
    }
    step.last_partner = static_cast<int>(plan_.partners.size());
    for (auto a = own.coupled.begin(); a != own.coupled.end(); ++a) {
      Couple(*a, own.parent);
      for (auto b = std::next(a); b != own.coupled.end(); ++b) Couple(*a, *b);
    }
    plan_.slots = std::max(plan_.slots, static_cast<int>(taken_.size()));

    step.parent_slot = -1;
    if (step.parent < 0) {
      taken_[At(own.slot)] = 0;
    } else {
      const int slot = groups_[At(own.parent)].slot;
      step.parent_takes_slot = slot < 0;
      if (slot < 0) {
        With(own.parent, [&own](Group& g) { g.slot = own.slot; });
      } else {
        taken_[At(own.slot)] = 0;
      }
      step.parent_slot = groups_[At(own.parent)].slot;
      if (!step.parent_takes_slot) plan_.partners.push_back({own.parent, step.parent_slot});
      if (--groups_[At(own.parent)].children == 0) Offer(own.parent);
    }
    step.last_piece = static_cast<int>(plan_.partners.size());
    plan_.steps.push_back(step);
    // Columns along, and products of all pairs with up to three rates; rows wait for a joint or two.
    const int slots = step.is_bare ? 0
                                   : step.last_partner - step.first_partner +
                                         (step.parent >= 0 && !step.parent_takes_slot);
    const double columns = 6.0 * slots + std::max(3, entering_rows);
    plan_.work += 260 + 52 * columns + 4 * columns * columns;
  }

  const LoopPaths& paths_;
  std::span<const int> rows_;
  Order order_;
  int ground_;  // stop
  std::vector<Group> groups_;
  std::set<Key> waiting_;
  std::vector<char> taken_, is_in_front_;
  LoopEliminationPlan plan_;
};

}  // namespace

LoopEliminationPlan PlanLoopElimination(const LoopPaths& paths, std::span<const int> rows) {
  LoopEliminationPlan chosen = Planner(paths, rows, Order::kFewestPartners).Plan();
  if (chosen.slots <= kMostSlots) return chosen;
  for (const Order order : {Order::kFrontFirst, Order::kDeepestFirst}) {
    LoopEliminationPlan other = Planner(paths, rows, order).Plan();
    const bool is_first_that_fits = chosen.slots > kMostSlots;
    if (other.slots <= kMostSlots && (is_first_that_fits || other.work < chosen.work))
      chosen = std::move(other);
  }
  return chosen;
}

}  // namespace mbsbench
