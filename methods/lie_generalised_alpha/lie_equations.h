// One step of the generalised-alpha method as printed, on any scalar: (1) to (10) of lie_step.h and
// lie_generalised_alpha.cc in their order, on trees without drivers and force elements, whose only force is m g. These
// equations serve to count operations and to measure round-off.
#pragma once

#include "methods/coordinates/step_equations.h"
#include "methods/lie_generalised_alpha/lie_step.h"

namespace mbsbench::lie {

template <typename Real>
class LieEquations : absolute::StepEquations<Real> {
  using Base = absolute::StepEquations<Real>;
  using Base::At, Base::ForBodies, Base::RowsNow, Base::system_, Base::J_, Base::now_, Base::V_n_,
      Base::V_, Base::rates_, Base::D_, Base::lambda_, Base::turns_, Base::inverse_square_;
  using typename Base::Column, typename Base::Dense, typename Base::Matrix, typename Base::OfBody,
      typename Base::Row, typename Base::Vector;

 public:
  LieEquations(const System& system, bool keeps_velocities, double rho)
      : Base(system), keeps_velocities_(keeps_velocities), averages_(Real(rho)) {}

  // From y = [r, q, v, Omega of all bodies | V' | (a - V')/h | lambda] to `end`, over h, by a given number of iterations
  // of Newton's method; `solve(K, b)` returns x of K x = b.
  template <class Solve>
  void Step(const Real& h, const Real* y, Real* end, int iterations, Solve solve) {
    const Real &gamma = averages_.gamma, &beta = averages_.beta, &c = averages_.c;
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    Read(y, h);
    const Column rates_n = rates_;
    const Real s = h * h * beta * c, k = h * gamma * c;
    std::vector<Row> rows = RowsNow();
    const auto m = static_cast<Eigen::Index>(rows.size());
    lambda_ = Eigen::Map<const Column>(y + 25 * bodies, m);
    Column eta = Column::Zero(m);              // h eta
    Dense begin = Dense::Zero(6 * bodies, m);  // W G_n'
    for (Eigen::Index j = 0; keeps_velocities_ && j < m; ++j) {
      ForBodies(rows[At(j)], [&](Eigen::Index b, const OfBody& G, const OfBody&) {
        begin.template block<6, 1>(6 * b, j) = G.transpose();
        begin.template block<3, 1>(6 * b + 3, j) *= inverse_square_[At(b)];
      });
    }
    const auto move = [&] {
      const Column a = averages_.Next(rates_, rates_n, a_n_);
      D_ = h * V_n_ + h * h * ((Real(0.5) - beta) * a_n_ + beta * a);  // (5)
      for (Eigen::Index j = 0; keeps_velocities_ && j < m; ++j) {
        ForBodies(rows[At(j)], [&](Eigen::Index b, const OfBody&, const OfBody&) {
          D_.template segment<6>(6 * b) -= begin.template block<6, 1>(6 * b, j) * eta[j];
        });
      }
      V_ = V_n_ + h * ((Real(1) - gamma) * a_n_ + gamma * a);   // (6)
      for (Eigen::Index b = 0; b < bodies; ++b) this->Move(b);  // (7)
    };

    const Eigen::Index lambda_at = 12 * bodies, eta_at = lambda_at + m;
    const Eigen::Index unknowns = eta_at + (keeps_velocities_ ? m : 0);
    for (int i = 0; i < iterations; ++i) {
      move();
      rows = RowsNow();
      Dense K = Dense::Zero(unknowns, unknowns);
      Column right = Column::Zero(unknowns);
      for (Eigen::Index b = 0; b < bodies; ++b) {
        const Matrix& J = J_[At(b)];
        const Vector omega = V_.template segment<3>(6 * b + 3), spin = J * omega;
        const Real mass(system_.bodies[At(b)].mass);
        right.template segment<3>(12 * b) = mass * (ToEigen(system_.gravity).template cast<Real>() -
                                                    rates_.template segment<3>(6 * b));
        right.template segment<3>(12 * b + 3) =
            -(J * rates_.template segment<3>(6 * b + 3)) - omega.cross(spin);  // (8)
        K.diagonal().segment(12 * b, 3).setConstant(mass);
        K.template block<3, 3>(12 * b + 3, 12 * b + 3) =
            J + k * (CrossMatrix(omega) * J - CrossMatrix(spin));
        K.diagonal().segment(12 * b + 6, 6).setOnes();
        K.diagonal(-6).segment(12 * b, 3).setConstant(Real(-1));
        turns_[At(b)] = this->Increment(b).Tangent();
        K.template block<3, 3>(12 * b + 9, 12 * b + 3) = -turns_[At(b)];
      }
      Eigen::Index row_at = 0;
      for (std::size_t joint = 0; joint < system_.joints.size(); ++joint)
        this->AddStiffness(joint, s, row_at, K);
      for (Eigen::Index j = 0; j < m; ++j) {
        const Row& row = rows[At(j)];
        ForBodies(row, [&](Eigen::Index b, const OfBody& G, const OfBody& N) {
          right.template segment<6>(12 * b) += lambda_[j] * G.transpose();
          K.template block<6, 1>(12 * b, lambda_at + j) = -G.transpose();
          K.template block<1, 6>(lambda_at + j, 12 * b + 6) = G;
          if (!keeps_velocities_) return;
          K.template block<1, 6>(eta_at + j, 12 * b) = G;
          K.template block<1, 6>(eta_at + j, 12 * b + 6) = s / k * N;
          K.template block<3, 1>(12 * b + 6, eta_at + j) = begin.template block<3, 1>(6 * b, j);
          K.template block<3, 1>(12 * b + 9, eta_at + j) =
              turns_[At(b)] * begin.template block<3, 1>(6 * b + 3, j);
        });
        right[lambda_at + j] = -row.g / s;                             // (9)
        if (keeps_velocities_) right[eta_at + j] = -row.velocity / k;  // (10)
      }
      const Column change = solve(K, right);
      for (Eigen::Index b = 0; b < bodies; ++b)
        rates_.template segment<6>(6 * b) += change.template segment<6>(12 * b);
      lambda_ += change.segment(lambda_at, m);
      if (keeps_velocities_) eta += s * change.tail(m);
    }
    move();
    Write(end, averages_.Next(rates_, rates_n, a_n_), h);
  }

 private:
  void Read(const Real* y, const Real& h) {
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    this->ReadMotion(y);
    rates_ = Eigen::Map<const Column>(y + 13 * bodies, 6 * bodies);
    a_n_ = rates_ + h * Eigen::Map<const Column>(y + 19 * bodies, 6 * bodies);
  }
  void Write(Real* y, const Column& a, const Real& h) const {
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    this->WriteMotion(y);
    Eigen::Map<Column>(y + 13 * bodies, 6 * bodies) = rates_;
    Eigen::Map<Column>(y + 19 * bodies, 6 * bodies) = (a - rates_) / h;
    Eigen::Map<Column>(y + 25 * bodies, lambda_.size()) = lambda_;
  }

  const bool keeps_velocities_;
  const Averages<Real> averages_;
  Column a_n_;  // of all bodies
};

}  // namespace mbsbench::lie
