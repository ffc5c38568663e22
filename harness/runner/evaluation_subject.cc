#include "harness/runner/evaluation_subject.h"

#include <cmath>

#include "harness/runner/random_states.h"

namespace mbsbench {

namespace {

// dF/dy + c dF/dyp is evaluated at the c of a step of 1e-3 T; its value does not change the work.
constexpr double kStepsPerTime = 1e3;

}  // namespace

Status PointAt(Formulation& formulation, const SystemState& state, EvaluationPoint& point) {
  point.y.assign(formulation.state_size(), NAN);
  if (formulation.form() != Form::kDae) return formulation.Initialise(0, state, point.y);
  point.yp.assign(formulation.state_size(), NAN);
  return static_cast<DaeFormulation&>(formulation).InitialiseDae(0, state, point.y, point.yp);
}

EvaluationSubject::EvaluationSubject(Formulation& formulation, const Problem& problem,
                                     const SystemState& initial, Evaluated what)
    : what_(what), c_(kStepsPerTime / problem.time) {
  initialised_ = PointAt(formulation, initial, points_[0]);
  if (!initialised_.ok()) return;
  points_[1] = points_[0];
  constexpr std::uint64_t kAttempts = 4;
  for (std::uint64_t seed = 1; seed <= kAttempts; ++seed) {
    const std::optional<SystemState> state = RandomState(problem, seed);
    if (!state) break;
    EvaluationPoint point;
    if (!PointAt(formulation, *state, point).ok()) continue;
    points_[1] = std::move(point);
    break;
  }
  result_.resize(formulation.state_size());
  if (what == Evaluated::kAccelerations) {
    ode_ = &static_cast<OdeFormulation&>(formulation);
  } else {
    dae_ = &static_cast<DaeFormulation&>(formulation);
    values_.resize(dae_->pattern().row.size());
  }
}

}  // namespace mbsbench
