// What both papers on the transfer matrix method claim of their matrices, of stability, and beside
// another recursion. Variant `paper` has the hinges that they print, `general` those of this suite: only
// equal variants are compared, and each is named.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/digit_loss.h"
#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/paper_claims.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kRiccati = "riccati-mstmm";
constexpr const char* kClassical = "classical-mstmm";
constexpr const char* kArticulated = "articulated-body";
constexpr const char* kPapers = "paper";
constexpr const char* kGeneral = "general";

std::string Spec(const std::string& key, const std::string& variant) { return key + ":" + variant; }

std::string Count(double number) { return FormatCount(static_cast<long long>(number)); }

std::string Bodies(double number) { return Count(number) + (number == 1 ? " body" : " bodies"); }

bool IsOf(const ProblemResults& problem, const std::string& family) {
  return Text(problem.document, "family") == family;
}

// Rows of the largest matrix that a method solves.
struct Order {
  double bodies = 0, loops = 0, rows = 0;
};

// On the members of a family of which it evaluated all states, by size.
std::vector<Order> OrdersOf(const Comparison& comparison, const std::string& family,
                            const std::string& method) {
  std::vector<Order> orders;
  for (const ProblemResults& problem : comparison.problems) {
    if (!IsOf(problem, family)) continue;
    const Json& own = AgreementOf(problem, method);
    const auto bodies = Number(problem.document, "bodies");
    const auto rows = Number(own, "order");
    if (bodies && rows && Text(own, "reason").empty())
      orders.push_back({*bodies, Number(problem.document, "loops").value_or(0), *rows});
  }
  std::stable_sort(orders.begin(), orders.end(),
                   [](const Order& a, const Order& b) { return a.bodies < b.bodies; });
  return orders;
}

bool HasSizes(const std::vector<Order>& orders) {
  return !orders.empty() && orders.front().bodies < orders.back().bodies;
}

bool IsConstant(const std::vector<Order>& orders) {
  return std::all_of(orders.begin(), orders.end(),
                     [&](const Order& one) { return one.rows == orders.front().rows; });
}

std::string GrowthOf(const std::vector<Order>& orders) {
  const Order &first = orders.front(), &last = orders.back();
  return fmt::format("it grows by {:.2g} per body",
                     (last.rows - first.rows) / (last.bodies - first.bodies));
}

// "riccati-mstmm:general on branchN: 3 rows at each of 5 sizes from 6 to 500 bodies"
std::string Told(const std::string& method, const std::string& family,
                 const std::vector<Order>& orders) {
  const Order &first = orders.front(), &last = orders.back();
  const std::string begin = fmt::format("{} on {}: {} ", method, family,
                                        Plural(static_cast<long long>(first.rows), "row"));
  if (IsConstant(orders)) {
    return begin + fmt::format("at each of {} sizes from {} to {}", orders.size(),
                               Count(first.bodies), Bodies(last.bodies));
  }
  return begin +
         fmt::format("at {}, {} at {}", Bodies(first.bodies), Count(last.rows), Count(last.bodies));
}

// Whether a method was asked about a family and could evaluate none of its members.
bool EvaluatesNothing(const Comparison& comparison, const std::string& family,
                      const std::string& method) {
  bool any = false;
  for (const ProblemResults& problem : comparison.problems) {
    if (!IsOf(problem, family)) continue;
    const Json& own = AgreementOf(problem, method);
    const std::string reason = Text(own, "reason");
    if (Number(own, "error") || Number(own, "difference")) return false;
    any = any || (!reason.empty() && !IsLimitOfRun(reason));
  }
  return any;
}

