// One step of the HHT method as printed, on any scalar: (1) to (7) of hht_constants.h and hht.h in their order, on trees without
// drivers and force elements, whose only force is m g. These equations serve to count operations and to measure round-off.
#pragma once

#include "methods/coordinates/step_equations.h"
#include "methods/index3_direct/hht_constants.h"

namespace mbsbench::direct {

template <typename Real>
class Index3Equations : absolute::StepEquations<Real> {
  using Base = absolute::StepEquations<Real>;
  using Base::At, Base::ForBodies, Base::system_, Base::J_, Base::now_, Base::V_n_, Base::V_,
      Base::rates_, Base::D_, Base::lambda_, Base::turns_;
  using typename Base::Column, typename Base::Dense, typename Base::Matrix, typename Base::OfBody,
      typename Base::Row, typename Base::Vector;

 public:
  explicit Index3Equations(const System& system) : Base(system) {}

  // From y = [r, q, v, Omega of all bodies | a | lambda] to `end`, over h, by a given number of iterations of Newton's method;
  // `solve(K, b)` returns x of K x = b.
  template <class Solve>
  void StepHht(const Real& alpha, const Real& h, const Real* y, Real* end, int iterations,
               Solve solve) {
    const HhtConstants<Real> of(alpha);
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    this->ReadMotion(y);
    const Column a_n = rates_ = Eigen::Map<const Column>(y + 13 * bodies, 6 * bodies);
    std::vector<Row> rows = this->RowsNow();
    lambda_ = Eigen::Map<const Column>(y + 19 * bodies, static_cast<Eigen::Index>(rows.size()));
    const Real m = Real(1) / (Real(1) + alpha);
    const Column past = -alpha * m * Forces(rows);
    const auto move = [&] {
      D_ = h * V_n_ + h * h * ((Real(0.5) - of.beta) * a_n + of.beta * rates_);  // (3)
      V_ = V_n_ + h * ((Real(1) - of.gamma) * a_n + of.gamma * rates_);          // (4)
      for (Eigen::Index b = 0; b < bodies; ++b) {
        this->Move(b);  // (5)
        turns_[At(b)] = this->Increment(b).Tangent();
      }
    };
    for (int i = 0; i < iterations; ++i) {
      move();
      const Column change = NewtonStep(m, h * of.gamma, h * h * of.beta, past, solve);  // (6), (7)
      for (Eigen::Index b = 0; b < bodies; ++b)
        rates_.template segment<6>(6 * b) += change.template segment<6>(12 * b);
      lambda_ += change.segment(12 * bodies, lambda_.size());
    }
    move();
    this->WriteMotion(end);
    Eigen::Map<Column>(end + 13 * bodies, 6 * bodies) = rates_;
    Eigen::Map<Column>(end + 19 * bodies, lambda_.size()) = lambda_;
  }

 private:
  // F of all bodies.
  Column Forces(const std::vector<Row>& rows) const {
    Column forces(V_.size());
    for (Eigen::Index b = 0; 6 * b < V_.size(); ++b) {
      const Vector omega = V_.template segment<3>(6 * b + 3);
      forces.template segment<6>(6 * b)
          << Real(system_.bodies[At(b)].mass) * ToEigen(system_.gravity).template cast<Real>(),
          -omega.cross(J_[At(b)] * omega);
    }
    Eigen::Index j = 0;
    for (const Row& row : rows) {
      const Real lambda = lambda_[j++];
      ForBodies(row, [&](Eigen::Index b, const OfBody& G, const OfBody&) {
        forces.template segment<6>(6 * b) += lambda * G.transpose();
      });
    }
    return forces;
  }

  // The solution of the system of step_matrix.h where bodies are.
  template <class Solve>
  Column NewtonStep(const Real& m, const Real& k, const Real& s, const Column& past, Solve solve) {
    const std::vector<Row> rows = this->RowsNow();
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    const Eigen::Index lambda_at = 12 * bodies, unknowns = lambda_at + lambda_.size();
    Dense K = Dense::Zero(unknowns, unknowns);
    Column right = Column::Zero(unknowns);
    const Column forces = Forces(rows);
    for (Eigen::Index b = 0; b < bodies; ++b) {
      const Matrix& J = J_[At(b)];
      const Vector omega = V_.template segment<3>(6 * b + 3), spin = J * omega;
      const Real mass = m * Real(system_.bodies[At(b)].mass);
      right.template segment<6>(12 * b) =
          forces.template segment<6>(6 * b) + past.template segment<6>(6 * b);
      right.template segment<3>(12 * b) -= mass * rates_.template segment<3>(6 * b);
      right.template segment<3>(12 * b + 3) -= m * (J * rates_.template segment<3>(6 * b + 3));
      K.diagonal().segment(12 * b, 3).setConstant(mass);
      K.template block<3, 3>(12 * b + 3, 12 * b + 3) =
          m * J + k * (CrossMatrix(omega) * J - CrossMatrix(spin));
      K.diagonal().segment(12 * b + 6, 6).setOnes();
      K.diagonal(-6).segment(12 * b, 3).setConstant(Real(-1));
      K.template block<3, 3>(12 * b + 9, 12 * b + 3) = -turns_[At(b)];
    }
    Eigen::Index row_at = 0;
    for (std::size_t joint = 0; joint < system_.joints.size(); ++joint)
      this->AddStiffness(joint, s, row_at, K);
    for (Eigen::Index j = 0; j < lambda_.size(); ++j) {
      ForBodies(rows[At(j)], [&](Eigen::Index b, const OfBody& G, const OfBody&) {
        K.template block<6, 1>(12 * b, lambda_at + j) = -G.transpose();
        K.template block<1, 6>(lambda_at + j, 12 * b + 6) = G;
      });
      right[lambda_at + j] = -rows[At(j)].g / s;
    }
    return solve(K, right);
  }
};

}  // namespace mbsbench::direct
