// classical-mstmm: products of transfer matrices and the overall transfer equation, deduced from
// the topology. Rui et al. 2018; Rui, Bestle, Wang et al. 2020. Variants `general` and `paper`
// (overall_formulation.h).
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry ClassicalMstmmEntry();

}  // namespace mbsbench
