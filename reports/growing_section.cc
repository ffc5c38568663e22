// Rockets that pull a rope out of its box: how they flew, beside what Lu et al. 2014 printed of
// their simulation and their test, and the ledger of the events at which the system grew.
#include <fmt/format.h>

#include <algorithm>

#include "reports/format.h"
#include "reports/growing.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

bool IsBetter(const Cell& one, const Cell& other) {
  if (one.error && other.error) return *one.error < *other.error;
  return one.error || !other.error;  // of two that nobody judged the later one, which is finer
}

std::vector<Flight> BestFlights(const Comparison& comparison, const std::vector<Curve>& curves) {
  std::vector<Flight> flights;
  for (const Curve& curve : curves) {
    for (const Cell* cell : curve.cells) {
      if (!cell->finished() || !cell->accuracy) continue;
      const auto known = std::find_if(flights.begin(), flights.end(), [&](const Flight& flight) {
        return flight.cell->method == cell->method;
      });
      if (known == flights.end()) {
        flights.push_back({&curve, cell, {}});
      } else if (IsBetter(*cell, *known->cell)) {
        *known = {&curve, cell, {}};
      }
    }
  }
  std::vector<std::int64_t> rows;
  for (const Flight& flight : flights) rows.push_back(flight.cell->accuracy->row);
  auto records = ReadFullRecords(comparison.results->path, rows);
  for (Flight& flight : flights) flight.record = std::move(records[flight.cell->accuracy->row]);
  return flights;
}

Json Rounded(double value) { return Json::parse(fmt::format("{:.4g}", value)); }

std::string FourDigits(std::optional<double> value) {
  return value ? FormatDigits(*value, 4) : "-";
}

Json Drawn(std::optional<double> value) { return value ? Rounded(*value) : Json(); }

// Lone marks of what a source prints; colours behind those of the methods.
Json MarksOf(const std::string& source, std::size_t color) {
  return {{"name", source},
          {"color", color},
          {"symbol", color},
          {"marks_only", true},
          {"points", Json::array()}};
}

// Height over range, from the recorded poses of the first body, and where it landed.
std::optional<Figure> TrajectoryFigure(const Comparison& comparison, const ProblemResults& problem,
                                       const std::vector<Flight>& flights, Document& document) {
  Figure figure;
  figure.kind = "curves";
  figure.title = "Trajectory of " + problem.name;
  figure.summary =
      "Height over range of the rocket, of the best cell of each method; lone marks are where the "
      "sources say that it landed.";
  figure.command = CommandOf(problem);
  figure.table = {"Of the best cell of each method",
                  {{"method"},
                   {"integrator"},
                   {"setting"},
                   {"error", true},
                   {"highest recorded", true, "highest_recorded_m"},
                   {"at range", true, "at_range_m"},
                   {"landed at range", true, "landed_at_range_m"}},
                  {},
                  ""};
  CsvFile file{
      "trajectory." + problem.stem + ".csv",
      {"problem", "method", "integrator", "tolerance", "step_s", "what", "time_s", "x_m", "y_m"},
      {}};
  const auto length = [](std::optional<double> value) {
    return NumberCell(value ? FormatDigits(*value, 5) + " m" : "-", value);
  };
  Json series = Json::array();
  for (const Flight& flight : flights) {
    struct Point {
      double x, y, time;
    };
    std::vector<Point> points;
    const Cell& cell = *flight.cell;
    const auto add = [&](const char* what, std::optional<double> time, std::optional<double> x,
                         std::optional<double> y) {
      if (!time || !x || !y) return;
      points.push_back({*x, *y, *time});
      file.rows.push_back({problem.name, cell.method, cell.integrator,
                           OptionalNumber(cell.tolerance), OptionalNumber(cell.step), what, *time,
                           *x, *y});
    };
    const Json& trajectory = Field(flight.record, "trajectory");
    const auto times = Numbers(trajectory, "times");
    const Json& poses = Field(trajectory, "poses");
    for (std::size_t i = 0; i < times.size() && i < poses.size(); ++i)
      add("sample", times[i], At(poses[i], 0), At(poses[i], 1));
    std::optional<double> landed;
    for (const Json& event : Field(flight.record, "events")) {
      if (Text(event, "name") != "landing") continue;
      const Json& position = Field(event, "position");
      landed = At(position, 0);
      add("landing", Number(event, "time"), landed, At(position, 1));
    }
    if (points.empty()) continue;
    const auto highest = std::max_element(points.begin(), points.end(),
                                          [](const auto& a, const auto& b) { return a.y < b.y; });
    figure.table.rows.push_back({{cell.method},
                                 {cell.integrator},
                                 {cell.Setting()},
                                 NumberCell(FormatError(cell.error), cell.error),
                                 length(highest->y),
                                 length(highest->x),
                                 length(landed)});
    Json one = CurveStyle(comparison, cell.method, cell.integrator, flight.curve->second_ladder);
    one["name"] = flight.Name();
    one["points"] = Json::array();
    for (const Point& p : points) {
      one["points"].push_back(
          {Rounded(p.x),
           {Rounded(p.y)},
           fmt::format("t = {:.4g} s: range {:.4g} m, height {:.4g} m", p.time, p.x, p.y)});
    }
    series.push_back(std::move(one));
  }
  if (series.empty()) return std::nullopt;
  std::size_t color = comparison.methods.size();
  for (const std::string& source : Sources(problem)) {
    Json marks = MarksOf(source, color++);
    for (const Json& value : Field(problem.document, "published")) {
      const auto range = Number(value, "published");
      if (Text(value, "source") != source || Text(value, "quantity") != "range" || !range) continue;
      marks["points"].push_back(
          {Rounded(*range), {0}, fmt::format("landed at range {:.5g} m", *range)});
    }
    if (!marks["points"].empty()) series.push_back(std::move(marks));
  }
  figure.data = {{"series", series}, {"x", "range [m]"}, {"quantities", {"height [m]"}}};
  figure.csv = AddFile(document, std::move(file));
  return figure;
}

