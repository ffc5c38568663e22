#include "problems/model/constraint_accelerations.h"

#include <algorithm>
#include <cmath>

#include "problems/model/worse.h"

namespace mbsbench {

namespace {

// A joint frame and the body-fixed point in its origin, inertial axes.
struct Accelerated {
  Vector3 position;
  Quaternion orientation;  // joint axes -> inertial
  Vector3 velocity, spin, acceleration, spin_rate;
};

Accelerated AcceleratedFrame(const Frame& frame, int body, const std::vector<BodyState>& bodies,
                             const Accelerations& accelerations) {
  if (body == kGround) return {frame.position, frame.orientation, {}, {}, {}, {}};
  const auto b = static_cast<std::size_t>(body);
  const Vector3 arm = Rotate(bodies[b].orientation, frame.position);
  const Vector3 &spin = bodies[b].angular_velocity, &rate = accelerations.angular[b];
  const Vector3 turning = Cross(spin, arm);
  return {bodies[b].position + arm,
          bodies[b].orientation * frame.orientation,
          bodies[b].velocity + turning,
          spin,
          accelerations.linear[b] + Cross(rate, arm) + Cross(spin, turning),
          rate};
}

// visit(second derivative of a row, whether it is a length), row by row.
template <class Visit>
void ForSecondDerivatives(const Joint& joint, const Accelerated& p, const Accelerated& c,
                          Visit visit) {
  const Vector3 arm = c.position - p.position, velocity = c.velocity - p.velocity,
                acceleration = c.acceleration - p.acceleration;
  if (joint.type == JointType::kDistance) {
    const double distance = Norm(arm), rate = Dot(arm, velocity) / distance;
    visit((Dot(velocity, velocity) + Dot(arm, acceleration) - rate * rate) / distance, true);
    return;
  }
  const Quaternion to_p = Conjugate(p.orientation);
  const Vector3 rate = velocity - Cross(p.spin, arm);  // of the arm as seen from P
  const Vector3 d = Rotate(
      to_p, acceleration - Cross(p.spin_rate, arm) - Cross(p.spin, velocity) - Cross(p.spin, rate));
  bool slides[3] = {};
  int turns = 0;
  for (const JointAxis& motion : AxesOf(joint.type)) {
    if (motion.turns)
      ++turns;
    else
      slides[motion.axis] = true;
  }
  const double along[] = {d.x, d.y, d.z};
  for (int axis = 0; axis < 3; ++axis)
    if (!slides[axis]) visit(along[axis], true);
  if (TurnsFreely(joint.type)) return;
  const Vector3 spin = Rotate(to_p, c.spin - p.spin),
                spin_rate = Rotate(to_p, c.spin_rate - p.spin_rate - Cross(p.spin, c.spin));
  if (turns == 2) {
    const Vector3 x = Rotate(to_p * c.orientation, {1, 0, 0}), x_rate = Cross(spin, x);
    visit(spin_rate.x * x.y + spin.x * x_rate.y - spin_rate.y * x.x - spin.y * x_rate.x, false);
    return;
  }
  visit(spin_rate.x, false);
  visit(spin_rate.y, false);
  if (turns == 0) visit(spin_rate.z, false);
}

}  // namespace

double AccelerationResidual(const System& system, const std::vector<BodyState>& bodies,
                            const Accelerations& accelerations, double length, double time) {
  double worst = 0;
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      ForSecondDerivatives(
          joint, AcceleratedFrame(joint.parent_frame, joint.parent, bodies, accelerations),
          AcceleratedFrame(joint.child_frame, joint.child, bodies, accelerations),
          [&](double value, bool is_length) {
            worst = Worse(worst, std::abs(value) * time * time / (is_length ? length : 1));
          });
    }
  }
  return worst;
}

}  // namespace mbsbench
