#include "reports/analysis/noise.h"

#include <fmt/format.h>

#include "reports/format/columns.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

// Calls visit(measure, family, entry) for each ratio of several rounds. The ratio of the fastest to itself is none.
template <class Visit>
void ForEachRatio(const MechanismMap& map, const Visit& visit) {
  for (const MapMeasure& measure : map.measures) {
    for (const auto& of_kind : measure.fields) {
      for (std::size_t f = 0; f < of_kind.size(); ++f) {
        for (const MapEntry& entry : of_kind[f].entries) {
          if (!entry.is_base && entry.ratio && entry.ratio->spread &&
              entry.ratio->spread->rounds > 1)
            visit(measure, f, entry);
        }
      }
    }
  }
}

}  // namespace

std::string Noise::InShort() const {
  if (!IsKnown()) return ratios > 0 ? "not known yet" : "";
  return IsNoisy() ? fmt::format("noisy: {} of {}", FormatCount(noisy), Plural(ratios, "ratio"))
                   : "quiet";
}

std::string Noise::Sentence() const {
  return fmt::format(
      "The interval of {} of {} of the map is wider than 10 %; the page Machine and settings lists "
      "them.",
      FormatCount(noisy), Plural(ratios, "ratio"));
}

Noise NoiseOf(const MechanismMap& map) {
  Noise noise;
  ForEachRatio(map, [&](const MapMeasure&, std::size_t, const MapEntry& entry) {
    ++noise.ratios;
    noise.noisy += entry.ratio->spread->IsNoisy();
  });
  return noise;
}

Table NoisyRatiosTable(const MechanismMap& map) {
  struct NoisyRatio {
    const MapMeasure* measure;
    const std::string* family;
    const MapEntry* entry;
  };
  std::vector<NoisyRatio> rows;
  ForEachRatio(map, [&](const MapMeasure& measure, std::size_t family, const MapEntry& entry) {
    if (entry.ratio->spread->IsNoisy()) rows.push_back({&measure, &map.families[family], &entry});
  });
  Table table = TableOf<NoisyRatio>(
      "Noisy ratios of the map: their rounds lie more than 10 % apart, so they should not be "
      "quoted",
      {{{"problem"}, [](auto& r) { return ProblemCell(*r.entry->problem); }},
       {{"measure"}, [](auto& r) { return r.measure->label; }},
       {{"methods"}, [](auto& r) { return *r.family; }},
       {{"ratio", true},
        [](auto& r) { return NumberCell(FormatRatio(r.entry->value), r.entry->value); }},
       {OnPage({"range or 95 % interval"}),
        [](auto& r) { return SpreadInWords(r.entry->ratio->spread); }},
       {FileColumn("ratio_low"), [](auto& r) { return r.entry->ratio->spread->interval.low; }},
       {FileColumn("ratio_high"), [](auto& r) { return r.entry->ratio->spread->interval.high; }},
       {FileColumn("paired_rounds"), [](auto& r) { return r.entry->ratio->spread->rounds; }},
       {{"time of"}, [](auto& r) { return r.entry->method + " with " + r.entry->integrator; }},
       {{"over that of"}, [](auto& r) { return r.entry->against; }}},
      rows);
  table.in_markdown = false;
  return table;
}

}  // namespace mbsbench::reports
