// One step of the discrete Euler-Lagrange equations as printed, on any scalar: (1) to (5) of
// variational.cc in their order, on trees without drivers and force elements, whose only force is m g.
// These equations serve to count operations and to measure round-off.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/kinematics/constraint_rows.h"
#include "methods/variational/discrete_spin.h"

namespace mbsbench::variational {

template <typename Real>
class DiscreteEquations {
 public:
  using Rows = absolute::ConstraintRows<Real>;
  using Vector = typename Rows::Vector;
  using Matrix = typename Rows::Matrix;
  using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  explicit DiscreteEquations(const System& system) : system_(system), rows_of_(system) {
    for (const Body& body : system.bodies) J_.push_back(ToEigen(body.inertia).cast<Real>());
  }

  // From y = (r, q, v, omega) of all bodies to `end`, over h, by a given number of iterations of
  // Newton's method; `solve(K, b)` returns x of K x = b.
  template <class Solve>
  void Step(const Real& h, const Real* y, Real* end, int iterations, Solve solve) {
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    Read(y);
    const std::vector<Row> begin_rows = rows_of_.At(now_);
    const auto m = static_cast<Eigen::Index>(begin_rows.size());
    const Real half_step = Real(0.5) * h;
    Column weight = Column::Zero(6 * bodies);  // h/2 f, at the begin and at the end
    for (Eigen::Index b = 0; b < bodies; ++b)
      weight.template segment<3>(6 * b) =
          half_step * Mass(b) * ToEigen(system_.gravity).cast<Real>();
    const Column begin =
        Momentum([this](Eigen::Index b) { return Vector(J_[At(b)] * Omega(b)); }) + weight;
    Column impulses = Column::Zero(m);  // P

    Dense K;
    Column right;
    for (int i = 0; i < iterations; ++i) {
      Move(h);
      const std::vector<Row> rows = rows_of_.At(now_);  // (3) at the end of the step
      K.setZero(6 * bodies + m, 6 * bodies + m);
      right.resize(6 * bodies + m);
      right.head(6 * bodies) = begin - Momentum([&](Eigen::Index b) {
                                 return DiscreteSpin<Real>(h, Omega(b)).MomentumAtBegin(J_[At(b)]);
                               });
      std::vector<Matrix> turns;
      for (Eigen::Index b = 0; b < bodies; ++b) {
        const DiscreteSpin<Real> spin(h, Omega(b));
        turns.push_back(spin.TurnByRate() / h);
        PutBody(b, spin.MomentumByRate(J_[At(b)]), K);
      }
      for (Eigen::Index j = 0; j < m; ++j) {
        const Row &upper = begin_rows[At(j)], &lower = rows[At(j)];
        const Eigen::Index at = 6 * bodies + j;
        ForBodies(upper, [&](int b, const OfBody& G) {
          K.template block<6, 1>(6 * b, at) = -G.transpose();
          right.template segment<6>(6 * b) += impulses[j] * G.transpose();  // (1), (2)
        });
        ForBodies(lower, [&](int b, const OfBody& G) {
          K.template block<1, 3>(at, 6 * b) = G.template head<3>();
          K.template block<1, 3>(at, 6 * b + 3) = G.template tail<3>() * turns[At(b)];
        });
        right[at] = -lower.rest / h;
      }
      const Column change = solve(K, right);
      V_ += change.head(6 * bodies);
      impulses += change.tail(m);
    }

    Move(h);
    const Column carried = weight + Momentum([&](Eigen::Index b) {
                             return DiscreteSpin<Real>(h, Omega(b)).MomentumAtEnd(J_[At(b)]);
                           });
    impulses.setZero();            // mu
    for (int i = 0; i < 2; ++i) {  // the second removes round-off
      const std::vector<Row> rows = rows_of_.At(now_);
      K.setZero(6 * bodies + m, 6 * bodies + m);
      right.resize(6 * bodies + m);
      right.head(6 * bodies) =
          carried - Momentum([this](Eigen::Index b) { return Vector(J_[At(b)] * Omega(b)); });
      for (Eigen::Index b = 0; b < bodies; ++b) PutBody(b, J_[At(b)], K);
      for (Eigen::Index j = 0; j < m; ++j) {
        const Eigen::Index at = 6 * bodies + j;
        right[at] = Real(0);
        ForBodies(rows[At(j)], [&](int b, const OfBody& G) {
          K.template block<1, 6>(at, 6 * b) = G;
          K.template block<6, 1>(6 * b, at) = -G.transpose();
          right.template segment<6>(6 * b) += impulses[j] * G.transpose();  // (4)
          right[at] -= G.dot(V_.template segment<6>(6 * b));                // (5)
        });
      }
      const Column change = solve(K, right);
      V_ += change.head(6 * bodies);
      impulses += change.tail(m);
    }
    Write(end);
  }

