// What the five papers claim of their methods, each beside evidence from the store alone, with a
// verdict. Where the store lacks the cells, the row says which run gives them.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"
#include "reports/equal_error.h"

namespace mbsbench::reports {

// What became of a claim: confirmed, confirmed in part (or by a variant that the paper does not print), not
// confirmed, or not to be tested here, because a program or a run is absent.
enum class Standing { kHolds, kPartly, kFails, kNotMeasured };
const char* NameOf(Standing standing);
const char* ToneOf(Standing standing);
inline constexpr const char* kClaimsCaption = "Claims of papers, by the evidence of this store";

struct PaperClaim {
  std::string claim, source;
  std::string evidence;
  std::optional<double> ours, published;
  std::string verdict;
  Standing standing = Standing::kNotMeasured;
  std::string rule = "";     // with its bound: when it counts as confirmed
  std::string reads = "{}";  // what both numbers are, with their place: "{} rows", "{} of 46"
};

// Of all five papers, paper by paper, the newest first.
std::vector<PaperClaim> AllPaperClaims(const Comparison& comparison);

// Of Rui et al. 2018 and Rui, Bestle, Wang et al. 2020: matrices, stability, other recursions.
std::vector<PaperClaim> TransferMatrixClaims(const Comparison& comparison);
// Of the same: large systems beside a general-purpose code.
std::vector<PaperClaim> LargeSystemClaims(const Comparison& comparison);
// Of Lu et al. 2014.
std::vector<PaperClaim> KaneHustonClaims(const Comparison& comparison);
// Of Choi, Park, Yoo 2002.
std::vector<PaperClaim> SteadyStateClaims(const Comparison& comparison);
// Of Attia 2002.
PaperClaim WishboneClaim(const Comparison& comparison);

// On how many trees and systems with loops a method gives the accelerations of the reference.
PaperClaim AgreementClaim(const Comparison& comparison, const std::string& claim,
                          const std::string& source, const std::string& method,
                          bool is_papers_variant);

inline constexpr const char* kRui2020 = "Rui, Bestle, Wang et al. 2020";
inline constexpr const char* kRui2018 = "Rui et al. 2018";
inline constexpr const char* kLu2014 = "Lu et al. 2014";
inline constexpr const char* kAttia2002 = "Attia 2002";
inline constexpr const char* kChoi2002 = "Choi, Park, Yoo 2002";

// Parameters of a problem that were chosen to meet what is printed: no evidence for it.
bool IsFitted(const ProblemResults& problem);

// "not measured in this store: run `mbsbench run ...`"
inline constexpr const char* kNotMeasuredHere = "not measured in this store";
std::string NotMeasured(const std::string& arguments);

// What the agreement trial of a problem says of a method; null where it says nothing.
const Json& AgreementOf(const ProblemResults& problem, const std::string& method);

// Whether an evaluation is missing because of a limit of the run, which is none of the method's.
bool IsLimitOfRun(const std::string& reason);

// From this error on accelerations against 113 bits have lost digits.
inline constexpr double kAgrees = 1e-9;

const ProblemResults* FindProblem(const Comparison& comparison, const std::string& name);

// Of all variants of a method.
const Cell* MostAccurate(const ProblemResults& problem, const std::string& key);

// The best variant of a method at an error.
BestTime BestVariant(const Comparison& comparison, const ProblemResults& problem,
                     const std::string& key, double error);

}  // namespace mbsbench::reports
