// What evaluations of many states at once have in common: what they take, and how they end.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "methods/interface/batch.h"
#include "methods/interface/status.h"
#include "problems/model/system.h"

namespace mbsbench {

// For methods whose sweeps in lanes take trees with springs in joints at most: throws ModelError on any
// other system, naming what stands in the way.
void RequireTreeForBatch(const System& system, const std::string& method);

// How an evaluation of many states ends: with `status`, or with kNotFinite where an acceleration (from
// `coordinate_count` on) is not finite in one of the lanes. On failure ydot is filled with NaN.
Status CheckedBatch(Status status, std::size_t coordinate_count, std::span<const LaneValues> y,
                    std::span<LaneValues> ydot);

}  // namespace mbsbench
