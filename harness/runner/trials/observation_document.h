// An observation on its way between two processes.
#pragma once

#include "harness/records/json_number.h"
#include "methods/interface/observation.h"

namespace mbsbench {

// The bytes of its lists: readable by a copy of this process only.
Json ToJson(const Observation& observation);
Observation ObservationFrom(const Json& json);

}  // namespace mbsbench
