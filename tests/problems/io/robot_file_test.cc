// URDF files as problems: conversion of each element, refusals, warnings about ignored elements, and
// messages for damaged files.
#include "problems/io/robot_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "problems/io/model_file.h"
#include "problems/io/write_model.h"
#include "problems/model/kinematics.h"
#include "tests/fuzz/mutations.h"
#include "tests/support/command.h"
#include "tests/support/processor_time.h"

namespace mbsbench {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

std::string Example(const std::string& file) {
  std::ifstream in(std::string(MBSBENCH_SOURCE_DIR) + "/examples/robots/" + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Robot(const std::string& elements) {
  return "<robot name=\"r\">\n" + elements + "</robot>\n";
}
std::string Link(const std::string& name, double mass = 1,
                 const std::string& inertia = "1 0 0 1 0 1", const std::string& origin = "") {
  std::istringstream in(inertia);
  std::string m[6];
  for (std::string& entry : m) in >> entry;
  return fmt::format(
      "<link name=\"{}\"><inertial>{}<mass value=\"{}\"/><inertia ixx=\"{}\" ixy=\"{}\" "
      "ixz=\"{}\" iyy=\"{}\" iyz=\"{}\" izz=\"{}\"/></inertial></link>\n",
      name, origin, mass, m[0], m[1], m[2], m[3], m[4], m[5]);
}
std::string Joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& rest = "") {
  const bool limited = type == "revolute" || type == "prismatic";
  return fmt::format(
      "<joint name=\"{}\" type=\"{}\"><parent link=\"{}\"/><child link=\"{}\"/>{}{}</joint>\n",
      name, type, parent, child,
      limited && rest.find("<limit") == std::string::npos
          ? "<limit lower=\"-3\" upper=\"3\" effort=\"1\" velocity=\"1\"/>"
          : "",
      rest);
}
std::string Arm(const std::string& joint) {
  return Robot(Link("a") + Link("b") + Joint("j", "revolute", "a", "b", joint));
}

Problem Parsed(const std::string& urdf, const RobotOptions& options = {}) {
  return ParseRobot(urdf, "robot.urdf", options);
}
Problem Started(const std::string& urdf, const std::string& state) {
  return ParseRobot(urdf, "robot.urdf", {.state = "state.json"},
                    R"({"format": "mbsbench-robot-state", "version": 1, )" + state + "}");
}
std::string Sentence(const std::string& urdf, const RobotOptions& options = {}) {
  try {
    Parsed(urdf, options);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}
std::string StateSentence(const std::string& urdf, const std::string& state) {
  try {
    Started(urdf, state);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}
// The axis of a joint in inertial axes with everything at zero.
Vector3 AxisOf(const Problem& p, std::size_t joint) {
  const auto& j = p.system.joints[joint];
  const auto bodies = ForwardKinematics(p.system, p.initial.joints);
  return Rotate(bodies[static_cast<std::size_t>(j.parent)].orientation * j.parent_frame.orientation,
                {0, 0, 1});
}
void ExpectNear(const Vector3& a, const Vector3& b, double bound) {
  EXPECT_LE(Norm(a - b), bound) << fmt::format("({}, {}, {})", a.x, a.y, a.z);
}

// ---- conversion of elements

TEST(RobotFiles, SurviveConversionToModelFilesToTheBit) {
  for (const std::string robot : {"arm6", "quad4"}) {
    const Problem read = ParseRobot(Example(robot + ".urdf"), robot, {.state = "state"},
                                    Example(robot + ".state.json"));
    const std::string text = WriteModel(read);
    EXPECT_EQ(WriteModel(ParseModel(text, "again")), text);
    EXPECT_EQ(read.name, robot + "-robot");  // the catalogue has robots of these names
  }
}

TEST(RobotFiles, PlaceEachLinkFrameByTheJoints) {
  // Fixed axes: first about x, then y, then z. A prismatic joint along the turned x axis.
  const Problem p = Started(
      Robot(Link("a", 1, "1 0 0 1 0 1", "<origin xyz=\"0.3 0.2 0.1\"/>") +
            Link("b", 2, "1 0 0 1 0 1", "<origin xyz=\"0 0 0.5\"/>") +
            Joint("j", "prismatic", "a", "b",
                  "<origin xyz=\"1 2 3\" rpy=\"0 1.5707963267948966 1.5707963267948966\"/>")),
      R"("base": "fixed", "base_pose": {"position_m": [10, 0, 0]},
         "joints": {"j": {"position": 0.25, "velocity": 4}})");
  const auto bodies = ForwardKinematics(p.system, p.initial.joints);
  ExpectNear(bodies[0].position, {10.3, 0.2, 0.1}, 1e-15);
  // Rz(90) Ry(90): x -> -z, y -> -x, z -> y.
  ExpectNear(bodies[1].position, {11, 2.5, 3 - 0.25}, 1e-14);
  ExpectNear(bodies[1].velocity, {0, 0, -4}, 1e-14);
  ExpectNear(Rotate(bodies[1].orientation, {0, 1, 0}), {-1, 0, 0}, 1e-15);
}

TEST(RobotFiles, StateTheMotionOfAFreeBaseForItsLinkFrameInInertialAxes) {
  const Problem p = Started(Robot(Link("a", 1, "1 0 0 1 0 1", "<origin xyz=\"1 0 0\"/>")),
                            R"("base": "free",
       "base_pose": {"position_m": [0, 0, 5], "quaternion_wxyz": [0.8, 0, 0.6, 0]},
       "base_velocity": {"velocity_m_s": [1, 2, 3], "angular_velocity_rad_s": [0, 0, 2]})");
  const BodyState a = ForwardKinematics(p.system, p.initial.joints)[0];
  const Vector3 arm = Rotate({0.8, 0, 0.6, 0}, {1, 0, 0});
  ExpectNear(a.position, Vector3{0, 0, 5} + arm, 1e-14);
  ExpectNear(a.angular_velocity, {0, 0, 2}, 1e-14);
  ExpectNear(a.velocity, Vector3{1, 2, 3} + Cross({0, 0, 2}, arm), 1e-14);
}

TEST(RobotFiles, StateTheMotionOfAFloatingJointInAxesOfItsJointFrame) {
  const Problem p = Started(
      Robot(Link("a") + Link("b") +
            Joint("j", "floating", "a", "b",
                  "<origin xyz=\"0 0 0\" rpy=\"0 0 1.5707963267948966\"/>")),
      R"("base": "fixed", "joints": {"j": {"position_m": [1, 0, 0], "quaternion_wxyz": [0.6, 0.8, 0, 0],
         "velocity_m_s": [0, 1, 0], "angular_velocity_rad_s": [0, 3, 0]}})");
  const BodyState b = ForwardKinematics(p.system, p.initial.joints)[1];
  ExpectNear(b.position, {0, 1, 0}, 1e-15);
  ExpectNear(b.velocity, {-1, 0, 0}, 1e-15);
  ExpectNear(b.angular_velocity, {-3, 0, 0}, 1e-14);
}

TEST(RobotFiles, MoveAPlanarJointNormalToItsAxis) {
  const Problem p = Started(
      Robot(Link("a") + Link("b") + Joint("j", "planar", "a", "b", "<axis xyz=\"0 0 1\"/>")),
      R"("base": "fixed", "joints": {"j": {"position_m": [1, 2], "angle_rad": 0.5,
         "velocity_m_s": [3, 4], "rate_rad_s": 5}})");
  const BodyState b = ForwardKinematics(p.system, p.initial.joints)[1];
  ExpectNear(b.position, {1, 2, 0}, 1e-15);
  ExpectNear(b.velocity, {3, 4, 0}, 1e-15);
  ExpectNear(b.angular_velocity, {0, 0, 5}, 1e-15);
}

