#include "reports/analysis/targets.h"

#include <algorithm>

namespace mbsbench::reports {

namespace {

double UnitOf(const ProblemResults& problem) {
  const MaybeNumber bodies = problem.record.bodies, end = problem.record.end_time,
                    time = problem.record.time;
  if (!bodies || !end || !time || *bodies <= 0 || *end <= 0 || *time <= 0) return 0;
  const auto growth = ChangingBodiesOf(problem);
  return (growth ? growth->body_seconds : *bodies * *end) / *time;
}

}  // namespace

bool Target::IsReached() const {
  return std::ranges::any_of(times, [](const BestTime& one) { return one.time.known(); });
}

bool IsOpenForAll(const Target& target) {
  return !target.IsReached() &&
         std::ranges::any_of(target.times, [](const BestTime& one) { return one.time.is_open(); });
}

std::optional<ChangingBodies> ChangingBodiesOf(const ProblemResults& problem) {
  const auto events_of = [](const Cell& cell) -> const std::vector<EventRecord>* {
    return cell.accuracy && cell.accuracy->record.accuracy ? &cell.accuracy->record.accuracy->events
                                                           : nullptr;
  };
  const Cell* cell = MostAccurate(problem, [&events_of](const Cell& one) {
    const auto* events = events_of(one);
    return events && !events->empty();
  });
  if (!cell) return std::nullopt;
  const double first = problem.record.bodies.value_or(0);
  ChangingBodies growth{first, first};
  double since = 0;
  for (const EventRecord& event : *events_of(*cell)) {
    growth.body_seconds += growth.last * (event.time - since);
    since = event.time;
    growth.last = static_cast<double>(event.bodies);
  }
  const double end = OrNone(cell->accuracy->record.integration).time_reached;
  growth.body_seconds += growth.last * std::max(0., end - since);
  return growth;
}

std::vector<Target> Targets(const Comparison& comparison) {
  std::vector<Target> targets;
  for (const ProblemResults& problem : comparison.problems) {
    if (!IsJudged(problem)) continue;
    for (const double error : comparison.targets) {
      if (JudgesTarget(problem, error))
        targets.push_back(
            {&problem, error, UnitOf(problem), BestOfEachMethod(comparison, problem, error)});
    }
  }
  return targets;
}

}  // namespace mbsbench::reports
