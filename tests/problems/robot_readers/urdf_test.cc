// The motion of URDF files against a closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/runner/cells/method_choice.h"
#include "methods/all_methods.h"
#include "methods/interface/formulation.h"
#include "tests/problems/robot_readers/read_text.h"

namespace mbsbench {
namespace {

// A boom on a mast, with a hook on the boom, both horizontal at rest.
std::string Crane(const std::string& mass_of_boom) {
  return fmt::format(R"(<robot name="crane">
  <link name="mast"/>
  <link name="boom"><inertial><origin xyz="0.4 0 0"/><mass value="{}"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/></inertial></link>
  <link name="hook"><inertial><origin xyz="0.15 0 0"/><mass value="1.25"/>
    <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <joint name="luff" type="continuous"><parent link="mast"/><child link="boom"/><axis xyz="0 1 0"/></joint>
  <joint name="swing" type="continuous"><parent link="boom"/><child link="hook"/>
    <origin xyz="0.8 0 0"/><axis xyz="0 1 0"/></joint>
</robot>)",
                     mass_of_boom);
}

// The mass matrix of two links in series is [[i1 + m1 c1^2 + i2 + m2 (l + c2)^2, h], [h, i2 + m2 c2^2]] with
// h = i2 + m2 c2 (l + c2); gravity turns both down.
double AccelerationOfBoom() {
  const double m1 = 3.5, c1 = 0.4, i1 = 0.2, l = 0.8, m2 = 1.25, c2 = 0.15, i2 = 0.01, g = 9.81;
  const double a = i1 + m1 * c1 * c1 + i2 + m2 * (l + c2) * (l + c2);
  const double h = i2 + m2 * c2 * (l + c2), d = i2 + m2 * c2 * c2;
  const double of_boom = m1 * g * c1 + m2 * g * (l + c2), of_hook = m2 * g * c2;
  return (d * of_boom - h * of_hook) / (a * d - h * h);
}

TEST(UrdfMotion, HasTheMassThatTheFileStatesWithOrWithoutBlanks) {
  EXPECT_NEAR(AccelerationOfBoom(), 16.8143002, 1e-7);
  for (const char* mass : {"3.5", "3.5 ", " 3.5", "+3.5", "35e-1"}) {
    const Problem problem = ReadText(".urdf", Crane(mass));
    const std::vector<MethodEntry> methods = AllMethods();
    const auto formulation = Prepare(ChooseMethod("articulated-body", methods), problem);
    const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
    std::vector<double> y(formulation->state_size());
    Observation seen;
    ASSERT_TRUE(formulation->Initialise(0, state, y).ok());
    ASSERT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, seen).ok());
    EXPECT_NEAR(seen.accelerations[1].angular_acceleration.y, AccelerationOfBoom(), 1e-12) << mass;
  }
}

}  // namespace
}  // namespace mbsbench
