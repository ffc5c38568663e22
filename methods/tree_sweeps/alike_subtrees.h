// Alike subtrees of one tree, swept in SIMD lanes.
//
// Two subtrees are alike if a one-to-one map between their groups preserves parents, joint types and kernels; masses, inertias and
// geometry may differ. As many as a vector holds are swept together, one per lane, with constants per lane. The rest of the tree, the
// trunk, is swept as usual. The three passes of a set of alike subtrees and of the groups p that carry them:
//
//   motion         R_p, omega_p of each lane's carrier from the trunk
//   inertia        sum over the lanes that hang on a group of the trunk: what the group has gathered before its other children report
//   acceleration   alpha_p, a_p of each lane's carrier from the trunk
//
// The equations are those of the sweep on another scalar; the order of sums at carriers differs, hence the last digits.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "methods/numerics/lanes.h"
#include "methods/tree_sweeps/tree_sweep.h"

namespace mbsbench {

// The roots of alike subtrees that are swept together. Lanes from `used` on repeat the first.
struct AlikeSet {
  std::array<int, kBatchLanes> roots{};
  std::size_t used = 0;
};

// Disjoint sets, largest subtrees first; empty if they would not save time.
std::vector<AlikeSet> AlikeSets(const std::vector<SweepGroup<double>>& groups);

// A tree cut into its trunk and sets of alike subtrees. Place: the tree and index in which a group of
// the whole tree is swept.
struct AlikePlan {
  struct Border {
    std::array<int, kBatchLanes> carriers{};  // groups of the trunk
    std::size_t used = 0;
  };
  // Entries of y that are consecutive in each lane.
  struct Entries {
    std::array<int, kBatchLanes> at{};
    int count = 0;
  };
  struct Place {
    int group = 0, lane = -1;  // lane -1: in the trunk
  };
  GroupTree<double> trunk;
  GroupTree<BatchLanes> lanes;
  TreeBorders of_trunk, of_lanes;
  std::vector<Border> borders;
  std::vector<Entries> entries;
  std::vector<Place> places;
  std::size_t state_size = 0;
};

// Empty `borders` if no subtrees are alike or the tree does not fit into the caches.
AlikePlan PlanAlikeSubtrees(const GroupTree<double>& tree);

// Sweeps alike subtrees of trees without springs, drivers and loads. Sweep<T, C>: a TreeSweep.
template <template <class, class> class Sweep>
class AlikeSubtrees {
 public:
  // Null if there is no plan.
  static std::unique_ptr<AlikeSubtrees> Make(const GroupTree<double>& tree,
                                             const Vector3& gravity) {
    AlikePlan plan = PlanAlikeSubtrees(tree);
    if (plan.borders.empty()) return nullptr;
    return std::unique_ptr<AlikeSubtrees>(new AlikeSubtrees(std::move(plan), gravity));
  }

  // y = [q; u]; ydot gets [q'; u']. False if a joint has no inertia about its free axes or a number is NaN:
  // then ydot is invalid.
  bool Evaluate(const double* y, double* ydot);

  // After Evaluate, of the whole tree's groups.
  GroupMotion<double> motion(int group) const;
  GroupAcceleration acceleration(int group) const;

 private:
  using Trunk = Sweep<double, double>;
  using Lanes = Sweep<BatchLanes, BatchLanes>;

  AlikeSubtrees(AlikePlan plan, const Vector3& gravity);

  void TakeMotionOfCarriers();
  void GiveInertiaToCarriers();
  void TakeAccelerationOfCarriers();

  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  // The numbers of a record in order.
  template <class Record>
  static const double* Numbers(const Record& record) {
    return reinterpret_cast<const double*>(&record);
  }
  template <class Record>
  static double* Numbers(Record& record) {
    return reinterpret_cast<double*>(&record);
  }
  // Number k of lane l of what is written in lanes.
  static constexpr std::size_t InLanes(std::size_t k, std::size_t l) { return k * kBatchLanes + l; }
  static constexpr std::size_t kMotionOfCarrier = 12;  // R, omega
  static_assert(offsetof(GroupMotion<double>, r) == kMotionOfCarrier * sizeof(double));
  static constexpr std::size_t kAccelerationOfCarrier = 6;  // alpha, a
  static constexpr std::size_t kGathered = sizeof(typename Trunk::Gathered) / sizeof(double);
  static_assert(sizeof(typename Lanes::Gathered) == kGathered * sizeof(BatchLanes));

