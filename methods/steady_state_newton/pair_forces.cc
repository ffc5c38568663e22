#include "methods/steady_state_newton/pair_forces.h"

#include "problems/model/eigen.h"

namespace mbsbench::steady {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

// d . a = 0: the child's point c stays in the plane through the parent's point p normal to a, which
// is fixed on the parent. The force a acts through c on both bodies.
UnitWrench InPlane(const Vector3d& p, const Vector3d& c, const Vector3d& a) {
  UnitWrench row;
  row.value = (c - p).dot(a);
  row.l = ForceAt(c, a);
  row.by_child.setZero();
  row.by_child.topRows<3>() = -Skew(a) * PointOf(c);  // dc x a
  row.by_parent.setZero();                            // da = phi_p x a
  row.by_parent.topLeftCorner<3, 3>() = -Skew(c) * Skew(a);
  row.by_parent.bottomLeftCorner<3, 3>() = -Skew(a);
  return row;
}

// u . w = 0, u fixed on the child, w on the parent.
UnitWrench Perpendicular(const Vector3d& u, const Vector3d& w) {
  UnitWrench row;
  row.value = u.dot(w);
  row.l = Stack(u.cross(w), Vector3d::Zero());
  row.by_child.setZero();
  row.by_child.topLeftCorner<3, 3>() = Skew(w) * Skew(u);  // (phi_c x u) x w
  row.by_parent.setZero();
  row.by_parent.topLeftCorner<3, 3>() = -Skew(u) * Skew(w);  // u x (phi_p x w)
  return row;
}

}  // namespace

UnitWrench LineBetween(const RelativeTree& tree, int body_a, const Vector3& point_a, int body_b,
                       const Vector3& point_b) {
  const Vector3d a = tree.PointOn(body_a, ToEigen(point_a));
  const Vector3d b = tree.PointOn(body_b, ToEigen(point_b));
  UnitWrench line;
  line.value = (b - a).norm();
  const Vector3d e = (b - a) / line.value;
  line.l = ForceAt(b, e);
  // de = (1 - e e')(db - da) / length; d(b x e) = db x e + b x de
  const Matrix3d turning = (Matrix3d::Identity() - e * e.transpose()) / line.value;
  const Matrix36 of_a = PointOf(a), of_b = PointOf(b);
  line.by_child.topRows<3>() = -Skew(e) * of_b + Skew(b) * turning * of_b;
  line.by_child.bottomRows<3>() = turning * of_b;
  line.by_parent.topRows<3>() = -Skew(b) * turning * of_a;
  line.by_parent.bottomRows<3>() = -turning * of_a;
  return line;
}

void CutJointRows(const RelativeTree& tree, const Joint& joint, std::vector<UnitWrench>& rows) {
  if (joint.type == JointType::kDistance) {
    rows.push_back(LineBetween(tree, joint.parent, joint.parent_frame.position, joint.child,
                               joint.child_frame.position));
    rows.back().value -= joint.length;
    return;
  }
  const Vector3d p = tree.PointOn(joint.parent, ToEigen(joint.parent_frame.position));
  const Vector3d c = tree.PointOn(joint.child, ToEigen(joint.child_frame.position));
  const Matrix3d on_parent =
      tree.AxesOf(joint.parent) *
      ToEigen(joint.parent_frame.orientation).normalized().toRotationMatrix();
  const Matrix3d on_child = tree.AxesOf(joint.child) *
                            ToEigen(joint.child_frame.orientation).normalized().toRotationMatrix();
  for (int k = 0; k < (joint.type == JointType::kPrismatic ? 2 : 3); ++k) {
    rows.push_back(InPlane(p, c, on_parent.col(k)));
  }
  if (joint.type == JointType::kBall) return;
  rows.push_back(Perpendicular(on_child.col(2), on_parent.col(0)));
  rows.push_back(Perpendicular(on_child.col(2), on_parent.col(1)));
  if (joint.type == JointType::kRevolute) return;
  rows.push_back(Perpendicular(on_child.col(0), on_parent.col(1)));
}

Pull PullOf(const RelativeTree& tree, const SpringDamper& element) {
  Pull pull;
  pull.line = LineBetween(tree, element.body_a, element.point_a, element.body_b, element.point_b);
  const Vector3d a = tree.PointOn(element.body_a, ToEigen(element.point_a));
  const Vector3d b = tree.PointOn(element.body_b, ToEigen(element.point_b));
  const Vector6 va = tree.velocity(element.body_a), vb = tree.velocity(element.body_b);
  const Vector3d e = pull.line.l.tail<3>();
  const Matrix36 of_a = PointOf(a), of_b = PointOf(b);
  const Vector3d rate = of_b * vb - of_a * va;  // of b - a
  const double c = element.damping;
  pull.force = element.stiffness * (pull.line.value - element.free_length) + c * e.dot(rate);
  // dT = k dlength + c (de . rate + e . d(rate)); a point's velocity changes by omega x dr besides.
  pull.by_velocity_a = -c * of_a.transpose() * e;
  pull.by_velocity_b = c * of_b.transpose() * e;
  const Vector3d omega_a = va.head<3>(), omega_b = vb.head<3>();
  pull.by_a = -element.stiffness * of_a.transpose() * e +
              c * (pull.line.by_parent.bottomRows<3>().transpose() * rate -
                   (Skew(omega_a) * of_a).transpose() * e);
  pull.by_b = element.stiffness * of_b.transpose() * e +
              c * (pull.line.by_child.bottomRows<3>().transpose() * rate +
                   (Skew(omega_b) * of_b).transpose() * e);
  return pull;
}

}  // namespace mbsbench::steady
