#include "reports/paper_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "reports/digit_loss.h"
#include "reports/equal_error.h"
#include "reports/format.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kRiccati = "riccati-mstmm:general";
constexpr const char* kArticulated = "articulated-body";
constexpr const char* kWishbone = "wishbone";
constexpr double kAgrees = 1e-9;  // accelerations against 113 bits

// What the agreement trial of a problem says of a method; null where it says nothing.
const Json& AgreementOf(const ProblemResults& problem, const std::string& method) {
  static const Json null;
  if (!problem.agreement) return null;
  for (const Json& one : Field(problem.agreement->record, "methods")) {
    if (Text(one, "method") == method) return one;
  }
  return null;
}

// Rows of the largest matrix that a method solves, over the problems of one family.
struct Orders {
  double fewest_bodies = 0, most_bodies = 0, at_fewest = 0, at_most = 0;
  int sizes = 0;
  bool IsConstant() const { return at_fewest == at_most; }
};
Orders OrdersOf(const Comparison& comparison, const std::string& family,
                const std::string& method) {
  Orders orders;
  for (const ProblemResults& problem : comparison.problems) {
    const auto bodies = Number(problem.document, "bodies");
    const auto order = Number(AgreementOf(problem, method), "order");
    if (!bodies || !order || Text(problem.document, "family") != family) continue;
    if (orders.sizes == 0 || *bodies < orders.fewest_bodies)
      orders.fewest_bodies = *bodies, orders.at_fewest = *order;
    if (orders.sizes == 0 || *bodies > orders.most_bodies)
      orders.most_bodies = *bodies, orders.at_most = *order;
    ++orders.sizes;
  }
  return orders;
}

PaperClaim OrderClaim(const Comparison& comparison, const std::string& claim,
                      const std::string& source, const std::string& family,
                      const std::string& method) {
  PaperClaim row{claim, source, "", {}, {}, ""};
  const Orders orders = OrdersOf(comparison, family, method);
  if (orders.sizes < 2 || orders.fewest_bodies == orders.most_bodies) {
    row.evidence = method + " on " + family;
    row.verdict = NotMeasured(fmt::format("--problem '{}*' --method {}", family, method));
    return row;
  }
  row.ours = orders.at_most;
  row.evidence = fmt::format(
      "{} on {}: largest matrix solved has {:g} rows at {} bodies, {:g} at {}", method, family,
      orders.at_fewest, FormatCount(static_cast<long long>(orders.fewest_bodies)), orders.at_most,
      FormatCount(static_cast<long long>(orders.most_bodies)));
  row.standing = orders.IsConstant() ? Standing::kHolds : Standing::kFails;
  row.verdict = orders.IsConstant() ? "holds"
                                    : fmt::format("does not hold: it grows by {:.2g} per body",
                                                  (orders.at_most - orders.at_fewest) /
                                                      (orders.most_bodies - orders.fewest_bodies));
  return row;
}

// Cut forces are what is left to be solved at once.
PaperClaim LoopOrderClaim(const Comparison& comparison) {
  PaperClaim row{"no global equations, closed loops", kRui2018, "", {}, {}, ""};
  double fewest = 0, most = 0, order_at_fewest = 0, order_at_most = 0;
  std::set<double> loops_seen;
  for (const ProblemResults& problem : comparison.problems) {
    const auto loops = Number(problem.document, "loops");
    const auto order = Number(AgreementOf(problem, kRiccati), "order");
    if (!loops || *loops < 1 || !order || Text(problem.document, "family") != "ladder") continue;
    if (loops_seen.empty() || *loops < fewest) fewest = *loops, order_at_fewest = *order;
    if (loops_seen.empty() || *loops > most) most = *loops, order_at_most = *order;
    loops_seen.insert(*loops);
  }
  if (loops_seen.size() < 2) {
    row.evidence = fmt::format("{} on ladder", kRiccati);
    row.verdict = NotMeasured(fmt::format("--problem 'ladder*' --method {}", kRiccati));
    return row;
  }
  row.ours = order_at_most;
  row.standing = order_at_most > order_at_fewest ? Standing::kFails : Standing::kHolds;
  row.evidence = fmt::format(
      "{} on ladder: largest matrix solved has {:g} rows with {:g} loops, "
      "{:g} with {:g}",
      kRiccati, order_at_fewest, fewest, order_at_most, most);
  row.verdict =
      order_at_most > order_at_fewest
          ? "does not hold: the cut forces of all loops are solved at once, and bodies do "
            "not count"
          : "holds";
  return row;
}

