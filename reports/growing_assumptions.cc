// How far each assumption about the rocket moves the figures that the paper prints, and what an evaluation
// costs with so many links out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "reports/format.h"
#include "reports/growing.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

// The figures that are printed: of each the first print names it.
std::vector<const Json*> PrintedFigures(const ProblemResults& problem) {
  std::vector<const Json*> figures;
  for (const Json& value : Field(problem.document, "published")) {
    if (Text(value, "kind") != "published") continue;
    const bool known = std::any_of(figures.begin(), figures.end(), [&](const Json* one) {
      return Text(*one, "quantity") == Text(value, "quantity") &&
             Text(*one, "event") == Text(value, "event") &&
             (!Text(value, "event").empty() || Number(*one, "time") == Number(value, "time"));
    });
    if (!known) figures.push_back(&value);
  }
  return figures;
}

std::string ColumnOf(const Json& figure) {
  const std::string quantity = Text(figure, "quantity"), event = Text(figure, "event");
  if (quantity == "speed" && !event.empty()) return "top speed [m/s]";
  if (quantity == "speed")
    return fmt::format("speed at {} s [m/s]", FormatDigits(Number(figure, "time").value_or(0), 3));
  return quantity + (quantity == "flight time" ? " [s]" : " [m]");
}

std::optional<double> OwnValue(const Flight& flight, const Json& figure) {
  for (const Json& own : flight.cell->published) {
    if (Text(own, "quantity") != Text(figure, "quantity") ||
        Text(own, "event") != Text(figure, "event"))
      continue;
    if (Text(figure, "event").empty() && Number(own, "time") != Number(figure, "time")) continue;
    return Number(own, "ours");
  }
  return std::nullopt;
}

std::optional<double> PrintedValue(const ProblemResults& problem, const std::string& source,
                                   const Json& figure) {
  for (const Json& value : Field(problem.document, "published")) {
    if (Text(value, "source") == source && Text(value, "quantity") == Text(figure, "quantity") &&
        Text(value, "event") == Text(figure, "event") &&
        (!Text(value, "event").empty() || Number(value, "time") == Number(figure, "time")))
      return Number(value, "published");
  }
  return std::nullopt;
}

// What this catalogue computed by other means stands in the table of the flight.
bool IsOfTheCatalogue(const ProblemResults& problem, const std::string& source) {
  const Json& published = Field(problem.document, "published");
  return std::any_of(published.begin(), published.end(), [&](const Json& value) {
    return Text(value, "source") == source && Text(value, "kind") == "computed";
  });
}

}  // namespace

bool IsChangedAssumption(const ProblemResults& problem) {
  const Json& published = Field(problem.document, "published");
  return FamilyOf(problem) == kRocketFamily && problem.name.find(':') != std::string::npos &&
         !published.empty() && Field(problem.document, "reference").is_null() &&
         std::none_of(published.begin(), published.end(),
                      [](const Json& value) { return Text(value, "kind") == "computed"; });
}

std::optional<Table> AssumptionTable(const std::vector<FlownProblem>& all, Document& document) {
  const auto base = std::find_if(all.begin(), all.end(), [](const FlownProblem& one) {
    return !one.flights.empty() && !IsChangedAssumption(*one.problem);
  });
  if (base == all.end()) return std::nullopt;
  const std::vector<const Json*> figures = PrintedFigures(*base->problem);
  if (figures.empty()) return std::nullopt;
  constexpr std::string_view kChanged = "Rocket, changed: ";  // before what is, in titles
  Table table{"How far each assumption moves each figure, against " + base->problem->name + " (R0)",
              {{"flight"}, {"what is assumed"}},
              {},
              ""};
  CsvFile file{"assumptions.csv", {"flight", "what", "figure", "value", "change"}, {}};
  for (const Json* figure : figures) table.columns.push_back({ColumnOf(*figure), true});
  const auto add = [&](const std::string& name, const std::string& what, auto&& value_of) {
    const bool is_change = what.starts_with(kChanged);
    std::vector<TableCell> row = {{name}, {is_change ? what.substr(kChanged.size()) : what}};
    for (const Json* figure : figures) {
      const auto value = value_of(*figure), from = OwnValue(base->flights.front(), *figure);
      const auto change =
          value && from && *from != 0 ? std::optional(*value / *from - 1) : std::nullopt;
      std::string text = value ? FormatDigits(*value, 5) : "-";
      if (change && *change != 0) text += fmt::format(" ({:+.1f} %)", 100 * *change);
      row.push_back(NumberCell(text, value));
      file.rows.push_back(
          {name, what, ColumnOf(*figure), OptionalNumber(value), OptionalNumber(change)});
    }
    table.rows.push_back(std::move(row));
  };
  const auto add_flight = [&](const FlownProblem& flown) {
    const Flight& flight = flown.flights.front();
    add(flown.problem->name, Text(flown.problem->document, "title"),
        [&](const Json& figure) { return OwnValue(flight, figure); });
  };
  add_flight(*base);
  for (const FlownProblem& flown : all) {
    if (!flown.flights.empty() && &flown != &*base) add_flight(flown);
  }
  for (const std::string& source : Sources(*base->problem)) {
    const bool printed = std::any_of(figures.begin(), figures.end(), [&](const Json* figure) {
      return PrintedValue(*base->problem, source, *figure).has_value();
    });
    const bool is_ours = IsOfTheCatalogue(*base->problem, source);
    if (printed && !is_ours) {
      add(source, "as printed",
          [&](const Json& figure) { return PrintedValue(*base->problem, source, figure); });
    }
  }
  table.csv = AddFile(document, std::move(file));
  return table;
}

