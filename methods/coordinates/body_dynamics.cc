#include "methods/coordinates/body_dynamics.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/changed_reactions.h"
#include "methods/kinematics/driven_coordinates.h"
#include "methods/numerics/coarse_unit.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/eigen.h"

namespace mbsbench::absolute {

namespace {

double LargestReach(const AccelerationSolver& accelerations, std::size_t bodies) {
  double reach = 0;
  for (std::size_t b = 0; b < bodies; ++b) reach = std::max(reach, accelerations.Reach(b));
  return reach;
}

double SizeOfRow(const JointConstraints& joint, int row, const ConstraintVector& values,
                 double unit) {
  return std::abs(values[row]) / (joint.IsLength(row) ? unit : 1);
}

}  // namespace

void ReadMotion(const double* at, BodyMotion& body) {
  body.position = Eigen::Map<const Vector3d>(at + kPosition);
  body.SetQuaternion(Eigen::Map<const Vector4d>(at + kQuaternion));
  body.velocity = Eigen::Map<const Vector3d>(at + kVelocity);
  body.angular_velocity = Eigen::Map<const Vector3d>(at + kAngularVelocity);
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
      constraints_(system_),
      force_elements_(system_),
      accelerations_(system_, constraints_),
      redundant_(system_, constraints_),
      unit_of_lengths_(CoarseUnit(LargestReach(accelerations_, system_.bodies.size()))),
      bodies_(system.bodies.size()),
      lambda_(constraints_.size(), ConstraintVector::Zero()),
      residual_(lambda_),
      forces_(system.bodies.size()),
      change_(forces_) {
  for (const Body& body : system_.bodies) inertia_.push_back(ToEigen(body.inertia));
}

Status BodyDynamics::Start(double t, const SystemState& state) {
  constraints_.Start(t, state.joints);
  force_elements_.Start(state.joints);
  time_ = t;
  bodies_ = MotionsOf(state.bodies);
  best_pivot_ = 0;
  if (const Status status = redundant_.Select(bodies_);
      !status.ok() || !(system_.loop_precision > 0))
    return status;
  if (const Status status = Factorise(Pivots::kNewOrder); !status.ok()) return status;
  return CorrectBoth();
}

void BodyDynamics::SetTime(double t) {
  time_ = t;
  constraints_.SetTime(t);
}

void BodyDynamics::Load(double t, std::span<const double> y) {
  SetTime(t);
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    ReadMotion(y.data() + kMotionSize * b, bodies_[b]);
}

void BodyDynamics::Store(std::span<double> y) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    WriteMotion(bodies_[b], y.data() + kMotionSize * b);
}

void BodyDynamics::StoreRates(std::span<double> ydot) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    WriteRates(bodies_[b], ydot.data() + kMotionSize * b);
}

std::vector<Dimension> BodyDynamics::Dimensions() const {
  std::vector<Dimension> dimensions;
  const auto append = [&](std::size_t count, Dimension dimension) {
    dimensions.insert(dimensions.end(), count, dimension);
  };
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    append(3, Dimension::kLength);
    append(4, Dimension::kNumber);
    append(3, Dimension::kSpeed);
    append(3, Dimension::kRate);
  }
  return dimensions;
}

Status BodyDynamics::FactoriseIndependentRows() {
  // Relative to the best value since the rows were selected: long before they become dependent, so
  // that baumgarte's drift is not magnified in the rows left out.
  constexpr double kWorse = 0.1;
  // Near a singular position all selections are bad: an exchange of rows must be a clear
  // improvement.
  constexpr double kBetter = 2;
  Status status = accelerations_.Factorise(left_out(), bodies_, Pivots::kKept);
  if (!redundant_.any()) return status;
  const double pivot = status.ok() ? accelerations_.SmallestPivot() : 0;
  best_pivot_ = std::max(best_pivot_, pivot);
  if (pivot > kWorse * best_pivot_) return status;
  const std::vector<RowSet> before(left_out().begin(), left_out().end());
  redundant_.SelectAnew(bodies_);
  status = accelerations_.Factorise(left_out(), bodies_, Pivots::kNew);
  if (!status.ok() || accelerations_.SmallestPivot() < kBetter * pivot) {
    redundant_.LeaveOut(before);
    status = accelerations_.Factorise(left_out(), bodies_, Pivots::kNew);
  }
  if (status.ok()) best_pivot_ = accelerations_.SmallestPivot();
  return status;
}

