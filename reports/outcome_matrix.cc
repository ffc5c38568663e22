#include "reports/outcome_matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/cell_pages.h"
#include "reports/columns.h"
#include "reports/format.h"
#include "reports/outcomes.h"

namespace mbsbench::reports {

namespace {

Json OutcomeList() {
  Json outcomes = Json::array();
  for (const Outcome& outcome : AllOutcomes()) {
    outcomes.push_back({{"name", outcome.name},
                        {"letter", outcome.letter},
                        {"group", outcome.group},
                        {"meaning", outcome.meaning}});
  }
  return outcomes;
}

std::string NameOf(const std::string& integrator) {
  return integrator.empty() ? "any" : integrator;
}

bool Holds(const std::vector<std::string>& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

constexpr const char* kNotRunYet = "…";
constexpr const char* kNotAskedFor = ".";

// How many settings of an integrator a problem is planned with, for curves that lack some: as many as other methods have
// on it, else as many as any problem has.
class Settings {
 public:
  explicit Settings(const Comparison& comparison) {
    for (const ProblemResults& problem : comparison.problems) {
      std::map<std::pair<std::string, std::string>, int> cells;
      for (const Cell& cell : problem.cells) {
        const int count = ++cells[{cell.method, cell.integrator}];
        Raise(of_[{problem.name, cell.integrator}], count);
        Raise(of_[{"", cell.integrator}], count);
      }
    }
  }
  int Of(const ProblemResults& problem, const std::string& integrator) const {
    const auto own = of_.find({problem.name, integrator}), any = of_.find({"", integrator});
    if (own != of_.end() && own->second > 1) return own->second;
    return any == of_.end() ? 1 : any->second;
  }

 private:
  static void Raise(int& most, int count) { most = std::max(most, count); }
  std::map<std::pair<std::string, std::string>, int> of_;  // by problem, or any, and integrator
};

// A row of the matrix and of its table, filled cell by cell.
struct Row {
  Json json;
  std::vector<TableCell> texts;
  std::vector<const Cell*> last;  // by column

  Row(const std::string& label, const std::string& page, std::size_t columns)
      : json({{"label", label},
              {"page", page},
              {"cells", Json::array()},
              {"planned", Json::array()},
              {"commands", Json::array()}}),
        texts({{label, nullptr, "", page}}),
        last(columns) {
    for (std::size_t i = 0; i < columns; ++i) {
      json["cells"].push_back(Json::array());
      json["planned"].push_back(0);
      json["commands"].push_back("");
      texts.push_back({""});
    }
  }
  // A curve with cells that were not run yet.
  void Open(std::size_t column, int planned) {
    json["planned"][column] = std::max(planned, static_cast<int>(json["cells"][column].size()) + 1);
    texts[column + 1].text += kNotRunYet;
  }
  void Add(std::size_t column, const Cell& cell) {
    const Outcome& outcome = FindOutcome(cell.outcome);
    // A reason that the setting before had too is not repeated.
    const Cell*& before = last[column];
    const bool is_same = before && !cell.reason.empty() && before->outcome == cell.outcome &&
                         before->reason == cell.reason;
    before = &cell;
    json["cells"][column].push_back(
        {outcome.letter, outcome.group,
         is_same ? cell.Setting() + ": " + cell.outcome + ", same reason" : DescribeCell(cell),
         cell.key.empty() || outcome.group == "absent" ? "" : CellKey(cell)});
    if (json["commands"][column] == "") json["commands"][column] = cell.command;
    texts[column + 1].text += outcome.letter;
  }
  void Finish(Figure& figure) {
    for (TableCell& text : texts) {
      if (text.text.empty()) text.text = kNotAskedFor;
    }
    figure.data["rows"].push_back(std::move(json));
    figure.table.rows.push_back(std::move(texts));
  }
};

}  // namespace

std::string DescribeCell(const Cell& cell) {
  std::string text = cell.Setting() + ": " + cell.outcome;
  if (!cell.reason.empty()) text += " - " + cell.reason;
  if (cell.error) text += ", error " + FormatError(cell.error);
  if (cell.cpu) text += ", CPU " + FormatSeconds(cell.cpu->minimum);
  if (!cell.key.empty()) text += ", key " + cell.key.substr(0, 8);
  return text;
}

namespace {

using CurveColumn = std::pair<std::string, std::string>;  // method and integrator

// Rows over columns, each of a method and an integrator, or of an integrator alone.
class Matrix {
 public:
  Matrix(const Comparison& comparison, Figure figure, const char* rows_are,
         const std::vector<CurveColumn>& columns)
      : figure_(std::move(figure)), settings_(comparison), columns_(columns) {
    figure_.kind = "outcomes";
    figure_.csv = "cells.csv";
    figure_.table = {"Outcomes, coarse to fine", {{rows_are}}};
    figure_.data = {{"outcomes", OutcomeList()},
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
  // The cells of a problem, or those of one method. Nothing where none is planned.
  void AddRow(const std::string& label, const std::string& page, const ProblemResults& problem,
              const std::string& method) {
    Row row(label, page, columns_.size());
    row.json["family"] = FamilyOf(problem);
    row.json["stem"] = problem.stem;
    bool is_planned = false;
    for (const Cell& cell : problem.cells) {
      if (!method.empty() && cell.method != method) continue;
      is_planned = true;
      row.Add(*PlaceOf(cell.method, cell.integrator), cell);
    }
    for (const auto& [curve, lacks_cells] : problem.open_curves) {
      const auto& [of_method, integrator] = curve;
      const auto place = PlaceOf(of_method, integrator);
      if (!place || (!method.empty() && of_method != method)) continue;
      is_planned = true;
      if (lacks_cells) row.Open(*place, settings_.Of(problem, integrator));
    }
    if (is_planned) row.Finish(figure_);
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
  Settings settings_;
  std::vector<CurveColumn> columns_;
};

// Of the cells of a problem, and of those that are not run yet.
void AddColumns(const Comparison& comparison, const ProblemResults& problem,
                std::vector<CurveColumn>& columns) {
  for (const Cell& cell : problem.cells)
    AddOnce(columns, CurveColumn{cell.method, cell.integrator});
  for (const auto& [curve, lacks_cells] : problem.open_curves) {
    if (Holds(comparison.methods, curve.first)) AddOnce(columns, curve);
  }
}

}  // namespace

Figure OutcomeMatrix(const Comparison& comparison) {
  std::vector<CurveColumn> columns;
  std::vector<std::string> only_evaluated, integrators = comparison.integrators;
  for (const ProblemResults& problem : comparison.problems) {
    AddColumns(comparison, problem, columns);
    if (problem.cells.empty()) only_evaluated.push_back(problem.name);
    for (const auto& [curve, lacks_cells] : problem.open_curves) AddOnce(integrators, curve.second);
  }
  std::ranges::stable_sort(columns, {}, [&](const CurveColumn& one) {
    return std::pair(std::ranges::find(comparison.methods, one.first) - comparison.methods.begin(),
                     std::ranges::find(integrators, one.second) - integrators.begin());
  });
  Matrix matrix(
      comparison,
      {.title = "Outcome of every cell",
       .summary =
           "One row per family of problems, with the number of its problems. A bar shows how the "
           "cells of a family and a method ended. The empty part of a bar stands for cells not run "
           "yet, whose number is that of other methods' settings. A click on a family shows its "
           "problems: each letter is one cell, from the coarsest setting to the finest. Three "
           "dots: not run yet. One dot: not planned."},
      "problem", columns);
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.cells.empty()) matrix.AddRow(problem.name, ProblemRoute(problem), problem, "");
  }
  Figure figure = matrix.Take();
  figure.table.in_markdown = false;  // too wide; the sections of the problems have its rows
  if (!only_evaluated.empty())
    figure.notes.push_back(fmt::format("No motion of these was run, single evaluations only: {}.",
                                       fmt::join(only_evaluated, ", ")));
  return figure;
}

Figure OutcomeMatrixOf(const Comparison& comparison, const ProblemResults& problem) {
  std::vector<CurveColumn> columns;
  for (const Cell& cell : problem.cells) AddOnce(columns, CurveColumn{"", cell.integrator});
  for (const auto& [curve, lacks_cells] : problem.open_curves)
    AddOnce(columns, CurveColumn{"", curve.second});
  Matrix matrix(
      comparison,
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
