#include "methods/engines/mujoco/mujoco_coordinates.h"

#include <algorithm>
#include <utility>

namespace mbsbench {

namespace {

Vector3 VectorFrom(const double* v) { return {v[0], v[1], v[2]}; }
Quaternion QuaternionFrom(const double* q) { return {q[0], q[1], q[2], q[3]}; }
void Write(const Vector3& v, double* to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
void Write(const Quaternion& q, double* to) { to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z; }

}  // namespace

MujocoCoordinates::MujocoCoordinates(const System& system, std::vector<MujocoPlace> places)
    : system_(system), places_(std::move(places)) {
  for (const Joint& joint : system.joints) {
    nq_ += static_cast<std::size_t>(CoordinateCount(joint.type));
    nv_ += static_cast<std::size_t>(RateCount(joint.type));
  }
}

std::vector<Dimension> MujocoCoordinates::Dimensions() const {
  std::vector<Dimension> dimensions(nq_, Dimension::kNumber);
  dimensions.resize(size(), Dimension::kRate);
  for (const Joint& joint : system_.joints) {
    for (int k = 0; k < RateCount(joint.type); ++k) {
      if (!IsLength(joint.type, k)) continue;
      dimensions[static_cast<std::size_t>(PlaceOf(joint).qpos + k)] = Dimension::kLength;
      dimensions[nq_ + static_cast<std::size_t>(PlaceOf(joint).qvel + k)] = Dimension::kSpeed;
    }
  }
  return dimensions;
}

void MujocoCoordinates::Put(const SystemState& state, std::span<double> y) const {
  const JointOffsets at = OffsetsOf(system_);
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const Joint& joint = system_.joints[j];
    if (joint.type == JointType::kFixed) continue;
    const double* const q = state.joints.q.data() + at.q[j];
    const double* const u = state.joints.u.data() + at.u[j];
    double* const qpos = y.data() + PlaceOf(joint).qpos;
    double* const qvel = y.data() + nq_ + PlaceOf(joint).qvel;
    if (joint.type == JointType::kFree && joint.parent == kGround) {
      const BodyState& body = state.bodies[static_cast<std::size_t>(joint.child)];
      Write(body.position, qpos);
      Write(body.orientation, qpos + 3);
      Write(body.velocity, qvel);
      Write(Rotate(Conjugate(body.orientation), body.angular_velocity), qvel + 3);
      continue;
    }
    const int turns = TurnsFreely(joint.type) ? 3 : 0, others = RateCount(joint.type) - turns;
    std::copy_n(q, others, qpos);
    std::copy_n(u, others, qvel);
    if (turns == 0) continue;
    const Quaternion& frame = joint.child_frame.orientation;
    Write(frame * QuaternionFrom(q + others) * Conjugate(frame), qpos + others);
    Write(Rotate(frame, VectorFrom(u + others)), qvel + others);
  }
}

void MujocoCoordinates::NormaliseQuaternions(std::span<double> y) const {
  for (const Joint& joint : system_.joints) {
    if (!TurnsFreely(joint.type)) continue;
    double* const turn = y.data() + PlaceOf(joint).qpos + RateCount(joint.type) - 3;
    Write(Normalised(QuaternionFrom(turn)), turn);
  }
}

void MujocoCoordinates::PutRates(std::span<const double> y, const double* qacc,
                                 std::span<double> ydot) const {
  for (const Joint& joint : system_.joints) {
    if (joint.type == JointType::kFixed) continue;
    const MujocoPlace& place = PlaceOf(joint);
    const int turns = TurnsFreely(joint.type) ? 3 : 0, others = RateCount(joint.type) - turns;
    const double* const qvel = y.data() + nq_ + place.qvel;
    std::copy_n(qvel, others, ydot.data() + place.qpos);
    if (turns == 0) continue;
    // The angular velocity is in body axes. (mju_derivQuat takes inertial ones.)
    const Vector3 half_spin = 0.5 * VectorFrom(qvel + others);
    Write(QuaternionFrom(y.data() + place.qpos + others) *
              Quaternion{0, half_spin.x, half_spin.y, half_spin.z},
          ydot.data() + place.qpos + others);
  }
  std::copy_n(qacc, nv_, ydot.begin() + static_cast<std::ptrdiff_t>(nq_));
}

}  // namespace mbsbench
