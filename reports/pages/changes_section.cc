// What changed since another run: the verdicts of 'mbsbench compare' with links to this report's cells.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/comparison/comparison.h"
#include "harness/comparison/stalled_curves.h"
#include "reports/analysis/outcomes.h"
#include "reports/pages/cell_pages.h"
#include "reports/pages/changes.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

std::string RunText(const RunRow& run) {
  return fmt::format("run {} of {}, build {}, {}", run.id.substr(0, 8), run.started,
                     run.build.commit.substr(0, 10), run.machine.cpu);
}

const char* ToneOf(Direction direction) {
  return direction == Direction::kWorse ? "bad" : direction == Direction::kBetter ? "best" : "";
}

// Addresses of the pages of cells, by CellName::Text.
using Routes = std::map<std::string, std::string>;

Routes RoutesOfCells(const Comparison& comparison) {
  Routes routes;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      if (IsTried(cell.outcome)) routes[NameOf(cell).Text()] = CellRoute(problem, cell);
    }
  }
  return routes;
}

// As on the pages of cells; empty for what has no setting.
std::string SettingText(const CellName& name) {
  return name.tolerance || name.step ? SettingOf(name.tolerance, name.step) : "";
}

// Problem, method, integrator or what was evaluated, setting.
std::vector<TableCell> NameCells(const CellName& name, const Comparison& comparison,
                                 const Routes& routes) {
  const auto problem = std::ranges::find(comparison.problems, name.problem, &ProblemResults::name);
  const bool has_method = std::ranges::count(comparison.methods, name.method) > 0;
  const std::string setting = SettingText(name);
  const auto route = routes.find(name.Text());
  return {
      problem != comparison.problems.end() ? ProblemCell(*problem) : TableCell{name.problem},
      has_method ? MethodCell(comparison, name.method)
                 : TableCell{name.method.empty() ? "all methods" : name.method},
      {name.integrator.empty() ? name.kind + (name.what.empty() ? "" : ": " + name.what)
                               : name.integrator},
      {setting.empty() ? "-" : setting, nullptr, "", route == routes.end() ? "" : route->second}};
}

Table ChangesTable(const ComparedRuns& compared, const Comparison& comparison,
                   const Routes& routes) {
  Table table{"What changed",
              {{"problem"},
               {"method"},
               {"integrator"},
               {"setting"},
               {"what"},
               {"A"},
               {"B"},
               {"verdict"},
               {"note"}}};
  for (const Direction direction : {Direction::kWorse, Direction::kBetter, Direction::kChanged}) {
    for (const ComparedCell& cell : compared.cells) {
      if (cell.direction() != direction) continue;
      for (const std::vector<Change>* changes : {&cell.truth, &cell.work}) {
        for (const Change& change : *changes) {
          std::vector<TableCell> row = NameCells(cell.name, comparison, routes);
          row.insert(row.end(),
                     {{change.what},
                      {ValueText(change.a), change.a},
                      {ValueText(change.b), change.b},
                      {std::string(Name(change.direction)), nullptr, ToneOf(change.direction)},
                      {change.note}});
          table.rows.push_back(std::move(row));
        }
      }
    }
  }
  return table;
}

// Curves with cells in only one of the runs.
Table MissingTable(const ComparedRuns& compared, const Comparison& comparison,
                   const Routes& routes) {
  Table table{"Cells in only one of the runs",
              {{"problem"}, {"method"}, {"integrator"}, {"only in"}, {"cells", true}}};
  for (const auto& [names, where] :
       {std::pair{&compared.only_a, "A"}, std::pair{&compared.only_b, "B"}}) {
    for (auto first = names->begin(); first != names->end();) {
      const auto last = std::find_if(first, names->end(), [&first](const CellName& name) {
        return name.Family() != first->Family();
      });
      std::vector<TableCell> row = NameCells(*first, comparison, routes);
      row.back() = {where};
      row.push_back(CountCell(static_cast<double>(last - first)));
      table.rows.push_back(std::move(row));
      first = last;
    }
  }
  return table;
}

}  // namespace

std::string ChangesInShort(const ComparedRuns& compared) {
  return fmt::format("{} worse, {} better, {} changed", compared.Count(Direction::kWorse),
                     compared.Count(Direction::kBetter), compared.Count(Direction::kChanged));
}

CellName NameOf(const Cell& cell) {
  CellName name;
  name.problem = cell.problem;
  name.method = cell.method;
  name.integrator = cell.integrator;
  name.tolerance = cell.tolerance;
  name.step = cell.step;
  name.kind = "cell";
  return name;
}

std::map<std::string, std::string> ChangesByCell(const Comparison& comparison) {
  std::map<std::string, std::string> changes;
  if (comparison.against == nullptr) return changes;
  for (const ComparedCell& cell : comparison.against->cells) {
    if (cell.direction() != Direction::kAlike)
      changes[cell.name.Text()] = fmt::format("{}: {}", Name(cell.direction()), ChangesOf(cell));
  }
  return changes;
}

Section ChangesSection(const Comparison& comparison, Document& document) {
  Section section{"changes", "Changes", {}};
  if (comparison.against == nullptr) return section;
  const ComparedRuns& compared = *comparison.against;
  section.blocks.push_back(Paragraph{
      fmt::format("A: {}. B, this report: {}.", RunText(compared.a), RunText(compared.b))});
  section.blocks.push_back(Paragraph{VerdictOf(compared) + "."});
  if (!compared.notes.empty()) section.blocks.push_back(List{compared.notes});
  const Routes routes = RoutesOfCells(comparison);
  AddTable(ChangesTable(compared, comparison, routes), "changes.csv", section, document);
  if (Table table = MissingTable(compared, comparison, routes); !table.rows.empty())
    section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace mbsbench::reports
