// What Lu et al. 2014 claim of their recursive algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/format.h"
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
  struct Ratio {
    double value;
    std::string problem;
    double bodies;
  };
  std::vector<Ratio> ratios;
  for (const ProblemResults& problem : comparison.problems) {
    if (Number(problem.document, "loops").value_or(1) > 0) continue;
    const BestTime ours = BestVariant(comparison, problem, kMethod, kError);
    const BestTime rival = BestVariant(comparison, problem, kRival, kError);
    if (ours.time.known() && rival.time.known())
      ratios.push_back({rival.time.seconds / ours.time.seconds, problem.name,
                        Number(problem.document, "bodies").value_or(0)});
  }
  if (ratios.empty()) {
    row.evidence = fmt::format("{} against {} on chains and trees", kMethod, kRival);
    row.verdict =
        NotMeasured(fmt::format("--tag tree --method '{}*' --method '{}*'", kMethod, kRival));
    return row;
  }
  std::sort(ratios.begin(), ratios.end(),
            [](const Ratio& a, const Ratio& b) { return a.value < b.value; });
  const double median = ratios[(ratios.size() - 1) / 2].value;
  row.ours = median;
  row.evidence = fmt::format(
      "time of {} (multipliers) over that of {} at error {}: median {:.3g} of {}, from {:.2g} on "
      "{} "
      "to {:.3g} on {}",
      kRival, kMethod, FormatError(kError), median,
      Plural(static_cast<long long>(ratios.size()), "tree"), ratios.front().value,
      ratios.front().problem, ratios.back().value, ratios.back().problem);
  row.standing = ratios.front().value > 1 ? Standing::kHolds
                 : median > 1             ? Standing::kPartly
                                          : Standing::kFails;
  const bool is_largest = std::all_of(ratios.begin() + 1, ratios.end(), [&](const Ratio& other) {
    return other.bodies < ratios.front().bodies;
  });
  row.verdict = ratios.front().value > 1 ? "holds"
                : median > 1 ? fmt::format("holds on most; not on {}{}", ratios.front().problem,
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
    if (Text(problem.document, "family") != "rocket") continue;
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
