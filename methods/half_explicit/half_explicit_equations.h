// One step of a half-explicit Runge-Kutta method as printed, on any scalar: (1) to (5) of half_explicit.cc in their order, on
// trees without drivers and force elements, whose only force is m g. These equations serve to count operations and to
// measure round-off.
#pragma once

#include <Eigen/Dense>
#include <utility>
#include <vector>

#include "methods/coordinates/rotation_increment.h"
#include "methods/half_explicit/tableau.h"
#include "methods/kinematics/constraint_rows.h"

namespace mbsbench::half_explicit {

template <typename Real>
class HalfExplicitEquations {
 public:
  using Rows = absolute::ConstraintRows<Real>;
  using Vector = typename Rows::Vector;
  using Matrix = typename Rows::Matrix;
  using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  HalfExplicitEquations(const System& system, int order)
      : system_(system), rows_of_(system), tableau_(TableauOf<Real>(order)) {
    for (const Body& body : system.bodies) J_.push_back(ToEigen(body.inertia).cast<Real>());
  }

  // From y = [r, q, v, Omega of all bodies | lambda] to `end`, over h; `solve(K, b)` returns x of K x = b.
  template <class Solve>
  void Step(const Real& h, const Real* y, Real* end, Solve solve) {
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    Read(y);
    const Column V_n = V_;
    std::vector<Row> rows = rows_of_.At(now_);
    const Eigen::Index n = V_n.size(), m = static_cast<Eigen::Index>(rows.size());
    std::vector<Column> moves, rates;  // (v, T^-1 Omega) and V' of the stages
    Column D = Column::Zero(n);
    Dense K = Dense::Zero(n + m, n + m);
    for (int i = 0; i < tableau_.stages; ++i) {
      const auto& a = tableau_.a[static_cast<std::size_t>(i)];
      Column move = V_, right(n + m);
      for (Eigen::Index b = 0; b < bodies; ++b) {
        const Vector omega = V_.template segment<3>(6 * b + 3);
        const Matrix& J = J_[At(b)];
        const Real mass(system_.bodies[At(b)].mass);
        move.template segment<3>(6 * b + 3) = Increment(D, b).InverseTangent(omega);  // (1)
        right.template segment<6>(6 * b) << mass * ToEigen(system_.gravity).cast<Real>(),
            -omega.cross(J * omega);
        K.diagonal().segment(6 * b, 3).setConstant(mass);
        K.template block<3, 3>(6 * b + 3, 6 * b + 3) = J;
      }
      moves.push_back(move);

      D = h * a[0] * moves[0];  // (2)
      V_ = V_n;
      for (int j = 1; j <= i; ++j) D += h * a[At(j)] * moves[At(j)];
      for (int j = 0; j < i; ++j) V_ += h * a[At(j)] * rates[At(j)];
      for (Eigen::Index b = 0; b < bodies; ++b) now_[At(b)] = Moved(begin_[At(b)], D, b);  // (3)

      const std::vector<Row> before = std::exchange(rows, rows_of_.At(now_));
      const Real length = h * a[At(i)];
      for (Eigen::Index j = 0; j < m; ++j) {  // (4)
        ForBodies(before[At(j)], [&](int body, const OfBody& G) {
          K.template block<6, 1>(6 * body, n + j) = -G.transpose();
        });
        Real slip(0);
        ForBodies(rows[At(j)], [&](int body, const OfBody& G) {
          K.template block<1, 6>(n + j, 6 * body) = G;
          slip += G.dot(V_.template segment<6>(6 * body));
        });
        right[n + j] = -slip / length;
      }
      const Column solution = solve(K, right);
      Eigen::Map<Column>(end + 13 * bodies, m) = solution.tail(m);
      rates.push_back(solution.head(n));
      V_ += length * rates.back();  // (5)
    }
    Write(end);
  }

 private:
  using Quaternion = Eigen::Matrix<Real, 4, 1>;
  using Row = typename Rows::Row;
  using OfBody = typename Rows::OfBody;
  struct Place {
    Vector r;
    Quaternion q;
  };
  template <class Index>
  static std::size_t At(Index i) {
    return static_cast<std::size_t>(i);
  }
  static RotationIncrement<Real> Increment(const Column& D, Eigen::Index b) {
    return RotationIncrement<Real>(D.template segment<3>(6 * b + 3));
  }
  static Place Moved(const Place& from, const Column& D, Eigen::Index b) {
    const Quaternion turn = Increment(D, b).Exp();
    const Vector u = from.q.template tail<3>(), w = turn.template tail<3>();
    Place moved{from.r + D.template segment<3>(6 * b), {}};
    moved.q << from.q[0] * turn[0] - u.dot(w), Vector(from.q[0] * w + turn[0] * u + u.cross(w));
    return moved;
  }
  template <class Visit>
  static void ForBodies(const Row& row, Visit visit) {
    if (row.parent != kGround) visit(row.parent, row.by_parent);
    visit(row.child, row.by_child);
  }
  void Read(const Real* y) {
    begin_.resize(J_.size());
    V_.resize(6 * static_cast<Eigen::Index>(J_.size()));
    for (Eigen::Index b = 0; 6 * b < V_.size(); ++b, y += 13) {
      begin_[At(b)] = {Eigen::Map<const Vector>(y), Eigen::Map<const Quaternion>(y + 3)};
      V_.template segment<6>(6 * b) = Eigen::Map<const Eigen::Matrix<Real, 6, 1>>(y + 7);
    }
    now_ = begin_;
  }
  void Write(Real* y) const {
    for (Eigen::Index b = 0; 6 * b < V_.size(); ++b, y += 13) {
      Eigen::Map<Vector>(y, 3) = now_[At(b)].r;
      Eigen::Map<Quaternion>(y + 3) = now_[At(b)].q;
      Eigen::Map<Eigen::Matrix<Real, 6, 1>>(y + 7) = V_.template segment<6>(6 * b);
    }
  }

  const System& system_;
  const Rows rows_of_;
  const Tableau<Real> tableau_;
  std::vector<Matrix> J_;           // per body
  std::vector<Place> begin_, now_;  // per body
  Column V_;                        // (v, Omega) of all bodies
};

}  // namespace mbsbench::half_explicit
