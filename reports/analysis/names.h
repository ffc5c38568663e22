// How tables and figures name a problem, a method, an outcome and a curve.
#pragma once

#include <string>

#include "reports/analysis/cells.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// The method and integrator of a curve, for its colour and dashes (charts/style.js), the place of the variant in its family,
// and the place of the integrator, for its marker.
Json CurveStyle(const Comparison& comparison, const std::string& method,
                const std::string& integrator, const std::string& name, bool second_ladder = false);

// Names as links to their pages.
TableCell ProblemCell(const ProblemResults& problem);
TableCell MethodCell(const Comparison& comparison, const std::string& method);
// The outcome in the colour of its group.
TableCell OutcomeCell(const Cell& cell);
// The error as far as it is known, as ResolvedError; the file has what was measured.
TableCell ErrorCell(const ProblemResults& problem, const Cell& cell);

// The command that made a problem's data, as typed.
std::string CommandOf(const ProblemResults& problem);

}  // namespace mbsbench::reports
