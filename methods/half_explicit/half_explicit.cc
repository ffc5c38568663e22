// Half-explicit Runge-Kutta methods on the equations of motion of index 2, body by body on the group SO(3) x R3.
//
// Stage 1 is the begin of the step, t_n to t_n+1 = t_n + h. For i = 1 ... s, with the coefficients of tableau.h (row s + 1 of a is
// b, so that stage s + 1 is the end), V = (v, Omega), Omega in body axes, forces Q with the gyroscopic moment, and
// rotation_increment.h:
//   D'_i  = (v_i, T(D_i)^-1 Omega_i)                                                              (1)
//   D_i+1 = h sum_j<=i a_i+1,j D'_j,     V* = V_n + h sum_j<i a_i+1,j V'_j                        (2)
//   r_i+1 = r_n + D_r,   q_i+1 = q_n * exp(D_phi),   t_i+1 = t_n + c_i+1 h                        (3)
//   [ M       -G_i' ] [ V'_i     ]   [ Q_i                         ]
//   [ G_i+1    0    ] [ lambda_i ] = [ -(G_i+1 V* + g_t)/(h a_i+1,i) ]                            (4)
//   V_i+1 = V* + h a_i+1,i V'_i                                                                   (5)
// The multipliers of a stage put the velocities of the next one on the constraints, and nothing is iterated. Positions are not
// enforced: they drift off the constraints with the order of the method.
//
// The matrix of (4) is not symmetric, since its two G differ. Bodies are eliminated from it one by one, unless they are light or have
// many joints; on chains that leaves few rows per joint, which KLU factorises. Rows and rates have the scales of
// acceleration_solver.h.
#include "methods/half_explicit/half_explicit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "methods/coordinates/absolute_stepper.h"
#include "methods/coordinates/count_step.h"
#include "methods/coordinates/rotation_increment.h"
#include "methods/half_explicit/operations.h"
#include "methods/half_explicit/tableau.h"
#include "methods/kinematics/reach.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/numerics/sparse_lu.h"
#include "methods/numerics/sparse_pattern.h"

namespace mbsbench {

namespace {

using namespace absolute;
using half_explicit::Tableau;
using half_explicit::TableauOf;

// A body remains in the matrix if a part of its inertia, relative to the mean one, is below this, or if it has more joints.
constexpr double kLight = 1e-4;
constexpr std::size_t kMostJoints = 6;

constexpr char kOrder2[] = "order=2", kOrder3[] = "order=3", kOrder4[] = "order=4",
               kProjection[] = "position-projection";

std::size_t U(int i) { return static_cast<std::size_t>(i); }

class HalfExplicit final : public AbsoluteStepper {
 public:
  using Block = Eigen::Matrix<double, kRates, kRates>;

  HalfExplicit(const System& system, int order, bool projects)
      : AbsoluteStepper(system),
        tableau_(TableauOf(order)),
        projects_(projects),
        reach_(ReachOf(system)),
        bodies_(reach_.size()) {
    double mass = 0;
    for (std::size_t b = 0; b < reach_.size(); ++b)
      mass += system.bodies[b].mass + dynamics_.inertia(b).trace() / (reach_[b] * reach_[b]);
    if (mass > 0) mean_mass_ = mass / static_cast<double>(reach_.size());
    for (std::size_t b = 0; b < reach_.size(); ++b) {
      BodyPart& body = bodies_[b];
      body.force_scale << Vector3d::Constant(1 / mean_mass_),
          Vector3d::Constant(1 / (mean_mass_ * reach_[b]));
      body.mass = system.bodies[b].mass / mean_mass_;
      body.inertia = dynamics_.inertia(b) / (mean_mass_ * reach_[b] * reach_[b]);
    }
    for (std::size_t k = 0; k < joints().size(); ++k) {
      ForBodies(k, [&](int body, int first) {
        if (joints()[k].size() > 0) bodies_[U(body)].sides.push_back({k, first});
      });
    }
    for (BodyPart& body : bodies_) {
      const double least = std::min(
          body.mass, body.inertia.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff());
      if (least < kLight || body.sides.size() > kMostJoints) {
        body.at = n_;
        n_ += kRates;
      } else {
        body.inverse = body.inertia.inverse();
      }
    }
    rows_begin_ = n_;
    for (std::size_t k = 0; k < joints().size(); ++k) {
      rows_at_.push_back(n_);
      n_ += joints()[k].size();
    }
    left_out_.resize(joints().size());
    rows_.resize(joints().size(), ConstraintJacobian::Zero());
    next_ = rows_;
    std::vector<MatrixEntry> entries;
    PutMatrix([&entries](int row, int column, double) { entries.push_back({row, column}); });
    if (n_ > 0) {
      matrix_ = Compress(n_, entries);
      values_.resize(matrix_.pattern.row.size());
      x_.resize(U(n_));
      lu_ = std::make_unique<SparseLu>(matrix_.pattern.column_start, matrix_.pattern.row);
    }
    moves_.resize(U(tableau_.stages), std::vector<BodyVector>(bodies_.size()));
    rates_ = moves_;
  }

