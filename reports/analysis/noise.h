// The noise of the machine while the cells were timed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/analysis/cells.h"
#include "reports/analysis/mechanism_map.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// Counts of cells timed in several rounds. A cell is affected if its rounds differ by more than 10 % (`scattered`), or if the
// time of the control kernel changed by more than 3 % during them (`moved`).
struct NoiseCount {
  std::string method = {};
  long long cells = 0, scattered = 0, moved = 0, affected = 0;
  std::vector<double> spreads = {};  // largest over least time of the rounds of each cell
};

struct Noise {
  NoiseCount all;
  // Timed in one round; of these, with a control kernel more than 10 % slower than its least.
  long long single = 0, slowed = 0;
  std::vector<NoiseCount> methods = {};  // those with affected cells, by falling number

  // Fewer cells say nothing about the machine.
  static constexpr long long kFewestCells = 20;
  bool IsKnown() const { return all.cells >= kFewestCells; }
  bool IsNoisy() const { return 10 * all.affected > all.cells; }  // more than one cell in ten
  std::string InShort() const;  // "quiet", "noisy: 270 of 536 cells", "not known, one round each"
  std::string Sentence() const;
};

Noise NoiseOf(std::span<const ProblemResults> problems);

// A row for all cells, then one for each method with affected cells.
Table NoiseTable(const Comparison& comparison);

// The noisy ratios of the map: of a family of methods to the fastest on a problem, at an error.
Table NoisyRatiosTable(const MechanismMap& map);

// Whether noise affected the rounds of a cell, or may have affected its single one.
bool IsNoisy(const Cell& cell);

// The least CPU time of a cell, marked if noise affected it: "12.3 ms, noisy".
TableCell TimeCell(const Cell& cell);

}  // namespace mbsbench::reports