// Speeds printed at times; what is printed of an event has no time of its own.
Json PrintedSpeeds(const ProblemResults& problem, const std::string& source, std::size_t color) {
  Json marks = MarksOf(source, color);
  for (const Json& value : Field(problem.document, "published")) {
    const auto time = Number(value, "time"), speed = Number(value, "published");
    if (Text(value, "source") != source || Text(value, "quantity") != "speed") continue;
    if (!Text(value, "event").empty() || !time || !speed) continue;
    marks["points"].push_back({Rounded(*time),
                               {Rounded(*speed), nullptr, nullptr},
                               fmt::format("t = {:.4g} s: speed {:.4g} m/s", *time, *speed)});
  }
  return marks["points"].empty() ? Json() : marks;
}

// From the events, which hold the speed behind each of them.
std::optional<Figure> SpeedFigure(const Comparison& comparison, const ProblemResults& problem,
                                  const std::vector<Flight>& flights, Document& document) {
  Figure figure;
  figure.kind = "curves";
  figure.title = "Speed over time of " + problem.name;
  figure.summary =
      "Speed, height and range of the rocket behind each event, over time, of the best cell of "
      "each method; lone marks are what the sources print. Choose the quantity above the figure.";
  figure.command = CommandOf(problem);
  figure.table = {"Speed of the best cell of each method, and what the sources print",
                  {{"by"}, {"at"}, {"time", true, "time_s"}, {"speed", true, "speed_m_per_s"}},
                  {},
                  ""};
  CsvFile file{
      "speed." + problem.stem + ".csv",
      {"problem", "by", "setting", "what", "time_s", "speed_m_per_s", "height_m", "range_m"},
      {}};
  const auto add_row = [&figure](const std::string& by, const std::string& at,
                                 std::optional<double> time, std::optional<double> speed) {
    figure.table.rows.push_back(
        {{by},
         {at},
         NumberCell(time ? FormatDigits(*time, 5) + " s" : "-", time),
         NumberCell(speed ? FormatDigits(*speed, 5) + " m/s" : "-", speed)});
  };
  Json series = Json::array();
  for (const Flight& flight : flights) {
    const Cell& cell = *flight.cell;
    Json one = CurveStyle(comparison, cell.method, cell.integrator, flight.curve->second_ladder);
    one["name"] = flight.Name();
    one["points"] = Json::array();
    for (const Json& event : Field(flight.record, "events")) {
      const auto time = Number(event, "time");
      if (!time) continue;
      const Json& position = Field(event, "position");
      const std::optional<double> values[] = {Number(event, "speed"), At(position, 1),
                                              At(position, 0)};
      one["points"].push_back({Rounded(*time),
                               {Drawn(values[0]), Drawn(values[1]), Drawn(values[2])},
                               fmt::format("{} at {:.4g} s: speed {} m/s, height {} m, range {} m",
                                           Text(event, "name"), *time, FourDigits(values[0]),
                                           FourDigits(values[1]), FourDigits(values[2]))});
      file.rows.push_back({problem.name, flight.curve->name, cell.Setting(), Text(event, "name"),
                           *time, OptionalNumber(values[0]), OptionalNumber(values[1]),
                           OptionalNumber(values[2])});
      // Hundreds of captures are for the file.
      if (Text(event, "name") != "capture")
        add_row(flight.Name(), Text(event, "name"), time, values[0]);
    }
    if (!one["points"].empty()) series.push_back(std::move(one));
  }
  if (series.empty()) return std::nullopt;
  std::size_t color = comparison.methods.size();
  for (const std::string& source : Sources(problem)) {
    // The same colour as in the trajectory.
    Json marks = PrintedSpeeds(problem, source, color++);
    if (marks.is_null()) continue;
    series.push_back(std::move(marks));
    for (const Json& value : Field(problem.document, "published")) {
      if (Text(value, "source") != source || Text(value, "quantity") != "speed") continue;
      const std::string event = Text(value, "event");
      const auto time = event.empty() ? Number(value, "time") : std::nullopt;
      const auto printed = Number(value, "published");
      add_row(source, event, time, printed);
      file.rows.push_back({problem.name, source, "", event, OptionalNumber(time),
                           OptionalNumber(printed), nullptr, nullptr});
    }
  }
  figure.data = {{"series", series},
                 {"x", "time [s]"},
                 {"quantities", {"speed [m/s]", "height [m]", "range [m]"}}};
  figure.csv = AddFile(document, std::move(file));
  return figure;
}

}  // namespace

