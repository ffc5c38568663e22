// The contract between a formulation and the harness.
//
// A formulation is one system prepared by one method. It keeps whatever coordinates suit it and
// speaks of them as a flat vector y; at the border it converts from and to absolute states. One
// virtual call per evaluation, none per body; an evaluation neither allocates nor throws: it
// returns a Status. A formulation owns its work space, so one object serves one thread.
//
// Its form says which interface it implements: OdeFormulation (y' = f(t, y)), DaeFormulation (F(t,
// y, y') = 0) or AlgebraicFormulation (f(z) = 0).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "methods/interface/observation.h"
#include "methods/interface/solved_condition.h"
#include "methods/interface/status.h"
#include "problems/model/state.h"

namespace mbsbench {

enum class Form { kOde, kDae, kAlgebraic, kTimeStepper };

// What an entry of y is measured in. Steps to a tolerance take tolerance x (|y_i| + scale), the scale 1, L, 1/T or L/T with the
// length L and the time T of the problem. Multipliers take no part in the error test and hardly any in Newton's norm.
enum class Dimension { kNumber, kLength, kRate, kSpeed, kMultiplier };

// What momentum and energy an event may change, the harness judges by observations of both its sides.
struct EventReport {
  std::string name;
  Status status;
  bool ends = false;  // nothing is integrated beyond it
};

class TimeStepper;

class Formulation {
 public:
  virtual ~Formulation() = default;
  Formulation() = default;
  Formulation(const Formulation&) = delete;
  Formulation& operator=(const Formulation&) = delete;

  virtual Form form() const = 0;

  // Number of entries of y. Changes in Apply only.
  virtual std::size_t state_size() const = 0;

  // One per entry of y; none: all are numbers. Called where a run starts, and after Apply.
  virtual std::vector<Dimension> Dimensions() const { return {}; }

  // y at time t for a consistent state of the system. Nothing of what came before leaves a trace.
  virtual Status Initialise(double t, const SystemState& state, std::span<double> y) = 0;

  // Absolute motion at (t, y); accelerations and reactions where `detail` asks for them. May
  // allocate. Leaves no trace in the steps to come.
  virtual Status Observe(double t, std::span<const double> y, Detail detail,
                         Observation& observation) = 0;

  // Moves y onto its invariants (unit quaternions; position and velocity constraints in projected
  // variants). Called by integrators after a step where has_projection() holds.
  virtual bool has_projection() const { return false; }
  virtual Status Project(double /*t*/, std::span<double> /*y*/) { return {}; }
  // The same for a sample between steps, which must leave no trace in the steps to come.
  virtual Status ProjectSample(double t, std::span<double> y) { return Project(t, y); }
  // Whether the solution drifts off its constraints when nobody calls Project: integrators that
  // cannot are refused.
  virtual bool needs_projection() const { return false; }

  // An event takes place where its g, negative before, comes up to zero; events of one instant take
  // place in the order of their indices. An event that is out of force has a negative g. Between
  // events f(t, y) is smooth beyond the next one too, so that a step may run past it. Apply carries
  // out event `index` at (t, y) and may change the size of y, and so state_size(); not
  // event_count(). The harness then prepares its integrator anew.
  virtual std::size_t event_count() const { return 0; }
  virtual void Events(double /*t*/, std::span<const double> /*y*/, std::span<double> /*g*/) {}
  virtual EventReport Apply(std::size_t /*index*/, double /*t*/, std::vector<double>& /*y*/) {
    return {};
  }

  // Power of non-conservative forces and drivers at (t, y) [W]; the harness integrates it with y
  // in the accuracy trial.
  virtual bool has_power() const { return false; }
  virtual double Power(double /*t*/, std::span<const double> /*y*/) { return 0; }

  // Of what it solves at (t, y), by an evaluation of its own. May allocate.
  virtual SolvedCondition ConditionAt(double /*t*/, std::span<const double> /*y*/) { return {}; }

  // The scheme that it brings along (MethodEntry::own_integration), run by the integrator key `own`.
  virtual TimeStepper* time_stepper() { return nullptr; }
};

class OdeFormulation : public Formulation {
 public:
  Form form() const final { return Form::kOde; }
  // ydot = f(t, y). On failure ydot is filled with NaN.
  virtual Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) = 0;
};

// Compressed sparse columns of a square matrix; fixed for the life of a formulation between events.
struct SparsityPattern {
  std::vector<int> column_start, row;  // n + 1 beginnings; rows ascending within a column
  // Where groups of unknowns begin that are best eliminated together (of a body, of a joint), and their equations with them; none:
  // entry by entry.
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
  // Per entry of y: 1 where it is differential, 0 where it is algebraic.
  virtual std::span<const double> differential() const = 0;
};

// Small motions x of the coordinates at rest about a steady state, multipliers nu of the cut joints:
//   M x'' + C x' + K x + G' nu = 0,  G x = 0.     Matrices dense, row by row.
struct Linearisation {
  std::size_t coordinates = 0, constraints = 0;
  std::vector<double> mass, damping, stiffness;  // coordinates x coordinates
  std::vector<double> closure;                   // G, constraints x coordinates
};

class AlgebraicFormulation : public Formulation {
 public:
  Form form() const final { return Form::kAlgebraic; }
  virtual Status Residual(std::span<const double> z, std::span<double> f) = 0;

  // Exact df/dz = A - B D^-1 C as the sparse matrix [A B; C D] of pattern(). A is of the size of z
  // and f; the rows and columns after it belong to auxiliary unknowns w with C dz + D dw = 0, which
  // keep the matrix sparse where df/dz itself is full. A system (df/dz) dz = b is solved by solving
  // the sparse one for (b, 0).
  virtual const SparsityPattern& pattern() const = 0;
  virtual Status Jacobian(std::span<const double> z, std::span<double> values) = 0;

  // Per residual: the size of what has to cancel in it, by which a residual is distinguished from round-off.
  virtual void ResidualScale(std::span<const double> z, std::span<double> scale) = 0;

  // What each unknown and each residual is called, and what it is measured in. The coordinates stand
  // before the multipliers.
  struct Quantity {
    std::string name, unit;  // "theta", "rad"
  };
  virtual std::vector<Quantity> unknowns() const = 0;
  virtual std::vector<Quantity> residuals() const = 0;
  virtual std::size_t coordinate_count() const = 0;

  // Speed of the first driver; the others run in proportion.
  virtual double speed() const = 0;
  virtual void SetSpeed(double speed) = 0;

  // The motion linearised about the steady state z. May allocate; work grows with the square of the
  // coordinates.
  virtual Status Linearise(std::span<const double> z, Linearisation& linearisation) = 0;
};

}  // namespace mbsbench
