// What Lu et al. 2014 claim of their recursive algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "reports/format.h"
#include "reports/growing.h"
#include "reports/paper_claims.h"
#include "reports/scaling.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kMethod = "kane-huston";
constexpr const char* kCartesian = "cartesian-dae";

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
  row.reads = "error {}";
  row.evidence = fmt::format("{} by {}, {}: error {} against the reference", kProblem,
                             best->Curve(), best->Setting(), FormatError(best->error));
  row.standing = *best->error < kMeets ? Standing::kHolds : Standing::kFails;
  row.rule = "error below " + FormatError(kMeets);
  row.verdict = *best->error < kMeets ? "" : "not at the settings run";
  return row;
}

// How many times as long the rival takes on one tree.
struct Factor {
  TimeRatio ratio;
  std::string problem;
  double bodies = 0;
  std::string Text() const { return fmt::format("{} on {}", FormatRatio(ratio), problem); }
};

bool IsLess(const Factor& a, const Factor& b) { return a.ratio.value < b.ratio.value; }

// Those that tell which of the two is faster, rising, and how many do not.
struct Factors {
  std::vector<Factor> exact, bounds;
  long long open = 0;

  bool empty() const { return exact.empty() && bounds.empty(); }
  std::vector<Factor> all() const {
    std::vector<Factor> list = exact;
    list.insert(list.end(), bounds.begin(), bounds.end());
    return list;
  }
};

Factors FactorsOf(const Comparison& comparison, double error) {
  Factors factors;
  for (const ProblemResults& problem : comparison.problems) {
    if (Number(problem.document, "loops").value_or(1) > 0) continue;
    const BestTime ours = BestVariant(comparison, problem, kMethod, error);
    const BestTime rival = BestVariant(comparison, problem, kCartesian, error);
    if (!ours.time.known() || !rival.time.known()) continue;
    const auto ratio = RatioOf(rival.time, ours.time);
    if (!ratio || (!ratio->IsAtLeast(1) && !ratio->IsAtMost(1))) {
      ++factors.open;
      continue;
    }
    (ratio->kind == TimeRatio::Kind::kExact ? factors.exact : factors.bounds)
        .push_back({*ratio, problem.name, Number(problem.document, "bodies").value_or(0)});
  }
  std::sort(factors.exact.begin(), factors.exact.end(), IsLess);
  std::sort(factors.bounds.begin(), factors.bounds.end(), IsLess);
  return factors;
}

// Time of one evaluation against bodies, of the cheapest variant of a method, by one build on one machine.
std::map<double, double> CheapestEvaluations(const FamilyScaling& family, const std::string& key,
                                             const std::string& bench) {
  std::map<double, double> cheapest;
  for (const EvaluationCurve& curve : family.evaluations) {
    if (MethodKey(curve.method) != key || curve.what != "accelerations" || curve.bench != bench)
      continue;
    for (const EvaluationPoint& point : curve.points) {
      const auto [at, is_new] = cheapest.try_emplace(point.bodies, point.nanoseconds_per_body);
      if (!is_new) at->second = std::min(at->second, point.nanoseconds_per_body);
    }
  }
  return cheapest;
}

// The size from which on one evaluation of theirs costs more at all sizes where both were measured; the least of all
// builds and machines.
std::optional<double> DearerFrom(const FamilyScaling& family) {
  std::set<std::string> benches;
  for (const EvaluationCurve& curve : family.evaluations) benches.insert(curve.bench);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  double least = kNever;
  for (const std::string& bench : benches) {
    const auto rival = CheapestEvaluations(family, kCartesian, bench);
    double from = kNever;
    for (const auto& [bodies, cost] : CheapestEvaluations(family, kMethod, bench)) {
      const auto other = rival.find(bodies);
      if (other == rival.end()) continue;
      from = cost <= other->second ? kNever : std::min<double>(from, bodies);
    }
    least = std::min(least, from);
  }
  return least < kNever ? std::optional(least) : std::nullopt;
}

// "from 100 bodies on in chainN3d and from 1,000 on in chainN", the smallest first; empty where nowhere
std::string WhereDearer(const Comparison& comparison) {
  std::multimap<double, std::string> families;
  for (const FamilyScaling& family : Scaling(comparison)) {
    if (const auto from = DearerFrom(family)) families.emplace(*from, family.family);
  }
  std::vector<std::string> places;
  for (const auto& [from, family] : families) {
    places.push_back(fmt::format("from {}{} on in {}", FormatCount(static_cast<long long>(from)),
                                 !places.empty() ? ""
                                 : from == 1     ? " body"
                                                 : " bodies",
                                 family));
  }
  return fmt::format("{}", fmt::join(places, " and "));
}

