// Many states of one system at once: one per lane of the processor's vectors. What costs a single
// state its time is waiting for results; lanes wait together.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "methods/interface/status.h"
#include "problems/model/system.h"

namespace mbsbench {

inline constexpr std::size_t kLanes = 4;

// The same entry of kLanes states.
struct alignas(kLanes * sizeof(double)) LaneValues {
  double lane[kLanes] = {};
};

class BatchFormulation {
 public:
  virtual ~BatchFormulation() = default;
  BatchFormulation() = default;
  BatchFormulation(const BatchFormulation&) = delete;
  BatchFormulation& operator=(const BatchFormulation&) = delete;

  // Entries of y, as of the OdeFormulation of the same method.
  virtual std::size_t state_size() const = 0;
  // ydot = f(t, y) in all lanes. Where it fails in one of them it fails as a whole, and ydot is
  // filled with NaN.
  virtual Status EvaluateBatch(double t, std::span<const LaneValues> y,
                               std::span<LaneValues> ydot) = 0;
};

// For methods whose sweeps in lanes take trees with springs in joints at most: throws ModelError on any
// other system, naming what stands in the way.
void RequireTreeForBatch(const System& system, const std::string& method);

// How an evaluation of many states ends: with `status`, or with kNotFinite where an acceleration (from
// `coordinate_count` on) is not finite in one of the lanes. On failure ydot is filled with NaN.
Status CheckedBatch(Status status, std::size_t coordinate_count, std::span<const LaneValues> y,
                    std::span<LaneValues> ydot);

}  // namespace mbsbench