TEST(RobotFiles, NormaliseAxesAndUseXByDefault) {
  const auto axis = [](const std::string& text) { return AxisOf(Parsed(Arm(text)), 1); };
  ExpectNear(axis(""), {1, 0, 0}, 1e-15);
  ExpectNear(axis("<axis xyz=\"0 0 -1\"/>"), {0, 0, -1}, 1e-15);
  ExpectNear(axis("<axis xyz=\"0 0 7\"/>"), {0, 0, 1}, 1e-15);
  ExpectNear(axis("<axis xyz=\"3 0 -4e0\"/>"), {0.6, 0, -0.8}, 1e-15);
  ExpectNear(axis("<axis xyz=\"0 1e-200 0\"/>"), {0, 1, 0}, 1e-15);
  ExpectNear(axis("<axis xyz=\"1e-9 0 -1\"/>"), {1e-9, 0, -1}, 1e-15);
  ExpectNear(axis("<axis xyz=\"1e-170 0 -1\"/>"), {0, 0, -1}, 1e-15);
}

// R I R^T by hand: a quarter turn about z exchanges xx and yy, and xz becomes yz.
TEST(RobotFiles, TurnInertiasIntoTheAxesOfTheLink) {
  const Body body = Parsed(Robot(Link("a", 1, "2 0 0.1 3 0 4",
                                      "<origin xyz=\"0 0 1\" rpy=\"0 0 1.5707963267948966\"/>")))
                        .system.bodies[0];
  EXPECT_NEAR(body.inertia(0, 0), 3, 1e-14);
  EXPECT_NEAR(body.inertia(1, 1), 2, 1e-14);
  EXPECT_NEAR(body.inertia(1, 2), 0.1, 1e-15);
  EXPECT_EQ(body.inertia(1, 2), body.inertia(2, 1));
  EXPECT_NEAR(body.inertia(0, 2), 0, 1e-15);
}

TEST(RobotFiles, PlaceTheCentreOfAMasslessLinkAtItsOrigin) {
  const Problem p = Parsed(Robot("<link name=\"root\"/>" +
                                 Link("a", 0, "1 0 0 1 0 1", "<origin xyz=\"0 0 9\"/>") +
                                 Joint("j", "fixed", "root", "a", "<origin xyz=\"1 2 3\"/>")));
  const auto bodies = ForwardKinematics(p.system, p.initial.joints);
  EXPECT_EQ(p.system.bodies[0].mass, 0);
  ExpectNear(bodies[0].position, {0, 0, 0}, 0);
  ExpectNear(bodies[1].position, {1, 2, 3}, 0);
  EXPECT_EQ(p.system.bodies[1].inertia(0, 0), 1);  // inertia counts with or without mass
}

TEST(RobotFiles, OfOneLinkAreAsLongAsItsMassCentreIsFromItsJoint) {
  const Problem p = Parsed(Robot(Link("a", 1, "1 0 0 1 0 1", "<origin xyz=\"0 2e-5 0\"/>")));
  EXPECT_EQ(p.length, 2e-5);
  EXPECT_NEAR(p.time, std::sqrt(2e-5 / 9.81), 1e-15);
}

TEST(RobotFiles, ConvertJointDampingToADamper) {
  const Problem p = Parsed(Arm("<dynamics damping=\"0.7\"/>"));
  ASSERT_EQ(p.system.forces.Of<JointSpringDamper>().size(), 1U);
  EXPECT_EQ(p.system.forces.Of<JointSpringDamper>()[0].damping, 0.7);
  EXPECT_EQ(p.system.forces.Of<JointSpringDamper>()[0].joint, 1);
  EXPECT_FALSE(p.conservative);
  EXPECT_TRUE(Parsed(Arm("")).conservative);
}

TEST(RobotFiles, WithoutANameTakeTheNameOfTheFile) {
  EXPECT_EQ(Parsed("<robot name=\"\">" + Link("a") + "</robot>").name, "robot");
}

TEST(RobotFiles, MayListJointsBeforeLinksAndUseBlanksInNames) {
  const Problem p = Parsed(Robot(Joint("the joint", "continuous", "the base", "an arm") +
                                 Link("an arm") + Link("the base")));
  EXPECT_EQ(p.system.joints[0].name, "ground:the base");
  EXPECT_EQ(p.system.joints[0].child, 1);
  EXPECT_EQ(p.system.joints[1].parent, 1);
}

// ---- ignored elements

TEST(RobotFiles, ReportIgnoredElements) {
  const auto warnings = [](const std::string& urdf, const RobotOptions& options = {}) {
    return Parsed(urdf, options).warnings;
  };
  EXPECT_THAT(warnings(Arm("")), Contains(HasSubstr("no state is given")));
  EXPECT_THAT(warnings(Arm("")), Contains(HasSubstr("1 <limit>")));
  EXPECT_THAT(warnings(Arm("<dynamics damping=\"1\"/>")),
              Contains("damping of 1 joint taken as a linear damper"));
  EXPECT_THAT(warnings(Arm("<dynamics friction=\"1\"/>")),
              Contains(HasSubstr("dry friction of \"j\" ignored")));
  EXPECT_THAT(warnings(Robot(Link("a") + Link("b") +
                             Joint("j", "fixed", "a", "b", "<dynamics damping=\"1\"/>"))),
              Contains(HasSubstr("damping of the fixed joint \"j\" ignored")));
  EXPECT_THAT(warnings(Robot(Link("a") + "<gazebo/><transmission name=\"t\"/><gazebo/>")),
              Contains("elements ignored: 2 <gazebo>, 1 <transmission>"));
  EXPECT_THAT(warnings(Robot("<link name=\"a\"><collision><geometry><sphere radius=\"1\"/>"
                             "</geometry></collision></link>")),
              Contains("elements ignored: 1 <collision>"));
  EXPECT_THAT(warnings(Arm("<mimic joint=\"j\"/>"), {.state = "", .mimic_is_free = true}),
              Contains(HasSubstr("moves independently here")));
  EXPECT_THAT(
      warnings(Robot(Link("a", 1, "0.001 0 0 0.002 0 0.004")),
               {.state = "", .accept_inertia = true}),
      Contains(HasSubstr(
          "no rigid body can have its inertia (0.001 + 0.002 < 0.004 kg m^2); taken as it is")));
  const auto started = [](const std::string& limits, double q) {
    return Started(Arm("<limit effort=\"1\" velocity=\"1\" " + limits + "/>"),
                   fmt::format(R"("base": "fixed", "joints": {{"j": {{"position": {}}}}})", q))
        .warnings;
  };
  EXPECT_THAT(started("lower=\"-1\" upper=\"2\"", 2.5),
              Contains("joint \"j\" starts at 2.5, outside its limits -1 to 2"));
  EXPECT_THAT(started("lower=\"-1\" upper=\"2\"", 1.5), testing::SizeIs(1));
  EXPECT_THAT(started("lower=\"0\" upper=\"0\"", 1.5), testing::SizeIs(1));
}

