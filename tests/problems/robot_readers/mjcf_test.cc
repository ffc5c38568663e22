// MJCF files: motion compared with MuJoCo itself, refusals, and warnings about ignored elements.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <memory>

#include "harness/runner/cells/method_choice.h"
#include "methods/all_methods.h"
#include "methods/interface/formulation.h"
#include "problems/io/write_model.h"
#include "problems/model/kinematics.h"
#include "tests/fuzz/mutations.h"
#include "tests/problems/robot_readers/read_text.h"

namespace mbsbench {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string Mjcf(const std::string& bodies, const std::string& rest = "") {
  return "<mujoco model=\"m\"><compiler angle=\"radian\"/>\n" + rest + "<worldbody>" + bodies +
         "</worldbody></mujoco>\n";
}
std::string Inertial(const std::string& rest = "") {
  return "<inertial pos=\"0.1 0.2 -0.3\" quat=\"0.9 0.1 -0.2 0.3\" mass=\"1.5\" "
         "diaginertia=\"0.02 0.03 0.04\" " +
         rest + "/>";
}
std::string ReadMjcf(const std::string& text) { return SentenceOf(".mjcf", text); }
std::vector<std::string> Warnings(const std::string& text) {
  return ReadText(".mjcf", text).warnings;
}

struct Native {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};
};
Native Loaded(const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder.File("m.xml")) << text;
  char error[500] = "";
  Native native;
  native.model.reset(mj_loadXML(folder.File("m.xml").c_str(), nullptr, error, sizeof error));
  EXPECT_NE(native.model, nullptr) << error;
  native.data.reset(mj_makeData(native.model.get()));
  if (native.model->nkey > 0) mj_resetDataKeyframe(native.model.get(), native.data.get(), 0);
  mj_forward(native.model.get(), native.data.get());
  return native;
}

// Largest difference of the poses, velocities and accelerations of all bodies from MuJoCo's own.
double DifferenceFromMujoco(const std::string& text) {
  const Problem problem = ReadText(".mjcf", text);
  const Native native = Loaded(text);
  const mjModel* const m = native.model.get();
  mjData* const d = native.data.get();
  mj_rnePostConstraint(m, d);
  const std::vector<MethodEntry> methods = AllMethods();
  const auto formulation = Prepare(ChooseMethod("articulated-body", methods), problem);
  const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
  std::vector<double> y(formulation->state_size());
  Observation seen;
  EXPECT_TRUE(formulation->Initialise(0, state, y).ok());
  EXPECT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, seen).ok());
  double difference = 0;
  const auto keep = [&difference](const Vector3& a, const mjtNum* b) {
    const double here = Norm(a - Vector3{b[0], b[1], b[2]});
    difference = here <= difference ? difference : here;
  };
  for (int b = 1; b < m->nbody; ++b) {
    const std::string name = mj_id2name(m, mjOBJ_BODY, b);
    const auto& bodies = problem.system.bodies;
    const auto i =
        static_cast<std::size_t>(std::ranges::find(bodies, name, &Body::name) - bodies.begin());
    EXPECT_LT(i, bodies.size()) << name;
    if (m->body_mass[b] == 0) continue;  // MuJoCo uses another centre for these
    keep(seen.bodies[i].position, d->xipos + 3 * b);
    const mjtNum* const q = d->xquat + 4 * b;  // axes of the link
    difference =
        std::max(difference, AngleBetween(seen.bodies[i].orientation, {q[0], q[1], q[2], q[3]}));
    mjtNum motion[6];
    mj_objectVelocity(m, d, mjOBJ_BODY, b, motion, 0);
    keep(seen.bodies[i].angular_velocity, motion);
    keep(seen.bodies[i].velocity, motion + 3);
    mj_objectAcceleration(m, d, mjOBJ_BODY, b, motion, 0);
    keep(seen.accelerations[i].angular_acceleration, motion);
    // MuJoCo's acceleration includes the negative of gravity.
    const bool weightless = (m->opt.disableflags & mjDSBL_GRAVITY) != 0;
    for (int k = 0; k < 3 && !weightless; ++k) motion[3 + k] += m->opt.gravity[k];
    keep(seen.accelerations[i].acceleration, motion + 3);
  }
  return difference;
}

class MjcfFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasReader("mjcf")) GTEST_SKIP() << "the reader of MJCF files is not built";
  }
};

const char kMechanism[] = R"(
  <body name="base" pos="0.3 -0.2 1" quat="0.8 0 0.6 0">
    <joint name="turn" type="hinge" axis="1 2 -2" pos="0.1 0 0.2" ref="0.4" damping="0.3"/>
    <joint name="slide" type="slide" axis="0 -3 4" pos="0 0.1 0" ref="0.2" stiffness="20" springref="0.7" damping="2"/>
    <joint name="twist" type="hinge" axis="0 0 -1" pos="-0.2 0.3 0" stiffness="3" springref="-0.2"/>
    <inertial pos="0.1 0.2 -0.3" quat="0.9 0.1 -0.2 0.3" mass="1.5" diaginertia="0.02 0.03 0.04"/>
    <body name="plate" pos="0 0 0.4" quat="0.6 0 0 0.8">
      <body name="hanging" pos="0.5 0 0">
        <joint name="ball" type="ball" pos="0 0 0.3"/>
        <inertial pos="0 0 -0.2" mass="0.7" diaginertia="0.01 0.02 0.02"/>
      </body>
    </body>
  </body>
  <body name="free" pos="3 0 0">
    <freejoint name="flies"/>
    <inertial pos="0.3 0 0.1" quat="0.5 0.5 0.5 0.5" mass="2" diaginertia="0.1 0.2 0.25"/>
    <body name="flap"><joint name="flap" axis="0 1 0"/><inertial pos="0 0.2 0" mass="0.4" diaginertia="0.01 0.01 0.01"/></body>
  </body>)";

TEST_F(MjcfFiles, HaveTheMotionThatMujocoComputes) {
  const std::string keyframe =
      "<keyframe><key name=\"start\" qpos=\"0.9 -0.3 0.5  0.5 -0.5 0.5 0.5  1 2 3 0.6 0 0.8 0 "
      "-0.4\" "
      "qvel=\"1 -2 3  0.4 -0.5 2  1 0 -1 0.5 1.5 -2 3\"/></keyframe>";
  EXPECT_LE(DifferenceFromMujoco(Mjcf(kMechanism)), 1e-12);
  EXPECT_LE(DifferenceFromMujoco(Mjcf(kMechanism, keyframe)), 2e-12);
  EXPECT_LE(DifferenceFromMujoco(Mjcf(kMechanism, keyframe + "<option gravity=\"1 -2 3\"/>")),
            2e-12);
  EXPECT_LE(DifferenceFromMujoco(
                Mjcf(kMechanism, keyframe + "<option><flag gravity=\"disable\"/></option>")),
            2e-12);
  EXPECT_LE(DifferenceFromMujoco(
                Mjcf(kMechanism, keyframe + "<option><flag passive=\"disable\"/></option>")),
            2e-12);
  EXPECT_THAT(Warnings(Mjcf(kMechanism, keyframe)), Contains(HasSubstr("the start is \"start\"")));
}

// Turned by 1 rad about y by the keyframe: 30.97895 cos 1 rad/s^2.
TEST_F(MjcfFiles, PutMocapBodiesWhereTheKeyframeDoes) {
  const std::string text = Mjcf(
      "<body name=\"hand\" mocap=\"true\" pos=\"0 0 1\"><body name=\"arm\"><joint name=\"h\" "
      "axis=\"0 1 0\"/><inertial pos=\"0.25 0 0\" mass=\"1.2\" diaginertia=\"0.001 0.02 0.02\"/>"
      "</body></body>",
      "<keyframe><key qpos=\"0\" mpos=\"0 2 0\" mquat=\"0.8775825618903728 0 0.479425538604203 "
      "0\"/>"
      "</keyframe>");
  EXPECT_NEAR(Loaded(text).data->qacc[0], 1.2 * 9.81 * 0.25 * std::cos(1) / 0.095, 1e-12);
  EXPECT_LE(DifferenceFromMujoco(text), 1e-12);
}