 private:
  using Row = typename Rows::Row;
  using OfBody = typename Rows::OfBody;
  using Quaternion = Eigen::Matrix<Real, 4, 1>;
  static std::size_t At(Eigen::Index i) { return static_cast<std::size_t>(i); }
  static Quaternion Product(const Quaternion& a, const Quaternion& b) {
    const Vector u = a.template tail<3>(), w = b.template tail<3>();
    Quaternion product;
    product << a[0] * b[0] - u.dot(w), Vector(a[0] * w + b[0] * u + u.cross(w));
    return product;
  }
  template <class Visit>
  static void ForBodies(const Row& row, Visit visit) {
    if (row.parent != kGround) visit(row.parent, row.by_parent);
    if (row.child != kGround) visit(row.child, row.by_child);
  }

  Real Mass(Eigen::Index b) const { return Real(system_.bodies[At(b)].mass); }
  Vector Omega(Eigen::Index b) const { return V_.template segment<3>(6 * b + 3); }
  // (m v; the result of `spin`) of all bodies.
  template <class Spin>
  Column Momentum(Spin spin) const {
    Column momentum(V_.size());
    for (Eigen::Index b = 0; 6 * b < V_.size(); ++b)
      momentum.template segment<6>(6 * b) << Mass(b) * V_.template segment<3>(6 * b), spin(b);
    return momentum;
  }
  void PutBody(Eigen::Index b, const Matrix& by_omega, Dense& K) const {
    K.diagonal().segment(6 * b, 3).setConstant(Mass(b));
    K.template block<3, 3>(6 * b + 3, 6 * b + 3) = by_omega;
  }

  void Read(const Real* y) {
    begin_.assign(J_.size(), {});
    V_.resize(6 * static_cast<Eigen::Index>(J_.size()));
    for (Eigen::Index b = 0; 6 * b < V_.size(); ++b, y += 13) {
      Place& body = begin_[At(b)];
      for (int i = 0; i < 3; ++i) body.r[i] = y[i];
      for (int i = 0; i < 4; ++i) body.q[i] = y[3 + i];
      for (int i = 0; i < 6; ++i) V_[6 * b + i] = y[7 + i];
    }
    now_ = begin_;
  }
  // r_n + h v, q_n * h/2 (s, W)
  void Move(const Real& h) {
    for (Eigen::Index b = 0; 6 * b < V_.size(); ++b) {
      const Place& from = begin_[At(b)];
      now_[At(b)] = {from.r + h * V_.template segment<3>(6 * b),
                     Product(from.q, DiscreteSpin<Real>(h, Omega(b)).Increment())};
    }
  }
  void Write(Real* y) const {
    for (Eigen::Index b = 0; 6 * b < V_.size(); ++b, y += 13) {
      for (int i = 0; i < 3; ++i) y[i] = now_[At(b)].r[i];
      for (int i = 0; i < 4; ++i) y[3 + i] = now_[At(b)].q[i];
      for (int i = 0; i < 6; ++i) y[7 + i] = V_[6 * b + i];
    }
  }

  struct Place {
    Vector r;
    Quaternion q;
  };
  const System& system_;
  const Rows rows_of_;
  std::vector<Matrix> J_;           // per body
  std::vector<Place> begin_, now_;  // per body
  Column V_;                        // (v, W) of all bodies, then V_n+1
};

}  // namespace mbsbench::variational
