#pragma once

#include "problems/model/error.h"

namespace mbsbench {

// The state does not determine the accelerations: a joint or a loop has no inertia, or constraints of loops contradict each
// other.
class NoAccelerations : public ModelError {
 public:
  using ModelError::ModelError;
};

}  // namespace mbsbench