PaperClaim TreeOrderClaim(const Comparison& comparison) {
  PaperClaim row{"no global equations, trees", kRui2020, "", {}, {}, ""};
  row.reads = "{} rows";
  std::vector<std::string> told, grows, absent;
  bool is_papers = false;
  for (const char* variant : {kPapers, kGeneral}) {
    for (const char* family : {"branchN", "chainN3d"}) {
      const std::string method = Spec(kRiccati, variant);
      const std::vector<Order> orders = OrdersOf(comparison, family, method);
      if (EvaluatesNothing(comparison, family, method))
        absent.push_back(fmt::format("{} evaluates no member of {}", method, family));
      if (!HasSizes(orders)) continue;
      is_papers = is_papers || variant == kPapers;
      told.push_back(Told(method, family, orders));
      if (!IsConstant(orders))
        grows.push_back(fmt::format("of {} on {} {}", method, family, GrowthOf(orders)));
      row.ours = std::max(row.ours.value_or(0), orders.back().rows);
    }
  }
  if (told.empty()) {
    row.evidence = fmt::format("{} on branchN and chainN3d", kRiccati);
    row.verdict = NotMeasured(
        fmt::format("--problem 'branchN:*' --problem 'chainN3d:*' --method '{}*'", kRiccati));
    return row;
  }
  row.evidence = fmt::format("largest matrix solved: {}", fmt::join(told, "; "));
  row.rule = "the paper's variant solves matrices of as many rows at every size";
  row.standing = !grows.empty() ? Standing::kFails
                 : is_papers    ? Standing::kHolds
                                : Standing::kPartly;
  row.verdict = grows.empty() ? is_papers ? "" : "by a variant that the paper does not print"
                              : fmt::format("{}", fmt::join(grows, "; "));
  if (!absent.empty()) row.verdict += fmt::format("; {}", fmt::join(absent, "; "));
  return row;
}

// The least bodies of a family with which a method has no digit left.
std::optional<double> LostFrom(const Comparison& comparison, const std::string& family,
                               const std::string& method) {
  std::optional<double> fewest;
  for (const ProblemResults& problem : comparison.problems) {
    const auto bodies = Number(problem.document, "bodies");
    const auto error = Number(AgreementOf(problem, method), "error");
    if (!IsOf(problem, family) || !bodies || !error || *error < kAllLost) continue;
    fewest = std::min(fewest.value_or(*bodies), *bodies);
  }
  return fewest;
}

// Of the paper's hinges: what other hinges add stands beside it.
PaperClaim ConstantOrderClaim(const Comparison& comparison) {
  constexpr const char* kFamily = "chainN";
  PaperClaim row{"constant order of the matrices", kRui2018, "", {}, {}, ""};
  row.reads = "{} rows";
  const std::string papers = Spec(kClassical, kPapers), general = Spec(kClassical, kGeneral);
  const std::vector<Order> orders = OrdersOf(comparison, kFamily, papers),
                           others = OrdersOf(comparison, kFamily, general);
  if (!HasSizes(orders)) {
    row.evidence = fmt::format("{} on {}", papers, kFamily);
    row.verdict = NotMeasured(fmt::format("--problem '{}:*' --method '{}*'", kFamily, kClassical));
    return row;
  }
  row.ours = orders.back().rows;
  row.evidence = "largest matrix solved: " + Told(papers, kFamily, orders);
  if (HasSizes(others)) {
    row.evidence += "; " + Told(general, kFamily, others);
    if (!IsConstant(others)) row.evidence += ": with these hinges " + GrowthOf(others);
  }
  row.rule = "the paper's variant solves matrices of as many rows at every size";
  row.standing = IsConstant(orders) ? Standing::kHolds : Standing::kFails;
  row.verdict = IsConstant(orders) ? "with the paper's hinges" : GrowthOf(orders);
  if (const auto lost = LostFrom(comparison, kFamily, papers))
    row.verdict += fmt::format("{} all digits are lost from {} on",
                               IsConstant(orders) ? ", but" : ";", Bodies(*lost));
  return row;
}

// How a matrix grows on systems with loops.
struct LoopOrders {
  std::string method;
  Order fewest, most;  // loops
  std::optional<std::pair<Order, Order>>
      by_size;  // of equally many loops, the widest range of bodies

  bool GrowsWithLoops() const { return most.rows > fewest.rows; }
  bool GrowsWithBodies() const { return by_size && by_size->second.rows > by_size->first.rows; }
};

std::optional<LoopOrders> LoopOrdersOf(const Comparison& comparison, const std::string& family,
                                       const std::string& method) {
  std::vector<Order> orders = OrdersOf(comparison, family, method);
  std::erase_if(orders, [](const Order& one) { return one.loops < 1; });
  if (orders.empty()) return std::nullopt;
  const auto by_loops = [](const Order& a, const Order& b) { return a.loops < b.loops; };
  const auto [fewest, most] = std::minmax_element(orders.begin(), orders.end(), by_loops);
  if (fewest->loops == most->loops) return std::nullopt;
  LoopOrders found{method, *fewest, *most, {}};
  for (const Order& small : orders) {
    for (const Order& large : orders) {
      if (small.loops != large.loops || small.bodies >= large.bodies) continue;
      const double range =
          found.by_size ? found.by_size->second.bodies / found.by_size->first.bodies : 0;
      if (large.bodies / small.bodies > range) found.by_size = {small, large};
    }
  }
  return found;
}