// An anchor on the axis of the hinge between the two bodies holds nothing.
TEST_F(MjcfFiles, MayHoldLoopsThatTakeNoFreedom) {
  const std::string inertial = Inertial();
  EXPECT_THAT(Warnings(Mjcf(
                  "<body name=\"a\"><joint axis=\"0 1 0\"/>" + inertial +
                      "<body name=\"b\" pos=\"0.5 0 0\"><joint axis=\"0 1 0\"/>" + inertial +
                      "</body></body>",
                  "<equality><connect body1=\"a\" body2=\"b\" anchor=\"0.5 0.1 0\"/></equality>")),
              testing::Not(Contains(HasSubstr("no freedom"))));
}

// A parallelogram with one pin that is tilted by 1e-8, which may be rounding.
TEST_F(MjcfFiles, WarnOfLoopsWithoutFreedomAndOfThePrecisionThatFreesThem) {
  const auto rod = [](const char* name, const char* x, const std::string& rest) {
    return fmt::format("<body name=\"{}\" pos=\"{} 0 0\"><joint axis=\"0 1 0\"/>{}{}</body>", name,
                       x, Inertial(), rest);
  };
  const auto warnings = [&](const char* axis) {
    return Warnings(
        Mjcf(rod("left", "0",
                 fmt::format("<body name=\"bar\" pos=\"0 0 0.4\"><joint axis=\"{}\"/>{}</body>",
                             axis, Inertial())) +
                 rod("right", "0.6", ""),
             "<equality><connect body1=\"bar\" body2=\"right\" anchor=\"0.6 0 0\"/></equality>"));
  };
  EXPECT_THAT(
      warnings("0 1 1e-8"),
      Contains(testing::ContainsRegex("the loops leave no freedom .*loops=.* counts them as one")));
  EXPECT_THAT(warnings("0 1 0"), testing::Not(Contains(HasSubstr("no freedom"))));
}

TEST_F(MjcfFiles, ConvertSeveralJointsOfABodyToAChainOfMasslessBodies) {
  const Problem p = ReadText(".mjcf", Mjcf(kMechanism));
  ASSERT_EQ(p.system.bodies.size(), 7U);
  EXPECT_EQ(p.system.bodies[0].name, "base:turn");
  EXPECT_EQ(p.system.bodies[0].mass, 0);
  EXPECT_EQ(p.system.joints[3].name, "base:plate");  // fixed joints have no names
  EXPECT_EQ(WriteModel(ParseModel(WriteModel(p), "again")), WriteModel(p));
}

TEST_F(MjcfFiles, ConvertEqualityConstraintsToLoopJoints) {
  const std::string bodies =
      "<body name=\"a\" pos=\"0 0 1\"><joint name=\"ja\" axis=\"0 1 0\"/>" + Inertial() +
      "<body name=\"b\" pos=\"1 0 0\" quat=\"0.6 0 0.8 0\"><joint name=\"jb\" axis=\"0 1 0\"/>" +
      Inertial() +
      "</body></body><body name=\"c\" pos=\"2 0 1\" quat=\"0.8 0 0.6 0\"><joint "
      "name=\"jc\" axis=\"0 1 0\"/>" +
      Inertial() + "</body>";
  for (const char* constraint :
       {"<connect name=\"l\" body1=\"b\" body2=\"c\" anchor=\"0.4 0 0.3\"/>",
        "<connect name=\"l\" body1=\"a\" anchor=\"0.9 0 -0.3\"/>",
        "<weld name=\"l\" body1=\"b\" body2=\"c\"/>"}) {
    const Problem p =
        ReadText(".mjcf", Mjcf(bodies, fmt::format("<equality>{}</equality>", constraint)));
    ASSERT_EQ(p.system.loop_joints.size(), 1U) << constraint;
    EXPECT_THAT(p.warnings, Contains("connects and welds are soft in MuJoCo and hard here: \"l\""));
    for (const double q : p.initial.joints.q) EXPECT_NEAR(q, 0, 1e-12) << constraint;
  }
  // Without a moment a weld is a connect.
  const Problem weld =
      ReadText(".mjcf", Mjcf(bodies,
                             "<equality><weld body1=\"b\" body2=\"c\" torquescale=\"0\"/>"
                             "</equality>"));
  EXPECT_EQ(weld.system.loop_joints.at(0).type, JointType::kBall);
  // The anchor of a connect is given in the frame of the first body.
  const Problem p =
      ReadText(".mjcf", Mjcf(bodies,
                             "<equality><connect body1=\"b\" body2=\"c\" anchor=\"0.4 0 0.3\"/>"
                             "</equality>"));
  const Vector3 on_b = p.system.loop_joints[0].parent_frame.position + Vector3{0.1, 0.2, -0.3};
  EXPECT_LE(Norm(on_b - Vector3{0.4, 0, 0.3}), 1e-14);
}

