// The linear solver of a Newton iteration in a sparse matrix: in blocks (block_lu.h) where the pattern has them and they keep their
// digits, else by KLU.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "methods/interface/formulation.h"

namespace mbsbench {

// Null where SUNDIALS finds no memory. `pattern`, which the matrix has, must outlive the solver.
SUNLinearSolver MakeNewtonSolver(const SparsityPattern& pattern, N_Vector y, SUNMatrix matrix,
                                 SUNContext context);

}  // namespace mbsbench
