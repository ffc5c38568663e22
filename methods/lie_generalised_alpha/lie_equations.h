// One step of the generalised-alpha method as printed, on any scalar: (1) to (10) of lie_step.h and
// lie_generalised_alpha.cc in their order, on trees without drivers and force elements, whose only force is m g. These
// equations serve to count operations and to measure round-off.
#pragma once

#include <Eigen/Dense>
#include <tuple>
#include <utility>
#include <vector>

#include "methods/kinematics/blocked_rows.h"
#include "methods/kinematics/reach.h"
#include "methods/lie_generalised_alpha/lie_step.h"
#include "problems/model/eigen.h"
#include "problems/model/system.h"

namespace mbsbench::lie {

template <typename Real>
class LieEquations {
 public:
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Matrix = Eigen::Matrix<Real, 3, 3>;
  using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  LieEquations(const System& system, bool keeps_velocities, double rho)
      : system_(system), keeps_velocities_(keeps_velocities), averages_(Real(rho)) {
    for (const double reach : ReachOf(system)) inverse_square_.push_back(Real(1 / (reach * reach)));
    for (const Body& body : system.bodies) J_.push_back(ToEigen(body.inertia).cast<Real>());
    for (const Joint& joint : system.joints) {
      for (const Frame* frame : {&joint.parent_frame, &joint.child_frame})
        axes_.push_back(
            ToEigen(DirectionCosineMatrix(Normalised(frame->orientation))).cast<Real>());
    }
  }

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
      V_ = V_n_ + h * ((Real(1) - gamma) * a_n_ + gamma * a);  // (6)
      for (Eigen::Index b = 0; b < bodies; ++b) Move(b);       // (7)
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
        right.template segment<3>(12 * b) =
            mass * (ToEigen(system_.gravity).cast<Real>() - rates_.template segment<3>(6 * b));
        right.template segment<3>(12 * b + 3) =
            -(J * rates_.template segment<3>(6 * b + 3)) - omega.cross(spin);  // (8)
        K.diagonal().segment(12 * b, 3).setConstant(mass);
        K.template block<3, 3>(12 * b + 3, 12 * b + 3) =
            J + k * (CrossMatrix(omega) * J - CrossMatrix(spin));
        K.diagonal().segment(12 * b + 6, 6).setOnes();
        K.diagonal(-6).segment(12 * b, 3).setConstant(Real(-1));
        turns_[At(b)] = Increment(b).Tangent();
        K.template block<3, 3>(12 * b + 9, 12 * b + 3) = -turns_[At(b)];
      }
      Eigen::Index row_at = 0;
      for (std::size_t joint = 0; joint < system_.joints.size(); ++joint)
        AddStiffness(joint, s, row_at, K);
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
  using OfBody = Eigen::Matrix<Real, 1, 6>;
  using OfPair = Eigen::Matrix<Real, 1, 12>;
  using PairColumns = Eigen::Matrix<Real, 3, 12>;
  using Quaternion = Eigen::Matrix<Real, 4, 1>;
  // A vector between two bodies or fixed in one, chi (r_c - r_p) + R_c s_c - R_p s_p, its rate, and their derivatives by the
  // poses, L and that of the rate.
  struct Between {
    Vector value, rate;
    PairColumns L, rate_by;
    Vector on_parent, on_child;  // s
  };
  // g, G V, and their derivatives G and N by the poses.
  struct Row {
    int parent, child;
    Real g, velocity;
    OfPair G, N;
  };
  struct Pose {
    Vector r = Vector::Zero();
    Quaternion q = Quaternion::Unit(0);
    Matrix R = Matrix::Identity();
  };
  static std::size_t At(Eigen::Index i) { return static_cast<std::size_t>(i); }
  template <class Visit>
  static void ForBodies(const Row& row, Visit visit) {
    if (row.parent != kGround)
      visit(row.parent, row.G.template head<6>(), row.N.template head<6>());
    visit(row.child, row.G.template tail<6>(), row.N.template tail<6>());
  }
  static Quaternion Product(const Quaternion& a, const Quaternion& b) {
    const Vector u = a.template tail<3>(), w = b.template tail<3>();
    Quaternion product;
    product << a[0] * b[0] - u.dot(w), Vector(a[0] * w + b[0] * u + u.cross(w));
    return product;
  }
  RotationIncrement<Real> Increment(Eigen::Index b) const {
    return RotationIncrement<Real>(D_.template segment<3>(6 * b + 3));
  }
  static Pose PoseOf(const Vector& r, const Quaternion& q) {
    return {r, q, Eigen::Quaternion<Real>(q[0], q[1], q[2], q[3]).toRotationMatrix()};
  }
  void Move(Eigen::Index b) {
    const Pose& from = begin_[At(b)];
    now_[At(b)] =
        PoseOf(from.r + D_.template segment<3>(6 * b), Product(from.q, Increment(b).Exp()));
  }

