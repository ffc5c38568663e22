// What a run of SUNDIALS uses besides its solver: the context, vectors, a matrix and a linear solver, which live as long as it.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <span>
#include <vector>

namespace mbsbench {

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
  // Null if there is no memory for it.
  N_Vector NewVector(std::size_t size) {
    return vectors_.emplace_back(N_VNew_Serial(static_cast<sunindextype>(size), context_));
  }
  static std::span<double> View(N_Vector v) {
    return v == nullptr
               ? std::span<double>{}
               : std::span(N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v)));
  }

  SUNContext context_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;

 private:
  std::vector<N_Vector> vectors_;
};

}  // namespace mbsbench
