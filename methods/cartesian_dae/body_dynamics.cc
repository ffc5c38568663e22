#include "methods/cartesian_dae/body_dynamics.h"

#include <algorithm>
#include <cmath>

#include "problems/model/eigen.h"

namespace mbsbench::cartesian {

namespace {

std::vector<JointLink> LinksOf(const System& system) {
  std::vector<JointLink> links;
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      links.push_back({JointConstraints(joint), joint.parent, joint.child});
    }
  }
  for (const Driver& driver : system.drivers) {
    const auto joint = static_cast<std::size_t>(driver.joint);
    links[joint].constraints.AddDriver(system.joints[joint], driver.speed);
  }
  return links;
}

}  // namespace

void ReadMotion(const double* at, BodyMotion& body) {
  body.position = Eigen::Map<const Vector3d>(at + kPosition);
  body.quaternion = Eigen::Map<const Vector4d>(at + kQuaternion);
  body.velocity = Eigen::Map<const Vector3d>(at + kVelocity);
  body.angular_velocity = Eigen::Map<const Vector3d>(at + kAngularVelocity);
  body.rotation = RotationForm(body.quaternion);
}

void WriteMotion(const BodyMotion& body, double* at) {
  Eigen::Map<Vector3d>(at + kPosition) = body.position;
  Eigen::Map<Vector4d>(at + kQuaternion) = body.quaternion;
  Eigen::Map<Vector3d>(at + kVelocity) = body.velocity;
  Eigen::Map<Vector3d>(at + kAngularVelocity) = body.angular_velocity;
}

void WriteRates(const BodyMotion& body, double* at) {
  Eigen::Map<Vector3d>(at + kPosition) = body.velocity;
  Eigen::Map<Vector4d>(at + kQuaternion) =
      0.5 * LeftProduct(body.quaternion) * body.angular_velocity;
  Eigen::Map<Vector3d>(at + kVelocity) = body.acceleration;
  Eigen::Map<Vector3d>(at + kAngularVelocity) = body.angular_acceleration;
}

BodyDynamics::BodyDynamics(const System& system)
    : system_(system),
      links_(LinksOf(system)),
      spring_angles_(system.joint_spring_dampers.size()),
      accelerations_(system_, links_),
      redundant_(system_, links_) {
  for (const Body& body : system_.bodies) inertia_.push_back(ToEigen(body.inertia));
  for (const JointSpringDamper& spring : system_.joint_spring_dampers) {
    joint_springs_.emplace_back(spring, system_.joints[static_cast<std::size_t>(spring.joint)]);
  }
  bodies_.assign(system_.bodies.size(), ground_);
  lambda_.assign(links_.size(), ConstraintVector::Zero());
  residual_ = lambda_;
  forces_.resize(system_.bodies.size());
  change_.resize(system_.bodies.size());
  body_states_.resize(system_.bodies.size());
  wrenches_.resize(system_.bodies.size());
}

void BodyDynamics::Start(double t, const SystemState& state) {
  const JointOffsets offsets = OffsetsOf(system_);
  for (const Driver& driver : system_.drivers) {
    const auto joint = static_cast<std::size_t>(driver.joint);
    const double coordinate = state.joints.q[static_cast<std::size_t>(offsets.q[joint])];
    links_[joint].constraints.StartDriver(coordinate - driver.speed * t);
  }
  SetTime(t);
  spring_angles_.Restart();
  for (std::size_t k = 0; k < joint_springs_.size(); ++k) {
    const auto joint = static_cast<std::size_t>(system_.joint_spring_dampers[k].joint);
    spring_angles_.latest(k) = state.joints.q[static_cast<std::size_t>(offsets.q[joint])];
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyState& body = state.bodies[b];
    const Quaternion q = mbsbench::Normalised(body.orientation);
    BodyMotion& motion = bodies_[b];
    motion = ground_;
    motion.position = ToEigen(body.position);
    motion.quaternion = Vector4d(q.w, q.x, q.y, q.z);
    motion.rotation = RotationForm(motion.quaternion);
    motion.velocity = ToEigen(body.velocity);
    motion.angular_velocity = ToEigen(Rotate(Conjugate(q), body.angular_velocity));
  }
  redundant_.Select(bodies_);
}

void BodyDynamics::SetTime(double t) {
  time_ = t;
  for (const Driver& driver : system_.drivers)
    links_[static_cast<std::size_t>(driver.joint)].constraints.SetTime(t);
}

void BodyDynamics::UpdateBodyStates() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyMotion unit = cartesian::Normalised(bodies_[b]);
    const Vector4d& q = unit.quaternion;
    body_states_[b] = {FromEigen(unit.position),
                       {q[0], q[1], q[2], q[3]},
                       FromEigen(unit.velocity),
                       FromEigen(unit.rotation * unit.angular_velocity)};
  }
}

void BodyDynamics::EvaluateForces() {
  const Vector3d gravity = ToEigen(system_.gravity);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    forces_[b] = {system_.bodies[b].mass * gravity, Vector3d::Zero()};
  }
  if (HasForceElements(system_)) {
    UpdateBodyStates();
    std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
    AddForceElements(system_, body_states_, wrenches_);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      forces_[b].force += ToEigen(wrenches_[b].force);
      forces_[b].moment +=
          ToEigen(Rotate(Conjugate(body_states_[b].orientation), wrenches_[b].moment));
    }
  }
  spring_angles_.MoveTo(time_);
  for (std::size_t k = 0; k < joint_springs_.size(); ++k) {
    const Joint& joint =
        system_.joints[static_cast<std::size_t>(system_.joint_spring_dampers[k].joint)];
    PairForce force;
    joint_springs_[k].AddForceTo(Motion(joint.parent), Motion(joint.child),
                                 spring_angles_.latest(k), force);
    if (joint.parent != kGround) {
      BodyForce& parent = forces_[static_cast<std::size_t>(joint.parent)];
      parent.force += force.parent_force;
      parent.moment += force.parent_moment;
    }
    BodyForce& child = forces_[static_cast<std::size_t>(joint.child)];
    child.force += force.child_force;
    child.moment += force.child_moment;
  }
}

