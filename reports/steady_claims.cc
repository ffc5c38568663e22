// What Choi, Park, Yoo 2002 claim of steady states by Newton's method.
#include <fmt/format.h>

#include <algorithm>

#include "reports/format.h"
#include "reports/outcomes.h"
#include "reports/paper_claims.h"
#include "reports/steady.h"

namespace mbsbench::reports {

namespace {

// Open and closed systems apart, since they claim both.
PaperClaim FoundClaim(const Comparison& comparison, bool has_loops) {
  constexpr double kMeets = 1e-9;
  PaperClaim row{fmt::format("steady states of {} systems directly, by an iteration",
                             has_loops ? "closed" : "open"),
                 kChoi2002,
                 "",
                 {},
                 {},
                 ""};
  int asked = 0, found = 0, judged = 0;
  double most_iterations = 0;
  std::optional<double> worst;
  std::string failed;
  for (const ProblemResults& problem : comparison.problems) {
    if ((Number(problem.document, "loops").value_or(0) > 0) != has_loops) continue;
    for (const Cell& cell : problem.cells) {
      if (cell.integrator != kSteadySolver || !IsTried(cell.outcome)) continue;
      ++asked;
      if (!cell.finished() || cell.outcome == "inaccurate") {
        failed += (failed.empty() ? "" : ", ") + problem.name;
        continue;
      }
      ++found;
      most_iterations =
          std::max(most_iterations, Number(cell.counters, "newton_iterations").value_or(0));
      if (!cell.error) continue;
      ++judged;
      worst = std::max(worst.value_or(0), *cell.error);
    }
  }
  if (asked == 0) {
    row.evidence = "steady-state-newton";
    row.verdict = NotMeasured(fmt::format("--problem '{}*' --method steady-state-newton",
                                          has_loops ? "governor" : "swing"));
    return row;
  }
  row.ours = worst;
  row.reads = "error {}";
  row.evidence = fmt::format("{} of {} found, in {} of Newton's method at most", found,
                             Plural(asked, "system"),
                             Plural(static_cast<long long>(most_iterations), "iteration"));
  if (worst) {
    row.evidence +=
        fmt::format("; error at most {} on the {} with a reference", FormatError(worst), judged);
  }
  row.rule = "every state is found, to " + FormatError(kMeets) + " where a reference is held";
  const bool exact = !worst || *worst < kMeets;
  row.standing = found == asked && exact ? Standing::kHolds
                 : found > 0             ? Standing::kPartly
                                         : Standing::kFails;
  row.verdict = found == asked && exact ? ""
                : found < asked         ? "not on " + failed
                                        : "found, but not to " + FormatError(kMeets);
  return row;
}

PaperClaim SteadyEfficiencyClaim(const Comparison& comparison) {
  PaperClaim row{
      "efficient beside integrating a damped motion until it rests", kChoi2002, "", {}, {}, ""};
  std::vector<SettlingCost> costs = SettlingCosts(comparison);
  if (costs.empty()) {
    row.evidence = "Newton beside the damped motion of the same system";
    row.verdict = NotMeasured("--problem 'swing*' --problem 'governor*'");
    return row;
  }
  std::sort(costs.begin(), costs.end(),
            [](const SettlingCost& a, const SettlingCost& b) { return a.ratio < b.ratio; });
  const SettlingCost &least = costs.front(), &most = costs.back();
  row.ours = least.ratio;
  row.reads = "× {}";
  row.evidence = fmt::format(
      "CPU time until the damped motion rests over that of Newton: from {:.3g} ({} by {}) to "
      "{:.3g} "
      "({} by {})",
      least.ratio, least.problem, least.method, most.ratio, most.problem, most.method);
  row.rule = "less time than the damped motion of every system";
  row.standing = least.ratio > 1  ? Standing::kHolds
                 : most.ratio > 1 ? Standing::kPartly
                                  : Standing::kFails;
  row.verdict = least.ratio > 1 ? "" : "not on " + least.problem;
  return row;
}

}  // namespace

std::vector<PaperClaim> SteadyStateClaims(const Comparison& comparison) {
  return {FoundClaim(comparison, false), FoundClaim(comparison, true),
          SteadyEfficiencyClaim(comparison)};
}

}  // namespace mbsbench::reports
