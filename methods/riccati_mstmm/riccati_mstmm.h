// riccati-mstmm: transfer matrices of multibody systems with the Riccati transformation z_a = S z_b
// + e. Rui, Bestle, Wang et al. 2020. Variants: `general` (general_sweep.h) and `paper`
// (paper_sweep.h).
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry RiccatiMstmmEntry();

}  // namespace mbsbench
