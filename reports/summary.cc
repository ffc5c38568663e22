// The store in a few lines for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "harness/store/printable.h"
#include "reports/analysis/equal_error.h"
#include "reports/analysis/outcomes.h"
#include "reports/format/format.h"
#include "reports/report.h"

namespace mbsbench {

namespace {

using namespace reports;

constexpr std::size_t kWidth = 100;
constexpr std::size_t kFailuresShown = 12;

// Signs beyond ASCII replaced, for any terminal.
std::string Ascii(const std::string& text) {
  static const std::pair<std::string, const char*> kSigns[] = {
      {"µ", "u"}, {"≤", "<="}, {"≥", ">="}, {"×", "x"}, {"±", "+-"},
      {"≈", "~"}, {"≲", "<~"}, {"≳", ">~"}, {"†", "+"}};
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& one) {
      return text.compare(i, one.first.size(), one.first) == 0;
    });
    if (sign != std::end(kSigns)) {
      plain += sign->second;
      i += sign->first.size();
      continue;
    }
    if ((byte & 0xC0) != 0x80) plain += byte < 0x20 ? ' ' : byte >= 0x7F ? '?' : text[i];
    ++i;
  }
  return plain;
}

// At most `width` characters; a longer text is cut and ends in "~".
std::string Fit(const std::string& text, std::size_t width) {
  const std::string plain = Ascii(text);
  return plain.size() <= width ? plain : plain.substr(0, width - 1) + "~";
}

// "lead part, part, part", wrapped with an indent.
std::string Wrapped(const std::string& lead, const std::vector<std::string>& parts) {
  std::string text, line = lead;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = Fit(parts[i], kWidth / 2) + (i + 1 < parts.size() ? "," : "");
    if (line.size() + 1 + part.size() > kWidth) {
      text += line + "\n";
      line = std::string(lead.size(), ' ');
    }
    line += " " + part;
  }
  return text + line + "\n";
}

std::string OutcomeLines(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const OutcomeCount& one : OutcomeCounts(comparison)) {
    if (one.cells > 0) parts.push_back(fmt::format("{} {}", one.cells, one.name));
  }
  return Wrapped(Plural(comparison.CellCount(), "cell") + ":", parts);
}

// "A", "B", ..., "Z", "A1", ...: method specs are too long for three columns.
std::string Letter(std::size_t index) {
  const std::string letter(1, static_cast<char>('A' + index % 26));
  return index < 26 ? letter : letter + std::to_string(index / 26);
}

