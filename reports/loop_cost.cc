// What loops cost: time of one evaluation against the number of loops at a fixed number of bodies, against
// bodies at a fixed number of loops, and at a fixed number of both against how many loops lie side by side.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "reports/claim_quantities.h"
#include "reports/digit_loss.h"
#include "reports/format.h"
#include "reports/scaling.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

struct LoopSize {
  double bodies = 0, loops = 0, width = 1;
};
struct Point {
  const ProblemResults* problem = nullptr;
  LoopSize size;
  double x = 0, nanoseconds_per_body = 0;
};
struct LoopCurves {
  std::map<std::string, std::vector<Point>> points;                // by method and x
  std::map<std::string, std::vector<std::string>> without_digits;  // problems by method
};

// The time of a wrong result is none.
bool HasNoDigit(const ProblemResults& problem, const std::string& method) {
  return AgreementOf(problem, method).error.value_or(0) >= kAllLost;
}

std::optional<LoopSize> LoopSizeOf(const ProblemResults& problem) {
  const auto bodies = Number(problem.document, "bodies"), loops = Number(problem.document, "loops");
  if (!bodies || !loops) return std::nullopt;
  return LoopSize{*bodies, *loops, LoopWidthOf(problem)};
}

// Evaluations of accelerations on the problems of a family that `x` takes; it says what they are drawn
// against.
LoopCurves CurvesOf(const Comparison& comparison, const std::string& family,
                    const std::function<std::optional<double>(const LoopSize&)>& x) {
  LoopCurves curves;
  for (const ProblemResults& problem : comparison.problems) {
    if (FamilyOf(problem) != family) continue;
    const std::optional<LoopSize> size = LoopSizeOf(problem);
    if (!size) continue;
    const auto place = x(*size);
    if (!place) continue;
    for (const Trial* trial : problem.evaluations) {
      const MaybeNumber cost = trial->record.NanosecondsPerBody();
      if (trial->outcome != "ok" || !cost || *cost <= 0 || trial->record.what != "accelerations")
        continue;
      if (HasNoDigit(problem, trial->method)) {
        curves.without_digits[trial->method].push_back(problem.name);
      } else {
        curves.points[trial->method].push_back({&problem, *size, *place, *cost});
      }
    }
  }
  for (auto& [method, points] : curves.points) {
    std::stable_sort(points.begin(), points.end(),
                     [](const Point& a, const Point& b) { return a.x < b.x; });
  }
  return curves;
}

std::optional<LogLogFit> FitOf(const std::vector<Point>& points) {
  std::vector<double> x, y;
  for (const Point& point : points) x.push_back(point.x), y.push_back(point.nanoseconds_per_body);
  return FitLogLog(x, y);
}

// Of the upper half of the range only: at first other costs hide that of loops.
std::optional<LogLogFit> TailOf(const std::vector<Point>& points) {
  const std::size_t half = points.size() / 2;
  return FitOf({points.begin() + static_cast<std::ptrdiff_t>(half), points.end()});
}

bool HasSizes(const LoopCurves& curves) {
  return std::any_of(curves.points.begin(), curves.points.end(), [](const auto& curve) {
    std::set<double> sizes;
    for (const Point& point : curve.second) sizes.insert(point.x);
    return sizes.size() >= 3;
  });
}

void AddCurves(const Comparison& comparison, const LoopCurves& curves, const std::string& title,
               const std::string& against, const std::string& summary, const std::string& csv,
               Section& section, Document& document) {
  if (!HasSizes(curves)) return;
  Figure figure;
  figure.kind = "scaling";
  figure.title = title;
  figure.summary = summary;
  figure.command = LatestCommand(comparison);
  figure.table = {title,
                  {{"problem"},
                   {"method"},
                   {"bodies", true},
                   {"loops", true},
                   {"width", true},
                   {"ns per body", true, "nanoseconds_per_body"}},
                  {},
                  ""};
  Table growth{title + ": growth of the time per body",
               {{"method"}, {"from ... to"}, {"slope, all", true}, {"slope, upper half", true}},
               {},
               ""};
  Json series = Json::array();
  for (const std::string& method : comparison.methods) {
    const auto found = curves.points.find(method);
    if (found == curves.points.end()) continue;
    const std::vector<Point>& points = found->second;
    Json one = CurveStyle(comparison, method, "");
    one["name"] = method;
    one["points"] = Json::array();
    for (const Point& point : points) {
      const std::string cost = FormatDigits(point.nanoseconds_per_body, 3);
      one["points"].push_back({point.x, point.nanoseconds_per_body,
                               fmt::format("{}: {} ns per body", point.problem->name, cost)});
      figure.table.rows.push_back({{point.problem->name},
                                   {method},
                                   CountCell(point.size.bodies),
                                   CountCell(point.size.loops),
                                   CountCell(point.size.width),
                                   NumberCell(cost, point.nanoseconds_per_body)});
    }
    series.push_back(std::move(one));
    if (points.size() < 3) continue;
    const auto all = FitOf(points), tail = TailOf(points);
    growth.rows.push_back(
        {{method},
         {fmt::format("{} ... {} ns", FormatDigits(points.front().nanoseconds_per_body, 3),
                      FormatDigits(points.back().nanoseconds_per_body, 3))},
         {FormatSlope(all), all ? Json(all->slope) : Json(), ""},
         {FormatSlope(tail), tail ? Json(tail->slope) : Json(), ""}});
  }
  figure.data = {
      {"series", series}, {"x", against}, {"y", "ns per body and evaluation"}, {"unit", "ns"}};
  for (const auto& [method, problems] : curves.without_digits) {
    figure.notes.push_back(
        fmt::format("Not drawn, since no digit of its accelerations is right: "
                    "`{}` on {}.",
                    method, fmt::join(problems, ", ")));
  }
  figure.csv = AddFile(document, AsCsv(csv + ".csv", figure.table));
  growth.csv = AddFile(document, AsCsv(csv + "_growth.csv", growth));
  section.blocks.push_back(std::move(figure));
  section.blocks.push_back(std::move(growth));
}

