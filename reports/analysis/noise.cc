#include "reports/analysis/noise.h"

#include <fmt/format.h>

#include <ranges>

#include "reports/format/format.h"

namespace mbsbench::reports {

std::string Noise::InShort() const {
  if (!IsKnown()) return ratios > 0 ? "not known yet" : "";
  return IsNoisy() ? fmt::format("noisy: {} of {}", FormatCount(noisy), Plural(ratios, "ratio"))
                   : "quiet";
}

std::string Noise::Sentence() const {
  return fmt::format(
      "The interval of {} of {} of the map is wider than 10 %; the pages of the problems mark "
      "them.",
      FormatCount(noisy), Plural(ratios, "ratio"));
}

Noise NoiseOf(const MechanismMap& map) {
  Noise noise;
  for (const MapMeasure& measure : map.measures) {
    for (const MapField& field : measure.fields | std::views::join) {
      for (const MapEntry& entry : field.entries) {
        // The ratio of the fastest to itself is none.
        if (entry.is_base || !entry.ratio || !entry.ratio->spread ||
            entry.ratio->spread->rounds < 2)
          continue;
        ++noise.ratios;
        noise.noisy += entry.ratio->spread->IsNoisy();
      }
    }
  }
  return noise;
}

}  // namespace mbsbench::reports
