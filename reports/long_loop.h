// The four-bar loop over thousands of turns: what its cells say about which formulation to take.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"

namespace mbsbench::reports {

inline constexpr const char* kLongFourBar = "fourbar:end=1000";
inline constexpr double kUsableError = 1e-2;  // an error of phase that a user may live with
inline constexpr double kOffTheLoop = 1e-6;   // position drift that can be seen

struct LongLoop {
  const ProblemResults* problem = nullptr;
  const Cell* recommended = nullptr;  // the cheapest that stays usable over the whole time, if any
  struct Best {
    std::string stabilisation;
    const Cell* cell;  // of the least error
  };
  std::vector<Best> best;
};

// Without a problem where the store does not hold it.
LongLoop FindLongLoop(const Comparison& comparison);

}  // namespace mbsbench::reports
