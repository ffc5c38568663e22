// Checks shared by evaluations of several states at once: supported systems and final status.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "methods/interface/batch.h"
#include "methods/interface/status.h"
#include "methods/numerics/lanes.h"
#include "problems/model/system.h"

namespace mbsbench {

// For methods whose sweeps in lanes take trees with springs in joints at most: throws ModelError with
// the reason for any other system.
void RequireTreeForBatch(const System& system, const std::string& method);

// The final status of an evaluation in all lanes: `status`, or kNotFinite if an acceleration (from `coordinate_count` on) is not
// finite in one of them. On failure ydot is filled with NaN.
Status CheckedBatch(Status status, std::size_t coordinate_count, std::span<const LaneValues> y,
                    std::span<LaneValues> ydot);

// A batch in other lanes than those of the caller.
class OtherLanes {
 public:
  explicit OtherLanes(std::size_t state_size) : y_(state_size), rates_(state_size) {}
  // The first `count` states; the first one also in the lanes after them.
  std::span<const LaneValues> Filled(std::span<const LaneValues> y, std::size_t count);
  // One state in all lanes, and the rates of such a batch.
  std::span<const LaneValues> Repeated(std::span<const LaneValues> y, std::size_t state);
  std::span<LaneValues> rates() { return rates_; }
  void PutRates(std::size_t state, std::span<LaneValues> ydot) const;

 private:
  std::vector<LaneValues> y_, rates_;
};

// Passes a batch to sweeps over kBatchLanes states at a time.
class BatchParts {
 public:
  explicit BatchParts(std::size_t state_size) {
    if constexpr (kBatchLanes < kBatchStates) {
      y_.resize(state_size);
      ydot_.resize(state_size);
    }
  }
  // sweep(y, ydot) returns a Status, for all parts until one fails.
  template <class Sweep>
  Status Evaluate(std::span<const LaneValues> y, std::span<LaneValues> ydot, Sweep sweep) {
    if constexpr (kBatchLanes == kBatchStates) {
      // Both types have the same bytes, and a BatchLanes is a vector that may alias.
      return sweep(reinterpret_cast<const BatchLanes*>(y.data()),
                   reinterpret_cast<BatchLanes*>(ydot.data()));
    }
    for (std::size_t first = 0; first < kBatchStates; first += kBatchLanes) {
      for (std::size_t i = 0; i < y_.size(); ++i)
        std::memcpy(&y_[i].v, y[i].lane + first, sizeof(BatchLanes));
      if (const Status status = sweep(y_.data(), ydot_.data()); !status.ok()) return status;
      for (std::size_t i = 0; i < y_.size(); ++i)
        std::memcpy(ydot[i].lane + first, &ydot_[i].v, sizeof(BatchLanes));
    }
    return {};
  }

 private:
  std::vector<BatchLanes> y_, ydot_;  // of a part, if a vector does not hold the whole batch
};

}  // namespace mbsbench
