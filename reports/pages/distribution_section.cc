// Across problems: how many targets (a problem and an error) each method reaches.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

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
  return section;
}

}  // namespace mbsbench::reports
