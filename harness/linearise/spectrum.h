// The spectrum of linear equations E x' = A x with constant, possibly singular E.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace mbsbench {

struct Eigenvalue {
  std::complex<double> value;  // [1/s]
  // |E'y| |x| / |y'E x| with the right and left vectors x, y, in scaled unknowns: the change of the eigenvalue per change of E^-1 A.
  double condition = 1;
};

struct Spectrum {
  std::vector<Eigenvalue> eigenvalues;  // finite and not 0, the slowest first
  int zero = 0, infinite = 0, unstable = 0;
  double largest() const { return eigenvalues.empty() ? 0 : std::abs(eigenvalues.back().value); }
};

// `rate`: typical of the motion [1/s]; it scales E against A. Throws ModelError if det(s E - A) vanishes for all s.
Spectrum SpectrumOf(Eigen::MatrixXd e, Eigen::MatrixXd a, double rate);

// The largest distance of paired eigenvalues, relative to the largest one; infinity if their numbers differ.
double Difference(const Spectrum& a, const Spectrum& b);

}  // namespace mbsbench
