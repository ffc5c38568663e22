// The position-momentum form of the discrete Euler-Lagrange equations (RATTLE in absolute coordinates): a
// one-step map of (r, q, v, omega) with constraints exact at every grid point in positions and rates.
//
// For one step h from t_n to t_n+1, with V = (v, W) of the step, forces (f, m) without the gyroscopic
// moment (which is part of Pi), m, J of a body, and discrete_spin.h:
//   m v   - m v_n     - h/2 f_n - (G_n' P)_v     = 0                                              (1)
//   Pi-(W) - J omega_n - h/2 m_n - (G_n' P)_omega = 0                                              (2)
//   g(r_n + h v, q_n * h/2 (s, W), t_n+1) = 0                                                     (3)
// by Newton's method in V and the impulses P, with G_n+1 E the derivative of (3), E = dr/dv and dphi/dW.
// Then the rates at the end, on the constraints:
//   M V_n+1 - (m v; Pi+(W)) - h/2 (f_n+1; m_n+1)(V_n+1) - G_n+1' mu = 0                            (4)
//   G_n+1 V_n+1 + g_t = 0                                                                         (5)
// Dampers are linear in V_n+1, so (4) treats them by the trapezoidal rule; springs are explicit.
#include "methods/variational/variational.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "methods/coordinates/absolute_stepper.h"
#include "methods/coordinates/count_step.h"
#include "methods/kinematics/reach.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/variational/discrete_spin.h"
#include "methods/variational/operations.h"

namespace mbsbench {

namespace {

using namespace absolute;
using variational::DiscreteSpin;

constexpr int kMostIterations = 20;

std::size_t U(int i) { return static_cast<std::size_t>(i); }

class Variational final : public AbsoluteStepper {
 public:
  explicit Variational(const System& system)
      : AbsoluteStepper(system),
        reach_(ReachOf(system)),
        n_(kRates * static_cast<int>(reach_.size())) {
    std::vector<MatrixEntry> entries;
    for (std::size_t b = 0; b < reach_.size(); ++b)
      Note(static_cast<int>(b), static_cast<int>(b), entries);
    for (std::size_t k = 0; k < elements().size(); ++k) {
      for (int a : {elements().parent(k), elements().child(k)})
        for (int b : {elements().parent(k), elements().child(k)}) Note(a, b, entries);
    }
    const auto note = [&](int row, int column, double) { entries.push_back({row, column}); };
    for (std::size_t k = 0; k < joints().size(); ++k) {
      rows_at_.push_back(n_);
      VisitRows(joints()[k], n_, ConstraintJacobian::Zero(), note);
      for (int i = 0; i < joints()[k].size(); ++i) note(n_ + i, n_ + i, 0);
      n_ += joints()[k].size();
    }
    matrix_ = Compress(n_, entries);
    values_.resize(matrix_.pattern.row.size());
    x_.resize(U(n_));
    lu_ = std::make_unique<SparseLu>(matrix_.pattern.column_start, matrix_.pattern.row);
    impulses_.resize(joints().size());
    rows_.resize(joints().size());
    for (const Body& body : system.bodies) mass_.push_back(body.mass);
  }

  Status Start(double t, const SystemState& state, const StepControl& control) override {
    if (const Status status = AbsoluteStepper::Start(t, state, control); !status.ok())
      return status;
    pivots_ = Pivots::kNewOrder;
    length_ = *std::max_element(reach_.begin(), reach_.end());
    return {};
  }

  // Operations of one factorisation and solution, after a step.
  OperationCount CountFactors() { return lu_->CountOperations(); }

 private:
  static void Note(int a, int b, std::vector<MatrixEntry>& entries) {
    if (a == kGround || b == kGround) return;
    for (int i = 0; i < kRates; ++i)
      for (int j = 0; j < kRates; ++j) entries.push_back({kRates * a + i, kRates * b + j});
  }
  Eigen::Map<BodyVector> Right(std::size_t b) {
    return Eigen::Map<BodyVector>(x_.data() + kRates * b);
  }

