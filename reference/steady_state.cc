#include "reference/steady_state.h"

#include <fmt/format.h>

#include "problems/model/error.h"
#include "reference/initial_motion.h"
#include "reference/maximal_coordinates.h"
#include "reference/steady_equations.h"

namespace mbsbench {

namespace {

using namespace extended;

constexpr double kErrorOfClosedEquations = 1e-29;  // Newton's last step, and sums along chains

// What the maximal coordinates make of the equilibrium: there every body must accelerate as one rigid
// body with the first, driven one, which turns about a fixed axis. Largest difference, in units of the
// largest acceleration.
Real LargestDeviation(const Problem& problem, const JointNumbers& joints) {
  MaximalCoordinates equations(problem.system);
  JointState rounded;
  for (Real q : joints.q) rounded.q.push_back(static_cast<double>(q));
  equations.StartSpringsAt(rounded);
  const Motion motion = MotionOf(equations.system(), joints);
  const Dynamics dynamics = equations.Accelerate(motion);
  const Vec3 omega = motion[0].angular_velocity;
  const Vec3 axis_point = equations.system().joints[0].on_parent.position;
  Real largest = 0, size = Norm(equations.system().gravity);
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const Vec3 arm = motion[b].position - axis_point;
    const Vec3 expected = Cross(omega, Cross(omega, arm));
    const Vec6& a = dynamics.accelerations[b];
    size = Max(size, Norm(expected));
    largest = Max(largest, Norm(Vec3{a[0], a[1], a[2]} - expected));
    largest = Max(largest, problem.length * Norm(Vec3{a[3], a[4], a[5]}));
  }
  return largest / size;
}

}  // namespace

std::optional<SteadyReference> FindSteadyReference(const Problem& problem, std::string* why_not) {
  const auto none = [&](const std::string& why) {
    if (why_not != nullptr) *why_not = why;
    return std::nullopt;
  };
  try {
    const std::optional<ClosedEquilibrium> closed = SolveClosedEquations(problem);
    if (!closed) return none("no closed equations are known for '" + problem.name + "'.");
    JointNumbers joints = Extend(problem.initial.joints);
    joints.q = closed->coordinates;
    for (Real& u : joints.u) u = 0;
    const JointOffsets at = OffsetsOf(problem.system);
    for (const Driver& d : problem.system.drivers)
      joints.u[static_cast<std::size_t>(at.u[static_cast<std::size_t>(d.joint)])] = d.speed;

    SteadyReference r;
    r.problem = problem.name;
    r.how = fmt::format("{}; Newton in IEEE binary128 (113 bits), {} steps, the last of {}",
                        closed->equations, closed->steps + 1, ToText(closed->last_step, 2));
    r.certified_by = fmt::format(
        "accelerations in maximal coordinates (113 bits) at the equilibrium: those of one rigid "
        "body "
        "but for {} of the largest",
        ToText(LargestDeviation(problem, joints), 2));
    r.error_estimate = kErrorOfClosedEquations;
    for (Real q : joints.q) r.coordinates.push_back(static_cast<double>(q));
    r.bodies = Round(MotionOf(SystemData(problem.system), joints));
    return r;
  } catch (const ModelError& e) {
    return none(e.what());
  }
}

}  // namespace mbsbench
