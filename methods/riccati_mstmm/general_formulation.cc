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
      space_.forces[k + 1] = {{w.force.x, w.force.y, w.force.z},
                              {w.moment.x, w.moment.y, w.moment.z}};
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

// z_a from the tips to the root, (a), (b) and (e) of general_sweep.h with z_b known: cheaper than
// to keep S and e for it.
void RiccatiGeneral::OutputStates(std::span<OutputState> states) const {
  for (std::size_t k = 0; k < states.size(); ++k) {
    states[k] = {space_.accelerations[k + 1].a, space_.accelerations[k + 1].alpha, {}, {}};
  }
  for (std::size_t k = states.size(); k > 0; --k) {
    const TreeElement& e = tree_.elements[k - 1];
    const ElementMotion<double>& motion = space_.motions[k];
    const ExternalForce<double>& external = space_.forces[k];
    OutputState& z = states[k - 1];
    const Vec3<double> r_OC = motion.A * e.r_OC;
    const Vec3<double> a_C = z.a + Cross(z.alpha, r_OC) + Centripetal(motion.omega, r_OC);
    const Vec3<double> f_C = e.mass * tree_.gravity + external.f_C;
    const Sym3<double> J = Rotated(motion.A, e.J_O);
    z.q = z.q + f_C - e.mass * a_C;
    z.m = z.m + e.mass * Cross(r_OC, z.a) + J * z.alpha + Cross(motion.omega, J * motion.omega) -
          Cross(r_OC, f_C) - external.m_C;
    if (e.parent > 0) {
      OutputState& outboard = states[static_cast<std::size_t>(e.parent) - 1];
      outboard.q = outboard.q + z.q;
      outboard.m = outboard.m + z.m - Cross(motion.d, z.q);
    }
  }
}

}  // namespace mbsbench
