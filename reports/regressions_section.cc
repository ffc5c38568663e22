// Regressions: each benchmark over the runs in the store, paired verdicts, and how often these were
// false alarms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/bench_history.h"
#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

std::string RatioText(std::optional<double> ratio) {
  return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

std::string Commit(const Json& build) {
  const std::string commit = Text(build, "commit");
  return commit.empty() ? "unknown" : commit.substr(0, 10);
}

std::string ChangesText(const CaseHistory& history, const std::vector<std::size_t>& changes) {
  std::string text;
  for (std::size_t i : changes) {
    const HistoryPoint& p = history.points[i];
    text += fmt::format("{}run {} ({})", text.empty() ? "" : ", ", p.number, Commit(p.run->build));
  }
  return text.empty() ? "-" : text;
}

// What the case evaluates, behind problem and method in its name.
std::string WhatOf(const std::string& name) {
  const std::size_t first = name.find(' '), second = name.find(' ', first + 1);
  return second == std::string::npos ? "" : name.substr(second + 1);
}

Json Series(const HistoryGroup& group, bool instructions) {
  std::vector<std::string> methods, kinds;
  const auto index = [](std::vector<std::string>& list, const std::string& name) {
    const auto at = std::find(list.begin(), list.end(), name);
    const auto i = at - list.begin();
    if (at == list.end()) list.push_back(name);
    return i;
  };
  Json series = Json::array();
  for (const CaseHistory& history : group.cases) {
    const auto& changes = instructions ? history.instruction_changes : history.time_changes;
    Json one = {{"name", history.name},
                {"color", index(methods, history.method)},
                {"symbol", index(kinds, history.name.substr(0, history.name.find(' ')) +
                                            WhatOf(history.name))},
                {"points", Json::array()}};
    for (std::size_t i = 0; i < history.points.size(); ++i) {
      const HistoryPoint& p = history.points[i];
      const auto ratio = instructions ? p.instruction_ratio : p.time_ratio;
      if (!ratio) continue;
      const bool changed = std::find(changes.begin(), changes.end(), i) != changes.end();
      one["points"].push_back(
          {p.number, *ratio,
           fmt::format("run {}, {}, build {}: {}{}", p.number, p.run->started, Commit(p.run->build),
                       RatioText(ratio), changed ? ", changed here" : ""),
           changed});
    }
    if (!one["points"].empty()) series.push_back(std::move(one));
  }
  return series;
}

Figure HistoryFigure(const HistoryGroup& group, bool instructions, const CsvFile& data) {
  Figure figure;
  figure.kind = "history";
  figure.title = instructions ? "Instructions over the runs" : "CPU time over the runs";
  figure.summary =
      instructions
          ? "Instructions of one evaluation or solve, relative to the first run shown; exact, so "
            "that any step is a change of the code."
          : "Least CPU time of one evaluation or solve, each relative to the frozen control kernel "
            "of the same rounds, and then to the first run shown. Runs are not paired: steps are a "
            "hint, and `mbsbench bench --against` gives the verdict.";
  figure.summary +=
      fmt::format(" {}; {}, {}. Larger marks: changes by more than {}.", group.cpu, group.compiler,
                  group.flags, instructions ? "1 %" : "2 % and 3 times the usual scatter");
  figure.data = {{"series", Series(group, instructions)},
                 {"x", "run"},
                 {"y", instructions ? "instructions / first run" : "time / first run"}};
  figure.table = {"Benchmarks over the runs",
                  {{"case"},
                   {"runs", true},
                   {"first", true},
                   {"latest", true},
                   {"latest / first", true},
                   {"changed in"}}};
  for (const CaseHistory& history : group.cases) {
    const HistoryPoint &first = history.points.front(), &last = history.points.back();
    const auto shown = [instructions](const HistoryPoint& p) {
      if (!instructions) return SecondsCell(p.cpu_seconds);
      return NumberCell(p.instructions ? FormatCount(std::llround(*p.instructions)) : "-",
                        p.instructions);
    };
    const auto ratio = instructions ? last.instruction_ratio : last.time_ratio;
    figure.table.rows.push_back({{history.name},
                                 CountCell(static_cast<double>(history.points.size())),
                                 shown(first),
                                 shown(last),
                                 NumberCell(RatioText(ratio), ratio),
                                 {ChangesText(history, instructions ? history.instruction_changes
                                                                    : history.time_changes)}});
  }
  figure.csv = data.name;
  figure.command = "mbsbench bench";
  return figure;
}

CsvFile HistoryFile(const std::vector<HistoryGroup>& groups) {
  CsvFile file{"bench_history.csv",
               {"cpu", "compiler", "flags", "case", "run", "started", "commit", "cpu_seconds",
                "time_to_first", "instructions", "instructions_to_first"}};
  for (const HistoryGroup& group : groups) {
    for (const CaseHistory& history : group.cases) {
      for (const HistoryPoint& p : history.points) {
        file.rows.push_back({group.cpu, group.compiler, group.flags, history.name, p.number,
                             p.run->started, Commit(p.run->build), OptionalNumber(p.cpu_seconds),
                             OptionalNumber(p.time_ratio), OptionalNumber(p.instructions),
                             OptionalNumber(p.instruction_ratio)});
      }
    }
  }
  return file;
}

// What was paired: two builds, or two methods of one.
std::optional<Table> PairedTable(const Results& results, Document& document) {
  Table table{"Paired times: candidate / base, with the 95 % interval of the median",
              {{"paired"},
               {"case"},
               {"base"},
               {"candidate"},
               {"verdict"},
               {"ratio", true},
               {"from", true},
               {"to", true},
               {"rounds kept", true},
               {"dropped", true}}};
  for (const BenchRow& row : results.benches) {
    if (row.kind != "paired") continue;
    const auto run = std::find_if(results.bench_runs.begin(), results.bench_runs.end(),
                                  [&row](const BenchRun& r) { return r.id == row.run; });
    if (run == results.bench_runs.end()) continue;
    const std::string base_method = Text(row.record, "base_method");
    const bool methods = base_method != row.method;
    const Json& confirmed = Field(row.record, "confirmed");
    const Json& judged = confirmed.is_object() ? confirmed : Field(row.record, "screened");
    const auto ratio = Number(judged, "ratio"), low = Number(judged, "low"),
               high = Number(judged, "high"), kept = Number(judged, "kept"),
               dropped = Number(judged, "dropped");
    const auto count = [](std::optional<double> n) {
      return NumberCell(n ? FormatCount(std::llround(*n)) : "-", n);
    };
    table.rows.push_back({{run->started},
                          {row.name},
                          {methods ? base_method : Commit(run->base)},
                          {methods ? row.method : Commit(run->build)},
                          {methods ? "two methods" : row.verdict, nullptr,
                           !methods && row.verdict == "worse" ? "bad" : ""},
                          NumberCell(RatioText(ratio), ratio),
                          NumberCell(RatioText(low), low),
                          NumberCell(RatioText(high), high),
                          count(kept),
                          count(dropped)});
  }
  if (table.rows.empty()) return std::nullopt;
  table.csv = AddFile(document, AsCsv("bench_paired.csv", table));
  return table;
}

Paragraph FalseAlarmText(const Results& results) {
  const FalseAlarms count = CountFalseAlarms(results);
  if (count.verdicts == 0) {
    return {
        "No build has been paired with itself in this store, so the rate of false alarms on this "
        "machine is not known: `mbsbench bench --against` with its own executable measures it."};
  }
  std::string text = fmt::format(
      "False alarms: of {} of builds with themselves, {} flagged a change ({:.2g} %)",
      Plural(count.verdicts, "paired verdict"), count.alarms, 100. * count.alarms / count.verdicts);
  if (count.alarms == 0) {
    // Exact: (1 - p)^n = 0.05.
    text += fmt::format("; a rate above {:.2g} % is ruled out with 95 % confidence",
                        100 * (1 - std::pow(0.05, 1. / count.verdicts)));
  }
  text += fmt::format(
      ". {} looked changed in the screening and was not confirmed by fresh rounds; "
      "{} more had no verdict, because the machine was too busy.",
      count.screened_alarms, count.inconclusive);
  return {text};
}

}  // namespace

