// SDF files: positions of links and joints, refusals, and warnings about ignored elements.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "problems/io/write_model.h"
#include "problems/model/kinematics.h"
#include "tests/fuzz/mutations.h"
#include "tests/problems/robot_readers/read_text.h"

namespace mbsbench {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string Sdf(const std::string& elements) {
  return "<sdf version=\"1.9\"><model name=\"m\">\n" + elements + "</model></sdf>\n";
}
std::string World(const std::string& elements) {
  return "<sdf version=\"1.9\"><world name=\"w\">\n" + elements + "</world></sdf>\n";
}
std::string Link(const std::string& name, const std::string& rest = "") {
  return fmt::format(
      "<link name=\"{}\"><inertial><pose>0.1 0 0 0 0 0</pose><mass>2</mass><inertia><ixx>0.1</ixx>"
      "<iyy>0.2</iyy><izz>0.25</izz></inertia></inertial>{}</link>\n",
      name, rest);
}
std::string Joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child,
                  const std::string& rest = "<axis><xyz>0 0 1</xyz></axis>") {
  return fmt::format(
      "<joint name=\"{}\" type=\"{}\"><parent>{}</parent><child>{}</child>{}</joint>\n", name, type,
      parent, child, rest);
}
std::string ReadSdf(const std::string& text) { return SentenceOf(".sdf", text); }
std::vector<BodyState> Start(const Problem& p) {
  return ForwardKinematics(p.system, p.initial.joints);
}
Vector3 AxisOf(const Problem& p, std::size_t joint, const Vector3& axis = {0, 0, 1}) {
  const auto& j = p.system.joints[joint];
  const Quaternion parent =
      j.parent == kGround ? Quaternion{} : Start(p)[static_cast<std::size_t>(j.parent)].orientation;
  return Rotate(parent * j.parent_frame.orientation, axis);
}
void ExpectNear(const Vector3& a, const Vector3& b, double bound) {
  EXPECT_LE(Norm(a - b), bound) << fmt::format("({}, {}, {})", a.x, a.y, a.z);
}

class SdfFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasReader("sdf")) GTEST_SKIP() << "the reader of SDF files is not built";
  }
};

constexpr char kQuarter[] = "1.5707963267948966";

TEST_F(SdfFiles, PlaceLinksAndJointsByTheirFrames) {
  const std::string quarter = kQuarter;
  const Problem p = ReadText(
      ".sdf",
      Sdf("<pose>0 0 5 0 0 " + quarter + "</pose>" + Link("a", "<pose>1 0 0 0 0 0</pose>") +
          Link("b", "<pose relative_to=\"a\">0 2 0 " + quarter + " 0 0</pose>") +
          Joint("j", "revolute", "a", "b",
                "<pose>0 0 -1 0 0 0</pose><axis><xyz>0 0 2</xyz></axis>") +
          Joint("k", "prismatic", "b", "c",
                "<pose relative_to=\"a\"/><axis><xyz expressed_in=\"a\">0 -3 0</xyz></axis>") +
          Link("c")),
      "\"joints\": {\"k\": {\"position\": 0.5}}");
  ASSERT_EQ(p.system.joints[0].name, "ground:a");
  EXPECT_EQ(p.system.joints[0].type, JointType::kFree);
  const auto bodies = Start(p);
  // The model is turned by a quarter about z: its x is the world's y.
  ExpectNear(bodies[0].position, {0, 1.1, 5}, 1e-14);
  ExpectNear(bodies[1].position, {-2, 1.1, 5}, 1e-14);
  // Link c is given in the model's frame. The slider moves it along -y of a, which is the world's x.
  ExpectNear(bodies[2].position, {0.5, 0.1, 5}, 1e-14);
  // The joint's frame has the axes of its child, whose z is -y of a, the world's x.
  ExpectNear(AxisOf(p, 1), {1, 0, 0}, 1e-14);
  const auto& j = p.system.joints[1];
  const Vector3 origin =
      bodies[0].position + Rotate(bodies[0].orientation, j.parent_frame.position);
  ExpectNear(origin, {-2 - 1, 1, 5}, 1e-14);  // 1 m along -z of the child
}

