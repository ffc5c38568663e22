// Times beside those of a general-purpose code, for the claims and for the tables that show them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/equal_error.h"

namespace mbsbench::reports {

// What the Riccati method and its rival need for the same error.
struct ComparedTimes {
  std::optional<double> error;
  bool is_papers_way = false;  // the Riccati method with RK4 and the step that its paper prints
  BestTime riccati, rival;
};

// At fixed errors by the best variant; then each variant in the paper's way, with its rival at the error
// that it has there.
std::vector<ComparedTimes> TimesBesideRival(const Comparison& comparison,
                                            const ProblemResults& problem);

// "10 steps over 0.005 s", as far as it is known
std::string MotionOf(const Cell& cell);

// Of a cell that finished: its error, or that none is known and why.
std::string AccuracyOf(const Cell& cell);

}  // namespace mbsbench::reports
