// Springs between bodies or to the ground and applied forces as loads on rigid groups. Only the bodies they touch,
// and the groups on the way to them, get positions: the sweep itself needs none.
#pragma once

#include <vector>

#include "methods/articulated_body/stations.h"
#include "methods/kinematics/force_elements.h"

namespace mbsbench::articulated_body {

class ForceElementLoads {
 public:
  ForceElementLoads(const System& system, const GroupTree<double>& tree);

  bool empty() const { return touched_.empty(); }
  // Between PassMotion and PassInertia, at the same y.
  void Apply(const double* y, Sweep<double>& sweep);

 private:
  struct TouchedBody {
    int station;
    Seat<double> seat;
  };

  System elements_;  // the force elements alone; bodies are those touched
  std::vector<TouchedBody> touched_;
  Stations stations_;
  std::vector<BodyState> states_;
  std::vector<Wrench> wrenches_;
};

}  // namespace mbsbench::articulated_body
