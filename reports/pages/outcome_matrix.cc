// A figure that shows the outcome of every cell, a letter each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/records/json_codec.h"
#include "reports/analysis/outcomes.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kNotRunYet = "…";
constexpr const char* kNotAskedFor = ".";

using CurveColumn = std::pair<std::string, std::string>;  // method and integrator

// The text of a cell under the pointer. A reason that the setting before had too is not repeated.
std::string DescribeCell(const ProblemResults& problem, const Cell& cell, const Cell* before) {
  std::string text = cell.Setting() + ": " + cell.outcome;
  if (before && !cell.reason.empty() && before->outcome == cell.outcome &&
      before->reason == cell.reason)
    return text + ", same reason";
  if (!cell.reason.empty()) text += " - " + cell.reason;
  if (const std::string error = ErrorInWords(problem, cell); error != "-")
    text += ", error " + error;
  if (cell.cpu) text += ", CPU " + FormatSeconds(cell.cpu->minimum);
  if (!cell.key.empty()) text += ", key " + cell.key.substr(0, 8);
  return text;
}

struct Entry {
  Json cells = Json::array();
  std::size_t planned = 0;  // at least so many, where some are not run yet
  std::string command = {}, letters = {};
  const Cell* last = nullptr;
};

void AddRow(const ProblemResults& problem, const std::vector<CurveColumn>& columns,
            Figure& figure) {
  std::vector<Entry> entries(columns.size());
  const auto entry_of = [&](const auto& one) -> Entry* {
    const auto at = std::ranges::find(columns, CurveColumn{one.method, one.integrator});
    return at == columns.end() ? nullptr : &entries[static_cast<std::size_t>(at - columns.begin())];
  };
  for (const Cell& cell : problem.cells) {
    const Outcome& outcome = FindOutcome(cell.outcome);
    Entry& entry = *entry_of(cell);
    entry.cells.push_back({outcome.letter, outcome.group, DescribeCell(problem, cell, entry.last),
                           cell.key.empty() || outcome.group == "absent" ? "" : CellKey(cell)});
    if (entry.command.empty()) entry.command = cell.command;
    entry.letters += outcome.letter;
    entry.last = &cell;
  }
  for (const OpenItemRecord& open : problem.open) {
    Entry* const entry = entry_of(open);
    if (!entry || !open.lacks_cells) continue;
    entry->planned = entry->cells.size() + 1;
    if (!entry->letters.ends_with(kNotRunYet)) entry->letters += kNotRunYet;
  }
  Json row = {{"label", problem.name},
              {"page", ProblemRoute(problem)},
              {"family", FamilyOf(problem)},
              {"stem", problem.stem}};
  std::vector<TableCell> texts = {ProblemCell(problem)};
  for (Entry& entry : entries) {
    row["cells"].push_back(std::move(entry.cells));
    row["planned"].push_back(entry.planned);
    row["commands"].push_back(entry.command);
    texts.push_back(entry.letters.empty() ? kNotAskedFor : entry.letters);
  }
  figure.data["rows"].push_back(std::move(row));
  figure.table.rows.push_back(std::move(texts));
}

}  // namespace

Figure OutcomeMatrix(const Comparison& comparison) {
  std::vector<CurveColumn> columns;
  std::vector<std::string> only_evaluated, integrators = comparison.integrators;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells)
      AddOnce(columns, CurveColumn{cell.method, cell.integrator});
    for (const OpenItemRecord& open : problem.open) {  // of cells that are not run yet
      if (std::ranges::find(comparison.methods, open.method) != comparison.methods.end())
        AddOnce(columns, CurveColumn{open.method, open.integrator});
      AddOnce(integrators, open.integrator);
    }
    if (problem.cells.empty()) only_evaluated.push_back(problem.name);
  }
  std::ranges::stable_sort(columns, {}, [&](const CurveColumn& one) {
    return std::pair(std::ranges::find(comparison.methods, one.first) - comparison.methods.begin(),
                     std::ranges::find(integrators, one.second) - integrators.begin());
  });
  Figure figure{
      .kind = "outcomes",
      .title = "Outcome of every cell",
      .summary =
          "One row per family of problems, with the number of its problems. A bar shows how the "
          "cells of a family and a method ended; its empty part is cells not run yet. A click on a "
          "family shows its problems: each letter is one cell, from the coarsest setting to the "
          "finest. Three dots: not run yet. One dot: not planned.",
      .command = LatestCommand(comparison),
      .data = {{"outcomes", Json(mbsbench::ToJson(AllOutcomes()))},
               {"columns", Json::array()},
               {"rows", Json::array()}},
      .table = {"Outcomes, coarse to fine", {{"problem"}}},
      .csv = "cells.csv"};
  for (const auto& [method, integrator] : columns) {
    const std::string name = integrator.empty() ? "any" : integrator;
    figure.data["columns"].push_back({{"method", method}, {"integrator", name}});
    figure.table.columns.push_back({method + (integrator.empty() ? "" : ", " + name)});
  }
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.cells.empty()) AddRow(problem, columns, figure);
  }
  if (!only_evaluated.empty())
    figure.notes.push_back(fmt::format("No motion of these was run, single evaluations only: {}.",
                                       fmt::join(only_evaluated, ", ")));
  return figure;
}

}  // namespace mbsbench::reports
