#include "problems/model/validation.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/reactions.h"
#include "reference/reference.h"
#include "reference/rope_flight/rope_flight_equations.h"
#include "reference/system/initial_motion.h"

namespace mbsbench {

namespace {

using namespace extended;

// The accelerations of a rope flight at time 0, without reactions. Links turn about z.
ReferenceDynamics OfRopeFlight(const System& system, const JointState& joints) {
  const Motion motion = MotionOf(SystemData(system), extended::Extend(joints));
  std::vector<Real> y, rates;
  for (const BodyMotion& b : motion) y.insert(y.end(), {b.position.x, b.position.y});
  for (const BodyMotion& b : motion) y.insert(y.end(), {b.velocity.x, b.velocity.y});
  RopeFlightEquations equations(system);
  equations.Evaluate(0, y, rates);
  ReferenceDynamics result;
  result.bodies = extended::Round(motion);
  const std::size_t half = y.size() / 2;
  const Real square = equations.link_length() * equations.link_length();
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const auto component = [&](std::size_t k) {
      return i == 0 ? Real(0) : rates[half + 2 * i + k] - rates[half + 2 * i - 2 + k];
    };
    const auto along = [&](std::size_t k) {
      return i == 0 ? Real(0) : y[2 * i + k] - y[2 * i - 2 + k];
    };
    const Real alpha = (along(0) * component(1) - along(1) * component(0)) / square;
    result.accelerations.push_back(
        {Round(Vec3{rates[half + 2 * i], rates[half + 2 * i + 1], 0}), Round(Vec3{0, 0, alpha})});
  }
  return result;
}

}  // namespace

ReferenceDynamics ReferenceAccelerations(const System& system, const JointState& joints,
                                         double time) {
  Validate(system, joints);
  if (system.rope_flight) return OfRopeFlight(system, joints);
  MaximalCoordinates equations(system);
  equations.SetTime(time);
  equations.StartSpringsAt(joints);
  const Motion motion = MotionOf(equations.system(), extended::Extend(joints));
  const Dynamics dynamics = equations.Accelerate(motion);
  const std::vector<Mat3> rotations = RotationsOf(motion);
  ReferenceDynamics result;
  result.bodies = extended::Round(motion);
  for (const Vec6& a : dynamics.accelerations) {
    result.accelerations.push_back({Round(Vec3{a[0], a[1], a[2]}), Round(Vec3{a[3], a[4], a[5]})});
  }
  for (const Reaction& reaction : ReactionsOf(equations, motion, dynamics))
    result.reactions.push_back(extended::Round(reaction));
  for (const Driver& d : system.drivers) {  // the last row of its joint
    const auto j = static_cast<std::size_t>(d.joint);
    const JointRows rows = RowsOf(equations.system().joints[j], motion, rotations);
    result.efforts.push_back(-static_cast<double>(dynamics.multipliers[j][rows.count - 1]));
    result.effort_is_unique.push_back(!equations.undetermined_efforts()[j]);
  }
  return result;
}

}  // namespace mbsbench
