#include "methods/riccati_mstmm/general_formulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mbsbench {

Status RiccatiGeneral::Evaluate(double /*t*/, std::span<const double> y, std::span<double> ydot) {
  // positions and velocities, root -> tips
  CalcMotion(tree_, y.data(), space_.motions.data());
  if (has_wrenches()) {
    const std::span<const Wrench> wrenches = CalcWrenches(y, space_.motions.data());
    for (std::size_t k = 0; k < tree_.elements.size(); ++k) {
      const Wrench& w = wrenches[static_cast<std::size_t>(tree_.elements[k].body)];
      space_.elements[k + 1].f_C = {w.force.x, w.force.y, w.force.z};
      space_.elements[k + 1].m_C = {w.moment.x, w.moment.y, w.moment.z};
    }
  }
  // S and e at every output end, tips -> root
  Status status = SweepToRoot(tree_, has_wrenches(), space_);
  if (status.ok()) {
    // z_b, and from it the rates, root -> tips
    SweepToTips(tree_, y.data(), space_, ydot.data());
    double sum = 0;  // 0 x is NaN for x infinite or NaN
    for (double v : ydot) sum += 0 * v;
    if (sum == 0) return status;
    status = {Status::Code::kNotFinite, -1, -1, "a rate is not finite"};
  }
  std::fill(ydot.begin(), ydot.end(), std::numeric_limits<double>::quiet_NaN());
  return status;
}

void RiccatiGeneral::OutputStates(std::span<OutputState> states) const {
  for (std::size_t k = 0; k < states.size(); ++k) {
    const SweepElement<double>& s = space_.elements[k + 1];
    const RiccatiPair<double>& p = s.pair;
    states[k] = {s.a, s.alpha, TransposeTimes(p.B, s.a) + p.C * s.alpha + p.e_m,  // z_a = S z_b + e
                 p.e_q - p.A * s.a - p.B * s.alpha};
  }
}

}  // namespace mbsbench
