// Across problems: the share of all targets (a problem and an error) that a method reaches within a CPU time, and as a second
// view the performance profiles of Dolan and More 2002.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/targets.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

struct Step {
  double cost;
  std::string text;
};

// Rising steps of height 1 / targets.
Json Steps(std::vector<Step> steps, std::size_t targets) {
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.cost < b.cost; });
  Json points = Json::array();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double fraction = static_cast<double>(i + 1) / static_cast<double>(targets);
    points.push_back({Json::parse(fmt::format("{:.4g}", steps[i].cost)),
                      Json::parse(fmt::format("{:.4g}", fraction)),
                      fmt::format("{} of {} targets: {}", i + 1, targets, steps[i].text)});
  }
  return points;
}

std::string Name(const Target& target) {
  return target.problem->name + " at " + FormatError(target.error);
}

struct Tally {
  std::string method;
  int reached = 0;
  Missed missed = {};
  int compared = 0;                 // targets with a ratio
  int fastest = 0, within_two = 0;  // of these: not slower than the fastest; at most twice its time
};

Tally Count(const std::vector<Target>& targets, std::size_t method) {
  Tally tally{targets.front().attempts[method].method};
  for (const Target& target : targets) {
    const Attempt& attempt = target.attempts[method];
    tally.missed.Count(attempt);
    tally.reached += attempt.time.known();
    if (!attempt.ratio) continue;
    ++tally.compared;
    tally.fastest += attempt.verdict.name != NameOf(PairVerdict::kSlower);
    tally.within_two += attempt.ratio->value <= 2;
  }
  return tally;
}

// Without a known ratio only the file has the columns that count ratios.
Table TallyTable(const Comparison& comparison, const std::vector<Target>& targets,
                 bool has_ratios) {
  std::vector<Tally> tallies;
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    Tally tally = Count(targets, m);
    if (tally.missed.not_asked < targets.size()) tallies.push_back(std::move(tally));
  }
  std::ranges::stable_sort(tallies, std::greater(), &Tally::reached);
  const In ratios = has_ratios ? In::kBoth : In::kFile;
  const auto count = static_cast<double>(targets.size());
  return TableOf<Tally>("Targets by method",
                        {{{"method"}, [&](auto& t) { return MethodCell(comparison, t.method); }},
                         {{"reached", true}, &Tally::reached},
                         {{"share", true, "", In::kBoth,
                           [](double share) { return fmt::format("{:.0f} %", 100 * share); }},
                          [count](auto& t) { return t.reached / count; }},
                         {{"compared", true, "", ratios}, &Tally::compared},
                         {{"not known to be slower", true, "", ratios}, &Tally::fastest},
                         {{"within 2 x of the fastest", true, "", ratios}, &Tally::within_two},
                         {{"tried, not reached", true}, [](auto& t) { return t.missed.tried; }},
                         {{"refused the problem", true}, [](auto& t) { return t.missed.refused; }},
                         {{"not run or timed yet", true, "not run yet"},
                          [](auto& t) { return t.missed.open + t.missed.untimed; }},
                         {{"not planned", true}, [](auto& t) { return t.missed.not_asked; }}},
                        tallies);
}

// Targets that some method reaches where several were run.
std::size_t CountCompared(const std::vector<Target>& targets) {
  return static_cast<std::size_t>(std::ranges::count_if(
      targets, [](const Target& target) { return target.Fastest() && target.Fastest()->ratio; }));
}

constexpr double kShares[] = {0.25, 0.5, 0.75, 0.9};

Table ShareTable() {
  Table table{"CPU time per body and characteristic time until a share of the targets is reached",
              {{"method"}}};
  for (const double share : kShares)
    table.columns.push_back({fmt::format("{:.0f} % of the targets", 100 * share), true});
  return table;
}

// `costs`: of the targets that were reached.
std::vector<TableCell> ShareRow(const Comparison& comparison, const std::string& method,
                                const std::vector<Step>& costs, std::size_t targets) {
  std::vector<double> sorted;
  for (const Step& step : costs) sorted.push_back(step.cost);
  std::sort(sorted.begin(), sorted.end());
  std::vector<TableCell> row = {MethodCell(comparison, method)};
  for (const double share : kShares) {
    const auto needed = static_cast<std::size_t>(std::ceil(share * static_cast<double>(targets)));
    row.push_back(needed <= sorted.size() ? SecondsCell(sorted[needed - 1])
                                          : TableCell{"not reached", nullptr, "weak"});
  }
  return row;
}

