// Plain vectors, quaternions and 3 x 3 matrices, used to define a system and to report a motion.
// They have no special alignment, so their layout is the same in every binary, whatever vector
// flags it was built with. Kernels convert to Eigen internally.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace mbsbench {

struct Vector3 {
  double x = 0, y = 0, z = 0;
  bool operator==(const Vector3&) const = default;
};

// Unit quaternion, scalar first. `q` of a body rotates body axes into inertial axes.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

// Row-major 3 x 3 matrix: element (i, j) is m[3 i + j].
struct Matrix3 {
  std::array<double, 9> m{1, 0, 0, 0, 1, 0, 0, 0, 1};
  double operator()(int i, int j) const { return m[static_cast<std::size_t>(3 * i + j)]; }
};

// Symmetric 3 x 3 matrix. The elements (i, j) and (j, i) are one number.
struct SymmetricMatrix3 {
  std::array<double, 6> entries{};  // xx, xy, xz, yy, yz, zz
  double operator()(int i, int j) const { return entries[PlaceOf(i, j)]; }
  double& operator()(int i, int j) { return entries[PlaceOf(i, j)]; }
  operator Matrix3() const {
    const auto& [xx, xy, xz, yy, yz, zz] = entries;
    return {{xx, xy, xz, xy, yy, yz, xz, yz, zz}};
  }

 private:
  static std::size_t PlaceOf(int i, int j) {
    const int row = i < j ? i : j, column = i < j ? j : i;
    return static_cast<std::size_t>(row == 0 ? column : row + column + 1);
  }
};

inline SymmetricMatrix3 Diagonal(double xx, double yy, double zz) {
  return {{xx, 0, 0, yy, 0, zz}};
}

inline Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
inline Vector3 operator*(double s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double Dot(const Vector3& a, const Vector3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector3 Cross(const Vector3& a, const Vector3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double Norm(const Vector3& a) { return std::sqrt(Dot(a, a)); }

inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quaternion Conjugate(const Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }

// A frame relative to its body: origin from the mass centre in body axes [m] (ground: inertial axes from the
// inertial origin), and the quaternion that rotates its axes into body axes.
struct Frame {
  Vector3 position;
  Quaternion orientation;
};

inline double Norm(const Quaternion& q) {
  return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}
inline Quaternion Normalised(const Quaternion& q) {
  const double s = 1 / Norm(q);
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

// Direction cosine matrix of a unit quaternion: v_inertial = R v_body.
inline Matrix3 DirectionCosineMatrix(const Quaternion& q) {
  return {
      {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y),
       2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x),
       2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}};
}
inline Vector3 operator*(const Matrix3& a, const Vector3& v) {
  return {a(0, 0) * v.x + a(0, 1) * v.y + a(0, 2) * v.z,
          a(1, 0) * v.x + a(1, 1) * v.y + a(1, 2) * v.z,
          a(2, 0) * v.x + a(2, 1) * v.y + a(2, 2) * v.z};
}
inline Vector3 Rotate(const Quaternion& q, const Vector3& v) {
  return DirectionCosineMatrix(q) * v;
}

// Rotation by `angle` [rad] about the unit vector `axis`.
inline Quaternion AxisAngle(const Vector3& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

// Angle [rad] of the rotation that takes `a` to `b`; computed by atan2, because acos cannot resolve
// less than 1.5e-8.
inline double AngleBetween(const Quaternion& a, const Quaternion& b) {
  const Quaternion d = a * Conjugate(b);
  return 2 * std::atan2(Norm(Vector3{d.x, d.y, d.z}), std::abs(d.w));
}

}  // namespace mbsbench