TEST_F(MjcfFiles, StartInTheStateOfTheStateFile) {
  const std::string text =
      Mjcf("<body name=\"a\" pos=\"0 0 1\"><freejoint/>" + Inertial() + "</body>");
  const auto start = [&text](const std::string& state) {
    const Problem p = ReadText(".mjcf", text, state);
    EXPECT_EQ(p.system.joints[0].name, "ground:a");
    return ForwardKinematics(p.system, p.initial.joints)[0];
  };
  const Vector3 centre{0.1, 0.2, -0.3};
  EXPECT_LE(Norm(start("\"robot\": \"m\"").position - Vector3{0, 0, 1} - centre), 1e-15);
  const BodyState moved = start(
      "\"base\": \"free\", \"base_pose\": {\"position_m\": [5, 0, 0]}, \"base_velocity\": "
      "{\"velocity_m_s\": [1, 0, 0], \"angular_velocity_rad_s\": [0, 0, 2]}");
  EXPECT_LE(Norm(moved.position - Vector3{5, 0, 0} - centre), 1e-15);
  EXPECT_LE(Norm(moved.velocity - Vector3{1, 0, 0} - Cross({0, 0, 2}, centre)), 1e-14);
  EXPECT_EQ(ReadText(".mjcf", text, "\"base\": \"fixed\"").system.joints[0].type,
            JointType::kFixed);
  // A root link on a hinge, and two root links.
  const std::string hinge = Mjcf("<body name=\"a\"><joint name=\"h\"/>" + Inertial() + "</body>");
  EXPECT_EQ(SentenceOf(".mjcf", hinge, "\"joints\": {\"h\": {\"position\": 1}}"), "accepted");
  EXPECT_THAT(SentenceOf(".mjcf", hinge, "\"base\": \"free\""),
              HasSubstr("the root link is attached to the ground by the joint \"h\""));
  const std::string two = Mjcf("<body name=\"a\"><freejoint/>" + Inertial() +
                               "</body><body name=\"b\"><freejoint/>" + Inertial() + "</body>");
  EXPECT_THAT(SentenceOf(".mjcf", two, "\"base_pose\": {\"position_m\": [0, 0, 1]}"),
              HasSubstr("2 links are attached to the ground"));
  EXPECT_EQ(SentenceOf(".mjcf", two, "\"joints\": {\"ground:b\": {\"position_m\": [1, 0, 0]}}"),
            "accepted");
}

