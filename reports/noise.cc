#include "reports/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "reports/columns.h"
#include "reports/format.h"

namespace mbsbench::reports {

std::string Noise::InShort() const {
  if (!IsKnown()) return single > 0 ? "not known, one round each" : "";
  return IsNoisy()
             ? fmt::format("noisy: {} of {}", FormatCount(all.affected), Plural(all.cells, "cell"))
             : "quiet";
}

std::string Noise::Sentence() const {
  constexpr std::size_t kNamed = 4;
  if (!IsKnown()) return "";
  std::string text = fmt::format(
      "Noise affected {} of {} timed in several rounds: their rounds differ by more than 10 % "
      "({}), or the control kernel moved by more than 3 % during them ({}). A ratio whose "
      "rounds differ by more than 10 % is marked noisy.",
      FormatCount(all.affected), Plural(all.cells, "cell"), FormatCount(all.scattered),
      FormatCount(all.moved));
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
  if (noise.IsKnown()) rows.insert(rows.begin(), noise.all);
  return TableOf<NoiseCount>(
      "Noise while cells were timed: of the cells in several rounds those whose rounds differ by "
      "more than 10 % or during which the control kernel moved by more than 3 %",
      {{{"method"}, [](auto& r) { return r.method.empty() ? "all" : r.method; }},
       {CountColumn("cells"), [](auto& r) { return r.cells; }},
       {CountColumn("affected"), [](auto& r) { return r.affected; }},
       {CountColumn("rounds differ"), [](auto& r) { return r.scattered; }},
       {CountColumn("control kernel moved"), [](auto& r) { return r.moved; }}},
      rows);
}

Noise NoiseOf(std::span<const ProblemResults> problems) {
  constexpr double kControlMoves = 1.03;  // the limit at which the benchmarks drop a paired round
  Noise noise;
  for (const Cell& cell :
       problems | std::views::transform(&ProblemResults::cells) | std::views::join) {
    if (!cell.cpu) continue;
    if (cell.cpu->rounds < 2) {
      ++noise.single;
      continue;
    }
    const bool scatters = cell.cpu->IsNoisy(), moved = cell.wander > kControlMoves;
    NoiseCount& method = FindOrAdd(
        noise.methods, [&](const NoiseCount& one) { return one.method == cell.method; },
        NoiseCount{cell.method});
    for (NoiseCount* count : {&noise.all, &method}) {
      ++count->cells;
      count->scattered += scatters;
      count->moved += moved;
      count->affected += scatters || moved;
    }
  }
  std::erase_if(noise.methods, [](const NoiseCount& one) { return one.affected == 0; });
  std::ranges::stable_sort(noise.methods, std::greater<>(), &NoiseCount::affected);
  return noise;
}

}  // namespace mbsbench::reports
