#include "reports/analysis/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "harness/comparison/comparison.h"
#include "harness/comparison/paired_rounds.h"
#include "harness/comparison/stalled_curves.h"
#include "reports/analysis/outcomes.h"
#include "reports/format/columns.h"

namespace mbsbench::reports {

namespace {

constexpr double kLeastTimeChange = 0.02, kLeastCountChange = 0.01, kNoiseFactor = 3;
const double kLeastErrorChange = std::log(2.);

double ThresholdOf(const std::vector<double>& logs, Tracked quantity) {
  if (quantity == Tracked::kInstructions) return kLeastCountChange;
  if (quantity == Tracked::kError) return kLeastErrorChange;
  std::vector<double> steps;
  for (std::size_t i = 1; i < logs.size(); ++i) steps.push_back(std::abs(logs[i] - logs[i - 1]));
  constexpr double kDeviation = 1.4826 / 1.4142;  // deviation of one value over the median step
  return std::max(kLeastTimeChange, kNoiseFactor * kDeviation * Median(steps));
}

std::vector<std::size_t> LevelsLeft(const std::vector<double>& logs, double threshold) {
  std::vector<std::size_t> changes;
  std::vector<double> level{logs[0]};
  for (std::size_t i = 1; i < logs.size(); ++i) {
    const double usual = Median(level);
    const auto left = [&](std::size_t k) {
      return k >= logs.size() ||
             (std::abs(logs[k] - usual) > threshold && (logs[k] > usual) == (logs[i] > usual));
    };
    if (left(i) && left(i + 1)) {
      changes.push_back(i);
      level.clear();
    }
    level.push_back(logs[i]);
  }
  return changes;
}

// Removes the change between the two nearest levels until all levels are further apart than the threshold.
void DropNearLevels(const std::vector<double>& logs, double threshold,
                    std::vector<std::size_t>& changes) {
  while (!changes.empty()) {
    std::vector<double> medians;
    for (std::size_t k = 0; k <= changes.size(); ++k) {
      const auto at = [&](std::size_t i) { return logs.begin() + static_cast<std::ptrdiff_t>(i); };
      medians.push_back(Median(
          {at(k == 0 ? 0 : changes[k - 1]), k == changes.size() ? logs.end() : at(changes[k])}));
    }
    std::size_t nearest = 0;
    const auto step = [&medians](std::size_t k) { return std::abs(medians[k + 1] - medians[k]); };
    for (std::size_t k = 1; k < changes.size(); ++k) {
      if (step(k) < step(nearest)) nearest = k;
    }
    if (step(nearest) > threshold) return;
    changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(nearest));
  }
}

// The values of a case in one run.
struct Measured {
  std::string run_id;
  std::string name, method, kind;  // as in CaseHistory
  std::string motion_hash = {};
  std::array<std::optional<double>, 3> value = {};
  std::string outcome = {}, reason = {};
  std::optional<double> control = {};  // seconds of the control kernel measured with the time
  double error_floor = 0;              // smaller errors are round-off
};

std::optional<double>& Of(Tracked quantity, Measured& measured) {
  return measured.value[Index(quantity)];
}

// Cells (the error of the accuracy trial, the least time of the rounds) and evaluations.
std::vector<Measured> MeasuredTrials(const Results& store) {
  std::map<std::pair<std::string, std::string>, const ProblemRecord*> problems;  // run, name
  for (const ProblemRow& problem : store.problems)
    problems[{problem.run_id, problem.name}] = &problem.record;
  std::map<std::pair<std::string, std::string>, Measured> cells;  // run, name
  for (const Trial& trial : store.trials) {
    if (trial.kind != "accuracy" && trial.kind != "time" && trial.kind != "evaluation") continue;
    const bool is_judged = trial.kind == "accuracy", has_ended = IsFinished(trial.outcome);
    if (!is_judged && !has_ended) continue;
    const auto found = problems.find({trial.run_id, trial.problem});
    if (found == problems.end()) continue;
    const ProblemRecord& problem = *found->second;
    if (IsOfAnotherProblem(trial.record.problem_hash, problem)) continue;
    std::string what =
        trial.kind == "evaluation" ? "one evaluation: " + trial.record.what : trial.integrator;
    if (trial.tolerance || trial.step) what += " " + SettingOf(trial.tolerance, trial.step);
    if (trial.end_time) what += fmt::format(" to {:g} s", *trial.end_time);
    const std::string name = fmt::format("{} {}, {}", trial.problem, trial.method, what);
    Measured& cell = cells[{trial.run_id, name}];
    cell.run_id = trial.run_id;
    cell.name = name;
    cell.method = trial.method;
    cell.kind = trial.problem + " " + what;
    cell.motion_hash = HashOfMotion(trial.record.problem_hash);
    cell.error_floor = ErrorFloor(problem);
    if (is_judged) {
      cell.outcome = trial.outcome;
      cell.reason = trial.reason;
      if (has_ended) Of(Tracked::kError, cell) = trial.record.LargestError();
    } else {
      Lower(Of(Tracked::kTime, cell), trial.cpu_seconds);
      Lower(cell.control, trial.record.control_seconds);
    }
  }
  std::vector<Measured> all;
  for (auto& [key, cell] : cells) all.push_back(std::move(cell));
  return all;
}

std::vector<Measured> MeasuredBenchmarks(const Results& store) {
  std::vector<Measured> all;
  for (const BenchRow& row : store.benches) {
    if (row.kind != "time") continue;
    const BenchTimesRecord& times = OrNone(row.record.times);
    all.push_back({.run_id = row.run_id,
                   .name = row.name,
                   .method = row.method,
                   .kind = row.problem + " " + row.what,
                   .value = {row.cpu_seconds, times.instructions, {}},
                   .control = times.control_minimum});
  }
  return all;
}

// The ratios of the point are not yet divided by the first ones. The time is relative to the control kernel; the error is raised to its floor.
HistoryPoint PointOf(std::size_t run, const Measured& measured) {
  HistoryPoint point{run, measured.value, measured.value, measured.outcome, measured.reason};
  std::optional<double>& time = point.ratio[Index(Tracked::kTime)];
  if (!measured.control || *measured.control <= 0) time.reset();
  if (time) *time /= *measured.control;
  if (std::optional<double>& error = point.ratio[Index(Tracked::kError)])
    error = std::max(*error, measured.error_floor);
  return point;
}

std::size_t PlaceOfGroup(const RunRow& run, std::vector<HistoryGroup>& groups) {
  const HistoryGroup own{run.machine.cpu, run.build.compiler, run.build.flags, {}};
  const auto is_own = [&own](const HistoryGroup& one) {
    return one.cpu == own.cpu && one.compiler == own.compiler && one.flags == own.flags;
  };
  return static_cast<std::size_t>(&FindOrAdd(groups, is_own, own) - groups.data());
}

// Divides each quantity by its first value and finds its changes. Points without the quantity are skipped.
void Relate(CaseHistory& history) {
  std::ranges::sort(history.points, {}, &HistoryPoint::run);
  for (const Tracked quantity : kTracked) {
    std::vector<double> ratios;
    std::vector<std::size_t> at;  // points
    double first = 0;
    for (std::size_t i = 0; i < history.points.size(); ++i) {
      std::optional<double>& ratio = history.points[i].ratio[Index(quantity)];
      if (ratio && *ratio <= 0) ratio.reset();
      if (!ratio) continue;
      if (ratios.empty()) first = *ratio;
      *ratio /= first;
      ratios.push_back(*ratio);
      at.push_back(i);
    }
    for (const std::size_t change : ChangePoints(ratios, quantity))
      history.changes[Index(quantity)].push_back(at[change]);
  }
}

}  // namespace

