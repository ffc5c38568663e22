// The rows of blocked_rows.h between two bodies in absolute coordinates, on any scalar.
// absolute_constraints.h is the fast version, also for loops and drivers.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "methods/kinematics/blocked_rows.h"
#include "problems/model/eigen.h"
#include "problems/model/system.h"

namespace mbsbench::absolute {

template <typename Real>
class ConstraintRows {
 public:
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Matrix = Eigen::Matrix<Real, 3, 3>;
  using OfBody = Eigen::Matrix<Real, 1, 6>;  // a row of G: columns v, omega

  // r of the mass centre and v in inertial axes, omega in body axes; the default is the ground.
  struct Motion {
    Vector r = Vector::Zero(), v = r, omega = r;
    Matrix R = Matrix::Identity();
  };
  enum class Rest { kPosition, kAcceleration };
  // A constraint g: its parts of G, and g itself, or gamma of g'' = G V' + gamma. The ground has no
  // part.
  struct Row {
    int parent, child;
    OfBody by_parent, by_child;
    Real rest;
  };

  explicit ConstraintRows(const System& system) : system_(system) {
    for (const Joint& joint : system.joints) {
      for (const Frame* frame : {&joint.parent_frame, &joint.child_frame})
        axes_.push_back(
            ToEigen(DirectionCosineMatrix(Normalised(frame->orientation))).cast<Real>());
    }
  }

  // The constraints of all tree joints; `motion_of(body)` must accept the ground.
  template <class MotionOf>
  void Calc(Rest rest, MotionOf motion_of, std::vector<Row>& rows) const {
    rows.clear();
    for (std::size_t k = 0; k < system_.joints.size(); ++k) {
      const Joint& joint = system_.joints[k];
      Add(k, rest, motion_of(joint.parent), motion_of(joint.child), rows);
    }
  }
  // The rows with g, of bodies at places { r, q }.
  template <class Place>
  std::vector<Row> At(const std::vector<Place>& places) const {
    std::vector<Motion> motions(places.size());
    for (std::size_t b = 0; b < places.size(); ++b) {
      const auto& q = places[b].q;
      motions[b].r = places[b].r;
      motions[b].R = Eigen::Quaternion<Real>(q[0], q[1], q[2], q[3]).toRotationMatrix();
    }
    const Motion ground;
    std::vector<Row> rows;
    Calc(
        Rest::kPosition,
        [&](int b) -> const Motion& {
          return b == kGround ? ground : motions[static_cast<std::size_t>(b)];
        },
        rows);
    return rows;
  }

 private:
  // A vector V between two bodies, or fixed in one: V'' = L_p V_p' + L_c V_c' + bias.
  struct Vectors {
    Vector value, rate, bias;
    Eigen::Matrix<Real, 3, 6> by_parent = Eigen::Matrix<Real, 3, 6>::Zero(), by_child = by_parent;
  };

  // R s of a body, `sign` times: rate R (omega x s), and by omega' the columns -R s~.
  static void Add(const Motion& body, const Vector& s, int sign, bool fixed, Rest rest, Vectors& V,
                  Eigen::Matrix<Real, 3, 6>& columns) {
    Matrix tilde;
    tilde << Real(0), -s[2], s[1], s[2], Real(0), -s[0], -s[1], s[0], Real(0);
    const Matrix lever = body.R * tilde;
    const auto add = [sign](Vector& to, const Vector& v) { sign > 0 ? to += v : to -= v; };
    add(V.value, body.R * s);
    if (rest == Rest::kAcceleration) {
      const Vector turned = body.omega.cross(s);
      add(V.rate, body.R * turned);
      add(V.bias, body.R * body.omega.cross(turned));
    }
    columns.template rightCols<3>() = sign > 0 ? Matrix(-lever) : lever;
    if (!fixed) columns.template leftCols<3>().diagonal().setConstant(Real(sign));
  }

  void Add(std::size_t k, Rest rest, const Motion& p, const Motion& c,
           std::vector<Row>& rows) const {
    const Joint& joint = system_.joints[k];
    const BlockedRows blocked = BlockedRowsOf(joint.type);
    if (blocked.size() == 0) return;
    const bool of_position = rest == Rest::kPosition;
    const auto axis = [&](bool on_child, int i) {
      Vectors V{Vector::Zero(), Vector::Zero(), Vector::Zero()};
      Add(on_child ? c : p, axes_[2 * k + (on_child ? 1 : 0)].col(i), 1, true, rest, V,
          on_child ? V.by_child : V.by_parent);
      return V;
    };
    Vectors d{c.r - p.r, Vector::Zero(), Vector::Zero()};
    if (!of_position) d.rate = c.v - p.v;
    Add(c, ToEigen(joint.child_frame.position).cast<Real>(), 1, false, rest, d, d.by_child);
    Add(p, ToEigen(joint.parent_frame.position).cast<Real>(), -1, false, rest, d, d.by_parent);
    const auto add = [&](const OfBody& by_parent, const OfBody& by_child, const Real& left) {
      rows.push_back({joint.parent, joint.child, by_parent, by_child, left});
    };
    // A.B: A''.B + 2 A'.B' + A.B''
    const auto product = [&](const Vectors& a, const Vectors& b) {
      add(b.value.transpose() * a.by_parent + a.value.transpose() * b.by_parent,
          b.value.transpose() * a.by_child + a.value.transpose() * b.by_child,
          of_position ? a.value.dot(b.value)
                      : a.bias.dot(b.value) + Real(2) * a.rate.dot(b.rate) + a.value.dot(b.bias));
    };
    if (blocked.keeps_distance) {  // |d| less the length
      const Real distance = d.value.norm(), rate = d.value.dot(d.rate) / distance;
      const Vector unit = d.value / distance;
      add(unit.transpose() * d.by_parent, unit.transpose() * d.by_child,
          of_position ? distance - Real(joint.length)
                      : unit.dot(d.bias) + (d.rate.squaredNorm() - rate * rate) / distance);
    }
    if (blocked.lengths == 3) {
      for (int i = 0; i < 3; ++i)
        add(d.by_parent.row(i), d.by_child.row(i), of_position ? d.value[i] : d.bias[i]);
    }
    if (blocked.lengths == 2)
      for (const int i : {0, 1}) product(axis(false, i), d);
    if (blocked.lengths == 1) product(axis(false, 2), d);
    for (const BlockedRows::Product& of : blocked.products())
      product(axis(false, of.on_parent), axis(true, of.on_child));
  }

  const System& system_;
  std::vector<Matrix> axes_;  // per joint of its frames on parent and child
};

}  // namespace mbsbench::absolute