  Between BetweenOf(const Joint& joint, bool joins, const Vector& on_parent,
                    const Vector& on_child) const {
    Between v{Vector::Zero(),      Vector::Zero(), PairColumns::Zero(),
              PairColumns::Zero(), on_parent,      on_child};
    for (const auto& [body, s, sign, at] :
         {std::tuple{joint.parent, &on_parent, -1, 0}, std::tuple{joint.child, &on_child, 1, 6}}) {
      const Pose pose = body == kGround ? Pose() : now_[At(body)];
      const Matrix R = Real(sign) * pose.R;
      v.value += R * *s;
      if (joins) v.value += Real(sign) * pose.r;
      if (body == kGround) continue;
      const Vector turned = V_.template segment<3>(6 * body + 3).cross(*s);
      v.rate += R * turned;
      v.L.template middleCols<3>(at + 3) = -R * CrossMatrix(*s);
      v.rate_by.template middleCols<3>(at + 3) = -R * CrossMatrix(turned);
      if (!joins) continue;
      v.rate += Real(sign) * V_.template segment<3>(6 * body);
      v.L.template middleCols<3>(at).diagonal().setConstant(Real(sign));
    }
    return v;
  }
  // component(d, i) for every row d_i of a joint, product(A, B) for every row A.B.
  template <class Component, class ProductOf>
  void ForRows(std::size_t k, Component component, ProductOf product) const {
    const Joint& joint = system_.joints[k];
    const BlockedRows blocked = BlockedRowsOf(joint.type);
    if (blocked.size() == 0) return;
    const Vector none = Vector::Zero();
    const auto on_parent = [&](int axis) {
      return BetweenOf(joint, false, -axes_[2 * k].col(axis), none);
    };
    const Between d =
        BetweenOf(joint, true, ToEigen(joint.parent_frame.position).cast<Real>().eval(),
                  ToEigen(joint.child_frame.position).cast<Real>().eval());
    for (const int i : {0, 1, 2}) {
      if (blocked.lengths == 3)
        component(d, i);
      else if (i == 2 ? blocked.lengths == 1 : blocked.lengths == 2)
        product(on_parent(i), d);
    }
    for (const BlockedRows::Product& of : blocked.products())
      product(on_parent(of.on_parent),
              BetweenOf(joint, false, none, axes_[2 * k + 1].col(of.on_child)));
  }
  std::vector<Row> RowsNow() const {
    std::vector<Row> rows;
    for (std::size_t k = 0; k < system_.joints.size(); ++k) {
      const int parent = system_.joints[k].parent, child = system_.joints[k].child;
      ForRows(
          k,
          [&](const Between& d, int i) {
            rows.push_back({parent, child, d.value[i], d.rate[i], d.L.row(i), d.rate_by.row(i)});
          },
          [&](const Between& A, const Between& B) {
            rows.push_back({parent, child, A.value.dot(B.value),
                            A.rate.dot(B.value) + A.value.dot(B.rate),
                            B.value.transpose() * A.L + A.value.transpose() * B.L,
                            B.value.transpose() * A.rate_by + A.value.transpose() * B.rate_by +
                                B.rate.transpose() * A.L + A.rate.transpose() * B.L});
          });
    }
    return rows;
  }
  // s K_t = -s d(G' lambda) by the poses; `row` is the joint's first one.
  void AddStiffness(std::size_t k, const Real& s, Eigen::Index& row, Dense& K) const {
    const Joint& joint = system_.joints[k];
    Eigen::Matrix<Real, 12, 12> by = Eigen::Matrix<Real, 12, 12>::Zero();
    // Of L' f at a fixed f.
    const auto pull = [&](const Between& v, const Vector& f) {
      for (const auto& [body, sign, arm, at] : {std::tuple{joint.parent, -1, &v.on_parent, 3},
                                                std::tuple{joint.child, 1, &v.on_child, 9}}) {
        if (body == kGround) continue;
        const Vector force = now_[At(body)].R.transpose() * f;
        by.template block<3, 3>(at, at) += Real(sign) * (CrossMatrix(*arm) * CrossMatrix(force));
      }
    };
    ForRows(
        k, [&](const Between& d, int i) { pull(d, lambda_[row++] * Vector::Unit(i)); },
        [&](const Between& A, const Between& B) {
          const Real lambda = lambda_[row++];
          const PairColumns by_other = lambda * B.L;
          by += A.L.transpose() * by_other + by_other.transpose() * A.L;
          pull(A, lambda * B.value);
          pull(B, lambda * A.value);
        });
    for (const auto& [one, at] : {std::pair{joint.parent, 0}, std::pair{joint.child, 6}}) {
      for (const auto& [other, beside] : {std::pair{joint.parent, 0}, std::pair{joint.child, 6}}) {
        if (one != kGround && other != kGround)
          K.template block<6, 6>(12 * one, 12 * other + 6) -=
              s * by.template block<6, 6>(at, beside);
      }
    }
  }