TEST_F(MjcfFiles, AreRefusedForFeaturesThatTheModelLacks) {
  const auto hinge = [](const std::string& attributes, const std::string& rest = "") {
    return Mjcf("<body name=\"a\"><joint name=\"h\" " + attributes + "/>" + Inertial() +
                    "<site name=\"s\"/></body><body name=\"b\" pos=\"1 0 0\"><joint name=\"k\"/>" +
                    Inertial() + "<site name=\"t\"/></body>",
                rest);
  };
  EXPECT_EQ(ReadMjcf(hinge("")), "accepted");
  EXPECT_THAT(ReadMjcf(hinge("armature=\"0.1\"")),
              HasSubstr("joint \"h\" has the armature 0.1: rotor inertia is not in the model"));
  EXPECT_THAT(ReadMjcf(hinge("type=\"ball\" damping=\"1\"")),
              HasSubstr("joint \"h\" has damping: dampers act in revolute and prismatic joints"));
  EXPECT_THAT(ReadMjcf(hinge("type=\"ball\" stiffness=\"1\"")),
              HasSubstr("joint \"h\" has stiffness"));
  EXPECT_THAT(ReadMjcf(hinge("", "<option density=\"1.2\"/>")),
              HasSubstr("the fluid of density 1.2"));
  EXPECT_THAT(
      ReadMjcf(hinge("", "<equality><joint name=\"e\" joint1=\"h\" joint2=\"k\"/></equality>")),
      HasSubstr("equality \"e\" couples joints"));
  const std::string tendon =
      "<tendon><spatial name=\"t\" %><site site=\"s\"/><site site=\"t\"/>"
      "</spatial></tendon>";
  const auto with = [&tendon](const std::string& attribute) {
    std::string text = tendon;
    return text.replace(text.find('%'), 1, attribute);
  };
  EXPECT_THAT(ReadMjcf(hinge("", with("stiffness=\"5\""))),
              HasSubstr("tendon \"t\" has stiffness"));
  EXPECT_THAT(Warnings(hinge("", with(""))), Contains(HasSubstr("tendons ignored")));
  EXPECT_THAT(ReadMjcf("<robot name=\"r\"><link name=\"a\"/></robot>"),
              HasSubstr("the root element is <robot>"));
  EXPECT_THAT(ReadMjcf("<mujoco><worldbody><body>"), HasSubstr("MuJoCo cannot read it"));
  EXPECT_THAT(ReadMjcf(""), HasSubstr("robot.mjcf: "));
  EXPECT_THAT(ReadMjcf(hinge("") + hinge("")), HasSubstr("one root element"));
  EXPECT_EQ(SentenceOf(".xml", hinge("")), "accepted");
  EXPECT_EQ(SentenceOf(".XML", hinge("")), "accepted");
  EXPECT_EQ(SentenceOf(".MJCF", hinge("")), "accepted");
}

TEST_F(MjcfFiles, ReportIgnoredElements) {
  const std::string text = Mjcf(
      "<geom type=\"plane\" size=\"1 1 1\"/><body name=\"moved\" mocap=\"true\"/><body name=\"a\">"
      "<joint name=\"h\" limited=\"true\" range=\"-1 1\" ref=\"0\" frictionloss=\"0.2\" "
      "damping=\"0.5\"/>" +
          Inertial() + "<geom type=\"box\" size=\"0.1 0.2 0.3\"/></body>",
      "<actuator><motor name=\"pull\" joint=\"h\"/></actuator><sensor><jointpos "
      "joint=\"h\"/></sensor>"
      "<equality><weld name=\"off\" body1=\"a\" active=\"false\"/></equality>");
  const std::vector<std::string> warnings = Warnings(text);
  for (const char* sentence :
       {"damping of 1 joint taken as a linear damper",
        "dry friction of \"h\" ignored: it is not a smooth force", "actuators ignored: \"pull\"",
        "limits of joints ignored: \"h\"", "contacts of 2 geoms ignored",
        "mocap body \"moved\" stays where the file puts it", "elements ignored: 1 <sensor>",
        "inactive equalities left out: \"off\""}) {
    EXPECT_THAT(warnings, Contains(sentence));
  }
  EXPECT_THAT(ReadText(".mjcf", text, "\"joints\": {\"h\": {\"position\": 1.5}}").warnings,
              Contains("joint \"h\" starts at 1.5, outside its limits -1 to 1"));
}

// Two flaps in a row, the second on a slide, and actuators at them.
std::string Flaps(const std::string& actuators, const std::string& joint = "",
                  const std::string& controls = "0.5") {
  return Mjcf(
      "<body name=\"flap\" pos=\"0 0 0.5\"><joint name=\"hinge\" axis=\"0 1 0\" " + joint +
          "/><inertial pos=\"0.25 0 0\" mass=\"1.2\" diaginertia=\"0.001 0.02 0.02\"/><body "
          "name=\"tip\" pos=\"0.5 0 0\"><joint name=\"slide\" type=\"slide\" axis=\"1 0 1\"/>"
          "<inertial pos=\"0.1 0 0\" mass=\"0.3\" diaginertia=\"0.001 0.002 0.002\"/></body>"
          "</body>",
      "<actuator>" + actuators +
          "</actuator><keyframe><key qpos=\"0.3 0.1\" qvel=\"-2 0.7\" ctrl=\"" + controls +
          "\"/></keyframe>");
}

