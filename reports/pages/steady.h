// Parts of the section about steady states.
#pragma once

#include "reports/analysis/cells.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// A value with the decimals that its error allows, at most the 15 digits of double precision. The error of a state without
// a reference is the last step of Newton's iteration.
std::string FormatSteady(double value, std::optional<double> error);
std::optional<double> ErrorOfState(const Cell& cell);
// "s = 0.15 m"; "s = - m" where the value is not known.
std::string QuantityText(const std::string& name, MaybeNumber value, std::optional<double> error,
                         const std::string& unit);

// The steady states reached from many guesses at the problem's own speed, with their stability. Empty where no problem was
// surveyed.
struct SurveyedCell {
  const ProblemResults* problem;
  const Cell* cell;
};
std::optional<Table> FoundStatesTable(const std::vector<SurveyedCell>& surveyed,
                                      Document& document);

}  // namespace mbsbench::reports