// ---- refusals

TEST(RobotFiles, AreRefusedForFeaturesThatTheModelLacks) {
  EXPECT_THAT(Sentence(Arm("<mimic joint=\"k\"/>")),
              HasSubstr("joint \"j\" mimics \"k\": coupled coordinates are not in the model "
                        "(with --mimic=free it moves independently)"));
  EXPECT_THAT(Sentence(Robot(Link("x", 1, "-0.0001 0 0 1 0 1"))),
              HasSubstr("link \"x\": its inertia is not positive semidefinite (least principal "
                        "moment -0.0001 kg m^2)"));
  EXPECT_THAT(Sentence(Robot(Link("x", 1, "0.001 0 0 0.002 0 0.004"))),
              HasSubstr("link \"x\": no rigid body can have its inertia (0.001 + 0.002 < 0.004 kg "
                        "m^2); --accept-inertia takes it as it is"));
  EXPECT_THAT(Sentence(Robot(Link("x", 1, "0 0 0 0 0 0.004"))),
              HasSubstr("no rigid body can have its inertia"));
  EXPECT_THAT(Sentence(Robot(Link("x", -1))), HasSubstr("its mass is -1 kg"));
  EXPECT_THAT(Sentence(Robot(Link("x") + Link("y"))),
              HasSubstr("the links do not form one tree: \"x\" and \"y\" have no parent"));
  EXPECT_THAT(Sentence(Arm("<axis xyz=\"0 0 0\"/>")), HasSubstr("axis (0, 0, 0)"));
  EXPECT_THAT(Sentence(Arm("<dynamics damping=\"-1\"/>")), HasSubstr("damping -1"));
  EXPECT_THAT(Sentence(Robot(Link("a") + Link("b") +
                             Joint("j", "floating", "a", "b", "<dynamics damping=\"1\"/>"))),
              HasSubstr("dampers act in revolute and prismatic joints only"));
  EXPECT_THAT(Sentence(Robot("<xacro:property name=\"a\" value=\"1\"/>" + Link("a"))),
              HasSubstr("xacro elements are not expanded; run xacro first."));
}

TEST(RobotFiles, WithAnImpossibleInertiaKeepItAsModelFiles) {
  const Problem p =
      Parsed(Robot(Link("a", 1, "0 0 0 0 0 0.004")), {.state = "", .accept_inertia = true});
  EXPECT_THAT(WriteModel(p), HasSubstr("\"inertia_as_given\": true"));
  EXPECT_EQ(WriteModel(ParseModel(WriteModel(p), "again")), WriteModel(p));
  EXPECT_THAT(WriteModel(Parsed(Arm(""))), testing::Not(HasSubstr("inertia_as_given")));
}

// Nine printed digits of a rod's inertia: off the triangle by 1e-9 of its size.
TEST(RobotFiles, MayPrintInertiasToNineDigits) {
  EXPECT_EQ(Sentence(Robot(Link("a", 1, "0 0 0 0.1 0 0.10000000005"))), "accepted");
  EXPECT_THAT(Sentence(Robot(Link("a", 1, "0 0 0 0.1 0 0.10000001"))),
              HasSubstr("no rigid body can have its inertia"));
}

TEST(RobotFiles, AreRefusedWithFileAndLine) {
  const std::string two = Link("a") + Link("b");
  EXPECT_THAT(Sentence(Robot(Link("a") + Link("a"))),
              StartsWith("robot.urdf, line 3: link \"a\" is already defined in line 2"));
  EXPECT_THAT(Sentence(Robot(two + Joint("j", "fixed", "a", "c"))),
              StartsWith("robot.urdf, line 4: joint \"j\" names link \"c\", which does not exist"));
  EXPECT_THAT(Sentence(Robot(two + Joint("j", "fixed", "a", "b") + Joint("k", "fixed", "a", "b"))),
              HasSubstr("line 5: link \"b\" is the child of two joints, \"j\" and \"k\""));
  EXPECT_THAT(Sentence(Robot(two + Joint("j", "fixed", "a", "b") + Joint("k", "fixed", "b", "a"))),
              HasSubstr("every link has a parent"));
  EXPECT_THAT(Sentence(Robot(two + Link("root") + Joint("j", "fixed", "a", "b") +
                             Joint("k", "fixed", "b", "a"))),
              HasSubstr("\"a\" belongs to a cycle"));
  EXPECT_THAT(Sentence(Robot(two + Joint("j", "fixed", "a", "b") + Joint("j", "fixed", "a", "b"))),
              HasSubstr("joint \"j\" is already defined in line 4"));
  EXPECT_THAT(Sentence(Arm("<axis xyz=\"1 0 0\"/><axis xyz=\"0 1 0\"/>")),
              HasSubstr("<joint> \"j\" has two <axis> elements"));
  EXPECT_THAT(Sentence(Arm("<origin xyz=\"1e308 1e308 0\"/>")), StartsWith("robot.urdf"));
  EXPECT_THAT(Sentence(Robot(Link("a", 1e308, "1e308 0 0 1e308 0 1e308"))),
              StartsWith("robot.urdf"));
  EXPECT_THAT(Sentence(Robot("")), HasSubstr("has no link"));
  EXPECT_THAT(Sentence("<robot/>"), StartsWith("robot.urdf"));
  EXPECT_THAT(Sentence(""), StartsWith("robot.urdf"));
  EXPECT_THAT(Sentence("<sdf version=\"1\"/>"), HasSubstr("the root element is <sdf>"));
  EXPECT_THAT(Sentence(Robot(Link("a")) + Link("b")), HasSubstr("beside its root element"));
  EXPECT_EQ(Sentence("<!-- a -->" + Robot(Link("a")) + "<!-- b -->"), "accepted");
  EXPECT_THAT(Sentence(Robot(Link("a") + Link("b") + Joint("j", "screw", "a", "b"))),
              HasSubstr("line 4: joint \"j\" is of type \"screw\""));
  EXPECT_THAT(Sentence(Robot("<link name=\"\xff\xfe\"/>")), HasSubstr("is not UTF-8"));
}

// A boom on a mast, with a hook on the boom.
std::string Crane(const std::string& boom) {
  return Robot("<link name=\"mast\"/>\n<link name=\"boom\">" + boom + "</link>\n" +
               Link("hook", 1.25, "0.002 0 0 0.01 0 0.01", "<origin xyz=\"0.15 0 0\"/>") +
               Joint("luff", "continuous", "mast", "boom", "<axis xyz=\"0 1 0\"/>") +
               Joint("swing", "continuous", "boom", "hook",
                     "<origin xyz=\"0.8 0 0\"/><axis xyz=\"0 1 0\"/>"));
}
constexpr char kOrigin[] = "<origin xyz=\"0.4 0 0\" rpy=\"0 0 0\"/>";
constexpr char kMass[] = "<mass value=\"3.5\"/>";
constexpr char kInertia[] =
    "<inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.2\" iyz=\"0\" izz=\"0.2\"/>";

