// The generalised-alpha method on the group SO(3) x R3 of each body's pose: increments of a step are vectors in the tangent
// space, which the exponential map composes with the pose. There are no rotation parameters to constrain.
//
// Unknowns of the step from t_n to t_n+1 = t_n + h are V' = (v', Omega') at its end, the multipliers lambda and (`index2`)
// eta; Omega in body axes, M, J of a body, forces Q without the gyroscopic moment, and lie_step.h:
//   a   = a of (2) there
//   D   = h V_n + h^2 ((1/2 - beta) a_n + beta a) - h W G_n' eta                                  (5)
//   V   = V_n + h ((1 - gamma) a_n + gamma a)                                                     (6)
//   r   = r_n + D_r,   q = q_n * exp(D_phi)                                                       (7)
//   M V' + (0; Omega x J Omega) - Q(q, V, t) - G' lambda = 0                                      (8)
//   g(q, t) = 0                                                                                   (9)
//   G V + g_t = 0                                                `index2` only                   (10)
// Where this leaves the paper: W = diag(1, 1/reach^2) per body (reach.h) in place of 1, so that steps do not depend on the
// unit of length.
//
// Newton's method has the exact derivatives: the matrix of step_matrix.h with m = 1, s = h^2 beta c, k = h gamma c, c = da/dV', T of
// the increment and B = G_n, where the change of eta is s/h y.
#include "methods/lie_generalised_alpha/lie_generalised_alpha.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "methods/coordinates/absolute_stepper.h"
#include "methods/coordinates/count_step.h"
#include "methods/coordinates/step_matrix.h"
#include "methods/kinematics/reach.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/lie_generalised_alpha/lie_step.h"
#include "methods/lie_generalised_alpha/operations.h"

namespace mbsbench {

namespace {

using namespace absolute;
using lie::Averages;

constexpr int kMostIterations = 20;
constexpr double kDifference = 1e-2;  // of the step, for the derivative of V' at the start

const NumericOption kRho{
    "rho", "spectral radius at infinite frequency: 1 damps nothing", "", 0.8, 0, 1};
constexpr char kIndex3[] = "index3", kPlainStart[] = "plain-start";

std::size_t U(int i) { return static_cast<std::size_t>(i); }

class LieGeneralisedAlpha final : public AbsoluteStepper {
 public:
  LieGeneralisedAlpha(const System& system, bool keeps_velocities, bool corrects_start, double rho)
      : AbsoluteStepper(system),
        keeps_velocities_(keeps_velocities),
        corrects_start_(corrects_start),
        averages_(rho),
        reach_(ReachOf(system)),
        matrix_(dynamics_, keeps_velocities) {
    for (const Body& body : system.bodies) mass_.push_back(body.mass);
    for (const JointConstraints& joint : joints().joints()) multipliers_ += U(joint.size());
    rows_.resize(joints().size());
    lambda_.assign(joints().size(), ConstraintVector::Zero());
    eta_ = lambda_;
    rates_.resize(reach_.size());
    offsets_ = a_ = rates_begin_ = moved_ = rates_;
    turns_.resize(reach_.size());
  }

  // y = [motion | V' | (a - V')/h | lambda]: the offset of a from V', which grows with h, does for every h.
  std::size_t state_size() const override { return multipliers_at() + multipliers_; }

  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    if (const Status status = AbsoluteStepper::Initialise(t, state, y); !status.ok()) return status;
    TakeAccelerations(rates_);
    for (BodyVector& offset : offsets_) offset.setZero();
    lambda_ = dynamics_.lambda();
    Store(y);
    return {};
  }

  Status Start(double t, const SystemState& state, const StepControl& control) override {
    if (const Status status = AbsoluteStepper::Start(t, state, control); !status.ok())
      return status;
    matrix_.Start();
    length_ = *std::max_element(reach_.begin(), reach_.end());
    return corrects_start_ ? CorrectStart(kDifference * control.step) : Status{};
  }

  // Operations of one factorisation and solution, after a step.
  OperationCount CountFactors() { return matrix_.CountOperations(); }