  Status MoveOn(double end) override {
    dynamics_.Load(time_, y_);
    if (const Status status = MovePositions(end); !status.ok()) return status;
    return EndRates(end - time_);
  }

  // (1) to (3): bodies() move to the end, with V of the step as their rates.
  Status MovePositions(double end) {
    const double h = end - time_;
    std::vector<BodyMotion>& bodies = dynamics_.bodies();
    dynamics_.EvaluateForces();
    ++counters_.evaluations;
    begin_momentum_.clear();
    begin_bodies_ = bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      BodyVector momentum = 0.5 * h * dynamics_.forces()[b];
      momentum.head<3>() += mass_[b] * bodies[b].velocity;
      momentum.tail<3>() += dynamics_.inertia(b) * bodies[b].angular_velocity;
      begin_momentum_.push_back(momentum);
    }
    for (std::size_t k = 0; k < joints().size(); ++k) {
      rows_[k] = joints()[k].Jacobian(dynamics_.Motion(joints()[k].parent()),
                                      dynamics_.Motion(joints()[k].child()));
      impulses_[k].setZero();
    }
    dynamics_.SetTime(end);
    for (int i = 0; i < kMostIterations; ++i) {
      // The end of the step, and the residual of (1) to (3) there.
      blocks_.clear();
      turns_.clear();
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        const BodyMotion& body = bodies[b];
        const DiscreteSpin<> spin(h, body.angular_velocity);
        if (const Status status = Displace(b, spin, h); !status.ok()) return status;
        Right(b).head<3>() = begin_momentum_[b].head<3>() - mass_[b] * body.velocity;
        Right(b).tail<3>() =
            begin_momentum_[b].tail<3>() - spin.MomentumAtBegin(dynamics_.inertia(b));
        blocks_.push_back(spin.MomentumByRate(dynamics_.inertia(b)));
        turns_.push_back(spin.TurnByRate());
      }
      ++counters_.jacobians;
      BeginMatrix(blocks_);
      for (std::size_t k = 0; k < joints().size(); ++k) {
        const JointConstraints& joint = joints()[k];
        const BodyMotion &parent = dynamics_.Motion(joint.parent()),
                         &child = dynamics_.Motion(joint.child());
        ConstraintValues g;
        joint.Evaluate(parent, child, false, g);
        ConstraintJacobian lower = joint.Jacobian(parent, child);
        for (const auto& [body, turn] :
             {std::pair{joint.parent(), kParentTurn}, std::pair{joint.child(), kChildTurn}}) {
          if (body != kGround)
            lower.middleCols<3>(turn) = lower.middleCols<3>(turn) * turns_[U(body)] / h;
        }
        PutJoint(k, rows_[k], lower, g.position / h);
      }
      if (const Status status = Solve(); !status.ok()) return status;
      ++counters_.newton_iterations;
      double change = 0;
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        bodies[b].velocity += Right(b).head<3>();
        bodies[b].angular_velocity += Right(b).tail<3>();
        const double moved =
            h * (Right(b).head<3>().norm() + reach_[b] * Right(b).tail<3>().norm());
        if (!(moved <= change)) change = moved, worst_ = static_cast<int>(b);
        length_ = std::max(length_, bodies[b].position.norm());
      }
      if (change <= last_change_ * length_) return Arrive(h);
    }
    return {Status::Code::kNotConverged, -1, worst_, "Newton's method does not converge"};
  }

  // Positions of the last V.
  Status Arrive(double h) {
    for (std::size_t b = 0; b < reach_.size(); ++b) {
      const DiscreteSpin<> spin(h, dynamics_.bodies()[b].angular_velocity);
      if (const Status status = Displace(b, spin, h); !status.ok()) return status;
    }
    return {};
  }
  // Position of a body at the end of the step.
  Status Displace(std::size_t b, const DiscreteSpin<>& spin, double h) {
    if (!spin.possible())
      return {Status::Code::kNotConverged, -1, static_cast<int>(b),
              "the step is too long for the spin of the body"};
    BodyMotion& body = dynamics_.bodies()[b];
    const BodyMotion& from = begin_bodies_[b];
    body.position = from.position + h * body.velocity;
    Turn(from, spin.Increment(), body);
    return {};
  }

  // (4) and (5): one step of Newton's method solves them up to round-off, which the second removes.
  Status EndRates(double h) {
    std::vector<BodyMotion>& bodies = dynamics_.bodies();
    end_momentum_.clear();
    blocks_.clear();
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const Matrix3d& inertia = dynamics_.inertia(b);
      BodyVector momentum;
      momentum << mass_[b] * bodies[b].velocity,
          DiscreteSpin<>(h, bodies[b].angular_velocity).MomentumAtEnd(inertia);
      end_momentum_.push_back(momentum);
      blocks_.push_back(inertia);
    }
    for (ConstraintVector& mu : impulses_) mu.setZero();
    for (int i = 0; i < 2; ++i) {
      dynamics_.EvaluateForces();
      ++counters_.evaluations;
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        Right(b) = end_momentum_[b] + 0.5 * h * dynamics_.forces()[b];
        Right(b).head<3>() -= mass_[b] * bodies[b].velocity;
        Right(b).tail<3>() -= dynamics_.inertia(b) * bodies[b].angular_velocity;
      }
      BeginMatrix(blocks_);
      SubtractDampers(0.5 * h);
      for (std::size_t k = 0; k < joints().size(); ++k) {
        const JointConstraints& joint = joints()[k];
        const BodyMotion &parent = dynamics_.Motion(joint.parent()),
                         &child = dynamics_.Motion(joint.child());
        ConstraintValues g;
        joint.Evaluate(parent, child, false, g);
        const ConstraintJacobian rows = joint.Jacobian(parent, child);
        PutJoint(k, rows, rows, g.velocity);
      }
      if (const Status status = Solve(); !status.ok()) return status;
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        bodies[b].velocity += Right(b).head<3>();
        bodies[b].angular_velocity += Right(b).tail<3>();
      }
    }
    return {};
  }

  // The matrix, in the order in which the pattern was noted.
  void Put(double value) { values_[U(matrix_.place[entry_++])] += value; }
  void BeginMatrix(const std::vector<Matrix3d>& spins) {
    std::fill(values_.begin(), values_.end(), 0.0);
    entry_ = 0;
    for (std::size_t b = 0; b < spins.size(); ++b) {
      Eigen::Matrix<double, kRates, kRates> block;
      block << mass_[b] * Matrix3d::Identity(), Matrix3d::Zero(), Matrix3d::Zero(), spins[b];
      for (int i = 0; i < kRates; ++i)
        for (int j = 0; j < kRates; ++j) Put(block(i, j));
    }
    dampers_at_ = entry_;
    for (std::size_t k = 0; k < elements().size(); ++k) {
      const std::size_t bodies =
          (elements().parent(k) != kGround) + std::size_t{elements().child(k) != kGround};
      entry_ += bodies * bodies * kRates * kRates;
    }
  }
  void SubtractDampers(double factor) {
    const std::size_t behind = std::exchange(entry_, dampers_at_);
    ForceDerivatives d;
    for (std::size_t k = 0; k < elements().size(); ++k) {
      elements().Differentiate(dynamics_.time(), k, dynamics_.bodies(), d);
      const std::pair<int, int> pair[] = {{elements().parent(k), 0}, {elements().child(k), kRates}};
      for (const auto& [a, row] : pair) {
        for (const auto& [b, column] : pair) {
          if (a == kGround || b == kGround) continue;
          for (int i = 0; i < kRates; ++i)
            for (int j = 0; j < kRates; ++j) Put(-factor * d.by_rates(row + i, column + j));
        }
      }
    }
    entry_ = behind;
  }
  // Columns -upper', rows `lower`; adds upper' times the impulses to the right side.
  void PutJoint(std::size_t k, const ConstraintJacobian& upper, const ConstraintJacobian& lower,
                const ConstraintVector& left) {
    const JointConstraints& joint = joints()[k];
    const RowSet left_out = dynamics_.left_out()[k];
    const int at = rows_at_[k];
    VisitRows(joint, at, upper, lower, left_out, [&](int, int, double value) { Put(value); });
    for (const auto& [body, first] :
         {std::pair{joint.parent(), 0}, std::pair{joint.child(), kRates}}) {
      if (body == kGround) continue;
      for (int i = 0; i < joint.size(); ++i)
        for (int j = 0; j < kRates; ++j) Right(U(body))[j] += upper(i, first + j) * impulses_[k][i];
    }
    for (int i = 0; i < joint.size(); ++i) {
      Put(Holds(left_out, i) ? 1 : 0);
      x_[U(at + i)] = Holds(left_out, i) ? 0 : -left[i];
    }
  }
  // Change of V in x_; the impulses change too.
  Status Solve() {
    ++counters_.factorisations;
    const int column = lu_->Factorise(values_, std::exchange(pivots_, Pivots::kKept));
    if (column >= 0) return SingularAt(column, rows_at_);
    lu_->Solve(x_);
    for (std::size_t k = 0; k < joints().size(); ++k)
      for (int i = 0; i < joints()[k].size(); ++i) impulses_[k][i] += x_[U(rows_at_[k] + i)];
    return {};
  }

  std::vector<double> reach_, mass_;  // per body
  int n_;                             // unknowns
  std::vector<int> rows_at_;          // of each joint
  CompressedPattern matrix_;
  std::vector<double> values_, x_;
  std::unique_ptr<SparseLu> lu_;
  Pivots pivots_ = Pivots::kNewOrder;
  std::size_t entry_ = 0, dampers_at_ = 0;

  double length_ = 0;
  int worst_ = -1;
  // Work space of a step.
  std::vector<BodyMotion> begin_bodies_;
  std::vector<BodyVector> begin_momentum_, end_momentum_;
  std::vector<Matrix3d> blocks_, turns_;
  std::vector<ConstraintJacobian> rows_;
  std::vector<ConstraintVector> impulses_;
};