TEST(RobotFiles, AreRefusedForEachMalformedNumberOfAnInertial) {
  const auto inertial = [](const std::string& parts) {
    return Sentence(Crane("<inertial>" + parts + "</inertial>"));
  };
  const std::string origin = kOrigin, mass = kMass, inertia = kInertia;
  ASSERT_EQ(inertial(origin + mass + inertia), "accepted");
  const std::string at = "robot.urdf, line 3: link \"boom\": ";
  for (const char* value : {"3,5", "${m}", "nan", "inf", "", " ", "3.5kg", "3.5 4", "0x10", "three",
                            "1e999", "--1", "1d3", "3.5.0", "+-3"}) {
    const std::string said =
        inertial(origin + fmt::format("<mass value=\"{}\"/>", value) + inertia);
    EXPECT_THAT(said, StartsWith("robot.urdf, line 3")) << value;
    EXPECT_THAT(said, HasSubstr("boom")) << value;
  }
  EXPECT_THAT(inertial(origin + "<mass/>" + inertia),
              StartsWith(at + "the <mass> lacks \"value\""));
  EXPECT_THAT(inertial(origin + inertia), StartsWith(at + "its <inertial> has no <mass>"));
  EXPECT_THAT(inertial(origin + mass), StartsWith(at + "its <inertial> has no <inertia>"));
  EXPECT_THAT(inertial(""), StartsWith(at));
  EXPECT_THAT(inertial(origin + mass + "<inertia ixx=\"0.01\" iyy=\"0.2\" izz=\"0.2\"/>"),
              StartsWith(at + "the <inertia> lacks \"ixy\""));
  EXPECT_THAT(inertial(mass + inertia + "<origin xyz=\"0.4 0\"/>"),
              StartsWith(at + "the <origin> has xyz=\"0.4 0\": three finite numbers are needed"));
  for (const char* xyz : {"", "0.4 0 0 0", "0.4,0,0", "0.4 0 x", "0.4 0 nan", "0.4; 0; 0"}) {
    EXPECT_THAT(inertial(mass + inertia + fmt::format("<origin xyz=\"{}\"/>", xyz)), StartsWith(at))
        << xyz;
    EXPECT_THAT(inertial(mass + inertia + fmt::format("<origin rpy=\"{}\"/>", xyz)), StartsWith(at))
        << xyz;
  }
}

TEST(RobotFiles, MayHaveBlanksAndSignsAroundNumbers) {
  const Problem p = Parsed(Crane(
      "<inertial><origin xyz=\" 0.4\t0\n 0 \"/><mass value=\" +3.5 \"/><inertia ixx=\"1.e-2 \" "
      "ixy=\"-0\" ixz=\"0\" iyy=\".2\" iyz=\"0.0\" izz=\"2E-1\"/></inertial>"));
  EXPECT_EQ(p.system.bodies[1].mass, 3.5);
  EXPECT_EQ(p.system.bodies[1].inertia(0, 0), 0.01);
  EXPECT_EQ(p.system.bodies[1].inertia(1, 1), 0.2);
  EXPECT_EQ(p.system.bodies[1].inertia(2, 2), 0.2);
  EXPECT_EQ(p.system.joints[1].child_frame.position.x, -0.4);
}

TEST(RobotFiles, AreRefusedForMalformedNumbersOfJoints) {
  for (const char* part :
       {"<origin xyz=\"nan 0 0\"/>", "<origin xyz=\"1e999 0 0\"/>", "<origin xyz=\"1 2\"/>",
        "<origin rpy=\"1,2,3\"/>", "<axis xyz=\"0 1\"/>", "<axis/>", "<axis xyz=\"\"/>",
        "<axis xyz=\"x y z\"/>", "<dynamics damping=\"a\"/>", "<dynamics damping=\"1,5\"/>",
        "<dynamics damping=\"\"/>", "<dynamics friction=\"inf\"/>"}) {
    EXPECT_THAT(Sentence(Arm(part)), StartsWith("robot.urdf, line 4: joint \"j\": the <")) << part;
  }
  EXPECT_THAT(
      Sentence(Robot(Link("a") + "<joint name=\"j\" type=\"fixed\"><child link=\"a\"/></joint>")),
      HasSubstr("names no parent link"));
}

// What does not belong to the motion is not demanded and need not be well formed.
TEST(RobotFiles, MayLackOrBreakWhatIsNotRead) {
  const auto revolute = [](const std::string& rest) {
    return Sentence(Robot(Link("a") + Link("b") +
                          "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child "
                          "link=\"b\"/><axis xyz=\"0 1 0\"/>" +
                          rest + "</joint>"));
  };
  for (const char* rest :
       {"", "<limit/>", "<limit lower=\"-1\" upper=\"1\"/>", "<limit effort=\"x\" velocity=\"\"/>",
        "<limit lower=\"a\"/>", "<safety_controller/>", "<safety_controller k_velocity=\"x\"/>",
        "<calibration rising=\"x\"/>", "<dynamics/>", "<dynamics damping=\"0\"/>"}) {
    EXPECT_EQ(revolute(rest), "accepted") << rest;
  }
  for (const char* drawn :
       {"<visual/>", "<visual><geometry/></visual>",
        "<visual><geometry><box size=\"1 2\"/></geometry></visual>",
        "<visual><origin xyz=\"a\"/><geometry><sphere radius=\"1\"/></geometry></visual>",
        "<visual><geometry><mesh/></geometry><material/></visual>", "<collision/>",
        "<collision><geometry><cylinder/></geometry></collision>"}) {
    EXPECT_EQ(Sentence(Robot(fmt::format("<link name=\"a\">{}</link>", drawn))), "accepted")
        << drawn;
  }
  const std::string colour = "<material name=\"m\"><color rgba=\"x\"/></material>";
  EXPECT_EQ(Sentence("<robot>" + colour + colour + Link("a") + "</robot>"), "accepted");
  EXPECT_THAT(Parsed(Robot("<link name=\"a\"><visual><geometry><box size=\"1 2\"/></geometry>"
                           "</visual></link>"))
                  .warnings,
              Contains("shapes whose numbers cannot be read are not drawn: \"a\""));
}

