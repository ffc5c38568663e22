// Recorded poses of a mechanism, for the drawings of the report.
#pragma once

#include <filesystem>
#include <string>

#include "reports/cells.h"
#include "reports/document.h"

namespace mbsbench::reports {

// Adds the mechanism at the steady state that `cell` found. Returns the id for TableCell::picture; empty where no
// pose is recorded.
std::string SteadyPicture(const Comparison& comparison, const ProblemResults& problem,
                          const Cell& cell, Document& document);

// One HTML file with one motion in the player. `record`: that of an accuracy
// trial, with its trajectory; `how`: the method, integrator and setting. Throws ReportError where there is no
// motion to show or the file cannot be written.
void WriteMotionPage(const ProblemRecord& problem, const TrialRecord& record,
                     const std::string& how, const std::string& command,
                     const std::filesystem::path& file);

}  // namespace mbsbench::reports
