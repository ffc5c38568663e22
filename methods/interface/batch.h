// Many states of one system at once: one per lane of the processor's vectors. What costs a single
// state its time is waiting for results; lanes wait together.
#pragma once

#include <cstddef>
#include <span>

#include "methods/interface/status.h"
#include "problems/model/system.h"

namespace mbsbench {

// As many as the widest vectors hold, whatever this build uses: it crosses the border to plug-ins.
inline constexpr std::size_t kBatchStates = 8;

// The same entry of kBatchStates states.
struct alignas(kBatchStates * sizeof(double)) LaneValues {
  double lane[kBatchStates] = {};
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

}  // namespace mbsbench
