// Links of robots have their own frame at some point of the link, to which the mass centre, the inertia and
// the joints refer. The frame of a body is at its mass centre, with the axes of the link.
#pragma once

#include <cmath>
#include <cstddef>

#include "problems/model/system.h"

namespace mbsbench {

// A frame that is given relative to another one.
inline Frame Placed(const Frame& in, const Frame& frame) {
  return {in.position + Rotate(in.orientation, frame.position), in.orientation * frame.orientation};
}

// R I R^T.
inline SymmetricMatrix3 TurnedInertia(const Quaternion& q, const SymmetricMatrix3& inertia) {
  const Matrix3 r = DirectionCosineMatrix(q);
  SymmetricMatrix3 turned;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      double entry = 0;
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) entry += r(i, k) * inertia(k, l) * r(j, l);
      }
      turned(i, j) = entry;
    }
  }
  return turned;
}

// The vector divided by its length, whatever its size; a zero vector gives NaN.
inline Vector3 Direction(const Vector3& a) {
  const double size = std::fmax(std::fmax(std::abs(a.x), std::abs(a.y)), std::abs(a.z));
  const Vector3 scaled{a.x / size, a.y / size, a.z / size};
  return (1 / Norm(scaled)) * scaled;
}

// The shortest rotation that takes z to the unit vector a; for a = -z half a turn about x.
inline Quaternion TurnFromZ(const Vector3& a) {
  const double across = a.x * a.x + a.y * a.y;
  if (across == 0) return a.z > 0 ? Quaternion{} : Quaternion{0, 1, 0, 0};
  const double w =
      std::sqrt((a.z < 0 ? across / (1 - a.z) : 1 + a.z) / 2);  // cos of half the angle
  return Normalised({w, -a.y / (2 * w), a.x / (2 * w), 0});
}

}  // namespace mbsbench
