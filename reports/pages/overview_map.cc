// The map: the time of each family of methods on each kind of mechanism, its file, and the problems of its fields.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "reports/analysis/engine_times.h"
#include "reports/analysis/equal_error.h"
#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/noise.h"
#include "reports/format/format.h"
#include "reports/pages/overview.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kMapDetail = "The problems of each field of the map";

std::string FormatValue(const MapMeasure& measure, double value) {
  if (!std::isfinite(value)) return "not reached";
  return measure.unit == "x" ? FormatRatio(value) : FormatError(value);
}

CsvFile MapFile(const MechanismMap& map) {
  CsvFile file{"overview_map.csv",
               {"mechanism", "methods", "measure", "median", "low", "high", "problems_counted",
                "problems", "reached", "not_reached", "failed", "refused", "not_yet", "not_run",
                "only_method_run", "mostly_bounds", "interval_kind", "two_integrators", "noisy"}};
  for (const MapMeasure& measure : map.measures) {
    for (std::size_t k = 0; k < map.kinds.size(); ++k) {
      for (std::size_t f = 0; f < map.families.size(); ++f) {
        const MapField& field = measure.fields[k][f];
        const auto number = [](double value) {
          return std::isfinite(value) ? Json(value) : Json("infinite");
        };
        file.rows.push_back({map.kinds[k], map.families[f], measure.name,
                             field.median ? number(*field.median) : Json(),
                             field.median ? number(field.interval.low) : Json(),
                             field.median ? number(field.interval.high) : Json(), field.counted,
                             field.entries.size(), field.Count(MapStanding::kReached),
                             field.Count(MapStanding::kInaccurate),
                             field.Count(MapStanding::kFailed), field.Count(MapStanding::kRefused),
                             field.Count(MapStanding::kNotYet), field.Count(MapStanding::kNotRun),
                             field.Count(MapStanding::kAlone), field.IsMostlyOpen() ? 1 : 0,
                             !field.median     ? ""
                             : field.IsRange() ? "range"
                                               : "95 %",
                             field.Count(&MapEntry::HasTwoIntegrators),
                             field.Count(&MapEntry::IsNoisy)});
      }
    }
  }
  return file;
}

Json FieldJson(const MapField& field) {
  const bool has_value = field.median && std::isfinite(*field.median);
  Json json = {field.median ? Short(*field.median) : Json(),
               Short(field.interval.low),
               Short(field.interval.high),
               field.counted,
               field.entries.size(),
               has_value ? "" : NameOf(field.Reason())};
  json.push_back(has_value && field.IsMostlyOpen() ? 1 : 0);
  json.push_back(field.IsRange() ? 1 : 0);
  json.push_back(has_value ? field.Count(&MapEntry::HasTwoIntegrators) : 0);
  json.push_back(has_value ? field.Count(&MapEntry::IsNoisy) : 0);
  json.push_back(has_value && field.IsNoisy() ? 1 : 0);
  json.push_back(has_value && field.IsThin() ? 1 : 0);
  json.push_back(field.MostOften());
  return json;
}

// "1.20*, 6 of 10" and the interval below it, or why there is no value.
std::string FieldInWords(const MapMeasure& measure, const MapField& field) {
  const std::string counted = fmt::format(", {} of {}", field.counted, field.entries.size());
  if (!field.median || !std::isfinite(*field.median)) return NameOf(field.Reason()) + counted;
  return fmt::format(
             "{}{}{}{}{}{}", field.IsMostlyOpen() ? "~" : "", FormatValue(measure, *field.median),
             field.Count(&MapEntry::HasTwoIntegrators) > 0 ? kTwoIntegrators : "",
             field.IsNoisy() ? kNoisyRatios : "", field.IsThin() ? kThinEvidence : "", counted) +
         (field.counted < 2 ? ""
                            : fmt::format("\n{}{} to {}", field.IsRange() ? "range " : "",
                                          FormatValue(measure, field.interval.low),
                                          FormatValue(measure, field.interval.high)));
}

}  // namespace

