// The time of each method at the targets: of one problem, and of every curve as a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "reports/analysis/time_at_target.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

CsvFile TargetsFile(const Comparison& comparison) {
  CsvFile file{kTargetsFile,
               {"problem",
                "method",
                "integrator",
                "target",
                "status",
                "tolerance",
                "step_s",
                "error",
                "least_error",
                "cpu_s",
                "wall_s",
                "set_up_s",
                "best_integrator_of_method",
                "fastest_method",
                "integrator_of_fastest",
                "ratio_to_fastest_method",
                "ratio_low",
                "ratio_high",
                "paired_rounds",
                "verdict",
                "why_open"}};
  for (const ProblemResults& problem : comparison.problems) {
    for (const double target : comparison.targets) {
      const Ranking ranking = Rank(BestOfEachMethod(comparison, problem, target));
      const BestTime* base = ranking.Base();
      for (const Curve& curve : Curves(problem)) {
        const auto best = std::ranges::find(ranking.times, curve.method, &BestTime::method);
        if (best == ranking.times.end() || !AsksForTimes(problem, curve)) continue;
        const TimeAtError time = TimeOf(problem, curve, target);
        const bool is_best = time.known() && best->integrator == curve.integrator;
        const auto ratio = base ? RatioOf(time, base->time) : std::nullopt;
        const RatioSpread* spread = ratio && ratio->spread ? &*ratio->spread : nullptr;
        const TimeVerdict verdict =
            is_best ? ranking.verdicts[static_cast<std::size_t>(best - ranking.times.begin())]
            : ratio ? TimeVerdict{NameOf(ratio->Verdict()), ratio->WhyOpen()}
                    : TimeVerdict{};
        const Cell* cell = time.cell;
        file.rows.push_back(
            {problem.name,
             curve.method,
             curve.integrator,
             target,
             time.Status(),
             cell ? OptionalNumber(cell->tolerance) : Json(),
             cell ? OptionalNumber(cell->step) : Json(),
             cell ? OptionalNumber(cell->error) : Json(),
             OptionalNumber(time.least_error),
             time.known() ? Json(time.seconds) : Json(),
             cell && cell->threads > 1 ? OptionalNumber(cell->wall_minimum) : Json(),
             cell ? OptionalNumber(cell->prepare_minimum) : Json(),
             is_best ? 1 : 0,
             base ? Json(base->method) : Json(),
             base ? Json(base->integrator) : Json(),
             ratio ? Json(ratio->value) : Json(),
             spread ? Json(spread->interval.low) : Json(),
             spread ? Json(spread->interval.high) : Json(),
             spread ? Json(spread->rounds) : Json(),
             verdict.name,
             verdict.why});
      }
    }
  }
  return file;
}

namespace {

// One method at all targets.
struct TargetRow {
  std::string method;
  std::vector<TableCell> cells = {};
  const Cell* timed = nullptr;  // at the finest target that it reached
  bool has_long_set_up = false;
  bool is_open = true;  // at all targets

