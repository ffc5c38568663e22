// The deduced structure of a system as text, in the notation of Rui et al. 2018.
#pragma once

#include <string>

#include "methods/classical_mstmm/deduction.h"
#include "problems/model/system.h"

namespace mbsbench {

std::string ExplainDeduction(const System& system, const TransferTree<double>& tree,
                             const Deduction& deduction, bool hinges_as_matrices);

}  // namespace mbsbench