// Loops grow with the bodies where no two members have as many bodies; else at a fixed number of one of both.
void AddFamily(const Comparison& comparison, const std::string& family, Section& section,
               Document& document) {
  std::map<double, int> bodies_of, loops_of;            // members of width 1
  std::map<std::pair<double, double>, int> members_of;  // by bodies and loops
  for (const ProblemResults& problem : comparison.problems) {
    const std::optional<LoopSize> size = LoopSizeOf(problem);
    if (FamilyOf(problem) != family || !size) continue;
    ++members_of[{size->bodies, size->loops}];
    if (size->width == 1) ++bodies_of[size->bodies], ++loops_of[size->loops];
  }
  const auto is_single = [](const auto& one) { return one.second == 1; };
  if (std::all_of(bodies_of.begin(), bodies_of.end(), is_single) &&
      std::all_of(loops_of.begin(), loops_of.end(), is_single)) {
    AddCurves(comparison,
              CurvesOf(comparison, family,
                       [](const LoopSize& size) { return std::optional(size.loops); }),
              "Cost against loops that add bodies: " + family, "loops",
              "CPU time of one evaluation divided by bodies, against the number of loops, both "
              "logarithmic. Every loop adds bodies.",
              "loop_cost." + family, section, document);
    return;
  }
  for (const bool is_over_loops : {true, false}) {
    for (const auto& [fixed, members] : is_over_loops ? bodies_of : loops_of) {
      const auto curves = CurvesOf(comparison, family, [&, at = fixed](const LoopSize& size) {
        const auto [held, x] =
            is_over_loops ? std::pair(size.bodies, size.loops) : std::pair(size.loops, size.bodies);
        return size.width == 1 && held == at ? std::optional(x) : std::nullopt;
      });
      const char *over = is_over_loops ? "loops" : "bodies",
                 *of = is_over_loops ? "bodies" : "loops";
      AddCurves(comparison, curves,
                fmt::format("Cost against {}: {} with {:g} {}", over, family, fixed, of), over,
                fmt::format("CPU time of one evaluation divided by bodies, against {}, both "
                            "logarithmic. All have {:g} {}: what grows is the price of {}.",
                            over, fixed, of, over),
                fmt::format("loop_cost.{}_{:g}_{}", family, fixed, of), section, document);
    }
  }
  for (const auto& [fixed, members] : members_of) {
    if (members < 2) continue;
    const auto [bodies, loops] = fixed;
    AddCurves(
        comparison,
        CurvesOf(comparison, family,
                 [&fixed = fixed](const LoopSize& size) {
                   return std::pair(size.bodies, size.loops) == fixed ? std::optional(size.width)
                                                                      : std::nullopt;
                 }),
        fmt::format("Cost against width: {} with {:g} bodies and {:g} loops", family, bodies,
                    loops),
        "loops side by side",
        fmt::format("CPU time of one evaluation divided by bodies, against how many loops lie side "
                    "by side, both logarithmic. All have {:g} bodies and {:g} loops: what grows is "
                    "the price of loops that have to be held at once.",
                    bodies, loops),
        fmt::format("loop_cost.{}_{:g}_bodies_{:g}_loops", family, bodies, loops), section,
        document);
  }
}

}  // namespace

Section LoopCostSection(const Comparison& comparison, Document& document) {
  Section section{"loop-cost", "Cost of closed loops", {}};
  std::vector<std::string> families;
  for (const ProblemResults& problem : comparison.problems) {
    const std::string family = FamilyOf(problem);
    if (Number(problem.document, "loops").value_or(0) > 0 &&
        std::find(families.begin(), families.end(), family) == families.end())
      families.push_back(family);
  }
  for (const std::string& family : families) AddFamily(comparison, family, section, document);
  if (section.blocks.empty()) return section;
  section.blocks.insert(
      section.blocks.begin(),
      Paragraph{
          "Methods that walk the tree cut loops. Their forces go along as further columns, as "
          "many as there are constraints, and are solved for at once in the end, or they are "
          "eliminated where loops meet. In absolute coordinates a loop is a joint like any other. "
          "Slope 0 is a loop for "
          "nothing, 1 a price per loop and body, 2 one per pair of loops and body."});
  return section;
}

}  // namespace mbsbench::reports
