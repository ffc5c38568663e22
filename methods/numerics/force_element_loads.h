// Springs between bodies or to the ground and applied forces as loads on rigid groups. Only the bodies they touch,
// and the groups on the way to them, get positions: sweeps need none.
#pragma once

#include <vector>

#include "methods/kinematics/force_elements.h"
#include "methods/numerics/stations.h"

namespace mbsbench {

class ForceElementLoads {
 public:
  ForceElementLoads(const System& system, const GroupTree<double>& tree);

  bool empty() const { return touched_.empty(); }
  // After PassMotion, at the same y. Sets the loads of the groups touched, about the origin of each; leaves those of other
  // groups as they are.
  void Apply(const double* y, const TreeMotion<double>& motion, std::span<Load<double>> loads);

 private:
  struct TouchedBody {
    int station;
    BodyInGroup<double> seat;
  };

  System elements_;  // the force elements alone; bodies are those touched
  std::vector<TouchedBody> touched_;
  Stations stations_;
  std::vector<BodyState> states_;
  std::vector<Wrench> wrenches_;
};

}  // namespace mbsbench
