// Claims of papers about their methods, each with a verdict and evidence from the store alone. A claim is a row of
// data/claims.json.
#pragma once

#include <string>
#include <vector>

#include "reports/analysis/claim_quantities.h"

namespace mbsbench::reports {

// From the best to the worst: confirmed; confirmed in part (or by a variant that the paper does not print); not confirmed;
// undecided, because cells are absent or the measured values decide nothing; not testable, because the claim compares with
// a program that does not run here.
enum class Standing { kHolds, kPartly, kFails, kNotMeasured, kCannotBeTested };
struct StandingWords {
  const char *name, *tone, *sign;  // `sign`: the same without colour
};
const StandingWords& WordsOf(Standing standing);
// The tables of the page.
inline constexpr const char *kClaimsFile = "paper_claims.csv",
                            *kClaimsCaption = "Claims of papers, by the evidence of this store";
inline constexpr const char *kConditionsFile = "claim_conditions.csv",
                            *kConditionsCaption = "The conditions of each claim",
                            *kConditionsSection = "claim-conditions";  // its id

// One condition of a claim, each observation of which has to keep the bound.
struct TestedClaim : ClaimTest {
  std::vector<Observation> observations = {};
  // The members below are set when the claim is judged.
  // Families of problems with a value, and the values that keep the bound, miss it or are undecided.
  std::size_t families = 0, values = 0;
  std::size_t kept = 0, undecided = 0;  // of the values
  std::optional<Standing> standing =
      {};  // of this condition alone; empty if it is not judged, or too little was measured
  std::optional<TimeRatio> median = {};                  // over families
  std::vector<std::string> measured = {}, remarks = {};  // in words, one value or fact each
  std::string BoundInWords() const;                      // "at most 1e-6"
  bool JudgesValues() const { return !predicate.empty(); }
};

// A claim as data/claims.json states it; data/README.md explains the fields.
struct ClaimRow {
  std::string place = {}, statement = {}, label = {}, reads = {}, rule = {}, run = {}, takes = {},
              papers_variant = {}, absent = {}, untestable = {}, remark = {};
  std::optional<double> published = {};
  std::vector<ClaimTest> tests = {};

  MBSBENCH_FIELDS_IF_ANY(place, statement, label, reads, rule, run, takes, papers_variant, absent,
                         untestable, remark, published, tests)
};

struct ClaimsOfPaper {
  std::string paper = {};
  std::vector<ClaimRow> claims = {};

  MBSBENCH_FIELDS_IF_ANY(paper, claims)
};

// What distinguishes the variants of some methods that the claims name.
struct VariantNote {
  std::vector<std::string> methods = {};
  std::string text = {};

  MBSBENCH_FIELDS_IF_ANY(methods, text)
};

// What methods claim to keep of a motion.
struct KeptRow {
  std::vector<std::string> methods = {}, quantities = {};
  double within = 0;  // of their drift
  std::string source = {};

  MBSBENCH_FIELDS_IF_ANY(methods, quantities, within, source)
};

// What others state of problems; shown beside our results.
struct FactRow {
  std::vector<std::string> problems = {};
  std::string who = {}, fact = {}, source = {};

  MBSBENCH_FIELDS_IF_ANY(problems, who, fact, source)
};

struct ClaimData {
  std::vector<VariantNote> variants = {};
  std::vector<KeptRow> kept = {};
  std::vector<FactRow> facts = {};
  std::vector<ClaimsOfPaper> papers = {};

  MBSBENCH_FIELDS_IF_ANY(variants, kept, facts, papers)
};

struct PaperClaim {
  std::string claim, label, source, place;  // `label`: the claim in short; `place`: in the source
  std::string rule;                         // when the claim counts as confirmed, with the bound
  Standing standing = Standing::kNotMeasured;
  std::optional<double> ours = {}, published = {};
  std::string reads = "{}";  // format of both numbers: "{} rows", "{} of 46"
  // Which value `ours` is, with its interval: "median over 5 families", "least of 3 values: 1.10 to 1.35, 8 rounds".
  std::string statistic = {};
  std::string remark = {};
  std::vector<TestedClaim> tests = {};
  // The first condition, whose values are counted with the verdict; nullptr if the claim cannot be tested.
  const TestedClaim* Decisive() const {
    return tests.empty() || tests.front().predicate.empty() ? nullptr : &tests.front();
  }
};

// The claims of all papers, in the order of the data.
std::vector<PaperClaim> AllPaperClaims(const Comparison& comparison);

const ClaimData& AllClaimData();

}  // namespace mbsbench::reports