Json StyledBy(const Comparison& comparison, std::size_t m) {
  return CurveStyle(comparison, comparison.methods[m], "", comparison.methods[m]);
}

Figure DistributionFigure(const Comparison& comparison, const std::vector<Target>& targets) {
  Figure figure{.kind = "distribution",
                .title = "Targets reached within a CPU time",
                .command = LatestCommand(comparison),
                .table = ShareTable(),
                .csv = kTargetsFile};
  Json series = Json::array();
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    std::vector<Step> seconds, per_unit;
    Missed missed;
    for (const Target& target : targets) {
      const Attempt& attempt = target.attempts[m];
      missed.Count(attempt);
      if (!attempt.time.known()) continue;
      const std::string text = fmt::format("{} in {} with {}", Name(target),
                                           FormatTime(attempt.time), attempt.integrator);
      seconds.push_back({attempt.time.seconds, text});
      if (target.unit_seconds > 0)
        per_unit.push_back({attempt.time.seconds / target.unit_seconds, text});
    }
    if (seconds.empty()) continue;
    figure.table.rows.push_back(
        ShareRow(comparison, comparison.methods[m], per_unit, targets.size()));
    Json one = StyledBy(comparison, m);
    one["end"] = missed.InWords(targets.size());
    if (const std::size_t open = missed.open + missed.untimed; open > 0)
      one["note"] = fmt::format("{} of {} not run or timed yet", open, targets.size());
    one["views"] = {Steps(std::move(per_unit), targets.size()),
                    Steps(std::move(seconds), targets.size())};
    series.push_back(std::move(one));
  }
  const auto open = std::count_if(targets.begin(), targets.end(), IsOpenForAll);
  figure.data = {{"series", series},
                 {"open",
                  {{"share", static_cast<double>(open) / static_cast<double>(targets.size())},
                   {"text", fmt::format("{} of {} not run or timed yet", open, targets.size())}}},
                 {"views",
                  {{{"label", "per body and characteristic time"},
                    {"x", "CPU time / (bodies × end time / T)"},
                    {"y", "fraction of targets reached"},
                    {"unit", "s"}},
                   {{"label", "whole integration"},
                    {"x", "CPU time of the integration"},
                    {"y", "fraction of targets reached"},
                    {"unit", "s"}}}}};
  std::set<const ProblemResults*> problems;
  for (const Target& target : targets) problems.insert(target.problem);
  figure.summary = fmt::format(
      "The fraction of all targets that a method reaches within a CPU time, with its best "
      "integrator. Higher and further left is better. A target is a problem and an error of the "
      "plan that the problem and its reference allow. This store has {} on {}. "
      "Each counts once here; in the overview all members of one family of problems, its "
      "sizes and variants, count as one problem (members with closed loops as another), so its "
      "shares differ. T "
      "is the characteristic time of a problem. No curve depends on another. A curve ends at the "
      "last target that the method reached, and its last point gives the number of the others by "
      "reason. The "
      "grey field holds targets that no method reached and whose cells were not run or timed yet.",
      Plural(targets.size(), "target"), Plural(problems.size(), "problem"));
  return figure;
}

