// Results of a problem in addition to its errors: charted motions, events, and variations of its assumptions.
#pragma once

#include <string>
#include <vector>

#include "reports/analysis/cells.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// The most accurate cell of a family of methods, or the finest where none is judged, with its whole record.
struct ShownCell {
  const Cell* cell = nullptr;
  TrialRecord record;
  const AccuracyRecord& Accuracy() const { return OrNone(record.accuracy); }
  std::string Name() const { return cell->Curve() + ", " + cell->Setting(); }
};

struct ShownProblem {
  const ProblemResults* problem = nullptr;
  std::vector<ShownCell> cells;  // one per family of methods
};

ShownProblem Show(const Comparison& comparison, const ProblemResults& problem);

// Sources of the published list, in its order.
std::vector<std::string> Sources(const ProblemResults& problem);

// The motions that the problem charts: displacement and acceleration over time.
std::vector<Figure> ChartedFigures(const Comparison& comparison, const ShownProblem& shown,
                                   Document& document);
// The speed of the first body of a problem with events, at them.
std::optional<Figure> SpeedFigure(const Comparison& comparison, const ShownProblem& shown,
                                  Document& document);
// The balance of momentum and energy over the events.
Table LedgerTable(const ShownProblem& shown);
// The printed values of the first problem of a family and of its variations, and the differences between them.
std::optional<Table> VariationTable(const std::vector<ShownProblem>& family, Document& document);

}  // namespace mbsbench::reports