bool CaseHistory::Has(Tracked quantity) const {
  return std::any_of(points.begin(), points.end(), [quantity](const HistoryPoint& point) {
    return point.ratio[Index(quantity)].has_value();
  });
}

std::vector<WrongCell> BecameWrong(const RunHistory& history) {
  const auto build_of = [&history](const HistoryPoint& point) -> const std::string& {
    return history.runs[point.run].build.binary_hash;
  };
  std::vector<WrongCell> wrong;
  for (const HistoryGroup& group : history.groups) {
    for (const CaseHistory& one : group.cases) {
      const HistoryPoint *before = nullptr, *after = nullptr;  // of the last two builds
      for (const HistoryPoint& point : one.points) {
        if (point.outcome.empty() || point.outcome == "skipped") continue;  // not tried
        if (after != nullptr && build_of(*after) != build_of(point)) before = after;
        after = &point;
      }
      if (before == nullptr || before->outcome != "ok") continue;
      if (after->outcome != "ok" && after->outcome != "no_reference")
        wrong.push_back({&one, before, after});
    }
  }
  return wrong;
}

std::string WrongText(const WrongCell& wrong) {
  return fmt::format("ok in run {}, {} in run {}{}{}", wrong.before->run + 1, wrong.after->outcome,
                     wrong.after->run + 1, wrong.after->reason.empty() ? "" : ": ",
                     wrong.after->reason);
}

