// What is benched: a fixed list of small kernels, so that their history goes on.
#pragma once

#include <string>
#include <vector>

#include "harness/runner/trial.h"

namespace mbsbench {

// One evaluation, or one short integration without samples ("solve").
struct BenchCase {
  std::string problem, method;  // canonical
  std::string what = {};        // "accelerations", "residual and Jacobian" or "solve"
  // "solve" only; integrator and tolerance as the method's form has them by default.
  double end_time = 0;
  std::string model_file = {};  // from which the problem is read; empty: the catalogue

  std::string Name() const;  // "tree12 riccati-mstmm:general accelerations"
};
Json ToJson(const BenchCase& bench_case);
BenchCase BenchCaseFrom(const Json& json);

// The list; a new entry goes to its end.
const std::vector<BenchCase>& AllBenchCases();

// What a user may choose by: patterns over names of the list, or a problem and methods of one's own,
// for which a case each is made that evaluates them once.
struct BenchWish {
  std::vector<std::string> patterns;
  std::string problem;
  std::vector<std::string> methods;
  std::string what;  // empty: accelerations for an ODE, residual and Jacobian for a DAE, else solve
};
// Cases of the list whose method is not among `methods` are left out. Throws ModelError where
// nothing is left, or where a name is unknown.
std::vector<BenchCase> ChooseBenchCases(const BenchWish& wish,
                                        const std::vector<MethodEntry>& methods);

// The problem of a case: from its model file, or the catalogue.
Problem ProblemOf(const BenchCase& bench_case);

// The cell that a case times or is judged by.
Cell CellOf(const BenchCase& bench_case, const std::vector<MethodEntry>& methods);

}  // namespace mbsbench
