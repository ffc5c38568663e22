// Several states of one system at once, one per SIMD lane. A single evaluation is limited by
// latency, which the lanes share.
#pragma once

#include <cstddef>
#include <span>

#include "methods/interface/status.h"
#include "problems/model/system.h"

namespace mbsbench {

// The width of the widest vectors, whatever this build uses: the number is part of the interface to
// plug-ins.
inline constexpr std::size_t kBatchStates = 8;

// One entry of y for up to kBatchStates states.
struct alignas(kBatchStates * sizeof(double)) LaneValues {
  double lane[kBatchStates] = {};
};

class BatchFormulation {
 public:
  virtual ~BatchFormulation() = default;
  BatchFormulation() = default;
  BatchFormulation(const BatchFormulation&) = delete;
  BatchFormulation& operator=(const BatchFormulation&) = delete;

  // Number of entries of y, as in the OdeFormulation of the same method.
  virtual std::size_t state_size() const = 0;
  // ydot = f(t, y) for the first status.size() states, at most kBatchStates; the other lanes of y and ydot mean nothing. Each
  // state has a status of its own: one that fails has NaN in its lane of ydot, and changes no other. Returns whether all
  // states are ok.
  virtual bool EvaluateBatch(double t, std::span<const LaneValues> y, std::span<LaneValues> ydot,
                             std::span<Status> status) = 0;
};

}  // namespace mbsbench
