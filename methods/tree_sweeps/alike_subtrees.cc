#include "methods/tree_sweeps/alike_subtrees.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// A set in fewer lanes costs as much as its subtrees one by one.
constexpr std::size_t kFewestLanes = (5 * kBatchLanes + 7) / 8;

// Beyond the caches sets of records in lanes stream from memory without prefetching: 1.09 times the sweep group by group at
// 131,071 bodies, 0.29 times at 16,383.
constexpr std::size_t kMostGroups = 20'000;

std::uint64_t Mixed(std::uint64_t h, std::uint64_t next) {
  h = (h ^ next) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 29)) * 0x94d049bb133111ebull;
  return h ^ (h >> 32);
}

// The shapes of subtrees: per group its children, those of equal shape together, and the shape of its subtree.
struct Shapes {
  std::vector<std::vector<int>> children;
  std::vector<std::uint64_t> shape;
  std::vector<int> size;

  explicit Shapes(const std::vector<SweepGroup<double>>& groups)
      : children(groups.size()), shape(groups.size()), size(groups.size(), 1) {
    for (std::size_t i = 1; i < groups.size(); ++i)
      children[At(groups[i].parent)].push_back(static_cast<int>(i));
    for (std::size_t i = groups.size(); i-- > 1;) {
      std::stable_sort(children[i].begin(), children[i].end(),
                       [this](int a, int b) { return shape[At(a)] < shape[At(b)]; });
      const SweepGroup<double>& g = groups[i];
      const int axis = g.plain && HasOneAxis(g.type) ? g.axis : 0;
      shape[i] = Mixed(1, static_cast<std::uint64_t>(4 * KindOf(g) + axis));
      for (int child : children[i]) {
        shape[i] = Mixed(shape[i], shape[At(child)]);
        size[i] += size[At(child)];
      }
    }
  }

  // Calls visit(group) for all of a subtree, in the order that alike subtrees share.
  template <class Visit>
  void ForSubtree(int root, Visit visit) const {
    std::vector<int> waiting{root};
    while (!waiting.empty()) {
      const int group = waiting.back();
      waiting.pop_back();
      visit(group);
      waiting.insert(waiting.end(), children[At(group)].begin(), children[At(group)].end());
    }
  }
};

bool IsBranched(const std::vector<SweepGroup<double>>& groups) {
  std::vector<bool> carries(groups.size());
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (carries[At(groups[i].parent)]) return true;
    carries[At(groups[i].parent)] = true;
  }
  return false;
}

std::vector<AlikeSet> SetsOf(const Shapes& shapes) {
  std::vector<int> order(shapes.size.size() - 1);
  std::iota(order.begin(), order.end(), 1);
  std::sort(order.begin(), order.end(), [&shapes](int a, int b) {
    return std::tuple(-shapes.size[At(a)], shapes.shape[At(a)], a) <
           std::tuple(-shapes.size[At(b)], shapes.shape[At(b)], b);
  });
  std::vector<AlikeSet> sets;
  std::vector<bool> taken(shapes.size.size());
  for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
    const std::uint64_t shape = shapes.shape[At(order[begin])];
    std::vector<int> alike;
    for (end = begin; end < order.size() && shapes.shape[At(order[end])] == shape; ++end) {
      if (!taken[At(order[end])]) alike.push_back(order[end]);
    }
    for (std::size_t first = 0; first + kFewestLanes <= alike.size(); first += kBatchLanes) {
      AlikeSet set;
      set.used = std::min(kBatchLanes, alike.size() - first);
      for (std::size_t l = 0; l < kBatchLanes; ++l) {
        set.roots[l] = alike[first + (l < set.used ? l : 0)];
        shapes.ForSubtree(set.roots[l], [&taken](int group) { taken[At(group)] = true; });
      }
      sets.push_back(set);
    }
  }
  return sets;
}

template <class Of>
BatchLanes Packed(const std::array<int, kBatchLanes>& groups, Of of) {
  BatchLanes packed;
  for (std::size_t l = 0; l < kBatchLanes; ++l) packed.v[l] = of(groups[l]);
  return packed;
}

}  // namespace

std::vector<AlikeSet> AlikeSets(const std::vector<SweepGroup<double>>& groups) {
  return IsBranched(groups) ? SetsOf(Shapes(groups)) : std::vector<AlikeSet>{};
}

