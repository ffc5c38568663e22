// The benchmark of one case: its rounds alone, or in pairs with the rounds of another build or method.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/number.h"

namespace mbsbench {

// Seconds and instructions are per evaluation or per solve; those of the control kernel are per pass.
struct BenchTimesRecord {
  MaybeNumber cpu_minimum = {}, control_minimum = {};
  std::vector<double> cpu_seconds = {}, wall_seconds = {}, control_seconds = {};  // per round
  MaybeNumber instructions = {};
  std::string instructions_reason = {};  // why they are not counted

  MBSBENCH_FIELDS(cpu_minimum, control_minimum, cpu_seconds, wall_seconds, control_seconds,
                  instructions, instructions_reason)
};

inline constexpr char kInconclusive[] = "inconclusive";

// The verdict on a set of paired rounds ("alike", "worse", "better" or kInconclusive): the median of candidate / base, its 95 %
// interval, and the difference of the ratio from one that a verdict requires.
struct JudgedRounds {
  std::string verdict = {}, reason = {};
  double ratio = 0, low = 0, high = 0, wall_ratio = 0;
  double p_worse = 1, p_better = 1, threshold = 0;
  std::optional<std::int64_t> kept = {}, dropped = {};

  MBSBENCH_FIELDS(verdict, reason, ratio, low, high, wall_ratio, p_worse, p_better, threshold, kept,
                  dropped)
};

struct PairedRecord {
  std::string base_method = {};
  nlohmann::ordered_json truth = {}, work = {};  // Document of the changes
  std::optional<JudgedRounds> screened = {}, confirmed = {};
  // All rounds, also the dropped ones: base, candidate, control, wall time of base and of candidate.
  std::vector<std::vector<double>> screening = {}, confirming = {};

  MBSBENCH_FIELDS(base_method, truth, work, screened, confirmed, screening, confirming)
};

struct BenchRecord {
  std::string failure = {};  // why the case could not be timed
  std::optional<BenchTimesRecord> times = {};
  std::optional<PairedRecord> paired = {};

  MBSBENCH_FIELDS(failure, (Part, times), (Part, paired))
};

}  // namespace mbsbench