  // y = [motion | lambda of the last stage]
  std::size_t state_size() const override { return multipliers_at() + U(n_ - rows_begin_); }
  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    if (const Status status = AbsoluteStepper::Initialise(t, state, y); !status.ok()) return status;
    dynamics_.StoreMultipliers(y.subspan(multipliers_at()));
    return {};
  }

  Status Start(double t, const SystemState& state, const StepControl& control) override {
    if (const Status status = AbsoluteStepper::Start(t, state, control); !status.ok())
      return status;
    pivots_ = Pivots::kNewOrder;
    left_out_.assign(dynamics_.left_out().begin(), dynamics_.left_out().end());
    return {};
  }

  // Operations of one factorisation and solution, after a step.
  OperationCount CountFactors() { return lu_ ? lu_->CountOperations() : OperationCount{}; }

 private:
  struct Side {
    std::size_t joint;
    int first;  // column of the body in the joint's rows
  };
  // In the scaled rates.
  struct BodyPart {
    std::vector<Side> sides;
    int at = -1;  // place in the matrix; -1: eliminated
    BodyVector force_scale;
    double mass = 0;
    Matrix3d inertia, inverse;
    BodyVector force = BodyVector::Zero(), free = force;  // Q, M^-1 Q
    BodyVector turned = BodyVector::Zero();               // D
    // M^-1 x.
    template <class Matrix>
    Matrix Accelerated(const Matrix& x) const {
      Matrix y;
      y.template topRows<3>() = x.template topRows<3>() / mass;
      y.template bottomRows<3>().noalias() = inverse * x.template bottomRows<3>();
      return y;
    }
  };

  std::size_t multipliers_at() const override { return motion_size(); }
  void Store(std::span<double> y) override {
    dynamics_.Store(y);
    std::size_t at = multipliers_at();
    for (std::size_t k = 0; k < joints().size(); ++k)
      for (int i = 0; i < joints()[k].size(); ++i)
        y[at++] = mean_mass_ * dynamics_.RowScale(k, i) * x_[U(rows_at_[k] + i)];
  }

  ConstraintJacobian RowsOf(std::size_t k) const {
    ConstraintJacobian rows = ScaledRows(joints()[k], dynamics_.bodies(), reach_);
    for (int i = 0; i < joints()[k].size(); ++i) rows.row(i) *= dynamics_.RowScale(k, i);
    return rows;
  }

  Status MoveOn(double end) override {
    dynamics_.Load(time_, y_);
    const double h = end - time_;
    begin_ = dynamics_.bodies();
    for (std::size_t k = 0; k < joints().size(); ++k) rows_[k] = RowsOf(k);
    for (BodyPart& body : bodies_) body.turned.setZero();
    for (int i = 0; i < tableau_.stages; ++i) {
      TakeForces(moves_[U(i)]);
      const double t = i + 1 < tableau_.stages ? time_ + tableau_.c(i) * h : end;
      if (const Status status = Move(i, h, t); !status.ok()) return status;
      const double length = h * tableau_.a[U(i)][U(i)];
      Assemble(length);
      if (const Status status = Solve(); !status.ok()) return status;
      if (const Status status = TakeRates(length, rates_[U(i)]); !status.ok()) return status;
      std::swap(rows_, next_);
    }
    EstimateError(h);
    if (!projects_) return {};
    if (const Status status = dynamics_.Project(true); !status.ok()) return status;
    ++counters_.projections;
    left_out_.assign(dynamics_.left_out().begin(), dynamics_.left_out().end());
    return {};
  }

  // Q_i and (1).
  void TakeForces(std::vector<BodyVector>& moves) {
    dynamics_.EvaluateForces();
    ++counters_.evaluations;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      BodyPart& body = bodies_[b];
      const BodyMotion& motion = dynamics_.bodies()[b];
      const Vector3d& omega = motion.angular_velocity;
      body.force = dynamics_.forces()[b];
      body.force.tail<3>() -= omega.cross(dynamics_.inertia(b) * omega);
      body.force.array() *= body.force_scale.array();
      if (body.at < 0) body.free = body.Accelerated(body.force);
      moves[b] << motion.velocity, RotationIncrement<>(body.turned.tail<3>()).InverseTangent(omega);
    }
  }