Section GrowingSection(const Comparison& comparison, Document& document) {
  Section section{"growing", "Rocket: a system that grows", {}};
  std::vector<FlownProblem> all;
  all.reserve(comparison.problems.size());  // flights point into their elements' curves
  bool any_flight = false;
  for (const ProblemResults& problem : comparison.problems) {
    if (FamilyOf(problem) != kRocketFamily) continue;
    // A rope that is out from the start is there for the cost of evaluations: no flight to compare.
    if (Field(problem.document, "published").empty()) continue;
    if (section.blocks.empty()) {
      section.blocks.push_back(Paragraph{
          "A rocket pulls a rope out of its box: at each capture a node at rest joins and takes "
          "its "
          "share of the momentum, which must balance, while energy is lost by the impact. What Lu "
          "et al. 2014 leave open (drag, launcher, feeding of the rope) is completed by this "
          "catalogue, so differences to their numbers are differences of models; differences "
          "between methods are not. Best is the cell of the least error."});
    }
    FlownProblem& flown = all.emplace_back();
    flown.problem = &problem;
    flown.curves = Ladders(problem);
    flown.flights = BestFlights(comparison, flown.curves);
    const std::vector<Flight>& flights = flown.flights;
    Section one{"growing-" + problem.stem, problem.name, {}};
    any_flight = any_flight || !flights.empty();
    // One assumption changed: a row of the table below.
    if (IsChangedAssumption(problem)) continue;
    if (auto figure = TrajectoryFigure(comparison, problem, flights, document))
      one.blocks.push_back(std::move(*figure));
    if (auto figure = SpeedFigure(comparison, problem, flights, document))
      one.blocks.push_back(std::move(*figure));
    if (auto table = FlightTable(problem, flights, document))
      one.blocks.push_back(std::move(*table));
    if (auto table = LedgerTable(problem, flights, document))
      one.blocks.push_back(std::move(*table));
    if (!one.blocks.empty()) section.sections.push_back(std::move(one));
  }
  if (!section.blocks.empty() && !any_flight)
    section.blocks.push_back(Paragraph{"No flight of this store finished."});
  if (any_flight) {
    if (auto closure = LargestImbalance(all)) section.blocks.push_back(std::move(*closure));
    if (auto table = AssumptionTable(all, document)) section.blocks.push_back(std::move(*table));
  }
  if (auto figure = LinkCostFigure(comparison, document))
    section.blocks.push_back(std::move(*figure));
  return section;
}

}  // namespace mbsbench::reports
