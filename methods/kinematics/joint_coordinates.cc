#include "methods/kinematics/joint_coordinates.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/tree_joint.h"

namespace mbsbench {

JointCoordinates::JointCoordinates(const System& system) {
  const JointOffsets at = OffsetsOf(system);
  coordinates_ = static_cast<std::size_t>(at.q.back());
  rates_ = static_cast<std::size_t>(at.u.back());
  joints_.reserve(system.joints.size());
  quaternions_.reserve(static_cast<std::size_t>(std::ranges::count_if(
      system.joints, [](const Joint& joint) { return TurnsFreely(joint.type); })));
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    joints_.push_back(joint.type);
    if (const int offset = QuaternionOffset(joint.type); offset >= 0) {
      quaternions_.push_back({at.q[j] + offset, static_cast<int>(j), joint.child});
    }
  }
}

std::vector<Dimension> JointCoordinates::Dimensions() const {
  std::vector<Dimension> dimensions(size());
  std::size_t q = 0, u = coordinates_;
  for (JointType joint : joints_) {
    for (int k = 0; k < CoordinateCount(joint); ++k)
      dimensions[q++] = IsLength(joint, k) ? Dimension::kLength : Dimension::kNumber;
    for (int k = 0; k < RateCount(joint); ++k)
      dimensions[u++] = IsLength(joint, k) ? Dimension::kSpeed : Dimension::kRate;
  }
  return dimensions;
}

void JointCoordinates::Put(const JointState& joints, std::span<double> y) const {
  std::copy(joints.u.begin(), joints.u.end(),
            std::copy(joints.q.begin(), joints.q.end(), y.begin()));
}

JointState JointCoordinates::StateAt(std::span<const double> y) const {
  const auto rates = y.begin() + static_cast<std::ptrdiff_t>(coordinates_);
  return {{y.begin(), rates}, {rates, y.end()}};
}

void JointCoordinates::CalcRates(std::span<const double> y, std::span<double> qdot) const {
  std::size_t q = 0, u = coordinates_;
  for (JointType joint : joints_) {
    ForJoint(joint, [&](auto type) {
      using Joint = decltype(type);
      CoordinateRates<Joint>(y.data() + q, y.data() + u, qdot.data() + q);
      q += Joint::kCoordinates, u += Joint::kRates;
    });
  }
}

Status JointCoordinates::NormaliseQuaternions(std::span<double> y) const {
  for (const JointQuaternion& place : quaternions_) {
    double* const q = y.data() + place.at;
    const double norm = Norm(Quaternion{q[0], q[1], q[2], q[3]});
    if (!(norm > 0) || !std::isfinite(norm)) {
      return {Status::Code::kNotFinite, place.joint, place.body,
              "the joint's quaternion has no direction"};
    }
    const double scale = 1 / norm;
    for (int i = 0; i < 4; ++i) q[i] *= scale;
  }
  return {};
}

void AdvanceJoint(JointType type, const double* rates, double* q) {
  ForJoint(type, [&](auto joint) {
    using Joint = decltype(joint);
    constexpr int kFirst = Joint::kSlides;
    for (int k = 0; k < kFirst; ++k) q[k] += rates[k];
    if constexpr (Joint::kTurning == Turning::kAboutZ) {
      q[kFirst] += rates[kFirst];
    } else if constexpr (Joint::kTurnsFreely) {
      const Vector3 rotation{rates[kFirst], rates[kFirst + 1], rates[kFirst + 2]};
      const double angle = Norm(rotation);
      if (angle == 0) return;
      double* const x = q + kFirst;
      const Quaternion turned =
          Normalised(Quaternion{x[0], x[1], x[2], x[3]} * AxisAngle((1 / angle) * rotation, angle));
      x[0] = turned.w, x[1] = turned.x, x[2] = turned.y, x[3] = turned.z;
    }
  });
}

}  // namespace mbsbench
