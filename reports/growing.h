// Flights of a rocket whose rope grows, for the figures and the tables of their section.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"
#include "reports/document.h"

namespace mbsbench::reports {

inline constexpr const char* kRocketFamily = "rocket";

// The best cell of a method, with its record in full.
struct Flight {
  const Curve* curve = nullptr;
  const Cell* cell = nullptr;
  Json record;
  std::string Name() const { return curve->name + ", " + cell->Setting(); }
};

inline std::optional<double> At(const Json& list, std::size_t i) {
  return list.is_array() && i < list.size() ? Number(list[i]) : std::nullopt;
}

// The flights refer to `curves`, which must stay where they are.
struct FlownProblem {
  const ProblemResults* problem = nullptr;
  std::vector<Curve> curves;
  std::vector<Flight> flights;
};

// The flight with one assumption of the model changed: nobody has computed it by other means, and it is
// compared with the unchanged one instead.
bool IsChangedAssumption(const ProblemResults& problem);

// Of the published list, in its order.
std::vector<std::string> Sources(const ProblemResults& problem);

// One row per value, ours beside those of each source.
std::optional<Table> FlightTable(const ProblemResults& problem, const std::vector<Flight>& flights,
                                 Document& document);
std::optional<Table> LedgerTable(const ProblemResults& problem, const std::vector<Flight>& flights,
                                 Document& document);
// How far the ledgers are from closing at worst, over all events of all flights. Empty without events.
std::optional<Paragraph> LargestImbalance(const std::vector<FlownProblem>& all);

// The printed figures of every flight, and how far each lies from those of the first.
std::optional<Table> AssumptionTable(const std::vector<FlownProblem>& all, Document& document);

// Time of one evaluation against the links that are out. Empty where no two sizes were evaluated.
std::optional<Figure> LinkCostFigure(const Comparison& comparison, Document& document);

}  // namespace mbsbench::reports