TEST_F(SdfFiles, TurnAboutUniversalAndBallJoints) {
  const std::string axes = "<axis><xyz>0 1 0</xyz></axis><axis2><xyz>0 0 -1</xyz></axis2>";
  const Problem p = ReadText(
      ".sdf",
      Sdf(Link("a") + Link("b") + Link("c") + Joint("f", "fixed", "world", "a", "") +
          Joint("u", "universal", "a", "b", axes) + Joint("s", "ball", "b", "c", "")),
      "\"joints\": {\"u\": {\"angles_rad\": [0.3, -0.7], \"rates_rad_s\": [1, 2]}, "
      "\"s\": {\"quaternion_wxyz\": [0.8, 0, 0, 0.6], \"angular_velocity_rad_s\": [0, 0, 3]}}");
  EXPECT_EQ(p.system.joints[1].type, JointType::kUniversal);
  const auto bodies = Start(p);
  // About y first, then about -z of the turned frame.
  const Quaternion turned = AxisAngle({0, 1, 0}, 0.3) * AxisAngle({0, 0, -1}, -0.7);
  EXPECT_LE(AngleBetween(bodies[1].orientation, turned), 1e-14);
  const Vector3 rate = Vector3{0, 1, 0} + 2. * Rotate(AxisAngle({0, 1, 0}, 0.3), {0, 0, -1});
  ExpectNear(bodies[1].angular_velocity, rate, 1e-14);
  EXPECT_LE(AngleBetween(bodies[2].orientation, turned * Quaternion{0.8, 0, 0, 0.6}), 1e-14);
  ExpectNear(bodies[2].angular_velocity, rate + Rotate(turned, {0, 0, 3}), 1e-14);
  EXPECT_EQ(WriteModel(ParseModel(WriteModel(p), "again")), WriteModel(p));
  EXPECT_THAT(ReadSdf(Sdf(Link("a") + Link("b") +
                          Joint("u", "universal", "a", "b",
                                "<axis><xyz>0 1 0</xyz></axis><axis2><xyz>0 1 1</xyz></axis2>"))),
              HasSubstr("joint \"u\" has axes that are not perpendicular"));
}

TEST_F(SdfFiles, HaveSpringsAndDampersInTheirJoints) {
  const Problem p = ReadText(
      ".sdf",
      Sdf(Link("a") + Link("b") +
          Joint("j", "revolute", "a", "b",
                "<axis><xyz>0 0 1</xyz><dynamics><damping>0.7</damping><friction>0.1</friction>"
                "<spring_stiffness>5</spring_stiffness><spring_reference>-0.3</spring_reference>"
                "</dynamics></axis>")));
  ASSERT_EQ(p.system.forces.Of<JointSpringDamper>().size(), 1U);
  const JointSpringDamper& e = p.system.forces.Of<JointSpringDamper>()[0];
  EXPECT_EQ(e.damping, 0.7);
  EXPECT_EQ(e.stiffness, 5);
  EXPECT_EQ(e.free_coordinate, -0.3);
  EXPECT_THAT(p.warnings, Contains(HasSubstr("dry friction of \"j\"")));
}