  // "1.2 ms", "2.1 ms, 35 % of the integration"
  TableCell SetUp() const {
    if (!timed || !timed->prepare_minimum) return {"-"};
    const double seconds = *timed->prepare_minimum;
    std::string text = FormatSeconds(seconds);
    if (has_long_set_up && timed->cpu && timed->cpu->minimum > 0)
      text += fmt::format("\n{:.0f} % of the integration", 100 * seconds / timed->cpu->minimum);
    return {text, seconds, has_long_set_up ? "bad" : ""};
  }
};

// "12.0 ms\nwith rk4\ntol 1e-6"
TableCell TimeInWords(const BestTime& best, const std::string& tone) {
  const TimeAtError& time = best.time;
  if (!time.known()) return {DescribeTime(time), nullptr, "weak"};
  return {fmt::format("{}\nwith {}\n{}", FormatTime(time), best.integrator, time.cell->Setting()),
          time.seconds, tone};
}

// "2.80†, slower\n(2.50 to 3.10, 8 rounds)"; why it is open on a line of its own
TableCell RatioInWords(const Ranking& ranking, std::size_t i, const std::string& tone) {
  const TimeVerdict& verdict = ranking.verdicts[i];
  if (!ranking.ratios[i] || !ranking.Base())
    return {verdict.name.empty() ? "-" : verdict.name, nullptr, tone};
  const TimeRatio& ratio = *ranking.ratios[i];
  if (i == ranking.order[0])
    return WithLine({FormatRatio(ratio.value) + ", " + verdict.name, ratio.value, tone},
                    verdict.why);
  TableCell cell = WithLine(
      {fmt::format("{}, {}\n({})", MarkedRatio(ratio), verdict.name, SpreadInWords(ratio.spread)),
       ratio.value, tone},
      verdict.why);
  const TimeAtError& time = ranking.times[i].time;
  if (const auto spread = RatioByTheClock(time, ranking.Base()->time))
    cell = WithLine(cell, fmt::format("by the clock on {} processors: {} ({})", time.cell->threads,
                                      NameOf(Judge(spread)), SpreadInWords(spread)));
  return cell;
}

// The first cell of each method all of whose cells ended so.
std::vector<const Cell*> MethodsThatOnly(const std::string& outcome,
                                         const ProblemResults& problem) {
  std::vector<const Cell*> firsts;
  for (const Cell& cell : problem.cells) {
    const auto is_own = [&cell](const Cell& one) { return one.method == cell.method; };
    auto own = problem.cells | std::views::filter(is_own);
    if (&own.front() == &cell &&
        std::ranges::all_of(own, [&](const Cell& one) { return one.outcome == outcome; }))
      firsts.push_back(&cell);
  }
  return firsts;
}

// "x, y" that have no row, since they do not take the problem.
std::string RefusingMethods(const ProblemResults& problem) {
  std::vector<std::string> refusing;
  for (const Cell* cell : MethodsThatOnly("unsupported", problem)) refusing.push_back(cell->method);
  return Listed(refusing, refusing.size());
}

// "Skipped: a, b (its cost ...); c (a time stepper ...)."; empty without one.
std::string SkippedInWords(const ProblemResults& problem) {
  Groups<std::string, std::string> methods_by_reason;
  for (const Cell* cell : MethodsThatOnly("skipped", problem))
    GroupOf(cell->reason, methods_by_reason).push_back(cell->method);
  std::vector<std::string> texts;
  for (const auto& [reason, methods] : methods_by_reason)
    texts.push_back(fmt::format("{} ({})", fmt::join(methods, ", "), reason));
  return texts.empty() ? "" : fmt::format("Skipped: {}.", fmt::join(texts, "; "));
}

}  // namespace

void AddTimesAtTargets(const Comparison& comparison, const ProblemResults& problem,
                       Section& section) {
  Table table{
      "CPU time at an error, each method with its fastest integrator; ratios are medians "
      "of paired rounds to the fastest",
      {{"method"}}};
  std::vector<TargetRow> rows;
  const auto row_of = [&rows](const std::string& method) -> TargetRow& {
    return FindOrAdd(
        rows, [&](const TargetRow& row) { return row.method == method; }, TargetRow{method});
  };
  std::vector<std::string> too_fine;
  for (const double target : comparison.targets) {
    if (!JudgesTarget(problem, target)) {
      too_fine.push_back(FormatError(target));
      continue;
    }
    table.columns.push_back({"at " + FormatError(target), true});
    table.columns.push_back({"ratio, verdict"});
    const Ranking ranking = Rank(BestOfEachMethod(comparison, problem, target));
    for (std::size_t i = 0; i < ranking.times.size(); ++i) {
      const BestTime& best = ranking.times[i];
      TargetRow& row = row_of(best.method);
      row.is_open &= best.time.is_open();
      const std::string& name = ranking.verdicts[i].name;
      const std::string tone = !best.time.known()                                        ? "weak"
                               : name == kFastest || name == NameOf(PairVerdict::kAlike) ? "best"
                                                                                         : "";
      row.cells.push_back(TimeInWords(best, tone));
      row.cells.push_back(RatioInWords(ranking, i, tone));
      if (best.time.known())
        row.timed = best.time.cell, row.has_long_set_up = best.time.HasLongSetUp();
    }
  }
  table.columns.push_back({"set-up", true});
  std::vector<std::string> open;
  for (TargetRow& row : rows) {
    if (row.is_open) {
      open.push_back(row.method);
      continue;
    }
    std::vector<TableCell>& cells = table.rows.emplace_back();
    cells.push_back({row.method});
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    cells.push_back(row.SetUp());
  }
  table.csv = kTargetsFile;
  if (!table.rows.empty()) section.blocks.push_back(std::move(table));
  std::vector<std::string> remarks;
  if (!open.empty())
    remarks.push_back(fmt::format("Not run or timed yet: {}.", fmt::join(open, ", ")));
  if (const std::string refusing = RefusingMethods(problem); !refusing.empty())
    remarks.push_back(fmt::format("Not taken by {}.", refusing));
  if (const std::string skipped = SkippedInWords(problem); !skipped.empty())
    remarks.push_back(skipped);
  if (!too_fine.empty())
    remarks.push_back(fmt::format(
        "The error {} is not asked for: the reference and the data are certain to {} only.",
        Listed(too_fine, too_fine.size()), FormatError(problem.record.KnownError())));
  if (!remarks.empty())
    section.blocks.push_back(Paragraph{fmt::format("{}", fmt::join(remarks, " "))});
}

}  // namespace mbsbench::reports
