// Evaluations of one formulation, again and again, alternating between two states; of a time stepper its
// steps.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "harness/runner/evaluation_trial.h"
#include "methods/interface/batch.h"
#include "methods/interface/reactions.h"

namespace mbsbench {

// y (and, for a DAE, yp) at a state.
struct StatePoint {
  std::vector<double> y, yp;
};
Status PointAt(Formulation& formulation, const SystemState& state, StatePoint& point);

class EvaluationKernel {
 public:
  // Prepares the method. The first state is the problem's own, the second another one (MovedState, or one a little later), which
  // keeps branches and values from being learnt; a time stepper has none. Throws ModelError where the method evaluates the first
  // state and no second one is found.
  EvaluationKernel(const PreparedCell& prepared, Evaluated what);
  ~EvaluationKernel();

  // The first failure, at a state or in an evaluation; ok as long as there was none.
  const Status& status() const { return status_; }
  // At state 0 and 1 in turn. Steps go on from one to the next, and begin anew at the problem's end.
  void Run(std::int64_t evaluations);

  Formulation& formulation() { return *formulation_; }
  const StatePoint& point(std::size_t i) const { return points_[i]; }
  // EvaluatesReactions::knows_reactions, where reactions are evaluated.
  bool knows_reactions() const { return with_reactions_ && with_reactions_->knows_reactions(); }
  std::size_t result_bytes() const {
    return output_.size() * sizeof(double) + reactions_.size() * sizeof(JointReaction);
  }

  // Euclidean norm of what an evaluation at the first state gives: accelerations, or the values of
  // the Jacobian where there is one (a residual is round-off at a consistent state); with the reactions where they are evaluated.
  double OutputNorm();
  // Whether the same at both states is finite.
  bool IsFinite();
  // Of the steps since they last began.
  double NewtonIterationsPerStep();

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
  std::vector<double> output_, values_;
  EvaluatesReactions* with_reactions_ = nullptr;  // of the formulation, where they are evaluated
  std::vector<JointReaction> reactions_;
  Status status_;
};

// The same with kBatchStates states at once, one per SIMD lane, of methods that offer it.
class BatchKernel {
 public:
  // None where the method does not evaluate many states of this system at once. Both states of `single`
  // stand in the lanes, in turn, so that lanes differ.
  static std::optional<BatchKernel> Make(const PreparedCell& prepared,
                                         const EvaluationKernel& single);

  const Status& status() const { return status_; }
  // `evaluations` of kBatchStates states each.
  void Run(std::int64_t evaluations);

 private:
  std::unique_ptr<BatchFormulation> batch_;
  std::vector<LaneValues> states_[2], rates_;
  Status status_;
};

}  // namespace mbsbench
