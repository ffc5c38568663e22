// Commands on robot files, as a user types them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/harness/command_line/bench.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string ExampleFile(const std::string& name) {
  return std::string(MBSBENCH_SOURCE_DIR) + "/examples/robots/" + name;
}

TEST(RobotCommands, GiveTheSameAccelerationsForARobotAndTheModelFileItConvertsTo) {
  const TemporaryFolder folder;
  const std::string urdf = ExampleFile("quad4.urdf"), state = ExampleFile("quad4.state.json");
  const CommandResult converted = Bench({"convert", urdf, "--state", state});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  const std::string model = folder.File("quad4.json");
  std::ofstream(model) << converted.out;
  const CommandResult robot =
      Bench({"accelerations", urdf, "articulated-body", "--state", state, "--json"});
  const CommandResult file = Bench({"accelerations", model, "articulated-body", "--json"});
  ASSERT_EQ(robot.exit_code, 0) << robot.err;
  ASSERT_EQ(file.exit_code, 0) << file.err;
  const json a = json::parse(robot.out), b = json::parse(file.out);
  EXPECT_EQ(a.at("bodies"), b.at("bodies"));
  EXPECT_EQ(a.at("joints"), b.at("joints"));
  EXPECT_FALSE(a.at("warnings").empty());
  EXPECT_TRUE(b.at("warnings").empty());
}

// A program in a folder without readers: each absent reader is named with its package.
TEST(RobotCommands, NameAnAbsentReaderWithItsPackage) {
  const TemporaryFolder folder;
  const std::string program = folder.File("mbsbench");
  std::filesystem::copy(MBSBENCH_EXECUTABLE, program);
  for (const auto& [ending, package] :
       {std::pair{".mjcf", "libmujoco-dev"}, std::pair{".sdf", "libsdformat-dev"}}) {
    const CommandResult absent = RunCommand(program, {"check", ExampleFile("arm6") + ending});
    EXPECT_EQ(absent.exit_code, 2);
    EXPECT_THAT(absent.err,
                HasSubstr("files is absent: install " + std::string(package) + " and rebuild."));
  }
}

// The commands on all formats whose readers are built.
TEST(RobotCommands, AcceptEveryFormat) {
  const std::string state = ExampleFile("quad4.state.json");
  json expected;
  for (const std::string ending : {".urdf", ".mjcf", ".sdf"}) {
    const std::string robot = ExampleFile("quad4" + ending);
    const CommandResult check = Bench({"check", robot, "--state", state});
    if (check.err.find("is absent: install") != std::string::npos) continue;
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_THAT(check.out, HasSubstr("ground:trunk (free) -> trunk, 12 kg"));
    const CommandResult solved =
        Bench({"solve", robot, "articulated-body", "--state", state, "--end", "0.01", "--json"});
    EXPECT_EQ(solved.exit_code, 0) << solved.err;
    const CommandResult accelerations =
        Bench({"accelerations", robot, "articulated-body", "--state", state, "--json"});
    ASSERT_EQ(accelerations.exit_code, 0) << accelerations.err;
    const json bodies = json::parse(accelerations.out).at("bodies");
    if (expected.is_null()) expected = bodies;
    ASSERT_EQ(bodies.size(), expected.size());
    for (const json& body : bodies) {
      const auto same = std::ranges::find_if(
          expected, [&](const json& other) { return other.at("name") == body.at("name"); });
      ASSERT_NE(same, expected.end()) << body.at("name");
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(body.at("acceleration").at(i).get<double>(),
                    same->at("acceleration").at(i).get<double>(), 1e-12);
      }
    }
  }
}

TEST(RobotCommands, ReportUnsupportedFeaturesInJsonToo) {
  const TemporaryFolder folder;
  const std::string urdf = folder.File("x.urdf");
  std::ofstream(urdf) << R"(<robot name="x"><link name="a"><inertial><mass value="1"/>
      <inertia ixx="-1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>)";
  const CommandResult refused = Bench({"accelerations", urdf, "articulated-body", "--json"});
  EXPECT_EQ(refused.exit_code, 2);
  const json document = json::parse(refused.out);
  EXPECT_EQ(document.at("outcome"), "unsupported");
  EXPECT_THAT(document.at("reason").get<std::string>(), HasSubstr("not positive semidefinite"));
  EXPECT_THAT(refused.err, HasSubstr("not positive semidefinite"));
}

TEST(RobotCommands, ObserveJointsWhoseNamesHoldCommas) {
  const TemporaryFolder folder;
  const std::string urdf = folder.File("x.urdf");
  std::ofstream(urdf)
      << R"(<robot name="x"><link name="a"/><link name="b"><inertial><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
      <joint name="left, upper" type="continuous"><parent link="a"/><child link="b"/></joint></robot>)";
  const auto observe = [&urdf](const std::string& names) {
    return Bench(
        {"solve", urdf, "articulated-body", "--end", "0.01", "--json", "--observe", names});
  };
  const CommandResult observed = observe("left, upper,ground:a");
  ASSERT_EQ(observed.exit_code, 0) << observed.err;
  EXPECT_THAT(observed.out, HasSubstr("\"left, upper.angle_rad\""));
  EXPECT_THAT(observe("left").err, HasSubstr("there is no joint, spring or driver 'left'"));
}

TEST(RobotCommands, RefuseWhatIsNotKnownWhenStrict) {
  const TemporaryFolder folder;
  const std::string urdf = folder.File("x.urdf");
  std::ofstream(urdf) << R"(<robot name="x"><wobble/><link name="a"><inertial><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>)";
  const CommandResult warned = Bench({"accelerations", urdf, "articulated-body"});
  EXPECT_EQ(warned.exit_code, 0);
  EXPECT_THAT(warned.err, HasSubstr("may change the motion"));
  const CommandResult certified = Bench({"certify", urdf + ":end=0.001"});
  EXPECT_EQ(certified.exit_code, 0) << certified.err;
  EXPECT_THAT(certified.err, HasSubstr("may change the motion"));
  const CommandResult refused = Bench({"accelerations", urdf, "articulated-body", "--strict"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("<wobble> in <robot> (line 1) is not known"));
  EXPECT_EQ(Bench({"check", "branch4", "--strict"}).exit_code, 0);
}

TEST(RobotCommands, RequireAnEndTimeForAMotionAndRefuseAStateForOtherProblems) {
  const std::string urdf = ExampleFile("arm6.urdf"), state = ExampleFile("arm6.state.json");
  const CommandResult endless = Bench({"solve", urdf, "articulated-body", "--state", state});
  EXPECT_EQ(endless.exit_code, 2);
  EXPECT_THAT(endless.err, HasSubstr("--end SECONDS"));
  const CommandResult solved =
      Bench({"solve", urdf, "articulated-body", "--state", state, "--end", "0.01"});
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_THAT(solved.err, HasSubstr("WARNING: damping of 2 joints taken as linear dampers"));
  const CommandResult check = Bench({"check", urdf, "--state", state});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("Warnings\n  damping of 2 joints"));
  const CommandResult other = Bench({"check", "branch4", "--state", state});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("is for a robot file"));
}

}  // namespace
}  // namespace mbsbench
