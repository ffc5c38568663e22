// The cost of loops: the time of one evaluation against the number of loops at a fixed number of bodies, and at a fixed number
// of both against the number of loops side by side. The families of the page have it against the bodies.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "reports/analysis/scaling.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

struct LoopPoint {
  const ProblemResults* problem = nullptr;
  std::string method;
  double bodies = 0, loops = 0, width = 1, nanoseconds_per_body = 0;
};
using LoopPoints = std::vector<LoopPoint>;

// All evaluations of accelerations on the members of a family whose number of loops is known. The time of a result without a
// right digit does not count.
LoopPoints PointsOfFamily(const Comparison& comparison, const std::string& family) {
  LoopPoints points;
  for (const ProblemResults& problem : comparison.problems) {
    const MaybeNumber bodies = problem.record.bodies, loops = problem.record.loops;
    if (FamilyOf(problem) != family || !bodies || !loops) continue;
    for (const Trial* trial : problem.evaluations) {
      const MaybeNumber cost = trial->record.NanosecondsPerBody();
      if (trial->outcome == "ok" && cost.value_or(0) > 0 && trial->record.what == "accelerations" &&
          HasDigits(problem, trial->method))
        points.push_back({&problem, trial->method, *bodies, *loops, LoopWidthOf(problem), *cost});
    }
  }
  return points;
}

// Draws points against `at`, a curve per method with its slope in its name. Adds nothing unless a method has three different
// values.
void AddLoopCost(const Comparison& comparison, const LoopPoints& all, double LoopPoint::*at,
                 const std::string& against, const std::string& title, const std::string& all_have,
                 const std::string& csv, Section& section, Document& document) {
  constexpr std::size_t kFewest = 3;
  std::vector<CurveOf<LoopPoint>> curves;
  bool has_sizes = false;
  for (const std::string& method : comparison.methods) {
    LoopPoints points;
    std::ranges::copy_if(all, std::back_inserter(points),
                         [&method](const LoopPoint& point) { return point.method == method; });
    if (points.empty()) continue;
    std::ranges::stable_sort(points, {}, at);
    std::vector<double> x, y;
    for (const LoopPoint& point : points)
      x.push_back(point.*at), y.push_back(point.nanoseconds_per_body);
    has_sizes |= std::set<double>(x.begin(), x.end()).size() >= kFewest;
    const std::string slope = x.size() < kFewest ? "" : ", slope " + FormatSlope(FitLogLog(x, y));
    curves.push_back({CurveStyle(comparison, method, "", method + slope), std::move(points)});
  }
  if (!has_sizes) return;
  Figure figure = ChartOf<LoopPoint>(
      {.title = title,
       .summary = fmt::format("CPU time of one evaluation divided by bodies, against {}, both "
                              "logarithmic. {}",
                              against, all_have),
       .command = LatestCommand(comparison),
       .table = {title}},
      {against, "ns per body and evaluation"}, curves,
      [at](const LoopPoint& point) -> Json {
        return {point.*at, point.nanoseconds_per_body,
                fmt::format("{}: {} ns per body", point.problem->name,
                            FormatDigits(point.nanoseconds_per_body, 3))};
      },
      {{{"problem"}, [](auto& p) { return p.problem->name; }},
       {{"method"}, &LoopPoint::method},
       {CountColumn("bodies"), &LoopPoint::bodies},
       {CountColumn("loops"), &LoopPoint::loops},
       {CountColumn("width"), &LoopPoint::width},
       {DigitsColumn("ns per body", 3, "nanoseconds_per_body"), &LoopPoint::nanoseconds_per_body}});
  FileFigure("loop_cost." + csv + ".csv", figure, document);
  section.blocks.push_back(std::move(figure));
}

void AddFamily(const Comparison& comparison, const std::string& family, Section& section,
               Document& document) {
  std::map<double, LoopPoints> at_bodies;  // of width 1
  std::map<std::pair<double, double>, LoopPoints> at_bodies_and_loops;
  for (const LoopPoint& point : PointsOfFamily(comparison, family)) {
    at_bodies_and_loops[{point.bodies, point.loops}].push_back(point);
    if (point.width == 1) at_bodies[point.bodies].push_back(point);
  }
  for (const auto& [bodies, points] : at_bodies)
    AddLoopCost(comparison, points, &LoopPoint::loops, "loops",
                fmt::format("Cost against loops: {} with {:g} bodies", family, bodies),
                fmt::format("All have {:g} bodies: the growth is the cost of loops.", bodies),
                fmt::format("{}_{:g}_bodies", family, bodies), section, document);
  for (const auto& [held, points] : at_bodies_and_loops)
    AddLoopCost(comparison, points, &LoopPoint::width, "loops side by side",
                fmt::format("Cost against width: {} with {:g} bodies and {:g} loops", family,
                            held.first, held.second),
                fmt::format("All have {:g} bodies and {:g} loops: the growth is the cost of loops "
                            "that are open at the same time.",
                            held.first, held.second),
                fmt::format("{}_{:g}_bodies_{:g}_loops", family, held.first, held.second), section,
                document);
}

}  // namespace

Section LoopCostSection(const Comparison& comparison, Document& document) {
  Section section{"loop-cost", "Cost of closed loops", {}};
  std::vector<std::string> families;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.record.loops.value_or(0) > 0) AddOnce(families, FamilyOf(problem));
  }
  for (const std::string& family : families) AddFamily(comparison, family, section, document);
  if (section.blocks.empty()) return section;
  section.blocks.insert(
      section.blocks.begin(),
      Paragraph{
          "Recursive methods cut loops: the forces of the cuts are further columns, solved for at "
          "once in the end, or eliminated where loops meet. In absolute coordinates a loop is a "
          "joint like any other. A slope of 0 means that further loops add nothing to the time per "
          "body; with 1 it grows with their number. Results without a right digit are left out."});
  return section;
}

}  // namespace mbsbench::reports
