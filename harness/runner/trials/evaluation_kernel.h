// Repeated evaluations of one formulation, alternating between two states, and the trial that times them; for a time stepper its
// steps.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "harness/runner/cells/trial.h"
#include "methods/interface/batch.h"
#include "methods/interface/formulation.h"

namespace mbsbench {

// `value` moved by so many units of its last place, or of that of 1 if it is smaller. Repeated work begins in other last places each
// time, so that a method that remembers earlier answers gains nothing.
inline double InOtherLastPlaces(double value, double units) {
  return value + units * std::numeric_limits<double>::epsilon() * std::max(1., std::abs(value));
}

// y (and, for a DAE, yp) at a state.
struct StatePoint {
  std::vector<double> y, yp;
};
Status PointAt(Formulation& formulation, const SystemState& state, StatePoint& point);

class EvaluationKernel {
 public:
  // Prepares the method. The first state is the initial state of the problem. The second one (MovedState, or a little later)
  // keeps the processor from learning branches and values; a time stepper has no second state. Throws ModelError if the method
  // evaluates the first state and no second state is found.
  EvaluationKernel(const PreparedCell& prepared, Evaluated what);

  // The first failure, at a state or in an evaluation; otherwise ok.
  const Status& status() const { return status_; }
  // At states 0 and 1 in turn. Steps continue from each other and start again at the problem's end.
  void Run(std::int64_t evaluations);
  // Run with other last places of a coordinate of the states in each evaluation (InOtherLastPlaces).
  void RunFresh(std::int64_t evaluations);

  const StatePoint& point(std::size_t i) const { return points_[i]; }

  // Euclidean norm of the result at the first state: accelerations, or the values of the Jacobian if there is one (a residual is
  // round-off at a consistent state), and the reactions if they are evaluated.
  double OutputNorm();
  // Whether the results at both states are finite.
  bool IsFinite();
  // Counts the steps since the last start.
  double NewtonIterationsPerStep();
  // Inside an evaluation, the mean at both states.
  double InnerIterations();

 private:
  void FindSecondPoint(const PreparedCell& prepared);
  Status EvaluateAt(const StatePoint& point);
  Status Step();

  std::unique_ptr<Formulation> formulation_;
  Evaluated what_;
  double step_rate_ = 0;  // the c of dF/dy + c dF/dyp; the inverse of a step
  SystemState start_;     // of steps
  double end_time_ = 0;
  StatePoint points_[2];
  StatePoint fresh_[2];         // the states of RunFresh
  std::size_t next_moved_ = 0;  // the coordinate that it moves next
  std::vector<double> output_, values_;
  EvaluatesReactions* with_reactions_ = nullptr;  // the formulation, if reactions are evaluated
  std::vector<JointReaction> reactions_;
  Status status_;
};

// A kernel that evaluates kBatchStates states at once, one per SIMD lane, for methods that support it.
class BatchKernel {
 public:
  // Empty if the method does not evaluate several states of this system at once. The lanes hold both states of `single` in turn,
  // so that neighbouring lanes differ.
  static std::optional<BatchKernel> Make(const PreparedCell& prepared,
                                         const EvaluationKernel& single);

  const Status& status() const { return status_; }
  // `evaluations` of kBatchStates states each, as EvaluationKernel does.
  void Run(std::int64_t evaluations);
  void RunFresh(std::int64_t evaluations);

 private:
  void Evaluate(std::span<const LaneValues> states);

  std::unique_ptr<BatchFormulation> batch_;
  std::vector<LaneValues> states_[2], rates_;
  std::size_t next_moved_ = 0;
  std::array<Status, kBatchStates> of_each_;
  Status status_;
};

// The least times of some work that is repeated.
struct LeastTimes {
  double cpu_seconds = INFINITY, wall_seconds = INFINITY;  // of one unit
  std::int64_t units = 0;                                  // total number done
};

// The trial that times one evaluation.
TrialResult EvaluationTrial(const PreparedCell& prepared, Evaluated what);

}  // namespace mbsbench
