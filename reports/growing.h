// Flights of a rocket whose rope grows, for the figures and the tables of their section.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"
#include "reports/document.h"

namespace mbsbench::reports {

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

// Of the published list, in its order.
std::vector<std::string> Sources(const ProblemResults& problem);

// One row per value, ours beside those of each source.
std::optional<Table> FlightTable(const ProblemResults& problem, const std::vector<Flight>& flights,
                                 Document& document);
std::optional<Table> LedgerTable(const ProblemResults& problem, const std::vector<Flight>& flights,
                                 Document& document);

}  // namespace mbsbench::reports
