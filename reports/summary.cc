// The store in a few lines for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/outcomes.h"
#include "reports/report.h"

namespace mbsbench {

namespace {

using namespace reports;

constexpr std::size_t kWidth = 100;
constexpr std::size_t kFailuresShown = 12;

// At most `width` printable ASCII characters; what does not fit ends in "~".
std::string Fit(const std::string& text, std::size_t width) {
  std::string plain;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;  // second bytes of UTF-8: one "?" per character
    plain += byte < 0x20 ? ' ' : byte >= 0x7F ? '?' : c;
  }
  if (plain.size() <= width) return plain;
  return plain.substr(0, width - 1) + "~";
}

// "lead part, part, part", wrapped with an indent.
std::string Wrapped(const std::string& lead, const std::vector<std::string>& parts) {
  std::string text, line = lead;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = parts[i] + (i + 1 < parts.size() ? "," : "");
    if (line.size() + 1 + part.size() > kWidth) {
      text += line + "\n";
      line = std::string(lead.size(), ' ');
    }
    line += " " + part;
  }
  return text + line + "\n";
}

std::string OutcomeLines(const Comparison& comparison) {
  std::map<std::string, int> counts;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) ++counts[cell.outcome];
  }
  std::vector<std::string> parts;
  for (const Outcome& outcome : AllOutcomes()) {
    if (counts[outcome.name] > 0)
      parts.push_back(fmt::format("{} {}", counts[outcome.name], outcome.name));
    counts.erase(outcome.name);
  }
  for (const auto& [name, count] : counts)
    parts.push_back(fmt::format("{} {}", count, Fit(name, 20)));
  const std::string lead = Plural(static_cast<long long>(comparison.CellCount()), "cell") + ":";
  return Wrapped(lead, parts);
}

std::string FastestLines(const Comparison& comparison) {
  std::string text = "Fastest at equal error (CPU time, minimum over rounds)\n";
  text += fmt::format("{:<19} {:<26} {:<26} {:<26}\n", "problem", "1e-3", "1e-6", "1e-9");
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.cells.empty()) continue;
    std::string line = fmt::format("{:<19}", Fit(problem.name, 19));
    for (double error : kErrorLevels) {
      const auto times = BestOfEachMethod(comparison, problem, "", error);
      const BestTime* fastest = Fastest(times);
      const std::string time = fastest ? FormatTime(fastest->time) : "not reached";
      line +=
          " " + fmt::format("{:<26}",
                            fastest ? Fit(fastest->method, 25 - time.size()) + " " + time : time);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string FailureLines(const Comparison& comparison) {
  std::vector<std::string> order;
  std::map<std::string, int> counts;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      if (cell.finished() && cell.outcome != "inaccurate") continue;
      const std::string line = fmt::format("{} {}: {}{}", problem.name, cell.Curve(), cell.outcome,
                                           cell.reason.empty() ? "" : " - " + cell.reason);
      if (counts[line]++ == 0) order.push_back(line);
    }
  }
  if (order.empty()) return "";
  std::string text = "Did not end ok\n";
  for (std::size_t i = 0; i < std::min(order.size(), kFailuresShown); ++i) {
    text += Fit(fmt::format("  {} x {}", counts[order[i]], order[i]), kWidth) + "\n";
  }
  if (order.size() > kFailuresShown) {
    text += fmt::format("  and {} more; the report lists all\n", order.size() - kFailuresShown);
  }
  return text;
}

}  // namespace

std::string Summary(const std::filesystem::path& store) {
  const Results results = ReadResults(store);
  const Comparison comparison = Compare(results);
  const Run& latest = results.runs.back();
  std::string text = Fit(fmt::format("Run {} of {} UTC{}", latest.id.substr(0, 8), latest.started,
                                     latest.finished.empty() ? ", not finished" : ""),
                         kWidth) +
                     "\n";
  if (comparison.CellCount() == 0) return text + "No cell has finished.\n";
  text += OutcomeLines(comparison);
  text += "\n" + FastestLines(comparison);
  if (const std::string failures = FailureLines(comparison); !failures.empty())
    text += "\n" + failures;
  return text;
}

}  // namespace mbsbench
