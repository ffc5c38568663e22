// A tree divided into parts that threads sweep independently.
//
// Part 0 contains the root and a few groups next to it, the others contain whole subtrees. All
// subtrees on one group of part 0 are in one part, or in part 0 itself, so only one thread adds to
// the inertia of this group. The groups keep their relative order, and so do all sums: the results
// equal those of the undivided tree to the last bit.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "methods/tree_motion/group_tree.h"

namespace mbsbench {

// Per group its part, 0 ... parts; all 0 if there is no division into parts of similar size.
template <class T>
std::vector<int> PartsOf(const std::vector<SweepGroup<T>>& groups, int parts) {
  const std::size_t n = groups.size();
  std::vector<int> part(n);
  std::vector<std::size_t> below(n);  // number of groups in the subtree of each
  std::vector<std::vector<std::size_t>> children(n);
  for (std::size_t i = n; i-- > 1;) {
    const auto parent = static_cast<std::size_t>(groups[i].parent);
    below[parent] += below[i] + 1;
    children[parent].push_back(i);
  }
  // Cuts at the largest subtrees, until the pieces are small enough to be distributed evenly.
  const std::size_t small = n / (2 * static_cast<std::size_t>(parts));
  const std::size_t most_near_root = n / 10;  // swept by one thread
  const auto less = [&below](std::size_t a, std::size_t b) { return below[a] < below[b]; };
  std::vector<std::size_t> pieces{0};  // a heap of the groups that carry them
  std::size_t near_root = 0;
  while (below[pieces.front()] > small) {
    std::pop_heap(pieces.begin(), pieces.end(), less);
    const std::size_t cut = pieces.back();
    pieces.pop_back();
    for (std::size_t child : children[cut]) {
      pieces.push_back(child);
      std::push_heap(pieces.begin(), pieces.end(), less);
    }
    near_root += children[cut].size();
    if (near_root > most_near_root || pieces.empty()) return part;
  }
  std::sort(pieces.begin(), pieces.end(), [&less](auto a, auto b) { return less(b, a); });
  std::vector<std::size_t> load(static_cast<std::size_t>(parts));
  for (std::size_t piece : pieces) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += below[piece];
    for (std::size_t child : children[piece]) {
      part[child] = 1 + static_cast<int>(least - load.begin());
    }
  }
  for (std::size_t i = 1; i < n; ++i) {
    const int above = part[static_cast<std::size_t>(groups[i].parent)];
    if (above != 0) part[i] = above;
  }
  return part;
}

// `tree` with its groups ordered by parts.
template <class T>
GroupTree<T> Divided(GroupTree<T> tree, int parts) {
  if (parts == 1) return tree;
  const std::vector<int> part = PartsOf(tree.groups, parts);
  std::vector<int> order(tree.groups.size()), place(tree.groups.size());
  std::iota(order.begin(), order.end(), 0);
  const auto part_of = [&part](int group) { return part[static_cast<std::size_t>(group)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&part_of](int a, int b) { return part_of(a) < part_of(b); });
  GroupTree<T> divided;
  divided.placements = std::move(tree.placements);
  for (int g : order) {
    const int at = static_cast<int>(divided.groups.size());
    place[static_cast<std::size_t>(g)] = at;
    if (part_of(g) > divided.parts()) divided.part_begins.push_back(at);
    divided.groups.push_back(tree.groups[static_cast<std::size_t>(g)]);
    SweepGroup<T>& placed = divided.groups.back();
    placed.parent = place[static_cast<std::size_t>(placed.parent)];
  }
  for (BodyInGroup<T>& placement : divided.placements)
    placement.group = place[static_cast<std::size_t>(placement.group)];
  return divided;
}

}  // namespace mbsbench
