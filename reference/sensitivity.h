// How errors of the initial state and of the data grow along a motion. The state x is that of the independent
// joint coordinates and rates, scaled by L, 1, L/T and 1/T; quaternions by rotation vectors.
//
//   Phi(t) = dx(t)/dx(0)                  the tangent flow, on the motions that keep all constraints       (1)
//   P(t)   = sum over p of |dx(t)/dln p|  the data part; where data change, x(0) stays and loops are
//                                         closed by the dependent joints                                   (2)
//
// Derivatives are differences of solutions that take the same steps, by 1e-12 in 113 bits: they are those of the steps' own
// map, exactly, so that three digits of (1) and (2) do not need steps of more than nine.
#pragma once

#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "reference/trajectory.h"

namespace mbsbench::extended {

// Above, a few random directions stand for all (Sensitivity::interval); above, the data part is left out.
inline constexpr std::size_t kMostFreedomsInAllDirections = 20;
inline constexpr std::size_t kMostDataParameters = 60;

struct Sensitivity {
  // ||Phi||_2 per sample. Of many freedoms the bound ||Phi||_F, the root of the mean of |Phi g|^2 over
  // random directions g, each entry of variance 1.
  std::vector<double> of_state;
  std::vector<double> of_data;  // P per sample; empty where it is left out
  std::string how;
  std::string data_left_out;  // why
  // dx(t)/dln p, one vector per sample and parameter, in the order of `parameters`.
  std::vector<std::string> parameters;
  std::vector<std::vector<std::vector<double>>> per_parameter;
};

// Of any system but a growing one (rope_flight_sensitivity.h). May run long.
Sensitivity SensitivityOf(const Problem& problem, const Progress& progress = {});

// Largest singular value of a square matrix (rows), to 1e-3.
double SpectralNorm(const std::vector<std::vector<double>>& a);

}  // namespace mbsbench::extended
