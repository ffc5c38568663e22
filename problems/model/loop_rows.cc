#include "problems/model/loop_rows.h"

#include <algorithm>

#include "problems/model/geometry.h"

namespace mbsbench {

ConstraintRows LoopRows(const System& system, const JointState& joints) {
  const std::vector<BodyState> bodies = ForwardKinematics(system, joints);
  ConstraintRows rows;
  for (const Joint& joint : system.loop_joints) AppendConstraintRows(joint, bodies, rows);
  return rows;
}

std::vector<double> LoopJacobian(const System& system, const JointState& joints,
                                 const std::vector<int>& columns) {
  // The rows are linear in the rates: one sweep per unit rate gives a column.
  JointState unit = joints;
  std::fill(unit.u.begin(), unit.u.end(), 0.0);
  std::vector<double> jacobian;
  for (int c : columns) {
    const auto u = static_cast<std::size_t>(c);
    unit.u[u] = 1;
    const std::vector<double> column = LoopRows(system, unit).velocity;
    jacobian.insert(jacobian.end(), column.begin(), column.end());
    unit.u[u] = 0;
  }
  return jacobian;
}

std::vector<int> RatesOf(const System& system, const std::vector<int>& joints) {
  const JointOffsets at = OffsetsOf(system);
  std::vector<int> rates;
  for (int j : joints) {
    const auto i = static_cast<std::size_t>(j);
    for (int k = at.u[i]; k < at.u[i + 1]; ++k) rates.push_back(k);
  }
  return rates;
}

void Advance(const System& system, const std::vector<double>& u, std::vector<double>& q) {
  const double* rate = u.data();
  double* x = q.data();
  for (const Joint& joint : system.joints) {
    const std::size_t plain = AxesOf(joint.type).size();
    for (std::size_t i = 0; i < plain; ++i) x[i] += rate[i];
    if (TurnsFreely(joint.type)) {
      double* const to = x + plain;
      const double* const omega = rate + plain;
      const Vector3 w{omega[0], omega[1], omega[2]};
      const double angle = Norm(w);
      if (angle > 0) {
        const Quaternion r =
            Normalised(Quaternion{to[0], to[1], to[2], to[3]} * AxisAngle((1 / angle) * w, angle));
        to[0] = r.w, to[1] = r.x, to[2] = r.y, to[3] = r.z;
      }
    }
    rate += RateCount(joint.type);
    x += CoordinateCount(joint.type);
  }
}

}  // namespace mbsbench
