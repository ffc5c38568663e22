// Positions and velocities of a few groups, since sweeps compute none. Only requested groups and
// those on the paths to them are tracked.
#pragma once

#include <vector>

#include "methods/kinematics/loop_joint.h"
#include "methods/tree_motion/tree_motion.h"
#include "problems/model/state.h"

namespace mbsbench {

class Stations {
 public:
  explicit Stations(const GroupTree<double>& tree);

  // The station of a group; the ground is station 0.
  int Add(int group, const GroupTree<double>& tree);
  // After PassMotion, at the same y.
  void Track(const double* y, const TreeMotion<double>& motion);

  std::size_t size() const { return stations_.size(); }
  int group(int station) const { return stations_[At(station)].group; }
  const Vec<double>& position(int station) const { return stations_[At(station)].position; }
  // State of a body in the station's group.
  BodyState StateOf(int station, const BodyInGroup<double>& placement,
                    const TreeMotion<double>& motion) const;
  // The motion of the group itself, at its origin.
  BodyAxes AxesOf(int station, const TreeMotion<double>& motion) const;

 private:
  struct Station {
    int group = 0;
    int parent = 0;  // station
    JointType type{};
    int q = 0, u = 0;
    Vec<double> position, velocity;  // of the group's origin
  };
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  std::vector<Station> stations_;
  std::vector<int> station_of_group_;
};

}  // namespace mbsbench
