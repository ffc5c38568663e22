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

Status SingularBody(int body) {
  return {Status::Code::kSingular, -1, body,
          "the joints allow a motion of the body that has no inertia"};
}

Status SingularRows(int column, std::span<const int> rows_at) {
  const auto after = std::upper_bound(rows_at.begin(), rows_at.end(), column);
  return {Status::Code::kSingular, static_cast<int>(after - rows_at.begin()) - 1, -1,
          "the joint's constraints depend on those of other joints"};
}

Status SingularAt(int column, std::span<const int> rows_at, int per_body) {
  return column < rows_at.front() ? SingularBody(column / per_body) : SingularRows(column, rows_at);
}

}  // namespace mbsbench::absolute
