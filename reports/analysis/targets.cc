#include "reports/analysis/targets.h"

#include <algorithm>

#include "harness/records/untried_limits.h"

namespace mbsbench::reports {

namespace {

Attempt Unattempted(const ProblemResults& problem, const std::string& method) {
  Attempt attempt{{method}};
  attempt.was_asked = std::ranges::any_of(problem.cells, [&method](const Cell& cell) {
    return cell.method == method && cell.integrator != kSteadySolver && cell.outcome != "skipped";
  });
  return attempt;
}

double UnitOf(const ProblemResults& problem) {
  const MaybeNumber bodies = problem.record.bodies, end = problem.record.end_time,
                    time = problem.record.time;
  if (!bodies || !end || !time || *bodies <= 0 || *end <= 0 || *time <= 0) return 0;
  const auto growth = ChangingBodiesOf(problem);
  return (growth ? growth->body_seconds : *bodies * *end) / *time;
}

}  // namespace

bool IsOpenForAll(const Target& target) {
  return !target.Fastest() &&
         std::any_of(target.attempts.begin(), target.attempts.end(),
                     [](const Attempt& attempt) { return attempt.time.is_open(); });
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
    std::vector<Attempt> unattempted;
    for (const std::string& method : comparison.methods)
      unattempted.push_back(comparison.Keeps(kTimes, method) ? Unattempted(problem, method)
                                                             : Attempt{{method}});
    for (const double error : comparison.targets) {
      if (!JudgesTarget(problem, error)) continue;
      Target target{&problem, error, UnitOf(problem), unattempted};
      const Ranking ranking = Rank(BestOfEachMethod(comparison, problem, error));
      for (const BestTime& time : ranking.times) {
        Attempt& attempt = *std::ranges::find(target.attempts, time.method, &Attempt::method);
        static_cast<BestTime&>(attempt) = time;
        attempt.was_asked = attempt.was_asked && !time.time.is_open();
        if (&time == ranking.Fastest())
          target.fastest = static_cast<std::size_t>(&attempt - target.attempts.data());
      }
      targets.push_back(std::move(target));
    }
  }
  return targets;
}

}  // namespace mbsbench::reports