// "2 to 24 bodies"
std::string RangeOfBodies(const std::vector<Factor>& factors) {
  const auto [least, most] =
      std::minmax_element(factors.begin(), factors.end(),
                          [](const Factor& a, const Factor& b) { return a.bodies < b.bodies; });
  const std::string largest =
      FormatCount(static_cast<long long>(most->bodies)) + (most->bodies == 1 ? " body" : " bodies");
  return least->bodies == most->bodies
             ? largest
             : FormatCount(static_cast<long long>(least->bodies)) + " to " + largest;
}

double MedianOf(const std::vector<Factor>& factors) {
  std::vector<double> ratios;
  for (const Factor& factor : factors) ratios.push_back(factor.ratio.value);
  return Median(std::move(ratios));
}

std::string EvidenceOf(const Factors& factors, const std::string& left_open) {
  std::string text;
  if (!factors.exact.empty()) {
    const std::vector<Factor>& exact = factors.exact;
    text += fmt::format(": median {} of {} of {}", FormatRatio(MedianOf(exact)),
                        Plural(static_cast<long long>(exact.size()), "tree"), RangeOfBodies(exact));
    if (exact.size() > 1)
      text += fmt::format(", from {} to {}", exact.front().Text(), exact.back().Text());
  }
  if (!factors.bounds.empty()) {
    text += fmt::format("; a bound only: {}{}", factors.bounds.front().Text(),
                        factors.bounds.size() > 1 ? " to " + factors.bounds.back().Text() : "");
  }
  return text + left_open;
}

// Motions are of small trees: how far the verdict goes is for the evaluations to say.
void Judge(const Factors& factors, const std::string& dearer, PaperClaim& row) {
  const std::vector<Factor> all = factors.all();
  const auto slower = std::count_if(all.begin(), all.end(),
                                    [](const Factor& one) { return one.ratio.IsAtMost(1); });
  if (2 * slower >= static_cast<std::ptrdiff_t>(all.size())) {
    row.standing = Standing::kFails;
    row.verdict = "";
  } else {
    row.standing = slower == 0 && dearer.empty() ? Standing::kHolds : Standing::kPartly;
    row.verdict = fmt::format("on {}trees of {}", slower == 0 ? "" : "most ", RangeOfBodies(all));
    if (slower > 0)
      row.verdict += ", not on " + std::min_element(all.begin(), all.end(), IsLess)->problem;
  }
  if (!dearer.empty())
    row.verdict += fmt::format("; one evaluation costs more than the rival's {}", dearer);
}

// Against constraints with multipliers, which theirs does without.
PaperClaim EfficiencyClaim(const Comparison& comparison) {
  constexpr double kError = 1e-6;
  PaperClaim row{
      "fewer variables and no constraint forces make it efficient", kLu2014, "", {}, {}, ""};
  row.reads = "× {}";
  const Factors factors = FactorsOf(comparison, kError);
  const std::string left_open = factors.open == 0
                                    ? ""
                                    : fmt::format("; {} left open, where times are only bounds",
                                                  Plural(factors.open, "tree"));
  if (factors.empty()) {
    row.evidence =
        fmt::format("{} against {} on chains and trees{}", kMethod, kCartesian, left_open);
    row.verdict = factors.open > 0
                      ? "not decided: the coarsest cells are better than the error compared at"
                      : NotMeasured(fmt::format("--tag tree --method '{}*' --method '{}*'", kMethod,
                                                kCartesian));
    return row;
  }
  if (!factors.exact.empty()) row.ours = MedianOf(factors.exact);
  row.evidence = fmt::format("time of {} (multipliers) over that of {} at error {}", kCartesian,
                             kMethod, FormatError(kError)) +
                 EvidenceOf(factors, left_open);
  row.rule = "less time than with multipliers on all trees, and no evaluation that costs more";
  Judge(factors, WhereDearer(comparison), row);
  return row;
}

// Speeds of the flight beside those of their test, of instances whose parameters were not fitted to them.
PaperClaim FlightClaim(const Comparison& comparison) {
  constexpr double kPublished = 2.9, kGood = 5;  // [%]
  PaperClaim row{"velocities of the line-throwing rocket agree with a test to 2.9 % on average",
                 kLu2014,
                 "",
                 {},
                 kPublished,
                 ""};
  row.reads = "{} %";
  std::string evidence;
  for (const ProblemResults& problem : comparison.problems) {
    if (FamilyOf(problem) != kRocketFamily || IsFitted(problem)) continue;
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
  row.rule = fmt::format("mean difference at most {} %; in part: at most {} %", kPublished, kGood);
  row.standing = *row.ours <= kPublished ? Standing::kHolds
                 : *row.ours <= kGood    ? Standing::kPartly
                                         : Standing::kFails;
  row.verdict = "drag and launcher are not printed: this catalogue completes them";
  return row;
}

}  // namespace

std::vector<PaperClaim> KaneHustonClaims(const Comparison& comparison) {
  return {PendulumClaim(comparison), EfficiencyClaim(comparison), FlightClaim(comparison)};
}

}  // namespace mbsbench::reports
