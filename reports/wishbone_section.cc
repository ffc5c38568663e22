// The double wishbone of Attia 2002: what each formulation reaches on it, what the stiffness of the
// tyre costs, and how the chassis moves.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/format.h"
#include "reports/paper_claims.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kWishboneFamily = "wishbone";
constexpr double kCompared = 1e-6;  // error at which costs are set side by side

// One row per instance and variant: its most accurate cell, and what an error of 1e-6 costs.
Table WishboneAgreementTable(const Comparison& comparison,
                             const std::vector<const ProblemResults*>& problems,
                             Document& document) {
  Table table{fmt::format("Against the reference: the most accurate cell of each variant, and the "
                          "time at error {}",
                          FormatError(kCompared)),
              {{"problem"},
               {"freedoms", true},
               {"method"},
               {"integrator"},
               {"setting"},
               {"error", true},
               {"position drift", true},
               {"velocity drift", true},
               {"time at error 1e-6", true, "seconds_at_1e-6"}},
              {},
              ""};
  for (const ProblemResults* problem : problems) {
    const auto freedoms = Number(problem->document, "degrees_of_freedom");
    for (const std::string& method : comparison.methods) {
      const Cell* best =
          MostAccurate(*problem, [&method](const Cell& cell) { return cell.method == method; });
      if (!best) continue;
      const BestTime time = BestOfMethod(*problem, method, "", kCompared);
      table.rows.push_back(
          {{problem->name},
           NumberCell(freedoms ? FormatDigits(*freedoms, 3) : "-", freedoms),
           {method},
           {best->integrator},
           {best->Setting()},
           NumberCell(FormatError(best->error), best->error),
           NumberCell(FormatError(best->position_drift), best->position_drift),
           NumberCell(FormatError(best->velocity_drift), best->velocity_drift),
           {FormatTime(time.time), time.time.known() ? Json(time.time.seconds) : Json(), ""}});
    }
  }
  table.csv = AddFile(document, AsCsv("wishbone.csv", table));
  return table;
}

// The tyre as it is, ten and a hundred times as stiff.
constexpr struct {
  const char *name, *label;
} kTyres[] = {{"wishbone", "x 1"}, {"wishbone:tyre=10", "x 10"}, {"wishbone:tyre=100", "x 100"}};

// Where instances run for unlike times, a ratio between them is not of stiffness alone.
std::string UnlikeTimes(const Comparison& comparison) {
  std::vector<std::string> times;
  std::set<double> ends;
  for (const auto& tyre : kTyres) {
    const ProblemResults* problem = FindProblem(comparison, tyre.name);
    const auto end = problem ? Number(problem->document, "end_time") : std::nullopt;
    if (!end) continue;
    ends.insert(*end);
    times.push_back(fmt::format("{:g} s ({})", *end, tyre.label));
  }
  if (ends.size() < 2) return "";
  return fmt::format(
      ". Motions last {}: a ratio between unlike times has in it, too, how much of the motion is "
      "its fast beginning",
      fmt::join(times, ", "));
}

// Cost of one simulated second.
std::optional<Table> StiffnessTable(const Comparison& comparison, Document& document) {
  Table table{fmt::format("Cost of stiffness: CPU time per simulated second at error {}{}",
                          FormatError(kCompared), UnlikeTimes(comparison)),
              {{"method"},
               {"integrator"},
               {"form"},
               {"tyre x 1", true},
               {"tyre x 10", true},
               {"tyre x 100", true},
               {"x 100 over x 10", true},
               {"x 100 over x 1", true}},
              {},
              ""};
  for (const std::string& method : comparison.methods) {
    const Json* document_of_method = comparison.MethodDocument(method);
    for (const std::string& integrator : comparison.integrators) {
      std::vector<TableCell> row = {
          {method},
          {integrator},
          {document_of_method && Text(*document_of_method, "form") == "dae" ? "implicit"
           : integrator.starts_with("cvode")                                ? "implicit"
                                                                            : "explicit"}};
      std::vector<TimeAtError> times;  // per simulated second
      bool any = false;
      for (const auto& tyre : kTyres) {
        const ProblemResults* problem = FindProblem(comparison, tyre.name);
        const BestTime best = problem ? BestOfMethod(*problem, method, integrator, kCompared)
                                      : BestTime{method, integrator, {}};
        const double end = problem ? Number(problem->document, "end_time").value_or(0) : 0;
        TimeAtError time;
        if (best.time.known() && end > 0) time = {best.time.kind, best.time.seconds / end};
        times.push_back(time);
        any = any || time.known();
        row.push_back(NumberCell(FormatTime(time),
                                 time.known() ? std::optional(time.seconds) : std::nullopt));
      }
      if (!any) continue;
      for (const TimeAtError& base : {times[1], times[0]}) {
        const auto ratio = RatioOf(times[2], base);
        row.push_back(NumberCell(ratio ? FormatRatio(*ratio) : "-",
                                 ratio ? std::optional(ratio->value) : std::nullopt));
      }
      table.rows.push_back(std::move(row));
    }
  }
  if (table.rows.empty()) return std::nullopt;
  table.csv = AddFile(document, AsCsv("wishbone_stiffness.csv", table));
  return table;
}

