// What both papers on the transfer matrix method claim of large systems: speed beside a
// general-purpose code, linear cost, and sizes.
#include "reports/large_system_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/format.h"
#include "reports/large_systems.h"
#include "reports/outcomes.h"
#include "reports/paper_claims.h"
#include "reports/scaling.h"

namespace mbsbench::reports {

namespace {

using namespace large_systems;

constexpr double kClaimError = 1e-6;  // at which times are compared

constexpr double kPapersStep = 1e-3;  // [s], with RK4

// How many times as long the rival takes, where that is known.
struct TimeFactor {
  const ComparedTimes* times = nullptr;
  TimeRatio ratio;
  double value() const { return ratio.value; }
  // "1.55 by riccati-mstmm:paper, rk4 at error 5.3e-11"
  std::string Text() const {
    return fmt::format("{} by {}, {} at error {}", FormatRatio(ratio), times->riccati.method,
                       times->riccati.integrator, FormatError(times->error));
  }
};

// Rising. Bounds only where they are all there is.
std::vector<TimeFactor> TimeFactorsOf(const std::vector<ComparedTimes>& all) {
  std::vector<TimeFactor> exact, bounds;
  for (const ComparedTimes& times : all) {
    const auto ratio = RatioOf(times.rival.time, times.riccati.time);
    if (!ratio) continue;
    (ratio->kind == TimeRatio::Kind::kExact ? exact : bounds).push_back({&times, *ratio});
  }
  std::vector<TimeFactor>& factors = exact.empty() ? bounds : exact;
  std::stable_sort(factors.begin(), factors.end(),
                   [](const TimeFactor& a, const TimeFactor& b) { return a.value() < b.value(); });
  return factors;
}

const TimeFactor* AtComparedError(const std::vector<TimeFactor>& factors) {
  for (const TimeFactor& factor : factors) {
    if (!factor.times->is_papers_way && factor.times->error == kClaimError) return &factor;
  }
  return nullptr;
}

// No ADAMS runs here: a general-purpose code of ours stands in for it, which tests nothing.
// A bound may leave open how large a ratio is.
void JudgeBound(const TimeRatio& ratio, double published, PaperClaim& row) {
  const std::string ours = FormatRatio(ratio);
  if (ratio.IsAtLeast(published)) {
    row.verdict = "at least as much";
  } else if (ratio.IsAtMost(1)) {
    row.verdict = "not faster";
  } else if (ratio.IsAtLeast(1)) {
    row.verdict = fmt::format("faster, by {}; whether by {:.3g} is open", ours, published);
  } else {
    row.verdict = fmt::format("not decided: of the ratio only a bound is known, {}", ours);
  }
}

// "1.55 to 14.6 depending on error and variant (8.98 at error 1e-6),"
std::string RangeOf(const std::vector<TimeFactor>& factors) {
  const std::string least = FormatRatio(factors.front().value()),
                    most = FormatRatio(factors.back().value());
  if (least == most) return least;
  std::set<std::string> variants;
  for (const TimeFactor& factor : factors) variants.insert(factor.times->riccati.method);
  const TimeFactor* compared = AtComparedError(factors);
  return fmt::format("{} to {} depending on {}{},", least, most,
                     variants.size() > 1 ? "error and variant" : "the error",
                     compared ? fmt::format(" ({} at error {})", FormatRatio(compared->value()),
                                            FormatError(kClaimError))
                              : "");
}

void JudgeExact(const std::vector<TimeFactor>& factors, double published, PaperClaim& row) {
  const double least = factors.front().value(), most = factors.back().value();
  if (least >= published) {
    row.verdict = "at least as much";
  } else if (most <= 1) {
    row.verdict = "not faster";
  } else {
    row.verdict = fmt::format("{} by {} and not {}by {:.3g}",
                              least >= 1 ? "faster," : "not always faster:", RangeOf(factors),
                              most < published ? "" : "always ", published);
  }
}

// The time at the compared error, and the ends of the range.
std::string EvidenceOf(const std::vector<TimeFactor>& factors) {
  std::string text;
  if (const TimeFactor* compared = AtComparedError(factors)) {
    const bool is_exact = compared->ratio.kind == TimeRatio::Kind::kExact;
    text += fmt::format(" at error {}: {} and {}{}", FormatError(kClaimError),
                        FormatTime(compared->times->riccati.time),
                        FormatTime(compared->times->rival.time),
                        is_exact ? "" : ", of which ≤ marks a bound");
  }
  if (factors.size() > 1) {
    text += fmt::format("{} least {}, most {}", text.empty() ? ":" : ";", factors.front().Text(),
                        factors.back().Text());
  }
  return text;
}

PaperClaim SpeedClaim(const Comparison& comparison, const std::string& claim,
                      const std::string& source, const PrintedFactor& printed) {
  PaperClaim row{claim, source, "", {}, printed.factor, ""};
  row.reads = "× {}";
  const ProblemResults* problem = FindProblem(comparison, printed.problem);
  row.rule = fmt::format("a factor of {:.3g} over ADAMS itself", printed.factor);
  row.evidence = fmt::format("{}, {} against {} (for ADAMS)", printed.problem, kRiccati, kRival);
  row.verdict = NotMeasured(
      fmt::format("--problem {} --method '{}*' --method '{}*'", printed.problem, kRiccati, kRival));
  if (!problem || problem->cells.empty()) return row;
  const std::vector<ComparedTimes> all = TimesBesideRival(comparison, *problem);
  const std::vector<TimeFactor> factors = TimeFactorsOf(all);
  if (factors.empty()) {
    if (std::any_of(all.begin(), all.end(), [](const ComparedTimes& times) {
          return times.riccati.time.known() && times.rival.time.known();
        }))
      row.verdict =
          "not decided: both times are only bounds, their coarsest cells are better than the "
          "errors compared at";
    return row;
  }
  row.evidence += EvidenceOf(factors);
  const TimeFactor* compared = AtComparedError(factors);
  const TimeFactor& shown = compared ? *compared : factors.front();
  if (shown.ratio.kind != TimeRatio::Kind::kExact) {
    JudgeBound(shown.ratio, printed.factor, row);
  } else {
    row.ours = shown.value();
    JudgeExact(factors, printed.factor, row);
  }
  row.verdict = fmt::format("no ADAMS runs here; over our {}, which stands in for it: {}", kRival,
                            row.verdict);
  return row;
}

// Slopes of time per step against bodies, of every curve with enough sizes.
PaperClaim LinearClaim(const Comparison& comparison) {
  constexpr double kLinear = 1;
  PaperClaim row{"cost grows only linearly with bodies", kRui2020, "", {}, kLinear, ""};
  row.reads = "power {}";
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
  row.rule = fmt::format("power at most {} above {:.0f} on every curve", kSlopeTolerance, kLinear);
  row.verdict = holds ? "" : fmt::format("power up to {:.2f}: time also sees caches", most);
  return row;
}

// What became of one variant on a problem of that size, over all its cells; of each kind the first.
struct SizeAttempt {
  std::string method;
  const ProblemResults* problem = nullptr;
  const Cell *finished = nullptr, *failed = nullptr, *stopped = nullptr;
  int cells = 0, failures = 0;
  bool HasFailed() const { return !finished && failed; }
};

void Count(const Cell& cell, SizeAttempt& attempt) {
  ++attempt.cells;
  if (cell.finished()) {
    if (!attempt.finished || (cell.error && !attempt.finished->error)) attempt.finished = &cell;
  } else if (cell.outcome == "timeout") {  // says nothing but that the limit was short
    if (!attempt.stopped) attempt.stopped = &cell;
  } else {
    ++attempt.failures;
    if (!attempt.failed) attempt.failed = &cell;
  }
}

std::vector<SizeAttempt> AttemptsOf(const Comparison& comparison) {
  std::vector<SizeAttempt> attempts;
  for (const ProblemResults& problem : comparison.problems) {
    if (!ManyFreedoms(problem)) continue;
    for (const Cell& cell : problem.cells) {
      if (MethodKey(cell.method) != kRiccati || !IsTried(cell.outcome)) continue;
      const bool is_next = attempts.empty() || attempts.back().problem != &problem ||
                           attempts.back().method != cell.method;  // cells are by method
      if (is_next) attempts.push_back({cell.method, &problem});
      Count(cell, attempts.back());
    }
  }
  return attempts;
}

std::string Told(const SizeAttempt& attempt) {
  const auto setting = [&attempt](const Cell& cell) {
    return fmt::format("{}, {}, {}", attempt.problem->name, cell.Curve(), cell.Setting());
  };
  if (const Cell* cell = attempt.finished) {
    const std::string motion = MotionOf(*cell);
    return fmt::format("{}: {}{}{}; {}", setting(*cell), motion.empty() ? "completed" : motion,
                       cell->cpu ? " in " : "", cell->cpu ? FormatSeconds(cell->cpu->minimum) : "",
                       AccuracyOf(*cell));
  }
  if (const Cell* cell = attempt.failed) {
    return fmt::format("{}, {}: {} of {} failed, the first {}{}{}", attempt.problem->name,
                       attempt.method, attempt.failures, Plural(attempt.cells, "cell"),
                       cell->outcome, cell->reason.empty() ? "" : ", ", cell->reason);
  }
  return fmt::format("{}: {}", setting(*attempt.stopped), attempt.stopped->reason);
}

void Judge(const std::vector<SizeAttempt>& attempts, PaperClaim& row) {
  std::set<std::string> finished, failed;  // a variant may do so on one size and not on another
  bool is_judged = false, is_stopped = false;
  for (const SizeAttempt& attempt : attempts) {
    if (attempt.finished) finished.insert(attempt.method);
    if (attempt.HasFailed())
      failed.insert(fmt::format("{} {}", attempt.method, attempt.failed->outcome));
    is_judged = is_judged || (attempt.finished && attempt.finished->error);
    is_stopped = is_stopped || (!attempt.finished && attempt.stopped);
  }
  if (finished.empty()) {
    if (is_stopped) {
      row.verdict = "not decided: a cell that had not failed ran into the limit of the run";
      return;
    }
    row.standing = Standing::kFails;
    row.verdict = fmt::format("{}", fmt::join(failed, "; "));
    return;
  }
  row.standing = failed.empty() ? Standing::kHolds : Standing::kPartly;
  row.verdict = failed.empty()
                    ? ""
                    : fmt::format("for {}; {}", fmt::join(finished, ", "), fmt::join(failed, "; "));
  if (!is_judged)
    row.verdict += fmt::format("{}accuracy is not judged", row.verdict.empty() ? "" : "; ");
}

PaperClaim ManyFreedomsClaim(const Comparison& comparison) {
  PaperClaim row{
      "computes more than 100,000 degrees of freedom", kRui2020, "", {}, kManyFreedoms, ""};
  row.reads = "{} freedoms";
  const std::vector<SizeAttempt> attempts = AttemptsOf(comparison);
  if (attempts.empty()) {
    row.evidence = "branchN of 50,000 bodies";
    row.verdict =
        NotMeasured(fmt::format("--problem branchN:bodies=50000 --method '{}*'", kRiccati));
    return row;
  }
  std::vector<std::string> told;
  for (const SizeAttempt& attempt : attempts) {
    told.push_back(Told(attempt));
    if (attempt.finished)
      row.ours = std::max(row.ours.value_or(0), ManyFreedoms(*attempt.problem).value_or(0));
  }
  row.evidence = fmt::format("{}", fmt::join(told, "; "));
  row.rule = "every variant that was tried finishes a motion of that size";
  Judge(attempts, row);
  return row;
}

}  // namespace

std::vector<ComparedTimes> TimesBesideRival(const Comparison& comparison,
                                            const ProblemResults& problem) {
  std::vector<ComparedTimes> all;
  for (double error : {1e-3, kClaimError, 1e-8, 1e-9}) {
    all.push_back({error, false, BestVariant(comparison, problem, kRiccati, error),
                   BestVariant(comparison, problem, kRival, error)});
  }
  for (const Cell& cell : problem.cells) {
    if (MethodKey(cell.method) != kRiccati || cell.integrator != "rk4" || !cell.step ||
        std::abs(*cell.step - kPapersStep) > 1e-9 || !cell.finished() || !cell.cpu)
      continue;
    const TimeAtError time{TimeAtError::Kind::kReached, cell.cpu->minimum};
    all.push_back({cell.error,
                   true,
                   {cell.method, cell.integrator, time},
                   cell.error.value_or(0) > 0
                       ? BestVariant(comparison, problem, kRival, *cell.error)
                       : BestTime{kRival, "", {}}});
  }
  return all;
}

std::string MotionOf(const Cell& cell) {
  const auto steps = Number(cell.counters, "steps");
  std::string text = steps ? Plural(static_cast<long long>(*steps), "step") : "";
  if (cell.end_time) text += fmt::format("{}over {:g} s", text.empty() ? "" : " ", *cell.end_time);
  return text;
}

std::string AccuracyOf(const Cell& cell) {
  if (cell.error) return "error " + FormatError(cell.error);
  return "accuracy not judged" + (cell.reason.empty() ? "" : ": " + cell.reason);
}

std::vector<PaperClaim> LargeSystemClaims(const Comparison& comparison) {
  return {SpeedClaim(comparison, "36 times less time than ADAMS for a branch of 500 bodies",
                     kRui2020, kBranch),
          LinearClaim(comparison), ManyFreedomsClaim(comparison),
          SpeedClaim(comparison, "high computational speed: 6.52 s against 238 s of ADAMS",
                     kRui2018, kMixed)};
}

}  // namespace mbsbench::reports
