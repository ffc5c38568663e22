// Curves whose error stops falling while the tolerance or the step still falls, at a level that neither round-off nor the
// tolerance explains. The method solves another problem, one of its iterations stops too early, or the reference is wrong.
#pragma once

#include <string>
#include <vector>

#include "harness/records/number.h"

namespace mbsbench {

// A cell that finished and was judged.
struct CurvePoint {
  MaybeNumber tolerance = {}, step = {};  // one of the two
  double error = 0;
  MaybeNumber digits_left = {};  // of the accelerations
};
std::string SettingOf(MaybeNumber tolerance, MaybeNumber step);  // "tol 1e-6", "h 0.001 s"

// The cells of one method and integrator, either with tolerances or with fixed steps.
struct ErrorCurve {
  std::string method, name;
  std::vector<CurvePoint> points = {};  // coarse to fine
};

struct StalledCurve {
  std::string method, curve;
  std::string from, to;  // the range of settings over which the error does not fall
  double error = 0, floor = 0;
  bool is_undercut = false;  // another cell of the problem is more accurate

  std::string Sentence(const std::string& problem) const;
};

// The stalled ones of all curves of one problem. `known_error`: the error explained by round-off in the initial state and the
// data, or by the reference.
std::vector<StalledCurve> StalledCurves(const std::vector<ErrorCurve>& curves, double bodies,
                                        double known_error);

}  // namespace mbsbench