const EvaluationErrorPoint* LargestJudged(const EvaluationErrorCurve& curve) {
  const EvaluationErrorPoint* largest = nullptr;
  for (const EvaluationErrorPoint& point : curve.points) {
    if (point.error) largest = &point;
  }
  return largest;
}

PaperClaim StabilityClaim(const Comparison& comparison) {
  constexpr double kManyBodies = 1000;
  PaperClaim row{
      "the Riccati transformation improves numerical stability", kRui2020, "", {}, {}, ""};
  const EvaluationErrorPoint *riccati = nullptr, *classical = nullptr;
  std::string growth;
  const std::vector<FamilyScaling> families = Scaling(comparison);
  for (const FamilyScaling& family : families) {
    if (family.family != "chainN3d" && family.family != "chainN") continue;
    for (const EvaluationErrorCurve& curve : family.errors) {
      const EvaluationErrorPoint* point = LargestJudged(curve);
      if (!point) continue;
      if (curve.method == kRiccati && (!riccati || point->bodies > riccati->bodies)) {
        riccati = point;
        growth = FormatGrowth(ErrorGrowth(curve));
      }
      // the worse of its variants and families
      if (MethodKey(curve.method) == "classical-mstmm" &&
          (!classical || *point->error > *classical->error))
        classical = point;
    }
  }
  if (!riccati || !classical || riccati->bodies < kManyBodies) {
    row.evidence = "error of one evaluation on chains of 10 to 3,000 rods";
    row.verdict = NotMeasured(
        "--problem 'chainN:*' --problem 'chainN3d:*' --method 'riccati*' --method 'classical*'");
    return row;
  }
  row.ours = riccati->error;
  row.evidence = fmt::format(
      "error of one evaluation: {} {} on {} (grows like {}); classical-mstmm up to {} on {}",
      kRiccati, FormatError(riccati->error), riccati->problem->name, growth,
      FormatError(classical->error), classical->problem->name);
  const double ours = *riccati->error, theirs = *classical->error;
  const bool shown = ours < kAgrees && theirs > 1e3 * ours;
  row.standing = shown ? Standing::kHolds : Standing::kFails;
  row.verdict = shown ? "holds, for general hinges" : "not shown by this store";
  return row;
}

PaperClaim BrandlClaim(const Comparison& comparison) {
  PaperClaim row{
      "a little more efficient than the recursion of Brandl et al.", kRui2018, "", {}, {}, ""};
  std::vector<double> ratios;
  for (const ProblemResults& problem : comparison.problems) {
    std::optional<double> riccati, rival;
    for (const Trial* trial : problem.evaluations) {
      if (trial->outcome != "ok") continue;
      const auto cost = Number(trial->record, "nanoseconds_per_body");
      if (trial->method == kRiccati) riccati = cost;
      if (trial->method == kArticulated) rival = cost;
    }
    if (riccati && rival && *rival > 0) ratios.push_back(*riccati / *rival);
  }
  if (ratios.empty()) {
    row.evidence = "time of one evaluation";
    row.verdict = NotMeasured("--method riccati-mstmm --method articulated-body");
    return row;
  }
  std::sort(ratios.begin(), ratios.end());
  const double median = ratios[(ratios.size() - 1) / 2];
  row.ours = median;
  row.evidence = fmt::format(
      "time of one evaluation, {} over {} (the same recursion, as well written): median {:.2f} of "
      "{}, from {:.2f} to {:.2f}",
      kRiccati, kArticulated, median, Plural(static_cast<long long>(ratios.size()), "problem"),
      ratios.front(), ratios.back());
  row.standing = median < 1 / kAlike ? Standing::kHolds
                 : median > kAlike   ? Standing::kFails
                                     : Standing::kPartly;
  row.verdict = median < 1 / kAlike ? "holds"
                : median > kAlike   ? fmt::format("does not hold: {:.2f} times the time", median)
                                    : "as efficient, not more";
  return row;
}

}  // namespace

