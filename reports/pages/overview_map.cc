// The map: the cost and the accuracy of each family of methods on each kind of mechanism, its file, and the problems of its fields.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/time_at_target.h"
#include "reports/format/format.h"
#include "reports/pages/overview.h"

namespace mbsbench::reports {

namespace {

CsvFile MapFile(const MechanismMap& map) {
  CsvFile file{"overview_map.csv",
               {"mechanism", "methods", "measure", "median", "least", "largest", "reached", "taken",
                "problems_counted", "not_reached", "not_found", "too_long", "failed", "refused",
                "not_yet", "skipped", "not_run", "only_method_run", "marks"}};
  for (const MapMeasure& measure : map.measures) {
    for (std::size_t k = 0; k < map.kinds.size(); ++k) {
      for (std::size_t f = 0; f < map.families.size(); ++f) {
        const MapField& field = measure.fields[k][f];
        const auto number = [&field](double value) {
          return !field.median ? Json() : std::isfinite(value) ? Json(value) : Json("infinite");
        };
        file.rows.push_back(
            {map.kinds[k], map.families[f], measure.name, number(field.median.value_or(0)),
             number(field.low), number(field.high), field.Reached(), field.Taken(), field.counted,
             field.Count(MapStanding::kInaccurate), field.Count(MapStanding::kNotFound),
             field.Count(MapStanding::kTooLong), field.Count(MapStanding::kFailed),
             field.Count(MapStanding::kRefused),
             field.Count(MapStanding::kNotYet) + field.Count(MapStanding::kNotBegun),
             field.Count(MapStanding::kSkipped), field.Count(MapStanding::kNotRun),
             field.Count(MapStanding::kAlone), field.Marks()});
      }
    }
  }
  return file;
}

// "1.20 slower", "3.1e-9 so far", "not reached"
std::string EntryInWords(const MapMeasure& measure, const MapEntry& entry) {
  if (entry.standing != MapStanding::kReached) return NameOf(entry.standing);
  const std::string value =
      (entry.is_at_limit ? "≤ " : "") +
      (measure.unit == "x" ? FormatRatio(entry.value) : FormatError(entry.value));
  if (entry.is_so_far) return value + kSoFar;
  return entry.ratio ? MarkedRatio(*entry.ratio) : value;
}

std::string RoundsInWords(const MapEntry& entry) {
  return entry.is_base ? entry.verdict.Words()
         : entry.ratio ? SpreadInWords(entry.ratio->spread) + ", " + entry.verdict.Words()
                       : "";
}

// What a field opens: one row per problem, of places in lists of names, which repeat.
class Names {
 public:
  std::size_t PlaceOf(const std::string& name) {
    const auto [at, is_new] = places_.try_emplace(name, places_.size());
    if (is_new) list_.push_back(name);
    return at->second;
  }
  Json Take() { return std::move(list_); }

 private:
  std::map<std::string, std::size_t> places_;
  Json list_ = Json::array();
};

Json FieldJson(const MapMeasure& measure, const MapField& field, Names& names) {
  const bool has_value = field.median && std::isfinite(*field.median);
  Json entries = Json::array();
  for (const MapEntry& entry : field.entries) {
    if (!entry.IsTaken()) continue;
    const std::string curve = entry.method +
                              (entry.integrator.empty() ? "" : " with " + entry.integrator) +
                              (entry.setting.empty() ? "" : ", " + entry.setting);
    entries.push_back({names.PlaceOf(entry.problem->name),
                       names.PlaceOf(EntryInWords(measure, entry)), names.PlaceOf(entry.time),
                       names.PlaceOf(RoundsInWords(entry)), names.PlaceOf(curve),
                       names.PlaceOf(entry.is_base ? "" : entry.against),
                       entry.standing == MapStanding::kReached ? Short(entry.value) : Json()});
  }
  return {field.median ? Short(*field.median) : Json(),
          Short(field.low),
          Short(field.high),
          field.Reached(),
          field.Taken(),
          has_value ? "" : NameOf(field.Reason()),
          field.Marks(),
          std::move(entries)};
}

}  // namespace

Figure MapFigure(const Comparison& comparison, const MechanismMap& map, Document& document) {
  Figure figure;
  figure.kind = "heat-map";
  figure.title = "Cost and accuracy by kind of mechanism";
  figure.summary =
      "A field is the median over the problems of a kind, and how many of the problems that the "
      "family takes have a value. Times are CPU times at an error of the best variant and "
      "integrator of a family, over those of the fastest family that is no engine; 1.00: on half "
      "of the problems it is the fastest. A problem that was run and not reached counts as "
      "infinite; one that was refused, not run, or run with no other family is left out. One "
      "evaluation: all accelerations of one state, by the cheapest variant. Drift: the larger of "
      "position and energy drift. A pale field rests on one problem. A click on a field lists its "
      "problems. ";
  figure.summary +=
      std::string(kMarksInWords) + "; a mark of ratios stands where it holds for most of them.";
  figure.command = LatestCommand(comparison);
  figure.table.columns = {{"methods"}, {"measure"}};
  for (const std::string& kind : map.kinds) figure.table.columns.push_back({kind});
  figure.table.caption = "Median over problems, reached / taken";
  std::map<std::string, int> variants;  // of each family
  for (const std::string& method : comparison.methods) ++variants[MethodKey(method)];
  Names names;
  Json measures = Json::array(), rows = Json::array();
  for (const MapMeasure& measure : map.measures) {
    Json kinds = Json::array(), remarks = Json::array();
    for (const std::vector<MapField>& of_kind : measure.fields) {
      Json& fields = kinds.emplace_back(Json::array());
      for (const MapField& field : of_kind) fields.push_back(FieldJson(measure, field, names));
    }
    rows.push_back(std::move(kinds));
    for (std::size_t f = 0; f < map.families.size(); ++f) {
      const std::string variant = variants[map.families[f]] > 1 ? measure.MostOftenOf(f) : "";
      remarks.push_back(variant.empty() ? "" : "mostly " + variant);
      std::vector<TableCell> row = {{map.families[f]}, {measure.label}};
      for (const std::vector<MapField>& of_kind : measure.fields)
        row.push_back(fmt::format("{}, {}/{}", measure.InWords(of_kind[f]), of_kind[f].Reached(),
                                  of_kind[f].Taken()));
      figure.table.rows.push_back(std::move(row));
    }
    measures.push_back({{"name", measure.name},
                        {"label", measure.label},
                        {"title", measure.title},
                        {"unit", measure.unit},
                        {"note", measure.note},
                        {"remarks", std::move(remarks)}});
  }
  figure.csv = AddFile(document, MapFile(map));
  Json routes = Json::object();
  for (const ProblemResults& problem : comparison.problems) {
    if (WasRun(problem)) routes[problem.name] = ProblemRoute(problem);
  }
  figure.data = {{"measures", measures},  {"kinds", map.kinds}, {"families", map.families},
                 {"fields", rows},        {"first", map.first}, {"engines", map.engines},
                 {"names", names.Take()}, {"routes", routes},   {"marks", kMarksInWords}};
  return figure;
}

}  // namespace mbsbench::reports
