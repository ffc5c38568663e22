#include "methods/index3_direct/direct_stepper.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/reach.h"

namespace mbsbench::direct {

namespace {

constexpr int kMostIterations = 20;
constexpr double kRoundOff = 1e-15;  // with step control: a change that no iteration reduces
// The control of the step. The published descriptions leave these numbers open, so they are assumed.
constexpr double kOfTolerance = 1e-3;  // the remaining change
constexpr double kOutputs = 100;       // per motion: no step is longer than the time between two
constexpr double kFirst = 1e-3;        // of the longest step
constexpr double kLeast = 1e-9;        // of the longest step
constexpr double kKeptWithin = 0.25;   // change of k with which a matrix is kept
constexpr int kSlow = 3;               // iterations after which it is renewed
constexpr double kAfterDivergence = 0.25;

}  // namespace

DirectStepper::DirectStepper(const System& system, bool keeps_velocities)
    : AbsoluteStepper(system),
      keeps_velocities_(keeps_velocities),
      reach_(ReachOf(system)),
      matrix_(dynamics_, keeps_velocities) {
  for (const Body& body : system.bodies) mass_.push_back(body.mass);
  for (const JointConstraints& joint : joints().joints()) multipliers_ += U(joint.size());
  lambda_.assign(joints().size(), ConstraintVector::Zero());
  second_ = lambda_;
  back_.assign(joints().size(), ConstraintJacobian::Zero());
  rates_.assign(reach_.size(), BodyVector::Zero());
  moved_ = past_ = rates_;
  turns_.assign(reach_.size(), Matrix3d::Identity());
}

Status DirectStepper::Start(double t, const SystemState& state, const StepControl& control) {
  length_ = control.length, time_scale_ = control.time;
  largest_.assign(reach_.size(), Vector3d::Constant(length_));
  if (const Status status = AbsoluteStepper::Start(t, state, control); !status.ok()) return status;
  matrix_.Start();
  has_matrix_ = false;
  tolerance_ = control.tolerance;
  longest_ = control.end_time / kOutputs;
  next_ = is_adaptive() ? kFirst * longest_ : control.step;
  restarted_ = {};
  Follow();
  return Begin(next_);
}

// Accelerations and multipliers jump at the break: the scheme starts anew.
void DirectStepper::Restart(double t, std::span<const double> y) {
  dynamics_.Load(t, y);
  ++counters_.restarts;
  has_matrix_ = false;
  next_ = kFirst * longest_;
  restarted_ = dynamics_.Accelerate();
  ++counters_.evaluations;
  ++counters_.factorisations;
  if (restarted_.ok()) restarted_ = Begin(next_);
}

StepReport DirectStepper::Step(double limit) {
  if (!restarted_.ok()) return {.status = restarted_};
  if (!is_adaptive()) {
    const StepReport report = AbsoluteStepper::Step(limit);
    if (report.status.ok()) Follow();
    return report;
  }
  for (;;) {
    const double wanted = std::min(next_, longest_), remaining = limit - time_;
    const double h = remaining <= wanted * (1 + 1e-9) ? remaining
                     : remaining < 2 * wanted         ? remaining / 2
                                                      : wanted;
    const double end = h == remaining ? limit : time_ + h;
    Status status = MoveOn(end);
    const bool converged = status.ok(), accepted = converged && error() <= tolerance_;
    const double error_of_step = error() / tolerance_;
    if (accepted) {
      next_ = h * NextLength(error_of_step, true);
      Arrive(end);
      Follow();
      return {{}, error_of_step};
    }
    ++counters_.rejected_steps;
    ++(converged ? counters_.error_test_failures : counters_.convergence_failures);
    if (converged)
      status = {Status::Code::kStepFailed, -1, worst_,
                "the least step does not meet the tolerance"};
    if (!(h > kLeast * longest_)) return {status};
    next_ = h * (converged ? NextLength(error_of_step, false) : kAfterDivergence);
    if (!converged) has_matrix_ = false;
  }
}

Status DirectStepper::Solve(const Scheme& scheme) {
  double before = 0;
  int of_this_matrix = 0;
  if (!is_adaptive() || std::abs(scheme.k / k_of_matrix_ - 1) > kKeptWithin) has_matrix_ = false;
  bool is_new = !has_matrix_;
  const double floor = kRoundOff * (keeps_velocities_ ? 1 + time_scale_ / scheme.k : 1);
  for (int i = 0; i < kMostIterations; ++i) {
    if (const Status status = Displace(); !status.ok()) return status;
    const bool renew = !has_matrix_ || !is_adaptive() || (!is_new && of_this_matrix == kSlow);
    if (!Assemble(scheme, renew)) break;
    if (renew) {
      if (const Status status = matrix_.Factorise(counters_); !status.ok()) return status;
      has_matrix_ = is_new = true;
      k_of_matrix_ = scheme.k;
      of_this_matrix = 0;
      before = 0;
    }
    matrix_.Solve();
    ++counters_.newton_iterations;
    ++of_this_matrix;
    const double change = SizeOfChange(scheme);
    TakeChange();
    const double rate = before > 0 ? change / before : 0.5;
    const bool converged =
        is_adaptive() ? change <= floor ||
                            (rate < 1 && rate / (1 - rate) * change <= kOfTolerance * tolerance_)
                      : change <= last_change_;
    if (converged) return Displace();
    if (!std::isfinite(change) || (is_adaptive() && is_new && rate > 2)) break;
    before = change;
  }
  has_matrix_ = false;
  return {Status::Code::kNotConverged, -1, worst_,
          is_adaptive() ? "Newton's method does not converge with the least step"
                        : "Newton's method does not converge"};
}

bool DirectStepper::Assemble(const Scheme& scheme, bool with_matrix) {
  const auto [m, k_rate, s] = scheme;
  bool finite = true;
  const auto check = [&](bool is_finite, int body) {
    if (!is_finite) finite = false, worst_ = body;
  };
  if (with_matrix) {
    matrix_.Begin();
    ++counters_.jacobians;
  }
  dynamics_.EvaluateForces();
  ++counters_.evaluations;
  for (std::size_t b = 0; b < rates_.size(); ++b) {
    const Matrix3d& J = dynamics_.inertia(b);
    const Vector3d& omega = dynamics_.bodies()[b].angular_velocity;
    BodyVector inertial;
    inertial << mass_[b] * rates_[b].head<3>(), J * rates_[b].tail<3>();
    matrix_.Rates(b) = Force(b) + past_[b] - m * inertial;
    matrix_.Pose(b).setZero();
    check(matrix_.Rates(b).allFinite(), static_cast<int>(b));
    if (with_matrix)
      matrix_.AddBody(b, m, m * J + k_rate * (Cross(omega) * J - Cross(J * omega)), turns_[b]);
  }
  if (with_matrix) matrix_.AddElements(k_rate, s);
  ConstraintDerivatives derivatives;
  ConstraintValues values;
  for (std::size_t k = 0; k < joints().size(); ++k) {
    const JointConstraints& joint = joints()[k];
    const BodyMotion &parent = dynamics_.Motion(joint.parent()),
                     &child = dynamics_.Motion(joint.child());
    joint.Evaluate(parent, child, false, values);
    check(values.position.head(joint.size()).allFinite(), joint.child());
    if (with_matrix)
      joint.Differentiate(parent, child, false, derivatives);
    else
      derivatives.rows = joint.Jacobian(parent, child);
    ConstraintJacobian back = back_[k];
    ForBodies(k, [&](int body, int at) {
      matrix_.Rates(U(body)) += derivatives.rows.middleCols<kRates>(at).transpose() * lambda_[k];
      back.middleCols<3>(at + 3) = back.middleCols<3>(at + 3) * turns_[U(body)].transpose();
    });
    if (with_matrix)
      matrix_.AddJoint(k, -s * joint.DifferentiateForce(parent, child, lambda_[k]),
                       derivatives.rows, s / k_rate * derivatives.velocity, back);
    for (int i = 0; i < joint.size(); ++i) {
      const bool is_left_out = matrix_.IsLeftOut(k, i);
      matrix_.Lambda(k, i) = is_left_out ? 0 : -values.position[i] / s;
      if (keeps_velocities_) matrix_.Second(k, i) = is_left_out ? 0 : -values.velocity[i] / k_rate;
    }
  }
  return finite;
}

// Rates count as displacements in the natural time if error control includes velocities, else as those of the step.
double DirectStepper::SizeOfChange(const Scheme& scheme) {
  const double of_rates = keeps_velocities_ && is_adaptive() ? time_scale_ * scheme.k : scheme.s;
  double sum = 0, worst = -1;
  for (std::size_t b = 0; b < rates_.size(); ++b) {
    const BodyVector pose = scheme.s * matrix_.Pose(b);
    double of_body =
        pose.head<3>().cwiseQuotient(largest_[b]).squaredNorm() + pose.tail<3>().squaredNorm();
    const BodyVector rates = of_rates * matrix_.Rates(b);
    of_body +=
        rates.head<3>().cwiseQuotient(largest_[b]).squaredNorm() + rates.tail<3>().squaredNorm();
    if (!(of_body <= worst)) worst = of_body, worst_ = static_cast<int>(b);
    sum += of_body;
  }
  return std::sqrt(sum / static_cast<double>(kRates * rates_.size()));
}

double DirectStepper::Size(std::span<const BodyVector> displacements) const {
  double sum = 0;
  for (std::size_t b = 0; b < displacements.size(); ++b)
    sum += displacements[b].head<3>().cwiseQuotient(largest_[b]).squaredNorm() +
           displacements[b].tail<3>().squaredNorm();
  return std::sqrt(sum / static_cast<double>(kRates * displacements.size()));
}

void DirectStepper::Follow() {
  for (std::size_t b = 0; b < largest_.size(); ++b)
    largest_[b] = largest_[b].cwiseMax(dynamics_.bodies()[b].position.cwiseAbs());
}

void DirectStepper::Place(std::size_t b, const BodyVector& D) {
  BodyMotion& body = dynamics_.bodies()[b];
  body.position = begin_bodies_[b].position + D.head<3>();
  Turn(begin_bodies_[b], RotationIncrement<>(D.tail<3>()).Exp(), body);
}

BodyVector DirectStepper::Force(std::size_t b) const {
  BodyVector force = dynamics_.forces()[b];
  const Vector3d& omega = dynamics_.bodies()[b].angular_velocity;
  force.tail<3>() -= omega.cross(dynamics_.inertia(b) * omega);
  return force;
}

void DirectStepper::AddJointForces(std::vector<BodyVector>& forces) const {
  for (std::size_t k = 0; k < joints().size(); ++k) {
    const ConstraintJacobian rows = joints()[k].Jacobian(dynamics_.Motion(joints()[k].parent()),
                                                         dynamics_.Motion(joints()[k].child()));
    ForBodies(k, [&](int body, int at) {
      forces[U(body)] += rows.middleCols<kRates>(at).transpose() * lambda_[k];
    });
  }
}

}  // namespace mbsbench::direct
