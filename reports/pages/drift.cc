// Error and drift over time, for the finest finished cell of each curve.
#include <fmt/format.h>

#include <algorithm>

#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

constexpr std::size_t kMostDrawn = 51;  // samples of a curve on the page

// The finest finished cell, else the finest one that diverged, which shows the drift until then.
const Cell* FinestCell(const Curve& curve) {
  const Cell* diverged = nullptr;
  for (auto it = curve.cells.rbegin(); it != curve.cells.rend(); ++it) {
    const Cell* cell = *it;
    if (!cell->accuracy) continue;
    if (cell->finished()) return cell;
    if (!diverged && cell->outcome == "diverged") diverged = cell;
  }
  return diverged;
}

// Its largest value over a whole motion, and until a failure.
struct QuantityOverTime {
  const char *name, *csv;
  MaybeNumber Cell::*whole, Cell::*until_failure;
};
constexpr QuantityOverTime kOverTime[] = {
    {"error", "error", &Cell::error, &Cell::error_until_failure},
    {"position drift", "position_drift", &Cell::position_drift,
     &Cell::position_drift_until_failure},
    {"velocity drift", "velocity_drift", &Cell::velocity_drift,
     &Cell::velocity_drift_until_failure},
    {"energy drift", "energy_drift", &Cell::energy_drift, &Cell::energy_drift_until_failure}};

}  // namespace

std::optional<Figure> DriftFigure(const Comparison& comparison, const ProblemResults& problem,
                                  Document& document) {
  std::vector<Curve> curves = Ladders(problem);
  std::vector<std::pair<const Curve*, const Cell*>> chosen;
  std::vector<std::int64_t> rows;
  for (const Curve& curve : curves) {
    if (const Cell* cell = FinestCell(curve)) {
      chosen.emplace_back(&curve, cell);
      rows.push_back(cell->accuracy->number);
    }
  }
  if (chosen.empty()) return std::nullopt;
  const auto records = ReadFullRecords(comparison.results->path, rows);

  Figure figure;
  figure.kind = "series";
  figure.title = "Error and drift over time of " + problem.name;
  figure.command = CommandOf(problem);
  figure.table = {
      "Largest over time, finest finished cell of each curve (diverged ones until then)",
      {{"method"}, {"integrator"}, {"setting"}}};
  CsvFile file{"drift." + problem.stem + ".csv",
               {"problem", "method", "integrator", "tolerance", "step_s", "time_s"}};
  Json series = Json::array(), quantities = Json::array();
  for (const QuantityOverTime& one : kOverTime) {
    figure.table.columns.push_back({one.name, true});
    file.header.push_back(one.csv);
    quantities.push_back(one.name);
  }
  int zeros = 0;
  for (const auto& [curve, cell] : chosen) {
    const auto found = records.find(cell->accuracy->number);
    if (found == records.end()) continue;
    const AccuracyRecord& record = OrNone(found->second.accuracy);
    const std::vector<MaybeNumber> times = IfFinite(record.times);
    const std::vector<std::vector<MaybeNumber>> values{
        record.error_series, IfFinite(record.position_drift), IfFinite(record.velocity_drift),
        IfFinite(record.energy_drift)};
    const auto at = [](const auto& list, std::size_t i) {
      return i < list.size() ? list[i] : std::nullopt;
    };

    // The marker is that of the family, unless several integrators of a method are drawn.
    const auto curves_of = std::count_if(chosen.begin(), chosen.end(), [&](const auto& other) {
      return other.first->method == curve->method;
    });
    const std::string setting =
        cell->Setting() + (cell->finished() ? "" : " (" + cell->outcome + ")");
    Json one = CurveStyle(comparison, curve->method, curves_of > 1 ? curve->integrator : "",
                          curve->name + ", " + setting, curve->second_ladder);
    one["times"] = Json::array();
    one["values"] = Json::array();
    // The file has every sample.
    const std::size_t stride = (times.size() + kMostDrawn - 1) / kMostDrawn;
    for (std::size_t i = 0; i < times.size(); i += stride)
      one["times"].push_back(DrawnNumber(times[i]));
    for (const auto& list : values) {
      Json drawn = Json::array();
      for (std::size_t i = 0; i < times.size(); i += stride) {
        const auto value = at(list, i);
        if (value && *value <= 0) ++zeros;
        drawn.push_back(value && *value > 0 ? DrawnNumber(value) : Json());
      }
      one["values"].push_back(std::move(drawn));
    }
    series.push_back(std::move(one));

    for (std::size_t i = 0; i < times.size(); ++i) {
      file.rows.push_back({problem.name, cell->method, cell->integrator,
                           OptionalNumber(cell->tolerance), OptionalNumber(cell->step),
                           OptionalNumber(times[i])});
      for (const auto& list : values) file.rows.back().push_back(OptionalNumber(at(list, i)));
    }
    std::vector<TableCell> row = {cell->method, cell->integrator, setting};
    for (const QuantityOverTime& of : kOverTime)
      row.push_back(ErrorCell(cell->*of.whole ? cell->*of.whole : cell->*of.until_failure));
    if (cell->error) row[3] = ErrorCell(problem, *cell);
    figure.table.rows.push_back(std::move(row));
  }
  if (file.rows.empty()) return std::nullopt;
  figure.data = {{"series", series}, {"quantities", quantities}};
  figure.summary = fmt::format(
      "Error, constraint drift at position and velocity level, and energy drift over time, of the "
      "finest finished cell of each curve. There {} {}. Choose the quantity above the figure.",
      series.size() == 1 ? "is" : "are", Plural(series.size(), "curve"));
  if (zeros > 0) {
    figure.notes.push_back(
        fmt::format("{} of zero or below not drawn: a log axis cannot show them (at time 0 there "
                    "is no drift yet; joint coordinates keep the joints of a tree exactly).",
                    Plural(zeros, "value")));
  }
  figure.csv = AddFile(document, std::move(file));
  return figure;
}

}  // namespace mbsbench::reports
