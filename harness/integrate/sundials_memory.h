// What a run of SUNDIALS uses besides its solver: the context, vectors, a matrix and a linear solver, which live as long as it.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <new>
#include <span>
#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench {

// The linear solver of a Newton iteration with a sparse matrix: in blocks (block_lu.h) if the pattern has blocks and their
// pivots keep their digits, otherwise by KLU. Null if SUNDIALS finds no memory. `pattern`, the pattern of the matrix, must outlive
// the solver.
SUNLinearSolver MakeNewtonSolver(const SparsityPattern& pattern, N_Vector y, SUNMatrix matrix,
                                 SUNContext context);

class SundialsMemory {
 public:
  SundialsMemory() { SUNContext_Create(nullptr, &context_); }
  SundialsMemory(const SundialsMemory&) = delete;
  SundialsMemory& operator=(const SundialsMemory&) = delete;

 protected:
  ~SundialsMemory() {
    if (solver_ != nullptr) SUNLinSolFree(solver_);
    if (matrix_ != nullptr) SUNMatDestroy(matrix_);
    for (N_Vector v : vectors_) N_VDestroy(v);
    SUNContext_Free(&context_);
  }
  // What SUNDIALS makes; throws std::bad_alloc if it found no memory.
  template <class Made>
  static Made NotNull(Made made) {
    if (made == nullptr) throw std::bad_alloc();
    return made;
  }
  N_Vector NewVector(std::size_t size) {
    return vectors_.emplace_back(NotNull(N_VNew_Serial(static_cast<sunindextype>(size), context_)));
  }
  static std::span<double> View(N_Vector v) {
    return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
  }
  void MakeSparseMatrix(const SparsityPattern& pattern) {
    const auto n = static_cast<sunindextype>(pattern.column_start.size() - 1);
    const auto entries = static_cast<sunindextype>(pattern.row.size());
    matrix_ = NotNull(SUNSparseMatrix(n, n, entries, CSC_MAT, context_));
  }
  // The values of a matrix, which SUNDIALS clears before each call, its pattern too.
  static std::span<double> ValuesOn(const SparsityPattern& pattern, SUNMatrix matrix) {
    std::ranges::copy(pattern.column_start, SM_INDEXPTRS_S(matrix));
    std::ranges::copy(pattern.row, SM_INDEXVALS_S(matrix));
    return {SM_DATA_S(matrix), pattern.row.size()};
  }

  SUNContext context_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;

 private:
  std::vector<N_Vector> vectors_;
};

}  // namespace mbsbench
