#include "problems/model/driver_motion.h"

#include <algorithm>

namespace mbsbench {

namespace {

struct StandardFunctions {
  static double Sin(double x) { return std::sin(x); }
  static double Cos(double x) { return std::cos(x); }
  static double Asin(double x) { return std::asin(x); }
  static double Sqrt(double x) { return std::sqrt(x); }
};

}  // namespace

MovedCoordinate<double> MotionAt(const DriverMotion& motion, double t) {
  return MotionAt<double, StandardFunctions>(motion, t);
}

bool StartsAnywhere(const DriverMotion& motion) {
  if (motion.kind == MotionKind::kConstantRate) return true;
  return motion.kind == MotionKind::kSum &&
         std::any_of(motion.terms.begin(), motion.terms.end(), StartsAnywhere);
}

double StartOffset(const DriverMotion& motion, double t, double q) {
  return StartsAnywhere(motion) ? q - MotionAt(motion, t).position : 0;
}

std::vector<double> BreakPoints(const DriverMotion& motion) {
  std::vector<double> times;
  ForEachMotion(motion, [&times](const DriverMotion& m) {
    if (m.kind != MotionKind::kRamp) return;
    times.push_back(m.begin);
    times.push_back(m.begin + m.duration);
  });
  return times;
}

}  // namespace mbsbench