// Displacement and acceleration of the chassis, of the most accurate cell of each method.
std::optional<Figure> ChassisFigure(const Comparison& comparison, const ProblemResults& problem,
                                    Document& document) {
  std::map<std::string, const Cell*> best;  // by method key
  for (const Cell& cell : problem.cells) {
    const std::string key = MethodKey(cell.method);
    if (!cell.finished() || !cell.accuracy || !cell.error || best.contains(key)) continue;
    best[key] = MostAccurate(
        problem, [&key](const Cell& one) { return one.accuracy && MethodKey(one.method) == key; });
  }
  std::vector<std::int64_t> rows;
  for (const auto& [key, cell] : best) rows.push_back(cell->accuracy->row);
  const auto records = ReadFullRecords(comparison.results->path, rows);
  Figure figure;
  figure.kind = "series";
  figure.title = "Motion of the chassis: " + problem.name;
  figure.summary =
      "Vertical displacement from the start and vertical acceleration of the chassis over time, of "
      "the most accurate cell of each method (Attia 2002, Figs 4 and 5). Choose the quantity above "
      "the figure.";
  figure.command = CommandOf(problem);
  figure.table = {"Motion of the chassis",
                  {{"method"},
                   {"setting"},
                   {"lowest displacement", true, "lowest_displacement_m"},
                   {"displacement at the end", true, "displacement_at_end_m"},
                   {"largest acceleration", true, "largest_acceleration_m_s2"}},
                  {},
                  ""};
  CsvFile file{"wishbone_chassis." + problem.stem + ".csv",
               {"problem", "method", "integrator", "setting", "time_s", "displacement_m",
                "acceleration_m_s2"},
               {}};
  Json series = Json::array();
  for (const auto& [key, cell] : best) {
    const auto found = records.find(cell->accuracy->row);
    if (found == records.end()) continue;
    const Json& charted = Field(found->second, "charted");
    if (!charted.is_array() || charted.empty()) continue;
    const auto times = Numbers(found->second, "times"), z = Numbers(charted[0], "displacement"),
               a = Numbers(charted[0], "acceleration");
    Json one = CurveStyle(comparison, cell->method, cell->integrator);
    one["name"] = cell->Curve() + ", " + cell->Setting();
    one["times"] = Json::array();
    one["values"] = {Json::array(), Json::array()};
    std::optional<double> lowest, end, largest;
    for (std::size_t i = 0; i < std::min({times.size(), z.size(), a.size()}); ++i) {
      one["times"].push_back(OptionalNumber(times[i]));
      one["values"][0].push_back(OptionalNumber(z[i]));
      one["values"][1].push_back(OptionalNumber(a[i]));
      file.rows.push_back({problem.name, cell->method, cell->integrator, cell->Setting(),
                           OptionalNumber(times[i]), OptionalNumber(z[i]), OptionalNumber(a[i])});
      if (z[i]) lowest = std::min(lowest.value_or(*z[i]), *z[i]), end = z[i];
      if (a[i]) largest = std::max(largest.value_or(*a[i]), *a[i]);
    }
    series.push_back(std::move(one));
    const auto number = [](std::optional<double> value, const char* unit) {
      return NumberCell(value ? FormatDigits(*value, 6) + unit : "-", value);
    };
    figure.table.rows.push_back({{cell->Curve()},
                                 {cell->Setting()},
                                 number(lowest, " m"),
                                 number(end, " m"),
                                 number(largest, " m/s²")});
  }
  if (series.empty()) return std::nullopt;
  figure.data = {{"series", std::move(series)},
                 {"quantities", {"displacement [m]", "acceleration [m/s²]"}},
                 {"axes", {{"y", "linear"}}}};
  figure.csv = AddFile(document, std::move(file));
  return figure;
}

}  // namespace

Section WishboneSection(const Comparison& comparison, Document& document) {
  Section section{"wishbone-methods", "The double wishbone", {}};
  std::vector<const ProblemResults*> problems;
  for (const ProblemResults& problem : comparison.problems) {
    if (Text(problem.document, "family") == kWishboneFamily && !problem.cells.empty())
      problems.push_back(&problem);
  }
  if (problems.empty()) return section;
  section.blocks.push_back(Paragraph{
      "The quarter car of Attia 2002: five bodies, two loops, a massless steering rod; its "
      "freedoms "
      "are counted by the rank of the constraints (3: chassis, suspension, wheel). What is lost or "
      "inconsistent in the paper is fixed by the catalogue, so that curves can be compared in "
      "shape "
      "only. The tyre ten and a hundred times as stiff shows what stiffness costs implicit and "
      "explicit methods."});
  section.blocks.push_back(WishboneAgreementTable(comparison, problems, document));
  if (auto stiffness = StiffnessTable(comparison, document))
    section.blocks.push_back(std::move(*stiffness));
  for (const ProblemResults* problem : problems) {
    if (auto figure = ChassisFigure(comparison, *problem, document))
      section.blocks.push_back(std::move(*figure));
  }
  return section;
}

}  // namespace mbsbench::reports