Section RegressionsSection(const Comparison& comparison, Document& document) {
  const Results& results = *comparison.results;
  Section section{"regressions", "Regressions", {}};
  if (results.benches.empty()) {
    section.blocks.push_back(Paragraph{
        "No benchmarks are in this store. `mbsbench bench` records the time and the instructions "
        "of small kernels, `mbsbench bench --against EXECUTABLE` pairs them with another build; "
        "repeated over builds they become the history drawn here."});
    return section;
  }
  const std::vector<HistoryGroup> groups = Histories(results);
  if (!groups.empty()) {
    CsvFile file = HistoryFile(groups);
    file.name = AddFile(document, file);
    for (const HistoryGroup& group : groups) {
      section.blocks.push_back(HistoryFigure(group, false, file));
      const bool counted =
          std::any_of(group.cases.begin(), group.cases.end(), [](const CaseHistory& history) {
            return std::any_of(history.points.begin(), history.points.end(),
                               [](const HistoryPoint& p) { return p.instructions.has_value(); });
          });
      if (counted) section.blocks.push_back(HistoryFigure(group, true, file));
    }
  }
  if (auto paired = PairedTable(results, document)) section.blocks.push_back(std::move(*paired));
  section.blocks.push_back(FalseAlarmText(results));
  return section;
}

}  // namespace mbsbench::reports
