#include "reports/paper_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/equal_error.h"
#include "reports/format.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kWishbone = "wishbone";
constexpr double kSameEquations = 1e-6;  // accelerations that differ by more are of others

// How a method's accelerations meet the reference, on trees [0] and on systems with loops [1].
struct Agreements {
  int asked[2] = {0, 0}, met[2] = {0, 0};
  double worst = 0;                          // error of those that are of the same equations
  std::vector<std::string> others, stopped;  // not of the same equations; by a limit of the run
  int all() const { return asked[0] + asked[1]; }
};

Agreements AgreementsOf(const Comparison& comparison, const std::string& method) {
  Agreements found;
  for (const ProblemResults& problem : comparison.problems) {
    const auto loops = Number(problem.document, "loops");
    if (!loops || !problem.agreement) continue;
    const Json& own = AgreementOf(problem, method);
    const std::string reason = Text(own, "reason");
    const auto error = Number(own, "error");
    // What it refuses is no claim of its paper; without error or reason there was no truth to judge it by.
    if (own.is_null() || reason.starts_with("unsupported") || (!error && reason.empty())) continue;
    if (!error && IsLimitOfRun(reason)) {
      found.stopped.push_back(problem.name);
      continue;
    }
    const std::size_t kind = *loops > 0 ? 1 : 0;
    ++found.asked[kind];
    if (error && *error <= kAgrees) ++found.met[kind];
    if (error && *error <= kSameEquations) {
      found.worst = std::max(found.worst, *error);
    } else {
      found.others.push_back(problem.name +
                             (error ? " (error " + FormatError(error) + ")" : " (no evaluation)"));
    }
  }
  return found;
}

std::string Evidence(const Agreements& found, const std::string& method) {
  std::vector<std::string> kinds;
  if (found.asked[0] > 0)
    kinds.push_back(fmt::format("{} of {}", found.met[0], Plural(found.asked[0], "tree")));
  if (found.asked[1] > 0) {
    kinds.push_back(
        fmt::format("{} of {} with loops", found.met[1], Plural(found.asked[1], "system")));
  }
  std::string text = fmt::format("{} meets 113 bits to {} on {}", method, FormatError(kAgrees),
                                 fmt::join(kinds, " and "));
  if (!found.stopped.empty()) {
    text += fmt::format("; within the limits of this run not evaluated on {}",
                        fmt::join(found.stopped, ", "));
  }
  return text;
}

std::string RemarkOn(const Agreements& found, const std::string& method) {
  constexpr std::size_t kMostNamed = 6;
  if (!found.others.empty()) {
    const std::size_t named = std::min(found.others.size(), kMostNamed);
    const std::vector<std::string> first(found.others.begin(),
                                         found.others.begin() + static_cast<std::ptrdiff_t>(named));
    const std::size_t more = found.others.size() - named;
    return fmt::format("not on {}{}", fmt::join(first, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
  }
  const auto only = [&method](const char* holds, const char* lacks, const char* problem) {
    return fmt::format(
        "on {}; on {} {}", holds, lacks,
        NotMeasured(fmt::format("--problem {} --method {}", problem, MethodKey(method))));
  };
  if (found.asked[1] == 0) return only("trees", "loops", "mixed12");
  if (found.asked[0] == 0) return only("loops", "trees", "tree12");
  const int met = found.met[0] + found.met[1];
  if (met == found.all()) return "";
  return fmt::format("evaluated on all {}, to {} on {} of them and to {} on the other{}",
                     found.all(), FormatError(kAgrees), met, FormatError(found.worst),
                     found.all() - met == 1 ? "" : "s");
}

}  // namespace

const Cell* MostAccurate(const ProblemResults& problem, const std::string& key) {
  return MostAccurate(problem, [&key](const Cell& cell) { return MethodKey(cell.method) == key; });
}

const char* ToneOf(Standing standing) {
  switch (standing) {
    case Standing::kHolds: return "outcome-good";
    case Standing::kPartly: return "outcome-doubtful";
    case Standing::kFails: return "outcome-failed";
    case Standing::kNotMeasured: return "outcome-absent";
  }
  return "";
}

const char* NameOf(Standing standing) {
  switch (standing) {
    case Standing::kHolds: return "confirmed";
    case Standing::kPartly: return "confirmed in part";
    case Standing::kFails: return "not confirmed";
    case Standing::kNotMeasured: return "cannot be tested here";
  }
  return "";
}

bool IsFitted(const ProblemResults& problem) {
  return Text(problem.document, "title").find("fitted to") != std::string::npos;
}

const Json& AgreementOf(const ProblemResults& problem, const std::string& method) {
  static const Json null;
  if (!problem.agreement) return null;
  for (const Json& one : Field(problem.agreement->record, "methods")) {
    if (Text(one, "method") == method) return one;
  }
  return null;
}

bool IsLimitOfRun(const std::string& reason) {
  return reason.starts_with("timeout") || reason.starts_with("skipped") ||
         reason.starts_with("out_of_memory");
}

PaperClaim AgreementClaim(const Comparison& comparison, const std::string& claim,
                          const std::string& source, const std::string& method,
                          bool is_papers_variant) {
  PaperClaim row{claim, source, "", {}, {}, ""};
  row.rule = fmt::format(
      "accelerations within {} of 113 bits on all trees and systems with loops that were asked",
      FormatError(kSameEquations));
  const Agreements found = AgreementsOf(comparison, method);
  if (found.all() == 0) {
    row.evidence = method;
    row.verdict = NotMeasured("--method " + MethodKey(method));
    return row;
  }
  const int right = found.all() - static_cast<int>(found.others.size());
  row.ours = right;
  row.reads = fmt::format("{{}} of {}", found.all());
  row.evidence = Evidence(found, method);
  const bool both_kinds = found.asked[0] > 0 && found.asked[1] > 0;
  row.standing = found.others.empty() && both_kinds && is_papers_variant ? Standing::kHolds
                 : right > 0                                             ? Standing::kPartly
                                                                         : Standing::kFails;
  row.verdict = RemarkOn(found, method);
  if (!is_papers_variant) row.verdict += "; by a variant that the paper does not print";
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
                         kAttia2002, "equivalent-particles:index1", true)});
  append(SteadyStateClaims(comparison));
  static const std::vector<std::string> kOrder = {kRui2020, kRui2018, kLu2014, kAttia2002,
                                                  kChoi2002};
  const auto place = [](const PaperClaim& claim) {
    return std::find(kOrder.begin(), kOrder.end(), claim.source) - kOrder.begin();
  };
  for (PaperClaim& claim : claims) {
    if (claim.verdict.starts_with("; ")) claim.verdict.erase(0, 2);
  }
  std::stable_sort(claims.begin(), claims.end(),
                   [&place](const auto& a, const auto& b) { return place(a) < place(b); });
  return claims;
}

std::string NotMeasured(const std::string& arguments) {
  return fmt::format("{}: run `mbsbench run {}`", kNotMeasuredHere, arguments);
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
  row.reads = "difference {}";
  row.rule = "difference below " + FormatError(kComplete);
  row.evidence = fmt::format(
      "wishbone over {:g} s: {} {} and {} {} from the same reference, so that they differ by {} at "
      "most",
      Number(wishbone->document, "end_time").value_or(0), ours->Curve(), FormatError(ours->error),
      rival->Curve(), FormatError(rival->error), FormatError(row.ours));
  row.standing = *row.ours < kComplete ? Standing::kHolds : Standing::kFails;
  row.verdict = *row.ours < kComplete ? "" : "not at the settings run";
  return row;
}

}  // namespace mbsbench::reports