const Cell* MostAccurate(const ProblemResults& problem, const std::string& key) {
  const Cell* best = nullptr;
  for (const Cell& cell : problem.cells) {
    if (MethodKey(cell.method) != key || !cell.finished() || !cell.error) continue;
    if (!best || *cell.error < *best->error) best = &cell;
  }
  return best;
}

PaperClaim AgreementClaim(const Comparison& comparison, const std::string& claim,
                          const std::string& source, const std::string& method) {
  PaperClaim row{claim, source, "", {}, {}, ""};
  int right[2] = {0, 0}, all[2] = {0, 0};
  std::vector<std::string> others, stopped;
  for (const ProblemResults& problem : comparison.problems) {
    const auto loops = Number(problem.document, "loops");
    if (!loops || !problem.agreement) continue;
    const Json& own = AgreementOf(problem, method);
    // What it refuses is no claim of its paper.
    const std::string reason = Text(own, "reason");
    if (own.is_null() || reason.starts_with("unsupported")) continue;
    const auto error = Number(own, "error");
    // A limit of this run is none of the method's.
    if (!error && (reason.starts_with("timeout") || reason.starts_with("skipped"))) {
      stopped.push_back(problem.name);
      continue;
    }
    const std::size_t kind = *loops > 0 ? 1 : 0;
    ++all[kind];
    if (error && *error <= kAgrees) {
      ++right[kind];
    } else {
      others.push_back(problem.name +
                       (error ? " (error " + FormatError(error) + ")" : " (no evaluation)"));
    }
  }
  if (all[0] + all[1] == 0) {
    row.evidence = method;
    row.verdict = NotMeasured("--method " + MethodKey(method));
    return row;
  }
  row.ours = right[0] + right[1];
  row.evidence =
      fmt::format("{} meets 113 bits to {} on {} of {} trees and {} of {} systems with loops",
                  method, FormatError(kAgrees), right[0], all[0], right[1], all[1]);
  const auto only = [&method](const char* holds, const char* lacks, const char* problem) {
    return fmt::format(
        "holds on {}; on {} {}", holds, lacks,
        NotMeasured(fmt::format("--problem {} --method {}", problem, MethodKey(method))));
  };
  constexpr std::size_t kMostNamed = 6;
  if (!stopped.empty())
    row.evidence += fmt::format("; within the limits of this run not evaluated on {}",
                                fmt::join(stopped, ", "));
  row.standing = others.empty() && all[0] > 0 && all[1] > 0 ? Standing::kHolds
                 : *row.ours > 0                            ? Standing::kPartly
                                                            : Standing::kFails;
  if (others.empty()) {
    row.verdict = all[1] == 0   ? only("trees", "loops", "mixed12")
                  : all[0] == 0 ? only("loops", "trees", "tree12")
                                : "holds";
    return row;
  }
  const bool many = others.size() > kMostNamed;
  if (many) others.resize(kMostNamed);
  row.verdict = fmt::format("holds where digits last; not on {}{}", fmt::join(others, ", "),
                            many ? ", ..." : "");
  return row;
}

