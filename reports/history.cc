#include "reports/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "reports/statistics.h"

namespace mbsbench::reports {

namespace {

constexpr double kLeastTimeChange = 0.02, kLeastCountChange = 0.01, kNoiseFactor = 3;
const double kLeastErrorChange = std::log(2.);
// Errors below are round-off, as 'mbsbench compare' has it.
constexpr double kErrorFloor = 1e-13, kErrorFloorPerBody = 1e-15;

double ThresholdOf(const std::vector<double>& logs, Tracked quantity) {
  if (quantity == Tracked::kInstructions) return kLeastCountChange;
  if (quantity == Tracked::kError) return kLeastErrorChange;
  std::vector<double> steps;
  for (std::size_t i = 1; i < logs.size(); ++i) steps.push_back(std::abs(logs[i] - logs[i - 1]));
  constexpr double kDeviation = 1.4826 / 1.4142;  // of one value, from the median step of two
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

// Takes away the change between the two nearest levels, as long as these are too near.
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

// A value of a case in a run, before it is related to the first one.
struct Measured {
  std::string value_of;  // CaseHistory::name
  std::string method;
  std::string problem_hash;
  std::array<std::optional<double>, 3> value;
  std::optional<double> control;  // seconds of the control kernel measured with the time
  double error_floor = kErrorFloor;
};

class Collector {
 public:
  explicit Collector(const std::vector<const Results*>& stores, Content content) {
    for (const Results* store : stores) {
      const std::string name = store->path.string();
      for (const BenchRunRow& run : store->bench_runs)
        AddRun(name, run.id, run.started, run.machine, run.build);
      if (content == Content::kBenchmarks) continue;
      for (const Run& run : store->runs) AddRun(name, run.id, run.started, run.machine, run.build);
    }
    std::stable_sort(
        history_.runs.begin(), history_.runs.end(),
        [](const HistoryRun& a, const HistoryRun& b) { return a.started < b.started; });
    for (std::size_t i = 0; i < history_.runs.size(); ++i) index_[history_.runs[i].id] = i;
    for (const Results* store : stores) {
      AddBenchmarks(*store);
      if (content == Content::kEverything) AddTrials(*store);
    }
  }

  RunHistory Take() {
    for (HistoryGroup& group : history_.groups) {
      for (CaseHistory& history : group.cases) Relate(history);
    }
    return std::move(history_);
  }

 private:
  using CaseKey = std::tuple<std::size_t, std::string, std::string>;  // group, name, problem

  void AddRun(const std::string& store, const std::string& id, const std::string& started,
              const MachineRecord& machine, const BuildRecord& build) {
    if (!known_.insert(id).second) return;  // a copy of it in another store
    history_.runs.push_back(
        {store, id, started, build.commit, machine.cpu, build.compiler, build.flags});
  }

  void Add(const std::string& run_id, const Measured& measured) {
    const auto run = index_.find(run_id);
    if (run == index_.end()) return;
    const HistoryRun& of = history_.runs[run->second];
    const auto is_its = [&of](const HistoryGroup& g) {
      return g.cpu == of.cpu && g.compiler == of.compiler && g.flags == of.flags;
    };
    auto group = std::find_if(history_.groups.begin(), history_.groups.end(), is_its);
    if (group == history_.groups.end())
      group = history_.groups.insert(history_.groups.end(), {of.cpu, of.compiler, of.flags, {}});
    const auto place = static_cast<std::size_t>(group - history_.groups.begin());
    const auto [found, is_new] = cases_.try_emplace(
        CaseKey{place, measured.value_of, measured.problem_hash}, group->cases.size());
    if (is_new) group->cases.push_back({measured.value_of, measured.method, {}, {}});
    CaseHistory& history = group->cases[found->second];
    auto point = std::find_if(history.points.begin(), history.points.end(),
                              [&](const HistoryPoint& p) { return p.run == run->second; });
    if (point != history.points.end()) return;  // that of a copy
    HistoryPoint& added = history.points.emplace_back();
    added.run = run->second;
    added.value = measured.value;
    // What is related to the first: for now the measure itself.
    added.ratio = measured.value;
    std::optional<double>& time = added.ratio[Index(Tracked::kTime)];
    if (!measured.control || *measured.control <= 0) time.reset();
    if (time) *time /= *measured.control;
    if (std::optional<double>& error = added.ratio[Index(Tracked::kError)])
      error = std::max(*error, measured.error_floor);
  }

  void AddBenchmarks(const Results& store) {
    for (const BenchRow& row : store.benches) {
      if (row.kind != "time") continue;
      const BenchTimesRecord& times = OrNone(row.record.times);
      Add(row.run_id, {row.name,
                       row.method,
                       "",
                       {row.cpu_seconds, times.instructions, {}},
                       times.control_minimum});
    }
  }

  // Cells by their accuracy trial and the least of their rounds, and evaluations.
  void AddTrials(const Results& store) {
    std::map<std::pair<std::string, std::string>, const ProblemRecord*> problems;  // run, name
    for (const ProblemRow& problem : store.problems)
      problems[{problem.run_id, problem.name}] = &problem.record;
    std::map<std::pair<std::string, std::string>, Measured> cells;  // run, name
    for (const Trial& trial : store.trials) {
      if (trial.kind != "accuracy" && trial.kind != "time" && trial.kind != "evaluation") continue;
      if (trial.outcome != "ok" && trial.outcome != "inaccurate" && trial.outcome != "no_reference")
        continue;
      const auto problem = problems.find({trial.run_id, trial.problem});
      if (problem == problems.end() ||
          IsOfAnotherProblem(trial.record.problem_hash, *problem->second))
        continue;
      std::string name = trial.problem + " " + trial.method;
      if (trial.kind == "evaluation")
        name += ", one evaluation: " + trial.record.what;
      else
        name += ", " + trial.integrator;
      if (trial.tolerance) name += fmt::format(" tol {:g}", *trial.tolerance);
      if (trial.step) name += fmt::format(" h {:g} s", *trial.step);
      if (trial.end_time) name += fmt::format(" to {:g} s", *trial.end_time);
      Measured& cell = cells[{trial.run_id, name}];
      cell.value_of = name;
      cell.method = trial.method;
      cell.problem_hash = trial.record.problem_hash;
      if (trial.kind == "accuracy") {
        SetError(trial, *problem->second, cell);
        continue;
      }
      Lower(trial.cpu_seconds, cell.value[Index(Tracked::kTime)]);
      Lower(trial.record.control_seconds, cell.control);
    }
    for (const auto& [key, cell] : cells) Add(key.first, cell);
  }

  static void SetError(const Trial& trial, const ProblemRecord& problem, Measured& cell) {
    cell.value[Index(Tracked::kError)] = trial.record.LargestError();
    cell.error_floor = std::max(
        {kErrorFloor, kErrorFloorPerBody * problem.bodies.value_or(1), problem.KnownError()});
  }

  static void Lower(std::optional<double> value, std::optional<double>& least) {
    if (value && (!least || *value < *least)) least = value;
  }

  static void Relate(CaseHistory& history) {
    std::sort(history.points.begin(), history.points.end(),
              [](const HistoryPoint& a, const HistoryPoint& b) { return a.run < b.run; });
    for (const Tracked quantity : kTracked) {
      std::vector<double> ratios;
      std::vector<std::size_t> at;  // points that lack the value are stepped over
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

  RunHistory history_;
  std::set<std::string> known_;
  std::map<std::string, std::size_t> index_;  // of runs
  std::map<CaseKey, std::size_t> cases_;      // place in its group
};

}  // namespace

const char* Name(Tracked quantity) {
  switch (quantity) {
    case Tracked::kTime: return "time";
    case Tracked::kInstructions: return "instructions";
    case Tracked::kError: return "error";
  }
  return "";
}

bool CaseHistory::Has(Tracked quantity) const {
  return std::any_of(points.begin(), points.end(), [quantity](const HistoryPoint& point) {
    return point.ratio[Index(quantity)].has_value();
  });
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
  return Collector(stores, content).Take();
}

}  // namespace mbsbench::reports
