#include "reports/outcome_matrix.h"

#include <algorithm>
#include <map>

#include "reports/cell_pages.h"
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

// A row of the matrix and of its table, filled cell by cell.
struct Row {
  Json json;
  std::vector<TableCell> texts;
  std::vector<const Cell*> last;  // by column

  Row(const std::string& label, const std::string& page, std::size_t columns)
      : json({{"label", label},
              {"page", page},
              {"cells", Json::array()},
              {"commands", Json::array()}}),
        texts({{label, nullptr, "", page}}),
        last(columns) {
    for (std::size_t i = 0; i < columns; ++i) {
      json["cells"].push_back(Json::array());
      json["commands"].push_back("");
      texts.push_back({""});
    }
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
         is_same ? cell.Setting() + ": " + cell.outcome + ", likewise" : DescribeCell(cell),
         cell.key.empty() || outcome.group == "absent" ? "" : CellKey(cell)});
    if (json["commands"][column] == "") json["commands"][column] = cell.command;
    texts[column + 1].text += outcome.letter;
  }
  void Finish(Figure& figure) {
    for (TableCell& text : texts) {
      if (text.text.empty()) text.text = ".";
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

Figure OutcomeMatrix(const Comparison& comparison) {
  Figure figure;
  figure.kind = "outcomes";
  figure.title = "Outcome of every cell";
  figure.csv = "cells.csv";
  figure.summary =
      "One row per family of problems: a click shows its problems, each letter one cell from the "
      "coarsest setting to the finest.";
  figure.data = {{"outcomes", OutcomeList()},
                 {"of", "problem"},
                 {"columns", Json::array()},
                 {"rows", Json::array()}};
  figure.table.caption = "Outcomes, coarse to fine";
  figure.table.columns.push_back({"problem"});
  std::map<std::pair<std::string, std::string>, std::size_t> column_of;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) column_of[{cell.method, cell.integrator}] = 0;
  }
  std::size_t columns = 0;
  for (const std::string& method : comparison.methods) {
    for (const std::string& integrator : comparison.integrators) {
      const auto column = column_of.find({method, integrator});
      if (column == column_of.end()) continue;
      column->second = columns++;
      figure.data["columns"].push_back({{"method", method}, {"integrator", NameOf(integrator)}});
      figure.table.columns.push_back({integrator.empty() ? method : method + ", " + integrator});
    }
  }
  std::string only_evaluated;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.cells.empty()) {
      only_evaluated += (only_evaluated.empty() ? "" : ", ") + problem.name;
      continue;
    }
    Row row(problem.name, ProblemRoute(problem), columns);
    row.json["family"] = FamilyOf(problem);
    row.json["stem"] = problem.stem;
    for (const Cell& cell : problem.cells)
      row.Add(column_of.at({cell.method, cell.integrator}), cell);
    row.Finish(figure);
  }
  if (!only_evaluated.empty())
    figure.notes.push_back("No motion of these was run, single evaluations only (see Scaling): " +
                           only_evaluated + ".");
  return figure;
}

Figure OutcomeMatrixOf(const Comparison& comparison, const ProblemResults& problem) {
  Figure figure;
  figure.kind = "outcomes";
  figure.title = "Outcome of every cell of " + problem.name;
  figure.csv = "cells.csv";
  figure.summary =
      "One row per method, one column per integrator; each letter is one cell, from the coarsest "
      "tolerance or step to the finest. A dot: not asked for.";
  figure.data = {{"outcomes", OutcomeList()},
                 {"of", "method"},
                 {"columns", Json::array()},
                 {"rows", Json::array()}};
  figure.table.caption = "Outcomes, coarse to fine";
  figure.table.columns.push_back({"method"});
  std::vector<std::string> integrators;
  for (const Cell& cell : problem.cells) {
    if (std::find(integrators.begin(), integrators.end(), cell.integrator) == integrators.end())
      integrators.push_back(cell.integrator);
  }
  for (const std::string& integrator : integrators) {
    figure.data["columns"].push_back({{"method", ""}, {"integrator", NameOf(integrator)}});
    figure.table.columns.push_back({NameOf(integrator)});
  }
  for (auto cell = problem.cells.begin(); cell != problem.cells.end();) {  // sorted by method
    const std::string method = cell->method;
    Row row(method, MethodRoute(comparison, method), integrators.size());
    row.json["stem"] = problem.stem;
    for (; cell != problem.cells.end() && cell->method == method; ++cell) {
      const auto at = std::find(integrators.begin(), integrators.end(), cell->integrator);
      row.Add(static_cast<std::size_t>(at - integrators.begin()), *cell);
    }
    row.Finish(figure);
  }
  return figure;
}

}  // namespace mbsbench::reports
