// Variant `general`: any tree of rigid bodies. y = [q; u], joint coordinates and rates in the order
// of System::joints, with the meanings of JointType.
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/given_system.h"

namespace mbsbench::kane_huston {

std::unique_ptr<OdeFormulation> MakeGeneralFormulation(const GivenSystem& given);

}  // namespace mbsbench::kane_huston
