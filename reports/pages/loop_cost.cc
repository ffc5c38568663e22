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

using Points = std::vector<ScalingPoint>;

double LoopsOf(const ScalingPoint& point) { return point.problem->record.loops.value_or(0); }

double WidthOf(const ScalingPoint& point) { return LoopWidthOf(*point.problem); }

// All evaluations of accelerations on the members of a family whose number of loops is known.
Points PointsOfFamily(const std::vector<FamilyScaling>& all, const std::string& family) {
  Points points;
  for (const FamilyScaling& one : all) {
    for (const ScalingCurve& curve : one.evaluations) {
      std::ranges::copy_if(curve.points, std::back_inserter(points), [&](const auto& point) {
        return point.of == "accelerations" && FamilyOf(*point.problem) == family &&
               point.problem->record.loops;
      });
    }
  }
  return points;
}

// Draws points against `at`, a curve per method with its slope in its name. Adds nothing unless a method has three different
// values.
void AddLoopCost(const Comparison& comparison, const Points& all, double (*at)(const ScalingPoint&),
                 const std::string& against, const std::string& title, const std::string& all_have,
                 const std::string& csv, Section& section, Document& document) {
  constexpr std::size_t kFewest = 3;
  std::vector<CurveOf<ScalingPoint>> curves;
  bool has_sizes = false;
  for (const std::string& method : comparison.methods) {
    Points points;
    std::ranges::copy_if(all, std::back_inserter(points),
                         [&method](const ScalingPoint& point) { return point.method == method; });
    if (points.empty()) continue;
    std::ranges::stable_sort(points, {}, at);
    std::vector<double> x, y;
    for (const ScalingPoint& point : points) x.push_back(at(point)), y.push_back(*point.value);
    has_sizes |= std::set<double>(x.begin(), x.end()).size() >= kFewest;
    const std::string slope = x.size() < kFewest ? "" : ", slope " + FormatSlope(FitLogLog(x, y));
    curves.push_back({CurveStyle(comparison, method, "", method + slope), std::move(points)});
  }
  if (!has_sizes) return;
  Figure figure = ChartOf<ScalingPoint>(
      {.title = title,
       .summary = fmt::format("CPU time of one evaluation divided by bodies, against {}, both "
                              "logarithmic. {}",
                              against, all_have),
       .command = LatestCommand(comparison),
       .table = {title}},
      {against, "ns per body and evaluation"}, curves,
      [at](const ScalingPoint& point) -> Json {
        return {
            at(point), *point.value,
            fmt::format("{}: {} ns per body", point.problem->name, FormatDigits(*point.value, 3))};
      },
      {{{"problem"}, [](auto& p) { return p.problem->name; }},
       {{"method"}, &ScalingPoint::method},
       {CountColumn("bodies"), &ScalingPoint::bodies},
       {CountColumn("loops"), LoopsOf},
       {CountColumn("width"), WidthOf},
       {DigitsColumn("ns per body", 3, "nanoseconds_per_body"), &ScalingPoint::value}});
  FileFigure("loop_cost." + csv + ".csv", figure, document);
  section.blocks.push_back(std::move(figure));
}

void AddFamily(const Comparison& comparison, const std::string& family, const Points& all,
               Section& section, Document& document) {
  std::map<double, Points> at_bodies;  // of width 1
  std::map<std::pair<double, double>, Points> at_bodies_and_loops;
  for (const ScalingPoint& point : all) {
    at_bodies_and_loops[{point.bodies, LoopsOf(point)}].push_back(point);
    if (WidthOf(point) == 1) at_bodies[point.bodies].push_back(point);
  }
  for (const auto& [bodies, points] : at_bodies)
    AddLoopCost(comparison, points, LoopsOf, "loops",
                fmt::format("Cost against loops: {} with {:g} bodies", family, bodies),
                fmt::format("All have {:g} bodies: the growth is the cost of loops.", bodies),
                fmt::format("{}_{:g}_bodies", family, bodies), section, document);
  for (const auto& [held, points] : at_bodies_and_loops)
    AddLoopCost(comparison, points, WidthOf, "loops side by side",
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
  const std::vector<FamilyScaling> all = Scaling(comparison, 1);
  for (const std::string& family : families)
    AddFamily(comparison, family, PointsOfFamily(all, family), section, document);
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