Status BodyDynamics::Factorise(Pivots pivots) {
  const Status status = accelerations_.Factorise(left_out(), bodies_, pivots);
  if (status.ok() || !redundant_.any()) return status;
  redundant_.SelectAnew(bodies_);
  return accelerations_.Factorise(left_out(), bodies_, Pivots::kNew);
}

Status BodyDynamics::Accelerate(Pivots pivots) {
  EvaluateForces();
  if (const Status status = Factorise(pivots); !status.ok()) return status;
  accelerations_.Solve(forces_, left_out(), bodies_, lambda_);
  return {};
}

void BodyDynamics::LoadMultipliers(std::span<const double> lambda) {
  const double* at = lambda.data();
  for (std::size_t k = 0; k < lambda_.size(); at += constraints_[k++].size())
    std::copy_n(at, constraints_[k].size(), lambda_[k].data());
}

void BodyDynamics::StoreMultipliers(std::span<double> lambda) const {
  double* at = lambda.data();
  for (std::size_t k = 0; k < lambda_.size(); ++k)
    at = std::copy_n(lambda_[k].data(), constraints_[k].size(), at);
}

void BodyDynamics::AddReactions() {
  for (std::size_t k = 0; k < lambda_.size(); ++k) {
    const JointConstraints& joint = constraints_[k];
    const PairVectorOfRates reaction =
        joint.Jacobian(Motion(joint.parent()), Motion(joint.child())).transpose() * lambda_[k];
    for (const auto& [body, from] : {std::pair{joint.parent(), 0}, {joint.child(), kChild}})
      if (body != kGround)
        forces_[static_cast<std::size_t>(body)] += reaction.segment<kRates>(from);
  }
}

double BodyDynamics::Residual(bool rates) {
  double largest = 0;
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const JointConstraints& joint = constraints_[k];
    ConstraintValues values;
    joint.Evaluate(Motion(joint.parent()), Motion(joint.child()), false, values);
    residual_[k] = rates ? values.velocity : values.position;
    for (int i = 0; i < joint.size(); ++i) {
      const double row = SizeOfRow(joint, i, residual_[k], unit_of_lengths_);
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
        body.velocity += change_[b].head<3>();
        body.angular_velocity += change_[b].tail<3>();
        continue;
      }
      body.position += change_[b].head<3>();
      const Vector4d turn = 0.5 * LeftProduct(body.quaternion) * change_[b].tail<3>();
      body.SetQuaternion((body.quaternion + turn).normalized());
    }
    const double before = left;
    left = Residual(rates);
    if (!(left < 0.5 * before)) break;  // round-off, or no way to close
  }
  return left;
}

Status BodyDynamics::Project(bool chooses_rows) {
  for (BodyMotion& body : bodies_) body.quaternion.normalize();
  const Status status = chooses_rows ? FactoriseIndependentRows()
                                     : accelerations_.Factorise(left_out(), bodies_, Pivots::kKept);
  return status.ok() ? CorrectBoth() : status;
}

Status BodyDynamics::CorrectBoth() {
  const double left = Correct(false);
  double farthest = 0;  // positions there are known to their last places
  for (const BodyMotion& body : bodies_) farthest = std::max(farthest, body.position.norm());
  if (!(left <=
        std::max(kThresholds.open_loop, kThresholds.known_entry * farthest / unit_of_lengths_))) {
    for (std::size_t k = 0; k < constraints_.size(); ++k) {
      for (int i = 0; i < constraints_[k].size(); ++i) {
        if (Holds(left_out()[k], i) ||
            SizeOfRow(constraints_[k], i, residual_[k], unit_of_lengths_) < left)
          continue;
        return {Status::Code::kSingular, static_cast<int>(k), -1,
                "the joint cannot be closed from here"};
      }
    }
  }
  Correct(true);
  return {};
}