Status BodyDynamics::Accelerate(Pivots pivots) {
  EvaluateForces();
  if (const Status status = accelerations_.Factorise(left_out(), bodies_, pivots); !status.ok())
    return status;
  accelerations_.Solve(forces_, left_out(), bodies_, lambda_);
  return {};
}

double BodyDynamics::Residual(bool rates) {
  double largest = 0;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const JointLink& link = links_[k];
    ConstraintValues values;
    link.constraints.Evaluate(Motion(link.parent), Motion(link.child), false, values);
    residual_[k] = rates ? values.velocity : values.position;
    for (int i = 0; i < link.constraints.size(); ++i) {
      const double row = std::abs(residual_[k][i]);
      if (!Holds(left_out()[k], i) && !(row <= largest))
        largest = row;  // not a number: the largest
    }
  }
  return largest;
}

double BodyDynamics::Correct(bool rates) {
  constexpr int kMostSteps = 6;
  double left = Residual(rates);
  for (int step = 0; step < kMostSteps && left > 0; ++step) {
    accelerations_.Correction(residual_, left_out(), change_);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      BodyMotion& body = bodies_[b];
      if (rates) {
        body.velocity += change_[b].velocity;
        body.angular_velocity += change_[b].angular_velocity;
        continue;
      }
      body.position += change_[b].velocity;
      body.quaternion += 0.5 * LeftProduct(body.quaternion) * change_[b].angular_velocity;
      body.quaternion.normalize();
      body.rotation = RotationForm(body.quaternion);
    }
    const double before = left;
    left = Residual(rates);
    if (!(left < 0.5 * before)) break;  // round-off, or no way to close
  }
  return left;
}

Status BodyDynamics::Project() {
  constexpr double kClosed = 1e-9;  // what may be left of rows in metres or of unit vectors
  for (BodyMotion& body : bodies_) body = cartesian::Normalised(body);
  if (const Status status = accelerations_.Factorise(left_out(), bodies_, Pivots::kKept);
      !status.ok())
    return status;
  const double left = Correct(false);
  if (!(left <= kClosed)) {
    for (std::size_t k = 0; k < links_.size(); ++k) {
      const auto rows = residual_[k].head(links_[k].constraints.size());
      if (rows.size() > 0 && !(rows.cwiseAbs().maxCoeff() < left)) {
        return {Status::Code::kSingular, static_cast<int>(k), -1,
                "the joint cannot be closed from here"};
      }
    }
  }
  Correct(true);
  return {};
}

Status BodyDynamics::Observe(Detail detail, Observation& observation) {
  for (BodyMotion& body : bodies_) body = cartesian::Normalised(body);
  UpdateBodyStates();
  observation.bodies = body_states_;
  observation.accelerations.clear();
  observation.reactions.clear();
  if (const int link = redundant_.Opened(bodies_); link >= 0) {
    return {
        Status::Code::kSingular, link, -1,
        "constraints of the joint that others implied at the start have opened: the rank of the "
        "constraints changed on the way"};
  }
  if (detail == Detail::kMotion) return {};
  if (const Status status = Accelerate(); !status.ok()) return status;
  for (const BodyMotion& body : bodies_) {
    observation.accelerations.push_back(
        {FromEigen(body.acceleration), FromEigen(body.rotation * body.angular_acceleration)});
  }
  if (detail == Detail::kAccelerations) return {};
  const std::vector<bool> determined = redundant_.DeterminedReactions(bodies_);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Joint& joint = k < system_.joints.size() ? system_.joints[k]
                                                   : system_.loop_joints[k - system_.joints.size()];
    const BodyMotion& child = Motion(joint.child);
    const PairForce force = links_[k].constraints.Force(
        Motion(joint.parent), child, links_[k].constraints.WithoutDriver(lambda_[k]));
    const Vector3d arm = child.rotation * ToEigen(joint.child_frame.position);
    observation.reactions.push_back(
        {FromEigen(force.child_force),
         FromEigen(child.rotation * force.child_moment - arm.cross(force.child_force)),
         determined[k]});
  }
  return {};
}

double BodyDynamics::Power() {
  UpdateBodyStates();
  double power = NonConservativePower(system_, body_states_, nullptr);
  for (std::size_t k = 0; k < joint_springs_.size(); ++k) {
    const JointSpringDamper& e = system_.joint_spring_dampers[k];
    const Joint& joint = system_.joints[static_cast<std::size_t>(e.joint)];
    const double rate = joint_springs_[k].Rate(Motion(joint.parent), Motion(joint.child));
    power -= e.damping * rate * rate;
  }
  if (system_.drivers.empty()) return power;
  if (!Accelerate().ok()) return NAN;
  for (std::size_t k = 0; k < links_.size(); ++k)
    power += links_[k].constraints.DriverPower(lambda_[k]);
  return power;
}

}  // namespace mbsbench::cartesian
