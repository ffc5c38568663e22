// The joint accelerations of docs/robots.csv, by two formulations in 113 bits. If a robot changes, write them anew:
//   MBSBENCH_UPDATE_ROBOTS=1 reference_test --gtest_filter='RobotsPage.*'
#include <gtest/gtest.h>

#include <sstream>

#include "problems/catalog/catalog.h"
#include "reference/joint_coordinates/joint_coordinates.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/system/initial_motion.h"
#include "tests/support/written_page.h"

namespace mbsbench {
namespace {

using extended::Abs, extended::Dot, extended::Real, extended::Vec3;

constexpr char kRobotsFile[] = MBSBENCH_SOURCE_DIR "/docs/robots.csv";

// The derivatives of the joint rates u, in their order, from accelerations of bodies. The mass centre of a body on a free joint
// is the joint's origin.
std::vector<Real> JointAccelerations(const extended::SystemData& system,
                                     const extended::Motion& motion, const JointState& joints,
                                     const std::vector<extended::JointDynamics::OfBody>& of) {
  const auto rotations = RotationsOf(motion);
  const JointOffsets at = OffsetsOf(system.model);
  std::vector<Real> udot;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const extended::JointData& joint = system.joints[j];
    const auto c = static_cast<std::size_t>(joint.child);
    const bool on_ground = joint.parent == kGround;
    const auto p = static_cast<std::size_t>(on_ground ? 0 : joint.parent);
    const Vec3 spin = on_ground ? Vec3{} : motion[p].angular_velocity;
    const Vec3 relative = of[c].angular - (on_ground ? Vec3{} : of[p].angular);
    const Vec3 z = Direction(joint.on_parent.z, joint.parent, rotations);
    const Vec3 x = Direction(joint.on_child.x, joint.child, rotations);
    const double* const u = joints.u.data() + at.u[j];
    if (joint.type == JointType::kFree) {
      const Vec3 turning = TransposeTimes(rotations[c], of[c].angular);
      for (const Vec3& v : {of[c].linear, turning}) udot.insert(udot.end(), {v.x, v.y, v.z});
    } else if (joint.type == JointType::kUniversal) {
      udot.push_back(Dot(z, relative - u[1] * Cross(motion[c].angular_velocity, x)));
      udot.push_back(Dot(x, relative - u[0] * Cross(spin, z)));
    } else {
      EXPECT_EQ(joint.type, JointType::kRevolute);
      udot.push_back(Dot(z, relative));
    }
  }
  return udot;
}

std::string Decimal(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

// The rows of a robot, in each of which the formulations have to agree.
std::string RowsOfRobot(const Problem& problem) {
  extended::JointCoordinates kane(problem.system);
  const std::vector<Real> start = kane.Start(problem.initial);
  const JointState joints = kane.CoordinatesAt(start);
  extended::MaximalCoordinates maximal(problem.system);
  const extended::Motion motion = kane.MotionAt(start);
  std::vector<extended::JointDynamics::OfBody> other;
  for (const extended::Vec6& a : maximal.Accelerate(motion).accelerations)
    other.push_back({{a[0], a[1], a[2]}, {a[3], a[4], a[5]}});
  const auto udot =
      JointAccelerations(maximal.system(), motion, joints, kane.DynamicsAt(start).accelerations);
  const auto again = JointAccelerations(maximal.system(), motion, joints, other);
  const JointState& given = problem.initial.joints;  // before loops are closed to 113 bits
  const JointOffsets at = OffsetsOf(problem.system);
  const std::string robot = '"' + problem.name + "\",";
  std::string rows;
  for (std::size_t j = 0; j < problem.system.joints.size(); ++j) {
    const Joint& joint = problem.system.joints[j];
    const auto q = static_cast<std::size_t>(at.q[j]), u = static_cast<std::size_t>(at.u[j]);
    const bool is_free = joint.type == JointType::kFree;
    if (is_free) {
      rows += robot + joint.name + " quaternion";
      for (std::size_t k = 3; k < 7; ++k) rows += (k == 3 ? "," : " ") + Decimal(given.q[q + k]);
      rows += ",,\n";
    }
    for (std::size_t k = 0; u + k < static_cast<std::size_t>(at.u[j + 1]); ++k) {
      constexpr const char* kOfFree[] = {" x", " y", " z", " omega_x", " omega_y", " omega_z"};
      constexpr double kSmall = 1e-22;  // m/s^2 or rad/s^2
      EXPECT_LT(static_cast<double>(Abs(udot[u + k] - again[u + k])), kSmall)
          << problem.name << ' ' << joint.name;
      rows += robot + joint.name +
              (is_free                      ? kOfFree[k]
               : RateCount(joint.type) == 2 ? " " + std::to_string(k + 1)
                                            : std::string()) +
              "," + (is_free && k > 2 ? "" : Decimal(given.q[q + k])) + "," +
              Decimal(given.u[u + k]) + "," +
              (kSmall < Abs(udot[u + k]) ? extended::ToText(udot[u + k], 15) : "0") + "\n";
    }
  }
  return rows;
}

TEST(RobotsPage, HoldsTheAccelerationsOfTwoFormulations) {
  std::string file = "robot,rate of,coordinate,rate,acceleration\n";
  for (const ProblemFamily& family : AllProblems()) {
    if (family.name != "robots") continue;
    for (const std::string& name : family.instances) file += RowsOfRobot(MakeProblem(name));
  }
  ExpectPage(kRobotsFile, file, "MBSBENCH_UPDATE_ROBOTS");
}

}  // namespace
}  // namespace mbsbench
