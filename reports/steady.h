// Parts of the section about steady states.
#pragma once

#include "reports/cells.h"
#include "reports/document.h"
#include "reports/equal_error.h"

namespace mbsbench::reports {

// A value with the digits that it has: as many decimals as its error leaves, at most the 15 digits of double
// precision. The error of a state without a reference is the last step of Newton's iteration.
std::string FormatSteady(double value, std::optional<double> error);
std::optional<double> ErrorOfState(const Cell& cell);

// The record of a cell's accuracy trial; empty without one.
const TrialRecord& RecordOf(const Cell& cell);

// The steady states that many guesses reach at the problem's own speed, with their stability. Empty
// where a problem was not surveyed.
struct SurveyedCell {
  const ProblemResults* problem;
  const Cell* cell;
};
std::optional<Table> FoundStatesTable(const std::vector<SurveyedCell>& surveyed,
                                      Document& document);

// Steady states over the driving speed, stable and unstable stretches, turning points.
std::optional<Figure> BranchFigure(const ProblemResults& problem, const Cell& cell,
                                   Document& document);

// "rad/s" where all joints that are no unknowns of the steady state turn, "m/s" where all of them slide, else both.
std::string SpeedUnit(const ProblemResults& problem, const Cell& cell);

// The conventional way, compared with Newton: damped motions integrated until they settle, where each of them
// ends, and what either costs.
Section SettlingSection(const Comparison& comparison, Document& document);

// The time of a whole damped motion that settles over that of Newton's method.
struct SettlingCost {
  std::string problem, method;
  TimeRatio ratio;
};
std::vector<SettlingCost> SettlingCosts(const Comparison& comparison);

// Time per body and Newton iteration against bodies. Empty where no family was solved in two sizes.
std::optional<Figure> NewtonCostFigure(const Comparison& comparison, Document& document);

}  // namespace mbsbench::reports
