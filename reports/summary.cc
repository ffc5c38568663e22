// The store on a screen of a terminal: how far it is, what each family of methods costs, what failed, and how to go on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/store/printable.h"
#include "harness/store/run_commands.h"
#include "reports/analysis/coverage.h"
#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/outcomes.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/report.h"

namespace mbsbench {

namespace {

using namespace reports;

constexpr std::size_t kWidth = 100;
constexpr std::size_t kFailuresShown = 2, kFamiliesShown = 7;

// Signs beyond ASCII replaced, for any terminal.
std::string Ascii(const std::string& text) {
  static const std::pair<std::string, const char*> kSigns[] = {
      {"µ", "u"}, {"≤", "<="}, {"×", "x"}, {"±", "+-"}, {"†", "+"}, {"°", "*"}};
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
std::string Fit(const std::string& text, std::size_t width = kWidth) {
  const std::string plain = Ascii(text);
  return plain.size() <= width ? plain : plain.substr(0, width - 1) + "~";
}

// "312 cells: 300 ok, 8 inaccurate, 4 failed", without refusals, which are no results.
std::string OutcomeLine(const Comparison& comparison) {
  std::vector<std::pair<std::string, int>> counts;  // by outcome
  int all = 0;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      if (!IsTried(cell.outcome)) continue;
      const auto is_own = [&cell](const auto& one) { return one.first == cell.outcome; };
      ++FindOrAdd(counts, is_own, {cell.outcome, 0}).second;
      ++all;
    }
  }
  if (all == 0) return "no motion has been run yet\n";
  std::ranges::stable_sort(counts, std::greater(), [](const auto& one) { return one.second; });
  std::vector<std::string> parts;
  for (const auto& [outcome, count] : counts) parts.push_back(fmt::format("{} {}", count, outcome));
  return Fit(fmt::format("{}: {}", Plural(all, "cell"), fmt::join(parts, ", "))) + "\n";
}

std::string FieldText(const MapMeasure* measure, std::size_t family) {
  if (!measure) return "-";
  const MapField field = measure->Overall(family);
  if (field.Taken() == 0) return "-";
  return fmt::format("{} {}/{}", measure->InWords(field), field.Reached(), field.Taken());
}

// A row for each family: one evaluation, and a motion at the main target, each over the cheapest.
std::string FamilyLines(const Comparison& comparison) {
  const MechanismMap map = MakeMechanismMap(comparison, Targets(comparison));
  const MapMeasure *evaluation = map.Find(kOneEvaluation),
                   *motion = map.AtTarget(comparison.MainTarget());
  if (!evaluation && !motion) return "";
  std::string text =
      fmt::format("{:<38}{:<24}{}\n", "cost over that of the cheapest family", "one evaluation",
                  "motion at " + FormatError(comparison.MainTarget()));
  std::vector<std::pair<std::pair<bool, double>, std::string>> rows;  // engines last
  for (std::size_t f = 0; f < map.families.size(); ++f) {
    const auto median_of = [f](const MapMeasure* measure) {
      const std::optional<double> median =
          measure ? measure->Overall(f).median : std::optional<double>();
      return median.value_or(INFINITY);
    };
    rows.emplace_back(
        std::pair(map.IsEngine(f), std::min(median_of(evaluation), median_of(motion))),
        Fit(fmt::format("  {:<36}{:<24}{}", map.families[f] + (map.IsEngine(f) ? " (engine)" : ""),
                        Ascii(FieldText(evaluation, f)), Ascii(FieldText(motion, f)))));
  }
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.first; });
  for (std::size_t i = 0; i < std::min(rows.size(), kFamiliesShown); ++i)
    text += rows[i].second + "\n";
  return text +
         Fit(fmt::format(
             "  {}median over problems; 9/12: known of 9 of 12 taken; ?: not decided yet",
             rows.size() > kFamiliesShown
                 ? fmt::format("({} more in the report) ", rows.size() - kFamiliesShown)
                 : "")) +
         "\n";
}

// One line on what failed, and the command that explains the first.
std::string FailureLines(const Comparison& comparison, const std::string& program) {
  struct Group {
    const Cell* first;
    int cells = 0;
  };
  std::vector<Group> groups;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      if (!IsTried(cell.outcome) || (cell.finished() && cell.outcome != "inaccurate")) continue;
      Group& group = FindOrAdd(
          groups,
          [&cell](const Group& one) {
            return one.first->method == cell.method && one.first->outcome == cell.outcome;
          },
          Group{&cell});
      ++group.cells;
    }
  }
  if (groups.empty()) return "";
  // failures before inaccurate ones
  std::ranges::stable_sort(groups, std::greater(), [](const Group& group) {
    return std::pair(FindOutcome(group.first->outcome).group != "doubtful", group.cells);
  });
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(groups.size(), kFailuresShown); ++i) {
    const Group& group = groups[i];
    shown.push_back(
        fmt::format("{} {} by {}", group.cells, group.first->outcome, group.first->method));
  }
  if (groups.size() > kFailuresShown)
    shown.push_back(fmt::format("{} more kinds", groups.size() - kFailuresShown));
  std::string text = Fit(fmt::format("did not end ok: {}", fmt::join(shown, ", "))) + "\n";
  const std::string& key = groups.front().first->key;
  if (!key.empty())
    text += Fit(fmt::format("  explained by: {} explain {} --store {}", program, key.substr(0, 8),
                            comparison.results->path.string())) +
            "\n";
  return text;
}

}  // namespace

std::string Summary(const std::filesystem::path& store, const std::string& program,
                    const std::string& continued_by) {
  const Results results = ReadResults(store);
  if (results.runs.empty()) {
    return Fit(fmt::format(
               "{}, the latest {}; no comparison",
               Plural(static_cast<long long>(results.bench_runs.size()), "benchmark run"),
               results.bench_runs.back().started)) +
           "\n";
  }
  const Comparison comparison = Compare(results);
  const Run& latest = results.runs.back();
  const std::string unfinished = UnfinishedInShort(comparison);
  std::string text = Fit(fmt::format("Run {}, started {}{}", latest.id.substr(0, 8), latest.started,
                                     unfinished.empty() ? "" : ", " + unfinished)) +
                     "\n";
  if (comparison.CellCount() == 0) {
    const std::string evaluated = comparison.EvaluationsInWords();
    if (evaluated.empty()) return text + "No cell has finished.\n";
    text += Fit(evaluated) + "\n";
  } else {
    text += OutcomeLine(comparison);
  }
  text += FamilyLines(comparison);
  text += FailureLines(comparison, program);
  if (!unfinished.empty()) {
    text +=
        "goes on by: " +
        Ascii(continued_by.empty() ? CalledAs(program, CommandToContinue(latest)) : continued_by) +
        "\n";
  }
  return Printable(text);
}

}  // namespace mbsbench
