// Springs between bodies or to the ground and applied forces as loads on rigid groups. Positions are computed only
// for the bodies on which they act and for the groups on the paths to these: sweeps need none.
#pragma once

#include <vector>

#include "methods/kinematics/force_elements.h"
#include "methods/tree_motion/stations.h"

namespace mbsbench {

class ForceElementLoads {
 public:
  ForceElementLoads(const System& system, const GroupTree<double>& tree);

  bool empty() const { return touched_.empty(); }
  // After PassMotion, at the same y. Sets the loads of the affected groups, about the origin of each; those of other
  // groups do not change.
  void Apply(const double* y, const TreeMotion<double>& motion, std::span<Load<double>> loads);

 private:
  struct TouchedBody {
    int station;
    BodyInGroup<double> placement;
  };

  System elements_;  // the force elements alone, with the affected bodies
  std::vector<TouchedBody> touched_;
  Stations stations_;
  std::vector<BodyState> states_;
  std::vector<Wrench> wrenches_;
};

}  // namespace mbsbench
