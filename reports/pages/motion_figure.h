// Recorded poses of a mechanism, for the drawings of the report.
#pragma once

#include <filesystem>
#include <string>

#include "reports/analysis/cells.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// Adds the mechanism at the steady state of `cell`. Returns the id for TableCell::picture; empty where no pose is
// recorded.
std::string SteadyPicture(const Comparison& comparison, const ProblemResults& problem,
                          const Cell& cell, Document& document);

// Writes one HTML file with one motion in the player. `record` is an accuracy trial's, with its trajectory; `how` names
// method, integrator and setting. Throws ReportError where there is no motion to show or the file cannot be written.
void WriteMotionPage(const ProblemRecord& problem, const TrialRecord& record,
                     const std::string& how, const std::string& command,
                     const std::filesystem::path& file);

}  // namespace mbsbench::reports