  void Read(const Real* y, const Real& h) {
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    begin_.clear();
    V_n_.resize(6 * bodies);
    for (Eigen::Index b = 0; b < bodies; ++b) {
      const Real* const at = y + 13 * b;
      begin_.push_back(PoseOf(Eigen::Map<const Vector>(at), Eigen::Map<const Quaternion>(at + 3)));
      V_n_.template segment<6>(6 * b) = Eigen::Map<const Eigen::Matrix<Real, 6, 1>>(at + 7);
    }
    now_ = begin_;
    V_ = V_n_;
    rates_ = Eigen::Map<const Column>(y + 13 * bodies, 6 * bodies);
    a_n_ = rates_ + h * Eigen::Map<const Column>(y + 19 * bodies, 6 * bodies);
    turns_.assign(At(bodies), Matrix::Identity());
  }
  void Write(Real* y, const Column& a, const Real& h) const {
    const auto bodies = static_cast<Eigen::Index>(J_.size());
    for (Eigen::Index b = 0; b < bodies; ++b) {
      Real* const at = y + 13 * b;
      Eigen::Map<Vector>(at, 3) = now_[At(b)].r;
      Eigen::Map<Quaternion>(at + 3) = now_[At(b)].q;
      Eigen::Map<Eigen::Matrix<Real, 6, 1>>(at + 7) = V_.template segment<6>(6 * b);
    }
    Eigen::Map<Column>(y + 13 * bodies, 6 * bodies) = rates_;
    Eigen::Map<Column>(y + 19 * bodies, 6 * bodies) = (a - rates_) / h;
    Eigen::Map<Column>(y + 25 * bodies, lambda_.size()) = lambda_;
  }

  const System& system_;
  const bool keeps_velocities_;
  const Averages<Real> averages_;
  std::vector<Real> inverse_square_;  // of the reach, per body
  std::vector<Matrix> J_, axes_;      // per body; per joint of its frames on parent and child
  std::vector<Pose> begin_, now_;     // per body
  Column V_n_, V_, a_n_, rates_, D_;  // (v, Omega) and so on of all bodies
  Column lambda_;                     // of all rows
  std::vector<Matrix> turns_;         // T, per body
};

}  // namespace mbsbench::lie