int BodyDynamics::Slipping(double speed) const {
  double largest = 0;
  int worst = -1;
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const JointConstraints& joint = constraints_[k];
    ConstraintValues values;
    joint.Evaluate(Motion(joint.parent()), Motion(joint.child()), false, values);
    for (int i = 0; i < joint.size(); ++i) {
      const double slip = RowScale(k, i) * std::abs(values.velocity[i]);
      if (slip > largest) largest = slip, worst = static_cast<int>(k);
    }
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    speed = std::max({speed, bodies_[b].velocity.norm(),
                      accelerations_.Reach(b) * bodies_[b].angular_velocity.norm()});
  }
  // Rows that stay out of the equations for the stated precision of the loops may slip by it.
  const double may_slip =
      std::max(kThresholds.slips, kDependentPerPrecision * system_.loop_precision);
  return largest > may_slip * speed ? worst : -1;
}

Status BodyDynamics::ObserveMotion(Observation& observation) {
  observation = {};
  for (BodyMotion& body : bodies_) {
    body.quaternion.normalize();
    observation.bodies.push_back(StateOf(body));
  }
  if (const int joint = redundant_.Opened(bodies_); joint >= 0) {
    return {
        Status::Code::kSingular, joint, -1,
        "constraints of the joint that others implied at the start have opened: the rank of the "
        "constraints changed on the way"};
  }
  return {};
}

Status BodyDynamics::ObserveAccelerations(Observation& observation) const {
  double scale = 0;  // at rest accelerations are round-off relative to those of the forces
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const double mass = system_.bodies[b].mass, inertia = inertia_[b].trace();
    if (mass > 0) scale = std::max(scale, forces_[b].head<3>().norm() / mass);
    if (mass > 0 && inertia > 0)
      scale = std::max(scale, forces_[b].tail<3>().norm() / std::sqrt(mass * inertia));
  }
  if (const int joint = redundant_.Contradicted(bodies_, scale); joint >= 0) {
    return {Status::Code::kSingular, joint, -1,
            "the joint's constraints contradict those of the other joints in this position"};
  }
  for (const BodyMotion& body : bodies_) {
    observation.accelerations.push_back(
        {FromEigen(body.acceleration), FromEigen(body.rotation * body.angular_acceleration)});
  }
  return {};
}

JointReaction BodyDynamics::ReactionOf(std::size_t joint, const ConstraintVector& lambda) const {
  const JointConstraints& rows = constraints_[joint];
  const Frame& on_child = constraints_.IsLoop(joint)
                              ? system_.loop_joints[joint - constraints_.tree_joints()].child_frame
                              : system_.joints[joint].child_frame;
  const BodyMotion& child = Motion(rows.child());
  const BodyVector wrench =
      (rows.Jacobian(Motion(rows.parent()), child).transpose() * rows.WithoutDriver(lambda))
          .tail<kRates>();
  const Vector3d force = wrench.head<3>();
  const Vector3d arm = child.rotation * ToEigen(on_child.position);
  return {FromEigen(force), FromEigen(child.rotation * wrench.tail<3>() - arm.cross(force))};
}

Status BodyDynamics::Observe(Detail detail, Observation& observation) {
  if (const Status status = ObserveMotion(observation); !status.ok()) return status;
  if (detail == Detail::kMotion) return {};
  if (const Status status = Accelerate(); !status.ok()) return status;
  if (const Status status = ObserveAccelerations(observation); !status.ok()) return status;
  if (detail == Detail::kAccelerations) return {};
  observation.drivers = constraints_.Drivers(lambda_);
  observation.reactions = Reactions();
  return {};
}

std::vector<JointReaction> BodyDynamics::Reactions() {
  std::vector<JointReaction> reactions = ReactionsOf(lambda_);
  MarkUndetermined(reactions);
  return reactions;
}

std::vector<JointReaction> BodyDynamics::ReactionsOf(
    std::span<const ConstraintVector> lambda) const {
  std::vector<JointReaction> reactions;
  for (std::size_t k = 0; k < lambda.size(); ++k) reactions.push_back(ReactionOf(k, lambda[k]));
  return reactions;
}

void BodyDynamics::MarkUndetermined(std::span<JointReaction> reactions) {
  for (const std::vector<ConstraintVector>& lambda : redundant_.NullVectors(bodies_))
    MarkChanged(system_, ReactionsOf(lambda), kThresholds.unique_reaction, reactions);
}

double BodyDynamics::Power() {
  const double power = force_elements_.Power(time_, bodies_);
  if (system_.drivers.empty()) return power;
  return Accelerate().ok() ? power + PowerOf(constraints_.Drivers(lambda_)) : NAN;
}

}  // namespace mbsbench::absolute