 private:
  std::size_t multipliers_at() const override { return motion_size() + 2 * kRates * reach_.size(); }
  // visit(entry of y, entry of the scheme's data)
  template <class Visit>
  void VisitData(Visit visit) {
    std::size_t at = motion_size();
    for (std::vector<BodyVector>* data : {&rates_, &offsets_}) {
      for (BodyVector& of_body : *data)
        for (double& value : of_body) visit(at++, value);
    }
    for (std::size_t k = 0; k < joints().size(); ++k)
      for (int i = 0; i < joints()[k].size(); ++i) visit(at++, lambda_[k][i]);
  }
  void Store(std::span<double> y) override {
    dynamics_.Store(y);
    VisitData([y](std::size_t at, double value) { y[at] = value; });
  }
  void Load(std::span<const double> y) {
    dynamics_.Load(time_, y);
    VisitData([y](std::size_t at, double& value) { value = y[at]; });
  }
  void TakeAccelerations(std::vector<BodyVector>& rates) const {
    for (std::size_t b = 0; b < rates.size(); ++b)
      rates[b] << dynamics_.bodies()[b].acceleration, dynamics_.bodies()[b].angular_acceleration;
  }

  // (a - V')/h = (alpha_m - alpha_f) V'', with V'' from accelerations at the times t +- dt.
  Status CorrectStart(double dt) {
    std::vector<BodyVector> around[2] = {rates_, rates_};
    for (const int side : {0, 1}) {
      const double by = side == 0 ? -dt : dt;
      dynamics_.Load(time_, y_);
      begin_bodies_ = dynamics_.bodies();
      dynamics_.SetTime(time_ + by);
      for (std::size_t b = 0; b < reach_.size(); ++b) {
        BodyVector V;
        V << begin_bodies_[b].velocity, begin_bodies_[b].angular_velocity;
        Place(b, by * V + 0.5 * by * by * rates_[b], V + by * rates_[b]);
      }
      if (const Status status = dynamics_.Accelerate(); !status.ok()) return status;
      TakeAccelerations(around[side]);
    }
    for (std::size_t b = 0; b < reach_.size(); ++b)
      offsets_[b] =
          (averages_.alpha_m - averages_.alpha_f) * (around[1][b] - around[0][b]) / (2 * dt);
    dynamics_.Load(time_, y_);
    Store(y_);
    return {};
  }

  // (7), and the rates.
  void Place(std::size_t b, const BodyVector& D, const BodyVector& V) {
    BodyMotion& body = dynamics_.bodies()[b];
    const BodyMotion& from = begin_bodies_[b];
    body.position = from.position + D.head<3>();
    Turn(from, RotationIncrement<>(D.tail<3>()).Exp(), body);
    body.velocity = V.head<3>();
    body.angular_velocity = V.tail<3>();
  }

  // (5) to (10): bodies() and the data of the scheme move to the end.
  Status MoveOn(double end) override {
    Load(y_);
    const double h = end - time_;
    begin_bodies_ = dynamics_.bodies();
    rates_begin_ = rates_;
    for (std::size_t b = 0; b < a_.size(); ++b) a_[b] = rates_[b] + h * offsets_[b];
    for (std::size_t k = 0; k < joints().size(); ++k) {
      rows_[k] = joints()[k].Jacobian(dynamics_.Motion(joints()[k].parent()),
                                      dynamics_.Motion(joints()[k].child()));
      ForBodies(k, [&](int body, int at) {
        rows_[k].middleCols<3>(at + 3) /= reach_[U(body)] * reach_[U(body)];
      });
      eta_[k].setZero();
    }
    dynamics_.SetTime(end);
    for (int i = 0; i < kMostIterations; ++i) {
      if (const Status status = Displace(h); !status.ok()) return status;
      Assemble(h);
      if (const Status status = matrix_.Factorise(counters_); !status.ok()) return status;
      matrix_.Solve();
      ++counters_.newton_iterations;
      if (!(Change(h) <= last_change_ * length_)) continue;  // also if it is not a number
      if (const Status status = Displace(h); !status.ok()) return status;
      for (std::size_t b = 0; b < rates_.size(); ++b)
        offsets_[b] = (averages_.Next(rates_[b], rates_begin_[b], a_[b]) - rates_[b]) / h;
      return {};
    }
    return {Status::Code::kNotConverged, -1, worst_, "Newton's method does not converge"};
  }

