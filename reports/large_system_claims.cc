// What both papers on the transfer matrix method claim of large systems: speed beside a
// general-purpose code, linear cost, and sizes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reports/format.h"
#include "reports/large_systems.h"
#include "reports/paper_claims.h"
#include "reports/scaling.h"

namespace mbsbench::reports {

namespace {

using namespace large_systems;

constexpr double kError = 1e-6;  // at which times are compared

// Of a ratio of which a bound may leave open how large it is.
void Judge(const TimeRatio& ratio, double published, PaperClaim& row) {
  const std::string ours = FormatRatio(ratio);
  if (ratio.IsAtLeast(published)) {
    row.standing = Standing::kHolds;
    row.verdict = "holds";
  } else if (ratio.IsAtMost(1)) {
    row.standing = Standing::kFails;
    row.verdict = "does not hold here";
  } else if (ratio.IsAtLeast(1)) {
    row.standing = Standing::kPartly;
    row.verdict = ratio.IsAtMost(published)
                      ? fmt::format("faster, by {} and not by {:.3g}", ours, published)
                      : fmt::format("faster, by {}; whether by {:.3g} is open", ours, published);
  } else {
    row.verdict = fmt::format("not decided: of the ratio only a bound is known, {}", ours);
  }
}

PaperClaim SpeedClaim(const Comparison& comparison, const std::string& claim,
                      const std::string& source, const PrintedFactor& printed) {
  PaperClaim row{claim, source, "", {}, printed.factor, ""};
  const ProblemResults* problem = FindProblem(comparison, printed.problem);
  row.evidence = fmt::format("{}, {} against {} (for ADAMS) at error {}", printed.problem, kRiccati,
                             kRival, FormatError(kError));
  row.verdict = NotMeasured(
      fmt::format("--problem {} --method '{}*' --method '{}*'", printed.problem, kRiccati, kRival));
  if (!problem || problem->cells.empty()) return row;
  const BestTime ours = BestVariant(comparison, *problem, kRiccati, kError);
  const BestTime rival = BestVariant(comparison, *problem, kRival, kError);
  if (!ours.time.known() || !rival.time.known()) return row;
  const auto ratio = RatioOf(rival.time, ours.time);
  if (!ratio) {
    row.evidence += ": both times are only bounds, their coarsest cells are better than that";
    return row;
  }
  const bool is_exact = ratio->kind == TimeRatio::Kind::kExact;
  if (is_exact) row.ours = ratio->value;
  row.evidence += fmt::format(": {} and {}{}", FormatTime(ours.time), FormatTime(rival.time),
                              is_exact ? "" : ", of which ≤ marks a bound");
  Judge(*ratio, printed.factor, row);
  return row;
}

// Slopes of time per step against bodies, of every curve with enough sizes.
PaperClaim LinearClaim(const Comparison& comparison) {
  constexpr double kLinear = 1;
  PaperClaim row{"cost grows only linearly with bodies", kRui2020, "", {}, kLinear, ""};
  double least = INFINITY, most = -INFINITY;
  int curves = 0;
  for (const FamilyScaling& family : Scaling(comparison)) {
    if (family.family != kFamily) continue;
    for (const StepCostCurve& curve : family.steps) {
      if (!large_systems::IsJudged(curve)) continue;
      ++curves;
      least = std::min(least, curve.fit->slope);
      most = std::max(most, curve.fit->slope);
      if (!row.ours || std::abs(curve.fit->slope - kLinear) > std::abs(*row.ours - kLinear))
        row.ours = curve.fit->slope;
    }
  }
  if (curves == 0) {
    row.evidence = fmt::format("time per step of {} on {} of three sizes", kRiccati, kFamily);
    row.verdict = NotMeasured(fmt::format("--problem '{}*' --method '{}*'", kFamily, kRiccati));
    return row;
  }
  row.evidence =
      fmt::format("time per step on {} grows like bodies to the power of {:.2f} to {:.2f} ({})",
                  kFamily, least, most, Plural(curves, "curve"));
  const bool holds = GrowsAtMost(most, kLinear);
  row.standing = holds                         ? Standing::kHolds
                 : GrowsAtMost(least, kLinear) ? Standing::kPartly
                                               : Standing::kFails;
  row.verdict = holds ? "holds" : fmt::format("power up to {:.2f}: time also sees caches", most);
  return row;
}

PaperClaim ManyFreedomsClaim(const Comparison& comparison) {
  PaperClaim row{
      "computes more than 100,000 degrees of freedom", kRui2020, "", {}, kManyFreedoms, ""};
  row.evidence = "branchN of 50,000 bodies";
  row.verdict = NotMeasured(fmt::format("--problem branchN:bodies=50000 --method '{}*'", kRiccati));
  // Says nothing but that the limit was short, whatever became of other cells.
  std::optional<PaperClaim> stopped;
  for (const ProblemResults& problem : comparison.problems) {
    const auto freedom = ManyFreedoms(problem);
    if (!freedom) continue;
    for (const Cell& cell : problem.cells) {
      if (MethodKey(cell.method) != kRiccati || row.standing == Standing::kHolds) continue;
      row.ours = freedom;
      const std::string where =
          fmt::format("{}, {}, {}", problem.name, cell.Curve(), cell.Setting());
      if (cell.finished()) {
        row.standing = Standing::kHolds;
        row.evidence = where + (cell.cpu ? ": " + FormatSeconds(cell.cpu->minimum) : "");
        row.verdict = "holds";
      } else if (cell.outcome == "timeout") {
        if (stopped) continue;
        stopped =
            PaperClaim{row.claim,
                       row.source,
                       where + ": " + cell.reason,
                       {},
                       kManyFreedoms,
                       "not decided: a cell that had not failed ran into the limit of the run"};
      } else if (cell.outcome != "skipped" && cell.outcome != "unsupported") {
        row.standing = Standing::kFails;
        row.evidence = where;
        row.verdict = cell.outcome + (cell.reason.empty() ? "" : ": " + cell.reason);
      }
    }
  }
  if (stopped && row.standing != Standing::kHolds) return *stopped;
  return row;
}

}  // namespace

std::vector<PaperClaim> LargeSystemClaims(const Comparison& comparison) {
  return {SpeedClaim(comparison, "36 times less time than ADAMS for a branch of 500 bodies",
                     kRui2020, kBranch),
          LinearClaim(comparison), ManyFreedomsClaim(comparison),
          SpeedClaim(comparison, "high computational speed: 6.52 s against 238 s of ADAMS",
                     kRui2018, kMixed)};
}

}  // namespace mbsbench::reports