// MuJoCo 2.2.2 gives 113.8058451 rad/s^2 = (m g c cos 0.3 + 40 (0.5 - 0.3)) / 0.095.
TEST_F(MjcfFiles, TakePositionServosAsSpringsAtTheControlOfTheKeyframe) {
  const std::string flap =
      "<body name=\"flap\" pos=\"0 0 0.5\"><joint name=\"hinge\" axis=\"0 1 0\"/><inertial "
      "pos=\"0.25 0 0\" mass=\"1.2\" diaginertia=\"0.001 0.02 0.02\"/></body>";
  const std::string servo = "<actuator><position name=\"s\" joint=\"hinge\" kp=\"40\"/></actuator>";
  const std::string text =
      Mjcf(flap, servo + "<keyframe><key qpos=\"0.3\" ctrl=\"0.5\"/></keyframe>");
  const Problem p = ReadText(".mjcf", text);
  ASSERT_EQ(p.system.forces.Of<JointSpringDamper>().size(), 1U);
  EXPECT_EQ(p.system.forces.Of<JointSpringDamper>()[0].stiffness, 40);
  EXPECT_EQ(p.system.forces.Of<JointSpringDamper>()[0].free_coordinate, 0.5);
  const double by_hand = (1.2 * 9.81 * 0.25 * std::cos(0.3) + 40 * (0.5 - 0.3)) / 0.095;
  EXPECT_NEAR(by_hand, 113.8058451, 1e-7);
  EXPECT_NEAR(Loaded(text).data->qacc[0], by_hand, 1e-10);
  EXPECT_LE(DifferenceFromMujoco(text), 1e-12 * by_hand);
  EXPECT_THAT(p.warnings, Contains("servos taken as springs and dampers of their joints, at the "
                                   "controls of the keyframe: \"s\""));
  EXPECT_EQ(
      ReadText(".mjcf", Mjcf(flap, servo)).system.forces.Of<JointSpringDamper>()[0].free_coordinate,
      0);
}

TEST_F(MjcfFiles, ExertWithServosTheForcesThatMujocoComputes) {
  for (const auto& [actuators, controls] : std::vector<std::pair<std::string, std::string>>{
           {"<position joint=\"hinge\" kp=\"40\" gear=\"3\"/>", "0.5"},
           {"<position joint=\"hinge\" kp=\"40\" gear=\"-2\" ctrllimited=\"true\" "
            "ctrlrange=\"-1 0.2\"/>",
            "0.5"},
           {"<position joint=\"slide\" kp=\"7\"/>", "-0.3"},
           {"<general joint=\"hinge\" gainprm=\"12\" biastype=\"affine\" biasprm=\"1 -30 -0.4\"/>",
            "0.5"},
           {"<general joint=\"hinge\" gaintype=\"affine\" gainprm=\"3 -2 -1\"/>", "0.5"},
           {"<position joint=\"hinge\" kp=\"4\"/><velocity joint=\"hinge\" kv=\"5\"/>", "0.5 0.7"},
           {"<motor joint=\"slide\" ctrllimited=\"true\" ctrlrange=\"-1 0\"/><velocity "
            "joint=\"slide\" kv=\"5\"/>",
            "0.5 0"},
           {"<motor joint=\"hinge\" gear=\"-3\"/>", "0.5"},
           {"<motor joint=\"slide\" ctrllimited=\"true\" ctrlrange=\"-1 0.2\"/>", "0.5"},
           {"<motor joint=\"hinge\" gear=\"2\" forcelimited=\"true\" forcerange=\"-1 0.3\"/>",
            "0.5"},
           {"<velocity joint=\"hinge\" kv=\"2\"/><motor joint=\"hinge\"/>", "0.5 -0.4"}}) {
    EXPECT_LE(DifferenceFromMujoco(Flaps(actuators, "", controls)), 1e-10) << actuators;
    const std::string spring = "stiffness=\"9\" springref=\"-0.4\" damping=\"0.3\"";
    EXPECT_LE(DifferenceFromMujoco(Flaps(actuators, spring, controls)), 1e-10) << actuators;
  }
}

