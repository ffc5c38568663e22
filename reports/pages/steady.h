// How steady states are written.
#pragma once

#include <optional>
#include <string>

namespace mbsbench::reports {

// A value with the decimals that its error allows, at most the 15 digits of double precision.
std::string FormatSteady(double value, std::optional<double> error);

}  // namespace mbsbench::reports