TEST(RobotFiles, AreRefusedForWhatWouldChangeTheMotion) {
  const std::string two = Link("a") + Link("b") + Joint("j", "continuous", "a", "b");
  const auto refused = [](const std::string& urdf, const std::string& word) {
    EXPECT_THAT(Sentence(urdf), testing::AllOf(StartsWith("robot.urdf, line "), HasSubstr(word),
                                               HasSubstr("would change the motion")))
        << urdf;
  };
  for (const char* attribute : {"stiffness", "spring_stiffness", "springStiffness", "rotor_inertia",
                                "springReference", "spring_reference", "armature", "damping_shear",
                                "rotorInertia", "K", "k_p", "kd", "c", "D"}) {
    const auto dynamics = [attribute](const char* value) {
      return Arm(fmt::format("<dynamics damping=\"0\" {}=\"{}\"/>", attribute, value));
    };
    refused(dynamics("0.5"), attribute);
    EXPECT_EQ(Sentence(dynamics("0")), "accepted") << attribute;
    EXPECT_EQ(Sentence(dynamics("0.0")), "accepted") << attribute;
  }
  for (const char* attribute : {"pos", "ypr", "quat_xyzw", "position"}) {
    refused(Arm(fmt::format("<origin {}=\"0 1 0\"/>", attribute)), attribute);
    EXPECT_EQ(Sentence(Arm(fmt::format("<origin {}=\"0 0 0\"/>", attribute))), "accepted");
  }
  for (const char* attribute :
       {"axis=\"0 1 0\"", "xyz=\"0 1 0\"", "rpy=\"0 1 0\"", "damping=\"2\""}) {
    refused(Robot(Link("a") + Link("b") + "<joint name=\"j\" type=\"continuous\" " + attribute +
                  "><parent link=\"a\"/><child link=\"b\"/></joint>"),
            "the attribute");
  }
  for (const char* element :
       {"<loop_joint name=\"d\" type=\"continuous\"><link1 link=\"a\"/><link2 "
        "link=\"b\"/></loop_joint>",
        "<constraint type=\"ball\"/>",
        "<force_element name=\"f\"><bushing/></force_element>",
        "<gazebo><joint name=\"l\" type=\"revolute\"/></gazebo>",
        "<gazebo reference=\"j\"><springStiffness>40</springStiffness></gazebo>",
        "<gazebo reference=\"j\"><springReference>0.1</springReference></gazebo>",
        "<gazebo reference=\"b\"><turnGravityOff>true</turnGravityOff></gazebo>",
        "<gazebo reference=\"b\"><turnGravityOff> 1 </turnGravityOff></gazebo>",
        "<gazebo reference=\"b\"><gravity>false</gravity></gazebo>",
        "<gazebo reference=\"b\"><gravity>0</gravity></gazebo>",
        "<gazebo reference=\"b\"><dampingFactor>0.2</dampingFactor></gazebo>",
        "<gazebo reference=\"b\"><velocity_decay><linear>0.1</linear></velocity_decay></gazebo>",
        "<gazebo><static>true</static></gazebo>",
        "<gazebo><plugin name=\"p\" filename=\"libBuoyancyPlugin.so\"/></gazebo>",
        "<drake:joint name=\"x\" type=\"ball\"/>",
        "<drake:linear_bushing_rpy/>",
        "<transmission name=\"t\"><actuator name=\"m\"><rotorInertia>0.01</rotorInertia></actuator>"
        "</transmission>",
        "<transmission name=\"t\"><actuator name=\"m\"><drake:rotor_inertia value=\"0.01\"/>"
        "<drake:gear_ratio value=\"9\"/></actuator></transmission>",
        "<joint_properties name=\"j\"><spring stiffness=\"4\"/></joint_properties>",
        "<mujoco><option gravity=\"0 0 0\"/></mujoco>"}) {
    refused(Robot(two + element), "<");
  }
  const std::string coupled = Robot(
      two + "<gazebo><plugin name=\"p\" filename=\"libgazebo_mimic_joint_plugin.so\"/></gazebo>");
  EXPECT_THAT(Sentence(coupled), HasSubstr("line 5: <plugin> \"p\" couples coordinates"));
  EXPECT_EQ(Sentence(coupled, {.state = "", .mimic_is_free = true}), "accepted");
  EXPECT_THAT(Sentence(Arm("<dynamics stiffness=\"40\"/>")),
              HasSubstr("line 4: the attribute \"stiffness\" of <dynamics> of <joint> \"j\" would "
                        "change the motion, but is not in the model"));
}

TEST(RobotFiles, MayHoldWhatOtherToolsReadIfItChangesNothing) {
  const std::string two = Link("a") + Link("b") + Joint("j", "continuous", "a", "b");
  for (const char* element :
       {"<gazebo reference=\"j\"><springStiffness>0</springStiffness><implicitSpringDamper>true"
        "</implicitSpringDamper></gazebo>",
        "<gazebo reference=\"b\"><turnGravityOff>false</turnGravityOff><mu1>0.2</mu1><kp>1e6</kp>"
        "<material>Gazebo/Grey</material><selfCollide>true</selfCollide></gazebo>",
        "<gazebo reference=\"b\"><gravity>1</gravity></gazebo>",
        "<link name=\"c\"/><joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child "
        "link=\"c\"/></joint><gazebo "
        "reference=\"c\"><turnGravityOff>true</turnGravityOff></gazebo>",
        "<gazebo><static>false</static><plugin name=\"ros_control\" "
        "filename=\"libgazebo_ros_control.so\"><robotParam>x</robotParam></plugin></gazebo>",
        "<transmission name=\"t\"><type>transmission_interface/SimpleTransmission</type><joint "
        "name=\"j\"><hardwareInterface>EffortJointInterface</hardwareInterface></joint><actuator "
        "name=\"m\"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>",
        "<transmission name=\"t\"><actuator><drake:rotor_inertia value=\"0\"/><drake:gear_ratio "
        "value=\"9\"/></actuator></transmission>",
        "<mujoco><compiler meshdir=\"m\" balanceinertia=\"true\" inertiafromgeom=\"auto\" "
        "discardvisual=\"false\"/><statistic meaninertia=\"1\"/></mujoco>",
        "<gazebo reference=\"j\"><springStiffness>0.0</springStiffness><springReference>0.1"
        "</springReference></gazebo>",
        "<gazebo><physics "
        "type=\"ode\"><ode><constraints><cfm>0</cfm></constraints><implicit_spring_damper>1</"
        "implicit_spring_damper></ode></physics>"
        "</gazebo>",
        "<gazebo reference=\"b\"><sensor name=\"s\" type=\"imu\"><pose>0 0 1 0 0 0</pose><plugin "
        "name=\"p\" "
        "filename=\"libgazebo_ros_imu_sensor.so\"><axis>x</axis></plugin></sensor></gazebo>",
        "<group name=\"arm\"><joint name=\"j\"/><link name=\"b\"/><chain base_link=\"a\"/></group>",
        "<ros2_control name=\"c\" type=\"system\"><hardware><plugin>gz_ros2_control/GazeboSimSystem"
        "</plugin></hardware><joint name=\"j\" mimic=\"false\"><command_interface "
        "name=\"position\">"
        "<param name=\"min\">-1</param></command_interface><state_interface "
        "name=\"position\"><param "
        "name=\"initial_value\">0.0</param></state_interface></joint></ros2_control>",
        "<drake:collision_filter_group name=\"g\"/>"}) {
    const Problem p = Parsed(Robot(two + element), {.state = "", .strict = true});
    EXPECT_THAT(p.warnings, Contains(HasSubstr("elements ignored: "))) << element;
  }
  const Problem touching = Parsed(
      Robot("<link name=\"a\"><contact><stiffness value=\"0\"/><contact_cfm value=\"0\"/></contact>"
            "<collision><drake:proximity_properties><drake:mu_static value=\"1\"/>"
            "</drake:proximity_properties></collision></link>"),
      {.state = "", .strict = true});
  EXPECT_THAT(touching.warnings, Contains("elements ignored: 1 <collision>, 1 <contact>"));
  EXPECT_EQ(Sentence(Arm("<dynamics spring_stiffness=\"0.0\" spring_reference=\"0.3\"/>")),
            "accepted");
  EXPECT_EQ(
      Sentence("<robot name=\"r\" version=\"1.0\" xmlns:xacro=\"http://ros.org/wiki/xacro\">" +
                   two + "</robot>",
               {.state = "", .strict = true}),
      "accepted");
}