// Without a keyframe all controls are 0, and so are the motors.
TEST_F(MjcfFiles, TakeMotorsAtTheControlOfTheKeyframe) {
  const std::string motor = "<motor name=\"m\" joint=\"hinge\" gear=\"-3\"/>";
  const Problem p = ReadText(".mjcf", Flaps(motor));
  const auto& motors = p.system.forces.Of<Motor>();
  ASSERT_EQ(motors.size(), 1U);
  EXPECT_EQ(motors[0].effort.At(0), -1.5);
  EXPECT_TRUE(motors[0].turns);
  EXPECT_EQ(p.system.joints[static_cast<std::size_t>(motors[0].joint)].name, "hinge");
  EXPECT_FALSE(p.conservative);
  EXPECT_THAT(p.warnings, Contains("actuators taken as motors of constant effort, at the controls "
                                   "of the keyframe: \"m\""));
}

TEST_F(MjcfFiles, AreRefusedForAControlOfTheKeyframeThatIsNotFinite) {
  for (const char* actuator : {"<motor name=\"m\" joint=\"hinge\"/>",
                               "<position name=\"m\" joint=\"hinge\" ctrllimited=\"true\" "
                               "ctrlrange=\"-1 1\"/>"}) {
    const std::string refused = ReadMjcf(Flaps(actuator, "", "nan"));
    EXPECT_THAT(refused, HasSubstr("keyframe \"key_0\"")) << actuator;
    EXPECT_THAT(refused, HasSubstr("actuator \"m\" the ctrl nan")) << actuator;
  }
}

TEST_F(MjcfFiles, AreRefusedForActuatorsWithForcesThatTheModelLacks) {
  for (const auto& [actuator, why] : std::vector<std::pair<std::string, std::string>>{
           {"<muscle name=\"mu\" joint=\"hinge\" lengthrange=\"0 1\"/>", "is a muscle"},
           {"<intvelocity name=\"i\" joint=\"hinge\" kp=\"2\" actrange=\"-1 1\"/>",
            "has a control that changes its activation"}}) {
    EXPECT_THAT(ReadMjcf(Flaps(actuator)), HasSubstr(why)) << actuator;
  }
  EXPECT_THAT(ReadMjcf(Mjcf("<body name=\"a\"><freejoint name=\"f\"/>" + Inertial() + "</body>",
                            "<actuator><position joint=\"f\" gear=\"0 0 1 0 0 0\" kp=\"3\"/>"
                            "</actuator>")),
              HasSubstr("acts on no hinge or slide"));
  EXPECT_EQ(ReadMjcf(Mjcf("<body name=\"a\"><joint name=\"h\"/>" + Inertial() + "</body>",
                          "<option><flag actuation=\"disable\"/></option><actuator><position "
                          "joint=\"h\" kp=\"3\"/></actuator>")),
            "accepted");
}

#if mjVERSION_HEADER >= 237
TEST_F(MjcfFiles, AreRefusedForGravityCompensationAndKeepTheRangeOfMotorsOnAJoint) {
  EXPECT_THAT(ReadMjcf(Mjcf("<body name=\"a\" gravcomp=\"0.5\"><joint/>" + Inertial() + "</body>")),
              HasSubstr("body \"a\" has gravcomp"));
  const std::string range = "actuatorfrclimited=\"true\" actuatorfrcrange=\"-1 0.2\"";
  EXPECT_LE(DifferenceFromMujoco(Flaps("<motor joint=\"hinge\"/>", range)), 1e-10);
  EXPECT_THAT(Warnings(Flaps("<position joint=\"hinge\" kp=\"40\"/>", range)),
              Contains(HasSubstr("the range of the actuators' force on joint \"hinge\"")));
}
#endif

