// Motions as functions of time, which drivers prescribe for joints: their definitions, and q, q', q''
// at a time. A new kind of motion is added here only; problems/io/vocabulary.h lists its fields in a
// model file.
#pragma once

#include <cmath>
#include <vector>

namespace mbsbench {

enum class MotionKind { kConstantRate, kHarmonic, kPolynomial, kRamp, kArcsine, kSum };

// Lengths in m for a prismatic joint, angles in rad for a revolute joint. Only the fields of `kind`
// are read. {rate} alone is a constant rate.
struct DriverMotion {
  // kConstantRate  q0 + rate t; q0 is the coordinate of the initial state
  double rate = 0;  // [rad/s] or [m/s]
  MotionKind kind = MotionKind::kConstantRate;
  // kHarmonic      mean + amplitude sin(angular_frequency t + phase)
  double amplitude = 0, mean = 0;           // [rad] or [m]
  double angular_frequency = 0, phase = 0;  // [rad/s], [rad]
  // kPolynomial    sum a_k t^k, at most 13 coefficients
  std::vector<double> coefficients = {};  // a_0, a_1, ... [rad/s^k] or [m/s^k]
  // kRamp          from + (to - from) p((t - begin) / duration), constant before and after
  //   smoothness 2: p = s^3 (10 - 15 s + 6 s^2); the third derivative jumps at both ends
  //   smoothness 3: p = s^4 (35 - 84 s + 70 s^2 - 20 s^3); the fourth derivative jumps
  double from = 0, to = 0;         // [rad] or [m]
  double begin = 0, duration = 1;  // [s]
  double smoothness = 2;
  // kArcsine asin of terms[0], which stays between -1 and 1
  // kSum           the sum of the terms; q0 of a constant rate among them makes the sum start at the
  //                coordinate of the initial state
  std::vector<DriverMotion> terms = {};
};

inline constexpr std::size_t kMostCoefficients = 13;
inline constexpr int kDeepestMotion = 6;  // motions within motions

// A coordinate and its two derivatives with respect to time.
template <class T>
struct MovedCoordinate {
  T position{}, rate{}, acceleration{};
};

// The motion at time t [s]; a constant rate starts at 0. T is the scalar, Functions its Sin, Cos, Asin
// and Sqrt. If an arcsine is undefined the result is NaN.
template <class T, class Functions>
MovedCoordinate<T> MotionAt(const DriverMotion& motion, T t) {
  switch (motion.kind) {
    case MotionKind::kConstantRate: return {T(motion.rate) * t, T(motion.rate), T(0)};
    case MotionKind::kHarmonic: {
      const T A(motion.amplitude), w(motion.angular_frequency);
      const T angle = w * t + T(motion.phase);
      const T sine = A * Functions::Sin(angle);
      return {T(motion.mean) + sine, w * A * Functions::Cos(angle), -w * w * sine};
    }
    case MotionKind::kPolynomial: {
      MovedCoordinate<T> q;
      for (std::size_t k = motion.coefficients.size(); k-- > 0;) {  // Horner, differentiated
        q.acceleration = t * q.acceleration + T(2) * q.rate;
        q.rate = t * q.rate + q.position;
        q.position = t * q.position + T(motion.coefficients[k]);
      }
      return q;
    }
    case MotionKind::kRamp: {
      const T D(motion.duration), from(motion.from), to(motion.to);
      const T s = (t - T(motion.begin)) / D;
      if (s <= T(0)) return {from, T(0), T(0)};
      if (s >= T(1)) return {to, T(0), T(0)};
      const T rise = to - from, left = T(1) - s;
      if (motion.smoothness == 2) {
        return {from + rise * (s * s * s * (T(10) + s * (T(6) * s - T(15)))),
                rise * (T(30) * s * s * left * left) / D,
                rise * (T(60) * s * left * (T(1) - T(2) * s)) / (D * D)};
      }
      return {from + rise * (s * s * s * s * (T(35) + s * (T(-84) + s * (T(70) - T(20) * s)))),
              rise * (T(140) * s * s * s * left * left * left) / D,
              rise * (T(420) * s * s * left * left * (T(1) - T(2) * s)) / (D * D)};
    }
    case MotionKind::kArcsine: {
      const MovedCoordinate<T> f = MotionAt<T, Functions>(motion.terms.front(), t);
      const T square = (T(1) - f.position) * (T(1) + f.position);
      const T root = Functions::Sqrt(square);
      return {Functions::Asin(f.position), f.rate / root,
              (f.acceleration + f.position * f.rate * f.rate / square) / root};
    }
    case MotionKind::kSum: {
      MovedCoordinate<T> sum;
      for (const DriverMotion& term : motion.terms) {
        const MovedCoordinate<T> q = MotionAt<T, Functions>(term, t);
        sum.position = sum.position + q.position;
        sum.rate = sum.rate + q.rate;
        sum.acceleration = sum.acceleration + q.acceleration;
      }
      return sum;
    }
  }
  return {};
}
MovedCoordinate<double> MotionAt(const DriverMotion& motion, double t);

// Whether it starts at the coordinate of the initial state: a constant rate, alone or in a sum.
bool StartsAnywhere(const DriverMotion& motion);

// The offset to add to q of MotionAt, for a motion with the coordinate q at time t. 0 if the motion
// itself defines its start.
double StartOffset(const DriverMotion& motion, double t, double q);

// Calls visit(motion) for the motion and for all its terms.
template <class Visit>
void ForEachMotion(const DriverMotion& motion, const Visit& visit) {
  visit(motion);
  for (const DriverMotion& term : motion.terms) ForEachMotion(term, visit);
}

// Times at which a derivative of the motion jumps: both ends of every ramp [s].
std::vector<double> BreakPoints(const DriverMotion& motion);

}  // namespace mbsbench
