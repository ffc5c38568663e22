// The parts of the report, one function and one file each. Each takes the measurements, adds its CSV files to the document
// and returns its section. pages.cc assigns the sections to pages.
#pragma once

#include "reports/analysis/cells.h"
#include "reports/analysis/engine_times.h"
#include "reports/analysis/names.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

Section OverviewSection(const Comparison& comparison, Document& document);
Section MachineSection(const Comparison& comparison, Document& document);
// Explains the terms of the tables.
Section ReadingSection(const Comparison& comparison, Document& document);
Section OutcomeSection(const Comparison& comparison, Document& document);
// No block where no motion was judged.
Section KeptSection(const Comparison& comparison, Document& document);
Section ProblemSections(const Comparison& comparison, Document& document);
Section MethodSections(const Comparison& comparison, Document& document);
Section ScalingSection(const Comparison& comparison, Document& document);
// No block where the store holds no engine.
Section EnginesSection(const Comparison& comparison, Document& document);
// No block where the store holds no steady state.
Section SteadySection(const Comparison& comparison, Document& document);
Section ClaimsSection(const Comparison& comparison, Document& document);
// The agreement of methods with the reference formulation and with each other; the references.
Section ValidationSection(const Comparison& comparison, Document& document);
// What other sources print, against the references. No block where the store has no such value.
Section FieldReferencesSection(const Comparison& comparison, Document& document);
// Random models by every method. No block without a card.
Section HealthSection(const Comparison& comparison, Document& document);
// What redundant constraints leave of reactions, what methods find of it, and which branches motions follow after singular
// positions. No block where no problem has any.
Section RedundancySection(const Comparison& comparison, Document& document);
// Records of 'mbsbench bench': history and paired verdicts. No block where the store has none.
Section RegressionsSection(const Comparison& comparison, Document& document);

// Parts of other sections; no block where the store has no data for them.
inline constexpr const char *kOperationCounts = "operation-counts",  // its id
    *kIdenticalWork = "Identical work";                              // its table
Section OperationCountsSection(const Comparison& comparison, Document& document);
// The table of the ratios of all engines, and the ratios over bodies.
Table EnginesTable(const Comparison& comparison, const EngineComparison& all, Document& document);
Figure EngineFigure(const Comparison& comparison, const EngineComparison& all, Document& document);
// "a:general and b carry out the same operations (on 8 of 19 problems, ...)": pairs of methods of different families that do so
// on at least one.
std::vector<std::string> FamiliesOfIdenticalWork(const Comparison& comparison);
Section LoopCostSection(const Comparison& comparison, Document& document);
// The outcome of every cell, a letter each: problems over methods and integrators.
Figure OutcomeMatrix(const Comparison& comparison);

// Pages of single cells that were tried, at permanent addresses: "cell/problem/0123456789ab"; empty for a cell that has timed
// rounds only.
std::string CellRoute(const ProblemResults& problem, const Cell& cell);
std::string CellKey(const Cell& cell);
void AddCellPages(const Comparison& comparison, Document& document);

// Parts of a problem's section
Figure WorkPrecisionFigure(const Comparison& comparison, const ProblemResults& problem,
                           Document& document);
// One row per curve of the diagram.
Table CurveEndsTable(const Comparison& comparison, const ProblemResults& problem);
// The times of all curves at the targets.
inline constexpr const char* kTargetsFile = "time_at_target.csv";
CsvFile TargetsFile(const Comparison& comparison);
// The time of each method at the targets that the problem allows, and which methods and targets are left out, and why.
void AddTimesAtTargets(const Comparison& comparison, const ProblemResults& problem,
                       Section& section);
std::optional<Figure> DriftFigure(const Comparison& comparison, const ProblemResults& problem,
                                  Document& document);
// None when no cell recorded a motion.
std::optional<Figure> MotionFigure(const Comparison& comparison, const ProblemResults& problem,
                                   Document& document);
// No rows where the store has no record of the problem.
Table ParameterTable(const ProblemResults& problem);
// "printed", "computed" or "exact": how a source has its values, by the kind of their records.
std::string OriginOf(const std::string& kind);
// Values of other sources with their meaning, and the differences of our reference from them.
void AddPublishedValues(const ProblemResults& problem, Section& section, Document& document);

}  // namespace mbsbench::reports
