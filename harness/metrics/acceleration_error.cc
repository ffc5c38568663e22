#include "harness/metrics/acceleration_error.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/force_elements.h"
#include "problems/model/driver_motion.h"
#include "problems/model/force_outputs.h"
#include "problems/model/kinematics.h"
#include "problems/model/span.h"

namespace mbsbench {

std::vector<BodyAcceleration> BodyAccelerationsOf(const ReferenceDynamics& truth) {
  std::vector<BodyAcceleration> accelerations;
  accelerations.reserve(truth.accelerations.size());
  for (const ReferenceAcceleration& a : truth.accelerations)
    accelerations.push_back({a.acceleration, a.angular_acceleration});
  return accelerations;
}

std::vector<double> AccelerationNumbers(const System& system,
                                        std::span<const BodyAcceleration> bodies) {
  std::vector<double> numbers;
  numbers.reserve(6 * bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Vector3& a = bodies[b].acceleration;
    // Bodies that have joined a growing system are points.
    const bool is_point = b >= system.bodies.size() || system.bodies[b].is_point;
    const Vector3 alpha = is_point ? Vector3{} : bodies[b].angular_acceleration;
    numbers.insert(numbers.end(), {a.x, a.y, a.z, alpha.x, alpha.y, alpha.z});
  }
  return numbers;
}

double AccelerationError(std::span<const double> ours, std::span<const double> truth,
                         const AccelerationScale& scale) {
  if (ours.size() != truth.size()) return INFINITY;
  double difference[2] = {0, 0}, size[2] = {0, 0};
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const std::size_t part = i % 6 / 3;
    const double to_length = part == 1 ? scale.length : 1;
    const double d = std::abs(ours[i] - truth[i]) * to_length;
    if (!std::isfinite(d)) return INFINITY;
    difference[part] = std::max(difference[part], d);
    size[part] = std::max(size[part], std::abs(truth[i]) * to_length);
  }
  double error = 0;
  for (int part : {0, 1}) {
    const double other = std::max(size[1 - part], scale.natural);
    const double unit = size[part] > kVanishing * other ? size[part] : other;
    if (unit > 0) error = std::max(error, difference[part] / unit);
  }
  return error;
}

AccelerationScale AccelerationScaleOf(const Problem& problem,
                                      const std::vector<BodyState>& bodies) {
  const System& system = problem.system;
  AccelerationScale scale{SpanOf(system, bodies), Norm(system.gravity)};
  if (!(scale.length > 0)) scale.length = problem.length;

  std::vector<double> forces(bodies.size());  // [N]
  const auto add = [&forces](int body, double force) {
    if (body != kGround) forces[static_cast<std::size_t>(body)] += std::abs(force);
  };
  std::vector<Wrench> wrenches(bodies.size());
  AddForceElements(system, bodies, wrenches);
  for (std::size_t b = 0; b < bodies.size(); ++b) forces[b] = Norm(wrenches[b].force);
  for (const SpringDamper& e : system.forces.Of<SpringDamper>()) {
    const double force = e.stiffness * (LengthOf(e, bodies) + e.free_length);
    add(e.body_a, force), add(e.body_b, force);
  }
  // The displacement along an axis of a frame comes from positions, and the rotation from attitudes, with their round-off.
  struct AlongAxes : FieldVisitor {
    void BodyOrGround(std::string_view, int body) { ends.push_back(body); }
    void PerAxis(std::string_view, Quantity quantity, const Vector3& v) {
      if (IsStiffness(quantity)) force += Norm(v) * (IsOfTurn(quantity) ? 1 / length : length);
    }
    double length = 0, force = 0;
    std::vector<int> ends = {};
  };
  system.forces.ForEach([&](const auto& element) {
    AlongAxes along;
    along.length = scale.length;
    VisitFields(element, along);
    for (int body : along.ends) add(body, along.force);
  });

  JointState joints;
  JointOffsets at;
  if (!system.forces.Of<JointSpringDamper>().empty()) {
    joints = JointStateOf(system, bodies);
    at = OffsetsOf(system);
  }
  for (const JointSpringDamper& e : system.forces.Of<JointSpringDamper>()) {
    const auto j = static_cast<std::size_t>(e.joint);
    const bool is_length = IsLength(system.joints[j].type, 0);
    // The coordinate comes from positions or attitudes, with their round-off.
    const double coordinate = (is_length ? scale.length : 1) + std::abs(e.free_coordinate) +
                              std::abs(joints.q[static_cast<std::size_t>(at.q[j])]);
    const double effort =
        e.stiffness * coordinate + e.damping * joints.u[static_cast<std::size_t>(at.u[j])];
    add(system.joints[j].child, effort / (is_length ? 1 : scale.length));
  }
  for (const Motor& e : system.forces.Of<Motor>())
    add(system.joints[static_cast<std::size_t>(e.joint)].child,
        e.effort.At(0) / (e.turns ? scale.length : 1));
  for (const Driver& driver : system.drivers) {
    const auto j = static_cast<std::size_t>(driver.joint);
    const double acceleration = std::abs(MotionAt(driver.motion, 0).acceleration);
    const double arm = IsLength(system.joints[j].type, 0) ? 1 : scale.length;
    scale.natural = std::max(scale.natural, acceleration * arm);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double v = Norm(bodies[b].velocity), omega = Norm(bodies[b].angular_velocity);
    scale.natural = std::max({scale.natural, v * v / scale.length, omega * omega * scale.length});
    if (b < system.bodies.size() && system.bodies[b].mass > 0)
      scale.natural = std::max(scale.natural, forces[b] / system.bodies[b].mass);
  }
  if (!(scale.natural > 0)) scale.natural = problem.length / (problem.time * problem.time);
  return scale;
}

}  // namespace mbsbench
