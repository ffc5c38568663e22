#include "methods/numerics/constraint_matrix.h"

#include <algorithm>

namespace mbsbench::absolute {

ConstraintJacobian ScaledRows(const JointConstraints& joint, std::span<const BodyMotion> bodies,
                              std::span<const double> reach) {
  ConstraintJacobian g =
      joint.Jacobian(MotionOf(bodies, joint.parent()), MotionOf(bodies, joint.child()));
  for (const auto& [body, first] :
       {std::pair{joint.parent(), 0}, std::pair{joint.child(), kRates}}) {
    if (body == kGround) {
      g.middleCols<kRates>(first).setZero();
    } else {
      g.middleCols<3>(first + 3) *= 1 / reach[static_cast<std::size_t>(body)];
    }
  }
  return g;
}

}  // namespace mbsbench::absolute
