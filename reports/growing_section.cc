// Rockets that pull a rope out of its box: how they flew, beside what Lu et al. 2014 printed of
// their simulation and their test, and the ledger of the events at which the system grew.
#include <fmt/format.h>

#include <algorithm>

#include "reports/format.h"
#include "reports/growing.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kFamily = "rocket";
constexpr std::size_t kMostMarked = 40;  // points of a trajectory: a marker each
constexpr double kLeastDrawn = 1;  // [m], [m/s]: below it a logarithmic axis shows the pad only

struct Quantity {
  const char* name;  // in the published list
  const char* label;
};
constexpr Quantity kDrawn[] = {
    {"speed", "speed [m/s]"}, {"height", "height [m]"}, {"range", "range [m]"}};

bool IsBetter(const Cell& one, const Cell& other) {
  if (one.error && other.error) return *one.error < *other.error;
  return one.error || !other.error;  // of two that nobody judged the later one, which is finer
}

std::vector<Flight> BestFlights(const Comparison& comparison, const std::vector<Curve>& curves) {
  std::vector<Flight> flights;
  for (const Curve& curve : curves) {
    for (const Cell* cell : curve.cells) {
      if (!cell->finished() || cell->accuracy_row == 0) continue;
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
  for (const Flight& flight : flights) rows.push_back(flight.cell->accuracy_row);
  auto records = ReadFullRecords(comparison.results->path, rows);
  for (Flight& flight : flights) flight.record = std::move(records[flight.cell->accuracy_row]);
  return flights;
}

Json Rounded(double value) { return Json::parse(fmt::format("{:.4g}", value)); }

Json Drawn(std::optional<double> value) {
  return value && *value >= kLeastDrawn ? Rounded(*value) : Json();
}

// Height over range, from the recorded poses of the first body, and where it landed.
std::optional<Figure> TrajectoryFigure(const Comparison& comparison, const ProblemResults& problem,
                                       const std::vector<Flight>& flights, Document& document) {
  Figure figure;
  figure.kind = "scaling";
  figure.title = "Trajectory of " + problem.name;
  figure.summary = fmt::format(
      "Height over range of the rocket, both logarithmic, of the best cell of each method. The "
      "straight flank is the launch, the fall at the right the descent. Less than {:g} m is not "
      "drawn.",
      kLeastDrawn);
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
      "trajectory." + FileStem(problem.name) + ".csv",
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
    std::erase_if(points, [](const Point& p) { return p.x < kLeastDrawn || p.y < kLeastDrawn; });
    Json one = CurveStyle(comparison, cell.method, cell.integrator, flight.curve->second_ladder);
    one["name"] = flight.Name();
    one["points"] = Json::array();
    const std::size_t stride = (points.size() + kMostMarked - 1) / kMostMarked;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& p = points[i];
      if (i % stride != 0 && i + 1 != points.size()) continue;
      one["points"].push_back(
          {Rounded(p.x), Rounded(p.y),
           fmt::format("t = {:.4g} s: range {:.4g} m, height {:.4g} m", p.time, p.x, p.y)});
    }
    if (!one["points"].empty()) series.push_back(std::move(one));
  }
  if (series.empty()) return std::nullopt;
  figure.data = {{"series", series}, {"x", "range [m]"}, {"y", "height [m]"}, {"unit", ""}};
  figure.csv = AddFile(document, std::move(file));
  return figure;
}

// Printed values at times, as lone marks. The chart marks one sample in ten of each curve and joins
// neighbours: between two printed values stand nine that are null.
Json PrintedSeries(const ProblemResults& problem, const std::string& source, std::size_t color,
                   std::size_t symbol) {
  constexpr std::size_t kApart = 10;
  const std::size_t marked = (3 * symbol + color) % kApart;
  Json one = {{"name", source},
              {"color", color},
              {"symbol", symbol},
              {"times", Json::array()},
              {"values", {Json::array(), Json::array(), Json::array()}}};
  bool any = false;
  for (const Json& value : Field(problem.document, "published")) {
    const auto time = Number(value, "time");
    if (Text(value, "source") != source || !Text(value, "event").empty() || !time) continue;
    for (std::size_t i = 0; i < kApart; ++i) {
      one["times"].push_back(Rounded(*time));
      for (std::size_t q = 0; q < std::size(kDrawn); ++q) {
        const bool is_it = i == marked && Text(value, "quantity") == kDrawn[q].name;
        one["values"][q].push_back(is_it ? Drawn(Number(value, "published")) : Json());
        any = any || is_it;
      }
    }
  }
  return any ? one : Json();
}