  Trunk trunk_;
  Lanes lanes_;
  std::vector<int> loaded_carriers_;
  std::vector<AlikePlan::Border> borders_;
  std::vector<AlikePlan::Entries> entries_;
  std::vector<AlikePlan::Place> places_;
  std::vector<BatchLanes> y_, ydot_;
};

template <template <class, class> class Sweep>
AlikeSubtrees<Sweep>::AlikeSubtrees(AlikePlan plan, const Vector3& gravity)
    : trunk_(plan.trunk, gravity, plan.of_trunk),
      lanes_(plan.lanes, gravity, plan.of_lanes),
      loaded_carriers_(std::move(plan.of_trunk.carriers)),
      borders_(std::move(plan.borders)),
      entries_(std::move(plan.entries)),
      places_(std::move(plan.places)),
      y_(plan.state_size),
      ydot_(plan.state_size) {}

template <template <class, class> class Sweep>
bool AlikeSubtrees<Sweep>::Evaluate(const double* y, double* ydot) {
  BatchLanes* to = y_.data();
  for (const AlikePlan::Entries& e : entries_) {
    for (int k = 0; k < e.count; ++k, ++to)
      for (std::size_t l = 0; l < kBatchLanes; ++l) to->v[l] = y[e.at[l] + k];
  }
  trunk_.PassMotion(y, ydot);
  TakeMotionOfCarriers();
  lanes_.PassMotion(y_.data(), ydot_.data());
  if (lanes_.PassInertia() != 0) return false;
  GiveInertiaToCarriers();
  if (trunk_.PassInertia() != 0) return false;
  trunk_.PassAcceleration(y, ydot);
  TakeAccelerationOfCarriers();
  lanes_.PassAcceleration(y_.data(), ydot_.data());
  const BatchLanes* from = ydot_.data();
  for (const AlikePlan::Entries& e : entries_) {
    for (int k = 0; k < e.count; ++k, ++from)
      for (std::size_t l = 0; l < kBatchLanes; ++l) ydot[e.at[l] + k] = from->v[l];
  }
  return true;
}

template <template <class, class> class Sweep>
void AlikeSubtrees<Sweep>::TakeMotionOfCarriers() {
  for (std::size_t b = 0; b < borders_.size(); ++b) {
    double* to = Numbers(lanes_.base_motion(static_cast<int>(b) + 1));
    for (std::size_t l = 0; l < kBatchLanes; ++l) {
      const double* from = Numbers(trunk_.motion(borders_[b].carriers[l]));
      for (std::size_t k = 0; k < kMotionOfCarrier; ++k) to[InLanes(k, l)] = from[k];
    }
  }
}

template <template <class, class> class Sweep>
void AlikeSubtrees<Sweep>::GiveInertiaToCarriers() {
  for (int carrier : loaded_carriers_) trunk_.gathered(carrier) = {};
  for (std::size_t b = 0; b < borders_.size(); ++b) {
    const double* from = Numbers(lanes_.gathered(static_cast<int>(b) + 1));
    for (std::size_t l = 0; l < borders_[b].used; ++l) {
      if (borders_[b].carriers[l] == 0) continue;
      double* to = Numbers(trunk_.gathered(borders_[b].carriers[l]));
      for (std::size_t k = 0; k < kGathered; ++k) to[k] += from[InLanes(k, l)];
    }
  }
}

template <template <class, class> class Sweep>
void AlikeSubtrees<Sweep>::TakeAccelerationOfCarriers() {
  for (std::size_t b = 0; b < borders_.size(); ++b) {
    double* to = Numbers(lanes_.elimination(static_cast<int>(b) + 1));
    for (std::size_t l = 0; l < kBatchLanes; ++l) {
      const double* from = Numbers(trunk_.elimination(borders_[b].carriers[l]));
      for (std::size_t k = 0; k < kAccelerationOfCarrier; ++k) to[InLanes(k, l)] = from[k];
    }
  }
}

template <template <class, class> class Sweep>
GroupMotion<double> AlikeSubtrees<Sweep>::motion(int group) const {
  const AlikePlan::Place& place = places_[At(group)];
  if (place.lane < 0) return trunk_.motion(place.group);
  GroupMotion<double> motion;
  const double* from = Numbers(lanes_.motion(place.group));
  for (std::size_t k = 0; k < sizeof motion / sizeof(double); ++k)
    Numbers(motion)[k] = from[InLanes(k, At(place.lane))];
  return motion;
}

template <template <class, class> class Sweep>
GroupAcceleration AlikeSubtrees<Sweep>::acceleration(int group) const {
  const AlikePlan::Place& place = places_[At(group)];
  if (place.lane < 0)
    return {trunk_.alpha(place.group), trunk_.acceleration_less_gravity(place.group)};
  const auto of_lane = [lane = place.lane](const Vec<BatchLanes>& a) {
    return Vec<double>{a.x.v[lane], a.y.v[lane], a.z.v[lane]};
  };
  return {of_lane(lanes_.alpha(place.group)),
          of_lane(lanes_.acceleration_less_gravity(place.group))};
}

}  // namespace mbsbench