std::vector<PaperClaim> AllPaperClaims(const Comparison& comparison) {
  std::vector<PaperClaim> claims = TransferMatrixClaims(comparison);
  const auto append = [&claims](std::vector<PaperClaim> more) {
    std::move(more.begin(), more.end(), std::back_inserter(claims));
  };
  append(LargeSystemClaims(comparison));
  append(KaneHustonClaims(comparison));
  append({WishboneClaim(comparison),
          AgreementClaim(comparison, "open and closed chains without rotational coordinates",
                         kAttia2002, "equivalent-particles:index1")});
  append(SteadyStateClaims(comparison));
  static const std::vector<std::string> kOrder = {kRui2020, kRui2018, kLu2014, kAttia2002,
                                                  kChoi2002};
  const auto place = [](const PaperClaim& claim) {
    return std::find(kOrder.begin(), kOrder.end(), claim.source) - kOrder.begin();
  };
  std::stable_sort(claims.begin(), claims.end(),
                   [&place](const auto& a, const auto& b) { return place(a) < place(b); });
  return claims;
}

std::string NotMeasured(const std::string& arguments) {
  return "not measured in this store: run `mbsbench run " + arguments + "`";
}

const ProblemResults* FindProblem(const Comparison& comparison, const std::string& name) {
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.name == name) return &problem;
  }
  return nullptr;
}

BestTime BestVariant(const Comparison& comparison, const ProblemResults& problem,
                     const std::string& key, double error) {
  std::vector<BestTime> times = BestOfEachMethod(comparison, problem, "", error);
  std::erase_if(times, [&key](const BestTime& time) { return MethodKey(time.method) != key; });
  const BestTime* fastest = Fastest(times);
  return fastest ? *fastest : BestTime{key, "", {}};
}

std::vector<PaperClaim> TransferMatrixClaims(const Comparison& comparison) {
  return {OrderClaim(comparison, "no global equations, trees", kRui2020, "chainN3d", kRiccati),
          LoopOrderClaim(comparison),
          OrderClaim(comparison, "constant order of the matrices, with the paper's hinges",
                     kRui2018, "chainN", "classical-mstmm:paper"),
          OrderClaim(comparison, "constant order of the matrices, with general hinges", kRui2018,
                     "chainN", "classical-mstmm:general"),
          AgreementClaim(comparison,
                         "automatic deduction for trees and closed-loop-and-branch-mixed systems",
                         kRui2018, "classical-mstmm:general"),
          StabilityClaim(comparison),
          BrandlClaim(comparison)};
}

PaperClaim WishboneClaim(const Comparison& comparison) {
  constexpr double kComplete = 1e-7;  // what this problem asks of every method
  PaperClaim row{
      "complete agreement with an absolute-coordinate program", kAttia2002, "", {}, {}, ""};
  const ProblemResults* wishbone = FindProblem(comparison, kWishbone);
  const Cell* ours = wishbone ? MostAccurate(*wishbone, "equivalent-particles") : nullptr;
  const Cell* rival = wishbone ? MostAccurate(*wishbone, "cartesian-dae") : nullptr;
  if (!ours || !rival) {
    row.evidence = "wishbone by equivalent-particles and cartesian-dae";
    row.verdict = NotMeasured(
        "--problem wishbone --method 'equivalent-particles*' --method 'cartesian-dae*'");
    return row;
  }
  // Both are judged by the same reference: the sum of their errors bounds their difference.
  row.ours = *ours->error + *rival->error;
  row.evidence = fmt::format(
      "wishbone over {:g} s: {} {} and {} {} from the same reference, so that they differ by {} at "
      "most",
      Number(wishbone->document, "end_time").value_or(0), ours->Curve(), FormatError(ours->error),
      rival->Curve(), FormatError(rival->error), FormatError(row.ours));
  row.standing = *row.ours < kComplete ? Standing::kHolds : Standing::kFails;
  row.verdict = *row.ours < kComplete ? "holds" : "does not hold at the settings run";
  return row;
}

}  // namespace mbsbench::reports