AlikePlan PlanAlikeSubtrees(const GroupTree<double>& tree) {
  if (tree.groups.size() > kMostGroups) return {};
  const std::vector<AlikeSet> sets = AlikeSets(tree.groups);
  if (sets.empty()) return {};
  using Row = std::array<int, kBatchLanes>;
  const std::vector<SweepGroup<double>>& groups = tree.groups;
  const Shapes shapes(groups);
  AlikePlan plan;
  plan.places.resize(groups.size());
  std::vector<bool> in_lanes(groups.size());
  std::vector<Row> rows;  // groups that are swept together
  for (const AlikeSet& set : sets) {
    const std::size_t first = rows.size();
    rows.resize(first + static_cast<std::size_t>(shapes.size[At(set.roots[0])]));
    for (std::size_t l = 0; l < kBatchLanes; ++l) {
      std::size_t row = first;
      shapes.ForSubtree(set.roots[l], [&](int group) {
        rows[row++][l] = group;
        in_lanes[At(group)] = true;
      });
    }
  }
  // The first lane's order in the tree: a parent before its children, those of one kind together.
  std::sort(rows.begin(), rows.end());

  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (in_lanes[i]) continue;
    plan.places[i] = {static_cast<int>(plan.trunk.groups.size()), -1};
    plan.trunk.groups.push_back(groups[i]);
    SweepGroup<double>& placed = plan.trunk.groups.back();
    placed.parent = plan.places[At(placed.parent)].group;
  }
  std::vector<SweepGroup<BatchLanes>>& lanes = plan.lanes.groups;
  lanes.resize(1 + sets.size());
  for (SweepGroup<BatchLanes>& base : lanes) base.plain = true;
  plan.of_lanes.bases = static_cast<int>(sets.size());
  std::vector<int> base_of_root(groups.size());
  for (const AlikeSet& set : sets) {
    AlikePlan::Border border{{}, set.used};
    for (std::size_t l = 0; l < kBatchLanes; ++l)
      border.carriers[l] = plan.places[At(groups[At(set.roots[l])].parent)].group;
    plan.borders.push_back(border);
    base_of_root[At(set.roots[0])] = static_cast<int>(plan.borders.size());
    for (int carrier : border.carriers)
      if (carrier != 0) plan.of_trunk.carriers.push_back(carrier);
  }
  std::sort(plan.of_trunk.carriers.begin(), plan.of_trunk.carriers.end());
  plan.of_trunk.carriers.erase(
      std::unique(plan.of_trunk.carriers.begin(), plan.of_trunk.carriers.end()),
      plan.of_trunk.carriers.end());

  for (const Row& row : rows) {
    const SweepGroup<double>& like = groups[At(row[0])];
    for (std::size_t l = kBatchLanes; l-- > 0;)
      plan.places[At(row[l])] = {static_cast<int>(lanes.size()), static_cast<int>(l)};
    const auto pack = [&row, &groups](auto of) {
      return Packed(row, [&](int group) { return of(groups[At(group)]); });
    };
    SweepGroup<BatchLanes> g;
    g.type = like.type;
    g.plain = like.plain;
    g.axis = like.axis;
    g.parent = base_of_root[At(row[0])] != 0 ? base_of_root[At(row[0])]
                                             : plan.places[At(like.parent)].group;
    using Group = SweepGroup<double>;
    const auto pack_vector = [&pack](auto of) {
      return Vec<BatchLanes>{pack([&](const Group& a) { return of(a).x; }),
                             pack([&](const Group& a) { return of(a).y; }),
                             pack([&](const Group& a) { return of(a).z; })};
    };
    g.arm = pack_vector([](const Group& a) { return a.arm; });
    g.turn = {pack_vector([](const Group& a) { return a.turn.x; }),
              pack_vector([](const Group& a) { return a.turn.y; }),
              pack_vector([](const Group& a) { return a.turn.z; })};
    g.mass = pack([](const Group& a) { return a.mass; });
    g.moment = pack_vector([](const Group& a) { return a.moment; });
    g.inertia = {pack([](const Group& a) { return a.inertia.xx; }),
                 pack([](const Group& a) { return a.inertia.xy; }),
                 pack([](const Group& a) { return a.inertia.xz; }),
                 pack([](const Group& a) { return a.inertia.yy; }),
                 pack([](const Group& a) { return a.inertia.yz; }),
                 pack([](const Group& a) { return a.inertia.zz; })};
    const auto add_entries = [&](int count, auto offset) {
      AlikePlan::Entries entries{{}, count};
      for (std::size_t l = 0; l < kBatchLanes; ++l) entries.at[l] = offset(groups[At(row[l])]);
      plan.entries.push_back(entries);
      const auto at = static_cast<int>(plan.state_size);
      plan.state_size += At(count);
      return at;
    };
    g.q = add_entries(CoordinateCount(like.type), [](const Group& a) { return a.q; });
    g.u = add_entries(RateCount(like.type), [](const Group& a) { return a.u; });
    lanes.push_back(g);
  }
  return plan;
}

}  // namespace mbsbench