TEST(RobotFiles, WarnOfWhatIsNotKnownAndRefuseItWhenStrict) {
  for (const auto& [urdf, what] : std::vector<std::pair<std::string, std::string>>{
           {Arm("<dynamics damping=\"0\" zeta=\"1\"/>"),
            "the attribute \"zeta\" of <dynamics> (line 4) is not known: it may change the motion"},
           {Arm("<orgin xyz=\"0 0 1\"/>"),
            "the element <orgin> in <joint> (line 4) is not known: it may change the motion"},
           {Robot("<wobble/>" + Link("a") + "<wobble/>"),
            "the element <wobble> in <robot> (line 2 and 1 more) is not known: it may change the "
            "motion"},
           {Robot("<link name=\"a\"><contact><damping value=\"3\"/></contact></link>"),
            "the element <damping> in <contact> (line 2) is not known: it may change the motion"},
           {Robot(Link("a") + "<gazebo reference=\"a\"><sway>1</sway></gazebo>"),
            "the element <sway> in <gazebo> (line 3) is not known: it may change the motion"}}) {
    EXPECT_THAT(Parsed(urdf).warnings, Contains(what));
    EXPECT_EQ(Sentence(urdf, {.state = "", .strict = true}),
              "robot.urdf: " + what + " (--strict).");
  }
  EXPECT_THAT(Sentence(Robot("<link name=\"a\"><Inertial/></link>")),
              HasSubstr("<Inertial> of <link> \"a\" is not known: did you mean inertial?"));
  EXPECT_THAT(Sentence(Robot(Link("a") + Link("b") + "<Joint name=\"j\"/>")),
              HasSubstr("did you mean joint?"));
}

// What is ignored as a whole is looked into: what is misnested there acts on nobody.
TEST(RobotFiles, AreRefusedForWhatActsWithinWhatIsIgnored) {
  const std::string two = Link("a") + Link("b") + Joint("j", "continuous", "a", "b");
  const std::string inertial = "<inertial><mass value=\"1\"/></inertial>";
  const std::string control = "<ros2_control name=\"c\" type=\"system\">";
  for (const std::string& element : std::vector<std::string>{
           "<material name=\"m\">" + inertial + "</material>",
           "<sensor name=\"s\">" + inertial + "</sensor>",
           "<group name=\"g\"><link name=\"x\">" + inertial + "</link></group>",
           "<group name=\"g\"><link name=\"x\"><inertial/></link></group>",
           "<gazebo reference=\"b\"><collision>" + inertial + "</collision></gazebo>",
           "<Gazebo reference=\"b\"><turnGravityOff>true</turnGravityOff></Gazebo>",
           "<gazebo reference=\"b\"><turnGravityOff/></gazebo>",
           "<gazebo reference=\"j\"><springStiffness></springStiffness></gazebo>",
           control + "<joint name=\"j\"><param name=\"rotor_inertia\">0.1</param></joint>"
                     "</ros2_control>",
           "<gazebo><plugin name=\"x\" filename=\"libfoo.so\"><springStiffness>40"
           "</springStiffness></plugin></gazebo>",
           "<gazebo><plugin name=\"x\" filename=\"apply-link-wrench\"><persistent><force>0 0 9"
           "</force></persistent></plugin></gazebo>",
           "<gazebo><plugin name=\"x\" filename=\"joint-position-controller-system\"/></gazebo>",
           "<sensor name=\"s\"><plugin name=\"x\" filename=\"libBuoyancyPlugin.so\"/></sensor>",
           "<mujoco><compiler inertiafromgeom=\"true\"/></mujoco>"}) {
    EXPECT_THAT(Sentence(Robot(two + element)),
                testing::AllOf(StartsWith("robot.urdf, line 5: "), HasSubstr("would change")))
        << element;
  }
  for (const std::string& part : std::vector<std::string>{
           "<limit effort=\"1\" damping=\"0.5\"/>", "<limit><dynamics damping=\"0.5\"/></limit>",
           "<hardwareInterface><spring k=\"3\"/></hardwareInterface>",
           "<calibration stiffness=\"2\"/>", "<friction static=\"1\" viscous=\"0.5\"/>",
           "<dynamics stiffness=\"\"/>",
           "<dynamics spring_stiffness=\"1\" spring_reference=\"0.3\"/>"}) {
    EXPECT_THAT(Sentence(Arm(part)), HasSubstr("would change the motion")) << part;
  }
  for (const char* drawn : {"visual", "collision"}) {
    EXPECT_THAT(
        Sentence(Robot(fmt::format("<link name=\"a\"><{0}>{1}</{0}></link>", drawn, inertial))),
        HasSubstr(fmt::format("<inertial> of <{}> of <link> \"a\" would change", drawn)));
  }
  for (const std::string& element : std::vector<std::string>{
           control + "<joint name=\"j\"><param name=\"mimic\">k</param></joint></ros2_control>",
           control + "<joint name=\"j\" mimic=\"true\"/></ros2_control>",
           "<gazebo><plugin name=\"x\" filename=\"libgazebo_ros_control.so\"><mimicJoint>j"
           "</mimicJoint></plugin></gazebo>"}) {
    EXPECT_THAT(Sentence(Robot(two + element)), HasSubstr("couples coordinates")) << element;
    EXPECT_EQ(Sentence(Robot(two + element), {.state = "", .mimic_is_free = true}), "accepted")
        << element;
  }
  EXPECT_THAT(Sentence(Arm("<limit><mimic joint=\"k\"/></limit>")), HasSubstr("couples"));
}

TEST(RobotFiles, WarnOfWhatMayActWithinWhatIsIgnored) {
  const std::string two = Link("a") + Link("b") + Joint("j", "continuous", "a", "b");
  for (const char* element :
       {"<material name=\"m\"><link name=\"c\"/></material>",
        "<sensor name=\"s\"><mass value=\"1\"/></sensor>",
        "<gazebo><physics type=\"ode\"><gravity>0 0 -1.62</gravity></physics></gazebo>",
        "<gazebo><plugin name=\"x\" filename=\"libfoo.so\"/></gazebo>",
        "<transmission name=\"t\"><compensator k_belt=\"4000\"/></transmission>",
        "<transmission name=\"t\"><use_simulated_gripper_joint/></transmission>",
        "<ros2_control name=\"c\"><joint name=\"j\"><state_interface name=\"position\"><param "
        "name=\"initial_value\">0.5</param></state_interface></joint></ros2_control>",
        "<MuJoCo><Option wobble=\"1\"/><tremble/></MuJoCo>", "<gazebo>true</gazebo>"}) {
    EXPECT_THAT(Parsed(Robot(two + element)).warnings, Contains(HasSubstr("may change the motion")))
        << element;
    EXPECT_THAT(Sentence(Robot(two + element), {.state = "", .strict = true}),
                HasSubstr("(--strict)"))
        << element;
  }
}

