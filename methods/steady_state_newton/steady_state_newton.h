// steady-state-newton: relative equilibria of systems driven at constant generalised speeds, after
// Choi, Park and Yoo, KSME Int. J. 16 (2002).
//
// Relative coordinates q, partitioned into driven q_D and rest q_R (eq. 7); xdot = B qdot by recursion
// (eqs 4 to 10); cut joints by multipliers (eq. 3). With q_R' = q_R'' = 0 and q_D' constant,
//
//   f(z) = [ B_R' (M B_D' q_D' - Q) + Phi^c_q' lambda^c ; Phi^c ] = 0,   z = [q_R; lambda^c]   (23, 24)
//
// (the B_D' of M B_D' q_D' being a rate). Q holds all forces and the gyroscopic moment -omega x J
// omega, whose absence the paper's examples would not reveal.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry SteadyStateNewtonEntry();

}  // namespace mbsbench
