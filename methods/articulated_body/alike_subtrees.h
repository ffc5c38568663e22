// Subtrees of one tree that are alike, side by side in SIMD lanes.
//
// Two subtrees are alike where a one-to-one map between their groups keeps parents, joint types and the kernels that groups need;
// masses, inertias and geometry may differ. As many as a vector holds are swept together, one per lane, with constants per lane. The rest
// of the tree, the trunk, is swept as ever. The three passes of a set of alike subtrees and of the groups p that carry them:
//
//   motion         R_p, omega_p of each lane's carrier from the trunk
//   inertia        sum over the lanes that hang on a group of the trunk: what the group has gathered before its other children report
//   acceleration   alpha_p, a_p of each lane's carrier from the trunk
//
// The equations are those of sweep.h on another scalar; the order of sums at carriers differs, hence the last digits.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "methods/articulated_body/sweep.h"
#include "methods/numerics/lanes.h"

namespace mbsbench::articulated_body {

// The roots of alike subtrees that are swept together. Lanes from `used` on repeat the first.
struct AlikeSet {
  std::array<int, kBatchLanes> roots{};
  std::size_t used = 0;
};

// Disjoint sets, largest subtrees first; none where they would not pay.
std::vector<AlikeSet> AlikeSets(const std::vector<SweepGroup<double>>& groups);

class AlikeSubtrees {
 public:
  // None where no subtrees are alike or the tree leaves the caches. Of trees without springs, drivers and loads.
  static std::unique_ptr<AlikeSubtrees> Make(const GroupTree<double>& tree, const Vector3& gravity);

  // y = [q; u]; ydot gets [q'; u']. False where a joint has no inertia about its free axes or a number is none:
  // then ydot is of no use.
  bool Evaluate(const double* y, double* ydot);

  // After Evaluate, of the whole tree's groups.
  GroupMotion<double> motion(int group) const;
  GroupAcceleration acceleration(int group) const;

 private:
  using LaneSweep = Sweep<BatchLanes, BatchLanes>;
  struct Border {
    std::array<int, kBatchLanes> carriers{};  // groups of the trunk
    std::size_t used = 0;
  };
  // Entries of y that follow one another in each lane.
  struct Entries {
    std::array<int, kBatchLanes> at{};
    int count = 0;
  };
  struct Place {
    int group = 0, lane = -1;  // lane -1: in the trunk
  };
  struct Plan;  // what the constructor needs

  AlikeSubtrees(const Plan& plan, const Vector3& gravity);
  static Plan PlanOf(const GroupTree<double>& tree, const std::vector<AlikeSet>& sets);

  void TakeMotionOfCarriers();
  void GiveInertiaToCarriers();
  void TakeAccelerationOfCarriers();

  Sweep<double> trunk_;
  LaneSweep lanes_;
  std::vector<int> loaded_carriers_;
  std::vector<Border> borders_;
  std::vector<Entries> entries_;
  std::vector<Place> places_;
  std::vector<BatchLanes> y_, ydot_;
};

}  // namespace mbsbench::articulated_body