std::string WithoutTrailingSpaces(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string FastestLines(const Comparison& comparison) {
  std::string text =
      "Fastest at equal error (CPU time, each with its best integrator; x: how many times as long\n"
      "the next takes; +: with another integrator; <=, >=: a bound; ~: interpolated far from its "
      "two\n"
      "cells; open: which of the two is faster is not known)\n";
  std::vector<std::string> key;
  const auto letter = [&comparison](const std::string& method) {
    const auto& list = comparison.methods;
    return Letter(
        static_cast<std::size_t>(std::find(list.begin(), list.end(), method) - list.begin()));
  };
  for (const std::string& method : comparison.methods) key.push_back(letter(method) + " " + method);
  text += Wrapped(" ", key);
  std::string header = fmt::format("  {:<23}", "problem");
  for (double error : kErrorLevels) header += fmt::format(" {:<26}", "error " + FormatError(error));
  text += WithoutTrailingSpaces(header) + "\n";
  for (const ProblemResults& problem : comparison.problems) {
    // A steady state is no rival of a motion.
    if (std::all_of(problem.cells.begin(), problem.cells.end(),
                    [](const Cell& cell) { return cell.integrator == "kinsol"; }))
      continue;
    std::string line = fmt::format("  {:<23}", Fit(problem.name, 23));
    for (double error : kErrorLevels) {
      const std::vector<BestTime> times = BestOfEachMethod(comparison, problem, "", error);
      std::string entry = IsJudged(problem) ? FormatTime(NotKnown(times)) : "no error known";
      if (const BestTime* fastest = Fastest(times)) {
        entry = letter(fastest->method) + " " + FormatTime(fastest->time);
        if (const BestTime* next = Next(times)) {
          const TimeRatio ratio = *RatioOf(next->time, fastest->time);
          entry += IsBound(next->time) || !WhyNoNext(ratio).empty()
                       ? fmt::format(" ({} open)", letter(next->method))
                       : fmt::format(" (x{} {})", MarkedRatio(ratio), letter(next->method));
        }
      }
      line += fmt::format(" {:<26}", Fit(entry, 26));
    }
    text += WithoutTrailingSpaces(line) + "\n";
  }
  return text;
}

// One line per method and outcome, over all problems.
std::string FailureLines(const Comparison& comparison) {
  struct Group {
    const Cell* first;
    int cells, problems;
    std::string last_problem;
  };
  std::vector<Group> groups;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      if (cell.finished() && cell.outcome != "inaccurate") continue;
      auto it = std::find_if(groups.begin(), groups.end(), [&cell](const Group& group) {
        return group.first->method == cell.method && group.first->outcome == cell.outcome;
      });
      if (it == groups.end()) it = groups.insert(groups.end(), {&cell, 0, 0, ""});
      ++it->cells;
      it->problems += it->last_problem != cell.problem;
      it->last_problem = cell.problem;
    }
  }
  if (groups.empty()) return "";
  // failures before refusals
  std::stable_partition(groups.begin(), groups.end(), [](const Group& group) {
    return FindOutcome(group.first->outcome).group != "absent";
  });
  std::string text = "Did not end ok (cells, key of the first for 'mbsbench explain')\n";
  for (std::size_t i = 0; i < std::min(groups.size(), kFailuresShown); ++i) {
    const Cell& first = *groups[i].first;
    const std::string where =
        groups[i].problems == 1 ? first.problem : Plural(groups[i].problems, "problem");
    text += Fit(fmt::format("  {:>4} {:<8} {} {} ({}){}", groups[i].cells, first.key.substr(0, 8),
                            first.method, first.outcome, where,
                            first.reason.empty() ? "" : ": " + first.reason),
                kWidth) +
            "\n";
  }
  if (groups.size() > kFailuresShown) {
    text +=
        fmt::format("       and {} more; the report lists all\n", groups.size() - kFailuresShown);
  }
  return text;
}

// Colours the names of outcomes that follow a count, or a count, a key and a method.
std::string Colored(const std::string& text) {
  static const std::map<std::string, const char*> kColors = {
      {"good", "32"}, {"doubtful", "33"}, {"failed", "31"}, {"stopped", "35"}, {"absent", "90"}};
  static const std::regex kOutcome(
      R"((^ +\d+ [0-9a-z]{1,8} +\S+ |(?:^|[ ,:])\d+ )([a-z_]+)(?=,|\n| \())",
      std::regex::multiline);
  std::string colored;
  auto from = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), kOutcome), end; it != end; ++it) {
    const std::string name = (*it)[2];
    const Outcome& outcome = FindOutcome(name);
    if (outcome.name != name) continue;
    colored.append(from, (*it)[2].first);
    colored += fmt::format("\x1b[{}m{}\x1b[0m", kColors.at(outcome.group), name);
    from = (*it)[2].second;
  }
  return colored.append(from, text.end());
}

}  // namespace

std::string Summary(const std::filesystem::path& store, bool has_color) {
  const Results results = ReadResults(store);
  if (results.runs.empty()) {
    return Fit(fmt::format(
                   "{}, the latest {}; no comparison",
                   Plural(static_cast<long long>(results.bench_runs.size()), "benchmark run"),
                   results.bench_runs.back().started),
               kWidth) +
           "\n";
  }
  const Comparison comparison = Compare(results);
  const Run& latest = results.runs.back();
  std::string text =
      Fit(fmt::format("Run {}, started {}{}", latest.id.substr(0, 8), latest.started,
                      latest.finished.empty() ? ", not finished" : ""),
          kWidth) +
      "\n";
  if (comparison.CellCount() == 0) {
    const std::string evaluated = comparison.EvaluationsInWords();
    return text + (evaluated.empty() ? "No cell has finished." : evaluated) + "\n";
  }
  text += OutcomeLines(comparison);
  text += "\n" + FastestLines(comparison);
  if (const std::string failures = FailureLines(comparison); !failures.empty())
    text += "\n" + failures;
  text = Printable(text);
  return has_color ? Colored(text) : text;
}

}  // namespace mbsbench
