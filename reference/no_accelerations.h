#pragma once

#include "problems/model/error.h"

namespace mbsbench {

// The state determines no accelerations: no inertia holds a joint or a loop, or constraints of loops contradict each other.
class NoAccelerations : public ModelError {
 public:
  using ModelError::ModelError;
};

}  // namespace mbsbench