// A square of four links. The last joint is the second one to its link.
TEST_F(SdfFiles, CloseLoopsWithTheSecondJointOfALink) {
  std::string text;
  const char* const poses[] = {"0 0 0", "1 0 0", "1 1 0", "0 1 0"};
  for (int i = 0; i < 4; ++i)
    text += Link(fmt::format("l{}", i), fmt::format("<pose>{} 0 0 0</pose>", poses[i]));
  text += Joint("base", "fixed", "world", "l0", "");
  for (int i = 0; i < 3; ++i)
    text +=
        Joint(fmt::format("j{}", i), "revolute", fmt::format("l{}", i), fmt::format("l{}", i + 1));
  text += Joint("back", "revolute", "l0", "l3",
                "<pose relative_to=\"l0\">0 0.5 0 0 0 0</pose><axis><xyz>0 0 1</xyz></axis>");
  const Problem p = ReadText(".sdf", Sdf(text));
  ASSERT_EQ(p.system.loop_joints.size(), 1U);
  EXPECT_EQ(p.system.loop_joints[0].name, "back");
  EXPECT_FALSE(p.initial.dependent_joints.empty());
  for (const double q : p.initial.joints.q) EXPECT_NEAR(q, 0, 1e-12);
  // Two links that are children of each other: the second joint closes the loop.
  const Problem ring =
      ReadText(".sdf", Sdf(Link("a") + Link("b") + Joint("j", "revolute", "a", "b") +
                           Joint("k", "revolute", "b", "a")));
  EXPECT_EQ(ring.system.joints.size(), 2U);
  EXPECT_EQ(ring.system.loop_joints.size(), 1U);
}

TEST_F(SdfFiles, MayNestModels) {
  const Problem p = ReadText(
      ".sdf", Sdf("<pose>1 0 0 0 0 0</pose>" + Link("a") + "<model name=\"n\"><pose>0 2 0 0 0 " +
                  std::string(kQuarter) + "</pose>" + Link("b", "<pose>0 0 3 0 0 0</pose>") +
                  "</model>" + Joint("j", "fixed", "a", "n::b", "")));
  ASSERT_EQ(p.system.bodies[1].name, "n::b");
  ExpectNear(Start(p)[1].position, {1, 2.1, 3}, 1e-14);
}

TEST_F(SdfFiles, UseTheGravityOfTheirWorldAndKeepStaticModelsFixed) {
  const std::string model =
      "<model name=\"m\">" + Link("a") + Link("b") + Joint("j", "revolute", "a", "b") + "</model>";
  const Problem p = ReadText(".sdf", World("<gravity>1 2 -3</gravity>" + model));
  ExpectNear(p.system.gravity, {1, 2, -3}, 0);
  ExpectNear(ReadText(".sdf", Sdf(Link("a"))).system.gravity, {0, 0, -9.81}, 0);
  const Problem still = ReadText(".sdf", Sdf("<static>true</static>" + Link("a") + Link("b") +
                                             Joint("j", "revolute", "a", "b")));
  for (const auto& joint : still.system.joints) EXPECT_EQ(joint.type, JointType::kFixed);
  EXPECT_THAT(still.warnings, Contains(HasSubstr("static")));
}

TEST_F(SdfFiles, MayHoldStaticModelsBesidesTheRobot) {
  const Problem p = ReadText(
      ".world", World("<model name=\"floor\"><static>true</static><link name=\"l\"/></model>"
                      "<model name=\"m\">" +
                      Link("a") + "</model>"));
  EXPECT_EQ(p.title, "m");
  EXPECT_EQ(p.system.bodies.size(), 1U);
  EXPECT_THAT(p.warnings, Contains("static models left out: \"floor\""));
}

