// The cost of loops: the time of one evaluation against the number of loops at a fixed number of bodies, against the bodies
// at a fixed number of loops, and at a fixed number of both against the number of loops side by side.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "reports/analysis/claim_quantities.h"
#include "reports/analysis/digit_loss.h"
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
  bool has_digits = true;  // false: no digit of the result is right, so its time does not count
  double x = 0;            // coordinate in the chart
};
using LoopPoints = std::vector<LoopPoint>;

// All evaluations of accelerations on the members of a family whose number of loops is known.
LoopPoints PointsOfFamily(const Comparison& comparison, const std::string& family) {
  LoopPoints points;
  for (const ProblemResults& problem : comparison.problems) {
    const MaybeNumber bodies = problem.record.bodies, loops = problem.record.loops;
    if (FamilyOf(problem) != family || !bodies || !loops) continue;
    for (const Trial* trial : problem.evaluations) {
      const MaybeNumber cost = trial->record.NanosecondsPerBody();
      if (trial->outcome != "ok" || cost.value_or(0) <= 0 || trial->record.what != "accelerations")
        continue;
      const double error = AgreementOf(problem, trial->method).error.value_or(0);
      points.push_back({&problem, trial->method, *bodies, *loops, LoopWidthOf(problem), *cost,
                        error < kAllLost});
    }
  }
  return points;
}

struct LoopFit {
  std::string method, ends;
  std::optional<LogLogFit> all, tail;
};

// `tail` is fitted to the upper half of the range, since other costs hide that of the first loops.
LoopFit FitOf(const std::string& method, const LoopPoints& points) {
  std::vector<double> x, y;
  for (const LoopPoint& point : points)
    x.push_back(point.x), y.push_back(point.nanoseconds_per_body);
  const auto half = static_cast<std::ptrdiff_t>(points.size() / 2);
  return {method,
          fmt::format("{} ... {} ns", FormatDigits(y.front(), 3), FormatDigits(y.back(), 3)),
          FitLogLog(x, y), FitLogLog({x.begin() + half, x.end()}, {y.begin() + half, y.end()})};
}

TableCell SlopeCell(const std::optional<LogLogFit>& fit) {
  return {FormatSlope(fit), fit ? Json(fit->slope) : Json()};
}

// Draws the points for which `x` has a value against it. Adds nothing unless a method has three different values.
void AddLoopCost(const Comparison& comparison, const LoopPoints& family,
                 const std::function<std::optional<double>(const LoopPoint&)>& x,
                 const std::string& against, Figure words, const std::string& csv, Section& section,
                 Document& document) {
  constexpr std::size_t kFewest = 3;
  std::vector<CurveOf<LoopPoint>> curves;
  std::vector<LoopFit> fits;
  bool has_sizes = false;
  for (const std::string& method : comparison.methods) {
    LoopPoints points;
    std::vector<std::string> without_digits;
    std::set<double> places;
    for (LoopPoint point : family) {
      const auto place = x(point);
      if (point.method != method || !place) continue;
      point.x = *place;
      if (!point.has_digits) without_digits.push_back(point.problem->name);
      if (point.has_digits) places.insert(point.x), points.push_back(std::move(point));
    }
    has_sizes = has_sizes || places.size() >= kFewest;
    if (!without_digits.empty())
      words.notes.push_back(
          fmt::format("Not drawn, since no digit of its accelerations is right: `{}` on {}.",
                      method, fmt::join(without_digits, ", ")));
    if (points.empty()) continue;
    std::ranges::stable_sort(points, {}, &LoopPoint::x);
    if (points.size() >= kFewest) fits.push_back(FitOf(method, points));
    curves.push_back({CurveStyle(comparison, method, "", method), std::move(points)});
  }
  if (!has_sizes) return;
  words.command = LatestCommand(comparison);
  words.table.caption = words.title;
  Table growth =
      TableOf<LoopFit>(words.title + ": growth of the time per body",
                       {{{"method"}, &LoopFit::method},
                        {{"from ... to"}, &LoopFit::ends},
                        {{"slope, all", true}, [](auto& f) { return SlopeCell(f.all); }},
                        {{"slope, upper half", true}, [](auto& f) { return SlopeCell(f.tail); }}},
                       fits);
  Figure figure =
      ChartOf<LoopPoint>(std::move(words), {against, "ns per body and evaluation", "ns"}, curves,
                         [](const LoopPoint& point) -> Json {
                           return {point.x, point.nanoseconds_per_body,
                                   fmt::format("{}: {} ns per body", point.problem->name,
                                               FormatDigits(point.nanoseconds_per_body, 3))};
                         },
                         {{{"problem"}, [](auto& p) { return p.problem->name; }},
                          {{"method"}, &LoopPoint::method},
                          {CountColumn("bodies"), [](auto& p) { return p.bodies; }},
                          {CountColumn("loops"), [](auto& p) { return p.loops; }},
                          {CountColumn("width"), [](auto& p) { return p.width; }},
                          {DigitsColumn("ns per body", 3, "nanoseconds_per_body"),
                           [](auto& p) { return p.nanoseconds_per_body; }}});
  FileFigure(csv + ".csv", figure, document);
  FileTable(csv + "_growth.csv", growth, document);
  section.blocks.push_back(std::move(figure));
  section.blocks.push_back(std::move(growth));
}

