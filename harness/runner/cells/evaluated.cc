#include "harness/runner/cells/evaluated.h"

namespace mbsbench {

std::string_view Name(Evaluated what) {
  switch (what) {
    case Evaluated::kAccelerations: return "accelerations";
    case Evaluated::kAccelerationsAndReactions: return "accelerations and reactions";
    case Evaluated::kResidual: return "residual";
    case Evaluated::kResidualAndJacobian: return "residual and Jacobian";
    case Evaluated::kStep: return "step";
  }
  return "";
}

std::vector<Evaluated> EvaluationsOf(Form form) {
  switch (form) {
    case Form::kOde: return {Evaluated::kAccelerations};
    case Form::kDae: return {Evaluated::kResidual, Evaluated::kResidualAndJacobian};
    case Form::kAlgebraic: return {Evaluated::kResidualAndJacobian};
    case Form::kTimeStepper: return {Evaluated::kStep};
  }
  return {};
}

}  // namespace mbsbench
