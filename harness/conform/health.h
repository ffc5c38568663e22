// The health card: random models of many kinds by many methods, each held against 113 bits. It counts refusals, crashes and hangs,
// measures the digits that are right, and makes a small model of each error that round-off does not explain.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/conform/tried_system.h"
#include "harness/records/fields.h"
#include "harness/records/number.h"

namespace mbsbench {

// One model by one method: a line of the method's file.
struct HealthLine {
  std::uint64_t model = 0;  // its number
  std::string kind = {};    // as in random_models.h
  // "right" to 1e-6; "explained" or "unexplained" where the error is larger and round-off explains it or not; "refused",
  // "crashed", "hung"
  std::string ending = {};
  MaybeNumber error = {};   // AccelerationError against 113 bits; at most 1e99
  std::string reason = {};  // sentence; empty if right

  MBSBENCH_FIELDS(model, kind, ending, error, (TextOrNull, reason))
};

// The line, without number and kind, of a system whose truth is known or can be computed. Crashes or hangs where the method does.
HealthLine JudgedBy(const MethodChoice& method, const TriedSystem& tried);

struct HealthPlan {
  std::vector<MethodChoice> methods;
  std::uint64_t models = 200, seed = 1;
  std::filesystem::path folder;  // of the lines of this seed, which a later call continues
  double seconds = 30;           // CPU time of a method on one model
};

// Judges what the folder lacks. The models of a method are judged in one process after another, each of which ends after a while,
// or where a model crashes it or takes too long. progress(n): all methods have judged n models.
void JudgeRandomModels(const HealthPlan& plan,
                       const std::function<void(std::uint64_t)>& progress = {});

// The lines of a method, of at most `models` models.
std::vector<HealthLine> HealthLinesOf(const HealthPlan& plan, const MethodChoice& method);

// The first unexplained error of a method on a kind of models, with the file of the smallest model that shows it.
struct HealthCase {
  std::string method = {};
  HealthLine line = {};
  std::filesystem::path model = {};
};
// All of them; models that the folder lacks are made and reduced.
std::vector<HealthCase> ReducedCases(const HealthPlan& plan);

// A row of the card.
struct HealthRow {
  std::int64_t models = 0, refused = 0, crashed = 0, hung = 0;
  std::int64_t explained = 0, unexplained = 0;  // errors above 1e-6
  // Right digits that half and 99 % of the answers have, and of the worst one, 0 to 16.
  MaybeNumber digits_p50 = {}, digits_p99 = {}, digits_worst = {};

  MBSBENCH_FIELDS(models, refused, crashed, hung, explained, unexplained, digits_p50, digits_p99,
                  digits_worst)
};
HealthRow RowOf(const std::vector<HealthLine>& lines);

}  // namespace mbsbench
