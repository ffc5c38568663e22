#include "reports/pages/outcome_matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/records/json_codec.h"
#include "reports/analysis/outcomes.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/cell_pages.h"

namespace mbsbench::reports {

namespace {

std::string NameOf(const std::string& integrator) {
  return integrator.empty() ? "any" : integrator;
}

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

// A column is a method with an integrator, or an integrator alone.
class Matrix {
 public:
  Matrix(Figure figure, const char* rows_are, const std::vector<CurveColumn>& columns)
      : figure_(std::move(figure)), columns_(columns) {
    figure_.kind = "outcomes";
    figure_.csv = "cells.csv";
    figure_.table = {"Outcomes, coarse to fine", {{rows_are}}};
    figure_.data = {{"outcomes", Json(mbsbench::ToJson(AllOutcomes()))},
                    {"of", rows_are},
                    {"columns", Json::array()},
                    {"rows", Json::array()}};
    for (const auto& [method, integrator] : columns) {
      figure_.data["columns"].push_back({{"method", method}, {"integrator", NameOf(integrator)}});
      figure_.table.columns.push_back({method.empty()       ? NameOf(integrator)
                                       : integrator.empty() ? method
                                                            : method + ", " + integrator});
    }
  }
  // The cells of a problem, or those of one method there. No row where none is planned.
  void AddRow(const std::string& label, const std::string& page, const ProblemResults& problem,
              const std::string& method) {
    struct Entry {
      Json cells = Json::array();
      std::size_t planned = 0;  // at least so many, where some are not run yet
      std::string command = {}, letters = {};
      const Cell* last = nullptr;
    };
    std::vector<Entry> entries(columns_.size());
    bool is_planned = false;
    for (const Cell& cell : problem.cells) {
      if (!method.empty() && cell.method != method) continue;
      is_planned = true;
      const Outcome& outcome = FindOutcome(cell.outcome);
      Entry& entry = entries[*PlaceOf(cell.method, cell.integrator)];
      entry.cells.push_back({outcome.letter, outcome.group, DescribeCell(problem, cell, entry.last),
                             cell.key.empty() || outcome.group == "absent" ? "" : CellKey(cell)});
      if (entry.command.empty()) entry.command = cell.command;
      entry.letters += outcome.letter;
      entry.last = &cell;
    }
    for (const OpenItemRecord& open : problem.open) {
      const auto place = PlaceOf(open.method, open.integrator);
      if (!place || (!method.empty() && open.method != method)) continue;
      is_planned = true;
      if (!open.lacks_cells) continue;
      Entry& entry = entries[*place];
      entry.planned = entry.cells.size() + 1;
      if (!entry.letters.ends_with(kNotRunYet)) entry.letters += kNotRunYet;
    }
    if (!is_planned) return;
    Json row = {
        {"label", label}, {"page", page}, {"family", FamilyOf(problem)}, {"stem", problem.stem}};
    std::vector<TableCell> texts = {{label, nullptr, "", page}};
    for (Entry& entry : entries) {
      row["cells"].push_back(std::move(entry.cells));
      row["planned"].push_back(entry.planned);
      row["commands"].push_back(entry.command);
      texts.push_back(entry.letters.empty() ? kNotAskedFor : entry.letters);
    }
    figure_.data["rows"].push_back(std::move(row));
    figure_.table.rows.push_back(std::move(texts));
  }
  Figure Take() { return std::move(figure_); }

 private:
  std::optional<std::size_t> PlaceOf(const std::string& method,
                                     const std::string& integrator) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto& [own, with] = columns_[i];
      if ((own.empty() || own == method) && with == integrator) return i;
    }
    return std::nullopt;
  }
  Figure figure_;
  std::vector<CurveColumn> columns_;
};

// Columns of the cells of a problem, cells that are not run yet included.
void AddColumns(const Comparison& comparison, const ProblemResults& problem,
                std::vector<CurveColumn>& columns) {
  for (const Cell& cell : problem.cells)
    AddOnce(columns, CurveColumn{cell.method, cell.integrator});
  for (const OpenItemRecord& open : problem.open) {
    if (std::ranges::find(comparison.methods, open.method) != comparison.methods.end())
      AddOnce(columns, CurveColumn{open.method, open.integrator});
  }
}

}  // namespace

Figure OutcomeMatrix(const Comparison& comparison) {
  std::vector<CurveColumn> columns;
  std::vector<std::string> only_evaluated, integrators = comparison.integrators;
  for (const ProblemResults& problem : comparison.problems) {
    AddColumns(comparison, problem, columns);
    if (problem.cells.empty()) only_evaluated.push_back(problem.name);
    for (const OpenItemRecord& open : problem.open) AddOnce(integrators, open.integrator);
  }
  std::ranges::stable_sort(columns, {}, [&](const CurveColumn& one) {
    return std::pair(std::ranges::find(comparison.methods, one.first) - comparison.methods.begin(),
                     std::ranges::find(integrators, one.second) - integrators.begin());
  });
  Matrix matrix(
      {.title = "Outcome of every cell",
       .summary =
           "One row per family of problems, with the number of its problems. A bar shows how the "
           "cells of a family and a method ended; its empty part is cells not run yet. A click on "
           "a family shows its problems: each letter is one cell, from the coarsest setting to the "
           "finest. Three dots: not run yet. One dot: not planned."},
      "problem", columns);
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.cells.empty()) matrix.AddRow(problem.name, ProblemRoute(problem), problem, "");
  }
  Figure figure = matrix.Take();
  if (!only_evaluated.empty())
    figure.notes.push_back(fmt::format("No motion of these was run, single evaluations only: {}.",
                                       fmt::join(only_evaluated, ", ")));
  return figure;
}

Figure OutcomeMatrixOf(const Comparison& comparison, const ProblemResults& problem) {
  std::vector<CurveColumn> columns;
  for (const Cell& cell : problem.cells) AddOnce(columns, CurveColumn{"", cell.integrator});
  for (const OpenItemRecord& open : problem.open)
    AddOnce(columns, CurveColumn{"", open.integrator});
  Matrix matrix(
      {.title = "Outcome of every cell of " + problem.name,
       .summary =
           "One row per method, one column per integrator; each letter is one cell, from the "
           "coarsest tolerance or step to the finest. Three dots: not run yet. One dot: not "
           "planned."},
      "method", columns);
  for (const std::string& method : comparison.methods)
    matrix.AddRow(method, MethodRoute(comparison, method), problem, method);
  return matrix.Take();
}

}  // namespace mbsbench::reports
