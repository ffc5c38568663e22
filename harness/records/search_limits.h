// What a search for a target may try. Reports judge by it what finer settings could still show.
#pragma once

namespace mbsbench {

// A search that is still open after so many new trials has not found its setting.
inline constexpr int kMostTrials = 12;
// The ends of the grid of tolerances.
inline constexpr double kCoarsestTolerance = 0.1, kFinestTolerance = 1e-13;

}  // namespace mbsbench