// If no two members have the same number of bodies, loops grow with the bodies. Else one of the two numbers is held fixed.
void AddFamily(const Comparison& comparison, const std::string& family, Section& section,
               Document& document) {
  std::map<double, int> bodies_of, loops_of;            // members of width 1
  std::map<std::pair<double, double>, int> members_of;  // by bodies and loops
  for (const ProblemResults& problem : comparison.problems) {
    const MaybeNumber bodies = problem.record.bodies, loops = problem.record.loops;
    if (FamilyOf(problem) != family || !bodies || !loops) continue;
    ++members_of[{*bodies, *loops}];
    if (LoopWidthOf(problem) == 1) ++bodies_of[*bodies], ++loops_of[*loops];
  }
  const LoopPoints points = PointsOfFamily(comparison, family);
  const auto add = [&](const auto& x, const std::string& against, const std::string& title,
                       const std::string& all_have, const std::string& csv) {
    AddLoopCost(comparison, points, x, against,
                {.title = title,
                 .summary = fmt::format("CPU time of one evaluation divided by bodies, against {}, "
                                        "both logarithmic. {}",
                                        against, all_have)},
                fmt::format("loop_cost.{}", csv), section, document);
  };
  const auto is_single = [](const auto& one) { return one.second == 1; };
  if (std::ranges::all_of(bodies_of, is_single) && std::ranges::all_of(loops_of, is_single)) {
    add([](const LoopPoint& point) { return std::optional(point.loops); }, "loops",
        "Cost against loops that add bodies: " + family, "Every loop adds bodies.", family);
    return;
  }
  for (const bool is_over_loops : {true, false}) {
    const char *over = is_over_loops ? "loops" : "bodies", *of = is_over_loops ? "bodies" : "loops";
    for (const auto& [fixed, members] : is_over_loops ? bodies_of : loops_of) {
      add(
          [is_over_loops, at = fixed](const LoopPoint& point) {
            const auto [held, x] = is_over_loops ? std::pair(point.bodies, point.loops)
                                                 : std::pair(point.loops, point.bodies);
            return point.width == 1 && held == at ? std::optional(x) : std::nullopt;
          },
          over, fmt::format("Cost against {}: {} with {:g} {}", over, family, fixed, of),
          fmt::format("All have {:g} {}: the growth is the cost of {}.", fixed, of, over),
          fmt::format("{}_{:g}_{}", family, fixed, of));
    }
  }
  for (const auto& [fixed, members] : members_of) {
    if (members < 2) continue;
    const auto [bodies, loops] = fixed;
    add(
        [fixed = fixed](const LoopPoint& point) {
          return std::pair(point.bodies, point.loops) == fixed ? std::optional(point.width)
                                                               : std::nullopt;
        },
        "loops side by side",
        fmt::format("Cost against width: {} with {:g} bodies and {:g} loops", family, bodies,
                    loops),
        fmt::format("All have {:g} bodies and {:g} loops: the growth is the cost of loops that are "
                    "open at the same time.",
                    bodies, loops),
        fmt::format("{}_{:g}_bodies_{:g}_loops", family, bodies, loops));
  }
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
          "Recursive methods cut loops. The forces of the cuts are carried along as further "
          "columns, "
          "one for each constraint, and are solved for at once in the end, or they are eliminated "
          "where loops meet. In absolute coordinates a loop is a joint like any other. A slope of "
          "0 "
          "means that further loops add nothing to the time per body; with 1 it grows with their "
          "number, with 2 with the square of it."});
  return section;
}

}  // namespace mbsbench::reports
