// The integrators behind Integrate(); nobody else includes this.
#pragma once

#include "harness/integrate/integrate.h"

namespace mbsbench {

IntegrationReport RunIda(DaeFormulation& formulation, const SystemState& state,
                         const IntegrationSettings& settings, const Sampling& sampling);

}  // namespace mbsbench