TEST(RobotFiles, MayNotHoldTextsWhereAttributesBelong) {
  for (const char* part : {"<origin>0.8 0 0</origin>", "<dynamics>0.5</dynamics>",
                           "<axis xyz=\"0 1 0\">0 0 1</axis>", "<axis><![CDATA[0 0 1]]></axis>"})
    EXPECT_THAT(Sentence(Arm(part)), HasSubstr("its values stand in attributes")) << part;
  EXPECT_THAT(Sentence(Robot("<link name=\"a\"><inertial><mass value=\"1.2\">3.0</mass>"
                             "</inertial></link>")),
              StartsWith("robot.urdf, line 2: <mass> of <inertial> of <link> \"a\" holds the text "
                         "\"3.0\""));
  const std::string stray = Robot("<link name=\"a\"><!-- tool -->mass 3 kg</link>");
  EXPECT_THAT(Parsed(stray).warnings,
              Contains("the text \"mass 3 kg\" in <link> (line 2) is not known: it may change the "
                       "motion"));
}

TEST(RobotFiles, WithMacrosAreRefusedWhateverTheirPrefix) {
  for (const char* macro :
       {"<xacro:include filename=\"g.xacro\"/>", "<include filename=\"g.xacro\"/>",
        "<property name=\"a\" value=\"1\"/>", "<macro name=\"m\"/>",
        "<xc:include xmlns:xc=\"http://ros.org/wiki/xacro\" filename=\"g.xacro\"/>",
        "<x:gripper xmlns:x=\"http://www.ros.org/wiki/xacro\"/>", "<abc:property name=\"a\"/>",
        "<link name=\"${prefix}tool\"/>", "<link name=\"$(arg prefix)tool\"/>"}) {
    EXPECT_THAT(Sentence(Robot(Link("a") + macro)),
                testing::AllOf(StartsWith("robot.urdf, line 3: "),
                               HasSubstr("xacro elements are not expanded; run xacro first.")))
        << macro;
  }
}

TEST(RobotFiles, RenameALinkThatIsCalledGround) {
  const Problem p = Parsed(Robot(Link("ground") + Link("ground_link") +
                                 Joint("j", "continuous", "ground", "ground_link")));
  EXPECT_EQ(p.system.bodies[0].name, "ground_link_2");
  EXPECT_EQ(p.system.joints[1].parent, 0);
  EXPECT_THAT(p.warnings,
              Contains("link \"ground\" is called \"ground_link_2\" here: \"ground\" is "
                       "the inertial frame"));
}

TEST(RobotFiles, WeldJointsThatMoveOnlyMasslessLinksIfAsked) {
  const std::string axis = "<axis xyz=\"0 1 0\"/><dynamics damping=\"1\"/>";
  const std::string urdf = Robot(
      Link("a") + Link("arm") + "<link name=\"wheel\"/><link name=\"cap\"/><link name=\"rod\"/>" +
      Link("tip") + Joint("shoulder", "continuous", "a", "arm", axis) +
      Joint("spin", "continuous", "arm", "wheel", "<origin xyz=\"0 0 1\"/>" + axis) +
      Joint("lift", "prismatic", "wheel", "cap", axis) +
      Joint("w1", "continuous", "arm", "rod", axis) +
      Joint("w2", "continuous", "rod", "tip", axis));
  const Problem p = Parsed(urdf, {.state = "", .weld_massless = true});
  std::vector<JointType> types;
  for (const auto& joint : p.system.joints) types.push_back(joint.type);
  using enum JointType;
  EXPECT_EQ(types, (std::vector{kFixed, kRevolute, kFixed, kFixed, kRevolute, kRevolute}));
  EXPECT_EQ(p.system.forces.Of<JointSpringDamper>().size(), 3U);
  EXPECT_THAT(p.warnings,
              Contains("joints that move only links without mass are welded: \"spin\", \"lift\""));
  const Problem loose = Parsed(urdf);
  EXPECT_EQ(loose.system.joints[2].type, kRevolute);
  EXPECT_THAT(loose.warnings, Contains(HasSubstr("(--weld-massless makes them fixed): \"spin\"")));
  const auto of = [](const Problem& problem) {
    return ForwardKinematics(problem.system, problem.initial.joints);
  };
  for (std::size_t i = 0; i < 6; ++i) ExpectNear(of(p)[i].position, of(loose)[i].position, 1e-15);
}

TEST(RobotFiles, WeldMasslessLinksWhereTheStateStatesThem) {
  const std::string axis = "<origin xyz=\"0.1 0.2 0.3\" rpy=\"0.3 0.2 0.1\"/><axis xyz=\"0 1 0\"/>";
  const std::string urdf = Robot(Link("a") + Link("arm") +
                                 "<link name=\"pan\"/><link name=\"lens\"/><link name=\"ball\"/>"
                                 "<link name=\"puck\"/>" +
                                 Joint("j", "continuous", "a", "arm", axis) +
                                 Joint("spin", "continuous", "arm", "pan", axis) +
                                 Joint("zoom", "prismatic", "pan", "lens", axis) +
                                 Joint("float", "floating", "arm", "ball", axis) +
                                 Joint("slide", "planar", "lens", "puck", axis));
  const auto state = [](const std::string& rest) {
    return R"({"format": "mbsbench-robot-state", "version": 1, "base": "fixed", "joints": {
      "j": {"position": 0.5, "velocity": 1}, )" +
           rest + "}}";
  };
  const std::string still = R"("spin": {"position": 0.7}, "zoom": {"position": -0.2, "velocity": 0},
      "float": {"position_m": [0.1, 0.2, 0.3], "quaternion_wxyz": [0.6, 0, 0.8, 0]},
      "slide": {"position_m": [0.1, -0.3], "angle_rad": 2})";
  const auto read = [&](const std::string& rest, bool weld) {
    return ParseRobot(urdf, "robot.urdf", {.state = "s.json", .weld_massless = weld}, state(rest));
  };
  const Problem p = read(still, true), loose = read(still, false);
  EXPECT_THAT(p.warnings, Contains(HasSubstr("welded: \"spin\", \"zoom\", \"float\", \"slide\"")));
  EXPECT_THAT(loose.warnings,
              Contains(HasSubstr("makes them fixed): \"spin\", \"zoom\", \"float\"")));
  EXPECT_EQ(p.initial.joints.q, std::vector{0.5});
  const std::vector<BodyState> welded = ForwardKinematics(p.system, p.initial.joints),
                               moving = ForwardKinematics(loose.system, loose.initial.joints);
  for (std::size_t i = 0; i < welded.size(); ++i) {
    ExpectNear(welded[i].position, moving[i].position, 1e-15);
    EXPECT_LE(AngleBetween(welded[i].orientation, moving[i].orientation), 1e-15) << i;
    ExpectNear(welded[i].velocity, moving[i].velocity, 1e-15);
  }
  EXPECT_THAT([&] { read(R"("zoom": {"velocity": 1e-3})", true); },
              testing::ThrowsMessage<ModelError>(testing::AllOf(
                  HasSubstr("joint \"zoom\""), HasSubstr("starts with a velocity"))));
}

