#include "methods/articulated_body/force_element_loads.h"

#include <cmath>

namespace mbsbench::articulated_body {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

Vector3 Plain(const Vec<double>& v) { return {v.x, v.y, v.z}; }
Vec<double> Lifted(const Vector3& v) { return {v.x, v.y, v.z}; }

// Of a rotation matrix, by the largest of the four squares, so that none is a small difference.
Quaternion QuaternionOf(const Mat<double>& R) {
  const double trace = R.x.x + R.y.y + R.z.z;
  Quaternion q;
  if (trace >= R.x.x && trace >= R.y.y && trace >= R.z.z) {
    q = {1 + trace, R.z.y - R.y.z, R.x.z - R.z.x, R.y.x - R.x.y};
  } else if (R.x.x >= R.y.y && R.x.x >= R.z.z) {
    q = {R.z.y - R.y.z, 1 + 2 * R.x.x - trace, R.x.y + R.y.x, R.x.z + R.z.x};
  } else if (R.y.y >= R.z.z) {
    q = {R.x.z - R.z.x, R.x.y + R.y.x, 1 + 2 * R.y.y - trace, R.y.z + R.z.y};
  } else {
    q = {R.y.x - R.x.y, R.x.z + R.z.x, R.y.z + R.z.y, 1 + 2 * R.z.z - trace};
  }
  return Normalised(q);
}

}  // namespace

ForceElementLoads::ForceElementLoads(const System& system, const GroupTree<double>& tree) {
  std::vector<int> station_of_group(tree.groups.size(), -1);
  station_of_group[0] = 0;
  stations_.emplace_back();
  std::vector<int> touched_of_body(system.bodies.size(), -1);
  const auto touch = [&](int& body) {
    if (body == kGround) return;
    int& touched = touched_of_body[At(body)];
    if (touched < 0) {
      touched = static_cast<int>(touched_.size());
      const Seat<double>& seat = tree.seats[At(body)];
      touched_.push_back({StationOf(seat.group, tree, station_of_group), seat});
      elements_.bodies.push_back(system.bodies[At(body)]);
    }
    body = touched;
  };
  elements_.spring_dampers = system.spring_dampers;
  elements_.applied_forces = system.applied_forces;
  elements_.ground_springs = system.ground_springs;
  for (SpringDamper& e : elements_.spring_dampers) {
    touch(e.body_a);
    touch(e.body_b);
  }
  for (AppliedForce& e : elements_.applied_forces) touch(e.body);
  for (GroundSpring& e : elements_.ground_springs) touch(e.body);
  states_.resize(touched_.size());
  wrenches_.resize(touched_.size());
}

int ForceElementLoads::StationOf(int group, const GroupTree<double>& tree,
                                 std::vector<int>& station_of_group) {
  std::vector<int> path;  // from the group towards the root, as far as there is no station yet
  for (int g = group; station_of_group[At(g)] < 0; g = tree.groups[At(g)].parent) path.push_back(g);
  for (std::size_t k = path.size(); k-- > 0;) {
    const RigidGroup<double>& g = tree.groups[At(path[k])];
    station_of_group[At(path[k])] = static_cast<int>(stations_.size());
    stations_.push_back({path[k], station_of_group[At(g.parent)], g.type, g.q, g.u, {}, {}});
  }
  return station_of_group[At(group)];
}

void ForceElementLoads::Apply(const double* y, Sweep<double>& sweep) {
  for (std::size_t k = 1; k < stations_.size(); ++k) {
    Station& s = stations_[k];
    const Station& parent = stations_[At(s.parent)];
    const auto& m = sweep.motion(s.group);
    s.position = parent.position + m.r;
    s.velocity = parent.velocity + Cross(sweep.motion(parent.group).omega, m.r);
    if (s.type == JointType::kPrismatic) {
      s.velocity = s.velocity + y[s.u] * AxisOf(m.R);
    } else if (s.type == JointType::kFree) {
      const Vec<double> slide =
          TransposeTimes(RotationOf(y[s.q + 3], y[s.q + 4], y[s.q + 5], y[s.q + 6]),
                         Vec<double>{y[s.u], y[s.u + 1], y[s.u + 2]});
      s.velocity = s.velocity + m.R * slide;
    }
    sweep.loads()[At(s.group)] = {};
  }
  for (std::size_t k = 0; k < touched_.size(); ++k) {
    const Station& s = stations_[At(touched_[k].station)];
    const Seat<double>& seat = touched_[k].seat;
    const auto& m = sweep.motion(s.group);
    const Vec<double> arm = m.R * seat.centre;
    states_[k] = {Plain(s.position + arm), QuaternionOf(m.R * seat.turn),
                  Plain(s.velocity + Cross(m.omega, arm)), Plain(m.omega)};
    wrenches_[k] = {};
  }
  AddForceElements(elements_, states_, wrenches_);
  for (std::size_t k = 0; k < touched_.size(); ++k) {
    const int group = stations_[At(touched_[k].station)].group;
    Load<double>& load = sweep.loads()[At(group)];
    const Vec<double> arm = sweep.motion(group).R * touched_[k].seat.centre;
    const Vec<double> force = Lifted(wrenches_[k].force);
    load.force = load.force + force;
    load.moment = load.moment + Lifted(wrenches_[k].moment) + Cross(arm, force);
  }
}

}  // namespace mbsbench::articulated_body
