// Charted motions over time, and the speed of the first body of a problem with events.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/observables.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

std::string FourDigits(std::optional<double> value) {
  return value ? FormatDigits(*value, 4) : "-";
}

Json SeriesOf(const Comparison& comparison, const ShownCell& shown) {
  return CurveStyle(comparison, shown.cell->method, "", shown.Name());  // one cell of each family
}

// Marks of the values that each source prints of a quantity, in colours after those of the methods. `point` makes a
// mark of a printed value, or null.
template <typename MakePoint>
void AddMarks(const Comparison& comparison, const ProblemResults& problem, const char* quantity,
              const MakePoint& point, Json& series) {
  std::size_t color = comparison.methods.size();
  for (const std::string& source : Sources(problem)) {
    Json marks = {{"name", source},
                  {"color", color},
                  {"symbol", color},
                  {"marks_only", true},
                  {"points", Json::array()}};
    ++color;
    for (const PrintedValueRecord& value : problem.record.published) {
      if (value.source != source || value.quantity != quantity) continue;
      if (Json one = point(value); !one.is_null()) marks["points"].push_back(std::move(one));
    }
    if (!marks["points"].empty()) series.push_back(std::move(marks));
  }
}

}  // namespace

std::vector<std::string> Sources(const ProblemResults& problem) {
  std::vector<std::string> sources;
  for (const PrintedValueRecord& value : problem.record.published) AddOnce(sources, value.source);
  return sources;
}

ShownProblem Show(const Comparison& comparison, const ProblemResults& problem) {
  ShownProblem shown{&problem, {}};
  std::vector<std::int64_t> rows;
  for (const Cell* cell :
       BestOfFamilies(problem, [](const Cell& one) { return one.accuracy != nullptr; })) {
    shown.cells.push_back({cell, {}});
    rows.push_back(cell->accuracy->number);
  }
  auto records = ReadFullRecords(comparison.results->path, rows);
  for (ShownCell& one : shown.cells) one.record = std::move(records[one.cell->accuracy->number]);
  return shown;
}

std::vector<Figure> ChartedFigures(const Comparison& comparison, const ShownProblem& shown,
                                   Document& document) {
  const ProblemResults& problem = *shown.problem;
  std::map<std::string, Figure> figures;  // by what is charted
  std::map<std::string, CsvFile> files;
  for (const ShownCell& one : shown.cells) {
    const std::vector<MaybeNumber> times = IfFinite(one.Accuracy().times);
    for (const ChartedRecord& charted : one.Accuracy().charted) {
      const std::string& name = charted.name;
      Figure& figure = figures[name];
      CsvFile& file = files[name];
      if (figure.kind.empty()) {
        figure.kind = "series";
        figure.title = fmt::format("Motion of the {}: {}", name, problem.name);
        figure.summary = fmt::format(
            "Displacement from the start and acceleration of the {} over time, of the most "
            "accurate cell of each family of methods. Choose the quantity above the figure.",
            name);
        figure.command = CommandOf(problem);
        figure.table = {"Motion of the " + name,
                        {{"method"},
                         {"setting"},
                         {"lowest displacement", true, "lowest_displacement_m"},
                         {"displacement at the end", true, "displacement_at_end_m"},
                         {"largest acceleration", true, "largest_acceleration_m_s2"}}};
        figure.data = {{"series", Json::array()},
                       {"quantities", {"displacement [m]", "acceleration [m/s²]"}},
                       {"axes", {{"y", "linear"}}}};
        file = {fmt::format("charted.{}.csv", problem.stem),
                {"problem", "method", "integrator", "setting", "time_s", "displacement_m",
                 "acceleration_m_s2"}};
      }
      const std::vector<MaybeNumber> z = IfFinite(charted.displacement),
                                     a = IfFinite(charted.acceleration);
      Json series = SeriesOf(comparison, one);
      series["times"] = Json::array();
      series["values"] = {Json::array(), Json::array()};
      std::optional<double> lowest, end, largest;
      for (std::size_t i = 0; i < std::min({times.size(), z.size(), a.size()}); ++i) {
        series["times"].push_back(OptionalNumber(times[i]));
        series["values"][0].push_back(OptionalNumber(z[i]));
        series["values"][1].push_back(OptionalNumber(a[i]));
        file.rows.push_back({problem.name, one.cell->method, one.cell->integrator,
                             one.cell->Setting(), OptionalNumber(times[i]), OptionalNumber(z[i]),
                             OptionalNumber(a[i])});
        if (z[i]) lowest = std::min(lowest.value_or(*z[i]), *z[i]), end = z[i];
        if (a[i]) largest = std::max(largest.value_or(*a[i]), *a[i]);
      }
      figure.data["series"].push_back(std::move(series));
      figure.table.rows.push_back({{one.cell->Curve()},
                                   {one.cell->Setting()},
                                   DigitsCell(lowest, 6, " m"),
                                   DigitsCell(end, 6, " m"),
                                   DigitsCell(largest, 6, " m/s²")});
    }
  }
  std::vector<Figure> list;
  for (auto& [name, figure] : figures) {
    figure.csv = AddFile(document, std::move(files[name]));
    list.push_back(std::move(figure));
  }
  return list;
}

