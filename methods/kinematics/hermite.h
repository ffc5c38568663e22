// The motion of a body between two states at a time difference h, for samples between fixed steps: cubic
// Hermite interpolation of the position from r, v at both ends, and of the rotation vector phi of
// conj(q_0) q(t) from phi' = T(phi)^-1 Omega at both ends (Omega: angular velocity in body axes). The
// error is O(h^4).
//   exp(phi):  turn by |phi| about phi
//   T(phi)   = I - (1 - cos t)/t^2 [phi]x + (t - sin t)/t^3 [phi]x^2,       t = |phi|,  Omega = T phi'
//   T(phi)^-1 = I + 1/2 [phi]x + (1/t^2 - (1 + cos t)/(2 t sin t)) [phi]x^2
#pragma once

#include <cmath>

#include "problems/model/state.h"

namespace mbsbench {

inline constexpr double kSmallTurn = 1e-3;  // [rad] below which series replace the quotients

inline Quaternion TurnBy(const Vector3& phi) {
  const double t = Norm(phi);
  const double s = t < kSmallTurn ? 0.5 - t * t / 48 : std::sin(t / 2) / t;
  return {std::cos(t / 2), s * phi.x, s * phi.y, s * phi.z};
}

// Valid up to half a turn.
inline Vector3 RotationVectorOf(const Quaternion& q) {
  const Vector3 v{q.w < 0 ? -q.x : q.x, q.w < 0 ? -q.y : q.y, q.w < 0 ? -q.z : q.z};
  const double sine = Norm(v), w = std::abs(q.w);
  const double scale =
      sine < kSmallTurn ? (2 - 2 * sine * sine / (3 * w * w)) / w : 2 * std::atan2(sine, w) / sine;
  return scale * v;
}

// T(phi) v and T(phi)^-1 v.
inline Vector3 Tangent(const Vector3& phi, const Vector3& v) {
  const double t = Norm(phi);
  const double a = t < kSmallTurn ? 0.5 - t * t / 24 : (1 - std::cos(t)) / (t * t);
  const double b = t < kSmallTurn ? 1. / 6 - t * t / 120 : (t - std::sin(t)) / (t * t * t);
  return v - a * Cross(phi, v) + b * Cross(phi, Cross(phi, v));
}
inline Vector3 InverseTangent(const Vector3& phi, const Vector3& v) {
  const double t = Norm(phi);
  const double b = t < kSmallTurn ? 1. / 12 + t * t / 720
                                  : 1 / (t * t) - (1 + std::cos(t)) / (2 * t * std::sin(t));
  return v + 0.5 * Cross(phi, v) + b * Cross(phi, Cross(phi, v));
}

// At the fraction s in [0, 1] of the time h [s] from `begin` to `end`. The body must turn by less than
// half a turn in between.
inline BodyState Between(const BodyState& begin, const BodyState& end, double h, double s) {
  const auto cubic = [h, s](const Vector3& x0, const Vector3& v0, const Vector3& x1,
                            const Vector3& v1) {
    return (1 - s) * (1 - s) * ((1 + 2 * s) * x0 + (h * s) * v0) +
           s * s * ((3 - 2 * s) * x1 - (h * (1 - s)) * v1);
  };
  const auto rate = [h, s](const Vector3& x0, const Vector3& v0, const Vector3& x1,
                           const Vector3& v1) {
    return (6 * s * (1 - s) / h) * (x1 - x0) + ((1 - s) * (1 - 3 * s)) * v0 +
           (s * (3 * s - 2)) * v1;
  };
  const Vector3 none, phi1 = RotationVectorOf(Conjugate(begin.orientation) * end.orientation);
  const Vector3 phi_rate0 = Rotate(Conjugate(begin.orientation), begin.angular_velocity);
  const Vector3 phi_rate1 =
      InverseTangent(phi1, Rotate(Conjugate(end.orientation), end.angular_velocity));
  const Vector3 phi = cubic(none, phi_rate0, phi1, phi_rate1);
  BodyState state;
  state.position = cubic(begin.position, begin.velocity, end.position, end.velocity);
  state.velocity = rate(begin.position, begin.velocity, end.position, end.velocity);
  state.orientation = Normalised(begin.orientation * TurnBy(phi));
  state.angular_velocity =
      Rotate(state.orientation, Tangent(phi, rate(none, phi_rate0, phi1, phi_rate1)));
  return state;
}

}  // namespace mbsbench
