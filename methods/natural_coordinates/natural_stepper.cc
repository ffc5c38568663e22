#include "methods/natural_coordinates/natural_stepper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/kinematics/axial_vector.h"
#include "methods/kinematics/driven_coordinates.h"
#include "methods/kinematics/joint_reactions.h"
#include "methods/kinematics/loop_reactions.h"
#include "methods/kinematics/reach.h"
#include "methods/thresholds/thresholds.h"
#include "methods/tree_motion/tip_inertia.h"
#include "problems/model/eigen.h"

namespace mbsbench::natural {

namespace {

using namespace absolute;

using Frame34 = Eigen::Matrix<double, 3, 4>;

// By the averages of a matrix and its inverse transpose.
Matrix3d NearestRotation(Matrix3d axes) {
  constexpr int kMostAverages = 8;
  for (int k = 0; k < kMostAverages; ++k) {
    if ((axes.transpose() * axes - Matrix3d::Identity()).norm() < 1e-14) break;
    axes = 0.5 * (axes + axes.inverse().transpose()).eval();
  }
  return axes;
}

}  // namespace

NaturalStepper::NaturalStepper(const System& system)
    : AbsoluteStepper(system),
      model_(system),
      coordinates_(AsIndex(3 * model_.unknowns().size())),
      multipliers_(AsIndex(model_.rows().size())),
      mean_mass_(model_.mean_mass()),
      reach_(ReachOf(system)),
      at_(model_.rows().size()),
      tangents_(system.bodies.size()),
      tip_without_inertia_(FindFreeTipWithoutInertia(system)),
      index1_(model_, {}, {}, true) {
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    const Matrix3d& J = dynamics_.inertia(b);
    const Vector3d principal = J.selfadjointView<Eigen::Lower>().eigenvalues();
    if (principal.minCoeff() > kThresholds.resists * principal.maxCoeff())
      spins_.push_back({0.5 * J.trace() * Matrix3d::Identity() - J, J.inverse()});
    else
      spins_.push_back({Matrix3d::Identity(), 0.5 * Matrix3d::Identity()});
  }
  q_ = rates_ = accelerations_ = of_step_ = Vector::Zero(coordinates_);
  lambda_ = Vector::Zero(multipliers_);
}

std::size_t NaturalStepper::state_size() const {
  return motion_size() + static_cast<std::size_t>(4 * coordinates_ + multipliers_);
}

Status NaturalStepper::Initialise(double t, const SystemState& state, std::span<double> y) {
  if (const Status status = dynamics_.Start(t, state); !status.ok()) return status;
  SetTime(t);
  TakeMotions();
  model_.ScaleRows(q_);
  if (const Status status = Accelerate(Pivots::kNewOrder); !status.ok()) return status;
  of_step_ = accelerations_;
  Store(y);
  return {};
}

Status NaturalStepper::Start(double t, const SystemState& state, const StepControl& control) {
  if (const Status status = AbsoluteStepper::Start(t, state, control); !status.ok()) return status;
  left_out_.assign(dynamics_.left_out().begin(), dynamics_.left_out().end());
  length_ = *std::max_element(reach_.begin(), reach_.end());
  return {};
}

void NaturalStepper::Store(std::span<double> y) {
  dynamics_.Store(y);
  double* at = y.data() + motion_size();
  for (const Vector* data : {&q_, &rates_, &accelerations_, &lambda_, &of_step_})
    at = std::copy_n(data->data(), data->size(), at);
}

void NaturalStepper::Load(std::span<const double> y) {
  dynamics_.Load(time_, y);
  const double* at = y.data() + motion_size();
  for (Vector* data : {&q_, &rates_, &accelerations_, &lambda_, &of_step_}) {
    std::copy_n(at, data->size(), data->data());
    at += data->size();
  }
}

void NaturalStepper::SetTime(double t) {
  dynamics_.SetTime(t);
  if (dynamics_.system().drivers.empty()) return;
  model_.Drive(joints().Drivers(dynamics_.lambda()));
}

