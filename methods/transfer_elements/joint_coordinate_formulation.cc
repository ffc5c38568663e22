#include "methods/transfer_elements/joint_coordinate_formulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/interface/all_finite.h"

namespace mbsbench {

namespace {

Vector3 Plain(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

}  // namespace

JointCoordinateFormulation::JointCoordinateFormulation(const System& system,
                                                       Stabilisation stabilisation)
    : system_(system), tree_(MakeJointTree(system)), joints_(system), driven_(system) {
  const std::size_t n = tree_.elements.size();
  has_power_ = HasNonConservativeForces(system_);
  has_wrenches_ = HasForceElements(system_);
  origins_.resize(n + 1);
  bodies_.resize(n);
  wrenches_.resize(n);
  observed_motions_.resize(n + 1);
  observed_motions_[0].A = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (system.loop_joints.empty()) return;
  closure_ = std::make_unique<LoopClosure>(system, stabilisation);
  if (stabilisation == Stabilisation::kProjected) {
    projection_ = std::make_unique<LoopProjection>(system);
  }
}

std::size_t JointCoordinateFormulation::state_size() const { return joints_.size(); }

Status JointCoordinateFormulation::Initialise(double t, const SystemState& state,
                                              std::span<double> y) {
  joints_.Put(state.joints, y);
  driven_.Start(t, y);
  if (!closure_) return {};
  std::vector<double> ydot(y.size());
  return closure_->Start(y, [&] { return Evaluate(t, y, ydot); });
}

Status JointCoordinateFormulation::Project(double t, std::span<double> y) {
  driven_.Place(t, y);
  if (const Status status = joints_.NormaliseQuaternions(y); !status.ok()) return status;
  return projection_ ? projection_->Project(y) : Status{};
}

std::span<const BodyState> JointCoordinateFormulation::CalcBodies(
    std::span<const double> y, const ElementMotion<double>* motions) {
  CalcBodyStates(tree_, y.data(), motions, origins_, bodies_);
  return bodies_;
}

std::span<const Wrench> JointCoordinateFormulation::CalcWrenches(
    std::span<const double> y, const ElementMotion<double>* motions) {
  CalcBodies(y, motions);
  std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
  AddForceElements(system_, bodies_, wrenches_);
  return wrenches_;
}

void JointCoordinateFormulation::Drive(ElementMotion<double>* motions) const {
  for (const DrivenCoordinates::Driven& d : driven_.all()) {
    const int k = ElementOf(system_.joints[static_cast<std::size_t>(d.joint)].child);
    DriveJoint(tree_.elements[static_cast<std::size_t>(k) - 1], d.acceleration, motions[k]);
  }
}

void JointCoordinateFormulation::PutDrivenRates(std::span<double> ydot) const {
  for (const DrivenCoordinates::Driven& d : driven_.all()) ydot[d.u] = d.acceleration;
}

std::vector<DriverObservation> JointCoordinateFormulation::Drivers(
    std::span<const double> y) const {
  std::vector<OutputState> states(tree_.elements.size());
  OutputStates(states);
  std::vector<double> efforts;
  for (const DrivenCoordinates::Driven& d : driven_.all()) {
    const Joint& joint = system_.joints[static_cast<std::size_t>(d.joint)];
    const auto k = static_cast<std::size_t>(ElementOf(joint.child));
    const ElementMotion<double>& m = observed_motions_[k];
    const OutputState& z = states[k - 1];
    efforts.push_back(Dot(m.axis(), TurnsAboutZ(joint.type) ? z.m : -z.q) - m.tau);
  }
  return driven_.Observed(y, efforts);
}

double JointCoordinateFormulation::Power(double t, std::span<const double> state) {
  const std::span<const double> y = driven_.At(t, state);
  CalcMotion(tree_, y.data(), observed_motions_.data());
  CalcBodyStates(tree_, y.data(), observed_motions_.data(), origins_, bodies_);
  const JointState joints = joints_.StateAt(y);
  const double power = NonConservativePower(system_, bodies_, &joints);
  if (system_.drivers.empty()) return power;
  std::vector<double> ydot(y.size());
  if (!Evaluate(t, y, ydot).ok()) return std::numeric_limits<double>::quiet_NaN();
  return power + PowerOf(Drivers(y));
}

Status JointCoordinateFormulation::Observe(double t, std::span<const double> state, Detail detail,
                                           Observation& observation) {
  const std::span<const double> y = driven_.At(t, state);
  const std::size_t n = tree_.elements.size();
  CalcMotion(tree_, y.data(), observed_motions_.data());
  observation.bodies.resize(n);
  CalcBodyStates(tree_, y.data(), observed_motions_.data(), origins_, observation.bodies);
  observation.accelerations.clear();
  observation.reactions.clear();
  observation.drivers.clear();
  if (detail == Detail::kMotion) return {};

  std::vector<double> ydot(y.size());
  const Status status = Evaluate(t, y, ydot);
  if (!status.ok()) return status;
  std::vector<OutputState> states(n);
  OutputStates(states);
  observation.accelerations.resize(n);
  if (detail == Detail::kReactions) {
    observation.reactions.resize(n);
    observation.drivers = Drivers(y);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const TreeElement& e = tree_.elements[k];
    const ElementMotion<double>& m = observed_motions_[k + 1];
    const OutputState& z = states[k];
    const Vec3<double> r_OC = m.A * e.r_OC;
    observation.accelerations[static_cast<std::size_t>(e.body)] = {
        Plain(z.a + Cross(z.alpha, r_OC) + DoubleCross(m.omega, r_OC)), Plain(z.alpha)};
    if (detail != Detail::kReactions) continue;
    // At an output end forces count against the axes; the joint's springs and driver are no reaction.
    Vec3<double> force = -z.q, torque = z.m;
    ForJoint(e.type, [&](auto joint) {
      if constexpr (joint.kOneAxis) {
        Vec3<double>& free = joint.kTurns == 1 ? torque : force;
        free = free - (e.driven ? Dot(m.axis(), free) : m.tau) * m.axis();
      }
    });
    observation.reactions[static_cast<std::size_t>(e.joint)] = {Plain(force), Plain(torque), true};
  }
  if (closure_ && detail == Detail::kReactions) {
    closure_->CompleteReactions(observation.bodies, observation.reactions);
  }
  return {};
}

Status JointCoordinateFormulation::Checked(Status status, std::span<double> ydot) {
  if (status.ok()) {
    if (AllFinite(ydot)) return status;
    status = {Status::Code::kNotFinite, -1, -1, "a rate is not finite"};
  }
  std::fill(ydot.begin(), ydot.end(), std::numeric_limits<double>::quiet_NaN());
  return status;
}

}  // namespace mbsbench
