// The equations of `index1` on trees, as they are read and on any scalar: what acceleration_solver.h
// assembles and factorises in double. Operations are counted here, and round-off is measured here.
// Source: Haug 1989, Nikravesh 1988.
//
//   [ M  -G' ] [ V'     ]   [ Q - (0, omega x J omega) ]     V = (v, omega) of all bodies,     (1)
//   [ G   0  ] [ lambda ] = [ -gamma                   ]     G V' + gamma = g''                (2)
//
// r of the mass centre and v in inertial axes, omega in body axes, R of the unit quaternion q.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <vector>

#include "methods/kinematics/blocked_rows.h"
#include "problems/model/eigen.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

template <typename Real>
class CartesianEquations {
 public:
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Matrix = Eigen::Matrix<Real, 3, 3>;
  using OfBody = Eigen::Matrix<Real, 1, 6>;  // a row of G: columns v, omega
  using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  // A constraint: its parts of G, and gamma. Nothing is written of the ground.
  struct Row {
    int parent, child;
    OfBody by_parent, by_child;
    Real gamma;
  };

  explicit CartesianEquations(const System& system) : system_(system) {
    for (const Body& body : system.bodies) J_.push_back(ToEigen(body.inertia).cast<Real>());
    for (const Joint& joint : system.joints) {
      for (const Frame* frame : {&joint.parent_frame, &joint.child_frame})
        axes_.push_back(
            ToEigen(DirectionCosineMatrix(Normalised(frame->orientation))).cast<Real>());
    }
  }

  // y = (r, q, v, omega) of all bodies, |q| about 1, and its rates: all of an evaluation but (1), (2),
  // which `solve(equations)` solves: it sets `solution` to V', then lambda.
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
  std::vector<Row> rows;
  Column forces, solution;

  // (1) and (2) as one matrix, and by its LU factors.
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
      const Row& row = rows[static_cast<std::size_t>(i)];
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
      right[forces.size() + static_cast<Eigen::Index>(i)] = -rows[i].gamma;
    solution = Full().partialPivLu().solve(right);
  }

 private:
  struct Motion {
    Vector r = Vector::Zero(), v = r, omega = r;
    Eigen::Matrix<Real, 4, 1> q;
    Matrix R = Matrix::Identity();
  };
  // A vector V between two bodies, or fixed in one: V'' = L_p V_p' + L_c V_c' + bias.
  struct Vectors {
    Vector value, rate, bias;
    Eigen::Matrix<Real, 3, 6> by_parent = Eigen::Matrix<Real, 3, 6>::Zero(), by_child = by_parent;
  };

  void Assemble(const Real* y) {
    bodies_.resize(J_.size());
    rows.clear();
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
    for (std::size_t k = 0; k < system_.joints.size(); ++k) AddRows(k);
  }

  const Motion& At(int body) const {
    return body == kGround ? ground_ : bodies_[static_cast<std::size_t>(body)];
  }

  // R s of a body, `sign` times: rate R (omega x s), and by omega' the columns -R s~.
  static void Add(const Motion& body, const Vector& s, int sign, bool fixed, Vectors& V,
                  Eigen::Matrix<Real, 3, 6>& columns) {
    const Vector turned = body.omega.cross(s);
    Matrix tilde;
    tilde << Real(0), -s[2], s[1], s[2], Real(0), -s[0], -s[1], s[0], Real(0);
    const Vector value = body.R * s, rate = body.R * turned,
                 bias = body.R * body.omega.cross(turned);
    const Matrix lever = body.R * tilde;
    if (sign > 0) {
      V.value += value, V.rate += rate, V.bias += bias;
      columns.template rightCols<3>() = -lever;
    } else {
      V.value -= value, V.rate -= rate, V.bias -= bias;
      columns.template rightCols<3>() = lever;
    }
    if (!fixed) columns.template leftCols<3>().diagonal().setConstant(Real(sign));
  }

  // The rows of blocked_rows.h of one joint.
  void AddRows(std::size_t k) {
    const Joint& joint = system_.joints[k];
    const Motion &p = At(joint.parent), &c = At(joint.child);
    const BlockedRows blocked = BlockedRowsOf(joint.type);
    if (blocked.size() == 0) return;
    const auto axis = [&](bool on_child, int i) {
      Vectors V{Vector::Zero(), Vector::Zero(), Vector::Zero()};
      Add(on_child ? c : p, axes_[2 * k + (on_child ? 1 : 0)].col(i), 1, true, V,
          on_child ? V.by_child : V.by_parent);
      return V;
    };
    Vectors d{c.r - p.r, c.v - p.v, Vector::Zero()};
    Add(c, ToEigen(joint.child_frame.position).cast<Real>(), 1, false, d, d.by_child);
    Add(p, ToEigen(joint.parent_frame.position).cast<Real>(), -1, false, d, d.by_parent);
    const auto add = [&](const OfBody& by_parent, const OfBody& by_child, const Real& gamma) {
      rows.push_back({joint.parent, joint.child, by_parent, by_child, gamma});
    };
    // A.B: A''.B + 2 A'.B' + A.B''
    const auto product = [&](const Vectors& a, const Vectors& b) {
      add(b.value.transpose() * a.by_parent + a.value.transpose() * b.by_parent,
          b.value.transpose() * a.by_child + a.value.transpose() * b.by_child,
          a.bias.dot(b.value) + Real(2) * a.rate.dot(b.rate) + a.value.dot(b.bias));
    };
    if (blocked.keeps_distance) {  // |d|
      const Real length = d.value.norm(), rate = d.value.dot(d.rate) / length;
      const Vector unit = d.value / length;
      add(unit.transpose() * d.by_parent, unit.transpose() * d.by_child,
          unit.dot(d.bias) + (d.rate.squaredNorm() - rate * rate) / length);
    }
    if (blocked.lengths == 3)
      for (int i = 0; i < 3; ++i) add(d.by_parent.row(i), d.by_child.row(i), d.bias[i]);
    if (blocked.lengths == 2)
      for (const int i : {0, 1}) product(axis(false, i), d);
    if (blocked.lengths == 1) product(axis(false, 2), d);
    for (const BlockedRows::Product& of : blocked.products())
      product(axis(false, of.on_parent), axis(true, of.on_child));
  }

  const System& system_;
  const Motion ground_;
  std::vector<Matrix> J_, axes_;  // per body; per joint of its frames on parent and child
  std::vector<Motion> bodies_;
};

}  // namespace mbsbench::cartesian
