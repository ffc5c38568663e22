// The status of the comparison: its progress, machine and noise, and how to cite it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <ranges>

#include "reports/analysis/benches.h"
#include "reports/analysis/coverage.h"
#include "reports/analysis/disagreements.h"
#include "reports/analysis/outcomes.h"
#include "reports/analysis/stalled.h"
#include "reports/format/format.h"
#include "reports/pages/overview.h"

namespace mbsbench::reports {

namespace {

std::string Citation(const Run& run) {
  return fmt::format("mbsbench {}, commit {}, run {} of {}, {}", run.build.version,
                     run.build.commit, run.id.substr(0, 8), run.started.substr(0, 10),
                     run.machine.cpu);
}

// How far the ratios of the map scatter over their paired rounds. A slow moment of the machine strikes both times of a pair, so
// single times may scatter more.
struct Noise {
  long long ratios = 0, noisy = 0;  // of several rounds; those with an interval wider than 10 %

  // Fewer ratios say nothing about the machine.
  static constexpr long long kFewestRatios = 20;
  bool IsKnown() const { return ratios >= kFewestRatios; }
  bool IsNoisy() const { return 10 * noisy > ratios; }  // more than one ratio in ten
  // "quiet", "noisy: 27 of 536 ratios", "not known yet"
  std::string InShort() const {
    if (!IsKnown()) return ratios > 0 ? "not known yet" : "";
    return IsNoisy() ? fmt::format("noisy: {} of {}", FormatCount(noisy), Plural(ratios, "ratio"))
                     : "quiet";
  }
};

Noise NoiseOf(const MechanismMap& map) {
  Noise noise;
  for (const MapMeasure& measure : map.measures) {
    for (const MapField& field : measure.fields | std::views::join) {
      for (const MapEntry& entry : field.entries) {
        // The ratio of the fastest to itself is none.
        if (entry.is_base || !entry.ratio || !entry.ratio->spread ||
            entry.ratio->spread->rounds < 2)
          continue;
        ++noise.ratios;
        noise.noisy += entry.ratio->spread->IsNoisy();
      }
    }
  }
  return noise;
}

}  // namespace

Figure StatusFigure(const Comparison& comparison, const MechanismMap& map) {
  Figure figure;
  figure.kind = "status";
  figure.title = "Status of the comparison";
  figure.table = {"Status", {{"what"}, {"value"}}};
  Json items = Json::array();
  const auto add = [&](const std::string& label, const std::string& value, const char* tone,
                       const std::string& more = "", const char* route = "") {
    if (value.empty()) return;
    items.push_back(
        {{"label", label}, {"value", value}, {"tone", tone}, {"more", more}, {"route", route}});
    figure.table.rows.push_back({{label}, {more.empty() ? value : value + ": " + more}});
  };
  const Run& run =
      comparison.runs.empty() ? comparison.results->runs.back() : *comparison.runs.back();
  const std::string unfinished = UnfinishedInShort(comparison);
  const std::vector<std::string> how_far = DescribeUnfinishedRuns(comparison);
  std::map<CellEnding, int> endings;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      if (IsTried(cell.outcome)) ++endings[EndingOf(cell.outcome)];  // a refusal is no result
    }
  }
  std::vector<std::string> counts;
  for (const auto& [ending, cells] : endings)
    counts.push_back(FormatCount(cells) + " " + NameOf(ending));
  const std::string shards = ShardsOf(run);
  add(shards.empty() ? "run" : shards, unfinished.empty() ? "complete" : unfinished,
      unfinished.empty() ? "good" : "doubtful", fmt::format("{}", fmt::join(how_far, " ")),
      "machine");
  add("cells", fmt::format("{}", fmt::join(counts, ", ")), "", "", "outcomes");
  const Noise noise = NoiseOf(map);
  add("machine", fmt::format("{}, {} cores", run.machine.cpu, CoresOf(run.machine)), "", "",
      "machine");
  add("noise", noise.InShort(),
      noise.IsNoisy()   ? "doubtful"
      : noise.IsKnown() ? "good"
                        : "",
      fmt::format("The interval of {} of {} of the map is wider than 10 %; the pages of the "
                  "problems mark them.",
                  FormatCount(noise.noisy), Plural(noise.ratios, "ratio")),
      "machine");
  const std::string& commit = run.build.commit;
  const std::size_t mark = std::min(commit.find('-'), commit.size());  // "-dirty"
  add("commit", commit.substr(0, std::min<std::size_t>(mark, 10)) + commit.substr(mark), "",
      run.build.flags, "machine");
  add("date", run.started.substr(0, 10), "", CommandOf(run), "machine");
  const Disagreements found = ReadDisagreements(comparison);
  std::vector<std::string> in_short, where = found.wrong;
  where.insert(where.end(), found.open.begin(), found.open.end());
  if (!found.wrong.empty()) in_short.push_back(fmt::format("{} wrong", found.wrong.size()));
  if (!found.open.empty()) in_short.push_back(Plural(found.open.size(), "disagreement"));
  const std::vector<StalledOnProblem> stalled = AllStalledCurves(comparison);
  for (const auto& [problem, curve] : stalled) where.push_back(curve.Sentence(problem));
  if (stalled.size() == 1) {
    in_short.push_back(fmt::format("the error of {} stops falling on {}", stalled[0].curve.method,
                                   stalled[0].problem));
  } else if (!stalled.empty()) {
    in_short.push_back(fmt::format("{} curves whose error stops falling", stalled.size()));
  }
  if (!where.empty()) {
    add("equations", fmt::format("{}", fmt::join(in_short, ", ")), "failed",
        fmt::format("{}", fmt::join(where, " ")), "validation");
  }
  if (!found.losses.empty()) {
    add("digits",
        fmt::format("lost by {} on {}", Plural(found.losses.size(), "method"),
                    Plural(found.problems_of_losses.size(), "problem")),
        "doubtful",
        fmt::format("{}",
                    fmt::join(found.losses | std::views::transform(&DigitLoss::description), " ")),
        "validation");
  }
  std::vector<std::string> of_readers;
  for (const ProblemResults& problem : comparison.problems) {
    for (const std::string& warning : problem.record.warnings)
      of_readers.push_back(problem.name + ": " + warning + ".");
  }
  if (!of_readers.empty()) {
    add("files", "read with " + Plural(of_readers.size(), "warning"), "doubtful",
        fmt::format("{}", fmt::join(of_readers, " ")), "problems");
  }
  if (const auto& warnings = comparison.results->warnings; !warnings.empty()) {
    add("store", Plural(warnings.size(), "record") + " not read", "failed",
        fmt::format("{}", fmt::join(warnings, " ")));
  }
  if (comparison.superseded > 0) {
    add("older", Plural(comparison.superseded, "trial") + " not shown", "",
        "of older builds or other machines, of problems that a newer run repeated");
  }
  figure.data = {{"items", std::move(items)}, {"citation", Citation(run)}};
  figure.table.rows.push_back({{"cite"}, {Citation(run)}});
  return figure;
}

}  // namespace mbsbench::reports
