// Springs between bodies or to the ground and applied forces as loads on rigid groups. Only the bodies they touch,
// and the groups on the way to them, get positions: the sweep itself needs none.
#pragma once

#include <vector>

#include "methods/articulated_body/sweep.h"
#include "methods/interface/force_elements.h"

namespace mbsbench::articulated_body {

class ForceElementLoads {
 public:
  ForceElementLoads(const System& system, const GroupTree<double>& tree);

  bool empty() const { return touched_.empty(); }
  // Between PassMotion and PassInertia, at the same y.
  void Apply(const double* y, Sweep<double>& sweep);

 private:
  // A group on the way to a loaded one; entry 0 is the ground.
  struct Station {
    int group = 0;
    int parent = 0;  // station
    JointType type = JointType::kFixed;
    int q = 0, u = 0;
    Vec<double> position, velocity;  // of the group's origin
  };
  struct TouchedBody {
    int station;
    Seat<double> seat;
  };

  int StationOf(int group, const GroupTree<double>& tree, std::vector<int>& station_of_group);

  System elements_;  // the force elements alone; bodies are those touched
  std::vector<TouchedBody> touched_;
  std::vector<Station> stations_;
  std::vector<BodyState> states_;
  std::vector<Wrench> wrenches_;
};

}  // namespace mbsbench::articulated_body
