// The articulated-body algorithm on a rope flight: the body slides along x and y, the links are
// revolutes after it, and each capture prepares the sweep again with one more link. y = [x, y,
// angles of the links relative to the previous one; their rates].
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench::articulated_body {

std::unique_ptr<OdeFormulation> MakeRopeFlight(const System& system);

}  // namespace mbsbench::articulated_body
