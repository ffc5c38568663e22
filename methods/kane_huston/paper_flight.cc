#include "methods/kane_huston/paper_flight.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/interface/checked_evaluation.h"
#include "methods/kane_huston/lumped_rods.h"
#include "methods/kinematics/joint_reactions.h"
#include "methods/kinematics/rope_flight_law.h"
#include "problems/model/rope_flight.h"
#include "problems/model/topology.h"

namespace mbsbench::kane_huston {

namespace {

constexpr std::size_t kLead = 2;  // x_0 and y_0
const Vector3 kNormal{0, 0, 1};

Vector3 InSpace(const Planar<double>& v) { return {v.x, v.y, 0}; }
Planar<double> InPlane(const Vector3& v) { return {v.x, v.y}; }

class PaperFlight final : public OdeFormulation {
 public:
  explicit PaperFlight(const System& system)
      : start_(system), law_(system), rods_(MakeRods(At(LinkCount(system)))) {
    Resize();
  }

  std::size_t state_size() const override { return 2 * (kLead + rods_.size()); }
  std::vector<Dimension> Dimensions() const override {
    std::vector<Dimension> dimensions(state_size(), Dimension::kNumber);
    const auto rates = dimensions.begin() + static_cast<std::ptrdiff_t>(state_size() / 2);
    std::fill(rates, dimensions.end(), Dimension::kRate);
    std::fill_n(dimensions.begin(), kLead, Dimension::kLength);
    std::fill_n(rates, kLead, Dimension::kSpeed);
    return dimensions;
  }
  std::size_t event_count() const override { return kRopeFlightEvents; }
  bool has_power() const override { return true; }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    law_ = RopeFlightLaw(start_);
    if (rods_.size() != At(LinkCount(start_))) {  // a flight before this one
      rods_ = MakeRods(At(LinkCount(start_)));
      Resize();
    }
    const std::size_t n = rods_.size();
    double* const rate = y.data() + kLead + n;
    const BodyState& body = state.bodies[0];
    y[0] = body.position.x;
    y[1] = body.position.y;
    rate[0] = body.velocity.x;
    rate[1] = body.velocity.y;
    for (std::size_t i = 0; i < n; ++i) {
      // Eq. 1: the rod points along (-sin theta, -cos theta).
      const Vector3 rod = state.bodies[i + 1].position - state.bodies[i].position;
      y[kLead + i] = std::atan2(-rod.x, -rod.y);
      rate[kLead + i] = -state.bodies[i + 1].angular_velocity.z;
    }
    return {};
  }

  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    Status status = SolveAccelerations(t, y);
    const std::size_t n = kLead + rods_.size();
    std::copy_n(y.data() + n, n, ydot.data());
    std::copy_n(rods_.q_ddot.data(), n, ydot.data() + n);
    return CheckedEvaluation(status, y, ydot, ydot);
  }

  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.accelerations.clear();
    observation.reactions.clear();
    Status status;
    if (detail == Detail::kMotion) {
      SetNodes(y);
    } else {
      status = SolveAccelerations(t, y);
    }
    const std::size_t n = rods_.size();
    const double* const omega = y.data() + 2 * kLead + n;
    observation.bodies.assign(n + 1, {});
    observation.bodies[0] = {position_[0], {}, velocity_[0], {}};
    for (std::size_t i = 0; i < n; ++i) {
      observation.bodies[i + 1] = {position_[i + 1], AxisAngle(kNormal, -M_PI / 2 - y[kLead + i]),
                                   velocity_[i + 1], -omega[i] * kNormal};
    }
    if (detail == Detail::kMotion || !status.ok()) return status;
    Planar<double> a{rods_.q_ddot[0], rods_.q_ddot[1]};
    observation.accelerations.assign(n + 1, {});
    observation.accelerations[0] = {InSpace(a), {}};
    for (std::size_t i = 0; i < n; ++i) {
      const double rate = rods_.q_ddot[kLead + i];
      a = a + rate * rods_.u[i];
      observation.accelerations[i + 1] = {InSpace(a + rods_.a_bias[i]), -rate * kNormal};
    }
    if (detail == Detail::kReactions) {
      const System grown = SystemInFlight(start_, static_cast<int>(n), t);
      std::vector<Wrench> wrenches(n + 1);
      for (std::size_t i = 0; i <= n; ++i) wrenches[i].force = force_[i];
      observation.reactions = PassedThroughJoints(
          grown, observation.bodies,
          NeededWrenches(grown, observation.bodies, observation.accelerations, wrenches));
    }
    return {};
  }

  void Events(double t, std::span<const double> y, std::span<double> g) override {
    const std::size_t n = rods_.size();
    Vector3 last{y[0], y[1], 0};
    for (std::size_t i = 0; i < n; ++i) {
      const double theta = y[kLead + i];
      last = last - rods_.l[i] * Vector3{std::sin(theta), std::cos(theta), 0};
    }
    law_.Events(t, {y[0], y[1], 0}, last, g);
  }

  EventReport Apply(std::size_t event, double t, std::vector<double>& y) override {
    Status status;
    if (event == kCapture) {
      SetNodes(y);
      rods_.m_0 = law_.body_mass(t);
      status = Capture(y);
    }
    law_.Pass(event);
    return RopeFlightLaw::Report(event, status);
  }

  double Power(double t, std::span<const double> y) override {
    SetNodes(y);
    law_.Forces(t, position_, velocity_, force_);
    return law_.Power(t, position_, velocity_, force_);
  }

 private:
  using Rods = LumpedRods<double>;
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  Rods MakeRods(std::size_t n) const {
    return Rods(std::vector<double>(n, law_.flight().link_length),
                std::vector<double>(n, law_.node_mass()), Rods::FirstNode::kFree);
  }
  void Resize() {
    const std::size_t nodes = rods_.size() + 1;
    position_.resize(nodes);
    velocity_.resize(nodes);
    force_.resize(nodes);
  }

  void SetNodes(std::span<const double> y) {
    const std::size_t n = rods_.size();
    const double* const rate = y.data() + kLead + n;
    rods_.SetMotion(y.data() + kLead, rate + kLead);
    position_[0] = {y[0], y[1], 0};
    velocity_[0] = {rate[0], rate[1], 0};
    for (std::size_t i = 0; i < n; ++i) {
      position_[i + 1] = position_[0] + InSpace(rods_.position[i]);
      velocity_[i + 1] = velocity_[0] + InSpace(rods_.velocity[i]);
    }
  }

  Status SolveAccelerations(double t, std::span<const double> y) {
    SetNodes(y);
    law_.Forces(t, position_, velocity_, force_);
    const Planar<double> g = InPlane(start_.gravity);
    rods_.m_0 = law_.body_mass(t);
    rods_.fz_0 = rods_.m_0 * g + InPlane(force_[0]);
    if (law_.on_rail()) {  // the rail takes what is across it
      const Planar<double> rail = InPlane(law_.flight().rail_direction);
      rods_.fz_0 = Dot(rods_.fz_0, rail) * rail;
    }
    for (std::size_t i = 0; i < rods_.size(); ++i)
      rods_.fz[i] = rods_.m[i] * g + InPlane(force_[i + 1]);
    return StatusOf(rods_.Solve());
  }

  // The node in the box joins at rest; the speeds become those nearest to all velocities.
  Status Capture(std::vector<double>& y) {
    const std::size_t n = rods_.size();
    const Vector3 link = law_.flight().box - position_.back();
    std::vector<double> grown(2 * (kLead + n + 1));
    std::copy_n(y.data(), kLead + n, grown.data());
    grown[kLead + n] = std::atan2(-link.x, -link.y);
    const double m_0 = rods_.m_0;
    std::vector<Planar<double>> velocities;
    for (std::size_t i = 0; i < n; ++i) velocities.push_back(InPlane(velocity_[i + 1]));
    velocities.push_back({});
    rods_ = MakeRods(n + 1);
    rods_.m_0 = m_0;
    double* const rate = grown.data() + kLead + n + 1;
    rods_.SetMotion(grown.data() + kLead, rate + kLead);
    const Status status = StatusOf(rods_.SolveSpeeds(InPlane(velocity_[0]), velocities));
    std::copy_n(rods_.q_ddot.data(), kLead + n + 1, rate);
    y = std::move(grown);
    Resize();
    SetNodes(y);
    return status;
  }

  Status StatusOf(int failed) const {
    if (failed >= 0) {
      const int rod = failed - static_cast<int>(kLead), joint = std::max(rod + 1, 0);
      if (std::isfinite(rods_.scale[At(failed)]))
        return {Status::Code::kSingular, joint, joint, "no mass beyond the joint"};
      return {Status::Code::kNotFinite, joint, -1, "the generalised inertia is not finite"};
    }
    for (double acceleration : rods_.q_ddot) {
      if (!std::isfinite(acceleration))
        return {Status::Code::kNotFinite, -1, -1, "an acceleration is not finite"};
    }
    return {};
  }

  System start_;
  RopeFlightLaw law_;
  Rods rods_;
  std::vector<Vector3> position_, velocity_, force_;  // of the nodes, 0 to n
};

}  // namespace

std::unique_ptr<OdeFormulation> MakePaperFlight(const System& system) {
  return std::make_unique<PaperFlight>(system);
}

}  // namespace mbsbench::kane_huston
