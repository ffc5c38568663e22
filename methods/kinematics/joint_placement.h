// The pose of the child of a joint, and the motion of the child by the joint's rates.
#pragma once

#include "methods/kinematics/tree_joint.h"
#include "problems/model/state.h"

namespace mbsbench {

struct PlacedChild {
  Vector3 point;     // the joint's, on the child
  Vector3 position;  // of the mass centre
  Quaternion orientation;
};

// `q`: coordinates of the joint. Calls add(k, axis, turns, point) for each rate: the rate rotates the child about an axis of
// unit length through the point, or moves it along that axis.
template <class Add>
PlacedChild PlaceChild(JointType type, const Frame& parent_frame, const Frame& child_frame,
                       const Vector3& position, const Quaternion& orientation, const double* q,
                       Add add) {
  Quaternion axes = orientation * Normalised(parent_frame.orientation);
  Vector3 point = position + Rotate(orientation, parent_frame.position);
  const auto axis_of = [](const Matrix3& m, int i) { return Vector3{m(0, i), m(1, i), m(2, i)}; };
  ForJoint(type, [&](auto joint) {
    using Type = decltype(joint);
    constexpr int kSlides = Type::kSlides;
    if constexpr (kSlides > 0 || Type::kTurning == Turning::kAboutZ) {
      const Matrix3 on_parent = DirectionCosineMatrix(axes);
      for (int k = 0; k < kSlides; ++k) {
        const Vector3 axis = axis_of(on_parent, Type::kSlideAxes[static_cast<std::size_t>(k)]);
        add(k, axis, false, point);
        point = point + q[k] * axis;
      }
      if constexpr (Type::kTurning == Turning::kAboutZ) {
        add(kSlides, axis_of(on_parent, 2), true, point);
        axes = axes * AxisAngle({0, 0, 1}, q[kSlides]);
      }
    }
    if constexpr (Type::kTurnsFreely) {
      axes = axes * Quaternion{q[kSlides], q[kSlides + 1], q[kSlides + 2], q[kSlides + 3]};
      const Matrix3 on_child = DirectionCosineMatrix(axes);
      for (int k = 0; k < 3; ++k) add(kSlides + k, axis_of(on_child, k), true, point);
    }
  });
  const Quaternion turned = Normalised(axes * Conjugate(Normalised(child_frame.orientation)));
  return {point, point - Rotate(turned, child_frame.position), turned};
}

}  // namespace mbsbench
