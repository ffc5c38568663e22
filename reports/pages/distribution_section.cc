// Across problems: how many targets (a problem and an error) each method reaches, and which of two families is faster.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/targets.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

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
  section.blocks.push_back(Paragraph{fmt::format(
      "A target is a problem and an error of the plan that the problem and its reference allow. "
      "This store has {}; each counts once here. Curves over time are in the overview.",
      Plural(targets.size(), "target"))});
  const bool has_ratios = CountCompared(targets) > 0;
  AddTable(TallyTable(comparison, targets, has_ratios), "targets_by_method.csv", section, document);
  AddTable(WinTable(comparison, targets), "wins.csv", section, document);
  return section;
}

}  // namespace mbsbench::reports