std::string Told(const LoopOrders& found) {
  std::string text = fmt::format("{} {} with {}, {} with {}", found.method,
                                 Plural(static_cast<long long>(found.fewest.rows), "row"),
                                 Plural(static_cast<long long>(found.fewest.loops), "loop"),
                                 Count(found.most.rows), Count(found.most.loops));
  if (!found.by_size) return text;
  const auto& [small, large] = *found.by_size;
  return text + fmt::format(" (with {} {} at {} and {} at {})",
                            Plural(static_cast<long long>(small.loops), "loop"), Count(small.rows),
                            Bodies(small.bodies), Count(large.rows), Count(large.bodies));
}

// The paper cuts a loop and adds a supplement equation for it: its own matrix grows with the loops. The
// Riccati form of a loop is printed in neither paper; ours solves the cut forces of all loops at once.
PaperClaim LoopOrderClaim(const Comparison& comparison) {
  constexpr const char* kFamily = "ladder";
  PaperClaim row{"no global equations, closed loops", kRui2018, "", {}, {}, ""};
  row.reads = "{} rows";
  const std::string own = Spec(kRiccati, kGeneral);
  std::vector<std::string> told;
  bool grows_with_loops = false, grows_with_bodies = false, sizes = false;
  for (const std::string& method : {Spec(kClassical, kPapers), own}) {
    const auto found = LoopOrdersOf(comparison, kFamily, method);
    if (!found) continue;
    if (!row.ours) row.ours = found->most.rows;
    told.push_back(Told(*found) +
                   (method == own ? ", by this suite's own treatment of loops" : ""));
    grows_with_loops = grows_with_loops || found->GrowsWithLoops();
    grows_with_bodies = grows_with_bodies || found->GrowsWithBodies();
    sizes = sizes || found->by_size.has_value();
  }
  if (told.empty()) {
    row.evidence = fmt::format("{} on {}", own, kFamily);
    row.verdict = NotMeasured(
        fmt::format("--problem '{}*' --method {} --method {}", kFamily, kRiccati, kClassical));
    return row;
  }
  row.evidence = fmt::format("largest matrix solved on {}: {}", kFamily, fmt::join(told, "; "));
  row.rule =
      "the largest matrix grows neither with loops nor with bodies; in part: with loops alone";
  row.standing = grows_with_bodies  ? Standing::kFails
                 : grows_with_loops ? Standing::kPartly
                                    : Standing::kHolds;
  row.verdict =
      grows_with_bodies ? "the matrix grows with the bodies"
      : !grows_with_loops
          ? ""
          : fmt::format(
                "the matrix grows with the loops, as the paper's own does by a supplement "
                "equation per loop{}",
                sizes ? "; it does not grow with the bodies" : "");
  return row;
}

// Errors of one evaluation of the same chain with the same hinges.
struct Pair {
  double bodies = 0, riccati = 0, classical = 0;
  bool ShowsStability() const {
    constexpr double kMuchLess = 1e-3;
    return riccati < kAgrees && riccati < kMuchLess * classical;
  }
};

// On the largest member of a family on which both were judged.
std::optional<Pair> LargestPair(const Comparison& comparison, const std::string& family,
                                const std::string& variant) {
  std::optional<Pair> largest;
  for (const ProblemResults& problem : comparison.problems) {
    if (!IsOf(problem, family)) continue;
    const auto bodies = Number(problem.document, "bodies");
    const auto riccati = Number(AgreementOf(problem, Spec(kRiccati, variant)), "error");
    const auto classical = Number(AgreementOf(problem, Spec(kClassical, variant)), "error");
    if (!bodies || !riccati || !classical) continue;
    if (!largest || *bodies > largest->bodies) largest = Pair{*bodies, *riccati, *classical};
  }
  return largest;
}