TEST_F(SdfFiles, AreRefusedForFeaturesThatTheModelLacks) {
  const std::string two = Link("a") + Link("b");
  const std::string axes = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";
  EXPECT_THAT(ReadSdf(Sdf(two + Joint("j", "screw", "a", "b"))),
              HasSubstr("joint \"j\" is of type screw"));
  EXPECT_THAT(ReadSdf(Sdf(two + Joint("j", "revolute2", "a", "b", axes))),
              HasSubstr("joint \"j\" is of type revolute2"));
  EXPECT_THAT(
      ReadSdf(Sdf(two + Joint("j", "gearbox", "a", "b",
                              axes + "<gearbox_reference_body>a</gearbox_reference_body>"))),
      HasSubstr("joint \"j\" is of type gearbox"));
  const std::string model = "<model name=\"%\">" + Link("a") + "</model>";
  const auto named = [&model](const char* name) {
    std::string text = model;
    return text.replace(text.find('%'), 1, name);
  };
  EXPECT_THAT(ReadSdf(World(named("m") + named("n"))),
              HasSubstr("the world has 2 models that are not static"));
  EXPECT_THAT(ReadSdf(World("")), HasSubstr("the world has 0 models that are not static"));
  EXPECT_THAT(ReadSdf(World("<include><uri>model://no_such_model</uri></include>")),
              HasSubstr("libsdformat cannot read it"));
  EXPECT_THAT(ReadSdf(Sdf("<enable_wind>true</enable_wind>" + Link("a"))), HasSubstr("wind"));
  EXPECT_THAT(ReadSdf(Sdf(Link("a", "<gravity>false</gravity>"))),
              HasSubstr("link \"a\" has no gravity"));
  EXPECT_THAT(ReadSdf(Sdf(Link("a") + "<plugin name=\"p\" filename=\"libBuoyancyPlugin.so\"/>")),
              HasSubstr("<plugin> \"p\" (forces of a fluid) would change the motion"));
  EXPECT_THAT(ReadSdf(Sdf("<link name=\"x\"><inertial><mass>1</mass><inertia><ixx>0.001</ixx>"
                          "<iyy>0.002</iyy><izz>0.004</izz></inertia></inertial></link>")),
              HasSubstr("link \"x\": no rigid body can have its inertia (0.001 + 0.002 < 0.004 kg "
                        "m^2); --accept-inertia takes it as it is"));
  EXPECT_THAT(ReadSdf("<robot name=\"r\"><link name=\"a\"/></robot>"), HasSubstr("robot.sdf"));
  EXPECT_THAT(ReadSdf(""), HasSubstr("robot.sdf"));
}

TEST_F(SdfFiles, AreRefusedForElementsOfLaterVersionsThatChangeTheMotion) {
  const std::string two = Link("a") + Link("b");
  EXPECT_THAT(
      ReadSdf(Sdf(two + Joint("j", "revolute", "world", "a") +
                  Joint("k", "revolute", "world", "b",
                        "<axis><xyz>0 1 0</xyz><mimic joint=\"j\"><multiplier>2</multiplier>"
                        "</mimic></axis>"))),
      HasSubstr("<mimic> couples joints"));
  EXPECT_THAT(ReadSdf(Sdf("<link name=\"a\"><inertial auto=\"true\"/></link>")),
              HasSubstr("state mass and inertia"));
  EXPECT_EQ(
      ReadSdf(Sdf("<link name=\"a\"><inertial auto=\"false\"><mass>1</mass></inertial></link>")),
      "accepted");
  EXPECT_THAT(ReadSdf(Sdf("<link name=\"a\"><inertial><mass>1</mass><fluid_added_mass><xx>1</xx>"
                          "</fluid_added_mass></inertial></link>")),
              HasSubstr("<fluid_added_mass> would change the motion"));
  EXPECT_THAT(ReadSdf(Sdf(two + Joint("j", "revolute", "a", "b") +
                          "<drake:linear_bushing_rpy><k>1</k></drake:linear_bushing_rpy>")),
              HasSubstr("<drake:linear_bushing_rpy> would change the motion"));
  EXPECT_THAT(ReadSdf(Sdf(Link("a", "<spring_thing>4</spring_thing>"))),
              HasSubstr("\"spring_thing\" would change the motion"));
  const std::string unknown = Sdf(Link("a", "<wobble>4</wobble>"));
  EXPECT_THAT(ReadText(".sdf", unknown).warnings,
              Contains(testing::AllOf(HasSubstr("wobble"), HasSubstr("may change the motion"))));
}

