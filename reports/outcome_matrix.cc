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

Figure OutcomeMatrix(const Comparison& comparison) {
  Figure figure;
  figure.kind = "outcomes";
  figure.title = "Outcome of every cell";
  figure.csv = "cells.csv";
  figure.summary =
      "One row per family of problems, with the number of its problems. A bar shows how the cells "
      "of a family and a method ended; its empty part are cells that were not run yet, their "
      "number by the settings of other methods. A click on a family shows its problems: each "
      "letter is one cell, from the coarsest setting to the finest. Three dots: not run yet. One "
      "dot: not planned.";
  figure.data = {{"outcomes", OutcomeList()},
                 {"of", "problem"},
                 {"columns", Json::array()},
                 {"rows", Json::array()}};
  figure.table.caption = "Outcomes, coarse to fine";
  figure.table.columns.push_back({"problem"});
  std::map<std::pair<std::string, std::string>, std::size_t> column_of;
  std::vector<std::string> integrators = comparison.integrators;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) column_of[{cell.method, cell.integrator}] = 0;
    for (const auto& curve : problem.open_curves) {
      if (Holds(comparison.methods, curve.first)) column_of[curve] = 0;
      if (!Holds(integrators, curve.second)) integrators.push_back(curve.second);
    }
  }
  const Settings settings(comparison);
  std::size_t columns = 0;
  for (const std::string& method : comparison.methods) {
    for (const std::string& integrator : integrators) {
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
    for (const auto& curve : problem.open_curves) {
      if (const auto column = column_of.find(curve); column != column_of.end())
        row.Open(column->second, settings.Of(problem, curve.second));
    }
    row.Finish(figure);
  }
  if (!only_evaluated.empty())
    figure.notes.push_back(
        "No motion of these was run, single evaluations only: " + only_evaluated + ".");
  return figure;
}

Figure OutcomeMatrixOf(const Comparison& comparison, const ProblemResults& problem) {
  Figure figure;
  figure.kind = "outcomes";
  figure.title = "Outcome of every cell of " + problem.name;
  figure.csv = "cells.csv";
  figure.summary =
      "One row per method, one column per integrator; each letter is one cell, from the coarsest "
      "tolerance or step to the finest. Three dots: not run yet. One dot: not planned.";
  figure.data = {{"outcomes", OutcomeList()},
                 {"of", "method"},
                 {"columns", Json::array()},
                 {"rows", Json::array()}};
  figure.table.caption = "Outcomes, coarse to fine";
  figure.table.columns.push_back({"method"});
  std::vector<std::string> integrators;
  const auto add_integrator = [&integrators](const std::string& integrator) {
    if (!Holds(integrators, integrator)) integrators.push_back(integrator);
  };
  for (const Cell& cell : problem.cells) add_integrator(cell.integrator);
  for (const auto& [method, integrator] : problem.open_curves) add_integrator(integrator);
  for (const std::string& integrator : integrators) {
    figure.data["columns"].push_back({{"method", ""}, {"integrator", NameOf(integrator)}});
    figure.table.columns.push_back({NameOf(integrator)});
  }
  const auto column_of = [&integrators](const std::string& integrator) {
    return static_cast<std::size_t>(std::find(integrators.begin(), integrators.end(), integrator) -
                                    integrators.begin());
  };
  const Settings settings(comparison);
  for (const std::string& method : comparison.methods) {
    Row row(method, MethodRoute(comparison, method), integrators.size());
    row.json["stem"] = problem.stem;
    bool is_planned = false;
    for (const Cell& cell : problem.cells) {
      if (cell.method != method) continue;
      is_planned = true;
      row.Add(column_of(cell.integrator), cell);
    }
    for (const auto& curve : problem.open_curves) {
      if (curve.first != method) continue;
      is_planned = true;
      row.Open(column_of(curve.second), settings.Of(problem, curve.second));
    }
    if (is_planned) row.Finish(figure);
  }
  return figure;
}

}  // namespace mbsbench::reports
