// The contract between a formulation and the harness.
//
// A formulation is one system prepared by one method. It uses any coordinates, in a flat vector y,
// and converts from and to absolute states at the interface. There is one virtual call per
// evaluation and none per body. An evaluation neither allocates nor throws; it returns a Status. A
// formulation owns its work space, so one object serves one thread.
//
// Its form says which interface it implements: OdeFormulation (y' = f(t, y)), DaeFormulation (F(t,
// y, y') = 0), TimeStepperFormulation (time_stepper.h) or, for steady states alone, AlgebraicFormulation
// (f(z) = 0, methods/steady/algebraic_formulation.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "methods/interface/abilities.h"
#include "methods/interface/observation.h"
#include "methods/interface/solved_condition.h"
#include "methods/interface/status.h"
#include "problems/model/state.h"

namespace mbsbench {

enum class Form { kOde, kDae, kAlgebraic, kTimeStepper };

// The dimension of an entry of y. Adaptive steps use the tolerance x (|y_i| + scale), where the scale is 1, L, 1/T or L/T with
// the length L and the time T of the problem. Multipliers are excluded from the error test and have almost no weight in
// Newton's norm.
enum class Dimension { kNumber, kLength, kRate, kSpeed, kMultiplier };

class HasEvents;    // methods/growth/events.h
class TimeStepper;  // methods/interface/time_stepper.h

class Formulation {
 public:
  virtual ~Formulation() = default;
  Formulation() = default;
  Formulation(const Formulation&) = delete;
  Formulation& operator=(const Formulation&) = delete;

  virtual Form form() const = 0;

  // Number of entries of y. Only HasEvents::Apply may change it.
  virtual std::size_t state_size() const = 0;

  // One per entry of y; empty: all are numbers. Called at the start of a run, and after an event.
  virtual std::vector<Dimension> Dimensions() const { return {}; }

  // Sets y at time t from a consistent state of the system. The result does not depend on earlier
  // calls.
  virtual Status Initialise(double t, const SystemState& state, std::span<double> y) = 0;

  // Absolute motion at (t, y), and accelerations and reactions according to `detail`. May allocate.
  // Does not affect later steps.
  virtual Status Observe(double t, std::span<const double> y, Detail detail,
                         Observation& observation) = 0;

  // Optional abilities (abilities.h), the same as long as the formulation lives; null: it lacks this one.
  virtual Projects* projection() { return nullptr; }
  virtual HasPower* power() { return nullptr; }
  virtual EvaluatesReactions* reactions() { return nullptr; }
  virtual ObservesWithoutMotion* without_motion() { return nullptr; }
  virtual OdeJacobian* jacobian() { return nullptr; }
  virtual HasEvents* events() { return nullptr; }
  virtual HasAlgorithmicReactions* algorithmic_reactions() { return nullptr; }
  // Its own scheme (OwnIntegration), run by the integrator key `own`.
  virtual TimeStepper* time_stepper() { return nullptr; }

  // Iterations inside evaluations, of residuals and Jacobians too, since the preparation (of an augmented Lagrangian, of Newton's
  // method). One that does not converge fails as kNotConverged.
  virtual std::int64_t inner_iterations() const { return 0; }

  // The condition of the linear equations solved at (t, y), by a separate evaluation. May allocate.
  virtual SolvedCondition ConditionAt(double /*t*/, std::span<const double> /*y*/) { return {}; }
};

class OdeFormulation : public Formulation {
 public:
  Form form() const final { return Form::kOde; }
  // ydot = f(t, y). On failure ydot is filled with NaN.
  virtual Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) = 0;
};

// Compressed sparse columns of a square matrix; fixed for the life of a formulation between events.
struct SparsityPattern {
  std::vector<int> column_start, row;  // n + 1 offsets; rows ascending within a column
  // First unknowns of the blocks (of a body, of a joint) that are best eliminated together, with their equations; empty: entry by
  // entry.
  std::vector<int> blocks = {};
};

class DaeFormulation : public Formulation {
 public:
  Form form() const final { return Form::kDae; }
  // r = F(t, y, yp).
  virtual Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                          std::span<double> r) = 0;
  // Exact dF/dy + c dF/dyp on the pattern: `values` run parallel to pattern().row.
  virtual const SparsityPattern& pattern() const = 0;
  virtual Status Jacobian(double t, double c, std::span<const double> y, std::span<const double> yp,
                          std::span<double> values) = 0;
  // Consistent y and yp at time t for a consistent state, multipliers included.
  virtual Status InitialiseDae(double t, const SystemState& state, std::span<double> y,
                               std::span<double> yp) = 0;
  Status Initialise(double t, const SystemState& state, std::span<double> y) final {
    std::vector<double> yp(state_size());
    return InitialiseDae(t, state, y, yp);
  }
  // Per entry of y: 1 if it is differential, 0 if it is algebraic.
  virtual std::span<const double> differential() const = 0;
};

}  // namespace mbsbench
