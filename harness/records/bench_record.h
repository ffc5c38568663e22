// What a benchmark of one case leaves behind: its rounds by themselves, or in pairs with those of another build or method.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/number.h"

namespace mbsbench {

// Seconds and instructions are per evaluation or per solve; those of the control kernel are per pass.
struct BenchTimesRecord {
  MaybeNumber cpu_minimum = {}, control_minimum = {};
  std::vector<double> cpu_seconds = {}, wall_seconds = {}, control_seconds = {};  // per round
  MaybeNumber instructions = {};
  std::string instructions_reason = {};  // why there are none

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("cpu_minimum", r.cpu_minimum);
    field("control_minimum", r.control_minimum);
    field("cpu_seconds", r.cpu_seconds);
    field("wall_seconds", r.wall_seconds);
    field("control_seconds", r.control_seconds);
    field("instructions", r.instructions);
    field("instructions_reason", r.instructions_reason);
  }
};

// What a set of paired rounds says: the median of candidate / base, its 95 % bootstrap interval, and the difference of the
// ratio from one that a verdict requires.
struct JudgedRounds {
  std::string verdict = {}, reason = {};
  double ratio = 0, low = 0, high = 0, wall_ratio = 0;
  double p_worse = 1, p_better = 1, threshold = 0;
  std::optional<std::int64_t> kept = {}, dropped = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("verdict", r.verdict);
    field("reason", r.reason);
    field("ratio", r.ratio);
    field("low", r.low);
    field("high", r.high);
    field("wall_ratio", r.wall_ratio);
    field("p_worse", r.p_worse);
    field("p_better", r.p_better);
    field("threshold", r.threshold);
    field("kept", r.kept);
    field("dropped", r.dropped);
  }
};

struct PairedRecord {
  std::string base_method = {};
  nlohmann::ordered_json truth = {}, work = {};  // Document of the changes
  std::optional<JudgedRounds> screened = {}, confirmed = {};
  // All rounds, dropped ones too: base, candidate, control, wall time of base and of candidate.
  std::vector<std::vector<double>> screening = {}, confirming = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("base_method", r.base_method);
    field("truth", r.truth);
    field("work", r.work);
    field("screened", r.screened);
    field("confirmed", r.confirmed);
    field("screening", r.screening);
    field("confirming", r.confirming);
  }
};

struct BenchRecord {
  std::string failure = {};  // why the case could not be timed
  std::optional<BenchTimesRecord> times = {};
  std::optional<PairedRecord> paired = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("failure", r.failure);
    field.Part(r.times);
    field.Part(r.paired);
  }
};

}  // namespace mbsbench
