// What both papers on the transfer matrix method claim of large systems: speed beside a
// general-purpose code, linear cost, and sizes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reports/format.h"
#include "reports/paper_claims.h"
#include "reports/scaling.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kRiccatiKey = "riccati-mstmm";
constexpr const char* kRival = "cartesian-dae";  // what general-purpose codes such as ADAMS do

// `published`: how many times less time theirs took.
PaperClaim SpeedClaim(const Comparison& comparison, const std::string& claim,
                      const std::string& source, const std::string& name, double published) {
  constexpr double kError = 1e-6;
  PaperClaim row{claim, source, "", {}, published, ""};
  const ProblemResults* problem = FindProblem(comparison, name);
  row.evidence = fmt::format("{}, {} against {} (for ADAMS) at error {}", name, kRiccatiKey, kRival,
                             FormatError(kError));
  row.verdict = NotMeasured(
      fmt::format("--problem {} --method '{}*' --method '{}*'", name, kRiccatiKey, kRival));
  if (!problem || problem->cells.empty()) return row;
  const BestTime ours = BestVariant(comparison, *problem, kRiccatiKey, kError);
  const BestTime rival = BestVariant(comparison, *problem, kRival, kError);
  if (!ours.time.known() || !rival.time.known()) return row;
  if (FormatRatio(rival.time, ours.time) == "-") {  // nothing follows from two bounds
    row.evidence += ": both times are only bounds, their coarsest cells are better than that";
    return row;
  }
  row.ours = rival.time.seconds / ours.time.seconds;
  row.evidence += fmt::format(": {} and {}", FormatTime(ours.time), FormatTime(rival.time));
  row.standing = *row.ours >= published ? Standing::kHolds
                 : *row.ours > 1        ? Standing::kPartly
                                        : Standing::kFails;
  row.verdict = *row.ours >= published ? "holds"
                : *row.ours > 1        ? fmt::format("faster, by {} and not by {:.3g}",
                                                     FormatRatio(rival.time, ours.time), published)
                                       : "does not hold here";
  return row;
}

// Slopes of time per step against bodies, of every curve with enough sizes.
PaperClaim LinearClaim(const Comparison& comparison) {
  constexpr const char* kFamily = "branchN";
  constexpr double kTolerance = 0.1;
  constexpr int kSizesForSlope = 3;  // through two points a line always goes
  PaperClaim row{"cost grows only linearly with bodies", kRui2020, "", {}, 1, ""};
  double least = INFINITY, most = -INFINITY;
  int curves = 0;
  for (const FamilyScaling& family : Scaling(comparison)) {
    if (family.family != kFamily) continue;
    for (const StepCostCurve& curve : family.steps) {
      if (MethodKey(curve.method) != kRiccatiKey || !curve.fit ||
          curve.fit->points < kSizesForSlope)
        continue;
      ++curves;
      least = std::min(least, curve.fit->slope);
      most = std::max(most, curve.fit->slope);
      if (!row.ours || std::abs(curve.fit->slope - 1) > std::abs(*row.ours - 1))
        row.ours = curve.fit->slope;
    }
  }
  if (curves == 0) {
    row.evidence = fmt::format("time per step of {} on {} of three sizes", kRiccatiKey, kFamily);
    row.verdict = NotMeasured(fmt::format("--problem '{}*' --method '{}*'", kFamily, kRiccatiKey));
    return row;
  }
  row.evidence =
      fmt::format("time per step on {} grows like bodies to the power of {:.2f} to {:.2f} ({})",
                  kFamily, least, most, Plural(curves, "curve"));
  const bool holds = most <= 1 + kTolerance;
  row.standing = holds                     ? Standing::kHolds
                 : least <= 1 + kTolerance ? Standing::kPartly
                                           : Standing::kFails;
  row.verdict = holds ? "holds" : fmt::format("power up to {:.2f}: time also sees caches", most);
  return row;
}

PaperClaim ManyFreedomsClaim(const Comparison& comparison) {
  constexpr double kMany = 100'000;
  PaperClaim row{"computes more than 100,000 degrees of freedom", kRui2020, "", {}, kMany, ""};
  row.evidence = "branchN of 50,000 bodies";
  row.verdict =
      NotMeasured(fmt::format("--problem branchN:bodies=50000 --method '{}*'", kRiccatiKey));
  // Says nothing but that the limit was short, whatever became of other cells.
  std::optional<PaperClaim> stopped;
  for (const ProblemResults& problem : comparison.problems) {
    const auto freedom = Number(problem.document, "degrees_of_freedom");
    if (!freedom || *freedom <= kMany) continue;
    for (const Cell& cell : problem.cells) {
      if (MethodKey(cell.method) != kRiccatiKey || row.standing == Standing::kHolds) continue;
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
                       kMany,
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
                     kRui2020, "branchN:bodies=500", 36),
          LinearClaim(comparison), ManyFreedomsClaim(comparison),
          SpeedClaim(comparison, "high computational speed: 6.52 s against 238 s of ADAMS",
                     kRui2018, "mixed250", 238 / 6.52)};
}

}  // namespace mbsbench::reports
