// Converts the groups of a tree to the data of the transfer matrices in one form: the 13 x 13 form
// uses vectors in inertial axes, the 7 x 7 form their components in the plane and along its normal.
#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <vector>

#include "methods/transfer_elements/body_constants.h"
#include "methods/transfer_elements/body_transfer.h"
#include "methods/transfer_elements/plane.h"
#include "methods/tree_motion/load.h"
#include "methods/tree_motion/tree_motion.h"

namespace mbsbench {

template <int Dimension, class T = double>
class ElementForm {
 public:
  using Types = TransferTypes<Dimension, T>;
  static constexpr int kT = StateLayout<Dimension>::kTranslations;
  static constexpr int kR = StateLayout<Dimension>::kRotations;

  // `plane` is read in the 7 x 7 form only.
  ElementForm(const GroupTree<T>& tree, const Vector3& gravity, const Plane& plane)
      : axes_(Eigen::Matrix<T, 3, 3>::Identity()), gravity_(Lift<T>(gravity)) {
    if constexpr (Dimension == 2) {
      const Eigen::Vector3d normal = AsEigen(plane.normal), across = normal.unitOrthogonal();
      Eigen::Matrix3d axes;
      axes << across, normal.cross(across), normal;
      axes_ = axes.transpose().cast<T>();
    }
    for (std::size_t k = 0; k < tree.groups.size(); ++k) {
      const BodyConstants<T> body(tree.groups[k]);
      typename Types::RotationMatrix J_C;
      if constexpr (Dimension == 3) {
        J_C = body.J_C;
      } else {
        const Eigen::Matrix<T, 3, 1> n = AsEigen(Raise<T>(plane.group_normals[k]));
        J_C(0, 0) = n.dot(body.J_C * n);
      }
      elements_.push_back({body.mass, FromEigenVector<T>(body.centre), J_C});
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

  // The current state of group k, with its input end at r_OI from its output end, under a load about
  // the output end, without gravity.
  BodyInstant<Dimension, T> InstantOf(std::size_t k, const GroupMotion<T>& m, const Vec<T>& r_OI,
                                      const Load<T>& load) const {
    const Element& element = elements_[k];
    const Vec<T> r_OC = m.R * element.r_OC;
    BodyInstant<Dimension, T> body;
    body.mass = element.mass;
    body.r_IC = Translation(r_OC - r_OI);
    body.r_IO = Translation(-r_OI);
    if constexpr (Dimension == 3) {
      const Eigen::Matrix<T, 3, 3> A = AsEigen(m.R);
      body.J_I = A * element.J_C * A.transpose();
    } else {
      body.J_I = element.J_C;
    }
    body.J_I -= body.mass * TildeBeforeForce(body.r_IC) * TildeBeforeRotation(body.r_IC);
    body.Omega = Rotation(m.omega);
    body.f_C = Translation(body.mass * gravity_ + load.force);
    body.m_C = Rotation(load.moment - Cross(r_OC, load.force));
    return body;
  }

 private:
  struct Element {
    T mass;
    Vec<T> r_OC;                         // output end -> mass centre
    typename Types::RotationMatrix J_C;  // about the mass centre; own axes
  };

  Eigen::Matrix<T, 3, 3>
      axes_;  // rows: the plane's axes and its normal; in space the inertial axes
  Vec<T> gravity_;
  std::vector<Element> elements_;
};

}  // namespace mbsbench
