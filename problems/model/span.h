// The size of a mechanism in a state.
#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// The largest distance between the origins of joints, the points where force elements act and the mass centres [m]; 0 if they
// coincide.
double SpanOf(const System& system, const std::vector<BodyState>& bodies);

}  // namespace mbsbench