  // (2) and (3).
  Status Move(int i, double h, double t) {
    dynamics_.SetTime(t);
    const auto& a = tableau_.a[U(i)];
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const BodyMotion& from = begin_[b];
      BodyMotion& to = dynamics_.bodies()[b];
      BodyVector D = BodyVector::Zero(), V;
      V << from.velocity, from.angular_velocity;
      for (int j = 0; j <= i; ++j) D += h * a[U(j)] * moves_[U(j)][b];
      for (int j = 0; j < i; ++j) V += h * a[U(j)] * rates_[U(j)][b];
      if (const Status status = MayTurn(D.tail<3>(), b); !status.ok()) return status;
      to.position = from.position + D.head<3>();
      Turn(from, RotationIncrement<>(D.tail<3>()).Exp(), to);
      to.velocity = V.head<3>();
      to.angular_velocity = V.tail<3>();
      bodies_[b].turned = D;
    }
    return {};
  }

  // (4), with `length` h a_i+1,i.
  void Assemble(double length) {
    ConstraintValues values;
    for (std::size_t k = 0; k < joints().size(); ++k) {
      const JointConstraints& joint = joints()[k];
      next_[k] = RowsOf(k);
      joint.Evaluate(dynamics_.Motion(joint.parent()), dynamics_.Motion(joint.child()), false,
                     values);
      for (int i = 0; i < joint.size(); ++i) {
        x_[U(rows_at_[k] + i)] =
            Holds(left_out_[k], i) ? 0 : -dynamics_.RowScale(k, i) * values.velocity[i] / length;
      }
    }
    for (const BodyPart& body : bodies_) {
      if (body.at >= 0) {
        Eigen::Map<BodyVector>(x_.data() + body.at) = body.force;
        continue;
      }
      for (const Side& side : body.sides) {
        const ConstraintVector moved = next_[side.joint].middleCols<kRates>(side.first) * body.free;
        for (int i = 0; i < joints()[side.joint].size(); ++i)
          if (!Holds(left_out_[side.joint], i)) x_[U(rows_at_[side.joint] + i)] -= moved[i];
      }
    }
    std::fill(values_.begin(), values_.end(), 0.0);
    std::size_t entry = 0;
    PutMatrix([&](int, int, double value) { values_[U(matrix_.place[entry++])] += value; });
  }

  Status Solve() {
    if (n_ == 0) return {};
    ++counters_.factorisations;
    const int column = lu_->Factorise(values_, std::exchange(pivots_, Pivots::kKept));
    if (column >= 0 && column < rows_begin_) {
      const auto body = std::ranges::find(bodies_, column / kRates * kRates, &BodyPart::at);
      return SingularBody(static_cast<int>(body - bodies_.begin()));
    }
    if (column >= 0) return SingularRows(column, rows_at_);
    lu_->Solve(x_);
    return {};
  }

  // V'_i of the solution, and (5).
  Status TakeRates(double length, std::vector<BodyVector>& rates) {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const BodyPart& body = bodies_[b];
      BodyVector rate;
      if (body.at >= 0) {
        rate = Eigen::Map<const BodyVector>(x_.data() + body.at);
      } else {
        BodyVector force = body.force;
        for (const Side& side : body.sides) {
          for (int i = 0; i < joints()[side.joint].size(); ++i)
            force += x_[U(rows_at_[side.joint] + i)] *
                     rows_[side.joint].row(i).segment<kRates>(side.first).transpose();
        }
        rate = body.Accelerated(force);
      }
      if (!rate.allFinite())
        return {Status::Code::kNotFinite, -1, static_cast<int>(b),
                "the acceleration of the body is not a number"};
      rate.tail<3>() /= reach_[b];
      BodyMotion& motion = dynamics_.bodies()[b];
      motion.velocity += length * rate.head<3>();
      motion.angular_velocity += length * rate.tail<3>();
      rates[b] = rate;
    }
    return {};
  }

  // The largest difference of positions to those of the other weights, relative to the system's length.
  void EstimateError(double h) {
    double largest = 0, size = 0;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      BodyVector off = BodyVector::Zero();
      for (int i = 0; i < tableau_.stages; ++i)
        off += h * tableau_.estimate[U(i)] * moves_[U(i)][b];
      largest = std::max(largest, off.head<3>().norm() + reach_[b] * off.tail<3>().norm());
      size = std::max({size, reach_[b], dynamics_.bodies()[b].position.norm()});
    }
    error_estimate_ = largest / size;
  }

  // The entries of the matrix, in one fixed order: put(row, column, value).
  template <class Put>
  void PutMatrix(Put put) const {
    for (const BodyPart& body : bodies_) {
      if (body.at >= 0) {
        PutKept(body, put);
        continue;
      }
      for (const Side& force : body.sides) {
        const Block rates =
            body.Accelerated(Block(rows_[force.joint].middleCols<kRates>(force.first).transpose()));
        for (const Side& row : body.sides) {
          const Block block = next_[row.joint].middleCols<kRates>(row.first) * rates;
          for (int j = 0; j < joints()[force.joint].size(); ++j)
            for (int i = 0; i < joints()[row.joint].size(); ++i)
              put(rows_at_[row.joint] + i, rows_at_[force.joint] + j,
                  Holds(left_out_[row.joint], i) ? 0 : block(i, j));
        }
      }
    }
    for (std::size_t k = 0; k < joints().size(); ++k)
      for (int i = 0; i < joints()[k].size(); ++i)
        put(rows_at_[k] + i, rows_at_[k] + i, Holds(left_out_[k], i) ? 1 : 0);
  }
  template <class Put>
  void PutKept(const BodyPart& body, Put put) const {
    VisitBody(body.at, body.mass, body.inertia, put);
    for (const Side& side : body.sides) {
      for (int i = 0; i < joints()[side.joint].size(); ++i) {
        const int row = rows_at_[side.joint] + i;
        for (int j = 0; j < kRates; ++j) {
          put(row, body.at + j,
              Holds(left_out_[side.joint], i) ? 0 : next_[side.joint](i, side.first + j));
          put(body.at + j, row, -rows_[side.joint](i, side.first + j));
        }
      }
    }
  }

  const Tableau<> tableau_;
  const bool projects_;
  std::vector<double> reach_;  // per body
  double mean_mass_ = 1;
  std::vector<BodyPart> bodies_;
  int n_ = 0, rows_begin_ = 0;    // unknowns, of which the first belong to bodies
  std::vector<int> rows_at_;      // of each joint
  std::vector<RowSet> left_out_;  // of each joint, selected at the start
  CompressedPattern matrix_;
  std::vector<double> values_, x_;
  std::unique_ptr<SparseLu> lu_;
  Pivots pivots_ = Pivots::kNewOrder;

  // Work space of a step.
  std::vector<BodyMotion> begin_;
  std::vector<std::vector<BodyVector>> moves_, rates_;  // D' and V' of each stage
  std::vector<ConstraintJacobian> rows_, next_;         // G_i, G_i+1 of each joint
};

