// An observation on its way between two processes.
#pragma once

#include "harness/store/store.h"
#include "methods/interface/observation.h"

namespace mbsbench {

// Numbers come back bit by bit; what is not finite as NaN.
Json ToJson(const Observation& observation);
Observation ObservationFrom(const Json& json);

}  // namespace mbsbench
