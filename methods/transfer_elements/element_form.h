// From the tree's elements in space to what the transfer matrices of one form need: the 13 x 13
// form takes vectors in inertial axes as they are, the 7 x 7 form their parts in the plane and along
// its normal.
#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <vector>

#include "methods/transfer_elements/body_transfer.h"
#include "methods/transfer_elements/plane.h"
#include "methods/transfer_elements/tree_motion.h"

namespace mbsbench {

template <class T>
Eigen::Matrix<T, 3, 1> AsEigen(const Vec<T>& v) {
  return {v.x, v.y, v.z};
}
template <class T>
Vec<T> FromEigenVector(const Eigen::Matrix<T, 3, 1>& v) {
  return {v.x(), v.y(), v.z()};
}
template <class T>
Eigen::Matrix<T, 3, 3> AsEigen(const Mat<T>& m) {
  Eigen::Matrix<T, 3, 3> r;
  r << m.x.x, m.x.y, m.x.z, m.y.x, m.y.y, m.y.z, m.z.x, m.z.y, m.z.z;
  return r;
}
inline Eigen::Matrix3d AsEigen(const Sym<double>& m) {
  Eigen::Matrix3d r;
  r << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
  return r;
}

template <int Dimension, class T = double>
class ElementForm {
 public:
  using Types = TransferTypes<Dimension, T>;
  static constexpr int kT = StateLayout<Dimension>::kTranslations;
  static constexpr int kR = StateLayout<Dimension>::kRotations;

  // `plane` is read in the 7 x 7 form only.
  ElementForm(const JointTree& tree, const Plane& plane)
      : axes_(Eigen::Matrix<T, 3, 3>::Identity()), J_C_(tree.elements.size()) {
    if constexpr (Dimension == 2) {
      const Eigen::Vector3d normal = AsEigen(plane.normal), across = normal.unitOrthogonal();
      Eigen::Matrix3d axes;
      axes << across, normal.cross(across), normal;
      axes_ = axes.transpose().cast<T>();
    }
    for (std::size_t k = 0; k < tree.elements.size(); ++k) {
      const TreeElement& e = tree.elements[k];
      const Eigen::Vector3d r = AsEigen(e.r_OC);
      const Eigen::Matrix3d J_C =
          AsEigen(e.J_O) -
          e.mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
      if constexpr (Dimension == 3) {
        J_C_[k] = J_C.cast<T>();
      } else {
        const Eigen::Vector3d n = AsEigen(plane.body_normals[k]);
        J_C_[k](0, 0) = T(n.dot(J_C * n));
      }
    }
  }

  typename Types::Translation Translation(const Vec<T>& v) const {
    if constexpr (Dimension == 3)
      return AsEigen(v);
    else
      return axes_.template topRows<2>() * AsEigen(v);
  }
  typename Types::Rotation Rotation(const Vec<T>& v) const {
    if constexpr (Dimension == 3)
      return AsEigen(v);
    else
      return axes_.template bottomRows<1>() * AsEigen(v);
  }
  Vec<T> TranslationInSpace(const typename Types::Translation& v) const {
    return FromEigenVector<T>(axes_.template topRows<kT>().transpose() * v);
  }
  Vec<T> RotationInSpace(const typename Types::Rotation& v) const {
    return FromEigenVector<T>(axes_.template bottomRows<kR>().transpose() * v);
  }

  // Body of element k now, its input end at r_OI from its output end, with an external force at its
  // mass centre and a moment, without gravity.
  BodyInstant<Dimension, T> InstantOf(const JointTree& tree, std::size_t k,
                                      const ElementMotion<T>& m, const Vec<T>& r_OI,
                                      const Vec<T>& f_C, const Vec<T>& m_C) const {
    const TreeElement& e = tree.elements[k];
    BodyInstant<Dimension, T> body;
    body.mass = T(e.mass);
    body.r_IC = Translation(m.A * Raise<T>(e.r_OC) - r_OI);
    body.r_IO = Translation(-r_OI);
    if constexpr (Dimension == 3) {
      const Eigen::Matrix<T, 3, 3> A = AsEigen(m.A);
      body.J_I = A * J_C_[k] * A.transpose();
    } else {
      body.J_I = J_C_[k];
    }
    body.J_I -= body.mass * TildeBeforeForce(body.r_IC) * TildeBeforeRotation(body.r_IC);
    body.Omega = Rotation(m.omega);
    body.f_C = Translation(body.mass * Raise<T>(tree.gravity) + f_C);
    body.m_C = Rotation(m_C);
    return body;
  }

 private:
  Eigen::Matrix<T, 3, 3>
      axes_;  // rows: the plane's axes and its normal; in space the inertial axes
  std::vector<typename Types::RotationMatrix> J_C_;  // about the mass centre, body axes
};

}  // namespace mbsbench
