// Where methods gave different accelerations before any timing, or others than the truth, and what is known of who is wrong.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"

namespace mbsbench::reports {

struct DigitLoss {
  std::string method, description;
};
struct Disagreements {
  std::vector<DigitLoss> losses;   // of a method that lost its digits, the others being right
  std::vector<std::string> wrong;  // by problem: methods whose equations are others, by the truth
  std::vector<std::string> open;   // by problem: methods did not solve the same one
};
Disagreements ReadDisagreements(const Comparison& comparison);

}  // namespace mbsbench::reports
