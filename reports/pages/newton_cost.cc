// The cost of one Newton iteration against the number of bodies.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/analysis/noise.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"
#include "reports/pages/steady.h"

namespace mbsbench::reports {

std::optional<Figure> NewtonCostFigure(const Comparison& comparison, Document& document) {
  struct Point {
    const Cell* cell;
    double bodies, iterations, each;  // seconds per body and iteration
  };
  std::map<std::string, std::vector<Point>> families;
  std::string command;
  for (const ProblemResults& problem : comparison.problems) {
    const MaybeNumber bodies = problem.record.bodies;
    if (problem.name.find(":bodies=") == std::string::npos || !bodies) continue;
    for (const Cell& cell : problem.cells) {
      const MaybeNumber iterations = cell.counters.newton_iterations;
      if (cell.integrator != kSteadySolver || !cell.finished() || !cell.cpu) continue;
      if (iterations.value_or(0) <= 0) continue;
      families[problem.record.family].push_back(
          {&cell, *bodies, *iterations, cell.cpu->minimum / *iterations / *bodies});
      command = CommandOf(problem);
    }
  }
  std::vector<CurveOf<Point>> curves;
  for (auto& [family, points] : families) {
    if (points.size() < 2) continue;
    std::ranges::sort(points, {}, &Point::bodies);
    curves.push_back({{{"name", family}, {"color", curves.size()}, {"symbol", 0}}, points});
  }
  if (curves.empty()) return std::nullopt;
  const auto at = [](const Point& p) -> Json {
    return {p.bodies, p.each,
            fmt::format("{}: {} per body and iteration", p.cell->problem, FormatSeconds(p.each))};
  };
  Figure figure = ChartOf<Point>(
      {.title = "Cost of one Newton iteration per body",
       .summary = "CPU time of the whole solution divided by Newton iterations and bodies, against "
                  "bodies, both logarithmic. A horizontal line is linear cost. Work done once (the "
                  "pattern, "
                  "its ordering) is included.",
       .command = command,
       .table = {"Time per body and Newton iteration"}},
      {"bodies", "time per body and iteration", "s"}, curves, at,
      {{{"problem"}, [](auto& p) { return p.cell->problem; }},
       {CountColumn("bodies"), [](auto& p) { return p.bodies; }},
       {CountColumn("iterations"), [](auto& p) { return p.iterations; }},
       {{"CPU time of the solution", true, "cpu_s"}, [](auto& p) { return TimeCell(*p.cell); }},
       {SecondsColumn("per body and iteration", "per_body_and_iteration_s"),
        [](auto& p) { return p.each; }}});
  FileFigure("newton_cost.csv", figure, document);
  return figure;
}

}  // namespace mbsbench::reports
