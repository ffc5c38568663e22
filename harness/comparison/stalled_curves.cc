#include "harness/comparison/stalled_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "harness/comparison/comparison.h"
#include "harness/records/short_number.h"

namespace mbsbench {

namespace {

// A curve has stalled if its errors are at the level of the finest cell over this range of tolerances or steps. A converging
// error would fall by a factor of 10 over these tolerances, and by 4 or more over these steps.
constexpr double kTolerancesAlike = 99, kStepsAlike = 3.9;
// An error above this multiple of the floor is neither round-off nor what the tolerance allows.
constexpr double kAboveFloor = 10;
constexpr double kSaturated = 0.1;  // an error of the size of the mechanism is not judged
// Errors of a curve that differ by less than this factor are at one level: it allows for the scatter of round-off.
constexpr double kAlikeErrors = 1.3;

bool AreAlike(double a, double b) { return a < kAlikeErrors * b && b < kAlikeErrors * a; }

std::optional<StalledCurve> StalledTail(const ErrorCurve& curve, double floor) {
  if (curve.points.size() < 2) return std::nullopt;
  const CurvePoint& finest = curve.points.back();
  if (finest.digits_left) floor = std::max(floor, std::pow(10, -*finest.digits_left));
  floor = std::max(floor, finest.tolerance.value_or(0));
  if (!(finest.error > kAboveFloor * floor) || finest.error > kSaturated) return std::nullopt;
  auto first = curve.points.end() - 1;
  while (first != curve.points.begin() && AreAlike((first - 1)->error, finest.error)) --first;
  const double span = finest.step ? first->step.value_or(0) / *finest.step
                                  : first->tolerance.value_or(0) / finest.tolerance.value_or(1);
  if (!(span >= (finest.step ? kStepsAlike : kTolerancesAlike))) return std::nullopt;
  return StalledCurve{.method = curve.method,
                      .curve = curve.name,
                      .from = SettingOf(first->tolerance, first->step),
                      .to = SettingOf(finest.tolerance, finest.step),
                      .error = finest.error,
                      .floor = floor};
}

}  // namespace

std::string SettingOf(MaybeNumber tolerance, MaybeNumber step) {
  if (tolerance) return "tol " + FormatError(tolerance);
  if (step) return "h " + FormatDigits(*step, 4) + " s";
  return "any setting";
}

std::string StalledCurve::Sentence(const std::string& problem) const {
  const char* const why =
      is_undercut ? "The method solves another problem, or one of its iterations stops too early."
                  : "No cell here is more accurate: the method solves another problem, one of its "
                    "iterations stops too early, or the reference is wrong.";
  return fmt::format(
      "{}: the error of {} no longer falls from {} to {}. It stays at {}, where round-off, the "
      "reference and the tolerance explain {}. {}",
      problem, curve, from, to, FormatError(error), FormatError(floor), why);
}

std::vector<StalledCurve> StalledCurves(const std::vector<ErrorCurve>& curves, double bodies,
                                        double known_error) {
  const double floor = std::max({kErrorFloor, kErrorFloorPerBody * bodies, known_error});
  std::vector<StalledCurve> stalled;
  double least = std::numeric_limits<double>::infinity();
  for (const ErrorCurve& curve : curves) {
    for (const CurvePoint& point : curve.points) least = std::min(least, point.error);
    if (auto one = StalledTail(curve, floor)) stalled.push_back(std::move(*one));
  }
  for (StalledCurve& one : stalled)
    one.is_undercut = least < one.error && !AreAlike(least, one.error);
  return stalled;
}

}  // namespace mbsbench
