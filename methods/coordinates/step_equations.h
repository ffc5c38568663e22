// The bodies and constraints of an implicit step as printed, on any scalar: what the readable equations of schemes with the matrix
// of step_matrix.h share, on trees without drivers and force elements.
#pragma once

#include <Eigen/Dense>
#include <tuple>
#include <utility>
#include <vector>

#include "methods/coordinates/rotation_increment.h"
#include "methods/kinematics/blocked_rows.h"
#include "methods/kinematics/reach.h"
#include "problems/model/eigen.h"
#include "problems/model/system.h"

namespace mbsbench::absolute {

template <typename Real>
class StepEquations {
 public:
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Matrix = Eigen::Matrix<Real, 3, 3>;
  using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  explicit StepEquations(const System& system) : system_(system) {
    for (const double reach : ReachOf(system)) inverse_square_.push_back(Real(1 / (reach * reach)));
    for (const Body& body : system.bodies) J_.push_back(ToEigen(body.inertia).cast<Real>());
    for (const Joint& joint : system.joints) {
      for (const Frame* frame : {&joint.parent_frame, &joint.child_frame})
        axes_.push_back(
            ToEigen(DirectionCosineMatrix(Normalised(frame->orientation))).cast<Real>());
    }
  }

 protected:
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
    // Adds the derivative of L' f at a fixed f.
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

  // (r, q, v, Omega) of all bodies.
  void ReadMotion(const Real* y) {
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
    turns_.assign(At(bodies), Matrix::Identity());
  }
  void WriteMotion(Real* y) const {
    for (Eigen::Index b = 0; 6 * b < V_.size(); ++b) {
      Real* const at = y + 13 * b;
      Eigen::Map<Vector>(at, 3) = now_[At(b)].r;
      Eigen::Map<Quaternion>(at + 3) = now_[At(b)].q;
      Eigen::Map<Eigen::Matrix<Real, 6, 1>>(at + 7) = V_.template segment<6>(6 * b);
    }
  }

  const System& system_;
  std::vector<Real> inverse_square_;  // of the reach, per body
  std::vector<Matrix> J_, axes_;      // per body; per joint of its frames on parent and child
  std::vector<Pose> begin_, now_;     // per body
  Column V_n_, V_, rates_, D_;        // (v, Omega) and so on of all bodies
  Column lambda_;                     // of all rows
  std::vector<Matrix> turns_;         // T, per body

 private:
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
};

}  // namespace mbsbench::absolute
