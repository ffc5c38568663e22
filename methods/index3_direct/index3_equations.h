// One step of each scheme as printed, on any scalar: (1) to (16) of hht_constants.h, hht.h, bdf_weights.h and bdf.h, on trees without
// drivers and force elements, whose only force is m g. These equations serve to count operations and to measure round-off.
#pragma once

#include "methods/coordinates/step_equations.h"
#include "methods/index3_direct/bdf_weights.h"
#include "methods/index3_direct/hht_constants.h"

namespace mbsbench::direct {

template <typename Real>
class Index3Equations : absolute::StepEquations<Real> {
  using Base = absolute::StepEquations<Real>;
  using Base::At, Base::ForBodies, Base::system_, Base::J_, Base::now_, Base::V_n_, Base::V_,
      Base::rates_, Base::D_, Base::lambda_, Base::turns_, Base::begin_, Base::inverse_square_;
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
      const Column change =
          NewtonStep(m, h * of.gamma, h * h * of.beta, past, false, solve);  // (6), (7)
      for (Eigen::Index b = 0; b < bodies; ++b)
        rates_.template segment<6>(6 * b) += change.template segment<6>(12 * b);
      lambda_ += change.segment(12 * bodies, lambda_.size());
    }
    move();
    this->WriteMotion(end);
    Eigen::Map<Column>(end + 13 * bodies, 6 * bodies) = rates_;
    Eigen::Map<Column>(end + 19 * bodies, lambda_.size()) = lambda_;
  }

  // The formula of a given order from y = [r, q, v, Omega of all bodies | lambda | mu, if it keeps velocities | past motions | their
  // times] at t, with `points` past ones; only the motion and the multipliers are written to `end`.
  template <class Solve>
  void StepBdf(bool keeps_velocities, int order, int points, const Real& t, const Real& h,
               const Real* y, Real* end, int iterations, Solve solve) {
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    this->ReadMotion(y);
    const auto rows = static_cast<Eigen::Index>(this->RowsNow().size());
    lambda_ = Eigen::Map<const Column>(y + 13 * bodies, rows);
    Column mu = Column::Zero(rows);
    if (keeps_velocities) mu = Eigen::Map<const Column>(y + 13 * bodies + rows, rows);
    const Real* const past = y + 13 * bodies + (keeps_velocities ? 2 : 1) * rows;
    std::vector<Real> times{t};
    for (int j = 0; j < order; ++j) times.push_back(past[13 * bodies * points + j]);
    const std::span<const Real> differentiated(times.data(), At(order)), predicting(times);
    const Real c = Leading(t + h, differentiated), k = Real(1) / c, s = k * k;  // (8)
    Column predicted = Column::Zero(6 * bodies), from_poses = predicted, from_rates = predicted;
    for (Eigen::Index j = 0; j <= order; ++j) {
      Column D = Column::Zero(6 * bodies), V = V_n_;
      for (Eigen::Index b = 0; j > 0 && b < bodies; ++b) {
        const Real* const at = past + 13 * (bodies * (j - 1) + b);
        D.template segment<3>(6 * b) = Eigen::Map<const Vector>(at) - begin_[At(b)].r;
        D.template segment<3>(6 * b + 3) =
            Turned(begin_[At(b)].q, Eigen::Map<const Quaternion>(at + 3));
        V.template segment<6>(6 * b) = Eigen::Map<const Eigen::Matrix<Real, 6, 1>>(at + 7);
      }
      predicted += Extrapolation(t + h, predicting, At(j)) * D;  // (10)
      if (j == order) break;
      const Real d = Derivative(t + h, differentiated, At(j));  // (9)
      from_poses += d * D;
      from_rates += d * V;
    }
    D_ = predicted;
    const Column none = Column::Zero(6 * bodies);
    const auto move = [&] {
      V_ = c * D_ + from_poses;  // (11)
      for (Eigen::Index b = 0; b < bodies; ++b) {
        this->Move(b);  // (13)
        const Vector omega = this->Increment(b).Tangent() * V_.template segment<3>(6 * b + 3);
        V_.template segment<3>(6 * b + 3) = omega;  // (12)
        const Matrix turn = Matrix::Identity() + Real(0.5) * k * CrossMatrix(omega);
        turns_[At(b)] = InverseOf(turn);
      }
      if (keeps_velocities) {
        Eigen::Index j = 0;
        for (const Row& row : this->RowsNow()) {
          const Real of_row = mu[j++];
          ForBodies(row, [&](Eigen::Index b, const OfBody& G, const OfBody&) {
            V_.template segment<6>(6 * b) += of_row * Weighted(b, G);  // (12)
          });
        }
      }
      rates_ = c * V_ + from_rates;
    };
    for (int i = 0; i < iterations; ++i) {
      move();
      const Column change =
          NewtonStep(Real(1), k, s, none, keeps_velocities, solve);  // (14) to (16)
      for (Eigen::Index b = 0; b < bodies; ++b) {
        const Column x = s * change.segment(12 * b + 6, 6);
        const Vector turned = this->Increment(b).InverseTangent(Vector(x.tail(3)));
        D_.template segment<3>(6 * b) += x.head(3);
        D_.template segment<3>(6 * b + 3) += turned;
      }
      lambda_ += change.segment(12 * bodies, rows);
      if (keeps_velocities) mu += k * change.tail(rows);
    }
    move();
    this->WriteMotion(end);
    Eigen::Map<Column>(end + 13 * bodies, rows) = lambda_;
    if (keeps_velocities) Eigen::Map<Column>(end + 13 * bodies + rows, rows) = mu;
  }

 private:
  using Quaternion = Eigen::Matrix<Real, 4, 1>;
  // W G' of a body.
  Eigen::Matrix<Real, 6, 1> Weighted(Eigen::Index b, const OfBody& G) const {
    Eigen::Matrix<Real, 6, 1> weighted = G.transpose();
    weighted.template tail<3>() *= inverse_square_[At(b)];
    return weighted;
  }
  // The vector of the rotation from q to p, with the half of its angle from a sine and a cosine by Newton's method.
  static Vector Turned(const Quaternion& q, const Quaternion& p) {
    using std::cos, std::sin, std::sqrt;
    const Vector u = q.template tail<3>(), w = p.template tail<3>();
    Real cosine = q[0] * p[0] + u.dot(w);
    Vector axis = q[0] * w - p[0] * u - u.cross(w);
    if (cosine < Real(0)) cosine = -cosine, axis = -axis;
    const Real sine = sqrt(axis.dot(axis));
    if (sine == Real(0)) return Vector::Zero();
    Real angle = sine;
    for (int i = 0; i < 5; ++i) angle += sine * cos(angle) - cosine * sin(angle);
    return Real(2) * angle / sine * axis;
  }
  static Matrix InverseOf(const Matrix& a) {
    Matrix cofactors;
    for (int i = 0; i < 3; ++i)
      cofactors.row(i) = a.col((i + 1) % 3).cross(a.col((i + 2) % 3)).transpose();
    const Real determinant = cofactors.row(0).dot(a.col(0));
    return cofactors / determinant;
  }

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
  Column NewtonStep(const Real& m, const Real& k, const Real& s, const Column& past,
                    bool keeps_velocities, Solve solve) {
    const std::vector<Row> rows = this->RowsNow();
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    const Eigen::Index lambda_at = 12 * bodies, second_at = lambda_at + lambda_.size(),
                       unknowns = second_at + (keeps_velocities ? lambda_.size() : 0);
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
      ForBodies(rows[At(j)], [&](Eigen::Index b, const OfBody& G, const OfBody& N) {
        K.template block<6, 1>(12 * b, lambda_at + j) = -G.transpose();
        K.template block<1, 6>(lambda_at + j, 12 * b + 6) = G;
        if (!keeps_velocities) return;
        const Eigen::Matrix<Real, 6, 1> back = Weighted(b, G);
        K.template block<3, 1>(12 * b + 6, second_at + j) = back.template head<3>();
        K.template block<3, 1>(12 * b + 9, second_at + j) = turns_[At(b)] * back.template tail<3>();
        K.template block<1, 6>(second_at + j, 12 * b) = G;
        K.template block<1, 6>(second_at + j, 12 * b + 6) = s / k * N;
      });
      right[lambda_at + j] = -rows[At(j)].g / s;
      if (keeps_velocities) right[second_at + j] = -rows[At(j)].velocity / k;
    }
    return solve(K, right);
  }
};

}  // namespace mbsbench::direct
