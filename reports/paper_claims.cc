#include "reports/paper_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/digit_loss.h"
#include "reports/format.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kDeduction = "Rui et al. 2018";
constexpr const char* kRiccatiPaper = "Rui, Bestle, Wang et al. 2020";
constexpr const char* kRiccati = "riccati-mstmm:general";
constexpr const char* kArticulated = "articulated-body";
constexpr const char* kWishbone = "wishbone";
constexpr const char* kMixed = "mixed250";
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
  row.verdict = orders.IsConstant() ? "holds"
                                    : fmt::format("does not hold: {:.2g} rows more per body",
                                                  (orders.at_most - orders.at_fewest) /
                                                      (orders.most_bodies - orders.fewest_bodies));
  return row;
}

// Cut forces are what is left to be solved at once.
PaperClaim LoopOrderClaim(const Comparison& comparison) {
  PaperClaim row{"no global equations, closed loops", kDeduction, "", {}, {}, ""};
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

// Trees and loops on which the deduced equations give the accelerations of the reference.
PaperClaim DeductionClaim(const Comparison& comparison) {
  PaperClaim row{"automatic deduction for trees and closed-loop-and-branch-mixed systems",
                 kDeduction,
                 "",
                 {},
                 {},
                 ""};
  int right[2] = {0, 0}, all[2] = {0, 0};
  std::vector<std::string> others;
  for (const ProblemResults& problem : comparison.problems) {
    const auto loops = Number(problem.document, "loops");
    if (!loops || !problem.agreement) continue;
    const Json& general = AgreementOf(problem, "classical-mstmm:general");
    if (general.is_null()) continue;
    const auto error = Number(general, "error");
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
    row.evidence = "classical-mstmm:general";
    row.verdict = NotMeasured("--method classical-mstmm");
    return row;
  }
  row.ours = right[0] + right[1];
  row.evidence = fmt::format(
      "classical-mstmm:general, deduced from the topology alone, meets 113 bits to {} on {} of {} "
      "trees and {} of {} systems with loops",
      FormatError(kAgrees), right[0], all[0], right[1], all[1]);
  row.verdict =
      others.empty()
          ? all[1] == 0 ? "holds on trees; on loops " +
                              NotMeasured("--problem mixed12 --method classical-mstmm")
            : all[0] == 0 ? "holds on loops; on trees " +
                                NotMeasured("--problem tree12 --method classical-mstmm")
                          : "holds"
          : fmt::format("holds where digits last; not on {}{}",
                        fmt::join(others.begin(),
                                  others.begin() + static_cast<std::ptrdiff_t>(
                                                       std::min<std::size_t>(others.size(), 6)),
                                  ", "),
                        others.size() > 6 ? ", ..." : "");
  return row;
}

PaperClaim SpeedClaim(const Comparison& comparison) {
  constexpr double kPublished = 238 / 6.52, kError = 1e-6;
  PaperClaim row{"high computational speed: 6.52 s against 238 s of ADAMS",
                 kDeduction,
                 "",
                 {},
                 kPublished,
                 ""};
  const ProblemResults* mixed = FindProblem(comparison, kMixed);
  const std::string run =
      fmt::format("--problem {} --method 'riccati-mstmm*' --method 'cartesian-dae*'", kMixed);
  row.evidence = fmt::format("{}, riccati-mstmm against cartesian-dae at error {}", kMixed,
                             FormatError(kError));
  if (!mixed || mixed->cells.empty()) {
    row.verdict = NotMeasured(run);
    return row;
  }
  const BestTime ours = BestVariant(comparison, *mixed, "riccati-mstmm", kError);
  const BestTime rival = BestVariant(comparison, *mixed, "cartesian-dae", kError);
  if (!ours.time.known() || !rival.time.known()) {
    row.verdict = NotMeasured(run);
    return row;
  }
  row.ours = rival.time.seconds / ours.time.seconds;
  row.evidence += fmt::format(": {} and {}", FormatTime(ours.time), FormatTime(rival.time));
  row.verdict = *row.ours > 1 ? fmt::format("faster, by {} and not by {:.3g}",
                                            FormatRatio(rival.time, ours.time), kPublished)
                              : "does not hold here";
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
      "the Riccati transformation improves numerical stability", kRiccatiPaper, "", {}, {}, ""};
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
  row.verdict = *riccati->error<kAgrees&& * classical->error> 1e3 * *riccati->error
                    ? "holds, for general hinges"
                    : "not shown by this store";
  return row;
}

PaperClaim BrandlClaim(const Comparison& comparison) {
  PaperClaim row{
      "a little more efficient than the recursion of Brandl et al.", kDeduction, "", {}, {}, ""};
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
  // Between builds and machines such ratios move by some percent.
  constexpr double kEven = 0.05;
  row.verdict = median < 1 - kEven   ? "holds"
                : median > 1 + kEven ? fmt::format("does not hold: {:.2f} times the time", median)
                                     : "as efficient, not more";
  return row;
}

const Cell* MostAccurate(const ProblemResults& problem, const std::string& key) {
  const Cell* best = nullptr;
  for (const Cell& cell : problem.cells) {
    if (MethodKey(cell.method) != key || !cell.finished() || !cell.error) continue;
    if (!best || *cell.error < *best->error) best = &cell;
  }
  return best;
}

}  // namespace

std::string NotMeasured(const std::string& arguments) {
  return "not measured in this store: run `mbsbench run " + arguments + "`";
}

const ProblemResults* FindProblem(const Comparison& comparison, const std::string& name) {
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.name == name) return &problem;
  }
  return nullptr;
}

std::string MethodKey(const std::string& spec) { return spec.substr(0, spec.find(':')); }

BestTime BestVariant(const Comparison& comparison, const ProblemResults& problem,
                     const std::string& key, double error) {
  std::vector<BestTime> times = BestOfEachMethod(comparison, problem, "", error);
  std::erase_if(times, [&key](const BestTime& time) { return MethodKey(time.method) != key; });
  const BestTime* fastest = Fastest(times);
  return fastest ? *fastest : BestTime{key, "", {}};
}

std::vector<PaperClaim> TransferMatrixClaims(const Comparison& comparison) {
  return {OrderClaim(comparison, "no global equations, trees", kRiccatiPaper, "chainN3d", kRiccati),
          LoopOrderClaim(comparison),
          OrderClaim(comparison, "constant order of the matrices, with the paper's hinges",
                     kDeduction, "chainN", "classical-mstmm:paper"),
          OrderClaim(comparison, "constant order of the matrices, with general hinges", kDeduction,
                     "chainN", "classical-mstmm:general"),
          DeductionClaim(comparison),
          SpeedClaim(comparison),
          StabilityClaim(comparison),
          BrandlClaim(comparison)};
}

PaperClaim WishboneClaim(const Comparison& comparison) {
  constexpr double kComplete = 1e-7;  // what this problem asks of every method
  PaperClaim row{
      "complete agreement with an absolute-coordinate program", "Attia 2002", "", {}, {}, ""};
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
  row.verdict = *row.ours < kComplete ? "holds" : "does not hold at the settings run";
  return row;
}

}  // namespace mbsbench::reports
