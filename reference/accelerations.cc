#include "problems/model/validation.h"
#include "reference/initial_motion.h"
#include "reference/maximal_coordinates.h"
#include "reference/reference.h"
#include "reference/rope_flight_equations.h"

namespace mbsbench {

namespace {

using namespace extended;

// What the joint does to its child: -G_c' lambda, its moment moved from the mass centre to the
// joint point.
ReferenceReaction ReactionOf(const JointData& joint, const Motion& motion,
                             const std::vector<Mat3>& rotations, const Vec6& multipliers,
                             bool unique) {
  const JointRows rows = RowsOf(joint, motion, rotations);
  Vec6 wrench{};
  const std::size_t reacting = rows.count - (rows.driven ? 1 : 0);
  for (std::size_t i = 0; i < reacting; ++i) {
    for (std::size_t k = 0; k < 6; ++k) wrench[k] -= rows.on_child[i][k] * multipliers[i];
  }
  const Vec3 force{wrench[0], wrench[1], wrench[2]};
  const Vec3 arm = MotionOfPoint(joint.on_child.position, joint.child, motion, rotations).arm;
  return {Round(force), Round(Vec3{wrench[3], wrench[4], wrench[5]} - Cross(arm, force)), unique};
}

// Of a rope flight at time 0, without reactions. Links turn about z.
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
  const auto append = [&](const std::vector<JointData>& list, const std::vector<Vec6>& multipliers,
                          std::size_t first) {
    for (std::size_t j = 0; j < list.size(); ++j) {
      result.reactions.push_back(ReactionOf(list[j], motion, rotations, multipliers[j],
                                            !equations.undetermined()[first + j]));
    }
  };
  append(equations.system().joints, dynamics.multipliers, 0);
  append(equations.system().loop_joints, dynamics.loop_multipliers, system.joints.size());
  for (const Driver& d : system.drivers) {  // the last row of its joint
    const auto j = static_cast<std::size_t>(d.joint);
    const JointRows rows = RowsOf(equations.system().joints[j], motion, rotations);
    result.efforts.push_back(-static_cast<double>(dynamics.multipliers[j][rows.count - 1]));
  }
  return result;
}

}  // namespace mbsbench