PaperClaim StabilityClaim(const Comparison& comparison) {
  constexpr double kManyBodies = 100;  // fewer lose few digits either way
  PaperClaim row{
      "the Riccati transformation improves numerical stability", kRui2020, "", {}, {}, ""};
  row.reads = "error {}";
  std::vector<std::string> told, missed, absent;
  double most_bodies = 0;
  for (const char* family : {"chainN", "chainN3d"}) {
    for (const char* variant : {kGeneral, kPapers}) {
      const std::string method = Spec(kRiccati, variant);
      if (EvaluatesNothing(comparison, family, method))
        absent.push_back(fmt::format("{} evaluates no member of {}", method, family));
      const auto pair = LargestPair(comparison, family, variant);
      if (!pair || pair->bodies < kManyBodies) continue;
      told.push_back(fmt::format("{} {} against {} {} on {} of {}", method,
                                 FormatError(pair->riccati), Spec(kClassical, variant),
                                 FormatError(pair->classical), family, Bodies(pair->bodies)));
      if (!pair->ShowsStability()) missed.push_back(fmt::format("{} on {}", method, family));
      if (pair->bodies > most_bodies) most_bodies = pair->bodies, row.ours = pair->riccati;
    }
  }
  if (told.empty()) {
    row.evidence = "error of one evaluation on chains of 10 to 3,000 rods";
    row.verdict = NotMeasured(
        "--problem 'chainN:*' --problem 'chainN3d:*' --method 'riccati*' --method 'classical*'");
    return row;
  }
  row.evidence =
      fmt::format("error of one evaluation, both with the same hinges: {}", fmt::join(told, "; "));
  row.standing = missed.size() == told.size()         ? Standing::kFails
                 : !missed.empty() || !absent.empty() ? Standing::kPartly
                                                      : Standing::kHolds;
  row.rule = fmt::format(
      "error below {} and below a thousandth of the classical method's, on all chains from "
      "{:.0f} bodies, by both variants",
      FormatError(kAgrees), kManyBodies);
  row.verdict = missed.empty() ? "" : fmt::format("not shown of {}", fmt::join(missed, ", "));
  if (!absent.empty()) row.verdict += fmt::format("; {}", fmt::join(absent, "; "));
  return row;
}

// Times of one evaluation by the Riccati recursion over those by the other, rising.
std::vector<double> RatiosToArticulated(const Comparison& comparison) {
  std::vector<double> ratios;
  for (const ProblemResults& problem : comparison.problems) {
    std::optional<double> riccati, rival;
    for (const Trial* trial : problem.evaluations) {
      if (trial->outcome != "ok") continue;
      const auto cost = Number(trial->record, "nanoseconds_per_body");
      if (trial->method == Spec(kRiccati, kGeneral)) riccati = cost;
      if (trial->method == kArticulated) rival = cost;
    }
    if (riccati && rival && *rival > 0) ratios.push_back(*riccati / *rival);
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

PaperClaim BrandlClaim(const Comparison& comparison) {
  PaperClaim row{
      "a little more efficient than the recursion of Brandl et al.", kRui2018, "", {}, {}, ""};
  row.reads = "{} of its time";
  const std::vector<double> ratios = RatiosToArticulated(comparison);
  if (ratios.empty()) {
    row.evidence = "time of one evaluation";
    row.verdict = NotMeasured("--method riccati-mstmm --method articulated-body");
    return row;
  }
  const double median = Median(ratios);
  const RatioSpread spread{BootstrapMedian(ratios), static_cast<int>(ratios.size())};
  const Verdict verdict = Judge(spread);
  row.ours = median;
  row.rule = std::string("over all problems, ") + kVerdictRule;
  row.evidence = fmt::format(
      "time of one evaluation, {} over {} (the same recursion): median {:.2f} ({:.2f} to {:.2f}) "
      "of "
      "{}, from {:.2f} to {:.2f}",
      Spec(kRiccati, kGeneral), kArticulated, median, spread.interval.low, spread.interval.high,
      Plural(static_cast<long long>(ratios.size()), "problem"), ratios.front(), ratios.back());
  row.standing = verdict == Verdict::kFaster   ? Standing::kHolds
                 : verdict == Verdict::kSlower ? Standing::kFails
                                               : Standing::kPartly;
  row.verdict = NameOf(verdict);
  return row;
}

}  // namespace

std::vector<PaperClaim> TransferMatrixClaims(const Comparison& comparison) {
  return {TreeOrderClaim(comparison),
          LoopOrderClaim(comparison),
          ConstantOrderClaim(comparison),
          AgreementClaim(comparison,
                         "automatic deduction for trees and closed-loop-and-branch-mixed systems",
                         kRui2018, Spec(kClassical, kGeneral), false),
          StabilityClaim(comparison),
          BrandlClaim(comparison)};
}

}  // namespace mbsbench::reports
