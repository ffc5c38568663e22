// Characteristic length and time of model files that state none, and what is allowed where loops are closed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/span.h"

namespace mbsbench {
namespace {

// A pendulum whose mass centre is `arm` below its pin, at rest at the angle 0.3.
std::string Pendulum(const std::string& arm, const std::string& more) {
  return R"({"format": "mbsbench-model", "version": 1, "name": "one",
    "bodies": [{"name": "bob", "mass_kg": 1, "inertia_kg_m2": {"xx": 1, "yy": 1, "zz": 1}}],
    "joints": [{"name": "pin", "type": "revolute", "parent": "ground", "child": "bob",
                "child_frame": {"position_m": [)" +
         arm + R"(, 0, 0]}}],
    "initial_state": [{"joint": "pin", "angle_rad": 0.3}], "end_time_s": 1)" +
         more + "}";
}

TEST(Scales, FollowFromTheMechanismWhereAFileStatesNone) {
  const Problem micro = ParseModel(Pendulum("-2e-5", ""), "one");
  EXPECT_NEAR(micro.length, 2e-5, 1e-19);
  EXPECT_NEAR(micro.time, std::sqrt(2e-5 / 9.80665), 1e-6);
  const Problem timed = ParseModel(Pendulum("-2e-5", R"(, "time_s": 3)"), "one");
  EXPECT_NEAR(timed.length, 2e-5, 1e-19);
  EXPECT_EQ(timed.time, 3);
  const Problem measured = ParseModel(Pendulum("-2e-5", R"(, "length_m": 4)"), "one");
  EXPECT_EQ(measured.length, 4);
  EXPECT_NEAR(measured.time, std::sqrt(4 / 9.80665), 1e-3);
}

TEST(Scales, WithoutExtentOrGravityAreAMetreAndThreeTenthsOfASecond) {
  const Problem point = ParseModel(Pendulum("0", R"(, "gravity_m_s2": [0, 0, 0])"), "one");
  EXPECT_EQ(point.length, 1);
  EXPECT_EQ(point.time, 0.3);
}

// The points of a cube of edge 2, of which the farthest are opposite corners, as mass centres and points of forces.
TEST(Scales, TheSpanIsTheLargestDistanceOfAnyTwoPoints) {
  System system;
  std::vector<BodyState> bodies;
  for (int corner = 0; corner < 8; ++corner) {
    const auto side = [corner](int bit) { return (corner >> bit) % 2 == 0 ? -1. : 1.; };
    bodies.push_back({{side(0), side(1), side(2)}, {}, {}, {}});
    system.bodies.emplace_back();
  }
  EXPECT_NEAR(SpanOf(system, bodies), 2 * std::sqrt(3.), 1e-15);
  system.forces.Of<AppliedForce>().push_back({"push", 7, {3, 0, 0}, {1, 0, 0}, {}, false});
  EXPECT_NEAR(SpanOf(system, bodies), std::sqrt(25 + 4 + 4.), 1e-14);
}

// A slider-crank of two rods of 1 um, whose slider starts `off` from where its crank of 0.5 rad puts it: 2 cos 0.5 um.
std::string SliderCrank(double slider, const std::string& more) {
  const std::string at = std::to_string(slider * 1e6) + "e-6";
  return R"({"format": "mbsbench-model", "version": 1, "name": "micro", "gravity_m_s2": [0, 0, 0],
    "bodies": [{"name": "crank", "mass_kg": 1e-13, "inertia_kg_m2": {"xx": 1e-27, "yy": 1e-27, "zz": 1e-27}},
               {"name": "rod", "mass_kg": 1e-13, "inertia_kg_m2": {"xx": 1e-27, "yy": 1e-27, "zz": 1e-27}},
               {"name": "slider", "mass_kg": 1e-13, "inertia_kg_m2": {"xx": 1e-27, "yy": 1e-27, "zz": 1e-27}}],
    "joints": [{"name": "O", "type": "revolute", "parent": "ground", "child": "crank"},
               {"name": "A", "type": "revolute", "parent": "crank", "child": "rod",
                "parent_frame": {"position_m": [1e-6, 0, 0]}, "child_frame": {"position_m": [-1e-6, 0, 0]}},
               {"name": "S", "type": "prismatic", "parent": "ground", "child": "slider",
                "parent_frame": {"quaternion_wxyz": [0.7071067811865476, 0, 0.7071067811865475, 0]},
                "child_frame": {"quaternion_wxyz": [0.7071067811865476, 0, 0.7071067811865475, 0]}}],
    "loop_joints": [{"name": "B", "type": "revolute", "parent": "rod", "child": "slider"}],
    "initial_state": [{"joint": "O", "angle_rad": 0.5, "rate_rad_s": 100},
                      {"joint": "A", "angle_rad": -1, "dependent": true},
                      {"joint": "S", "displacement_m": )" +
         at + R"(, "dependent": true}], "end_time_s": 0.1)" + more + "}";
}

TEST(Scales, ALengthMayMoveByAThousandthOfTheLengthHoweverSmallItIs) {
  // The rod's end has its own mass centre at 1e-6 from A, so the slider is at 2 cos 0.5 um.
  const double closed = 2e-6 * std::cos(0.5);
  for (const char* more : {"", R"(, "length_m": 3e-6)"}) {
    for (const double off : {9e-4, 5e-4, 3e-3, 0.1}) {  // which leave gaps of their round-off
      try {
        ParseModel(SliderCrank(closed + off, more), "micro");
        ADD_FAILURE() << off << " is accepted" << more;
      } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("would move joint 'S'")) << off << more;
      }
    }
    EXPECT_NO_THROW(ParseModel(SliderCrank(closed, more), "micro")) << more;
  }
}

}  // namespace
}  // namespace mbsbench
