// How quiet the machine was while the cells were timed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/cells.h"
#include "reports/document.h"

namespace mbsbench::reports {

// Of cells timed in several rounds. A cell is affected by either: its rounds scatter when they differ by more than 10 %; the
// control kernel moved when it did so by more than 3 % during them.
struct NoiseCount {
  std::string method = {};
  long long cells = 0, scattered = 0, moved = 0, affected = 0;
};

struct Noise {
  NoiseCount all;
  long long single = 0;                  // timed in one round
  std::vector<NoiseCount> methods = {};  // those with affected cells, the most first

  bool IsKnown() const { return all.cells > 0; }
  bool IsNoisy() const { return 10 * all.affected > all.cells; }  // from one cell in ten on
  std::string InShort() const;  // "quiet", "noisy: 270 of 536 cells", "not known, one round each"
  std::string Sentence() const;
};

Noise NoiseOf(std::span<const ProblemResults> problems);

// All cells, then the methods with affected ones.
Table NoiseTable(const Comparison& comparison);

}  // namespace mbsbench::reports