  // (5) to (7).
  Status Displace(double h) {
    for (BodyVector& moved : moved_) moved.setZero();
    for (std::size_t k = 0; keeps_velocities_ && k < joints().size(); ++k) {
      ForBodies(k, [&](int body, int at) {
        moved_[U(body)] -= rows_[k].middleCols<kRates>(at).transpose() * eta_[k];
      });
    }
    const auto& [alpha_m, alpha_f, gamma, beta, c] = averages_;
    for (std::size_t b = 0; b < moved_.size(); ++b) {
      BodyVector V;
      V << begin_bodies_[b].velocity, begin_bodies_[b].angular_velocity;
      const BodyVector a = averages_.Next(rates_[b], rates_begin_[b], a_[b]);
      moved_[b] += h * V + h * h * ((0.5 - beta) * a_[b] + beta * a);
      if (const Status status = MayTurn(moved_[b].tail<3>(), b); !status.ok()) return status;
      V += h * ((1 - gamma) * a_[b] + gamma * a);
      Place(b, moved_[b], V);
    }
    return {};
  }

  // The matrix and the right side at bodies().
  void Assemble(double h) {
    const auto& [alpha_m, alpha_f, gamma, beta, c] = averages_;
    const double s = h * h * beta * c, k_rate = h * gamma * c;
    matrix_.Begin();
    dynamics_.EvaluateForces();
    ++counters_.evaluations;
    ++counters_.jacobians;
    for (std::size_t b = 0; b < rates_.size(); ++b) {
      const Matrix3d& J = dynamics_.inertia(b);
      const Vector3d& omega = dynamics_.bodies()[b].angular_velocity;
      const Vector3d spin = J * omega;
      Eigen::Map<BodyVector> right = matrix_.Rates(b);
      right = dynamics_.forces()[b];  // (8)
      right.head<3>() -= mass_[b] * rates_[b].head<3>();
      right.tail<3>() -= J * rates_[b].tail<3>() + omega.cross(spin);
      matrix_.Pose(b).setZero();
      turns_[b] = RotationIncrement<>(moved_[b].tail<3>()).Tangent();
      matrix_.AddBody(b, 1, J + k_rate * (Cross(omega) * J - Cross(spin)), turns_[b]);
    }
    matrix_.AddElements(k_rate, s);
    ConstraintDerivatives derivatives;
    ConstraintValues values;
    for (std::size_t k = 0; k < joints().size(); ++k) {
      const JointConstraints& joint = joints()[k];
      const BodyMotion &parent = dynamics_.Motion(joint.parent()),
                       &child = dynamics_.Motion(joint.child());
      joint.Evaluate(parent, child, false, values);
      joint.Differentiate(parent, child, false, derivatives);
      ConstraintJacobian begin = rows_[k];
      ForBodies(k, [&](int body, int at) {
        matrix_.Rates(U(body)) += derivatives.rows.middleCols<kRates>(at).transpose() * lambda_[k];
        begin.middleCols<3>(at + 3) = begin.middleCols<3>(at + 3) * turns_[U(body)].transpose();
      });
      matrix_.AddJoint(k, -s * joint.DifferentiateForce(parent, child, lambda_[k]),
                       derivatives.rows, s / k_rate * derivatives.velocity, begin);
      for (int i = 0; i < joint.size(); ++i) {
        const bool is_left_out = matrix_.IsLeftOut(k, i);
        matrix_.Lambda(k, i) = is_left_out ? 0 : -values.position[i] / s;  // (9)
        if (keeps_velocities_)
          matrix_.Second(k, i) = is_left_out ? 0 : -values.velocity[i] / k_rate;  // (10)
      }
    }
  }