int OrderOf(const MethodOptions& options) {
  return Has(options, kOrder2) ? 2 : Has(options, kOrder3) ? 3 : 4;
}

CountedOperations CountOperations(const System& system, const MethodOptions& options,
                                  const JointState& state) {
  const int order = OrderOf(options);
  return CountStep(
      system, state, [&] { return std::make_unique<HalfExplicit>(system, order, false); },
      [&](HalfExplicit& method, const std::vector<double>& begin, double h) -> CountedOperations {
        OperationCount count = half_explicit::CountAssembly(system, order, begin, h);
        const int stages = TableauOf(order).stages;
        for (int i = 0; i < stages; ++i) count = count + method.CountFactors();
        return {count, "step of " + std::to_string(stages) + " stages"};
      });
}

}  // namespace

MethodEntry HalfExplicitEntry() {
  MethodEntry entry;
  entry.key = "half-explicit";
  entry.title = "Half-explicit Runge-Kutta method";
  entry.source = "Brasey, Hairer 1993";
  entry.description =
      "Newton-Euler equations of every body with constraints on velocities (index 2), by explicit "
      "Runge-Kutta methods on SO(3) x R3. The multipliers of each stage put the velocities of the "
      "next one on the constraints: one sparse linear system per stage, and no iteration. "
      "Positions "
      "drift off the constraints with the order of the method.";
  entry.form = Form::kTimeStepper;
  entry.cost_exponent = 1;
  entry.shared_parts = {"absolute constraints", "absolute accelerations", "force elements"};
  const std::string variant(kVariantGroup);
  const auto of_order = [](int order) {
    return OwnIntegration{"half-explicit Runge-Kutta on SO(3) x R3", true, false, order};
  };
  entry.options = {
      {.name = kOrder2,
       .meaning = "the midpoint rule, two stages",
       .group = variant,
       .own_integration = of_order(2)},
      {.name = kOrder3,
       .meaning = "three stages",
       .group = variant,
       .own_integration = of_order(3)},
      {.name = kOrder4,
       .meaning = "five stages",
       .group = variant,
       .is_default = true,
       .own_integration = of_order(4)},
      {kProjection, "moves positions, then velocities onto the constraints after each step",
       "positions", false}};
  entry.limits = {{.promises = {"order-own-swing:damped"},
                   .bound = INFINITY,
                   .reason = "the damper limits its three stages to steps below 10 ms",
                   .with = kOrder3}};
  entry.capabilities = SharedCapabilities();
  entry.prepare = [](const System& system,
                     const MethodOptions& options) -> std::unique_ptr<Formulation> {
    return std::make_unique<HalfExplicit>(system, OrderOf(options), Has(options, kProjection));
  };
  entry.reaction_choice = "dropped-rows";
  entry.count_operations = CountOperations;
  return entry;
}

}  // namespace mbsbench