void NaturalStepper::TakeMotions() {
  for (std::size_t k = 0; k < model_.unknowns().size(); ++k) {
    const auto& [body, place] = model_.unknowns()[k];
    const BodyMotion& motion = dynamics_.Motion(body);
    const Vector3d arm = place.tail<3>();
    const auto at = AsIndex(3 * k);
    q_.segment<3>(at) = place[0] * motion.position + motion.rotation * arm;
    rates_.segment<3>(at) =
        place[0] * motion.velocity + motion.rotation * motion.angular_velocity.cross(arm);
  }
}

void NaturalStepper::MoveBodies() {
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    BodyMotion& body = dynamics_.bodies()[b];
    const Frame34 frame = model_.FrameOf(b, q_, true), rate = model_.FrameOf(b, rates_, false);
    body.position = frame.col(0);
    body.velocity = rate.col(0);
    const Eigen::Quaterniond turned(NearestRotation(frame.rightCols<3>()));
    Vector4d quaternion(turned.w(), turned.x(), turned.y(), turned.z());
    if (quaternion.dot(body.quaternion) < 0) quaternion = -quaternion;
    body.SetQuaternion(quaternion.normalized());
    const Matrix3d in_body = body.rotation.transpose() * rate.rightCols<3>();
    Vector3d moment = Vector3d::Zero();
    for (int k = 0; k < 3; ++k) moment += spins_[b].weight.col(k).cross(in_body.col(k));
    body.angular_velocity = spins_[b].inverse * moment;
  }
}

void NaturalStepper::FindTangents() {
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    const Eigen::Matrix4d& inverse = model_.basis(b).inverse;
    const Matrix3d to_body = dynamics_.bodies()[b].rotation.transpose();
    for (int a = 0; a < 4; ++a) {
      const Vector3d c = inverse.row(a).tail<3>().transpose();
      tangents_[b].block<3, 3>(0, 3 * a) = inverse(a, 0) * Matrix3d::Identity();
      tangents_[b].block<3, 3>(3, 3 * a) = 0.5 * Cross(c) * to_body;  // (2)
    }
  }
}

NaturalStepper::Vector NaturalStepper::ForcesOf(std::span<const BodyVector> wrenches) const {
  Vector forces = Vector::Zero(coordinates_);
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    const Eigen::Matrix<double, kOfBody, 1> on_columns = tangents_[b].transpose() * wrenches[b];
    model_.AddToColumns<double>(b, Eigen::Map<const Frame34>(on_columns.data()), forces);
  }
  return forces;
}

// Besides the derivatives of the wrenches, of Omega by the pose, 1/2 Omega x delta phi, and of T'.
void NaturalStepper::AddForceDerivatives(const AbsoluteForces& of_elements, double t,
                                         std::span<const BodyVector> wrenches, double k, double s,
                                         NaturalMatrix& matrix) const {
  const std::vector<BodyMotion>& bodies = dynamics_.bodies();
  ForceDerivatives by;
  for (std::size_t i = 0; i < of_elements.size(); ++i) {
    of_elements.Differentiate(t, i, bodies, by);
    PairMatrix total = -k * by.by_rates - s * by.by_positions;
    const std::pair<int, int> pair[] = {{of_elements.parent(i), 0}, {of_elements.child(i), kRates}};
    PairBlock block = PairBlock::Zero();
    for (const auto& [b, at] : pair) {
      if (b == kGround) continue;
      const Matrix3d by_pose = 0.5 * Cross(bodies[At(b)].angular_velocity);
      total.middleCols<3>(at + 3) -= s * by.by_rates.middleCols<3>(at + 3) * by_pose;
    }
    for (const auto& [a, row] : pair) {
      for (const auto& [b, column] : pair) {
        if (a == kGround || b == kGround) continue;
        block.block<kOfBody, kOfBody>(2 * row, 2 * column) =
            tangents_[At(a)].transpose() * total.block<kRates, kRates>(row, column) *
            tangents_[At(b)];
      }
    }
    matrix.AddPair(i, block);
  }
  if (of_elements.size() == 0) return;
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    const Vector3d moment = wrenches[b].tail<3>();
    if (moment.isZero(0)) continue;
    BodyBlock block;
    for (int a = 0; a < 4; ++a) {
      const Vector3d c = model_.basis(b).inverse.row(a).tail<3>().transpose();
      block.middleRows<3>(3 * a) =
          0.5 * s * bodies[b].rotation * Cross(moment.cross(c)) * tangents_[b].bottomRows<3>();
    }
    matrix.AddBody(b, block);
  }
}

