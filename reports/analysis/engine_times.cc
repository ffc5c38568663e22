#include "reports/analysis/engine_times.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "harness/comparison/paired_rounds.h"
#include "reports/format/columns.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

namespace {

// By the processor for which the flags compile, which the last -march decides; without one by the preset. Empty for other
// builds, such as a debug build.
std::optional<EngineBuild> BuildOf(const Run& run) {
  constexpr std::string_view kOption = "-march=";
  const std::string preset = run.build.preset, flags = run.build.flags;
  const std::size_t at = flags.rfind(kOption);
  const std::size_t from = at == std::string::npos ? flags.size() : at + kOption.size();
  const std::string march = flags.substr(from, flags.find(' ', from) - from);
  for (const EngineBuildNames& names : kEngineBuilds) {
    if (march.empty() ? preset == names.preset : march == names.march) return names.build;
  }
  return std::nullopt;
}

bool IsOfAccelerations(const Trial& trial) {
  return trial.kind == "evaluation" && trial.record.what == "accelerations";
}

// The time of one evaluation of all accelerations that ended ok.
std::optional<double> TimeOf(const Trial& trial) {
  return IsOfAccelerations(trial) && trial.outcome == "ok" ? trial.record.NanosecondsPerBody()
                                                           : std::nullopt;
}

std::string GeneralMethod(const Results& results, const std::set<std::string>& engines) {
  std::map<std::string, std::map<std::string, double>> times;  // by method and problem
  for (const Trial& trial : results.trials) {
    if (const auto time = TimeOf(trial); time && !engines.contains(trial.method))
      times[trial.method][trial.problem] = *time;
  }
  std::string general;
  std::pair<std::size_t, double> best;  // problems, minus the median time
  for (const auto& [method, by_problem] : times) {
    std::vector<double> values;
    for (const auto& [problem, time] : by_problem) values.push_back(time);
    const std::pair own{values.size(), -Median(values)};
    if (general.empty() || own > best) general = method, best = own;
  }
  return general;
}

}  // namespace

std::set<std::string> Engines(const Results& results) {
  std::set<std::string> engines;
  for (const MethodRow& method : results.methods) {
    if (method.record.origin == "engine") engines.insert(method.spec);
  }
  return engines;
}

EngineComparison CompareEngines(const Results& results) {
  EngineComparison all;
  all.engines = Engines(results);
  all.ours = GeneralMethod(results, all.engines);
  std::map<std::string, double> bodies;
  for (const ProblemRow& problem : results.problems)
    bodies[problem.name] = problem.record.bodies.value_or(0);
  for (const Run& run : results.runs) {  // oldest first
    std::vector<const Trial*> of_engines;
    std::map<std::string, double> ours;  // by problem
    for (const Trial& trial : results.trials) {
      if (trial.run_id != run.id || !IsOfAccelerations(trial)) continue;
      if (all.engines.contains(trial.method)) of_engines.push_back(&trial);
      if (const auto time = TimeOf(trial); time && trial.method == all.ours)
        ours[trial.problem] = *time;
    }
    const auto build = BuildOf(run);
    if (!build && !of_engines.empty())
      all.other_builds.insert(run.build.preset.empty() ? "without a preset"
                                                       : "of preset " + Code(run.build.preset));
    if (!build) continue;
    for (const Trial* trial : of_engines) {
      EngineRow& row = FindOrAdd(
          all.rows,
          [trial](const EngineRow& one) {
            return one.engine == trial->method && one.problem == trial->problem;
          },
          EngineRow{trial->method, trial->problem, bodies[trial->problem], {}});
      const auto own = ours.find(trial->problem);
      row.times[*build] = {TimeOf(*trial), trial->outcome,
                           own == ours.end() ? std::nullopt : std::optional(own->second)};
    }
  }
  std::ranges::stable_sort(all.rows, {}, [](const EngineRow& row) {
    const auto time = row.times.begin()->second.nanoseconds;
    return std::tuple(row.engine, row.family(), row.bodies, time.value_or(INFINITY));
  });
  std::ranges::copy_if(kEngineBuilds, std::back_inserter(all.builds),
                       [&all](const EngineBuildNames& names) { return all.Has(names.build); });
  return all;
}

EngineTime EngineRow::In(EngineBuild build) const {
  const auto found = times.find(build);
  return found == times.end() ? EngineTime{} : found->second;
}

bool EngineComparison::Has(EngineBuild build) const {
  return std::ranges::any_of(rows,
                             [build](const EngineRow& row) { return row.times.contains(build); });
}

}  // namespace mbsbench::reports
