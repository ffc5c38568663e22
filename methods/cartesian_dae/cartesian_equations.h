// The equations of `index1` on trees as printed, on any scalar. acceleration_solver.h assembles and
// factorises them in double. These equations serve to count operations and to measure round-off.
// Source: Haug 1989, Nikravesh 1988.
//
//   [ M  -G' ] [ V'     ]   [ Q - (0, omega x J omega) ]     V = (v, omega) of all bodies,     (1)
//   [ G   0  ] [ lambda ] = [ -gamma                   ]     G V' + gamma = g''                (2)
//
// r of the mass centre and v in inertial axes, omega in body axes, R of the unit quaternion q.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/kinematics/constraint_rows.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

template <typename Real>
class CartesianEquations {
 public:
  using Rows = absolute::ConstraintRows<Real>;
  using Vector = typename Rows::Vector;
  using Matrix = typename Rows::Matrix;
  using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  explicit CartesianEquations(const System& system) : system_(system), rows_of_(system) {
    for (const Body& body : system.bodies) J_.push_back(ToEigen(body.inertia).cast<Real>());
  }

  // y = (r, q, v, omega) of all bodies, |q| about 1, and its rates: the whole evaluation except (1),
  // (2). `solve(equations)` solves these: it sets `solution` to V', then lambda.
  template <class Solve>
  void Evaluate(const Real* y, Real* ydot, Solve solve) {
    Assemble(y);
    solve(*this);
    for (std::size_t b = 0; b < bodies_.size(); ++b, ydot += 13) {
      const Motion& body = bodies_[b];
      const Vector &w = body.omega, q = body.q.template tail<3>();
      const Real half(0.5), &q0 = body.q[0];
      const Vector turn = half * (q0 * w + q.cross(w));  // q' = 1/2 q * (0, omega)
      const Real scalar = -half * q.dot(w);
      for (int i = 0; i < 3; ++i) {
        ydot[i] = body.v[i];
        ydot[4 + i] = turn[i];
      }
      ydot[3] = scalar;
      for (int i = 0; i < 6; ++i) ydot[7 + i] = solution[6 * static_cast<Eigen::Index>(b) + i];
    }
  }

  // G and gamma, row by row, and Q less the gyroscopic moments.
  std::vector<typename Rows::Row> rows;
  Column forces, solution;

  // (1) and (2) as one matrix, and their solution by its LU factors.
  Dense Full() const {
    const auto n = 6 * static_cast<Eigen::Index>(J_.size());
    const auto m = static_cast<Eigen::Index>(rows.size());
    Dense full = Dense::Zero(n + m, n + m);
    for (std::size_t b = 0; b < J_.size(); ++b) {
      const auto at = 6 * static_cast<Eigen::Index>(b);
      full.diagonal().segment(at, 3).setConstant(Real(system_.bodies[b].mass));
      full.template block<3, 3>(at + 3, at + 3) = J_[b];
    }
    for (Eigen::Index i = 0; i < m; ++i) {
      const typename Rows::Row& row = rows[static_cast<std::size_t>(i)];
      if (row.parent != kGround) full.template block<1, 6>(n + i, 6 * row.parent) = row.by_parent;
      if (row.child != kGround) full.template block<1, 6>(n + i, 6 * row.child) = row.by_child;
    }
    full.topRightCorner(n, m) = -full.bottomLeftCorner(m, n).transpose();
    return full;
  }
  void SolveFull() {
    Column right(forces.size() + static_cast<Eigen::Index>(rows.size()));
    right.head(forces.size()) = forces;
    for (std::size_t i = 0; i < rows.size(); ++i)
      right[forces.size() + static_cast<Eigen::Index>(i)] = -rows[i].rest;
    solution = Full().partialPivLu().solve(right);
  }

 private:
  struct Motion : Rows::Motion {
    Eigen::Matrix<Real, 4, 1> q;
  };
  void Assemble(const Real* y) {
    bodies_.resize(J_.size());
    forces.resize(6 * static_cast<Eigen::Index>(J_.size()));
    for (std::size_t b = 0; b < bodies_.size(); ++b, y += 13) {
      Motion& body = bodies_[b];
      for (int i = 0; i < 3; ++i) body.r[i] = y[i], body.v[i] = y[7 + i], body.omega[i] = y[10 + i];
      for (int i = 0; i < 4; ++i) body.q[i] = y[3 + i];
      using std::sqrt;
      body.q *= Real(1) / sqrt(body.q.squaredNorm());
      const Eigen::Quaternion<Real> q(body.q[0], body.q[1], body.q[2], body.q[3]);
      body.R = q.toRotationMatrix();
      const auto at = 6 * static_cast<Eigen::Index>(b);
      forces.template segment<3>(at) =
          Real(system_.bodies[b].mass) * ToEigen(system_.gravity).cast<Real>();
      forces.template segment<3>(at + 3) = -body.omega.cross(J_[b] * body.omega);
    }
    rows_of_.Calc(
        Rows::Rest::kAcceleration, [this](int b) -> const auto& { return At(b); }, rows);
  }

  const typename Rows::Motion& At(int body) const {
    return body == kGround ? ground_ : bodies_[static_cast<std::size_t>(body)];
  }

  const System& system_;
  const Rows rows_of_;
  const typename Rows::Motion ground_;
  std::vector<Matrix> J_;  // per body
  std::vector<Motion> bodies_;
};

}  // namespace mbsbench::cartesian
