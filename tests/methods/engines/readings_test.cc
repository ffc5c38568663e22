// What MuJoCo's own compiler reads in URDF and MJCF files, against masses and axes worked out by hand.
#include <cmath>
#include <fstream>

#include "tests/methods/engines/engines.h"
#include "tests/support/command.h"
#include "tests/support/crane.h"

namespace mbsbench {
namespace {

ModelReading ReadingOf(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder.File(name)) << text;
  const auto read = ReadByEngine(std::filesystem::path(MBSBENCH_ENGINES) / "mbsbench_mujoco.so",
                                 folder.File(name));
  EXPECT_TRUE(read);
  return read.value_or(ModelReading{});
}

void ExpectBody(const BodyReading& truth, const BodyReading& read) {
  EXPECT_EQ(truth.name, read.name);
  EXPECT_NEAR(truth.mass, read.mass, 1e-9) << truth.name;
  EXPECT_LT(Norm(truth.centre - read.centre), 1e-9) << truth.name;
  for (int i = 0; i < 3; ++i) {  // MuJoCo's iteration towards principal inertias stops early
    for (int k = i; k < 3; ++k)
      EXPECT_NEAR(truth.inertia(i, k), read.inertia(i, k), 1e-8) << truth.name << i << k;
  }
}

void ExpectJoint(const JointReading& truth, const JointReading& read) {
  EXPECT_EQ(truth.name, read.name);
  EXPECT_LT(Norm(truth.axis - read.axis), 1e-9) << truth.name;
  EXPECT_DOUBLE_EQ(truth.damping, read.damping);
  EXPECT_DOUBLE_EQ(truth.armature, read.armature);
}

class ReadingByMujoco : public WithEngine {
 protected:
  ReadingByMujoco() : WithEngine("mujoco") {}
};

TEST_F(ReadingByMujoco, OfUrdfAddsFixedLinksToThoseThatCarryThem) {
  const ModelReading read = ReadingOf("crane.urdf", CraneUrdf());
  ASSERT_EQ("", read.refused);
  ASSERT_EQ(1u, read.bodies.size());
  ExpectBody(ArmWithTool(), read.bodies[0]);
  ASSERT_EQ(1u, read.joints.size());
  ExpectJoint(HingeOfCrane(), read.joints[0]);
}

TEST_F(ReadingByMujoco, OfUrdfObeysTheCompilerThatTheFileStates) {
  const ModelReading read =
      ReadingOf("crane.urdf", CraneUrdf("<mujoco><compiler fusestatic='false'/></mujoco>"));
  ASSERT_EQ(3u, read.bodies.size()) << read.refused;
  ExpectBody(ArmOfCrane(), read.bodies[1]);
  ExpectBody(ToolOfCrane(), read.bodies[2]);
}

TEST_F(ReadingByMujoco, OfMjcfHasMassesByDensityDegreesArmatureAndTheOrderOfFullInertia) {
  const ModelReading read = ReadingOf("slide.xml", R"(<mujoco><worldbody>
    <body name="box" pos="0 0 1" euler="0 0 90">
      <joint name="slide" type="slide" axis="1 0 0" damping="4" armature="0.25"/>
      <geom type="box" size="0.1 0.05 0.02" density="500"/>
      <body pos="0.3 0 0">
        <joint type="hinge" axis="0 0 -3" ref="90"/>
        <inertial pos="0 0 0.5" mass="1.5" fullinertia="0.02 0.03 0.04 0.001 0.002 0.003"/>
      </body>
    </body></worldbody>
    <actuator><velocity joint="slide" kv="2"/></actuator></mujoco>)");
  ASSERT_EQ(2u, read.bodies.size()) << read.refused;
  const double third = 0.4 / 3;  // of the mass of the box; its x lies along y
  ExpectBody({.name = "box",
              .mass = 0.4,
              .centre = {0, 0, 1},
              .inertia = Diagonal(third * 0.0104, third * 0.0029, third * 0.0125)},
             read.bodies[0]);
  // The coordinate of the hinge is 90 degrees in the pose of the file; at zero its body lies a quarter of a turn further about z.
  ExpectBody({.name = "body_2",
              .mass = 1.5,
              .centre = {0, 0.3, 1.5},
              .inertia = {{0.02, 0.001, -0.002, 0.03, -0.003, 0.04}}},
             read.bodies[1]);
  ASSERT_EQ(2u, read.joints.size());
  EXPECT_LT(Norm(read.joints[0].axis - Vector3{0, 1, 0}), 1e-12);
  EXPECT_TRUE(std::isnan(read.joints[0].damping)) << "a servo damps it";
  EXPECT_EQ(0.25, read.joints[0].armature);
  ExpectJoint({.name = "joint_1", .axis = {0, 0, -1}, .damping = 0, .armature = 0}, read.joints[1]);
}

TEST_F(ReadingByMujoco, SaysWhyItRefusesAFile) {
  EXPECT_NE("", ReadingOf("crane.urdf", "<robot name='none'>").refused);
}

TEST(ReadingByEngines, IsAbsentWhereAnEngineHasNoReader) {
  for (const std::string& key : EngineKeys()) {
    const auto plugin = std::filesystem::path(MBSBENCH_ENGINES) / ("mbsbench_" + key + ".so");
    if (key == "mujoco" || !std::filesystem::exists(plugin)) continue;
    EXPECT_FALSE(ReadByEngine(plugin, "crane.urdf")) << key;
  }
}

}  // namespace
}  // namespace mbsbench
