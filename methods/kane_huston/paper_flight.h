// Variant `paper` on a rope flight (Lu et al. 2014, Example 2): the body is node 0, free in the
// plane, and each capture adds a rod at the far end.
// y = [x_0, y_0, theta; their rates], absolute angles of the rods from the body to the box.
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench::kane_huston {

std::unique_ptr<OdeFormulation> MakePaperFlight(const System& system);

}  // namespace mbsbench::kane_huston
