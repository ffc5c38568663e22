// Optional abilities of formulations and time steppers. Each is a class that one derives from too and returns by the function of
// that name (Formulation::projection, TimeStepper::interpolation, ...); null: it lacks the ability. What systems that grow need is
// in methods/growth/events.h.
#pragma once

#include <span>

#include "methods/interface/observation.h"
#include "methods/interface/status.h"

namespace mbsbench {

// projection(): y onto its invariants (unit quaternions; position and velocity constraints in projected variants). Integrators
// call it after a step.
class Projects {
 public:
  virtual ~Projects() = default;
  virtual Status Project(double t, std::span<double> y) = 0;
  // A sample between steps; must not affect later steps.
  virtual Status ProjectSample(double t, std::span<double> y) { return Project(t, y); }
  // Whether the solution drifts off its constraints unless Project is called. Integrators that cannot call it are then refused.
  virtual bool needs_projection() const { return false; }
};

// power(): of non-conservative forces and drivers at (t, y) [W]; the harness integrates it with y in the accuracy trial.
class HasPower {
 public:
  virtual ~HasPower() = default;
  virtual double Power(double t, std::span<const double> y) = 0;
};

// reactions(): accelerations and the forces and moments in all joints, for little more than the cost of the accelerations alone. (An
// observation also returns them, but in addition the motion of all bodies, and it may allocate.) Formulations y' = f(t, y) alone.
class EvaluatesReactions {
 public:
  virtual ~EvaluatesReactions() = default;
  // As OdeFormulation::Evaluate, with the same ydot except for round-off, and in addition the `reactions` of Observe: one entry per tree
  // joint, then one per loop joint. The first call may allocate; later calls do not if `equations_contain_reactions` is true for the system. On
  // failure the reactions are undefined.
  virtual Status EvaluateWithReactions(double t, std::span<const double> y, std::span<double> ydot,
                                       std::span<JointReaction> reactions) = 0;
  // Whether the equations of this system contain the reactions; otherwise they are computed from the accelerations, at the cost of an
  // observation.
  virtual bool equations_contain_reactions() const = 0;
};

// without_motion(): observations without the motion of the bodies, which takes a tenth of a gigabyte for a million of them. Formulations in
// joint coordinates alone: Initialise reads the joint coordinates, and on a tree without drivers y = [q; u] of the given JointState.
class ObservesWithoutMotion {
 public:
  virtual ~ObservesWithoutMotion() = default;
  // As Formulation::Observe with accelerations or more, except that `bodies` is empty.
  virtual Status ObserveWithoutMotion(double t, std::span<const double> y, Detail detail,
                                      Observation& observation) = 0;
};

// jacobian(): the exact derivative of f, so that implicit integrators of y' = f(t, y) need no difference quotients.
class OdeJacobian {
 public:
  virtual ~OdeJacobian() = default;
  // df/dy at (t, y), column by column: values[i + n j] = df_i/dy_j. Does not affect later
  // evaluations.
  virtual Status Jacobian(double t, std::span<const double> y, std::span<double> values) = 0;
};

// algorithmic_reactions(): the second series of reactions, by the multipliers that the steps themselves compute. It differs from the
// reactions of Observe, those of the equations of motion at the same motion, by the order of the scheme. Time steppers alone.
class HasAlgorithmicReactions {
 public:
  virtual ~HasAlgorithmicReactions() = default;
  // Those of the step that led to (t, y), in the form of Observation::reactions; between steps y has them linear in time. May allocate.
  virtual std::vector<JointReaction> AlgorithmicReactions(double t, std::span<const double> y) = 0;
};

// interpolation(): y at a time within the last step of a time stepper, on the constraints if the steps are. It never affects a step.
class Interpolates {
 public:
  virtual ~Interpolates() = default;
  virtual Status Interpolate(double t, std::span<double> y) = 0;
};

}  // namespace mbsbench
