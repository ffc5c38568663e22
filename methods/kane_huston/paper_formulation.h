// Variant `paper`: planar chains of lumped rods in the coordinates of Lu et al. 2014.
// y = [theta; omega], absolute angles of the rods and their rates, from the root to the tip.
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "methods/interface/method.h"
#include "problems/model/system.h"

namespace mbsbench::kane_huston {

// Whether a system is a planar chain of massless rods with point masses at their ends, loaded at
// its nodes only.
Verdict IsLumpedRodChain(const System& system);

std::unique_ptr<OdeFormulation> MakePaperFormulation(const System& system);

}  // namespace mbsbench::kane_huston