// For a step with the usual number of iterations; two more systems are solved for its rates.
CountedOperations CountOperations(const System& system, const MethodOptions&,
                                  const JointState& state) {
  constexpr int kIterations = 3;
  return CountStep(
      system, state, [&] { return std::make_unique<Variational>(system); },
      [&](Variational& method, const std::vector<double>& begin, double h) -> CountedOperations {
        OperationCount count = variational::CountAssembly(system, begin, h, kIterations);
        for (int i = 0; i < kIterations + 2; ++i) count = count + method.CountFactors();
        return {count, "step of " + std::to_string(kIterations) + " Newton iterations"};
      });
}

}  // namespace

MethodEntry VariationalEntry() {
  MethodEntry entry;
  entry.key = "variational";
  entry.title = "Variational integrator in absolute coordinates";
  entry.source = "Leyendecker, Marsden, Ortiz 2008, ZAMM 88, 677-708";
  entry.description =
      "Discrete Euler-Lagrange equations of every body. Every joint is a constraint with "
      "impulses; each iteration solves one sparse system. Each step enforces the constraints on "
      "positions and on rates.";
  entry.form = Form::kTimeStepper;
  entry.cost_exponent = 1;
  entry.shared_parts = {"absolute constraints", "absolute accelerations", "force elements"};
  entry.own_integration = OwnIntegration{"discrete Euler-Lagrange equations", true, false, 2};
  entry.capabilities = SharedCapabilities();
  entry.numbers = {kNewton};
  entry.prepare = [](const System& system,
                     const MethodOptions& options) -> std::unique_ptr<Formulation> {
    auto stepper = std::make_unique<Variational>(system);
    stepper->EndIterations(options);
    return stepper;
  };
  entry.reaction_choice = "dropped-rows";
  entry.count_operations = CountOperations;
  return entry;
}

}  // namespace mbsbench
