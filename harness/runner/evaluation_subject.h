// What an evaluation trial repeats: one evaluation of one formulation, at two states in turn.
#pragma once

#include <vector>

#include "harness/runner/trial.h"

namespace mbsbench {

// y (and, for a DAE, yp) of a formulation at a state.
struct EvaluationPoint {
  std::vector<double> y, yp;
};
Status PointAt(Formulation& formulation, const SystemState& state, EvaluationPoint& point);

class EvaluationSubject {
 public:
  // The formulation outlives this. Looks for a second state: it keeps branches and values from being
  // learnt. A method that cannot evaluate one random state gets another; loops have none.
  EvaluationSubject(Formulation& formulation, const Problem& problem, const SystemState& initial,
                    Evaluated what);

  // Of the initial state; when it is not ok, nothing can be evaluated.
  const Status& initialised() const { return initialised_; }
  const EvaluationPoint& point(std::size_t i) const { return points_[i]; }

  // At point 0 or 1.
  Status Evaluate(std::size_t i) {
    const EvaluationPoint& point = points_[i];
    if (what_ == Evaluated::kAccelerations) return ode_->Evaluate(0, point.y, result_);
    Status status = dae_->Residual(0, point.y, point.yp, result_);
    if (what_ == Evaluated::kResidualAndJacobian && status.ok()) {
      status = dae_->Jacobian(0, c_, point.y, point.yp, values_);
    }
    return status;
  }

 private:
  Evaluated what_;
  OdeFormulation* ode_ = nullptr;
  DaeFormulation* dae_ = nullptr;
  double c_ = 0;
  EvaluationPoint points_[2];
  std::vector<double> result_, values_;
  Status initialised_;
};

}  // namespace mbsbench