// A world that includes a model, which includes a file.
Problem ReadIncluded(const std::string& name, const std::string& text, bool strict = false) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.File("inner"));
  std::ofstream(folder.File("inner/" + name)) << text;
  std::ofstream(folder.File("inner/model.config"))
      << "<model><name>i</name><sdf version=\"1.9\">" + name + "</sdf></model>";
  std::ofstream(folder.File("outer.sdf"))
      << Sdf(Link("base") + "<include><uri>model://inner</uri><name>i</name></include>");
  std::ofstream(folder.File("robot.sdf")) << World("<include><uri>outer.sdf</uri></include>");
  return LoadProblem(WithRobotOptions(folder.File("robot.sdf"), {.state = "", .strict = strict}));
}
std::string SentenceOfIncluded(const std::string& name, const std::string& text,
                               bool strict = false) {
  try {
    ReadIncluded(name, text, strict);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_F(SdfFiles, AreJudgedLikewiseIfOthersIncludeThem) {
  const auto one = [](const std::string& axis, const std::string& link = "") {
    return Sdf(Link("a", link) +
               Joint("j", "revolute", "world", "a", "<axis><xyz>0 1 0</xyz>" + axis + "</axis>"));
  };
  ASSERT_EQ(SentenceOfIncluded("model.sdf", one("")), "accepted");
  for (const auto& [text, word] : std::vector<std::pair<std::string, std::string>>{
           {one("<mimic joint=\"k\"/>"), "<mimic> couples joints"},
           {one("<rotor_inertia>0.5</rotor_inertia>"), "rotor_inertia"},
           {one("", "<spring_thing>4</spring_thing>"), "spring_thing"},
           {one("<drake:rotor_inertia>0.5</drake:rotor_inertia>"), "drake:rotor_inertia"},
           {one("<dynamics><damping>3,5</damping></dynamics>"), "<damping> is \"3,5\""},
           {Sdf("<link name=\"a\"><inertial auto=\"true\"/></link>"), "state mass and inertia"}}) {
    EXPECT_THAT(SentenceOfIncluded("model.sdf", text),
                testing::AllOf(HasSubstr("inner/model.sdf"), HasSubstr(word)))
        << text;
  }
  for (const std::string& text :
       {one("", "<wobble>4</wobble>"), one("<other:wobble>4</other:wobble>")}) {
    EXPECT_THAT(ReadIncluded("model.sdf", text).warnings,
                Contains(testing::AllOf(HasSubstr("inner/model.sdf: "), HasSubstr("wobble"),
                                        HasSubstr("may change the motion"))));
    EXPECT_THAT(SentenceOfIncluded("model.sdf", text, true), HasSubstr("(--strict)"));
  }
  EXPECT_THAT(SentenceOfIncluded("model.urdf", "<robot name=\"r\"><link name=\"a\"/></robot>"),
              HasSubstr("SDF files cannot include it"));
}

TEST_F(SdfFiles, MayNotStateTwiceWhatCountsOnce) {
  const std::string axis = "<axis><xyz>0 0 1</xyz></axis>";
  const std::string spring = "<dynamics><spring_stiffness>4</spring_stiffness></dynamics>";
  const auto refused = [](const std::string& text, const std::string& kind) {
    EXPECT_THAT(ReadSdf(text), HasSubstr("has two <" + kind + "> elements")) << text;
  };
  refused(Sdf(Link("a", "<inertial><mass>1</mass></inertial>")), "inertial");
  refused(Sdf(Link("a", "<pose>0 0 1 0 0 0</pose><pose>0 0 2 0 0 0</pose>")), "pose");
  refused(Sdf(Link("a") + Joint("j", "revolute", "world", "a", axis + axis)), "axis");
  refused(Sdf(Link("a") + Joint("j", "revolute", "world", "a",
                                "<axis><xyz>0 0 1</xyz><dynamics/>" + spring + "</axis>")),
          "dynamics");
  refused(World("<gravity>0 0 -9.81</gravity><gravity>0 0 -1.62</gravity><model name=\"m\">" +
                Link("a") + "</model>"),
          "gravity");
  EXPECT_THAT(ReadSdf(Sdf(Link("a")) + Sdf(Link("b"))), HasSubstr("one root element"));
}

TEST_F(SdfFiles, WarnOfWhatMayChangeTheMotion) {
  const std::string spring =
      "<axis2><xyz>0 1 0</xyz><dynamics><spring_stiffness>40</spring_stiffness></dynamics></axis2>";
  const std::string stray = Sdf(
      Link("a") + Joint("j", "revolute", "world", "a", "<axis><xyz>0 0 1</xyz></axis>" + spring));
  EXPECT_TRUE(ReadText(".sdf", stray).system.forces.Of<JointSpringDamper>().empty());
  const std::string model = "<model name=\"m\">" + Link("a") + "</model>";
  for (const auto& [text, word] : std::vector<std::pair<std::string, std::string>>{
           {stray, "<axis2>"},
           {Sdf(Link("a") + Joint("j", "prismatic", "world", "a",
                                  "<axis><xyz>0 0 1</xyz></axis><thread_pitch>3</thread_pitch>")),
            "<thread_pitch>"},
           {Sdf(Link("a") + Joint("j", "revolute", "world", "a", "<axis>0 1 0</axis>")),
            "the text \"0 1 0\" in <axis>"},
           {World("<state world_name=\"w\"><model name=\"m\"><link name=\"a\"><pose>0 0 1 0 0.5 0"
                  "</pose></link></model></state>" +
                  model),
            "<state>"},
           {Sdf("<link name=\"a\"><inertial><pose>0.1 0 0 0 0 0</pose></inertial></link>"),
            "mass = 1 kg, ixx = 1 kg m^2, iyy = 1 kg m^2, izz = 1 kg m^2"},
           {Sdf("<link "
                "name=\"a\"><inertial><mass>2</mass><inertia><ixx>1</ixx><izz>1</izz></inertia>"
                "</inertial></link>"),
            "<inertial> (line 2) leaves out what is 1 in SDF, iyy = 1 kg m^2"},
           {Sdf("<link name=\"a\" other:gravity=\"0\"/>"), "other:gravity"},
           {Sdf(Link("a") + "<plugin name=\"x\" filename=\"libfoo.so\"/>"), "the plug-in \"x\""}}) {
    EXPECT_THAT(ReadText(".sdf", text).warnings,
                Contains(testing::AllOf(HasSubstr(word), HasSubstr("may change the motion"))))
        << text;
  }
  EXPECT_THAT(
      ReadSdf(Sdf(Link("a") + "<plugin name=\"x\" filename=\"libfoo.so\"><spring_stiffness>4"
                              "</spring_stiffness></plugin>")),
      HasSubstr("<spring_stiffness> of <plugin> \"x\" would change the motion"));
  EXPECT_THAT(
      ReadText(".sdf", "<sdf version=\"9.9\"><model name=\"m\">" + Link("a") + "</model></sdf>")
          .warnings,
      Contains("SDF version 9.9 is read as 1.9"));
}

TEST_F(SdfFiles, AreRefusedForElementsInAnotherSpelling) {
  const std::string moments = "<inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>";
  for (const auto& [text, hint] : std::vector<std::pair<std::string, std::string>>{
           {Sdf("<link name=\"a\"><inertial><Mass>2</Mass>" + moments + "</inertial></link>"),
            "<mass>"},
           {Sdf("<link name=\"a\"><Inertial><mass>2</mass>" + moments + "</Inertial></link>"),
            "<inertial>"},
           {Sdf(Link("a") + "<Joint name=\"j\" type=\"fixed\"/>"), "<joint>"}}) {
    EXPECT_THAT(ReadSdf(text), HasSubstr("did you mean " + hint + "?")) << text;
  }
}

TEST_F(SdfFiles, TurnByUnitQuaternionsOnly) {
  const auto turned = [](const std::string& quaternion) {
    return Sdf(Link("a", "<pose rotation_format=\"quat_xyzw\">0 0 1 " + quaternion + "</pose>"));
  };
  const Problem p = ReadText(".sdf", turned("0 0.5 0 0.8660254037844386"));
  ExpectNear(Start(p)[0].position, {0.05, 0, 1 - 0.1 * std::sqrt(0.75)}, 1e-12);
  EXPECT_THAT(ReadSdf(turned("0 1 0 1.7320508")), HasSubstr("a unit quaternion is needed"));
  EXPECT_THAT(ReadSdf(turned("0 0.5 0 0.866")), HasSubstr("a unit quaternion is needed"));
}

// libsdformat reads the part of a number that it understands.
TEST_F(SdfFiles, AreRefusedForNumbersThatAreNone) {
  const auto inertial = [](const std::string& mass, const std::string& ixx,
                           const std::string& pose) {
    return ReadSdf(
        Sdf(fmt::format("<link name=\"a\"><inertial><pose>{}</pose><mass>{}</mass><inertia>"
                        "<ixx>{}</ixx></inertia></inertial></link>",
                        pose, mass, ixx)));
  };
  EXPECT_EQ(inertial(" 3.5 ", "1", "0 0 1 0 0 0"), "accepted");
  EXPECT_EQ(inertial("<!-- kg -->3.5", "1", "0 0 1 0 0 0"), "accepted");
  EXPECT_THAT(inertial("1.2<!-- kg -->5", "1", "0 0 1 0 0 0"), HasSubstr("<mass> is \"1.2 5\""));
  EXPECT_THAT(
      ReadSdf(World("<gravity>0 0 -1.62 3</gravity><model name=\"m\">" + Link("a") + "</model>")),
      HasSubstr("<gravity> is \"0 0 -1.62 3\": finite numbers are needed"));
  EXPECT_THAT(inertial("3,5", "1", "0 0 1 0 0 0"), HasSubstr("line 2: <mass> is \"3,5\""));
  EXPECT_THAT(inertial("${m}", "1", "0 0 1 0 0 0"), HasSubstr("robot.sdf"));
  EXPECT_THAT(inertial("1", "1,2", "0 0 1 0 0 0"), HasSubstr("line 2: <ixx> is \"1,2\""));
  EXPECT_THAT(inertial("1", "1", "0,0,1,0,0,0"), HasSubstr("robot.sdf"));
  EXPECT_THAT(inertial("1", "1", "0 0 1"), HasSubstr("robot.sdf"));
}

TEST_F(SdfFiles, MayBeCalledWorldOrXmlInAnyCase) {
  const std::string text = Sdf(Link("a"));
  for (const char* ending : {".world", ".SDF", ".World", ".xml"})
    EXPECT_EQ(SentenceOf(ending, text), "accepted") << ending;
  EXPECT_EQ(SentenceOf(".xml",
                       "<?xml version=\"1.0\"?>\n<!-- a <b> -->\n<robot name=\"r\"><link "
                       "name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" "
                       "ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link></robot>"),
            "accepted");
}

TEST_F(SdfFiles, ReportIgnoredElements) {
  const Problem p = ReadText(
      ".sdf",
      Sdf("<link name=\"bare\"/>" +
          Link("b",
               "<collision name=\"c\"><geometry><sphere><radius>1</radius></sphere></geometry>"
               "</collision>") +
          Joint("j", "revolute", "bare", "b",
                "<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis>") +
          "<plugin name=\"control\" filename=\"libcontrol.so\"/><strange_element/>"));
  for (const char* sentence :
       {"links without <inertial> have no mass here (1 kg and 1 kg m^2 in SDF): \"bare\"",
        "limits of joints ignored: \"j\"", "plug-ins ignored: \"control\"",
        "contacts of 1 <collision> ignored",
        "no state is given: the robot starts as its file states, the base free"}) {
    EXPECT_THAT(p.warnings, Contains(sentence));
  }
  EXPECT_THAT(p.warnings, Contains(HasSubstr("strange_element")));
  EXPECT_EQ(0, p.system.bodies[0].mass);
}

TEST_F(SdfFiles, WithDamageAreReadOrRefusedWithAMessage) {
  const std::string text = Sdf(Link("a") + Link("b") + Joint("j", "revolute", "a", "b"));
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::string sentence = ReadSdf(Mutator(seed).Mutate(text));
    EXPECT_THAT(sentence, testing::AnyOf("accepted", HasSubstr("robot.sdf")));
    refused += sentence == "accepted" ? 0 : 1;
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace mbsbench
