// The final status of an evaluation.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "methods/interface/status.h"
#include "problems/model/all_finite.h"

namespace mbsbench {

// `status` of an evaluation at y; kNotFinite if it is ok but an entry of `rates`, a part of ydot, is not
// finite, or if y is not finite. On failure ydot is filled with NaN.
inline Status CheckedEvaluation(Status status, std::span<const double> y,
                                std::span<const double> rates, std::span<double> ydot) {
  if (status.ok() && AllFinite(rates)) return status;
  // A state that is not finite is the cause of any other failure.
  if (!AllFinite(y)) {
    status = {Status::Code::kNotFinite, -1, -1, "the state is not finite"};
  } else if (status.ok()) {
    status = {Status::Code::kNotFinite, -1, -1, "accelerations are not finite"};
  }
  std::fill(ydot.begin(), ydot.end(), std::numeric_limits<double>::quiet_NaN());
  return status;
}

}  // namespace mbsbench