TEST_F(MjcfFiles, WarnOfRangesOfServosAndOfExplicitContactPairs) {
  EXPECT_THAT(Warnings(Flaps("<position name=\"s\" joint=\"hinge\" kp=\"4\" forcelimited=\"true\" "
                             "forcerange=\"-1 1\"/>")),
              Contains("force ranges of servos ignored: \"s\""));
  // 4 (0.5 - 3 x 0.3) N m at the actuator.
  const auto in_range = [this](const std::string& range) {
    return Warnings(
        Flaps("<position name=\"s\" joint=\"hinge\" kp=\"4\" gear=\"3\" "
              "forcelimited=\"true\" forcerange=\"" +
              range + "\"/>"));
  };
  EXPECT_THAT(in_range("-1 1"),
              Contains(HasSubstr("the force -1.6 of servo \"s\" at the start is outside its range "
                                 "of -1 to 1, which is ignored: it may change the motion")));
  EXPECT_THAT(in_range("-2 1"), testing::Not(Contains(HasSubstr("at the start is outside"))));
  EXPECT_THAT(Warnings(Flaps("<position name=\"s\" joint=\"hinge\" kp=\"4\" ctrllimited=\"true\" "
                             "ctrlrange=\"0 0.2\"/>")),
              Contains("the control 0.5 of actuator \"s\" is outside its range and taken as 0.2"));
  const std::string geom = "<geom name=\"%\" size=\"0.1\" contype=\"0\" conaffinity=\"0\"/>";
  const auto named = [&geom](const char* name) {
    std::string text = geom;
    return text.replace(text.find('%'), 1, name);
  };
  EXPECT_THAT(Warnings(Mjcf(named("g") + "<body><joint/>" + Inertial() + named("k") + "</body>",
                            "<contact><pair geom1=\"g\" geom2=\"k\"/></contact>")),
              Contains("elements ignored: 1 <pair> of contacts"));
}

TEST_F(MjcfFiles, MayLeaveBodiesAndJointsWithoutNames) {
  const Problem p = ReadText(
      ".mjcf", Mjcf("<body pos=\"0 0 1\"><joint axis=\"0 1 0\"/>" + Inertial() +
                    "<body name=\"body_1\"><joint name=\"joint_0\" axis=\"0 1 0\"/>" + Inertial() +
                    "<body name=\"body_1_2\"><joint name=\"body_1_2:x\"/>" + Inertial() +
                    "<body name=\"x\">" + Inertial() + "</body></body></body></body>"));
  EXPECT_EQ(p.system.bodies[0].name, "body_1_3");
  EXPECT_EQ(p.system.joints[0].name, "joint_0_2");
  EXPECT_EQ(p.system.joints[3].name, "body_1_2:x_2");
}

TEST_F(MjcfFiles, ReportMassesThatTheCompilerChanged) {
  const std::string light =
      "<body name=\"a\"><joint name=\"h\"/><inertial pos=\"0 0 1\" mass=\"0.001\" "
      "diaginertia=\"0.1 0.1 0.1\"/></body>";
  EXPECT_THAT(Warnings(Mjcf(light, "<compiler boundmass=\"0.5\"/>")),
              Contains("the compiler's boundmass changed the mass of \"a\" from 0.001 to 0.5 kg"));
  EXPECT_THAT(Warnings(Mjcf(light, "<compiler boundinertia=\"0.2\"/>")),
              Contains(HasSubstr("changed the principal moments of \"a\" from (0.1, 0.1, 0.1) to "
                                 "(0.2, 0.2, 0.2)")));
  EXPECT_THAT(Warnings(Mjcf(light, "<compiler boundmass=\"0.0001\"/>")),
              testing::Not(Contains(HasSubstr("boundmass"))));
  const std::string flat =
      "<body name=\"a\"><joint name=\"h\"/><inertial pos=\"0 0 1\" mass=\"1\" "
      "diaginertia=\"0.9 0.1 0.1\"/></body>";
  EXPECT_THAT(Warnings(Mjcf(flat, "<compiler balanceinertia=\"true\"/>")),
              Contains(HasSubstr("balanceinertia changed what it would refuse")));
}

TEST_F(MjcfFiles, WithDamageAreReadOrRefusedWithAMessage) {
  const std::string text = Mjcf(kMechanism);
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::string sentence = ReadMjcf(Mutator(seed).Mutate(text));
    EXPECT_THAT(sentence, testing::AnyOf("accepted", HasSubstr("robot.mjcf")));
    refused += sentence == "accepted" ? 0 : 1;
  }
  EXPECT_GT(refused, 5);
  std::string deep = "<mujoco>";
  for (int i = 0; i < 200'000; ++i) deep += "<a>";
  EXPECT_THAT(ReadMjcf(deep), HasSubstr("robot.mjcf"));
}

}  // namespace
}  // namespace mbsbench
