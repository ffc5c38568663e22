#include "harness/metrics/acceleration_error.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/force_elements.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

// A part of the accelerations that is smaller than the other part by this factor is only its round-off.
constexpr double kVanishing = 1e-10;

}  // namespace

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

double AccelerationError(std::span<const double> ours, std::span<const double> truth, double length,
                         double natural) {
  if (ours.size() != truth.size()) return INFINITY;
  double difference[2] = {0, 0}, size[2] = {0, 0};
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const std::size_t part = i % 6 / 3;
    const double to_length = part == 1 ? length : 1;
    const double d = std::abs(ours[i] - truth[i]) * to_length;
    if (!std::isfinite(d)) return INFINITY;
    difference[part] = std::max(difference[part], d);
    size[part] = std::max(size[part], std::abs(truth[i]) * to_length);
  }
  double error = 0;
  for (int part : {0, 1}) {
    const double other = std::max(size[1 - part], natural);
    const double unit = size[part] > kVanishing * other ? size[part] : other;
    if (unit > 0) error = std::max(error, difference[part] / unit);
  }
  return error;
}

double NaturalAcceleration(const Problem& problem, const std::vector<BodyState>& bodies) {
  const System& system = problem.system;
  double natural = std::max(Norm(system.gravity), problem.length / (problem.time * problem.time));
  std::vector<Wrench> wrenches(bodies.size());
  AddForceElements(system, bodies, wrenches);
  std::vector<double> forces;
  for (const Wrench& wrench : wrenches) forces.push_back(Norm(wrench.force));
  const JointState joints = JointStateOf(system, bodies);
  const JointOffsets at = OffsetsOf(system);
  for (const JointSpringDamper& e : system.joint_spring_dampers) {
    const auto j = static_cast<std::size_t>(e.joint);
    const double force = JointSpringForce(e, joints.q[static_cast<std::size_t>(at.q[j])],
                                          joints.u[static_cast<std::size_t>(at.u[j])]) /
                         (IsLength(system.joints[j].type, 0) ? 1 : problem.length);
    forces[static_cast<std::size_t>(system.joints[j].child)] += std::abs(force);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double v = Norm(bodies[b].velocity), omega = Norm(bodies[b].angular_velocity);
    natural = std::max({natural, v * v / problem.length, omega * omega * problem.length});
    if (b < system.bodies.size() && system.bodies[b].mass > 0)
      natural = std::max(natural, forces[b] / system.bodies[b].mass);
  }
  return natural;
}

}  // namespace mbsbench
