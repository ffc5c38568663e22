#include "reports/analysis/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "reports/analysis/names.h"
#include "reports/analysis/statistics.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

// During several rounds the limit is that at which the benchmarks drop a paired round.
bool ControlMoved(const Cell& cell) { return cell.wander > (cell.TimedRounds() > 1 ? 1.03 : 1.1); }

}  // namespace

std::string Noise::InShort() const {
  if (!IsKnown())
    return single > 0 ? "not known, one round each"
           : all.cells > 0
               ? fmt::format("not known, {} of several rounds", Plural(all.cells, "cell"))
               : "";
  return IsNoisy()
             ? fmt::format("noisy: {} of {}", FormatCount(all.affected), Plural(all.cells, "cell"))
             : "quiet";
}

std::string Noise::Sentence() const {
  constexpr std::size_t kNamed = 4;
  std::string of_single;
  if (slowed > 0)
    of_single = fmt::format(
        "{} of {} timed in one round may be too slow: the control kernel took more than 10 % "
        "longer than in the fastest quarter of the trials.",
        FormatCount(slowed), Plural(single, "cell"));
  if (!IsKnown()) return of_single;
  std::string text = fmt::format(
      "Noise affected {} of {} timed in several rounds: their rounds differ by more than 10 % "
      "({}), or the control kernel moved by more than 3 % during them ({}). A ratio whose "
      "rounds differ by more than 10 % is marked noisy; the page Machine and settings lists them.",
      FormatCount(all.affected), Plural(all.cells, "cell"), FormatCount(all.scattered),
      FormatCount(all.moved));
  if (!of_single.empty()) text += " " + of_single;
  if (methods.empty()) return text;
  std::vector<std::string> names;
  for (const NoiseCount& one : methods) {
    names.push_back(fmt::format("{} {} of {} ({} by rounds, {} by kernel)", one.method,
                                FormatCount(one.affected), FormatCount(one.cells),
                                FormatCount(one.scattered), FormatCount(one.moved)));
  }
  return text + fmt::format(" By method: {}.", Listed(names, kNamed));
}

Table NoiseTable(const Comparison& comparison) {
  const Noise noise = NoiseOf(comparison.problems);
  std::vector<NoiseCount> rows = noise.methods;
  if (noise.all.cells > 0) rows.insert(rows.begin(), noise.all);
  return TableOf<NoiseCount>(
      "Cells timed in several rounds, and those affected by noise: their rounds differ by more "
      "than "
      "10 %, or the control kernel moved by more than 3 %",
      {{{"method"}, [](auto& r) { return r.method.empty() ? "all" : r.method; }},
       {CountColumn("cells"), [](auto& r) { return r.cells; }},
       {CountColumn("affected"), [](auto& r) { return r.affected; }},
       {CountColumn("rounds differ"), [](auto& r) { return r.scattered; }},
       {CountColumn("control kernel moved"), [](auto& r) { return r.moved; }},
       {DecimalsColumn("largest / least round, median", 2),
        [](auto& r) { return Median(r.spreads); }},
       {DecimalsColumn("largest / least round, of 95 % at most", 2),
        [](auto& r) {
          std::vector<double> sorted = r.spreads;
          std::ranges::sort(sorted);
          return Quantile(sorted, 0.95);
        }}},
      rows);
}

Table NoisyRatiosTable(const MechanismMap& map) {
  struct NoisyRatio {
    const MapMeasure* measure;
    const std::string* family;
    const MapEntry* entry;
  };
  std::vector<NoisyRatio> rows;
  for (const MapMeasure& measure : map.measures) {
    for (const auto& of_kind : measure.fields) {
      for (std::size_t f = 0; f < of_kind.size(); ++f) {
        for (const MapEntry& entry : of_kind[f].entries) {
          if (entry.IsNoisy()) rows.push_back({&measure, &map.families[f], &entry});
        }
      }
    }
  }
  Table table = TableOf<NoisyRatio>(
      "Noisy ratios of the map: their rounds lie more than 10 % apart, so they should not be "
      "quoted",
      {{{"problem"}, [](auto& r) { return ProblemCell(*r.entry->problem); }},
       {{"measure"}, [](auto& r) { return r.measure->label; }},
       {{"methods"}, [](auto& r) { return *r.family; }},
       {{"ratio", true},
        [](auto& r) { return NumberCell(FormatRatio(r.entry->value), r.entry->value); }},
       {OnPage({"range or 95 % interval"}),
        [](auto& r) { return SpreadInWords(r.entry->ratio->spread); }},
       {FileColumn("ratio_low"), [](auto& r) { return r.entry->ratio->spread->interval.low; }},
       {FileColumn("ratio_high"), [](auto& r) { return r.entry->ratio->spread->interval.high; }},
       {FileColumn("paired_rounds"), [](auto& r) { return r.entry->ratio->spread->rounds; }},
       {{"time of"}, [](auto& r) { return r.entry->method + " with " + r.entry->integrator; }},
       {{"over that of"}, [](auto& r) { return r.entry->against; }}},
      rows);
  table.in_markdown = false;
  return table;
}

bool IsNoisy(const Cell& cell) { return cell.cpu && (cell.cpu->IsNoisy() || ControlMoved(cell)); }

TableCell TimeCell(const Cell& cell) {
  return NumberCell(FormatSeconds(cell.CpuMinimum()) + (IsNoisy(cell) ? ", noisy" : ""),
                    cell.CpuMinimum());
}

Noise NoiseOf(std::span<const ProblemResults> problems) {
  Noise noise;
  for (const Cell& cell :
       problems | std::views::transform(&ProblemResults::cells) | std::views::join) {
    if (!cell.cpu) continue;
    if (cell.cpu->rounds < 2) {
      ++noise.single;
      noise.slowed += ControlMoved(cell);
      continue;
    }
    const bool scatters = cell.cpu->IsNoisy(), moved = ControlMoved(cell);
    NoiseCount& method = FindOrAdd(
        noise.methods, [&](const NoiseCount& one) { return one.method == cell.method; },
        NoiseCount{cell.method});
    for (NoiseCount* count : {&noise.all, &method}) {
      ++count->cells;
      count->scattered += scatters;
      count->moved += moved;
      count->affected += scatters || moved;
      count->spreads.push_back(cell.cpu->maximum / cell.cpu->minimum);
    }
  }
  std::erase_if(noise.methods, [](const NoiseCount& one) { return one.affected == 0; });
  std::ranges::stable_sort(noise.methods, std::greater<>(), &NoiseCount::affected);
  return noise;
}

}  // namespace mbsbench::reports
