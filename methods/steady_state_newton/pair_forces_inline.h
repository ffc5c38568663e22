// The functions of pair_forces.h, for the sources that instantiate them.
#pragma once

#include "methods/kinematics/blocked_rows.h"
#include "methods/kinematics/spring_law.h"
#include "methods/steady_state_newton/pair_forces.h"
#include "problems/model/eigen.h"

namespace mbsbench::steady {

// In place of a length 0 [m]; its reciprocal is finite.
inline constexpr double kVanishing = 1e-150;

// d . a = 0: the child's point c stays in the plane through the parent's point p normal to a, which
// is fixed on the parent. The force a acts through c on both bodies.
template <typename Real, typename S = Spatial<Real>>
UnitWrench<Real> InPlane(const typename S::Vector3& p, const typename S::Vector3& c,
                         const typename S::Vector3& a) {
  UnitWrench<Real> row;
  row.value = (c - p).dot(a);
  row.l = S::ForceAt(c, a);
  row.by_child.setZero();
  row.by_child.template topRows<3>() = -S::Skew(a) * S::PointOf(c);  // dc x a
  row.by_parent.setZero();                                           // da = phi_p x a
  row.by_parent.template topLeftCorner<3, 3>() = -S::Skew(c) * S::Skew(a);
  row.by_parent.template bottomLeftCorner<3, 3>() = -S::Skew(a);
  return row;
}

// u . w = 0, u fixed on the child, w on the parent.
template <typename Real, typename S = Spatial<Real>>
UnitWrench<Real> Perpendicular(const typename S::Vector3& u, const typename S::Vector3& w) {
  UnitWrench<Real> row;
  row.value = u.dot(w);
  row.l = S::Stack(u.cross(w), S::Vector3::Zero());
  row.by_child.setZero();
  row.by_child.template topLeftCorner<3, 3>() = S::Skew(w) * S::Skew(u);  // (phi_c x u) x w
  row.by_parent.setZero();
  row.by_parent.template topLeftCorner<3, 3>() = -S::Skew(u) * S::Skew(w);  // u x (phi_p x w)
  return row;
}

template <typename Real>
UnitWrench<Real> LineBetween(const RelativeTree<Real>& tree, int body_a,
                             const mbsbench::Vector3& point_a, int body_b,
                             const mbsbench::Vector3& point_b) {
  using S = Spatial<Real>;
  using Vector3 = typename S::Vector3;
  using Matrix3 = typename S::Matrix3;
  using Matrix36 = typename S::Matrix36;
  const Vector3 a = tree.PointOn(body_a, S::Vector(point_a));
  const Vector3 b = tree.PointOn(body_b, S::Vector(point_b));
  UnitWrench<Real> line;
  line.value = (b - a).norm();
  Vector3 e = (b - a) / line.value;
  if (line.value == Real(0)) {
    // Any direction: the force of a spring without free length is smooth.
    line.value = Real(kVanishing);
    e = Vector3::UnitX();
  }
  line.l = S::ForceAt(b, e);
  // de = (1 - e e')(db - da) / length; d(b x e) = db x e + b x de
  const Matrix3 turning = (Matrix3::Identity() - e * e.transpose()) / line.value;
  const Matrix36 of_a = S::PointOf(a), of_b = S::PointOf(b);
  line.by_child.template topRows<3>() = -S::Skew(e) * of_b + S::Skew(b) * turning * of_b;
  line.by_child.template bottomRows<3>() = turning * of_b;
  line.by_parent.template topRows<3>() = -S::Skew(b) * turning * of_a;
  line.by_parent.template bottomRows<3>() = -turning * of_a;
  return line;
}

template <typename Real>
void CutJointRows(const RelativeTree<Real>& tree, const Joint& joint,
                  std::vector<UnitWrench<Real>>& rows) {
  using S = Spatial<Real>;
  using Vector3 = typename S::Vector3;
  using Matrix3 = typename S::Matrix3;
  const BlockedRows blocked = BlockedRowsOf(joint.type);
  if (blocked.keeps_distance) {
    rows.push_back(LineBetween(tree, joint.parent, joint.parent_frame.position, joint.child,
                               joint.child_frame.position));
    rows.back().value -= Real(joint.length);
    return;
  }
  const Vector3 p = tree.PointOn(joint.parent, S::Vector(joint.parent_frame.position));
  const Vector3 c = tree.PointOn(joint.child, S::Vector(joint.child_frame.position));
  const Matrix3 on_parent =
      tree.AxesOf(joint.parent) *
      ToEigen(joint.parent_frame.orientation).normalized().toRotationMatrix().template cast<Real>();
  const Matrix3 on_child =
      tree.AxesOf(joint.child) *
      ToEigen(joint.child_frame.orientation).normalized().toRotationMatrix().template cast<Real>();
  for (int k = 0; k < blocked.lengths; ++k)
    rows.push_back(InPlane<Real>(p, c, on_parent.col(blocked.lengths == 1 ? 2 : k)));
  for (const BlockedRows::Product& product : blocked.products())
    rows.push_back(
        Perpendicular<Real>(on_child.col(product.on_child), on_parent.col(product.on_parent)));
}

template <typename Real>
Pull<Real> PullOf(const RelativeTree<Real>& tree, const SpringDamper& element) {
  using S = Spatial<Real>;
  using Vector3 = typename S::Vector3;
  using Vector6 = typename S::Vector6;
  using Matrix36 = typename S::Matrix36;
  Pull<Real> pull;
  pull.line = LineBetween(tree, element.body_a, element.point_a, element.body_b, element.point_b);
  const Vector3 a = tree.PointOn(element.body_a, S::Vector(element.point_a));
  const Vector3 b = tree.PointOn(element.body_b, S::Vector(element.point_b));
  const Vector6 va = tree.velocity(element.body_a), vb = tree.velocity(element.body_b);
  const Vector3 e = S::Linear(pull.line.l);
  const Matrix36 of_a = S::PointOf(a), of_b = S::PointOf(b);
  const Vector3 rate = of_b * vb - of_a * va;  // of b - a
  const Real c(element.damping), k(element.stiffness);
  pull.force = -SpringForce(element, pull.line.value, Real(e.dot(rate)));
  // dT = k dlength + c (de . rate + e . d(rate)); a point's velocity also changes by omega x dr.
  pull.by_velocity_a = -c * of_a.transpose() * e;
  pull.by_velocity_b = c * of_b.transpose() * e;
  const Vector3 omega_a = S::Angular(va), omega_b = S::Angular(vb);
  pull.by_a = -k * of_a.transpose() * e +
              c * (pull.line.by_parent.template bottomRows<3>().transpose() * rate -
                   (S::Skew(omega_a) * of_a).transpose() * e);
  pull.by_b = k * of_b.transpose() * e +
              c * (pull.line.by_child.template bottomRows<3>().transpose() * rate +
                   (S::Skew(omega_b) * of_b).transpose() * e);
  return pull;
}

}  // namespace mbsbench::steady