// From the events, which hold the speed behind each of them.
std::optional<Figure> SpeedFigure(const Comparison& comparison, const ProblemResults& problem,
                                  const std::vector<Flight>& flights, Document& document) {
  Figure figure;
  figure.kind = "series";
  figure.title = "Speed over time of " + problem.name;
  figure.summary = fmt::format(
      "Speed, height and range of the rocket behind each event, over time, of the best cell of "
      "each method; lone marks are what the sources print. Choose the quantity above the figure. "
      "Logarithmic: less than {:g} m/s or {:g} m is not drawn.",
      kLeastDrawn, kLeastDrawn);
  figure.command = CommandOf(problem);
  figure.table = {"Speed of the best cell of each method, and what the sources print",
                  {{"by"}, {"at"}, {"time", true, "time_s"}, {"speed", true, "speed_m_per_s"}},
                  {},
                  ""};
  CsvFile file{
      "speed." + FileStem(problem.name) + ".csv",
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
    one["times"] = Json::array();
    one["values"] = {Json::array(), Json::array(), Json::array()};
    for (const Json& event : Field(flight.record, "events")) {
      const auto time = Number(event, "time");
      if (!time) continue;
      const Json& position = Field(event, "position");
      const std::optional<double> values[] = {Number(event, "speed"), At(position, 1),
                                              At(position, 0)};
      one["times"].push_back(Rounded(*time));
      for (std::size_t q = 0; q < std::size(kDrawn); ++q)
        one["values"][q].push_back(Drawn(values[q]));
      file.rows.push_back({problem.name, flight.curve->name, cell.Setting(), Text(event, "name"),
                           *time, OptionalNumber(values[0]), OptionalNumber(values[1]),
                           OptionalNumber(values[2])});
      // Hundreds of captures are for the file.
      if (Text(event, "name") != "capture")
        add_row(flight.Name(), Text(event, "name"), time, values[0]);
    }
    if (!one["times"].empty()) series.push_back(std::move(one));
  }
  if (series.empty()) return std::nullopt;
  std::size_t color = comparison.methods.size();
  for (const std::string& source : Sources(problem)) {
    Json one = PrintedSeries(problem, source, color, color);
    if (one.is_null()) continue;
    series.push_back(std::move(one));
    ++color;
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
  figure.data = {{"series", series}, {"quantities", Json::array()}};
  for (const Quantity& quantity : kDrawn) figure.data["quantities"].push_back(quantity.label);
  figure.csv = AddFile(document, std::move(file));
  return figure;
}

}  // namespace

Section GrowingSection(const Comparison& comparison, Document& document) {
  Section section{"growing", "Rocket: a system that grows", {}};
  bool any_flight = false;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.name.substr(0, problem.name.find(':')) != kFamily) continue;
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
    const std::vector<Curve> curves = Ladders(problem);
    const std::vector<Flight> flights = BestFlights(comparison, curves);
    Section one{"growing-" + FileStem(problem.name), problem.name, {}};
    if (auto figure = TrajectoryFigure(comparison, problem, flights, document))
      one.blocks.push_back(std::move(*figure));
    if (auto figure = SpeedFigure(comparison, problem, flights, document))
      one.blocks.push_back(std::move(*figure));
    if (auto table = FlightTable(problem, flights, document))
      one.blocks.push_back(std::move(*table));
    if (auto table = LedgerTable(problem, flights, document))
      one.blocks.push_back(std::move(*table));
    any_flight = any_flight || !flights.empty();
    if (!one.blocks.empty()) section.sections.push_back(std::move(one));
  }
  if (!section.blocks.empty() && !any_flight)
    section.blocks.push_back(Paragraph{"No flight of this store finished."});
  return section;
}

}  // namespace mbsbench::reports
