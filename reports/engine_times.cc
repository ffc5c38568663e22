#include "reports/engine_times.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "reports/document.h"
#include "reports/statistics.h"

namespace mbsbench::reports {

namespace {

// By the processor that the flags compile for, which the last -march decides; without one by the preset. Nothing for another
// build, such as a debug build.
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

}  // namespace

std::set<std::string> Engines(const Results& results) {
  std::set<std::string> engines;
  for (const MethodRow& method : results.methods) {
    std::string origin = method.record.origin;
    // Stores from before that field: only engines had an integrator of their own.
    if (origin.empty() && !method.record.own_integrator.empty()) origin = "engine";
    if (origin == "engine") engines.insert(method.spec);
  }
  return engines;
}

std::string GeneralMethod(const Results& results, const std::set<std::string>& engines) {
  std::map<std::string, std::map<std::string, double>> times;  // by method and problem
  for (const Trial& trial : results.trials) {
    const auto time = trial.record.NanosecondsPerBody();
    if (trial.kind == "evaluation" && trial.record.what == "accelerations" &&
        trial.outcome == "ok" && time && !engines.contains(trial.method))
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

std::vector<EngineRow> EngineRows(const Results& results, const std::set<std::string>& engines,
                                  std::set<std::string>& unlabelled) {
  const std::string general = GeneralMethod(results, engines);
  std::map<std::string, std::map<std::string, double>> ours;  // by run and problem
  std::vector<const Trial*> trials;
  for (const Run& run : results.runs) {  // oldest first
    for (const Trial& trial : results.trials) {
      if (trial.run_id == run.id && trial.kind == "evaluation" &&
          trial.record.what == "accelerations")
        trials.push_back(&trial);
    }
  }
  for (const Trial* trial : trials) {
    const auto time = trial->record.NanosecondsPerBody();
    if (trial->method == general && trial->outcome == "ok" && time)
      ours[trial->run_id][trial->problem] = *time;
  }
  std::map<std::string, const Run*> run_of;
  for (const Run& run : results.runs) run_of[run.id] = &run;
  std::map<std::string, double> bodies;
  for (const ProblemRow& problem : results.problems)
    bodies[problem.name] = problem.record.bodies.value_or(0);
  std::vector<EngineRow> rows;
  for (const Trial* trial : trials) {
    if (!engines.contains(trial->method)) continue;
    const auto build = BuildOf(*run_of.at(trial->run_id));
    if (!build) {
      const std::string preset = run_of.at(trial->run_id)->build.preset;
      unlabelled.insert(preset.empty() ? "without a preset" : "of preset " + Code(preset));
      continue;
    }
    auto row = std::find_if(rows.begin(), rows.end(), [&](const EngineRow& r) {
      return r.engine == trial->method && r.problem == trial->problem;
    });
    if (row == rows.end()) {
      row = rows.insert(rows.end(), {trial->method, trial->problem, bodies[trial->problem], {}});
    }
    EngineTime& time = row->times[*build];
    time = {trial->record.NanosecondsPerBody(), trial->outcome, {}};
    if (const auto own = ours[trial->run_id].find(trial->problem); own != ours[trial->run_id].end())
      time.ours = own->second;
    if (trial->outcome != "ok") time.nanoseconds.reset();
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const EngineRow& a, const EngineRow& b) {
    return std::tuple(a.engine, a.family(), a.bodies) < std::tuple(b.engine, b.family(), b.bodies);
  });
  return rows;
}

bool Holds(const std::vector<EngineRow>& rows, EngineBuild build) {
  return std::any_of(rows.begin(), rows.end(),
                     [build](const EngineRow& row) { return row.times.contains(build); });
}

}  // namespace mbsbench::reports
