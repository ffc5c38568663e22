#include "methods/articulated_body/rope_flight.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "methods/articulated_body/sweep.h"
#include "methods/coordinates/checked_evaluation.h"
#include "methods/kinematics/rope_flight_formulation.h"
#include "methods/tree_motion/group_tree.h"
#include "problems/model/rope_flight.h"

namespace mbsbench::articulated_body {

namespace {

constexpr std::size_t kLead = 2;  // x and y
const Vector3 kNormal{0, 0, 1};

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// A massless carriage on a rail along x, the body on a rail along y on it, and the links. (A point
// on a free joint would have no inertia about its rotations.)
System OnSliders(const System& start, int links) {
  System grown = GrownSystem(start, links);
  grown.rope_flight.reset();
  Body carriage;
  carriage.name = "carriage";
  grown.bodies.insert(grown.bodies.begin(), carriage);
  for (Joint& joint : grown.joints) {
    ++joint.parent;
    ++joint.child;
  }
  Joint along_x;
  along_x.name = "slide along x";
  along_x.type = JointType::kPrismatic;
  along_x.parent_frame.orientation = AxisAngle({0, 1, 0}, M_PI / 2);
  along_x.child_frame.orientation = along_x.parent_frame.orientation;
  Joint& along_y = grown.joints[0];
  along_y.type = JointType::kPrismatic;
  along_y.parent_frame.orientation = AxisAngle({1, 0, 0}, -M_PI / 2);
  along_y.child_frame.orientation = along_y.parent_frame.orientation;
  grown.joints.insert(grown.joints.begin(), along_x);
  return grown;
}

class RopeFlightBySweep final : public RopeFlightFormulation {
 public:
  explicit RopeFlightBySweep(const System& system) : RopeFlightFormulation(system) {
    Prepare(At(LinkCount(system)));
  }

  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    sweep_->PassMotion(y.data(), ydot.data());
    ReadNodes(y);
    law_.Forces(t, position_, velocity_, force_);
    const double mass = law_.body_mass(t);
    if (law_.on_rail()) {  // no link is out: the rail carries the transverse force
      const Vector3& rail = law_.flight().rail_direction;
      const double a = Dot(rail, start_.gravity) + Dot(rail, force_[0]) / mass;
      ydot[kLead] = a * rail.x;
      ydot[kLead + 1] = a * rail.y;
      return {};
    }
    sweep_->SetMass(group_[0], mass);
    SetLoads(*sweep_, force_);
    const int singular = sweep_->PassInertia();
    if (singular == 0) sweep_->PassAcceleration(y.data(), ydot.data());
    Status status;
    if (singular != 0) {
      const auto node =
          static_cast<int>(std::find(group_.begin(), group_.end(), singular) - group_.begin());
      status = {Status::Code::kSingular, node, node, "no inertia about the free axes of the joint"};
    }
    return CheckedEvaluation(status, y, ydot, ydot);
  }

  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.accelerations.clear();
    observation.reactions.clear();
    SetNodes(y);
    observation.bodies.assign(links() + 1, {});
    observation.bodies[0] = {position_[0], {}, velocity_[0], {}};
    double angle = 0;
    for (std::size_t i = 1; i <= links(); ++i) {
      angle += y[kLead + i - 1];
      observation.bodies[i] = {position_[i], AxisAngle(kNormal, angle), velocity_[i],
                               spin_[i] * kNormal};
    }
    if (detail == Detail::kMotion) return {};
    std::vector<double> ydot(y.size());
    if (const Status status = Evaluate(t, y, ydot); !status.ok()) return status;
    const double* const udot = ydot.data() + kLead + links();
    std::vector<BodyAcceleration>& a = observation.accelerations;
    a.assign(links() + 1, {});
    a[0].acceleration = {udot[0], udot[1], 0};
    double alpha = 0;
    for (std::size_t i = 1; i <= links(); ++i) {
      alpha += udot[kLead + i - 1];
      const Vector3 link = position_[i] - position_[i - 1];
      a[i] = {a[i - 1].acceleration + alpha * Cross(kNormal, link) - spin_[i] * spin_[i] * link,
              alpha * kNormal};
    }
    if (detail == Detail::kReactions) SetReactions(t, observation);
    return {};
  }

 private:
  GroupTree<double> Tree(int links) const {
    return MakeGroupTree<double>(OnSliders(start_, links));
  }

