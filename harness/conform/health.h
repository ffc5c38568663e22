// The health card: random models of many kinds by many methods, each held against 113 bits. It counts refusals, crashes and hangs,
// measures the digits that are right, and makes a small model of each error that round-off does not explain.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/conform/tried_system.h"
#include "harness/records/health_record.h"

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
// or where a model takes too long or crashes it: at once, or again in a new process. progress(n): all methods have judged n models.
// Throws ModelError where the folder is in use or holds other lines.
void JudgeRandomModels(const HealthPlan& plan,
                       const std::function<void(std::uint64_t)>& progress = {});

// The lines of a method, of at most `models` models.
std::vector<HealthLine> HealthLinesOf(const HealthPlan& plan, const MethodChoice& method);

// The row, without names.
HealthRow RowOf(const std::vector<HealthLine>& lines);

// The first unexplained error of each method on each kind of models. Models that the folder lacks are made and reduced.
std::vector<HealthCase> ReducedCases(const HealthPlan& plan);

// The card of what the folder holds.
HealthCard CardOf(const HealthPlan& plan);

}  // namespace mbsbench
