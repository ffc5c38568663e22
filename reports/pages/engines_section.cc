// Times of engines over those of our methods. Both times of a ratio are from one run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/analysis/engine_times.h"
#include "reports/analysis/statistics.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

TableCell Digits(std::optional<double> value) {
  return NumberCell(value ? FormatThree(*value) : "-", value);
}

// How many times longer an engine takes, over all problems.
Table SummaryTable(const Comparison& comparison, const EngineComparison& all) {
  const std::string engine = all.engines.size() == 1 ? *all.engines.begin() : "an engine";
  Table table{
      fmt::format("Time of {} over that of {}, over all problems{}", engine, all.ours,
                  all.Has(EngineBuild::kDebian) ? ""
                                                : "; our build has instructions that the engines' "
                                                  "builds lack, so the ratios may favour ours"),
      {{"engine"},
       FileColumn("baseline"),
       {"ours built for"},
       {"problems", true},
       {"least", true},
       {"median", true},
       {"most", true},
       {"without a time"},
       {"version and release"}}};
  for (const std::string& one : all.engines) {
    for (const EngineBuildNames& names : all.builds) {
      std::vector<double> ratios;
      std::map<std::string, int> without;  // by outcome
      for (const EngineRow& row : all.rows) {
        const EngineTime time = row.In(names.build);
        if (row.engine != one || time.outcome.empty()) continue;
        if (const auto ratio = time.ratio()) {
          ratios.push_back(*ratio);
        } else {
          ++without[time.outcome];
        }
      }
      if (ratios.empty() && without.empty()) continue;
      std::sort(ratios.begin(), ratios.end());
      const auto at = [&ratios](double share) {
        return ratios.empty() ? std::nullopt : std::optional(Quantile(ratios, share));
      };
      std::vector<std::string> causes;
      for (const auto& [outcome, count] : without)
        causes.push_back(fmt::format("{} {}", count, outcome));
      table.rows.push_back({MethodCell(comparison, one),
                            all.ours,
                            names.label,
                            ratios.size(),
                            Digits(at(0)),
                            Digits(at(0.5)),
                            Digits(at(1)),
                            {fmt::format("{}", fmt::join(causes, ", "))},
                            {comparison.MethodRecordOf(one).title}});
    }
  }
  return table;
}

Table TimeTable(const EngineComparison& all) {
  std::vector<ColumnOf<EngineRow>> columns = {
      {{"engine"}, &EngineRow::engine},
      {FileColumn("baseline"), [&all](auto&) { return all.ours; }},
      {{"problem"}, &EngineRow::problem},
      {CountColumn("bodies"), [](auto& r) { return r.bodies; }},
      {{"engine [ns]", true, "engine_ns_per_body"}, [](const EngineRow& row) {
         const EngineTime& shown = row.times.begin()->second;
         return shown.nanoseconds ? Digits(shown.nanoseconds) : NumberCell(shown.outcome, {});
       }}};
  for (const EngineBuildNames& names : all.builds) {
    columns.push_back({{fmt::format("{}, {} [ns]", all.ours, names.label), true,
                        fmt::format("ours_{}_ns_per_body", names.csv)},
                       [=](auto& r) { return Digits(r.In(names.build).ours); }});
    columns.push_back({{fmt::format("engine / {}, {}", all.ours, names.label), true,
                        fmt::format("ratio_{}", names.csv)},
                       [=](auto& r) { return Digits(r.In(names.build).ratio()); }});
  }
  return TableOf("Nanoseconds per body and evaluation", columns, all.rows);
}

}  // namespace

// One style per engine, whatever the store holds. Its points are joined within each family of problems, except where several
// problems have the same number of bodies.
Figure EngineFigure(const Comparison& comparison, const EngineComparison& all, Document& document) {
  const EngineBuildNames& build = all.builds.front();
  struct Point {
    const EngineRow* row;
    std::optional<double> ratio;  // empty: the line is interrupted
  };
  std::map<std::string, std::vector<double>> sizes;  // bodies, by engine and family
  for (const EngineRow& row : all.rows)
    sizes[row.engine + " " + row.family()].push_back(row.bodies);
  std::vector<CurveOf<Point>> curves;
  const EngineRow* before = nullptr;  // of the last point
  for (const EngineRow& row : all.rows) {
    const auto ratio = row.In(build.build).ratio();
    if (!ratio) continue;
    const std::vector<double>& members = sizes[row.engine + " " + row.family()];  // ascending
    const bool is_joined = before && before->engine == row.engine &&
                           before->family() == row.family() &&
                           std::ranges::adjacent_find(members) == members.end();
    std::vector<Point>& curve =
        FindOrAdd(
            curves, [&](const auto& one) { return one.style["name"] == row.engine; },
            CurveOf<Point>{CurveStyle(comparison, row.engine, "", row.engine)})
            .points;
    if (!is_joined && !curve.empty()) curve.push_back({&row, std::nullopt});
    curve.push_back({&row, ratio});
    before = &row;
  }
  Figure figure = ChartOf<Point>(
      {.title = fmt::format("Time of one evaluation, engine / {} ({})", all.ours, build.label),
       .summary =
           "Ratio against bodies, both logarithmic. Lines join the sizes of a family of problems; "
           "problems of a single size are points, as are several of the same size. Above 1 the "
           "engine takes longer. Evaluations that failed are not drawn.",
       .command = LatestCommand(comparison)},
      {"bodies", "engine / " + all.ours}, curves,
      [&build](const Point& point) -> Json {
        if (!point.ratio) return {point.row->bodies, nullptr, ""};
        const EngineTime time = point.row->In(build.build);
        return {point.row->bodies, *point.ratio,
                fmt::format("{}: {} times ({} ns per body, ours {})", point.row->problem,
                            FormatDigits(*point.ratio, 3), FormatDigits(*time.nanoseconds, 3),
                            FormatDigits(*time.ours, 3))};
      },
      {});
  figure.table = TimeTable(all);
  FileFigure("engines.csv", figure, document);
  return figure;
}

Table EnginesTable(const Comparison& comparison, const EngineComparison& all, Document& document) {
  Table table = SummaryTable(comparison, all);
  FileTable("engine_ratios.csv", table, document);
  return table;
}

Section EnginesSection(const Comparison& comparison, Document& document) {
  Section section{"engines", "Engines", {}};
  const EngineComparison all = CompareEngines(*comparison.results);
  if (!all.other_builds.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "Runs of builds that are not optimised, or for another processor, are not shown: {}.",
        fmt::join(all.other_builds, ", "))});
  }
  if (all.rows.empty()) return section;
  section.blocks.push_back(Paragraph{
      fmt::format("Time of one evaluation of all accelerations by each engine in its own "
                  "best mode, over that by {} in the same run: the method of ours that "
                  "evaluates the most problems of this store. Debian compiles the "
                  "engines for every x86-64 processor, with SSE2 only, so only a ratio to "
                  "our build with the same flags (preset `debian`) compares methods. "
                  "Above 1 the engine takes longer. Each time was measured in one process, "
                  "so a ratio within 10 % of 1 decides nothing. Medians "
                  "are over problems, and every size of a family counts.",
                  Code(all.ours))});
  if (!all.Has(EngineBuild::kDebian) || !all.Has(EngineBuild::kNative))
    section.blocks.push_back(Paragraph{
        "This store lacks a build with Debian's flags or one for this machine; `make engines` "
        "measures both into a store and a report of their own."});
  section.blocks.push_back(EnginesTable(comparison, all, document));
  section.blocks.push_back(EngineFigure(comparison, all, document));
  return section;
}

}  // namespace mbsbench::reports
