// Motions of drivers for tests: one of each kind, and one of any kind through a given state.
#pragma once

#include <string>
#include <vector>

#include "problems/model/driver_motion.h"
#include "problems/test_systems/random_trees.h"

namespace mbsbench {

inline DriverMotion Harmonic(double amplitude, double angular_frequency, double phase = 0,
                             double mean = 0) {
  DriverMotion m;
  m.kind = MotionKind::kHarmonic;
  m.amplitude = amplitude, m.angular_frequency = angular_frequency;
  m.phase = phase, m.mean = mean;
  return m;
}
inline DriverMotion Polynomial(std::vector<double> coefficients) {
  DriverMotion m;
  m.kind = MotionKind::kPolynomial;
  m.coefficients = std::move(coefficients);
  return m;
}
inline DriverMotion Ramp(double from, double to, double begin, double duration,
                         double smoothness = 2) {
  DriverMotion m;
  m.kind = MotionKind::kRamp;
  m.from = from, m.to = to, m.begin = begin, m.duration = duration, m.smoothness = smoothness;
  return m;
}
inline DriverMotion Arcsine(const DriverMotion& of) {
  DriverMotion m;
  m.kind = MotionKind::kArcsine;
  m.terms = {of};
  return m;
}
inline DriverMotion Sum(std::vector<DriverMotion> terms) {
  DriverMotion m;
  m.kind = MotionKind::kSum;
  m.terms = std::move(terms);
  return m;
}

struct NamedMotion {
  std::string name;
  DriverMotion motion;
};
inline std::vector<NamedMotion> OneOfEachMotion() {
  return {{"constant rate", {1.7}},
          {"harmonic", Harmonic(0.3, 7, 0.4, 0.2)},
          {"polynomial", Polynomial({0.1, -0.4, 0.7, 1.1, -0.6})},
          {"ramp of smoothness 2", Ramp(0.2, -0.5, 0.1, 0.8)},
          {"ramp of smoothness 3", Ramp(0.2, -0.5, 0.1, 0.8, 3)},
          {"arcsine", Arcsine(Harmonic(0.6, 5, 0.3, -0.1))},
          {"sum", Sum({{0.8}, Harmonic(0.2, 9), Polynomial({0, 0, 0.5})})}};
}

// One of all kinds, by `kind`, plus a + b t, so that at time t it has coordinate q and rate u.
inline DriverMotion MotionThrough(int kind, double t, double q, double u) {
  const std::vector<NamedMotion> each = OneOfEachMotion();
  const DriverMotion& motion = each[static_cast<std::size_t>(kind) % each.size()].motion;
  const MovedCoordinate<double> there = MotionAt(motion, t);
  const double rate = u - there.rate;
  return Sum({motion, Polynomial({q - there.position - rate * t, rate})});
}

}  // namespace mbsbench