std::vector<std::size_t> ChangePoints(const std::vector<double>& ratios, Tracked quantity) {
  if (ratios.size() < 2) return {};
  std::vector<double> logs;
  for (double ratio : ratios) logs.push_back(std::log(ratio));
  const double threshold = ThresholdOf(logs, quantity);
  std::vector<std::size_t> changes = LevelsLeft(logs, threshold);
  DropNearLevels(logs, threshold, changes);
  return changes;
}

RunHistory HistoryOf(const std::vector<const Results*>& stores, Content content) {
  RunHistory history;
  std::map<std::string, std::size_t> place;  // of runs by id; a run in several stores is added once
  const auto add_run = [&](const Results& store, const RunRow& run) {
    if (place.emplace(run.id, 0).second) history.runs.push_back({run, store.path.string()});
  };
  for (const Results* store : stores) {
    history.warnings.insert(history.warnings.end(), store->warnings.begin(), store->warnings.end());
    for (const BenchRunRow& run : store->bench_runs) add_run(*store, run);
    if (content == Content::kBenchmarks) continue;
    for (const Run& run : store->runs) add_run(*store, run);
  }
  std::ranges::stable_sort(history.runs, {}, &HistoryRun::started);
  for (std::size_t i = 0; i < history.runs.size(); ++i) place[history.runs[i].id] = i;

  // Place of a case in its group, by group, name and hash of the problem's motion.
  std::map<std::tuple<std::size_t, std::string, std::string>, std::size_t> cases;
  const auto add = [&](const std::vector<Measured>& all) {
    for (const Measured& measured : all) {
      const auto run = place.find(measured.run_id);
      if (run == place.end()) continue;
      const std::size_t number = PlaceOfGroup(history.runs[run->second], history.groups);
      HistoryGroup& group = history.groups[number];
      const auto [known, is_new] =
          cases.try_emplace({number, measured.name, measured.motion_hash}, group.cases.size());
      if (is_new)
        group.cases.push_back(
            {measured.name, measured.method, measured.kind, measured.motion_hash});
      std::vector<HistoryPoint>& points = group.cases[known->second].points;
      if (std::ranges::find(points, run->second, &HistoryPoint::run) == points.end())
        points.push_back(PointOf(run->second, measured));
    }
  };
  for (const Results* store : stores) {
    add(MeasuredBenchmarks(*store));
    if (content == Content::kEverything) add(MeasuredTrials(*store));
  }
  for (HistoryGroup& group : history.groups) {
    for (CaseHistory& one : group.cases) Relate(one);
  }
  return history;
}

void AddArchivedCounts(const std::string& archive, const Results& results, RunHistory& history) {
  // Compiler, flags, case, hash of the problem's motion.
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, double> counts;
  const RunHistory theirs = HistoryOf({&results}, Content::kBenchmarks);
  for (const HistoryGroup& group : theirs.groups) {
    for (const CaseHistory& one : group.cases) {
      for (const HistoryPoint& point : one.points) {
        if (const auto count = point.value[Index(Tracked::kInstructions)])
          counts[{group.compiler, group.flags, one.name, one.motion_hash}] = *count;
      }
    }
  }
  for (HistoryGroup& group : history.groups) {
    for (CaseHistory& one : group.cases) {
      const auto count = counts.find({group.compiler, group.flags, one.name, one.motion_hash});
      const auto first = std::ranges::find_if(one.points, [](const HistoryPoint& point) {
        return point.ratio[Index(Tracked::kInstructions)].has_value();
      });
      if (count != counts.end() && first != one.points.end())
        one.archived.emplace_back(archive,
                                  count->second / *first->value[Index(Tracked::kInstructions)]);
    }
  }
}

}  // namespace mbsbench::reports
