// The constraint rows of the loop joints over the rates of the tree joints, for assembly and for the
// count of degrees of freedom.
#pragma once

#include <vector>

#include "problems/model/kinematics.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// The rows of all loop joints, in their order.
ConstraintRows LoopRows(const System& system, const JointState& joints);

// Rates of the loop rows per unit of each of the tree joints' rates `columns` (indices into
// JointState::u): exact, one sweep per column. Rows [m/s] or [1/s] per [m/s] or [rad/s]; column after column.
std::vector<double> LoopJacobian(const System& system, const JointState& joints,
                                 const std::vector<int>& columns);

// Indices into JointState::u of the rates of these tree joints, in their order.
std::vector<int> RatesOf(const System& system, const std::vector<int>& joints);

// Moves the coordinates by constant rates `u` (of all tree joints) in unit time.
void Advance(const System& system, const std::vector<double>& u, std::vector<double>& q);

}  // namespace mbsbench
