// The bounds within which a finished motion is ok; beyond one of them it is inaccurate, independent of its
// tolerance. docs/reading_the_report.md prints this table.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace mbsbench {

struct AccuracyBound {
  const char* quantity;
  double largest;
  const char* of;  // what it is a part of
};

inline constexpr AccuracyBound kPositionBound{"position error", 1e-3, "L, or 1 rad"};
inline constexpr AccuracyBound kVelocityBound{"velocity error", 1e-2, "L / T, or 1 / T"};
inline constexpr AccuracyBound kRelativeVelocityBound{"velocity error of a slow motion", 0.2,
                                                      "the largest velocity of the reference"};
inline constexpr AccuracyBound kReactionBound{
    "error of unique reactions", 0.2, "the largest reaction, or of the weights and inertia"};
inline constexpr AccuracyBound kEffortBound{"error of unique efforts of drivers", 0.2,
                                            "the largest effort, or of the weights and inertia"};
inline constexpr AccuracyBound kEnergyBound{"energy drift of a conservative problem", 1e-2,
                                            "E_ref"};
// With a reference, a joint that opens so far is a position error already.
inline constexpr AccuracyBound kOpeningBound{"opening of a joint", 1e-2, "L, or 1 rad"};

inline constexpr std::array kAccuracyBounds{kPositionBound, kVelocityBound, kRelativeVelocityBound,
                                            kReactionBound, kEffortBound,   kEnergyBound,
                                            kOpeningBound};

// The error with which a finished motion is held against targets. An inaccurate one holds no target up to the bound of positions,
// however small its position error is.
inline double ErrorAtTargets(std::string_view outcome, double position_error) {
  constexpr double kBeyond = 1.01;
  return outcome == "inaccurate" ? std::max(position_error, kBeyond * kPositionBound.largest)
                                 : position_error;
}

}  // namespace mbsbench
