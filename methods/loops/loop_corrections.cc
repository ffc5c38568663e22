#include "methods/loops/loop_corrections.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "methods/kinematics/joint_placement.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

// Elements of LoopPaths: the ground, then bodies, a parent before its children.
LoopPaths PathsOver(const System& system, const Topology& tree) {
  std::vector<int> element(system.bodies.size()), parents{0}, child, parent;
  for (std::size_t k = 0; k < tree.order.size(); ++k)
    element[Index(tree.order[k])] = static_cast<int>(k) + 1;
  const auto element_of = [&](int body) { return body == kGround ? 0 : element[Index(body)]; };
  for (int body : tree.order) parents.push_back(element_of(tree.parent[Index(body)]));
  for (const Joint& joint : system.loop_joints) {
    child.push_back(element_of(joint.child));
    parent.push_back(element_of(joint.parent));
  }
  return {system, parents, child, parent};
}

// A joint without rates transmits everything, like a rigid axis.
std::vector<JointType> TypesOf(const System& system, const Topology& tree, const LoopPaths& paths) {
  const std::vector<bool> driven = DrivenJoints(system);
  std::vector<JointType> types;
  for (std::size_t k = 0; k + 1 < paths.stops().size(); ++k) {
    const auto j = Index(tree.joint[Index(tree.order[Index(paths.stops()[k].element - 1)])]);
    const JointType type = system.joints[j].type;
    types.push_back(driven[j] || type == JointType::kFixed ? JointType::kRevolute : type);
  }
  return types;
}

}  // namespace

LoopCorrections::LoopCorrections(const System& system, std::span<const double> sizes,
                                 UseOfElimination use)
    : body_of_element_(1, kGround),
      paths_(PathsOver(system, TopologyOf(system))),
      elimination_(system, paths_, TypesOf(system, TopologyOf(system), paths_), use) {
  const Topology tree = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  body_of_element_.insert(body_of_element_.end(), tree.order.begin(), tree.order.end());
  std::map<std::pair<int, int>, int> placed;  // ancestor, body
  int first_row = 0;
  for (std::size_t l = 0; l < system.loop_joints.size(); ++l) {
    const Joint& joint = system.loop_joints[l];
    const auto path_of = [&](int body) {
      std::vector<int> path;
      for (; body != kGround; body = tree.parent[Index(body)]) path.push_back(body);
      return path;
    };
    std::array<std::vector<int>, 2> paths{path_of(joint.child), path_of(joint.parent)};
    int ancestor = kGround;
    while (!paths[0].empty() && !paths[1].empty() && paths[0].back() == paths[1].back()) {
      ancestor = paths[0].back();
      paths[0].pop_back();
      paths[1].pop_back();
    }
    Loop loop{LoopJoint(joint), first_row, ancestor, {joint.child, joint.parent},
              {-1, -1},         sizes[l],  {}};
    for (int side : {0, 1}) {
      int& end = loop.ends[Index(side)];
      for (auto body = paths[Index(side)].rbegin(); body != paths[Index(side)].rend(); ++body) {
        const auto [entry, is_new] =
            placed.try_emplace({ancestor, *body}, static_cast<int>(places_.size()));
        if (is_new) {
          const auto j = Index(tree.joint[Index(*body)]);
          const Joint& on_path = system.joints[j];
          places_.push_back({on_path.type,
                             on_path.parent_frame,
                             on_path.child_frame,
                             at.q[j],
                             at.q.back() + at.u[j],
                             end,
                             {}});
        }
        end = entry->second;
      }
    }
    first_row += loop.joint.size();
    loops_.push_back(std::move(loop));
  }
  rows_.resize(Index(first_row));
  gaps_.resize(rows_.size());
  gap_rates_.resize(rows_.size());
  wrenches_.resize(2 * rows_.size());
  weighed_.resize(Index(at.u.back()));
}

