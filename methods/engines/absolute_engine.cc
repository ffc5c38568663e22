#include "methods/engines/absolute_engine.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "problems/model/forces.h"
#include "problems/model/kinematics.h"
#include "problems/model/zero_coordinates.h"

namespace mbsbench {

namespace {

const char kStateNotFinite[] = "the state is not finite";
const char kNotFinite[] = "the engine's accelerations are not finite";

std::size_t U(int i) { return static_cast<std::size_t>(i); }

Vector3 VectorAt(const double* v) { return {v[0], v[1], v[2]}; }
void Put(const Vector3& v, double* to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

}  // namespace

AbsoluteEngine::AbsoluteEngine(const System& system)
    : system_(system),
      bodies_(ForwardKinematics(system_, ZeroCoordinates(system_))),
      accelerations_(system_.bodies.size()),
      joint_laws_(JointLawsOf(system_)),
      wrenches_(system_.forces.AnyOnBodies() || !joint_laws_.empty() ? system_.bodies.size() : 0) {}

std::vector<Dimension> AbsoluteEngine::Dimensions() const {
  using enum Dimension;
  constexpr std::array<Dimension, kSize> kOfBody{kLength, kLength, kLength, kNumber, kNumber,
                                                 kNumber, kNumber, kSpeed,  kSpeed,  kSpeed,
                                                 kRate,   kRate,   kRate};
  std::vector<Dimension> dimensions;
  for (std::size_t b = 0; b < system_.bodies.size(); ++b)
    dimensions.insert(dimensions.end(), kOfBody.begin(), kOfBody.end());
  return dimensions;
}

Status AbsoluteEngine::Initialise(double, const SystemState& state, std::span<double> y) {
  Write(state.bodies, y);
  return {};
}

Status AbsoluteEngine::Evaluate(double t, std::span<const double> y, std::span<double> ydot) {
  Status status = Read(y);
  if (status.ok()) status = Accelerate(t);
  double sum = 0;
  for (std::size_t b = 0; b < bodies_.size() && status.ok(); ++b) {
    double* const to = ydot.data() + kSize * b;
    Put(bodies_[b].velocity, to);
    const Vector3& w = bodies_[b].angular_velocity;
    const double* const q = y.data() + kSize * b + 3;
    const Quaternion rate =
        Quaternion{0, w.x / 2, w.y / 2, w.z / 2} * Quaternion{q[0], q[1], q[2], q[3]};
    to[3] = rate.w, to[4] = rate.x, to[5] = rate.y, to[6] = rate.z;
    Put(accelerations_[b].acceleration, to + 7);
    Put(accelerations_[b].angular_acceleration, to + 10);
    for (std::size_t i = 0; i < kSize; ++i) sum += to[i];
  }
  if (status.ok() && !std::isfinite(sum)) status = {Status::Code::kNotFinite, -1, -1, kNotFinite};
  if (!status.ok()) std::ranges::fill(ydot, NAN);
  return status;
}

Status AbsoluteEngine::Observe(double t, std::span<const double> y, Detail detail,
                               Observation& observation) {
  observation.accelerations.clear();
  observation.reactions.clear();
  observation.drivers.clear();
  if (detail == Detail::kMotion) {
    const Status status = Read(y);
    observation.bodies = bodies_;
    return status;
  }
  std::vector<double> ydot(state_size());
  if (const Status status = Evaluate(t, y, ydot); !status.ok()) return status;
  observation.bodies = bodies_;
  observation.accelerations = accelerations_;
  if (detail != Detail::kReactions) return {};
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const Joint& joint = system_.joints[j];
    JointReaction& r = observation.reactions.emplace_back();
    if (joint.type == JointType::kFree) continue;
    const Wrench on = OnChild(j);
    const Vector3 arm = Rotate(bodies_[U(joint.child)].orientation, joint.child_frame.position);
    r.force = on.force;
    r.torque = on.moment - Cross(arm, on.force);
  }
  return {};
}

Status AbsoluteEngine::Project(double, std::span<double> y) {
  if (const Status status = Read(y); !status.ok()) return status;
  std::vector<BodyState> closed = ForwardKinematics(system_, JointStateOf(system_, bodies_));
  for (std::size_t b = 0; b < closed.size(); ++b) {
    Quaternion& q = closed[b].orientation;
    // y keeps its sign: integrators interpolate between states before and after.
    if ((q * Conjugate(bodies_[b].orientation)).w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  }
  Write(closed, y);
  return {};
}

HasPower* AbsoluteEngine::power() { return HasNonConservativeForces(system_) ? this : nullptr; }

double AbsoluteEngine::Power(double t, std::span<const double> y) {
  if (!Read(y).ok()) return NAN;
  const JointState joints = JointStateOf(system_, bodies_);
  return NonConservativePower(system_, t, bodies_, &joints);
}

void AbsoluteEngine::Write(const std::vector<BodyState>& bodies, std::span<double> y) {
  double* to = y.data();
  for (const BodyState& body : bodies) {
    const Quaternion& q = body.orientation;
    Put(body.position, to);
    to[3] = q.w, to[4] = q.x, to[5] = q.y, to[6] = q.z;
    Put(body.velocity, to + 7);
    Put(body.angular_velocity, to + 10);
    to += kSize;
  }
}

Status AbsoluteEngine::Read(std::span<const double> y) {
  double sum = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const double* const from = y.data() + kSize * b;
    bodies_[b] = {VectorAt(from), Normalised({from[3], from[4], from[5], from[6]}),
                  VectorAt(from + 7), VectorAt(from + 10)};
    sum += Norm(bodies_[b].position) + Norm(bodies_[b].orientation) + Norm(bodies_[b].velocity) +
           Norm(bodies_[b].angular_velocity);
  }
  if (!std::isfinite(sum)) return {Status::Code::kNotFinite, -1, -1, kStateNotFinite};
  return {};
}

std::span<const Wrench> AbsoluteEngine::WrenchesAt(double t) {
  std::ranges::fill(wrenches_, Wrench{});
  if (system_.forces.AnyOnBodies()) AddForceElements(system_, bodies_, wrenches_);
  for (const JointLaw& law : joint_laws_) {
    const Joint& joint = system_.joints[U(law.joint)];
    const BodyState& child = bodies_[U(joint.child)];
    const Vector3 z = Rotate(child.orientation * joint.child_frame.orientation, {0, 0, 1});
    const Vector3 at = child.position + Rotate(child.orientation, joint.child_frame.position);
    for (const int body : {joint.child, joint.parent}) {
      if (body == kGround) continue;
      const Vector3 effort = (body == joint.child ? 1 : -1) * law.At(t, 0., 0.) * z;
      Wrench& on = wrenches_[U(body)];
      if (!law.turns) on.force = on.force + effort;
      on.moment = on.moment + (law.turns ? effort : Cross(at - bodies_[U(body)].position, effort));
    }
  }
  return wrenches_;
}

}  // namespace mbsbench