Figure MapFigure(const Comparison& comparison, const MechanismMap& map, Document& document) {
  Figure figure;
  figure.kind = "heat-map";
  figure.title = "Time over that of the fastest, by kind of mechanism";
  figure.summary =
      "A field is the ratio of the CPU time of a family of methods to that of the fastest family "
      "at equal error: the median over the problems of a kind. 1.00: on half of them it takes no "
      "longer than the fastest. Below it stands the 95 % interval, by resampling problems and then "
      "rounds (cells timed once add no measuring noise), or, with fewer than 6 problems, the range "
      "of their ratios. 6/10 in a field: its median is over 6 of the "
      "10 problems of that kind; the others were refused, not run, or not run or timed to the end "
      "yet (\"not yet\"). A problem that was run and not reached counts as infinite. "
      "A problem on which only one family was run is left out as well (\"no rival\"). "
      "Each family has its own fastest variant and integrator on each problem. The line below its "
      "name is the variant on which most of the values shown rest. Point at a field to see the "
      "variant and integrator of most of its values. †: on at least one of the problems "
      "the two integrators of the ratio differ; the page The map in detail names both of each "
      "ratio. ‡: at least half of the ratios of several rounds are noisy, with rounds more than 10 "
      "% apart; the page "
      "Machine and settings lists them. *: the median is over fewer than 6 problems, or no ratio "
      "has a second round. ~: most of these times are "
      "upper bounds, because even the coarsest cells are more accurate or the finer ones are at "
      "the limit of the reference, so the ratio is not exact; "
      "its interval holds the scatter of the bounds, not their distance from the times. Drift is "
      "the larger of position and energy drift. It is that of the variant and integrator with the "
      "time at 1e-6, in their cheapest cell with an error of at most 1e-6. Attainable error is the "
      "least error of any cell; ~: most of these are at the limit of the reference, which resolves "
      "no smaller one. A click on a field leads to its problems.";
  figure.command = LatestCommand(comparison);
  figure.table.columns = {{"methods"}, {"measure"}};
  for (const std::string& kind : map.kinds) figure.table.columns.push_back({kind});
  figure.table.caption = "Median over problems, problems counted of all, interval";
  std::map<std::string, int> variants;  // of each family
  for (const std::string& method : comparison.methods) ++variants[MethodKey(method)];
  const bool lacks_debian = !CompareEngines(*comparison.results).Has(EngineBuild::kDebian);
  Json measures = Json::array(), rows = Json::array();
  for (const MapMeasure& measure : map.measures) {
    Json kinds = Json::array(), remarks = Json::array();
    for (const std::vector<MapField>& of_kind : measure.fields) {
      Json& fields = kinds.emplace_back(Json::array());
      for (const MapField& field : of_kind) fields.push_back(FieldJson(field));
    }
    rows.push_back(std::move(kinds));
    for (std::size_t f = 0; f < map.families.size(); ++f) {
      const std::string variant = variants[map.families[f]] > 1 ? measure.MostOftenOf(f) : "";
      const bool is_engine = f + map.engines >= map.families.size();
      remarks.push_back(!variant.empty()            ? "mostly " + variant
                        : is_engine && lacks_debian ? "built for any x86-64 (SSE2)"
                                                    : "");
      std::vector<TableCell> row = {{map.families[f]}, {measure.label}};
      for (const std::vector<MapField>& of_kind : measure.fields)
        row.push_back(FieldInWords(measure, of_kind[f]));
      figure.table.rows.push_back(std::move(row));
    }
    measures.push_back({{"name", measure.name},
                        {"label", measure.label},
                        {"title", measure.title},
                        {"unit", measure.unit},
                        {"remarks", std::move(remarks)}});
  }
  figure.csv = AddFile(document, MapFile(map));
  const bool is_noisy = std::ranges::any_of(map.measures, [](const MapMeasure& measure) {
    return std::ranges::any_of(measure.fields | std::views::join, &MapField::IsNoisy);
  });
  const bool has_rounds = NoiseOf(comparison.problems).IsKnown();
  const std::string note = fmt::format(
      "*: few problems or one round. †: not the integrator of the fastest on some problem. {}{}{}",
      is_noisy ? "‡: at least half of the ratios of several rounds are noisy. " : "",
      has_rounds ? "" : "One round each: intervals hold no measuring noise. ",
      IdenticalWorkInWords(comparison));
  figure.notes.push_back(note);
  figure.data = {{"measures", measures},   {"kinds", map.kinds}, {"families", map.families},
                 {"fields", rows},         {"route", "map"},     {"table", kMapDetail},
                 {"engines", map.engines}, {"note", note}};
  return figure;
}

Section MapSection(const Comparison& comparison, Document& document) {
  Section section{"map", "The map in detail", {}};
  const MechanismMap map = MakeMechanismMap(comparison, Targets(comparison));
  Table table{kMapDetail,
              {{"problem"},
               {"mechanism"},
               {"methods"},
               {"measure"},
               {"standing"},
               OnPage({"value, rounds"}),
               FileColumn("value"),
               FileColumn("ratio_kind"),
               FileColumn("rounds"),
               {"CPU time", true, "cpu_s"},
               FileColumn("time_kind"),
               OnPage({"of the best variant"}),
               FileColumn("best variant"),
               FileColumn("with"),
               FileColumn("setting"),
               OnPage({"relative to"}),
               FileColumn("fastest_variant"),
               FileColumn("integrator_of_fastest")}};
  for (const MapMeasure& measure : map.measures) {
    for (std::size_t k = 0; k < map.kinds.size(); ++k) {
      for (std::size_t f = 0; f < map.families.size(); ++f) {
        for (const MapEntry& entry : measure.fields[k][f].entries) {
          const bool is_reached = entry.standing == MapStanding::kReached;
          const bool is_timed = entry.time.known();
          const TableCell value = !is_reached
                                      ? TableCell{"-"}
                                      : NumberCell(entry.ratio ? FormatRatio(*entry.ratio)
                                                               : FormatValue(measure, entry.value),
                                                   entry.value);
          const std::string rounds = entry.ratio ? Describe(entry.ratio->spread) : "";
          const auto with = [](const std::string& integrator) {
            return integrator.empty() ? "" : "with " + integrator;
          };
          table.rows.push_back(
              {ProblemCell(*entry.problem),
               {map.kinds[k]},
               {map.families[f]},
               {measure.label},
               {entry.is_at_limit                   ? "at the limit of the reference"
                : is_reached && IsBound(entry.time) ? "reached, at most"
                                                    : NameOf(entry.standing)},
               WithLine(value, rounds),
               value,
               {entry.ratio ? entry.ratio->Name() : ""},
               {rounds},
               is_timed ? NumberCell(FormatTime(entry.time), entry.time.seconds) : TableCell{"-"},
               {TimeKindOf(entry.time)},
               WithLine(WithLine(entry.method, with(entry.integrator)), entry.setting),
               {entry.method},
               {entry.integrator},
               {entry.setting},
               WithLine(entry.fastest.method, with(entry.fastest.integrator)),
               {entry.fastest.method},
               {entry.fastest.integrator}});
        }
      }
    }
  }
  if (table.rows.empty()) return section;
  table.in_markdown = false;
  AddTable(std::move(table), "overview_map_problems.csv", section, document);
  return section;
}

}  // namespace mbsbench::reports
