#include "methods/kane_huston/paper_flight.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/coordinates/checked_evaluation.h"
#include "methods/kane_huston/lumped_rods.h"
#include "methods/kinematics/rope_flight_formulation.h"
#include "problems/model/rope_flight.h"
#include "problems/model/topology.h"

namespace mbsbench::kane_huston {

namespace {

const Vector3 kNormal{0, 0, 1};

Vector3 InSpace(const Planar<double>& v) { return {v.x, v.y, 0}; }
Planar<double> InPlane(const Vector3& v) { return {v.x, v.y}; }

class PaperFlight final : public RopeFlightFormulation {
 public:
  explicit PaperFlight(const System& system)
      : RopeFlightFormulation(system),
        rods_(MakeRods(static_cast<std::size_t>(LinkCount(system)))) {
    Resize(rods_.size());
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
    if (detail == Detail::kReactions) SetReactions(t, observation);
    return {};
  }

 private:
  using Rods = LumpedRods<double>;
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  Rods MakeRods(std::size_t n) const {
    return Rods(std::vector<double>(n, law_.flight().link_length),
                std::vector<double>(n, law_.node_mass()), Rods::FirstNode::kFree);
  }
  void Prepare(std::size_t links) override {
    rods_ = MakeRods(links);
    Resize(links);
  }

  // Eq. 1: the rod points along (-sin theta, -cos theta).
  void PutLinks(const std::vector<BodyState>& bodies, double* angles, double* rates) override {
    for (std::size_t i = 0; i < links(); ++i) {
      const Vector3 rod = bodies[i + 1].position - bodies[i].position;
      angles[i] = std::atan2(-rod.x, -rod.y);
      rates[i] = -bodies[i + 1].angular_velocity.z;
    }
  }
  Vector3 LastNode(std::span<const double> y) const override {
    Vector3 last{y[0], y[1], 0};
    for (std::size_t i = 0; i < links(); ++i) {
      const double theta = y[kLead + i];
      last = last - rods_.l[i] * Vector3{std::sin(theta), std::cos(theta), 0};
    }
    return last;
  }

  void SetNodes(std::span<const double> y) override {
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
    if (law_.on_rail()) {  // the rail carries the transverse force
      const Planar<double> rail = InPlane(law_.flight().rail_direction);
      rods_.fz_0 = Dot(rods_.fz_0, rail) * rail;
    }
    for (std::size_t i = 0; i < rods_.size(); ++i)
      rods_.fz[i] = rods_.m[i] * g + InPlane(force_[i + 1]);
    return StatusOf(rods_.Solve());
  }

  Status Capture(double t, std::vector<double>& y) override {
    const std::size_t n = rods_.size();
    const Vector3 link = law_.flight().box - position_.back();
    std::vector<double> grown(2 * (kLead + n + 1));
    std::copy_n(y.data(), kLead + n, grown.data());
    grown[kLead + n] = std::atan2(-link.x, -link.y);
    std::vector<Planar<double>> velocities;
    for (std::size_t i = 0; i < n; ++i) velocities.push_back(InPlane(velocity_[i + 1]));
    velocities.push_back({});
    Prepare(n + 1);
    rods_.m_0 = law_.body_mass(t);
    double* const rate = grown.data() + kLead + n + 1;
    rods_.SetMotion(grown.data() + kLead, rate + kLead);
    const Status status = StatusOf(rods_.SolveSpeeds(InPlane(velocity_[0]), velocities));
    std::copy_n(rods_.q_ddot.data(), kLead + n + 1, rate);
    y = std::move(grown);
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

  Rods rods_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakePaperFlight(const System& system) {
  return std::make_unique<PaperFlight>(system);
}

}  // namespace mbsbench::kane_huston