std::optional<Figure> LinkCostFigure(const Comparison& comparison, Document& document) {
  struct Point {
    double links, seconds;
    std::string problem;
  };
  std::vector<std::pair<std::string, std::vector<Point>>> curves;  // by method
  const std::string links_out = std::string(kRocketFamily) + ":out=";
  std::string command;
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.name.starts_with(links_out)) continue;
    command = CommandOf(problem);
    for (const Trial* trial : problem.evaluations) {
      const auto bodies = Number(trial->record, "bodies"),
                 cost = Number(trial->record, "nanoseconds_per_body");
      if (!bodies || !cost) continue;
      auto curve = std::find_if(curves.begin(), curves.end(),
                                [&](const auto& one) { return one.first == trial->method; });
      if (curve == curves.end()) curve = curves.insert(curves.end(), {trial->method, {}});
      // The rocket is a body, too.
      curve->second.push_back({*bodies - 1, *bodies * *cost * 1e-9, problem.name});
    }
  }
  std::erase_if(curves, [](const auto& curve) { return curve.second.size() < 2; });
  if (curves.empty()) return std::nullopt;
  Figure figure;
  figure.kind = "scaling";
  figure.title = "Cost of one evaluation against the links that are out";
  figure.summary =
      "CPU time of the accelerations of a straight rope in full flight, against its links, both "
      "logarithmic. The slope between the largest two sizes is in the table.";
  figure.command = command;
  figure.table = {"Time of one evaluation",
                  {{"method"},
                   {"links", true},
                   {"time", true, "time_s"},
                   {"per link", true, "time_per_link_s"},
                   {"slope from the size before", true, "slope"}},
                  {},
                  ""};
  Json series = Json::array();
  for (auto& [method, points] : curves) {
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.links < b.links; });
    Json one = CurveStyle(comparison, method, "");
    one["name"] = method;
    one["points"] = Json::array();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& p = points[i];
      std::optional<double> slope;
      if (i > 0) {
        slope =
            std::log(p.seconds / points[i - 1].seconds) / std::log(p.links / points[i - 1].links);
      }
      one["points"].push_back(
          {p.links, p.seconds,
           fmt::format("{}: {} per evaluation", p.problem, FormatSeconds(p.seconds))});
      figure.table.rows.push_back(
          {{method},
           NumberCell(FormatCount(static_cast<long long>(p.links)), p.links),
           NumberCell(FormatSeconds(p.seconds), p.seconds),
           NumberCell(FormatSeconds(p.seconds / p.links), p.seconds / p.links),
           NumberCell(slope ? fmt::format("{:.2f}", *slope) : "-", slope)});
    }
    series.push_back(std::move(one));
  }
  figure.data = {
      {"series", series}, {"x", "links out"}, {"y", "time of one evaluation"}, {"unit", "s"}};
  figure.csv = AddFile(document, AsCsv("rocket_links_cost.csv", figure.table));
  return figure;
}

}  // namespace mbsbench::reports