  // Adds the solution and returns the largest change of a position, with that of rates in a step.
  double Change(double h) {
    const double s = h * h * averages_.beta * averages_.c;
    double change = 0;
    for (std::size_t b = 0; b < rates_.size(); ++b) {
      const BodyVector rates = matrix_.Rates(b), pose = matrix_.Pose(b);
      rates_[b] += rates;
      const double moved = s * (rates.head<3>().norm() + pose.head<3>().norm() +
                                reach_[b] * (rates.tail<3>().norm() + pose.tail<3>().norm()));
      if (!(moved <= change)) change = moved, worst_ = static_cast<int>(b);
      length_ = std::max(length_, dynamics_.bodies()[b].position.norm());
    }
    for (std::size_t k = 0; k < joints().size(); ++k) {
      for (int i = 0; i < joints()[k].size(); ++i) {
        lambda_[k][i] += matrix_.Lambda(k, i);
        if (keeps_velocities_) eta_[k][i] += s * matrix_.Second(k, i);
      }
    }
    return change;
  }

  const bool keeps_velocities_, corrects_start_;
  const Averages<> averages_;
  std::vector<double> reach_, mass_;  // per body
  std::size_t multipliers_ = 0;       // lambda
  StepMatrix matrix_;

  double length_ = 0;
  int worst_ = -1;
  // The data of the scheme: V', (a - V')/h, lambda.
  std::vector<BodyVector> rates_, offsets_;
  std::vector<ConstraintVector> lambda_;
  // Work space of a step.
  std::vector<BodyMotion> begin_bodies_;
  std::vector<BodyVector> a_, rates_begin_, moved_;  // a_n, V'_n, D
  std::vector<Matrix3d> turns_;                      // T
  std::vector<ConstraintJacobian> rows_;             // G_n W
  std::vector<ConstraintVector> eta_;                // h eta
};

std::unique_ptr<LieGeneralisedAlpha> Prepare(const System& system, const MethodOptions& options) {
  auto stepper = std::make_unique<LieGeneralisedAlpha>(
      system, !Has(options, kIndex3), !Has(options, kPlainStart), Number(options, kRho));
  stepper->EndIterations(options);
  return stepper;
}

// For a step with the usual number of iterations.
CountedOperations CountOperations(const System& system, const MethodOptions& options,
                                  const JointState& state) {
  constexpr int kIterations = 2;
  return CountStep(
      system, state, [&] { return Prepare(system, options); },
      [&](LieGeneralisedAlpha& method, const std::vector<double>& begin,
          double h) -> CountedOperations {
        OperationCount count = lie::CountAssembly(system, !Has(options, kIndex3),
                                                  Number(options, kRho), begin, h, kIterations);
        for (int i = 0; i < kIterations; ++i) count = count + method.CountFactors();
        return {count, "step of " + std::to_string(kIterations) + " Newton iterations"};
      });
}

}  // namespace

MethodEntry LieGeneralisedAlphaEntry() {
  MethodEntry entry;
  entry.key = "lie-generalised-alpha";
  entry.title = "Generalised-alpha method on a Lie group";
  entry.source = "Bruels, Cardona 2010; Bruels, Cardona, Arnold 2012; Arnold, Bruels, Cardona 2015";
  entry.description =
      "Newton-Euler equations of every body with constraints and multipliers, discretised by the "
      "implicit generalised-alpha method. Rotations are increments in the tangent space of SO(3), "
      "without parameters. Each iteration solves one sparse system. 'index2' enforces the "
      "constraints on positions and velocities, 'index3' those on positions.";
  entry.form = Form::kTimeStepper;
  entry.cost_exponent = 1;
  entry.shared_parts = {"absolute constraints", "absolute accelerations", "force elements"};
  entry.options = {
      {"index2", "constraints on positions and velocities, with a second multiplier",
       std::string(kVariantGroup), true},
      {kIndex3, "constraints on positions alone: velocities drift off theirs",
       std::string(kVariantGroup), false},
      {kPlainStart, "the start takes a = V': an error of second order in the first step", "start",
       false}};
  entry.numbers = {kRho, kNewton};
  entry.own_integration = OwnIntegration{"generalised-alpha on SO(3) x R3", true, false, 2};
  entry.capabilities = SharedCapabilities();
  entry.prepare = [](const System& system,
                     const MethodOptions& options) -> std::unique_ptr<Formulation> {
    return Prepare(system, options);
  };
  entry.reaction_choice = "dropped-rows";
  entry.count_operations = CountOperations;
  return entry;
}

}  // namespace mbsbench