Figure ProfileFigure(const Comparison& comparison, const std::vector<Target>& targets) {
  Figure figure;
  figure.kind = "distribution";
  figure.title = "Performance profiles (second view)";
  figure.csv = kTargetsFile;
  figure.command = LatestCommand(comparison);
  figure.table = {
      "Ratio to the fastest method",
      {{"method"}, {"targets compared", true}, {"median ratio", true}, {"largest ratio", true}}};
  Json series = Json::array();
  const std::size_t compared = CountCompared(targets);
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    std::vector<Step> ratios;
    for (const Target& target : targets) {
      const Attempt& attempt = target.attempts[m];
      if (!attempt.ratio) continue;
      const Attempt& fastest = *target.Fastest();
      const double ratio = attempt.ratio->value;
      ratios.push_back(
          {ratio, fmt::format("{} with {}, x {} of {} with {}", Name(target), attempt.integrator,
                              FormatRatio(ratio), fastest.method, fastest.integrator)});
    }
    if (ratios.empty()) continue;
    std::vector<double> sorted;
    for (const Step& ratio : ratios) sorted.push_back(ratio.cost);
    std::sort(sorted.begin(), sorted.end());
    const double median = Median(sorted);
    figure.table.rows.push_back({MethodCell(comparison, comparison.methods[m]),
                                 CountCell(sorted.size()), NumberCell(FormatRatio(median), median),
                                 NumberCell(FormatRatio(sorted.back()), sorted.back())});
    Json one = StyledBy(comparison, m);
    one["views"] = {Steps(std::move(ratios), compared)};
    series.push_back(std::move(one));
  }
  figure.data = {{"series", series},
                 {"views",
                  {{{"label", "ratio"},
                    {"x", "CPU time over that of the fastest method"},
                    {"y", "fraction of targets"},
                    {"unit", ""}}}}};
  figure.summary = fmt::format(
      "The fraction of targets that a method reaches within a factor of the fastest method (Dolan "
      "and More 2002). At factor 1 it is the fraction on which the method takes no longer than the "
      "fastest. It counts the {} targets that some method reaches where several were run. Each "
      "method has its own fastest integrator at each target, so the two of a ratio may differ; the "
      "text of a point names both. Every ratio is to the fastest method of this store: another "
      "method or variant changes all curves and can change the order of two others (Gould and "
      "Scott 2016). Methods hidden by the filter still count.",
      compared);
  return figure;
}

// Counts for two families, on the targets of problems that both support: faster, undecided or alike, slower. A family that
// reached a target wins over one that ran to the end and did not. Without a row if nothing is decided.
Table WinTable(const Comparison& comparison, const std::vector<Target>& targets) {
  const std::vector<std::string> families = MethodFamilies(comparison);
  Table table{
      "Wins/ties/losses of the family of a row against that of a column, each with its best "
      "variant and integrator, which may differ. A win: it is faster, or alone reaches the target. "
      "A "
      "tie: neither is known to be slower. It counts the targets (a problem and an error) of "
      "problems that both families support and have run to the end",
      {{"methods"}}};
  for (const std::string& family : families) table.columns.push_back({family});
  const auto was_asked = [](const Target& target, const std::string& family) {
    if (BestOfFamily(target, family)) return true;
    return std::ranges::any_of(AttemptsOf(target, family), [](const Attempt& one) {
      return one.was_asked && !one.is_refused && !one.time.is_open();
    });
  };
  bool is_decided = false;
  for (const std::string& own : families) {
    std::vector<TableCell> row = {{own}};
    for (const std::string& other : families) {
      int wins = 0, ties = 0, losses = 0;
      for (const Target& target : targets) {
        if (!was_asked(target, own) || !was_asked(target, other)) continue;
        const Attempt *mine = BestOfFamily(target, own), *theirs = BestOfFamily(target, other);
        if (!mine && !theirs) continue;
        const PairVerdict verdict = !theirs ? PairVerdict::kFaster
                                    : !mine ? PairVerdict::kSlower
                                            : RatioOf(mine->time, theirs->time)->Verdict();
        ++(verdict == PairVerdict::kFaster   ? wins
           : verdict == PairVerdict::kSlower ? losses
                                             : ties);
      }
      is_decided |= wins + losses > 0;
      row.push_back({own == other ? "-" : fmt::format("{}/{}/{}", wins, ties, losses), nullptr,
                     wins > losses   ? "best"
                     : losses > wins ? "weak"
                                     : ""});
    }
    table.rows.push_back(std::move(row));
  }
  if (!is_decided) table.rows.clear();
  return table;
}

}  // namespace

Section DistributionSection(const Comparison& comparison, Document& document) {
  Section section{"across", "Across problems", {}};
  const std::vector<Target> targets = Targets(comparison);
  if (std::ranges::none_of(targets, &Target::Fastest)) {
    section.blocks.push_back(
        Paragraph{"No cell has both an accuracy and a time, so there is nothing to compare across "
                  "problems."});
    return section;
  }
  section.blocks.push_back(DistributionFigure(comparison, targets));
  const bool has_ratios = CountCompared(targets) > 0;
  AddTable(TallyTable(comparison, targets, has_ratios), "targets_by_method.csv", section, document);
  AddTable(WinTable(comparison, targets), "wins.csv", section, document);
  if (has_ratios) section.blocks.push_back(ProfileFigure(comparison, targets));
  return section;
}

}  // namespace mbsbench::reports
