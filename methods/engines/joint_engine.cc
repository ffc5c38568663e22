#include "methods/engines/joint_engine.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "problems/model/forces.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

const char kNotFinite[] = "the engine's accelerations are not finite";

std::size_t U(int i) { return static_cast<std::size_t>(i); }

}  // namespace

std::vector<BodyAcceleration> AccelerationsOfTree(const System& system, const Topology& topology,
                                                  std::span<const BodyState> bodies,
                                                  const JointState& joints,
                                                  std::span<const double> accelerations) {
  constexpr std::array<Vector3, 3> kUnit{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const JointOffsets at = OffsetsOf(system);
  std::vector<BodyAcceleration> result(bodies.size());
  for (int b : topology.order) {
    const int j = topology.joint[U(b)], p = topology.parent[U(b)];
    const Joint& joint = system.joints[U(j)];
    const BodyState parent = p == kGround ? BodyState{} : bodies[U(p)];
    const BodyAcceleration of_parent = p == kGround ? BodyAcceleration{} : result[U(p)];
    // The angular velocity and the acceleration at a point of a frame that each motion of the joint moves on.
    Vector3 w = parent.angular_velocity, alpha = of_parent.angular_acceleration;
    Vector3 a = of_parent.acceleration;
    const auto go_to = [&](const Vector3& arm) {
      a = a + Cross(alpha, arm) + Cross(w, Cross(w, arm));
    };
    go_to(Rotate(parent.orientation, joint.parent_frame.position));
    Quaternion axes = parent.orientation * joint.parent_frame.orientation;
    const double* q = joints.q.data() + at.q[U(j)];
    const double* u = joints.u.data() + at.u[U(j)];
    const double* rate = accelerations.data() + at.u[U(j)];
    for (const JointAxis& motion : AxesOf(joint.type)) {
      const Vector3 unit = kUnit[U(motion.axis)], axis = Rotate(axes, unit);
      if (motion.turns) {
        alpha = alpha + *u * Cross(w, axis) + *rate * axis;
        w = w + *u * axis;
        axes = axes * AxisAngle(unit, *q);
      } else {
        go_to(*q * axis);
        a = a + 2 * *u * Cross(w, axis) + *rate * axis;
      }
      ++q, ++u, ++rate;
    }
    const BodyState& child = bodies[U(b)];
    if (TurnsFreely(joint.type)) {
      axes = child.orientation * joint.child_frame.orientation;
      const Vector3 spin = Rotate(axes, {u[0], u[1], u[2]});
      alpha = alpha + Cross(w, spin) + Rotate(axes, {rate[0], rate[1], rate[2]});
      w = w + spin;
    }
    go_to(-Rotate(child.orientation, joint.child_frame.position));
    result[U(b)] = {a, alpha};
  }
  return result;
}

JointEngine::JointEngine(const System& system)
    : system_(system),
      topology_(TopologyOf(system_)),
      at_(OffsetsOf(system_)),
      joints_(system_),
      joint_forces_(system_, at_.u),
      has_elements_(system_.forces.AnyOnBodies()),
      efforts_(joints_.rate_count()),
      wrenches_(has_elements_ ? system_.bodies.size() : 0) {}

Status JointEngine::Initialise(double, const SystemState& state, std::span<double> y) {
  joints_.Put(state.joints, y);
  return {};
}

JointEngine::Loads JointEngine::LoadsAt(double t, std::span<const double> y) {
  joint_forces_.Put(t, y.data(), std::span<double>(efforts_));
  if (has_elements_) {
    bodies_ = ForwardKinematics(system_, joints_.StateAt(y));
    std::ranges::fill(wrenches_, Wrench{});
    AddForceElements(system_, bodies_, wrenches_);
  }
  return {efforts_, wrenches_, bodies_};
}

Status JointEngine::Evaluate(double t, std::span<const double> y, std::span<double> ydot) {
  const std::span<double> accelerations = ydot.subspan(joints_.count());
  Status status = Accelerate(y, LoadsAt(t, y), accelerations);
  joints_.CalcRates(y, ydot);
  double sum = 0;
  for (const double value : ydot) sum += value;
  if (status.ok() && !std::isfinite(sum)) status = {Status::Code::kNotFinite, -1, -1, kNotFinite};
  if (!status.ok()) std::ranges::fill(ydot, NAN);
  return status;
}

Status JointEngine::Observe(double t, std::span<const double> y, Detail detail,
                            Observation& observation) {
  observation.accelerations.clear();
  observation.reactions.clear();
  observation.drivers.clear();
  const JointState joints = joints_.StateAt(y);
  observation.bodies = ForwardKinematics(system_, joints);
  if (detail == Detail::kMotion) return {};
  std::vector<double> ydot(state_size());
  if (const Status status = Evaluate(t, y, ydot); !status.ok()) return status;
  observation.accelerations =
      AccelerationsOfTree(system_, topology_, observation.bodies, joints,
                          std::span<const double>(ydot).subspan(joints_.count()));
  if (detail == Detail::kReactions) observation.reactions = Reactions(observation.bodies);
  return {};
}

HasPower* JointEngine::power() { return HasNonConservativeForces(system_) ? this : nullptr; }

double JointEngine::Power(double t, std::span<const double> y) {
  const JointState joints = joints_.StateAt(y);
  return NonConservativePower(system_, t, ForwardKinematics(system_, joints), &joints);
}

}  // namespace mbsbench
