#include "methods/tree_motion/stations.h"

namespace mbsbench {

Stations::Stations(const GroupTree<double>& tree)
    : stations_(1), station_of_group_(tree.groups.size(), -1) {
  station_of_group_[0] = 0;
}

int Stations::Add(int group, const GroupTree<double>& tree) {
  std::vector<int> path;  // from the group towards the root, up to the first existing station
  for (int g = group; station_of_group_[At(g)] < 0; g = tree.groups[At(g)].parent) {
    path.push_back(g);
  }
  for (std::size_t k = path.size(); k-- > 0;) {
    const SweepGroup<double>& g = tree.groups[At(path[k])];
    station_of_group_[At(path[k])] = static_cast<int>(stations_.size());
    stations_.push_back({path[k], station_of_group_[At(g.parent)], g.type, g.q, g.u, {}, {}});
  }
  return station_of_group_[At(group)];
}

void Stations::Track(const double* y, const TreeMotion<double>& motion) {
  for (std::size_t k = 1; k < stations_.size(); ++k) {
    Station& s = stations_[k];
    const Station& parent = stations_[At(s.parent)];
    const auto& m = motion.motion(s.group);
    s.position = parent.position + m.r;
    s.velocity = parent.velocity + Cross(motion.motion(parent.group).omega, m.r);
    ForMovingJoint(s.type, [&](auto joint) {
      using Joint = decltype(joint);
      if constexpr (Joint::kSlides > 0) {
        s.velocity = s.velocity + Slide<Joint>(RootOf<Joint>(m.R, y + s.q), y + s.u);
      }
    });
  }
}

BodyState Stations::StateOf(int station, const BodyInGroup<double>& placement,
                            const TreeMotion<double>& motion) const {
  const Station& s = stations_[At(station)];
  const auto& m = motion.motion(s.group);
  const Vec<double> arm = m.R * placement.centre;
  return {Plain(s.position + arm), QuaternionOf(m.R * placement.turn),
          Plain(s.velocity + Cross(m.omega, arm)), Plain(m.omega)};
}

BodyAxes Stations::AxesOf(int station, const TreeMotion<double>& motion) const {
  const Station& s = stations_[At(station)];
  const auto& [R, omega, r, gamma] = motion.motion(s.group);
  const Matrix3 axes{{R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z}};
  return {Plain(s.position), axes, Plain(s.velocity), Plain(omega)};
}

}  // namespace mbsbench
