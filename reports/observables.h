// What a problem shows in addition to its errors: motions that it charts, events at which it changes, variations of its
// assumptions and parameters, and the drift of loops over long times.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"
#include "reports/document.h"

namespace mbsbench::reports {

// The most accurate cell of a family of methods; where none is judged, its finest. With its record in full.
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
// The path of the first body of a problem with events, and its speed at them.
std::optional<Figure> PathFigure(const Comparison& comparison, const ShownProblem& shown,
                                 Document& document);
std::optional<Figure> SpeedFigure(const Comparison& comparison, const ShownProblem& shown,
                                  Document& document);
// The balance of momentum and energy over the events.
Table LedgerTable(const ShownProblem& shown);
// How far it is from closing at worst, over all events. Empty without events.
std::optional<Paragraph> LargestImbalance(const std::vector<ShownProblem>& all);
// The printed values of the first problem of a family and of its variations, and how far these lie apart.
std::optional<Table> VariationTable(const std::vector<ShownProblem>& family, Document& document);
// What a simulated second costs on each of several instances of as many bodies.
Table InstanceTable(const Comparison& comparison, const std::string& family,
                    const std::vector<ShownProblem>& instances);
// How the drift of closed loops grows over thousands of characteristic times. Without a block on shorter motions.
std::vector<Block> LongMotion(const Comparison& comparison, const ProblemResults& problem,
                              Document& document);

}  // namespace mbsbench::reports
