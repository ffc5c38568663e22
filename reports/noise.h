// How quiet the machine was while the cells were timed.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"

namespace mbsbench::reports {

// Rounds of a cell scatter when they differ by more than 10 %; the control kernel moved when it did so by more than
// 3 % during the rounds of one cell.
struct Noise {
  long long cells = 0;   // timed in several rounds
  long long single = 0;  // timed in one
  long long scattered = 0, moved = 0;
  std::vector<std::string> methods = {};  // whose rounds scatter, each once

  bool IsKnown() const { return cells > 0; }
  // From one cell in ten on.
  bool IsNoisy() const { return 10 * scattered > cells || 10 * moved > cells; }
  std::string InShort() const;  // "quiet", "noisy", "one round each"
  std::string Sentence() const;
};

Noise NoiseOf(const ProblemResults& problem);
Noise NoiseOf(const Comparison& comparison);

}  // namespace mbsbench::reports
