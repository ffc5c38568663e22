#include "reports/bench_history.h"

#include <algorithm>
#include <cmath>

#include "reports/statistics.h"

namespace mbsbench::reports {

namespace {

constexpr double kLeastChange = 0.02, kLeastExactChange = 0.01, kNoiseFactor = 3;

const BenchRun* FindRun(const Results& results, const std::string& id) {
  const auto found = std::find_if(results.bench_runs.begin(), results.bench_runs.end(),
                                  [&id](const BenchRun& run) { return run.id == id; });
  return found == results.bench_runs.end() ? nullptr : &*found;
}

template <typename List, typename Match, typename Make>
auto& FindOrAdd(List& list, Match&& match, Make&& make) {
  const auto found = std::find_if(list.begin(), list.end(), match);
  if (found != list.end()) return *found;
  return list.emplace_back(make());
}

// Ratios to the first, and where they change; points that lack the value are stepped over.
template <typename Value, typename Ratio>
std::vector<std::size_t> Relate(CaseHistory& history, bool are_exact, Value&& value,
                                Ratio&& ratio) {
  std::vector<double> ratios;
  std::vector<std::size_t> indices;
  double first = 0;
  for (std::size_t i = 0; i < history.points.size(); ++i) {
    const std::optional<double> v = value(history.points[i]);
    if (!v || *v <= 0) continue;
    if (ratios.empty()) first = *v;
    ratios.push_back(*v / first);
    indices.push_back(i);
    ratio(history.points[i]) = ratios.back();
  }
  std::vector<std::size_t> changes = ChangePoints(ratios, are_exact);
  for (std::size_t& change : changes) change = indices[change];
  return changes;
}

}  // namespace

std::vector<std::size_t> ChangePoints(const std::vector<double>& ratios, bool are_exact) {
  std::vector<std::size_t> changes;
  if (ratios.size() < 2) return changes;
  std::vector<double> logs, steps;
  for (double ratio : ratios) logs.push_back(std::log(ratio));
  for (std::size_t i = 1; i < logs.size(); ++i) steps.push_back(std::abs(logs[i] - logs[i - 1]));
  constexpr double kDeviation = 1.4826 / 1.4142;  // of one value, from the median step of two
  const double threshold = are_exact
                               ? kLeastExactChange
                               : std::max(kLeastChange, kNoiseFactor * kDeviation * Median(steps));
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

std::vector<HistoryGroup> Histories(const Results& results) {
  std::vector<HistoryGroup> groups;
  for (const BenchRow& row : results.benches) {
    const BenchRun* run = FindRun(results, row.run);
    if (row.kind != "time" || run == nullptr) continue;
    const std::string cpu = Text(run->machine, "cpu"), compiler = Text(run->build, "compiler"),
                      flags = Text(run->build, "flags");
    HistoryGroup& group = FindOrAdd(
        groups,
        [&](const HistoryGroup& g) {
          return g.cpu == cpu && g.compiler == compiler && g.flags == flags;
        },
        [&] {
          return HistoryGroup{cpu, compiler, flags, {}};
        });
    CaseHistory& history = FindOrAdd(
        group.cases, [&row](const CaseHistory& h) { return h.name == row.name; },
        [&row] {
          return CaseHistory{row.name, row.method, {}, {}, {}};
        });
    HistoryPoint point;
    point.run = run;
    point.number = static_cast<int>(run - results.bench_runs.data()) + 1;
    point.cpu_seconds = row.cpu_seconds;
    point.instructions = Number(row.record, "instructions");
    // For now relative to the control kernel; Relate makes it relative to the first.
    const std::optional<double> control = Number(row.record, "control_minimum");
    if (row.cpu_seconds && control && *control > 0) point.time_ratio = *row.cpu_seconds / *control;
    history.points.push_back(point);
  }
  for (HistoryGroup& group : groups) {
    for (CaseHistory& history : group.cases) {
      history.time_changes = Relate(
          history, false, [](const HistoryPoint& p) { return p.time_ratio; },
          [](HistoryPoint & p) -> auto& { return p.time_ratio; });
      history.instruction_changes = Relate(
          history, true, [](const HistoryPoint& p) { return p.instructions; },
          [](HistoryPoint & p) -> auto& { return p.instruction_ratio; });
    }
  }
  return groups;
}

FalseAlarms CountFalseAlarms(const Results& results) {
  FalseAlarms count;
  for (const BenchRow& row : results.benches) {
    const BenchRun* run = FindRun(results, row.run);
    if (row.kind != "paired" || run == nullptr || row.verdict == "changed") continue;
    const std::string hash = Text(run->build, "binary_hash");
    if (hash.empty() || hash != Text(run->base, "binary_hash") ||
        Text(row.record, "base_method") != row.method)
      continue;
    if (row.verdict == "inconclusive") {
      ++count.inconclusive;
      continue;
    }
    ++count.verdicts;
    if (row.verdict != "alike")
      ++count.alarms;
    else if (Field(row.record, "confirmed").is_object())
      ++count.screened_alarms;
  }
  return count;
}

}  // namespace mbsbench::reports
