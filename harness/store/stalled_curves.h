// Curves whose error stops falling while the tolerance, or the step, goes on to fall, at a level that round-off does not
// explain: the method solves another problem, an iteration of its own stops early, or the reference is wrong.
#pragma once

#include <string>
#include <vector>

#include "harness/records/number.h"

namespace mbsbench {

// A cell that finished and was judged.
struct CurvePoint {
  MaybeNumber tolerance = {}, step = {};  // one of them
  double error = 0;
  MaybeNumber digits_left = {};  // of the accelerations
};
std::string SettingOf(MaybeNumber tolerance, MaybeNumber step);  // "tol 1e-6", "h 0.001 s"

// By one method and integrator, to tolerances or with fixed steps.
struct ErrorCurve {
  std::string method, name;
  std::vector<std::string> shared_parts = {};  // of the method, with others
  std::vector<CurvePoint> points = {};         // coarse to fine
};

struct StalledCurve {
  std::string method, curve;
  std::string from, to;  // settings from which on it does not fall
  double error = 0, floor = 0;
  // Whether some cell of the problem is more accurate. If none is, whether other methods level off at the same error, and the parts
  // that all of these share.
  bool is_undercut = false, is_shared = false;
  std::vector<std::string> shared_parts = {};

  std::string Sentence(const std::string& problem) const;
};

// Of all curves of one problem. `known_error`: what round-off in the initial state and the data, and the reference, explain.
std::vector<StalledCurve> StalledCurves(const std::vector<ErrorCurve>& curves, double bodies,
                                        double known_error);

}  // namespace mbsbench