void NaturalStepper::EvaluateRows(const Vector& q, const Vector& rates) {
  for (std::size_t k = 0; k < at_.size(); ++k) model_.rows()[k].Evaluate(q, rates, at_[k]);
}

bool NaturalStepper::IsLeftOut(std::size_t k, std::span<const RowSet> left_out) const {
  const NaturalRow& row = model_.rows()[k];
  return row.joint >= 0 && Holds(left_out[At(row.joint)], row.of_joint);
}

Status NaturalStepper::SingularAt(int column) const {
  if (column < static_cast<int>(coordinates_))
    return SingularBody(model_.unknowns()[At(column / 3)].body);
  const NaturalRow& row = model_.rows()[At(column - static_cast<int>(coordinates_))];
  return {Status::Code::kSingular, row.joint, row.body,
          row.joint >= 0 ? "the joint's constraints depend on those of other joints"
                         : "the body's rigidity depends on constraints of joints"};
}

double NaturalStepper::LargestOf(const Vector& change) {
  double largest = 0;
  for (std::size_t k = 0; k < model_.unknowns().size(); ++k) {
    const auto at = AsIndex(3 * k);
    const double moved = change.segment<3>(at).norm();
    if (!(moved <= largest)) largest = moved, worst_ = model_.unknowns()[k].body;
    length_ = std::max(length_, q_.segment<3>(at).norm());
  }
  return largest;
}

Status NaturalStepper::Accelerate(Pivots pivots) {
  if (!tip_without_inertia_.ok()) return tip_without_inertia_;
  dynamics_.EvaluateForces();
  FindTangents();
  EvaluateRows(q_, rates_);
  Vector solution(coordinates_ + multipliers_);
  const auto solve = [&](Pivots order) {
    solution.head(coordinates_) = ForcesOf(dynamics_.forces()) / mean_mass_;
    index1_.Begin();
    index1_.AddMass(1 / mean_mass_);
    for (std::size_t k = 0; k < at_.size(); ++k) {
      const bool is_left_out = IsLeftOut(k, dynamics_.left_out());
      index1_.AddRow(k, 0, 0, at_[k], is_left_out ? nullptr : &at_[k]);
      solution[coordinates_ + AsIndex(k)] = is_left_out ? 0 : -at_[k].bias;
    }
    return index1_.Factorise(order);
  };
  int column = solve(pivots);
  if (column >= 0 && dynamics_.leaves_rows_out()) {
    dynamics_.SelectRowsAnew();
    column = solve(Pivots::kNew);
  }
  if (column >= 0) return SingularAt(column);
  index1_.Solve(solution);
  accelerations_ = solution.head(coordinates_);
  lambda_ = -mean_mass_ * solution.tail(multipliers_);
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    BodyMotion& body = dynamics_.bodies()[b];
    const Frame34 second = model_.FrameOf(b, accelerations_, false);
    body.acceleration = second.col(0);
    // R' d_k'' = Omega' x e_k + Omega x (Omega x e_k), of which the first part is skew.
    const Matrix3d in_body = body.rotation.transpose() * second.rightCols<3>();
    body.angular_acceleration = AxialVector(in_body);
  }
  return {};
}

std::vector<ConstraintVector> NaturalStepper::OfJoints() const {
  std::vector<ConstraintVector> lambda(joints().size(), ConstraintVector::Zero());
  for (std::size_t k = 0; k < at_.size(); ++k) {
    const NaturalRow& row = model_.rows()[k];
    if (row.joint < 0) continue;
    double of_row = row.scale * lambda_[AsIndex(k)];
    if (joints().IsLoop(At(row.joint))) {
      const Joint& joint = dynamics_.system().loop_joints[At(row.joint) - joints().tree_joints()];
      if (joint.type == JointType::kDistance) of_row *= 2 * joint.length;  // of |d|^2
    }
    lambda[At(row.joint)][row.of_joint] = of_row;
  }
  return lambda;
}

