// Who is right about a mechanism, and the smallest model on which somebody is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "problems/io/model_file.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;

// A pendulum with a damper and lengths of many digits. In the equations of toy-liar gravity has the wrong sign.
void WritePendulum(const std::string& file) {
  std::ofstream(file) << R"({"format": "mbsbench-model", "version": 1, "name": "swing-arm",
    "bodies": [{"name": "arm", "mass_kg": 1.2345, "inertia_kg_m2": {"xx": 0.01, "yy": 0.1234, "zz": 0.1234}}],
    "joints": [{"name": "pin", "type": "revolute", "parent": "ground", "child": "arm",
                "child_frame": {"position_m": [-0.51234, 0, 0]}}],
    "joint_spring_dampers": [{"name": "damper", "joint": "pin", "damping_N_m_s_rad": 0.5}],
    "initial_state": [{"joint": "pin", "angle_rad": 0.4321, "rate_rad_s": 0}], "end_time_s": 1})";
}

TEST(Settle, SaysWhoIsWrongWhereAndWritesTheSmallestModel) {
  const TemporaryFolder folder;
  const std::string model = folder.File("arm.json"), reduced = folder.File("reduced.json");
  WritePendulum(model);
  const CommandResult result =
      RunCommand(TOYS_EXECUTABLE, {"settle", model, "--method", "toy-liar", "--reduce", reduced});
  EXPECT_EQ(3, result.exit_code) << result.err;
  EXPECT_THAT(result.out, HasSubstr("WRONG at "));
  EXPECT_THAT(result.out, HasSubstr("body 'arm'"));
  const Problem smallest = ReadModelFile(reduced);
  EXPECT_TRUE(smallest.system.forces.empty()) << "the damper is not needed";
  EXPECT_EQ(1, smallest.system.bodies[0].mass);
  EXPECT_EQ(-0.5, smallest.system.joints[0].child_frame.position.x);
  EXPECT_EQ(3, RunCommand(TOYS_EXECUTABLE, {"accelerations", reduced, "toy-liar"}).exit_code);
  EXPECT_EQ(0,
            RunCommand(TOYS_EXECUTABLE, {"settle", reduced, "--method", "toy-pendulum"}).exit_code);
}

TEST(Settle, PrintsOneDocumentAlsoWhereItReduces) {
  const TemporaryFolder folder;
  const std::string model = folder.File("arm.json"), reduced = folder.File("reduced.json");
  WritePendulum(model);
  const CommandResult result = RunCommand(
      TOYS_EXECUTABLE, {"settle", model, "--method", "toy-liar", "--reduce", reduced, "--json"});
  EXPECT_EQ(3, result.exit_code) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ("wrong_equations", document.at("agreement").at("methods").at(0).at("judged"));
  // The arm begins to fall about its end: it turns the other way where gravity has the wrong sign.
  const json arm = document.at("reduced").at("bodies").at(0);
  EXPECT_EQ("arm", arm.at("name"));
  EXPECT_NEAR(arm.at("truth").at(5).get<double>(), -arm.at("method").at(5).get<double>(), 1e-9);
  EXPECT_EQ(1u, ReadModelFile(reduced).system.bodies.size());
}

TEST(Settle, FindsNobodyWrongAmongOurMethodsOnALoop) {
  const CommandResult result = RunCommand(
      MBSBENCH_EXECUTABLE, {"settle", "fourbar", "--method", "articulated-body", "--method",
                            "cartesian-dae", "--method", "equivalent-particles", "--json"});
  EXPECT_EQ(0, result.exit_code) << result.err;
  const json methods = json::parse(result.out).at("agreement").at("methods");
  ASSERT_EQ(3u, methods.size());
  for (const json& method : methods) EXPECT_EQ("ok", method.at("judged")) << method;
}

// MuJoCo takes the mass of a link without <inertial> from its geometry.
TEST(Settle, ComparesWhatAnEngineReadsInARobotFileBeforeTheAccelerations) {
  const auto build = std::filesystem::path(MBSBENCH_EXECUTABLE).parent_path();
  if (!std::filesystem::exists(build / "engines/mbsbench_mujoco.so"))
    GTEST_SKIP() << "engine mujoco is not installed";
  const TemporaryFolder folder;
  const std::string file = folder.File("gantry.urdf");
  std::ofstream(file) << R"(<robot name="gantry"><link name="base"/>
    <link name="beam"><collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision></link>
    <link name="arm"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
    <link name="tool"><inertial><mass value="1"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
    <joint name="turn" type="continuous"><parent link="base"/><child link="beam"/><axis xyz="0 0 1"/></joint>
    <joint name="hinge" type="continuous"><parent link="beam"/><child link="arm"/>
      <origin xyz="0.3 0 0"/><axis xyz="0 1 0"/></joint>
    <joint name="flange" type="fixed"><parent link="arm"/><child link="tool"/><origin xyz="0.2 0 0"/></joint>
  </robot>)";
  const auto settle = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"settle", file, "--method", "articulated-body"};
    words.insert(words.end(), more.begin(), more.end());
    return RunCommand(MBSBENCH_EXECUTABLE, words);
  };
  const CommandResult text = settle({"--engine", "mujoco"});
  EXPECT_EQ(0, text.exit_code) << text.err;
  EXPECT_THAT(text.out, ContainsRegex("\nelement +quantity +ours +mujoco\n"));
  EXPECT_THAT(text.out, ContainsRegex("\nbody 'beam' +mass \\[kg\\] +0 +6\n"));
  EXPECT_THAT(text.out,
              HasSubstr("mujoco: it adds bodies without a joint to those that carry them: tool"));
  EXPECT_LT(text.out.find("body 'beam'"), text.out.find("accelerations at "));
  const json readings = json::parse(settle({"--engine", "mujoco", "--json"}).out).at("readings");
  ASSERT_EQ(1u, readings.size());
  EXPECT_EQ("differs", readings[0].at("verdict"));
  EXPECT_EQ(json::array({"tool"}), readings[0].at("merged"));
  for (const json& difference : readings[0].at("differences"))
    EXPECT_EQ("body 'beam'", difference.at("element")) << "all others are read alike";
  EXPECT_TRUE(json::parse(settle({"--json"}).out).at("readings").empty())
      << "no engine is asked for";
}

TEST(Settle, SaysThatNothingIsWrittenWhereNobodyIsWrong) {
  const TemporaryFolder folder;
  const std::string model = folder.File("arm.json"), reduced = folder.File("reduced.json");
  WritePendulum(model);
  const CommandResult result = RunCommand(
      MBSBENCH_EXECUTABLE, {"settle", model, "--method", "riccati-mstmm", "--reduce", reduced});
  EXPECT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.err, HasSubstr("no method is wrong"));
  EXPECT_FALSE(std::filesystem::exists(reduced));
}

TEST(Settle, RefusesAMethodThatIsNotThere) {
  const CommandResult result =
      RunCommand(MBSBENCH_EXECUTABLE, {"settle", "fourbar", "--method", "articulate-body"});
  EXPECT_EQ(2, result.exit_code);
  EXPECT_THAT(result.err, HasSubstr("articulated-body"));
}

}  // namespace
}  // namespace mbsbench
