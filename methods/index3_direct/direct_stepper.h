// What the schemes of index3-direct share: Newton's method for a step, and the control of its length.
//
// Newton's method has the matrix of step_matrix.h. With fixed steps it is new in each iteration, which go on to round-off. With error
// control the corrector is that of a commercial program: the matrix is kept from step to step, and the iteration ends when the
// remaining change, by its rate of convergence, is below a part of the tolerance.
//
// Weights make a displacement dimensionless: positions are relative to the largest one so far or the problem's length, whichever
// is larger, and rotations are angles. Sizes are root mean squares of all displacements.
#pragma once

#include <vector>

#include "methods/coordinates/absolute_stepper.h"
#include "methods/coordinates/rotation_increment.h"
#include "methods/coordinates/step_matrix.h"

namespace mbsbench::direct {

using namespace absolute;

inline std::size_t U(int i) { return static_cast<std::size_t>(i); }

class DirectStepper : public AbsoluteStepper {
 public:
  DirectStepper(const System& system, bool keeps_velocities);

  Status Start(double t, const SystemState& state, const StepControl& control) final;
  StepReport Step(double limit) final;
  void Restart(double t, std::span<const double> y) final;

  // Operations of one factorisation and solution, after a step.
  OperationCount CountFactors() { return matrix_.CountOperations(); }

 protected:
  // The equations of motion at the end of the step are m M R = F + `past`, with rates R = V' but for a method's average.
  // k, s: lengths of step_matrix.h.
  struct Scheme {
    double m = 1, k = 1, s = 1;
  };

  // The data of the scheme in y_ at the start and after a break in the equations, where bodies() have accelerations and multipliers,
  // for steps of length h.
  virtual Status Begin(double h) = 0;
  // Where `rates_`, T and poses follow from the unknowns: bodies() at the end.
  virtual Status Displace() = 0;
  // Adds the solution of the matrix to the unknowns.
  virtual void TakeChange() = 0;
  // The factor of the length for the next step after one with this error relative to the tolerance; may change the scheme.
  virtual double NextLength(double error, bool accepted) = 0;

  // Newton's method from the predicted unknowns; bodies() are then at the end.
  Status Solve(const Scheme& scheme);
  bool is_adaptive() const { return tolerance_ > 0; }
  double tolerance() const { return tolerance_; }
  // The root mean square of displacements.
  double Size(std::span<const BodyVector> displacements) const;
  void Place(std::size_t b, const BodyVector& D);
  // F at bodies() without the forces of joints.
  BodyVector Force(std::size_t b) const;
  void AddJointForces(std::vector<BodyVector>& forces) const;
  double& error() { return error_estimate_; }

  const bool keeps_velocities_;
  std::vector<double> reach_, mass_;  // per body
  std::size_t multipliers_ = 0;
  StepMatrix matrix_;
  double length_ = 1, time_scale_ = 1;    // of the problem
  std::vector<Vector3d> largest_;         // of the positions of a body, each coordinate
  std::vector<BodyMotion> begin_bodies_;  // of the step
  // The unknowns, which a scheme has from the changes of its own.
  std::vector<BodyVector> rates_, moved_;  // R and the displacement of the step
  std::vector<ConstraintVector> lambda_, second_;
  std::vector<BodyVector> past_;          // known forces
  std::vector<Matrix3d> turns_;           // T of step_matrix.h
  std::vector<ConstraintJacobian> back_;  // B W, if it keeps velocities

 private:
  // Returns whether all equations are finite.
  bool Assemble(const Scheme& scheme, bool with_matrix);
  double SizeOfChange(const Scheme& scheme);
  void Follow();

  double tolerance_ = 0, next_ = 0, longest_ = 0;
  bool has_matrix_ = false;
  Status restarted_ = {};  // of the last restart
  double k_of_matrix_ = 1;
  int worst_ = -1;
};

}  // namespace mbsbench::direct
