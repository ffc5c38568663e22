// Claims of papers about their methods, each with a verdict and evidence from the store alone. A claim is a row of
// data/claims.json.
#pragma once

#include <string>
#include <vector>

#include "reports/claim_quantities.h"

namespace mbsbench::reports {

// From the best to the worst: confirmed; confirmed in part (or by a variant that the paper does not print); not confirmed;
// undecided, because cells are absent or the measured values decide nothing; not testable, because the claim compares with
// a program that does not run here.
enum class Standing { kHolds, kPartly, kFails, kNotMeasured, kCannotBeTested };
const char* NameOf(Standing standing);
const char* ToneOf(Standing standing);
const char* SignOf(Standing standing);  // the same without colour
inline constexpr const char* kClaimsCaption = "Claims of papers, by the evidence of this store";

// One test of a claim: a quantity, each observation of which has to keep a bound.
struct TestedClaim {
  std::string what;  // the quantity, in words
  std::string
      predicate;  // "at most", "below", "at least", "median faster"; empty: shown, not judged
  double bound = 0;
  std::vector<Observation> observations;
};

struct PaperClaim {
  std::string claim, label, source, place;  // `label`: the claim in short; `place`: in the source
  std::string rule;                         // when the claim counts as confirmed, with the bound
  Standing standing = Standing::kNotMeasured;
  std::optional<double> ours, published;
  std::string reads = "{}";  // format of both numbers: "{} rows", "{} of 46"
  std::string mark;          // of `ours`, as in tables of ratios: "≈ "
  // Which value `ours` is, with its interval: "median of 5 values", "least of 3 values: 1.10 to 1.35, 8 rounds".
  std::string statistic;
  // Of the first test: the values that keep the bound, miss it or are undecided, how many are undecided, and the number of
  // their problems. None if the claim cannot be tested.
  std::size_t values = 0, undecided = 0, problems = 0;
  std::string evidence, remark;
  std::vector<TestedClaim> tests;
};

// The claim of a paper that a row of the data states.
PaperClaim Evaluate(const Comparison& comparison, const std::string& paper, const Json& row);

// The claims of all papers, in the order of the data.
std::vector<PaperClaim> AllPaperClaims(const Comparison& comparison);

// The rows of the data: { "papers": [ { "paper", "claims": [ ... ] } ] }
const Json& ClaimRows();

}  // namespace mbsbench::reports
