#include "reports/pages/history_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/format/columns.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

constexpr std::size_t kMostCasesDrawn = 16;

struct TrackedWords {
  const char *title, *summary, *axis, *rule;
};
constexpr TrackedWords kWords[] = {
    {"CPU time over the runs",
     "Least CPU time of one evaluation or solve, each relative to the frozen control "
     "kernel of the same rounds, and then to the first run shown. Runs are not paired: "
     "a step is a hint, and `mbsbench bench --against` gives the verdict.",
     "time / first run", "2 % and 3 times the usual scatter"},
    {"Instructions over the runs",
     "Instructions of one evaluation or solve, relative to the first run shown. Counts are exact: "
     "a step is a change of the code.",
     "instructions / first run", "1 %"},
    {"Errors over the runs",
     "Largest error over the samples, relative to the first run shown. Errors below the "
     "round-off floor of the problem are raised to it.",
     "error / first run", "a factor of 2"}};

std::string HistoryRatio(std::optional<double> ratio) {
  if (!ratio) return "-";
  return *ratio >= 0.01 && *ratio < 100 ? fmt::format("{:.3f}", *ratio)
                                        : fmt::format("{:.3g}", *ratio);
}

TableCell ValueCell(Tracked quantity, const HistoryPoint& point) {
  const std::optional<double> value = point.value[Index(quantity)];
  if (quantity == Tracked::kTime) return NumberCell(FormatSeconds(value), value);
  if (quantity == Tracked::kError) return ErrorCell(value);
  return NumberCell(value ? FormatCount(std::llround(*value)) : "-", value);
}

// The points that have the quantity.
std::vector<const HistoryPoint*> Known(const CaseHistory& history, Tracked quantity) {
  std::vector<const HistoryPoint*> known;
  for (const HistoryPoint& p : history.points) {
    if (p.ratio[Index(quantity)]) known.push_back(&p);
  }
  return known;
}

Json DrawnSeries(const RunHistory& all, const std::vector<const CaseHistory*>& cases,
                 Tracked quantity) {
  std::vector<std::string> methods, kinds;
  Json series = Json::array();
  for (const CaseHistory* history : cases) {
    const auto& changes = history->changes[Index(quantity)];
    Json one = {{"name", history->name},
                {"color", AddOnce(methods, history->method)},
                {"symbol", AddOnce(kinds, history->kind)},
                {"points", Json::array()}};
    for (std::size_t i = 0; i < history->points.size(); ++i) {
      const HistoryPoint& p = history->points[i];
      const std::optional<double> ratio = p.ratio[Index(quantity)];
      if (!ratio) continue;
      const bool changed = std::find(changes.begin(), changes.end(), i) != changes.end();
      const HistoryRun& run = all.runs[p.run];
      one["points"].push_back({p.run + 1, *ratio,
                               fmt::format("run {}, {}, build {}: {}{}", p.run + 1, run.started,
                                           ShortCommit(run.build.commit), HistoryRatio(ratio),
                                           changed ? ", changed here" : ""),
                               changed});
    }
    series.push_back(std::move(one));
  }
  if (quantity != Tracked::kInstructions) return series;
  for (const CaseHistory* history : cases) {
    for (const auto& [archive, ratio] : history->archived) {
      Json& one =
          series.emplace_back(Json{{"name", history->name + ", " + archive}, {"archived", true}});
      for (const HistoryPoint* end : {&history->points.front(), &history->points.back()})
        one["points"].push_back(
            {end->run + 1, ratio, fmt::format("{}: {}", archive, HistoryRatio(ratio)), false});
    }
  }
  return series;
}

}  // namespace

std::string ShortCommit(const std::string& commit) {
  return commit.empty() ? "unknown" : commit.substr(0, 10);
}

std::string ChangesText(const RunHistory& history, const CaseHistory& of, Tracked quantity) {
  std::string text;
  for (std::size_t i : of.changes[Index(quantity)]) {
    const std::size_t run = of.points[i].run;
    text += fmt::format("{}run {} ({})", text.empty() ? "" : ", ", run + 1,
                        ShortCommit(history.runs[run].build.commit));
  }
  return text.empty() ? "-" : text;
}

