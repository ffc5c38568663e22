// What the readers of engines make of URDF, MJCF and SDF files, against masses and axes worked out by hand: also where a reader is
// known to differ from the text.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>

#include "tests/methods/engines/engines.h"
#include "tests/support/command.h"
#include "tests/support/crane.h"

namespace mbsbench {
namespace {

// Empty: the engine has no reader.
std::optional<ModelReading> ReadingBy(const std::string& engine, const std::string& name,
                                      const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder.File(name)) << text;
  return ReadByEngine(std::filesystem::path(MBSBENCH_ENGINES) / ("mbsbench_" + engine + ".so"),
                      folder.File(name));
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

// MuJoCo of 2022, and in WebAssembly.
class ReadingByMujoco : public OfEngine {
 protected:
  static ModelReading ReadingOf(const std::string& name, const std::string& text) {
    const auto read = ReadingBy(GetParam(), name, text);
    EXPECT_TRUE(read);
    return read.value_or(ModelReading{});
  }
};

TEST_P(ReadingByMujoco, OfUrdfAddsFixedLinksToThoseThatCarryThem) {
  const ModelReading read = ReadingOf("crane.urdf", CraneUrdf());
  ASSERT_EQ("", read.refused);
  ASSERT_EQ(1u, read.bodies.size());
  ExpectBody(ArmWithTool(), read.bodies[0]);
  ASSERT_EQ(1u, read.joints.size());
  ExpectJoint(HingeOfCrane(), read.joints[0]);
}

TEST_P(ReadingByMujoco, OfUrdfObeysTheCompilerThatTheFileStates) {
  const ModelReading read =
      ReadingOf("crane.urdf", CraneUrdf("<mujoco><compiler fusestatic='false'/></mujoco>"));
  ASSERT_EQ(3u, read.bodies.size()) << read.refused;
  ExpectBody(ArmOfCrane(), read.bodies[1]);
  ExpectBody(ToolOfCrane(), read.bodies[2]);
}

TEST_P(ReadingByMujoco, OfMjcfHasMassesByDensityDegreesArmatureAndTheOrderOfInertia) {
  const ModelReading read = ReadingOf("slide.xml", R"(<mujoco><default/><worldbody>
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

TEST_P(ReadingByMujoco, ReadsTheFilesThatAFileIncludes) {
  const TemporaryFolder folder;
  std::ofstream(folder.File("load.xml")) << R"(<mujoco><worldbody><body name="load"><freejoint/>
    <geom type="box" size="0.1 0.1 0.1" mass="3"/></body></worldbody></mujoco>)";
  std::ofstream(folder.File("whole.xml")) << R"(<mujoco><include file="load.xml"/></mujoco>)";
  const auto read =
      ReadByEngine(std::filesystem::path(MBSBENCH_ENGINES) / ("mbsbench_" + GetParam() + ".so"),
                   folder.File("whole.xml"));
  ASSERT_TRUE(read && read->bodies.size() == 1) << (read ? read->refused : "no reader");
  ExpectBody({.name = "load", .mass = 3, .centre = {}, .inertia = Diagonal(0.02, 0.02, 0.02)},
             read->bodies[0]);
}

TEST_P(ReadingByMujoco, SaysWhyItRefusesAFile) {
  EXPECT_NE("", ReadingOf("crane.urdf", "<robot name='none'>").refused);
}

INSTANTIATE_TEST_SUITE_P(Versions, ReadingByMujoco, testing::Values("mujoco", "mujoco-node"),
                         NameOfEngine);

class ReadingByDart : public WithEngine {
 protected:
  ReadingByDart() : WithEngine("dart") {}

  // What the test skips: the readers are a package of their own.
  std::optional<ModelReading> ReadingOf(const std::string& name, const std::string& text) {
    auto read = ReadingBy("dart", name, text);
    if (!read) std::puts("libdart-utils-urdf-dev is not installed: nothing to test");
    return read;
  }
};

// Its links without <inertial> weigh 1 kg and have an inertia of 1 kg m^2.
TEST_F(ReadingByDart, OfUrdfGivesLinksWithoutInertiaThatOfAKilogram) {
  const auto read = ReadingOf("crane.urdf", CraneUrdf());
  if (!read) return;
  ASSERT_EQ(3u, read->bodies.size()) << read->refused;
  ExpectBody({.name = "base", .mass = 1, .centre = {}, .inertia = Diagonal(1, 1, 1)},
             read->bodies[0]);
  ExpectBody(ArmOfCrane(), read->bodies[1]);
  ExpectBody(ToolOfCrane(), read->bodies[2]);
  ASSERT_EQ(1u, read->joints.size());
  ExpectJoint(HingeOfCrane(), read->joints[0]);
}

// Its principal axes lie along those of the link, whatever turns <inertial>: 0.01 and 0.02 change places.
TEST_F(ReadingByDart, OfSdfLeavesOutTheTurnOfAnInertia) {
  const auto read = ReadingOf("arm.sdf", R"(<sdf version="1.6"><model name="crane">
    <link name="arm"><pose>0 0 1 1.5707963267948966 0 0</pose>
      <inertial><pose>0.1 0.2 0 0 0 1.5707963267948966</pose><mass>2</mass>
        <inertia><ixx>0.01</ixx><ixy>0</ixy><ixz>0</ixz><iyy>0.02</iyy><iyz>0</iyz><izz>0.025</izz></inertia>
      </inertial></link>
    <joint name="hinge" type="revolute"><parent>world</parent><child>arm</child>
      <axis><xyz>0 0 1</xyz><dynamics><damping>0.3</damping></dynamics></axis></joint>
  </model></sdf>)");
  if (!read) return;
  ASSERT_EQ(1u, read->bodies.size()) << read->refused;
  BodyReading arm = ArmOfCrane();
  arm.inertia = Diagonal(0.01, 0.025, 0.02);
  ExpectBody(arm, read->bodies[0]);
  ASSERT_EQ(1u, read->joints.size());
  ExpectJoint(HingeOfCrane(), read->joints[0]);
}

TEST_F(ReadingByDart, OfMjcfLeavesOutInertiaAndArmature) {
  const auto read = ReadingOf("slide.xml", R"(<mujoco><default/><worldbody><body name="box" pos="0 0 1">
    <joint name="slide" type="slide" axis="1 0 0" damping="4" armature="0.25"/>
    <geom type="box" size="0.1 0.05 0.02" mass="0.4"/></body></worldbody></mujoco>)");
  if (!read) return;
  ASSERT_EQ(1u, read->bodies.size()) << read->refused;
  ExpectBody({.name = "box", .mass = 0.4, .centre = {0, 0, 1}, .inertia = Diagonal(1, 1, 1)},
             read->bodies[0]);
  ASSERT_EQ(1u, read->joints.size());
  ExpectJoint({.name = "slide", .axis = {1, 0, 0}, .damping = 4, .armature = 0}, read->joints[0]);
}

TEST_F(ReadingByDart, SaysWhyItRefusesAFile) {
  const auto read = ReadingOf("crane.urdf", "<robot name='none'>");
  if (!read) return;
  EXPECT_NE("", read->refused);
}

TEST(ReadingByEngines, IsAbsentWhereAnEngineHasNoReader) {
  for (const std::string& key : EngineKeys()) {
    const auto plugin = std::filesystem::path(MBSBENCH_ENGINES) / ("mbsbench_" + key + ".so");
    const bool has_reader = key.starts_with("mujoco") || key == "dart";
    if (has_reader || !std::filesystem::exists(plugin)) continue;
    EXPECT_FALSE(ReadByEngine(plugin, "crane.urdf")) << key;
  }
}

}  // namespace
}  // namespace mbsbench
