// What papers claim of their methods, each with evidence from the store alone and a verdict. The claims are
// the rows of data/claims.json; adding one is adding a row.
#pragma once

#include <string>
#include <vector>

#include "reports/claim_quantities.h"

namespace mbsbench::reports {

// What became of a claim: confirmed, confirmed in part (or by a variant that the paper does not print), not
// confirmed, undecided because cells are absent or what was measured leaves it open, or not to be tested here because it
// compares with a program that does not run here. From the best to the worst.
enum class Standing { kHolds, kPartly, kFails, kNotMeasured, kCannotBeTested };
const char* NameOf(Standing standing);
const char* ToneOf(Standing standing);
const char* SignOf(Standing standing);  // the same without colour
inline constexpr const char* kClaimsCaption = "Claims of papers, by the evidence of this store";

// One test of a claim: a quantity, each observation of which has to keep a bound.
struct TestedClaim {
  std::string what;  // was observed
  std::string
      predicate;  // "at most", "below", "at least", "median faster"; empty: shown, not judged
  double bound = 0;
  std::vector<Observation> observations;
};

struct PaperClaim {
  std::string claim, label, source, place;  // `label`: the claim in short; `place` of the source
  std::string rule;                         // with its bound: when it counts as confirmed
  Standing standing = Standing::kNotMeasured;
  std::optional<double> ours, published;
  std::string reads = "{}";  // what both numbers are: "{} rows", "{} of 46"
  // What `ours` is of the values behind it, with the interval that it has: "median of 5 values", "least of 3 values: 1.10
  // to 1.35, 8 rounds".
  std::string statistic;
  long long judged = 0, judged_problems = 0;  // values of the first test that keep its bound or miss it; of how many problems
  std::string evidence, remark;
  std::vector<TestedClaim> tests;
};

// Of all papers, in the order of the data.
std::vector<PaperClaim> AllPaperClaims(const Comparison& comparison);

// The rows themselves: { "papers": [ { "paper", "claims": [ ... ] } ] }
const Json& ClaimRows();

}  // namespace mbsbench::reports