TEST(RobotFiles, MayNameAJointAsTheOneOfTheBaseWouldBe) {
  const Problem p =
      Parsed(Robot(Link("a") + Link("b") + Joint("ground:a", "continuous", "a", "b")));
  EXPECT_EQ(p.system.joints[0].name, "ground:a_2");
  EXPECT_EQ(p.system.joints[1].name, "ground:a");
}

TEST(RobotStates, AreRefusedWithFileAndLine) {
  const std::string arm = Arm("");
  for (const auto& [state, sentence] : std::vector<std::pair<std::string, std::string>>{
           {R"("robot": "r")", "base"},
           {R"("base": "loose")", "\"fixed\" or \"free\" is needed"},
           {R"("base": "fixed", "robot": "other")", "the robot of robot.urdf is 'r'"},
           {R"("base": "fixed", "joints": {"k": {}})", "Did you mean 'j'?"},
           {R"("base": "fixed", "joints": {"j": {"positon": 1}})", "Did you mean 'position'?"},
           {R"("base": "fixed", "base_velocity": {"velocity_m_s": [1, 0, 0]})", "base is fixed"},
           {R"("base": "free", "base_pose": {"quaternion_wxyz": [1, 1, 0, 0]})", "unit quaternion"},
           {R"("base": "fixed", "joints": {"j": {"position": 1e7}})", "Leave out whole turns"}}) {
    EXPECT_THAT(StateSentence(arm, state), HasSubstr(sentence)) << state;
  }
  EXPECT_THAT(StateSentence(Robot(Link("a") + Link("b") + Joint("w", "fixed", "a", "b")),
                            R"("base": "fixed", "joints": {"w": {}})"),
              HasSubstr("fixed joint"));
  EXPECT_THAT(StateSentence(arm, R"("base": "free", "joints": {"j": {"velocity": 1}})"),
              "accepted");
}

TEST(RobotNames, IncludeTheOptions) {
  EXPECT_TRUE(IsRobotFile("a/b.urdf"));
  EXPECT_TRUE(IsRobotFile("b.urdf:end=2"));
  EXPECT_FALSE(IsRobotFile("b.json"));
  EXPECT_FALSE(IsRobotFile("branchN:bodies=5"));
  for (const char* name : {"A.URDF", "a.urdf.xacro", "a.world", "A.Sdf:end=1", "a.XML", "a.MJCF"})
    EXPECT_TRUE(IsRobotFile(name)) << name;
  EXPECT_EQ(RobotOptionsOf("a.xml:state=b.urdf").state, "b.urdf");
  const RobotOptions options =
      RobotOptionsOf(WithRobotOptions("a.urdf:mimic=free", {.state = "s.json",
                                                            .accept_inertia = true,
                                                            .weld_massless = true,
                                                            .strict = true,
                                                            .end = 0.1,
                                                            .loop_precision = 2.2e-13}));
  EXPECT_TRUE(options.mimic_is_free);
  EXPECT_TRUE(options.accept_inertia);
  EXPECT_TRUE(options.strict);
  EXPECT_TRUE(options.weld_massless);
  EXPECT_EQ(options.state, "s.json");
  EXPECT_EQ(options.end, 0.1);
  EXPECT_EQ(options.loop_precision, 2.2e-13);
  for (const std::string option : {"end=-1", "end=x", "mimic=yes", "what", "state=", "end=1,end=2",
                                   "loops=0", "loops=2e-5", "loops=few"}) {
    EXPECT_THROW(RobotOptionsOf("a.urdf:" + option), ModelError) << option;
  }
  EXPECT_THROW(LoadProblem("missing.urdf"), ModelError);
  const TemporaryFolder folder;
  std::ofstream(folder.File("robot.txt")) << "\n" << Arm("");
  EXPECT_THAT([&folder] { LoadProblem(folder.File("robot.txt")); },
              testing::ThrowsMessage<ModelError>(HasSubstr("end its name in .urdf")));
  EXPECT_THROW(LoadProblem("robot.sdf"), ModelError);
}

// ---- damage

double SecondsToRead(const std::string& urdf, const std::string& sentence) {
  return ProcessorSeconds([&] { EXPECT_THAT(Sentence(urdf), HasSubstr(sentence)); });
}

TEST(DamagedRobotFiles, NeverHangOrCrash) {
  std::string deep, wide = "<robot name=\"r\"><link", links, cycle;
  for (int i = 0; i < 1'000'000; ++i) deep += "<a>";
  for (int i = 0; i < 1'000'000; ++i) wide += fmt::format(" a{}=\"\"", i);
  constexpr int kMany = 100'000;
  for (int i = 0; i < kMany; ++i) links += fmt::format("<link name=\"l{}\"/>", i);
  for (int i = 1; i < kMany; ++i)
    links +=
        Joint(fmt::format("j{}", i), "fixed", fmt::format("l{}", i - 1), fmt::format("l{}", i));
  for (const auto& [urdf, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"<robot name=\"r\">" + deep, "nested more than"},
           {deep, "nested more than"},
           {wide + "/></robot>", "attributes"},
           {Robot(links), "links: at most"},
           {std::string(std::size_t{33} << 20, ' '), "bytes"},
           {"<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>" + Robot(Link("&b;")),
            "document type or entity"},
           {Robot(Link("a")) + std::string(1, '\0'), "byte 0"}}) {
    EXPECT_LT(SecondsToRead(urdf, sentence), 60) << sentence;
  }
}

TEST(RobotFiles, MayDescribeALongChain) {
  constexpr int kMany = 20'000;
  std::string links = Link("l0");
  for (int i = 1; i < kMany; ++i) {
    links += Link(fmt::format("l{}", i)) + Joint(fmt::format("j{}", i), "revolute",
                                                 fmt::format("l{}", i - 1), fmt::format("l{}", i));
  }
  EXPECT_EQ(Sentence(Robot(links)), "accepted");
}

TEST(DamagedRobotFiles, AreRefusedWhenCutAnywhere) {
  const std::string text = Example("arm6.urdf");
  ASSERT_EQ(Sentence(text), "accepted");
  for (std::size_t size = 0; size < text.find("</robot>"); size += 11) {
    EXPECT_THAT(Sentence(text.substr(0, size)), StartsWith("robot.urdf")) << size;
  }
}

TEST(DamagedRobotFiles, AreReadOrRefusedWithAMessage) {
  int read = 0, refused = 0;
  for (const std::string name : {"arm6.urdf", "quad4.urdf"}) {
    const std::string text = Example(name);
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const std::string sentence = Sentence(Mutator(seed).Mutate(text));
      (sentence == "accepted" ? read : refused) += 1;
    }
  }
  EXPECT_GT(read, 10);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace mbsbench
