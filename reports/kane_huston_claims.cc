// What Lu et al. 2014 claim of their recursive algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/format.h"
#include "reports/growing.h"
#include "reports/paper_claims.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kMethod = "kane-huston";
constexpr const char* kRival = "cartesian-dae";

PaperClaim PendulumClaim(const Comparison& comparison) {
  constexpr const char* kProblem = "dpend18";
  constexpr double kMeets = 1e-6;
  PaperClaim row{"the algorithm gives the motion of the double pendulum", kLu2014, "", {}, {}, ""};
  const ProblemResults* problem = FindProblem(comparison, kProblem);
  const Cell* best = problem ? MostAccurate(*problem, kMethod) : nullptr;
  if (!best) {
    row.evidence = fmt::format("{} by {}", kProblem, kMethod);
    row.verdict = NotMeasured(fmt::format("--problem {} --method '{}*'", kProblem, kMethod));
    return row;
  }
  row.ours = best->error;
  row.evidence = fmt::format("{} by {}, {}: error {} against the reference", kProblem,
                             best->Curve(), best->Setting(), FormatError(best->error));
  row.standing = *best->error < kMeets ? Standing::kHolds : Standing::kFails;
  row.verdict = *best->error < kMeets ? "holds" : "does not hold at the settings run";
  return row;
}

// Against constraints with multipliers, which theirs does without.
PaperClaim EfficiencyClaim(const Comparison& comparison) {
  constexpr double kError = 1e-6;
  PaperClaim row{
      "fewer variables and no constraint forces make it efficient", kLu2014, "", {}, {}, ""};
  struct Decided {
    TimeRatio ratio;
    std::string problem;
    double bodies;
    std::string Text() const { return fmt::format("{} on {}", FormatRatio(ratio), problem); }
  };
  std::vector<Decided> exact, bounds;  // those that tell which of the two is faster
  long long open = 0;
  for (const ProblemResults& problem : comparison.problems) {
    if (Number(problem.document, "loops").value_or(1) > 0) continue;
    const BestTime ours = BestVariant(comparison, problem, kMethod, kError);
    const BestTime rival = BestVariant(comparison, problem, kRival, kError);
    if (!ours.time.known() || !rival.time.known()) continue;
    const auto ratio = RatioOf(rival.time, ours.time);
    if (!ratio || (!ratio->IsAtLeast(1) && !ratio->IsAtMost(1))) {
      ++open;
      continue;
    }
    (ratio->kind == TimeRatio::Kind::kExact ? exact : bounds)
        .push_back({*ratio, problem.name, Number(problem.document, "bodies").value_or(0)});
  }
  const std::string what = fmt::format("time of {} (multipliers) over that of {} at error {}",
                                       kRival, kMethod, FormatError(kError));
  const std::string left_open =
      open == 0 ? ""
                : fmt::format("; {} left open, where times are only bounds", Plural(open, "tree"));
  if (exact.empty() && bounds.empty()) {
    row.evidence = fmt::format("{} against {} on chains and trees{}", kMethod, kRival, left_open);
    row.verdict =
        open > 0
            ? "not decided: the coarsest cells are better than the error compared at"
            : NotMeasured(fmt::format("--tag tree --method '{}*' --method '{}*'", kMethod, kRival));
    return row;
  }
  const auto is_less = [](const Decided& a, const Decided& b) {
    return a.ratio.value < b.ratio.value;
  };
  std::sort(exact.begin(), exact.end(), is_less);
  std::sort(bounds.begin(), bounds.end(), is_less);
  row.evidence = what;
  if (!exact.empty()) {
    row.ours = exact[(exact.size() - 1) / 2].ratio.value;
    row.evidence += fmt::format(": median {} of {}, from {} to {}", FormatRatio(*row.ours),
                                Plural(static_cast<long long>(exact.size()), "tree"),
                                exact.front().Text(), exact.back().Text());
  }
  if (!bounds.empty()) {
    row.evidence += fmt::format("; a bound only: {}{}", bounds.front().Text(),
                                bounds.size() > 1 ? " to " + bounds.back().Text() : "");
  }
  row.evidence += left_open;

  std::vector<Decided> all = exact;
  all.insert(all.end(), bounds.begin(), bounds.end());
  const auto slower = std::count_if(all.begin(), all.end(),
                                    [](const Decided& one) { return one.ratio.IsAtMost(1); });
  const bool is_most = 2 * slower < static_cast<std::ptrdiff_t>(all.size());
  const Decided& worst = *std::min_element(all.begin(), all.end(), is_less);
  const bool is_largest = std::all_of(all.begin(), all.end(), [&worst](const Decided& other) {
    return &other == &worst || other.bodies < worst.bodies;
  });
  row.standing = slower == 0 ? Standing::kHolds : is_most ? Standing::kPartly : Standing::kFails;
  row.verdict = slower == 0 ? "holds"
                : is_most   ? fmt::format("holds on most; not on {}{}", worst.problem,
                                        is_largest ? ", the largest: its cost grows faster than "
                                                       "linearly with bodies"
                                                     : "")
                            : "does not hold here";
  return row;
}

// Speeds of the flight after burn-out beside those of their test.
PaperClaim FlightClaim(const Comparison& comparison) {
  constexpr double kPublished = 2.9, kGood = 5;  // [%]
  PaperClaim row{"velocities of the line-throwing rocket agree with a test to 2.9 % on average",
                 kLu2014,
                 "",
                 {},
                 kPublished,
                 ""};
  std::string evidence;
  for (const ProblemResults& problem : comparison.problems) {
    if (FamilyOf(problem) != kRocketFamily) continue;
    const Cell* best = MostAccurate(problem, kMethod);
    if (!best) continue;
    double sum = 0;
    int speeds = 0;
    for (const Json& printed : Field(problem.document, "published")) {
      if (Text(printed, "quantity") != "speed" || !Text(printed, "source").ends_with(", test"))
        continue;
      const Json* own = FindOwnValue(*best, printed);
      const auto ours = own ? Number(*own, "ours") : std::nullopt;
      const auto theirs = Number(printed, "published");
      if (!ours || !theirs) continue;
      sum += std::abs(*ours / *theirs - 1);
      ++speeds;
    }
    if (speeds == 0) continue;
    const double mean = 100 * sum / speeds;
    if (!row.ours) row.ours = mean;
    evidence += fmt::format("{}{} {:.1f} %", evidence.empty() ? "" : ", ", problem.name, mean);
  }
  if (!row.ours) {
    row.evidence = fmt::format("rocket by {}", kMethod);
    row.verdict = NotMeasured(fmt::format("--problem 'rocket*' --method '{}*'", kMethod));
    return row;
  }
  row.evidence = "mean difference of our speeds from those of their test: " + evidence;
  row.standing = *row.ours < kGood ? Standing::kHolds : Standing::kPartly;
  row.verdict = *row.ours < kGood
                    ? "holds, with drag and launcher completed by this catalogue"
                    : "cannot be judged closer: drag and launcher are not printed, and what this "
                      "catalogue assumes for them moves the speeds by as much";
  return row;
}

}  // namespace

std::vector<PaperClaim> KaneHustonClaims(const Comparison& comparison) {
  return {PendulumClaim(comparison), EfficiencyClaim(comparison), FlightClaim(comparison)};
}

}  // namespace mbsbench::reports
