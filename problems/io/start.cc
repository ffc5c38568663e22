#include "problems/io/start.h"

#include <fmt/format.h>

#include <cmath>

#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/span.h"

namespace mbsbench {

namespace {

// Bounds the dense assembly of loops, so that no file keeps a machine busy for minutes.
constexpr double kMostAssemblyWork = 1e9;

void RefuseSpringsWithoutDirection(const System& system, const std::vector<BodyState>& bodies) {
  const auto point_on = [&bodies](int body, const Vector3& point) {
    if (body == kGround) return point;
    const BodyState& s = bodies[static_cast<std::size_t>(body)];
    return s.position + Rotate(s.orientation, point);
  };
  for (const SpringDamper& e : system.forces.Of<SpringDamper>()) {
    if (e.stiffness == 0 || e.free_length == 0) continue;  // the force is zero, or the damper's
    const double length = Norm(point_on(e.body_b, e.point_b) - point_on(e.body_a, e.point_a));
    if (!(length > 0)) {
      throw ModelError("spring-damper '" + e.name +
                           "' starts with length 0, so its force has no direction: move an end.",
                       ModelError::Subject::kForceElement, e.name);
    }
  }
}

}  // namespace

void BoundAssembly(const Problem& problem, Movable movable) {
  const System& system = problem.system;
  double columns = 0, rows = 0;
  for (int j : problem.initial.dependent_joints) {
    columns += RateCount(system.joints[static_cast<std::size_t>(j)].type);
  }
  if (movable == Movable::kAll && problem.initial.dependent_joints.empty())
    columns = static_cast<double>(problem.initial.joints.u.size());
  for (const Joint& joint : system.loop_joints) rows += ConstraintCount(joint.type);
  const double work =
      columns * columns * rows + 1000 * columns * static_cast<double>(system.bodies.size());
  if (work > kMostAssemblyWork) {
    throw ModelError(fmt::format(
        "the loops have {} rows and {} dependent rates over {} bodies: too many to assemble.", rows,
        columns, system.bodies.size()));
  }
}

double CheckStart(const Problem& problem) {
  const System& system = problem.system;
  BoundAssembly(problem, Movable::kDependent);
  const SystemState start = Assemble(system, problem.initial, problem.length).state;
  const std::vector<BodyState>& bodies = start.bodies;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyState& s = bodies[b];
    // The factors stand for products that formulations will form.
    const double size = Norm(s.position) + Norm(s.velocity) + Norm(s.angular_velocity);
    if (!std::isfinite(size * size)) {
      throw ModelError("body '" + system.bodies[b].name +
                           "' starts at a position or velocity beyond what can be computed.",
                       ModelError::Subject::kBody, system.bodies[b].name);
    }
  }
  RefuseSpringsWithoutDirection(system, bodies);
  const Energy energy = EnergyOf(system, bodies, start.joints);
  double weight = 0, gravity_potential = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double mass = system.bodies[b].mass;
    weight += mass * Norm(system.gravity);
    gravity_potential -= mass * Dot(system.gravity, bodies[b].position);
  }
  const double springs = energy.potential - gravity_potential;
  const double scale = energy.kinetic + std::abs(springs) + weight * problem.length;
  if (!std::isfinite(scale)) {
    throw ModelError(
        "the masses, inertias, speeds or stiffnesses are so large that the energy of the initial "
        "state overflows.");
  }
  return scale > 0 ? scale : 1;
}

double LengthOf(const System& system, const std::vector<BodyState>& bodies) {
  const double span = SpanOf(system, bodies);
  return span > 0 && std::isfinite(span) ? span : 1;
}

double TimeOf(const System& system, double length) {
  const double time = std::sqrt(length / Norm(system.gravity));
  return time > 0 && std::isfinite(time) ? time : 0.3;
}

}  // namespace mbsbench
