#include "reference/steady_state.h"

#include <fmt/format.h>

#include "problems/model/error.h"
#include "reference/closed_forms/steady_equations.h"
#include "reference/maximal_coordinates/forces.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/system/initial_motion.h"

namespace mbsbench {

namespace {

using namespace extended;

constexpr double kRoundOffOfSums = 1e-29;  // along chains
// Where two formulations differ by more, one of them does not describe the problem.
constexpr double kMostError = 1e-25;

// What the maximal coordinates make of the equilibrium: there every body must accelerate as one rigid
// body with the first, driven one, which turns about a fixed axis. What is left over takes forces: the
// largest that has to pass a joint, in units of the whole mass at the largest acceleration; moments by
// the problem's length. (Accelerations themselves would not do: light rods on stiff springs turn the
// last digit of an angle into 1e-22 of the largest on a chain of 1000.)
Real UnbalancedForce(const Problem& problem, const JointNumbers& joints) {
  MaximalCoordinates equations(problem.system);
  JointState rounded;
  for (Real q : joints.q) rounded.q.push_back(static_cast<double>(q));
  equations.StartSpringsAt(rounded);
  const SystemData& system = equations.system();
  const Motion motion = MotionOf(system, joints);
  const std::vector<Mat3> rotations = RotationsOf(motion);
  const Dynamics dynamics = equations.Accelerate(motion);
  const Vec3 omega = motion[0].angular_velocity;
  const Vec3 axis_point = system.joints[0].on_parent.position;
  Real mass = 0, acceleration = Norm(system.gravity);
  std::vector<Wrench> left(motion.size());  // of a body, then of all beyond its joint to the parent
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const Vec3 expected = Cross(omega, Cross(omega, motion[b].position - axis_point));
    const Vec6& a = dynamics.accelerations[b];
    const BodyData& body = system.bodies[b];
    left[b].force = body.mass * (Vec3{a[0], a[1], a[2]} - expected);
    left[b].moment =
        rotations[b] * (body.inertia * TransposeTimes(rotations[b], Vec3{a[3], a[4], a[5]}));
    mass += body.mass;
    acceleration = Max(acceleration, Norm(expected));
  }
  Real largest = 0;
  for (auto at = system.tree.order.rbegin(); at != system.tree.order.rend(); ++at) {
    const auto b = static_cast<std::size_t>(*at);
    const JointData& joint = system.joints[static_cast<std::size_t>(system.tree.joint[b])];
    const Vec3 point =
        MotionOfPoint(joint.on_child.position, joint.child, motion, rotations).position;
    const Vec3 moment = left[b].moment + Cross(motion[b].position - point, left[b].force);
    largest = Max(largest, Max(Norm(left[b].force), Norm(moment) / Real(problem.length)));
    if (joint.parent == kGround) continue;
    const auto p = static_cast<std::size_t>(joint.parent);
    left[p].force = left[p].force + left[b].force;
    left[p].moment = left[p].moment + moment + Cross(point - motion[p].position, left[b].force);
  }
  return largest / (mass * acceleration);
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
      joints.u[static_cast<std::size_t>(at.u[static_cast<std::size_t>(d.joint)])] = d.motion.rate;

    // What is not balanced moves the equilibrium by about as much, in units of the length: gravity and
    // centrifugal forces hold it, besides springs.
    const Real unbalanced = UnbalancedForce(problem, joints);
    SteadyReference r;
    r.error_estimate =
        static_cast<double>(Max(unbalanced, Max(closed->last_step, Real(kRoundOffOfSums))));
    if (!(r.error_estimate <= kMostError)) {
      return none(
          "the closed equations of '" + problem.name +
          "' do not describe it: where they are in equilibrium, its accelerations in maximal "
          "coordinates leave forces of " +
          ToText(unbalanced, 2) + " of the largest unbalanced.");
    }
    r.problem = problem.name;
    r.how = fmt::format("{}; Newton in IEEE binary128 (113 bits), {} steps, the last of {}",
                        closed->equations, closed->steps + 1, ToText(closed->last_step, 2));
    r.certified_by = fmt::format(
        "accelerations in maximal coordinates (113 bits) at the equilibrium: those of one rigid "
        "body but for forces of {} of the largest",
        ToText(unbalanced, 2));
    for (Real q : joints.q) r.coordinates.push_back(static_cast<double>(q));
    r.bodies = Round(MotionOf(SystemData(problem.system), joints));
    return r;
  } catch (const ModelError& e) {
    return none(e.what());
  }
}

}  // namespace mbsbench
