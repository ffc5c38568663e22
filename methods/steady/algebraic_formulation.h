// The contract of a formulation of steady states: f(z) = 0, and the motion linearised about a solution.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench {

// Small motions x of the constant coordinates about a steady state, with multipliers nu of the cut
// joints:
//   M x'' + C x' + K x + G' nu = 0,  G x = 0.     Matrices dense, row by row.
struct Linearisation {
  std::size_t coordinates = 0, constraints = 0;
  std::vector<double> mass, damping, stiffness;  // coordinates x coordinates
  std::vector<double> closure;                   // G, constraints x coordinates
};

// f(z) = 0 of `size` equations with a sparse Jacobian.
class SparseSystem {
 public:
  virtual ~SparseSystem() = default;
  virtual std::size_t size() const = 0;
  virtual Status Residual(std::span<const double> z, std::span<double> f) = 0;

  // Exact df/dz = A - B D^-1 C as the sparse matrix [A B; C D] of pattern(). A has the size of z
  // and f; the rows and columns after it belong to auxiliary unknowns w with C dz + D dw = 0, which
  // keep the matrix sparse although df/dz itself is full. To solve (df/dz) dz = b, solve the sparse
  // system for (b, 0).
  virtual const SparsityPattern& pattern() const = 0;
  virtual Status Jacobian(std::span<const double> z, std::span<double> values) = 0;

  // Per residual: the size of the terms that cancel in it, which distinguishes a residual from round-off.
  virtual void ResidualScale(std::span<const double> z, std::span<double> scale) = 0;
};

class AlgebraicFormulation : public Formulation, public SparseSystem {
 public:
  Form form() const final { return Form::kAlgebraic; }
  std::size_t size() const final { return state_size(); }

  // Name and unit of each unknown and each residual, coordinates before multipliers.
  struct Quantity {
    std::string name, unit;  // "theta", "rad"
  };
  virtual std::vector<Quantity> unknowns() const = 0;
  virtual std::vector<Quantity> residuals() const = 0;
  virtual std::size_t coordinate_count() const = 0;

  // Speed of the first driver; the other speeds are in proportion.
  virtual double speed() const = 0;
  virtual void SetSpeed(double speed) = 0;

  // The motion linearised about the steady state z. May allocate; the cost grows with the square of
  // the number of coordinates.
  virtual Status Linearise(std::span<const double> z, Linearisation& linearisation) = 0;
};

}  // namespace mbsbench
