#include "methods/kinematics/sweep_order.h"

#include <algorithm>
#include <cstddef>

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

bool BeginsPart(std::size_t i, std::span<const int> part_begins) {
  return std::binary_search(part_begins.begin(), part_begins.end(), static_cast<int>(i));
}

}  // namespace

SlotPlan PlanSlots(std::span<const int> parents, std::span<const int> part_begins,
                   std::span<const int> carriers) {
  const std::size_t n = parents.size();
  SlotPlan plan;
  plan.slots.resize(n);
  for (int carrier : carriers) plan.slots[At(carrier)].own = plan.count++;
  std::vector<int> free_slots;
  for (std::size_t i = n; i-- > 1;) {
    if (i + 1 < n && BeginsPart(i + 1, part_begins)) {
      free_slots.clear();
      ++plan.count;
    }
    GatheringSlots& slots = plan.slots[i];
    if (slots.own != 0) free_slots.push_back(slots.own);
    if (parents[i] == 0) continue;
    int& of_parent = plan.slots[At(parents[i])].own;
    slots.so_far = of_parent;
    if (of_parent == 0) {
      if (free_slots.empty()) free_slots.push_back(plan.count++);
      of_parent = free_slots.back();
      free_slots.pop_back();
    }
    slots.parent = of_parent;
  }
  return plan;
}

std::vector<LikeRun> RunsOfLikeElements(std::span<const int> kinds, const SlotPlan& plan,
                                        std::span<const int> part_begins) {
  constexpr std::size_t kLong = 16;
  const std::size_t n = kinds.size();
  // An element and the next.
  const auto alike = [&](std::size_t a, std::size_t b) {
    return kinds[a] == kinds[b] && !BeginsPart(b, part_begins);
  };
  std::vector<LikeRun> runs;
  for (std::size_t i = 1; i < n;) {
    const bool first = plan.slots[i].so_far == 0;
    std::size_t end = i + 1;
    while (end < n && alike(end - 1, end) && (plan.slots[end].so_far == 0) == first) ++end;
    const bool alone = (i == 1 || !alike(i - 1, i)) && (end == n || !alike(end - 1, end));
    const bool long_first = first && (alone || end - i >= kLong);
    if (!runs.empty() && alike(i - 1, i) && !long_first && !runs.back().first) {
      runs.back().end = static_cast<int>(end);
    } else {
      runs.push_back({long_first, static_cast<int>(i), static_cast<int>(end)});
    }
    i = end;
  }
  return runs;
}

}  // namespace mbsbench
