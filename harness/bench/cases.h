// The benchmark cases: small kernels on fixed problems, by the methods that there are.
#pragma once

#include <string>
#include <vector>

#include "harness/runner/cells/trial.h"

namespace mbsbench {

// One evaluation, or one short integration without samples ("solve").
struct BenchCase {
  std::string problem = {}, method = {};  // canonical
  // "accelerations", "accelerations and reactions", "batch of accelerations" (of kBatchStates states), "residual and Jacobian" or
  // "solve".
  std::string what = {};
  // "solve" only; default integrator and tolerance of the method's form.
  double end_time = 0;
  std::string model_file = {};  // the problem's model file; empty: the catalogue

  MBSBENCH_FIELDS(problem, method, what, end_time, model_file)
  std::string Name() const;  // "tree12 riccati-mstmm:general accelerations"
};

// One evaluation of our methods on a chain (by every variant), a tree and a mechanism with a loop. Methods that evaluate batches
// also evaluate them, reactions and large systems; short solves, by these and by DAEs, include projections, factorisations and
// Newton's iteration.
std::vector<BenchCase> AllBenchCases(const std::vector<MethodEntry>& methods);

// The user's selection: patterns over names of the list, or any problem and methods, each of which
// becomes a case that evaluates the method once.
struct BenchWish {
  std::vector<std::string> patterns;
  std::string problem;
  std::vector<std::string> methods;
  std::string what;  // empty: accelerations for an ODE, residual and Jacobian for a DAE, else solve
};
// Each variant of a plug-in's methods is added with one evaluation, or one solve, on each problem of the list, and on the
// pendulum, that it supports. Throws ModelError if no case is left or a name is unknown.
std::vector<BenchCase> ChooseBenchCases(const BenchWish& wish,
                                        const std::vector<MethodEntry>& methods);

// The problem of a case: from its model file, or the catalogue.
Problem ProblemOf(const BenchCase& bench_case);

// The cell that a case times, or by which it is judged.
Cell CellOf(const BenchCase& bench_case, const std::vector<MethodEntry>& methods);

}  // namespace mbsbench
