#include "methods/kinematics/absolute_motion.h"

#include "problems/model/eigen.h"

namespace mbsbench::absolute {

void BodyMotion::SetQuaternion(const Vector4d& q) {
  quaternion = q;
  const Vector4d n = q.normalized();
  rotation = Eigen::Quaterniond(n[0], n[1], n[2], n[3]).toRotationMatrix();
}

const BodyMotion& MotionOf(std::span<const BodyMotion> bodies, int body) {
  static const BodyMotion ground;
  return body == kGround ? ground : bodies[static_cast<std::size_t>(body)];
}

std::vector<BodyMotion> MotionsOf(std::span<const BodyState> bodies) {
  std::vector<BodyMotion> motions(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Quaternion q = Normalised(bodies[b].orientation);
    motions[b].position = ToEigen(bodies[b].position);
    motions[b].SetQuaternion({q.w, q.x, q.y, q.z});
    motions[b].velocity = ToEigen(bodies[b].velocity);
    motions[b].angular_velocity = ToEigen(Rotate(Conjugate(q), bodies[b].angular_velocity));
  }
  return motions;
}

BodyState StateOf(const BodyMotion& body) {
  const Vector4d q = body.quaternion.normalized();
  return {FromEigen(body.position),
          {q[0], q[1], q[2], q[3]},
          FromEigen(body.velocity),
          FromEigen(body.rotation * body.angular_velocity)};
}

}  // namespace mbsbench::absolute
