// Methods whose accelerations differed from each other or from the truth before any timing, and which of them is wrong.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reports/analysis/cells.h"

namespace mbsbench::reports {

struct DigitLoss {
  std::string method, description;
};
struct Disagreements {
  std::vector<DigitLoss> losses;   // methods that lost digits where the others are right
  std::vector<std::string> wrong;  // by problem: methods that solve other equations, by the truth
  std::vector<std::string> open;   // by problem: methods disagree, and which is wrong is not known
  std::set<std::string> problems_of_losses = {};
};
Disagreements ReadDisagreements(const Comparison& comparison);

}  // namespace mbsbench::reports