double LoopCorrections::CalcRows(const double* y) {
  const BodyState at_rest;
  const auto state_of = [&](int place) -> const BodyState& {
    return place < 0 ? at_rest : places_[At(place)].state;
  };
  struct Motion {
    Vector3 axis, point;
    bool turns;
  };
  for (Place& place : places_) {
    const BodyState& parent = state_of(place.parent);
    std::array<Motion, 6> motions;
    int rates = 0;
    const PlacedChild placed = PlaceChild(
        place.type, place.parent_frame, place.child_frame, parent.position, parent.orientation,
        y + place.q, [&](int, const Vector3& axis, bool turns, const Vector3& point) {
          motions[At(rates++)] = {axis, point, turns};
        });
    BodyState& body = place.state;
    body.position = placed.position;
    body.orientation = placed.orientation;
    body.angular_velocity = parent.angular_velocity;
    body.velocity =
        parent.velocity + Cross(parent.angular_velocity, placed.position - parent.position);
    for (int k = 0; k < rates; ++k) {
      const Motion& motion = motions[At(k)];
      const Vector3 along = y[place.u + k] * motion.axis;
      if (motion.turns) {
        body.angular_velocity = body.angular_velocity + along;
        body.velocity = body.velocity + Cross(along, placed.position - motion.point);
      } else {
        body.velocity = body.velocity + along;
      }
    }
  }
  double worst = 0;
  largest_rate_ = 0;
  for (Loop& loop : loops_) {
    const BodyState &child = state_of(loop.ends[0]), &parent = state_of(loop.ends[1]);
    LoopRow* const rows = rows_.data() + loop.first_row;
    loop.point = loop.joint.CalcRows(parent, child, rows);
    for (const BodyState* end : {&child, &parent}) {
      const double turning = Norm(end->angular_velocity);
      largest_rate_ = std::max({largest_rate_, turning,
                                Norm(end->velocity) + turning * Norm(loop.point - end->position)});
    }
    for (int i = 0; i < loop.joint.size(); ++i) {
      gaps_[At(loop.first_row + i)] = rows[i].position;
      gap_rates_[At(loop.first_row + i)] = rows[i].velocity;
      const double left =
          std::abs(rows[i].position) / (i < loop.joint.force_rows() ? loop.size : 1);
      if (!(left <= worst))
        worst = std::isnan(left) ? std::numeric_limits<double>::infinity() : left;
    }
  }
  return worst;
}

void LoopCorrections::SetMetric(MassMetric& metric, const double* y) {
  metric.Set(y);
  for (std::size_t k = 0; k + 1 < paths_.stops().size(); ++k)
    metric.SetPassage(body_of_element_[At(paths_.stops()[k].element)],
                      elimination_.passage(static_cast<int>(k)));
  for (const Loop& loop : loops_) {
    const MassMetric::Placed ancestor = metric.placed(loop.ancestor);
    const Vector3 point = ancestor.position + Rotate(ancestor.orientation, loop.point);
    for (int side : {0, 1}) {
      const double sign = side == 0 ? 1 : -1;
      const Vector3 arm = point - metric.placed(loop.bodies[At(side)]).point;
      for (int i = loop.first_row; i < loop.first_row + loop.joint.size(); ++i) {
        const LoopRow& row = rows_[At(i)];
        const Vector3 force = sign * Rotate(ancestor.orientation, row.force),
                      moment = sign * Rotate(ancestor.orientation, row.moment);
        wrenches_[At(2 * i + side)] = {Lifted(force), Lifted(moment + Cross(arm, force))};
      }
    }
  }
}

bool LoopCorrections::Correct(MassMetric& metric, std::span<const double> gaps,
                              std::span<double> rates) {
  if (!elimination_.Solve(wrenches_, gaps.data(), {}, false)) return false;
  std::fill(weighed_.begin(), weighed_.end(), 0.0);
  for (std::size_t k = 0; k + 1 < paths_.stops().size(); ++k)
    metric.Weigh(body_of_element_[At(paths_.stops()[k].element)],
                 elimination_.change(static_cast<int>(k)), weighed_);
  metric.Return(weighed_, rates);
  return true;
}

}  // namespace mbsbench
