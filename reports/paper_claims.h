// What the papers on transfer matrices and on equivalent particles claim of their methods, each beside
// evidence from the store alone, with a verdict. Where the store lacks the cells, the row says which
// run gives them.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"
#include "reports/equal_error.h"

namespace mbsbench::reports {

struct PaperClaim {
  std::string claim, source;
  std::string evidence;
  std::optional<double> ours, published;
  std::string verdict;
};

// Of Rui et al. 2018 and Rui, Bestle, Wang et al. 2020.
std::vector<PaperClaim> TransferMatrixClaims(const Comparison& comparison);
// Of Attia 2002.
PaperClaim WishboneClaim(const Comparison& comparison);

// "not measured in this store: run `mbsbench run ...`"
std::string NotMeasured(const std::string& arguments);

const ProblemResults* FindProblem(const Comparison& comparison, const std::string& name);

// "riccati-mstmm:general" -> "riccati-mstmm"
std::string MethodKey(const std::string& spec);

// The best variant of a method at an error.
BestTime BestVariant(const Comparison& comparison, const ProblemResults& problem,
                     const std::string& key, double error);

}  // namespace mbsbench::reports
