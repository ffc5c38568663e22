// The linear solver of a Newton iteration with a sparse matrix: in blocks (block_lu.h) if the pattern has blocks and their
// pivots keep their digits, otherwise by KLU.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "methods/interface/formulation.h"

namespace mbsbench {

// Null if SUNDIALS finds no memory. `pattern`, the pattern of the matrix, must outlive the solver.
SUNLinearSolver MakeNewtonSolver(const SparsityPattern& pattern, N_Vector y, SUNMatrix matrix,
                                 SUNContext context);

}  // namespace mbsbench
