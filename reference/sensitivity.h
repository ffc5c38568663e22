// The growth of errors of the initial state and of the data along a motion. The state x is that of the
// independent joint coordinates and rates, scaled by L, 1, L/T and 1/T; quaternions by rotation vectors.
//
//   Phi(t) = dx(t)/dx(0)                  the tangent flow, on the motions that keep all constraints       (1)
//   P(t)   = sum over p of |dx(t)/dln p|  the data part; where data change, x(0) stays and loops are
//                                         closed by the dependent joints                                   (2)
//
// Derivatives are differences of solutions in 113 bits, perturbed by 1e-12, that take the same steps: they are derivatives
// of the discrete map itself, so three digits of (1) and (2) need steps with no more than nine digits.
#pragma once

#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "reference/trajectory.h"

namespace mbsbench::extended {

// Above this, a few random directions represent all (Sensitivity::interval); above this, the data part is
// left out.
inline constexpr std::size_t kMostFreedomsInAllDirections = 20;
inline constexpr std::size_t kMostDataParameters = 60;

struct Sensitivity {
  // ||Phi||_2 per sample. For many degrees of freedom the bound ||Phi||_F, the root of the mean of
  // |Phi g|^2 over random directions g with entries of variance 1.
  std::vector<double> of_state;
  std::vector<double> of_data;  // P per sample; empty where it is left out
  std::string how;
  std::string data_left_out;  // why
  // dx(t)/dln p, one vector per sample and parameter, in the order of `parameters`.
  std::vector<std::string> parameters;
  std::vector<std::vector<std::vector<double>>> per_parameter;
};

// For any system that does not grow (rope_flight_sensitivity.h). May take long.
Sensitivity SensitivityOf(const Problem& problem, const Progress& progress = {});

// Largest singular value of a square matrix (rows), to 1e-3.
double SpectralNorm(const std::vector<std::vector<double>>& a);

}  // namespace mbsbench::extended