  void Prepare(std::size_t links) override {
    Resize(links);
    const GroupTree<double> tree = Tree(static_cast<int>(links));
    sweep_ = std::make_unique<Sweep<double>>(tree, start_.gravity);
    sweep_->EnableLoads();
    group_.clear();
    for (std::size_t i = 1; i < tree.placements.size(); ++i)
      group_.push_back(tree.placements[i].group);
    spin_.resize(links + 1);
    rates_.resize(state_size());
  }

  void PutLinks(const std::vector<BodyState>& bodies, double* angles, double* rates) override {
    double angle = 0, rate = 0;
    for (std::size_t i = 0; i < links(); ++i) {
      const Vector3 link = bodies[i + 1].position - bodies[i].position;
      angles[i] = std::remainder(std::atan2(link.y, link.x) - angle, 2 * M_PI);
      rates[i] = bodies[i + 1].angular_velocity.z - rate;
      angle += angles[i];
      rate += rates[i];
    }
  }

  void SetNodes(std::span<const double> y) override {
    sweep_->PassMotion(y.data(), rates_.data());
    ReadNodes(y);
  }
  Vector3 LastNode(std::span<const double> y) const override {
    Vector3 last{y[0], y[1], 0};
    double angle = 0;
    for (std::size_t i = 0; i < links(); ++i) {
      angle += y[kLead + i];
      last = last + law_.flight().link_length * Vector3{std::cos(angle), std::sin(angle), 0};
    }
    return last;
  }

  // Nodes from the motion of the sweep.
  void ReadNodes(std::span<const double> y) {
    const double* const u = y.data() + kLead + links();
    const double length = law_.flight().link_length;
    position_[0] = {y[0], y[1], 0};
    velocity_[0] = {u[0], u[1], 0};
    for (std::size_t i = 1; i <= links(); ++i) {
      const auto& m = sweep_->motion(group_[i]);
      const Vector3 link{length * m.R.x.x, length * m.R.y.x, 0};
      spin_[i] = m.omega.z;
      position_[i] = position_[i - 1] + link;
      velocity_[i] = velocity_[i - 1] + spin_[i] * Vector3{-link.y, link.x, 0};
    }
  }

  // Forces on the nodes; a link's group has its origin at the previous node.
  void SetLoads(Sweep<double>& sweep, std::span<const Vector3> force) const {
    const std::span<Load<double>> loads = sweep.loads();
    loads[At(group_[0])] = {Lifted(force[0]), {}};
    for (std::size_t i = 1; i <= links(); ++i) {
      const Vector3 link = position_[i] - position_[i - 1];
      loads[At(group_[i])] = {Lifted(force[i]), Lifted(Cross(link, force[i]))};
    }
  }

  // With momenta as forces, the accelerations of the grown system without weight and motion are the rates
  // nearest to all velocities.
  Status Capture(double t, std::vector<double>& y) override {
    const std::size_t n = links();
    std::vector<Vector3> before = velocity_;
    before.push_back({});
    const Vector3 link = law_.flight().box - position_.back();
    double angle = 0;
    for (std::size_t i = 0; i < n; ++i) angle += y[kLead + i];
    Prepare(n + 1);
    std::vector<double> grown(state_size()), rates(state_size());
    std::copy_n(y.data(), kLead + n, grown.data());
    grown[kLead + n] = std::remainder(std::atan2(link.y, link.x) - angle, 2 * M_PI);

    Sweep<double> at_rest(Tree(static_cast<int>(n) + 1), {});
    at_rest.EnableLoads();
    at_rest.PassMotion(grown.data(), rates.data());
    SetNodes(grown);
    const double mass = law_.body_mass(t);
    std::vector<Vector3> momenta;
    for (const Vector3& v : before)
      momenta.push_back((momenta.empty() ? mass : law_.node_mass()) * v);
    at_rest.SetMass(group_[0], mass);
    SetLoads(at_rest, momenta);
    const int singular = at_rest.PassInertia();
    at_rest.PassAcceleration(grown.data(), rates.data());
    std::copy_n(rates.data() + kLead + links(), kLead + links(), grown.data() + kLead + links());
    y = std::move(grown);
    SetNodes(y);
    if (singular == 0) return {};
    return {Status::Code::kSingular, -1, -1, "no inertia about the free axes of a captured link"};
  }

  std::unique_ptr<Sweep<double>> sweep_;
  std::vector<int> group_;     // of the nodes, 0 to links
  std::vector<double> spin_;   // of the links at their far nodes
  std::vector<double> rates_;  // of coordinates, unused
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeRopeFlight(const System& system) {
  return std::make_unique<RopeFlightBySweep>(system);
}

}  // namespace mbsbench::articulated_body