std::optional<Figure> SpeedFigure(const Comparison& comparison, const ShownProblem& shown,
                                  Document& document) {
  const ProblemResults& problem = *shown.problem;
  Figure figure;
  figure.kind = "curves";
  figure.title = "Speed over time of " + problem.name;
  figure.summary =
      "Speed, height and range of the first body after each event, over time, of the most accurate "
      "cell of each family of methods; single marks are the values that the sources print. Choose "
      "the quantity "
      "above the figure.";
  figure.command = CommandOf(problem);
  figure.table = {"Speed of the most accurate cells, and what the sources print",
                  {{"by"}, {"at"}, {"time", true, "time_s"}, {"speed", true, "speed_m_per_s"}}};
  CsvFile file{
      "speed." + problem.stem + ".csv",
      {"problem", "by", "setting", "what", "time_s", "speed_m_per_s", "height_m", "range_m"}};
  const auto add_row = [&figure](const std::string& by, const std::string& at,
                                 std::optional<double> time, std::optional<double> speed) {
    figure.table.rows.push_back(
        {{by}, {at}, DigitsCell(time, 5, " s"), DigitsCell(speed, 5, " m/s")});
  };
  Json series = Json::array();
  for (const ShownCell& one : shown.cells) {
    Json curve = SeriesOf(comparison, one);
    curve["points"] = Json::array();
    std::map<std::string, int> counts;
    for (const EventRecord& event : one.Accuracy().events) ++counts[event.name];
    for (const EventRecord& event : one.Accuracy().events) {
      const MaybeNumber time = IfFinite(event.time), speed = IfFinite(event.speed);
      const std::string& name = event.name;
      if (!time) continue;
      const MaybeNumber x = IfFinite(event.position.x), y = IfFinite(event.position.y);
      curve["points"].push_back(
          {DrawnNumber(time),
           {DrawnNumber(speed), DrawnNumber(y), DrawnNumber(x)},
           fmt::format("{} at {:.4g} s: speed {} m/s, height {} m, range {} m", name, *time,
                       FourDigits(speed), FourDigits(y), FourDigits(x))});
      file.rows.push_back({problem.name, one.cell->Curve(), one.cell->Setting(), name, *time,
                           OptionalNumber(speed), OptionalNumber(y), OptionalNumber(x)});
      // Only the file has events that come by the dozen.
      if (counts[name] == 1) add_row(one.Name(), name, time, speed);
    }
    if (!curve["points"].empty()) series.push_back(std::move(curve));
  }
  if (series.empty()) return std::nullopt;
  AddMarks(
      comparison, problem, "speed",
      [&](const PrintedValueRecord& value) {
        const std::string &event = value.event, &source = value.source;
        // A value at an event has no time of its own.
        const MaybeNumber time = event.empty() ? value.time : std::nullopt;
        const MaybeNumber speed = value.published;
        add_row(source, event, time, speed);
        file.rows.push_back({problem.name, source, "", event, OptionalNumber(time),
                             OptionalNumber(speed), nullptr, nullptr});
        return time && speed ? Json{DrawnNumber(time),
                                    {DrawnNumber(speed), nullptr, nullptr},
                                    fmt::format("t = {:.4g} s: speed {:.4g} m/s", *time, *speed)}
                             : Json();
      },
      series);
  figure.data = {{"series", series},
                 {"x", "time [s]"},
                 {"quantities", {"speed [m/s]", "height [m]", "range [m]"}}};
  figure.csv = AddFile(document, std::move(file));
  return figure;
}

}  // namespace mbsbench::reports