namespace {

std::optional<Figure> HistoryFigure(const RunHistory& history, const HistoryGroup& group,
                                    Tracked quantity, const std::string& csv) {
  std::vector<const CaseHistory*> cases;
  for (const CaseHistory& one : group.cases) {
    if (one.Has(quantity)) cases.push_back(&one);
  }
  if (cases.empty()) return std::nullopt;
  const TrackedWords& words = kWords[Index(quantity)];
  Figure figure;
  figure.kind = "history";
  figure.title = words.title;
  figure.summary = fmt::format("{} {}; {}, {}. Larger marks: changes by more than {}.",
                               words.summary, group.cpu, group.compiler, group.flags, words.rule);
  const auto first = [quantity](const CaseHistory* one) { return Known(*one, quantity).front(); };
  const auto latest = [quantity](const CaseHistory* one) { return Known(*one, quantity).back(); };
  const auto moved = [&](const CaseHistory* one) { return latest(one)->ratio[Index(quantity)]; };
  figure.table = TableOf<const CaseHistory*>(
      "Benchmarks over the runs",
      {{{"case"}, [](auto* one) { return one->name; }},
       {{"runs", true}, [](auto* one) { return one->points.size(); }},
       {{"first", true}, [&](auto* one) { return ValueCell(quantity, *first(one)); }},
       {{"latest", true}, [&](auto* one) { return ValueCell(quantity, *latest(one)); }},
       {{"latest / first", true},
        [&](auto* one) { return NumberCell(HistoryRatio(moved(one)), moved(one)); }},
       {{"changed in"}, [&](auto* one) { return ChangesText(history, *one, quantity); }}},
      cases);
  const std::size_t all = cases.size();
  const auto met_once = [quantity](const CaseHistory* one) {
    return Known(*one, quantity).size() == 1;
  };
  if (!std::all_of(cases.begin(), cases.end(), met_once)) std::erase_if(cases, met_once);
  if (cases.size() < all)
    figure.notes.push_back(fmt::format("{} of {} cases occur in one run only and are not drawn.",
                                       all - cases.size(), all));
  if (cases.size() > kMostCasesDrawn) {
    std::ranges::stable_sort(cases, {}, [&](const CaseHistory* one) {
      return std::pair(one->changes[Index(quantity)].empty(), -std::abs(std::log(*moved(one))));
    });
    figure.notes.push_back(fmt::format(
        "The figure shows the {} of {} cases that changed or moved most; the table lists all.",
        kMostCasesDrawn, cases.size()));
    cases.resize(kMostCasesDrawn);
  }
  figure.data = {{"series", DrawnSeries(history, cases, quantity)},
                 {"x", "run"},
                 {"y", words.axis},
                 {"scale", quantity == Tracked::kError ? "log" : "linear"}};
  figure.csv = csv;
  return figure;
}

}  // namespace

std::vector<Figure> HistoryFigures(const RunHistory& history, const std::string& csv,
                                   const std::string& command) {
  std::vector<Figure> figures;
  for (const HistoryGroup& group : history.groups) {
    for (const Tracked quantity : {Tracked::kInstructions, Tracked::kTime, Tracked::kError}) {
      auto figure = HistoryFigure(history, group, quantity, csv);
      if (!figure) continue;
      figure->command = command;
      figures.push_back(std::move(*figure));
    }
  }
  return figures;
}

CsvFile HistoryFile(const std::string& name, const RunHistory& history) {
  CsvFile file{
      name,
      {"cpu", "compiler", "flags", "case", "run", "store", "started", "commit", "cpu_seconds",
       "time_to_first", "instructions", "instructions_to_first", "error", "error_to_first"},
      {}};
  for (const HistoryGroup& group : history.groups) {
    for (const CaseHistory& one : group.cases) {
      for (const HistoryPoint& p : one.points) {
        const HistoryRun& run = history.runs[p.run];
        std::vector<Json> row{
            group.cpu, group.compiler, group.flags, one.name,
            p.run + 1, run.store,      run.started, ShortCommit(run.build.commit)};
        for (const Tracked quantity : kTracked) {
          row.push_back(OptionalNumber(p.value[Index(quantity)]));
          row.push_back(OptionalNumber(p.ratio[Index(quantity)]));
        }
        file.rows.push_back(std::move(row));
      }
    }
  }
  return file;
}

}  // namespace mbsbench::reports
