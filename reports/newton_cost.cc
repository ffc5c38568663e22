// What an iteration of Newton costs as bodies grow in number.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/format.h"
#include "reports/sections.h"
#include "reports/steady.h"

namespace mbsbench::reports {

std::optional<Figure> NewtonCostFigure(const Comparison& comparison, Document& document) {
  struct Point {
    const Cell* cell;
    double bodies, iterations, seconds;  // of one iteration
  };
  std::map<std::string, std::vector<Point>> families;
  std::string command;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.name.find(":bodies=") == std::string::npos) continue;
    for (const Cell& cell : problem.cells) {
      const MaybeNumber bodies = Number(problem.document, "bodies"),
                        iterations = cell.counters.newton_iterations;
      if (cell.integrator != kSteadySolver || !cell.finished() || !cell.cpu) continue;
      if (!bodies || !iterations || *iterations <= 0) continue;
      families[Text(problem.document, "family")].push_back(
          {&cell, *bodies, *iterations, cell.cpu->minimum / *iterations});
      command = CommandOf(problem);
    }
  }
  std::erase_if(families, [](const auto& family) { return family.second.size() < 2; });
  if (families.empty()) return std::nullopt;
  Figure figure;
  figure.kind = "scaling";
  figure.title = "Cost of one Newton iteration per body";
  figure.summary =
      "CPU time of the whole solution divided by Newton iterations and bodies, against bodies, "
      "both logarithmic. A horizontal line is linear cost; what is done once (the pattern, its "
      "ordering) is counted in.";
  figure.command = command;
  figure.table = {"Time per body and Newton iteration",
                  {{"problem"},
                   {"bodies", true},
                   {"iterations", true},
                   {"CPU time of the solution", true, "cpu_s"},
                   {"per body and iteration", true, "per_body_and_iteration_s"}}};
  Json series = Json::array();
  for (auto& [family, points] : families) {
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.bodies < b.bodies; });
    Json one = {
        {"name", family}, {"color", series.size()}, {"symbol", 0}, {"points", Json::array()}};
    for (const Point& p : points) {
      const double each = p.seconds / p.bodies;
      one["points"].push_back(
          {p.bodies, each,
           fmt::format("{}: {} per body and iteration", p.cell->problem, FormatSeconds(each))});
      figure.table.rows.push_back({{p.cell->problem},
                                   CountCell(p.bodies),
                                   CountCell(p.iterations),
                                   SecondsCell(p.cell->cpu->minimum),
                                   SecondsCell(each)});
    }
    series.push_back(std::move(one));
  }
  figure.data = {
      {"series", series}, {"x", "bodies"}, {"y", "time per body and iteration"}, {"unit", "s"}};
  figure.csv = AddFile(document, AsCsv("newton_cost.csv", figure.table));
  return figure;
}

}  // namespace mbsbench::reports
