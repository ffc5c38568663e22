#include "harness/runner/cells/evaluated.h"

#include <array>

namespace mbsbench {

std::string_view Name(Evaluated what) {
  constexpr std::array kNames{"accelerations", "accelerations and reactions", "residual",
                              "residual and Jacobian", "step"};
  return kNames.at(static_cast<std::size_t>(what));
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
