// The search for the coarsest setting of an integrator with which a method holds an error. It is a pure function of what is known
// about the settings of one curve; the caller carries out the trials and counts them.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "harness/records/number.h"
#include "harness/records/search_limits.h"

namespace mbsbench {

// The targets of a run unless others are asked for.
inline constexpr double kDefaultTargets[] = {1e-3, 1e-6, 1e-9};
// The target with which a run begins, or the nearest one that it has.
inline constexpr double kFirstTarget = 1e-6;
inline constexpr double kFinestTarget = 1e-12, kCoarsestTarget = 0.1;

// Four tolerances a decade from 0.1 to 1e-13, coarse to fine.
const std::vector<double>& ToleranceGrid();
// Steps that divide the interval of the samples, about four per factor of two, down to the first that is not longer than `finest`.
std::vector<double> StepGrid(double interval, double finest);
// Index of the setting nearest to `wanted` in its logarithm.
std::size_t NearestSetting(const std::vector<double>& settings, double wanted);

// The settings that a search may try.
struct SettingGrid {
  std::vector<double> settings = {};  // tolerances or steps, coarse to fine
  std::size_t start = 0;              // the first trial
  double order = 1;  // the error is expected to grow with this power of the setting
};

// The result of a trial.
struct TriedSetting {
  enum class Ending { kFinished, kFailed, kTooLong };
  Ending ending = Ending::kFailed;
  double error = 0;  // of a finished trial
};
using TriedSettings = std::map<std::size_t, TriedSetting>;  // by index in the grid

struct SearchStep {
  enum class Kind {
    kTry,    // `setting` is the next trial
    kFound,  // `setting` and the next finer one hold the target, and the next coarser one misses it
    kOutOfReach,  // the finest two settings miss the target
    kTooLong,     // `setting` would be next, and takes too long
  };
  Kind kind = Kind::kTry;
  std::size_t setting = 0;
  // Try, where all trials miss the target: no coarser setting than this one will hold it if the error goes on to fall with the
  // expected order. It may be finer than the grid. Empty where the trials do not tell.
  MaybeNumber not_before = {};
  bool at_coarse_end = false;  // found: there is no coarser setting, or the next one failed
};

SearchStep NextStep(const SettingGrid& grid, double target, const TriedSettings& tried);

}  // namespace mbsbench
