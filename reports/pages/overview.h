// The figures of the overview. `targets` are those of all problems, from which `map` is made.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/targets.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

Figure StatusFigure(const Comparison& comparison, const MechanismMap& map);
Figure MapFigure(const Comparison& comparison, const MechanismMap& map, Document& document);
Figure ProfileFigure(const std::vector<Target>& targets, const MechanismMap& map,
                     Document& document);
// None where no range of sizes is wide enough to show growth.
std::optional<Figure> CostPerBodyFigure(const Comparison& comparison);
Figure AnswersFigure(const Comparison& comparison, const std::vector<Target>& targets,
                     const MechanismMap& map);

// A number of the page; null if it is infinite, which JSON cannot hold.
inline Json Short(double value) {
  return std::isfinite(value) ? Json::parse(fmt::format("{:.6g}", value)) : Json();
}

}  // namespace mbsbench::reports