Status NaturalStepper::Observe(double t, std::span<const double> y, Detail detail,
                               Observation& observation) {
  dynamics_.Load(t, y);
  if (const Status status = dynamics_.ObserveMotion(observation); !status.ok()) return status;
  if (detail == Detail::kMotion) return {};
  SetTime(t);
  TakeMotions();
  if (const Status status = Accelerate(Pivots::kKept); !status.ok()) return status;
  if (const Status status = dynamics_.ObserveAccelerations(observation); !status.ok())
    return status;
  if (detail != Detail::kReactions) return {};
  observation.drivers = joints().Drivers(OfJoints());
  observation.reactions = ReactionsBy(accelerations_, observation.bodies);
  return {};
}

std::vector<JointReaction> NaturalStepper::AlgorithmicReactions(double t,
                                                                std::span<const double> y) {
  Load(y);
  SetTime(t);
  dynamics_.EvaluateForces();
  std::vector<BodyState> bodies;
  for (const BodyMotion& body : dynamics_.bodies()) bodies.push_back(StateOf(body));
  return ReactionsBy(of_step_, bodies);
}

// Newton and Euler's equations from the tips to the root, with the forces of loops by their multipliers. The moment of M q'' is
// sum_k d_k x sum_l E_kl d_l''.
std::vector<JointReaction> NaturalStepper::ReactionsBy(const Vector& accelerations,
                                                       std::span<const BodyState> bodies) {
  const System& system = dynamics_.system();
  const std::vector<ConstraintVector> lambda = OfJoints();
  std::vector<Wrench> acting, needed;
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    const BodyVector& force = dynamics_.forces()[b];
    acting.push_back(
        {FromEigen(force.head<3>()), FromEigen(dynamics_.bodies()[b].rotation * force.tail<3>())});
  }
  std::vector<JointReaction> of_loops;
  for (std::size_t k = joints().tree_joints(); k < joints().size(); ++k)
    of_loops.push_back(dynamics_.ReactionOf(k, lambda[k]));
  AddLoopReactions(system.loop_joints, bodies, of_loops, acting);
  for (std::size_t b = 0; b < reach_.size(); ++b) {
    const Matrix3d &J = dynamics_.inertia(b), &rotation = dynamics_.bodies()[b].rotation;
    const Frame34 second = model_.FrameOf(b, accelerations, false);
    const Matrix3d E = 0.5 * J.trace() * Matrix3d::Identity() - J;
    const Vector3d moment =
        2 * rotation * AxialVector(rotation.transpose() * second.rightCols<3>() * E);
    needed.push_back({system.bodies[b].mass * FromEigen(second.col(0)) - acting[b].force,
                      FromEigen(moment) - acting[b].moment});
  }
  std::vector<JointReaction> reactions = PassedThroughJoints(system, bodies, std::move(needed));
  for (const Driver& driver : system.drivers) {  // their efforts along the axes are no reactions
    const Joint& joint = system.joints[At(driver.joint)];
    JointReaction& reaction = reactions[At(driver.joint)];
    const Vector3 axis = Rotate(bodies[At(joint.child)].orientation,
                                Rotate(joint.child_frame.orientation, {0, 0, 1}));
    Vector3& along = joint.type == JointType::kRevolute ? reaction.torque : reaction.force;
    along = along - Dot(along, axis) * axis;
  }
  reactions.insert(reactions.end(), of_loops.begin(), of_loops.end());
  dynamics_.MarkUndetermined(reactions);
  return reactions;
}

double NaturalStepper::Power(double t, std::span<const double> y) {
  dynamics_.Load(t, y);
  const double power = elements().Power(t, dynamics_.bodies());
  if (dynamics_.system().drivers.empty()) return power;
  SetTime(t);
  TakeMotions();
  return Accelerate(Pivots::kKept).ok() ? power + PowerOf(joints().Drivers(OfJoints())) : NAN;
}

}  // namespace mbsbench::natural
