// Messages for bad files: one sentence with the file, the line and the expected value, or with the name of the body
// or joint and the rule that it breaks.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "tests/support/command.h"
#include "tests/support/processor_time.h"

namespace mbsbench {
namespace {

// A crank and a rocker joined by a strut: two revolutes and a distance joint that closes the loop.
// Written as in a file, so that lines can be counted.
const std::string kGood = R"({
  "format": "mbsbench-model",
  "version": 1,
  "name": "my-linkage",
  "gravity_m_s2": [0, -9.81, 0],
  "bodies": [
    {"name": "crank", "mass_kg": 1, "inertia_kg_m2": {"xx": 0.01, "yy": 0.1, "zz": 0.1}},
    {"name": "rocker", "mass_kg": 2, "inertia_kg_m2": {"xx": 0.01, "yy": 0.1, "zz": 0.1}}
  ],
  "joints": [
    {"name": "pin", "type": "revolute", "parent": "ground", "child": "crank",
     "child_frame": {"position_m": [-0.5, 0, 0]}},
    {"name": "pivot", "type": "revolute", "parent": "ground", "child": "rocker",
     "parent_frame": {"position_m": [2, 0, 0], "quaternion_wxyz": [1, 0, 0, 0]},
     "child_frame": {"position_m": [-0.5, 0, 0]}}
  ],
  "loop_joints": [
    {"name": "strut", "type": "distance", "parent": "crank", "child": "rocker",
     "parent_frame": {"position_m": [0.5, 0, 0]}, "child_frame": {"position_m": [0.5, 0, 0]},
     "length_m": 2}
  ],
  "spring_dampers": [
    {"name": "spring", "body_a": "ground", "body_b": "rocker", "point_a_m": [0, 1, 0], "stiffness_N_m": 5}
  ],
  "initial_state": [
    {"joint": "pin", "angle_rad": 1.5, "rate_rad_s": 0.25},
    {"joint": "pivot", "angle_rad": 1.5, "dependent": true}
  ],
  "end_time_s": 1
}
)";

std::string SentenceFor(const std::string& text) {
  try {
    ParseModel(text, "linkage.json");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

// The linkage with an observable and further fields.
std::string Asking(const std::string& more) {
  return Replaced(kGood, "\"end_time_s\": 1\n",
                  "\"end_time_s\": 1,\n"
                  "  \"observables\": [{\"name\": \"turn\", \"kind\": \"plane_angle_rad\", "
                  "\"body\": \"crank\", \"relative_to\": \"ground\"}],\n" +
                      more + "\n");
}

TEST(GoodFile, APublishedValueAtAnEventNeedsNoTime) {
  const Problem p = ParseModel(
      Asking(
          R"(  "published": [{"observable": "turn", "event": "landing", "value": 1, "kind": "exact"}])"),
      "linkage.json");
  EXPECT_EQ("landing", p.published.at(0).event);
  EXPECT_EQ(kGround, p.observables.at(0).relative_to);
  EXPECT_THAT(SentenceFor(Asking(
                  R"(  "published": [{"observable": "turn", "value": 1, "kind": "exact"}])")),
              testing::HasSubstr("has no 'time_s', which is required"));
}

TEST(BadFile, ALibraryMeasureIsNamedWithItsLine) {
  EXPECT_THAT(SentenceFor(Asking("  \"library_measures\": [\n    {\"name\": \"ours\", \"formula\": "
                                 "\"largest_difference\"}]")),
              testing::StartsWith("linkage.json, line 32: library measure 'ours' needs"));
}

TEST(GoodFile, IsReadWithItsNamesResolvedAndItsDefaultsFilledIn) {
  const Problem p = ParseModel(kGood, "linkage.json");
  EXPECT_EQ(p.name, "my-linkage");
  EXPECT_EQ(p.title, "my-linkage");
  EXPECT_EQ(p.system.joints[1].parent, kGround);
  EXPECT_EQ(p.system.joints[1].child, 1);
  EXPECT_EQ(p.system.loop_joints[0].parent, 0);
  EXPECT_EQ(p.initial.dependent_joints, std::vector<int>{1});
  EXPECT_EQ(p.initial.joints.q, (std::vector<double>{1.5, 1.5}));
  EXPECT_EQ(p.initial.joints.u, (std::vector<double>{0.25, 0}));
  EXPECT_TRUE(p.conservative);
  EXPECT_EQ(p.sample_times.size(), 101u);
  // From the pin to the far end of the rocker.
  const double length = std::hypot(2 + std::cos(1.5), std::sin(1.5));
  EXPECT_NEAR(p.length, length, 1e-14);
  EXPECT_NEAR(p.time, std::sqrt(length / 9.81), 1e-14);
  EXPECT_EQ(p.fixed_steps.size(), 6u);
  // Kinetic energy and spring energy at the start, and 3 kg x 9.81 m/s^2 x L. The parallelogram turns
  // its bodies alike, each about its end: (0.1 + m/4) 0.25^2 / 2. The spring reaches from (0, 1) to the
  // centre of the rocker.
  const double kinetic = (0.35 + 0.6) * 0.0625 / 2;
  const double dx = 2 + 0.5 * std::cos(1.5), dy = 0.5 * std::sin(1.5) - 1;
  EXPECT_NEAR(p.energy_reference, kinetic + 2.5 * (dx * dx + dy * dy) + 3 * 9.81 * length, 1e-12);
}

TEST(GoodFile, WithDampingIsNotConservativeUnlessDeclaredSo) {
  const std::string damped =
      Replaced(kGood, "\"stiffness_N_m\": 5", "\"stiffness_N_m\": 5, \"damping_N_s_m\": 1");
  EXPECT_FALSE(ParseModel(damped, "linkage.json").conservative);
}

TEST(GoodFile, MayStartWithASpringWithoutFreeLengthAtItsAnchor) {
  const Problem p = ParseModel(
      Replaced(kGood, "\"point_a_m\": [0, 1, 0]",
               "\"point_a_m\": [2, 0, 0], \"point_b_m\": [-0.5, 0, 0], \"damping_N_s_m\": 2"),
      "linkage.json");
  EXPECT_GT(p.energy_reference, 0);
}

TEST(GoodFile, MayGiveQuaternionsToAFewDigitsAndTheyAreNormalised) {
  const Problem p =
      ParseModel(Replaced(kGood, "[1, 0, 0, 0]", "[0.9999999, 0, 0, 0]"), "linkage.json");
  EXPECT_EQ(p.system.joints[1].parent_frame.orientation.w, 1);
}

struct Fault {
  const char* name;
  const char* from;
  const char* to;
  const char* sentence;  // the complete message
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class BadFile : public testing::TestWithParam<Fault> {};

TEST_P(BadFile, IsRefusedWithTheMessage) {
  EXPECT_EQ(SentenceFor(Replaced(kGood, GetParam().from, GetParam().to)), GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(
    BrokenJson, BadFile,
    testing::Values(Fault{"MissingComma", "\"version\": 1,", "\"version\": 1",
                          "linkage.json, line 4, column 8: this is not JSON: unexpected string "
                          "literal in '\"name\"'; expected ',' or '}'."},
                    Fault{"TrailingComma", "\"end_time_s\": 1\n", "\"end_time_s\": 1,\n",
                          "linkage.json, line 30, column 1: this is not JSON: unexpected '}'; "
                          "expected a name in double quotes after the comma."},
                    Fault{"Comment", "  \"bodies\"", "  // the bodies\n  \"bodies\"",
                          "linkage.json, line 6, column 3: JSON has no comments: put the remark "
                          "into 'description', or leave it out."},
                    Fault{"BlockComment", "  \"bodies\"", "  /* the bodies */ \"bodies\"",
                          "linkage.json, line 6, column 3: JSON has no comments: put the remark "
                          "into 'description', or leave it out."},
                    Fault{"SingleQuotes", "\"crank\"", "'crank'",
                          "linkage.json, line 7, column 14: this is not JSON: invalid literal in "
                          "'{\"name\": ''; expected a value."},
                    Fault{"UnclosedString", "\"ground\", \"child\": \"crank\"",
                          "\"ground, \"child\": \"crank\"",
                          "linkage.json, line 11, column 61: this is not JSON: invalid literal in "
                          "'volute\", \"parent\": \"ground, \"c'; expected ',' or '}'."},
                    Fault{"NotANumber", "\"mass_kg\": 1", "\"mass_kg\": NaN",
                          "linkage.json, line 7, column 34: this is not JSON: invalid literal in "
                          "'{\"name\": \"crank\", \"mass_kg\": N'; expected a value."},
                    Fault{"Overflow", "\"mass_kg\": 1", "\"mass_kg\": 1e999",
                          "linkage.json, line 7, column 38: the number '1e999' is beyond what a "
                          "double can hold."},
                    Fault{
                        "LeadingZero", "\"mass_kg\": 1", "\"mass_kg\": 01",
                        "linkage.json, line 7, column 35: this is not JSON: unexpected number "
                        "literal in '\"name\": \"crank\", \"mass_kg\": 01'; expected ',' or '}'."},
                    Fault{"TwoDocuments", "\"end_time_s\": 1\n}", "\"end_time_s\": 1\n}\n{}",
                          "linkage.json, line 31, column 1: this is not JSON: unexpected '{'; "
                          "expected end of input."},
                    Fault{"Truncated", ",\n  \"end_time_s\": 1\n}\n", "",
                          "linkage.json, line 28, column 4: this is not JSON: unexpected end of "
                          "input; expected ',' or '}'."}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    WrongFields, BadFile,
    testing::Values(
        Fault{"UnknownField", "\"mass_kg\": 1", "\"mas_kg\": 1",
              "linkage.json, line 7: /bodies/0/mas_kg is a field that does not exist. Did you mean "
              "'mass_kg'?"},
        Fault{"UnknownTopField", "\"end_time_s\"", "\"end_time\"",
              "linkage.json, line 29: /end_time is a field that does not exist. Did you mean "
              "'end_time_s'?"},
        Fault{"MissingField", "\"mass_kg\": 1, ", "",
              "linkage.json, line 7: /bodies/0 has no 'mass_kg', which is required."},
        Fault{"MissingEndTime", ",\n  \"end_time_s\": 1", "",
              "linkage.json, line 1: the model has no 'end_time_s', which is required."},
        Fault{"TwiceTheField", "\"mass_kg\": 1", "\"mass_kg\": 1, \"mass_kg\": 2",
              "linkage.json, line 7: /bodies/0/mass_kg occurs twice."},
        Fault{"TextForNumber", "\"mass_kg\": 1", "\"mass_kg\": \"1 kg\"",
              "linkage.json, line 7: /bodies/0/mass_kg must be a number, not a string."},
        Fault{"NullForNumber", "\"mass_kg\": 1", "\"mass_kg\": null",
              "linkage.json, line 7: /bodies/0/mass_kg must be a number, not null."},
        Fault{"NumberForText", "\"name\": \"crank\"", "\"name\": 3",
              "linkage.json, line 7: /bodies/0/name must be a string, not a number."},
        Fault{"ObjectForArray", "[-0.5, 0, 0]", "{\"x\": -0.5}",
              "linkage.json, line 12: /joints/0/child_frame/position_m must be an array of 3 "
              "numbers, not an object."},
        Fault{"TwoComponents", "[-0.5, 0, 0]", "[-0.5, 0]",
              "linkage.json, line 12: /joints/0/child_frame/position_m must be an array of 3 "
              "numbers, not of 2."},
        Fault{"UnknownJointType", "\"type\": \"distance\"", "\"type\": \"hinge\"",
              "linkage.json, line 18: /loop_joints/0/type is 'hinge', which is not known. Known "
              "are: 'ball', 'revolute', 'prismatic', 'fixed', 'free', 'distance', "
              "'universal', 'cylindrical', 'planar'."},
        Fault{"NoInertia", ", \"inertia_kg_m2\": {\"xx\": 0.01, \"yy\": 0.1, \"zz\": 0.1}", "",
              "linkage.json, line 7: /bodies/0 has no 'inertia_kg_m2': give one (zero for a "
              "massless link), or \"is_point\": true."},
        Fault{"LengthOfRevolute", "\"child\": \"crank\",\n",
              "\"child\": \"crank\", \"length_m\": 1,\n",
              "linkage.json, line 11: /joints/0/length_m belongs to a distance joint, not to a "
              "revolute one."},
        Fault{"CoordinateOfAnotherType", "\"angle_rad\": 1.5, \"rate",
              "\"displacement_m\": 1.5, \"rate",
              "linkage.json, line 26: /initial_state/0/displacement_m is a field that does not "
              "exist. Known are: 'joint', 'dependent', 'angle_rad', 'rate_rad_s'."},
        Fault{"OtherFormat", "mbsbench-model", "urdf",
              "linkage.json, line 2: /format is another format: a model file starts with "
              "\"format\": \"mbsbench-model\"."},
        Fault{"LaterVersion", "\"version\": 1", "\"version\": 2",
              "linkage.json, line 3: /version is 2, but this program reads version 1 only."},
        Fault{
            "Tiers", "\"end_time_s\": 1", "\"end_time_s\": 1, \"tiers\": []",
            "linkage.json, line 29: /tiers is no longer part of a model: remove it; 'run --quick', "
            "'run' and 'run --full' decide what they include."}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    BrokenRules, BadFile,
    testing::Values(
        Fault{"NegativeMass", "\"mass_kg\": 2", "\"mass_kg\": -2",
              "linkage.json, line 8: body 'rocker' has mass -2 kg: a finite mass >= 0 is needed."},
        Fault{"AsymmetricInertia",
              "\"rocker\", \"mass_kg\": 2, \"inertia_kg_m2\": {\"xx\": 0.01, \"yy\": 0.1, \"zz\": "
              "0.1}",
              "\"rocker\", \"mass_kg\": 2, \"inertia_kg_m2\": [[0.1, 0.001, 0], [0.002, 0.1, 0], "
              "[0, 0, 0.1]]",
              "linkage.json, line 8: /bodies/1/inertia_kg_m2 is not symmetric."},
        Fault{"TriangleInequality", "\"rocker\", \"mass_kg\": 2, \"inertia_kg_m2\": {\"xx\": 0.01",
              "\"rocker\", \"mass_kg\": 2, \"inertia_kg_m2\": {\"xx\": 0.3",
              "linkage.json, line 8: body 'rocker' has an inertia that violates the triangle "
              "inequality: of its principal moments 0.1, 0.1 and 0.3 kg m^2 none may exceed the "
              "sum of the other two."},
        Fault{"IndefiniteInertia", "\"zz\": 0.1}},", "\"zz\": 0.1, \"xy\": 0.5}},",
              "linkage.json, line 7: body 'crank' has a negative principal moment of inertia, "
              "-0.447020916 kg m^2."},
        Fault{"QuaternionOffUnit", "[1, 0, 0, 0]", "[1.00001, 0, 0, 0]",
              "linkage.json, line 13: joint 'pivot' has a parent frame orientation of norm "
              "1.00001: a unit quaternion is needed (to 1e-6, which takes 7 digits)."},
        Fault{"ZeroQuaternion", "[1, 0, 0, 0]", "[0, 0, 0, 0]",
              "linkage.json, line 13: joint 'pivot' has a parent frame orientation of norm 0: a "
              "unit quaternion is needed (to 1e-6, which takes 7 digits)."},
        Fault{"AbsentBody", "\"child\": \"crank\"", "\"child\": \"crnak\"",
              "linkage.json, line 11: /joints/0/child names body 'crnak', which does not exist. "
              "Did you mean 'crank'?"},
        Fault{"AbsentJoint", "{\"joint\": \"pivot\"", "{\"joint\": \"pivto\"",
              "linkage.json, line 27: /initial_state/1/joint names tree joint 'pivto', which does "
              "not "
              "exist. Did you mean 'pivot'?"},
        Fault{"AbsentBodyOfSpring", "\"body_b\": \"rocker\"", "\"body_b\": \"wheel\"",
              "linkage.json, line 23: /spring_dampers/0/body_b names body 'wheel', which does not "
              "exist. Known are: 'crank', 'rocker'."},
        Fault{"Cycle",
              R"("parent": "ground", "child": "crank",
     "child_frame": {"position_m": [-0.5, 0, 0]}},
    {"name": "pivot", "type": "revolute", "parent": "ground")",
              R"("parent": "rocker", "child": "crank",
     "child_frame": {"position_m": [-0.5, 0, 0]}},
    {"name": "pivot", "type": "revolute", "parent": "crank")",
              "linkage.json, line 7: body 'crank' hangs on a cycle of joints that never reaches "
              "the ground, through 'crank' and 'rocker': join one of them to the ground's tree and "
              "close the cycle by a loop joint."},
        Fault{"OwnParent", "\"parent\": \"ground\", \"child\": \"crank\"",
              "\"parent\": \"crank\", \"child\": \"crank\"",
              "linkage.json, line 11: joint 'pin' joins body 'crank' to itself: the cycle never "
              "reaches the ground."},
        Fault{"TwoParents", "\"parent\": \"ground\", \"child\": \"rocker\"",
              "\"parent\": \"ground\", \"child\": \"crank\"",
              "linkage.json, line 13: body 'crank' has two parents, by joints 'pin' and 'pivot': "
              "make one of them a loop joint."},
        Fault{"GroundAsChild", "\"child\": \"crank\"", "\"child\": \"ground\"",
              "linkage.json, line 11: /joints/0/child is the ground, which is always a parent: "
              "exchange the two."},
        Fault{"BodyNamedGround", "{\"name\": \"crank\"", "{\"name\": \"ground\"",
              "linkage.json, line 7: /bodies/0/name is 'ground', which is reserved: choose another "
              "name."},
        Fault{"ControlCharacterInName", "{\"name\": \"rocker\"", "{\"name\": \"rock\\ner\"",
              "linkage.json, line 8: /bodies/1/name contains a control character."},
        Fault{"ControlCharacterInReference", "\"child\": \"crank\"", "\"child\": \"cr\\u0007nk\"",
              "linkage.json, line 11: /joints/0/child names body 'cr?nk', which does not exist. "
              "Did you mean 'crank'?"},
        Fault{"EmptyName", "{\"name\": \"rocker\"", "{\"name\": \"\"",
              "linkage.json, line 8: /bodies/1/name is empty."},
        Fault{"SameNames", "{\"name\": \"rocker\"", "{\"name\": \"crank\"",
              "linkage.json, line 8: /bodies/1/name is 'crank', which another body has: names must "
              "be unique."},
        Fault{"SameJointNames", "{\"name\": \"strut\"", "{\"name\": \"pin\"",
              "linkage.json, line 18: /loop_joints/0/name is 'pin', which another joint has: names "
              "must be unique."},
        Fault{
            "DistanceInTree",
            "\"type\": \"revolute\", \"parent\": \"ground\", \"child\": \"crank\"",
            "\"type\": \"distance\", \"length_m\": 1, \"parent\": \"ground\", \"child\": \"crank\"",
            "linkage.json, line 11: joint 'pin' is a distance joint: distance joints close loops "
            "only."},
        Fault{"FreeLoop", R"("type": "distance", "parent": "crank", "child": "rocker",
     "parent_frame": {"position_m": [0.5, 0, 0]}, "child_frame": {"position_m": [0.5, 0, 0]},
     "length_m": 2)",
              "\"type\": \"free\", \"parent\": \"crank\", \"child\": \"rocker\"",
              "linkage.json, line 18: joint 'strut' is free, so it closes no loop: leave it out."},
        Fault{"NoLength", "\"length_m\": 2", "\"length_m\": 0",
              "linkage.json, line 18: joint 'strut' needs a length > 0."},
        Fault{"OpenLoop", "\"length_m\": 2", "\"length_m\": 3.5",
              "linkage.json, line 18: the initial state does not close loop joint 'strut': a "
              "residual of 0.176 L remains; move the dependent coordinates nearer, or check the "
              "joint (rounded frames take 7 digits)."},
        Fault{"FarFromClosed", "\"pivot\", \"angle_rad\": 1.5", "\"pivot\", \"angle_rad\": 1.6",
              "linkage.json, line 13: closing the loops would move joint 'pivot' by 0.1 rad "
              "(allowed: 0.001): the initial state is inconsistent; rough guesses are assembled by "
              "'mbsbench check FILE --assemble'."},
        Fault{
            "OpenRates", "\"angle_rad\": 1.5, \"dependent\": true", "\"angle_rad\": 1.5",
            "linkage.json, line 18: the initial rates break loop joint 'strut', and the dependent "
            "joints cannot correct it: a residual of 0.108 L/s remains; the initial state "
            "is inconsistent."},
        Fault{"DependentWithoutLoop", R"(
    {"name": "strut", "type": "distance", "parent": "crank", "child": "rocker",
     "parent_frame": {"position_m": [0.5, 0, 0]}, "child_frame": {"position_m": [0.5, 0, 0]},
     "length_m": 2}
)",
              "",
              "linkage.json, line 13: joint 'pivot' is named dependent, but no loop joint "
              "determines it: there is nothing to assemble."},
        Fault{"LoopOnItself",
              "\"type\": \"distance\", \"parent\": \"crank\", \"child\": \"rocker\"",
              "\"type\": \"distance\", \"parent\": \"rocker\", \"child\": \"rocker\"",
              "linkage.json, line 18: joint 'strut' joins a body to itself."},
        Fault{
            "SpringOnLoopJoint", "\"initial_state\"",
            "\"joint_spring_dampers\": [{\"name\": \"s\", \"joint\": \"strut\"}],\n  "
            "\"initial_state\"",
            "linkage.json, line 25: /joint_spring_dampers/0/joint names tree joint 'strut', which "
            "does not exist. Known are: 'pin', 'pivot'."},
        Fault{"InertiaOverflow", "\"rocker\", \"mass_kg\": 2, \"inertia_kg_m2\": {\"xx\": 0.01",
              "\"rocker\", \"mass_kg\": 2, \"inertia_kg_m2\": {\"xx\": -1e999",
              "linkage.json, line 8, column 67: the number '-1e999' is beyond what a double can "
              "hold."},
        Fault{"SpringOfNoLength", "\"point_a_m\": [0, 1, 0]",
              "\"point_a_m\": [2, 0, 0], \"point_b_m\": [-0.5, 0, 0], \"free_length_m\": 1",
              "linkage.json, line 23: spring-damper 'spring' starts with length 0, so its force "
              "has no direction: move an end."},
        Fault{"CoarseLoops", "\"end_time_s\": 1", "\"loop_precision\": 1e-4, \"end_time_s\": 1",
              "linkage.json, line 29: loop_precision is 0.0001: a number from 0 to 1e-5 is needed, "
              "because with less exact frames it is not known which constraints are independent; "
              "give the frames of the loops more digits, and the precision that they then have."},
        Fault{"NegativeLoopPrecision", "\"end_time_s\": 1",
              "\"loop_precision\": -1, \"end_time_s\": 1",
              "linkage.json, line 29: loop_precision is -1: a number from 0 to 1e-5 is needed, "
              "because with less exact frames it is not known which constraints are independent; "
              "give the frames of the loops more digits, and the precision that they then have."},
        Fault{"NegativeEnd", "\"end_time_s\": 1", "\"end_time_s\": -1",
              "linkage.json, line 29: end_time_s is -1: a finite number > 0 is needed."},
        Fault{"EndlessRun", "\"end_time_s\": 1", "\"end_time_s\": 1e300",
              "linkage.json, line 29: end_time_s is 1e+300, more than 1e9 steps of papers_step_s "
              "0.001: shorten the run or lengthen the step."},
        Fault{"HugeMass", "\"mass_kg\": 2", "\"mass_kg\": 1e308",
              "linkage.json: the masses, inertias, speeds or stiffnesses are so large that the "
              "energy of the initial state overflows."},
        Fault{"HugeLength", "\"position_m\": [2, 0, 0]", "\"position_m\": [1e200, 0, 0]",
              "linkage.json, line 18: the initial state does not close loop joint 'strut': a "
              "residual of inf L remains; move the dependent coordinates nearer, or check the "
              "joint (rounded frames take 7 digits)."},
        Fault{"BorrowedName", "my-linkage", "branch4",
              "linkage.json, line 4: the name 'branch4' belongs to the catalogue, and this model "
              "differs from it at {\"name\": \"crank\", \"mass_kg\": 1, \"inertia_kg_m2\": "
              "{\"xx\": 0.01...: give the model another name."},
        Fault{"BorrowedNameOfNone", "my-linkage", "branchN:bodies=two",
              "linkage.json, line 4: the name 'branchN:bodies=two' belongs to the catalogue, and "
              "there option 'bodies' is 'two': a whole number from 6 to 1000000 is needed: give "
              "the model another name."},
        Fault{"BorrowedNameOfALargeOne", "my-linkage", "chainN:bodies=1000000",
              "linkage.json, line 4: the name 'chainN:bodies=1000000' belongs to the catalogue, "
              "and this model is not that large: give the model another name."},
        Fault{"NameWithBlank", "my-linkage", "my linkage",
              "linkage.json, line 4: the name of the problem contains a blank, a slash or a quote, "
              "but is used on the command line and in tables."}),
    [](const auto& i) { return i.param.name; });

TEST(BadFile, ThatIsEmptyOrBlankIsReportedAsEmpty) {
  const char* const empty =
      "linkage.json, line 1: the file is empty; expected a JSON object '{...}'.";
  EXPECT_EQ(SentenceFor(""), empty);
  EXPECT_EQ(SentenceFor(" \r\n\t\n"), empty);
}

TEST(BadFile, OfBinaryGarbageIsRefusedWithALineAndPrintableText) {
  std::string garbage;
  for (int i = 0; i < 1000; ++i) garbage += static_cast<char>(i * 7919 >> 3);
  for (const std::string& text : {garbage, std::string(100, '\0'),
                                  std::string("\x7f"
                                              "ELF\x02\x01"),
                                  fmt::format("{{\"{}", garbage), std::string("\xff\xfe{\0}", 5),
                                  std::string("{\"name\": \"\xc3\x28\"}")}) {
    const std::string sentence = SentenceFor(text);
    EXPECT_THAT(sentence, testing::StartsWith("linkage.json, line 1, column "));
    EXPECT_LT(sentence.size(), 400u);
    for (const char c : sentence) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << sentence;
  }
}

TEST(BadFile, WithAnInitialQuaternionOffUnitNamesTheJoint) {
  std::string text = WriteModel(MakeProblem("sliders"));
  const std::size_t at = text.find("\"quaternion_wxyz\": [", text.find("initial_state"));
  ASSERT_NE(at, std::string::npos);
  text.replace(text.find('[', at), 1, "[1");  // 0.86 becomes 10.86
  EXPECT_THAT(SentenceFor(text), testing::ContainsRegex("line [0-9]+: joint 'hinge' has an initial "
                                                        "quaternion of norm 10.8"));
}

TEST(GoodFile, MayBeginWithAByteOrderMark) {
  EXPECT_EQ(SentenceFor("\xef\xbb\xbf" + kGood), "accepted");
}

TEST(BadFile, IsRefusedForAnyValueAtTheTop) {
  EXPECT_EQ(
      SentenceFor("[]"),
      "linkage.json, line 1: the model must be an object with \"format\": \"mbsbench-model\", not "
      "an array.");
  EXPECT_EQ(
      SentenceFor("\n3"),
      "linkage.json, line 2: the model must be an object with \"format\": \"mbsbench-model\", not "
      "a number.");
  EXPECT_EQ(SentenceFor("{}"),
            "linkage.json, line 1: the model has no 'format': a model file starts with \"format\": "
            "\"mbsbench-model\".");
}

// Windows line ends and many values on many lines do not shift the count.
TEST(BadFile, IsReportedWithTheRightLineInAnyLayout) {
  std::string windows;
  for (const char c : Replaced(kGood, "\"end_time_s\": 1", "\"end_time_s\": -1")) {
    if (c == '\n') windows += '\r';
    windows += c;
  }
  EXPECT_THAT(SentenceFor(windows), testing::StartsWith("linkage.json, line 29: end_time_s is -1"));
  const std::string spread =
      Replaced(kGood, "\"point_a_m\": [0, 1, 0]", "\"point_a_m\":\n[0\n,\n1\n,\n\"0\"\n]");
  EXPECT_EQ(SentenceFor(spread),
            "linkage.json, line 28: /spring_dampers/0/point_a_m/2 must be a number, not a string.");
  const std::string one_line =
      Replaced(kGood, "\"mass_kg\": 1", "\"mass_kg\":\n\n7\n,\"mass_kg\"\n:8");
  EXPECT_EQ(SentenceFor(one_line), "linkage.json, line 11: /bodies/0/mass_kg occurs twice.");
}

double SecondsFor(const std::string& text, const std::string& says) {
  return ProcessorSeconds([&] { EXPECT_THAT(SentenceFor(text), testing::HasSubstr(says)); });
}

std::string Repeated(const std::string& piece, int times) {
  std::string text;
  text.reserve(piece.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

// Seconds of the processor, at most two for each without sanitizers: minutes would mean that the work grows faster than the file.
TEST(BadFile, OfExcessiveSizeOrDepthIsRefusedQuickly) {
  constexpr int kMany = 1'000'000;
  constexpr double kSoon = 20;
  const auto with = [](const std::string& field) {
    return Replaced(kGood, "\"end_time_s\": 1", fmt::format("\"end_time_s\": 1, {}", field));
  };
  EXPECT_LT(SecondsFor(Repeated("[", kMany), "nested deeper than 16 levels"), kSoon);
  EXPECT_LT(SecondsFor(Repeated("{\"a\":", kMany), "nested deeper than 16 levels"), kSoon);
  EXPECT_LT(SecondsFor(fmt::format("[{}0]", Repeated("0,", 9 * kMany)), "more than 8000000 values"),
            kSoon);
  EXPECT_LT(SecondsFor(std::string(std::size_t{129} << 20, ' '), "larger than 128 MB"), kSoon);
  EXPECT_LT(SecondsFor(with(fmt::format(R"("title": "{}")", std::string(20'000, 'x'))),
                       "a string of 20000 bytes"),
            kSoon);
  EXPECT_LT(SecondsFor(fmt::format(R"({{{}"a": 1}})", Repeated("\"a\": 1,", kMany)), "no 'format'"),
            kSoon);
  EXPECT_LT(SecondsFor(with(fmt::format(R"("equilibria": [{}{{}}])", Repeated("{},", kMany))),
                       "has no 'speed'"),
            kSoon);
  // Many bodies with long names, and a joint that names none of them.
  std::string bodies, joints;
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = fmt::format("{}{}", std::string(150, 'b'), i);
    bodies += fmt::format(R"({{"name": "{}", "mass_kg": 1, "is_point": true}},)", name);
    joints += fmt::format(R"({{"name": "{0}", "type": "ball", "parent": "{0}", "child": "{0}x"}},)",
                          name);
  }
  const std::string with_bodies =
      Replaced(kGood, "\"bodies\": [", fmt::format("\"bodies\": [{}", bodies));
  EXPECT_LT(
      SecondsFor(Replaced(with_bodies, "\"joints\": [", fmt::format("\"joints\": [{}", joints)),
                 "names body 'bbb"),
      kSoon);
}

TEST(BadFile, WithTooManyLoopsToAssembleIsRefusedQuickly) {
  std::string bodies, joints, loops, state;
  for (int i = 0; i < 3000; ++i) {
    const char* const comma = i == 0 ? "" : ",\n";
    bodies += fmt::format(R"({}{{"name": "{}", "mass_kg": 1, "is_point": true}})", comma, i);
    joints +=
        fmt::format(R"({}{{"name": "{}", "type": "prismatic", "parent": "ground", "child": "{}"}})",
                    comma, i, i);
    loops += fmt::format(
        R"({}{{"name": "l{}", "type": "distance", "parent": "ground", "child": "{}", "length_m": 1,
        "parent_frame": {{"position_m": [1, 0, 0]}}}})",
        comma, i, i);
    state += fmt::format(R"({}{{"joint": "{}", "dependent": true}})", comma, i);
  }
  const std::string text = fmt::format(
      R"({{"format": "mbsbench-model", "version": 1, "name": "many", "bodies": [{}], "joints": [{}],
      "loop_joints": [{}], "initial_state": [{}], "end_time_s": 1}})",
      bodies, joints, loops, state);
  EXPECT_LT(SecondsFor(text, "too many to assemble"), 20);
}

TEST(Files, AndNamesOfTheCatalogueAreInterchangeable) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "mbsbench_model_file_test.json";
  std::ofstream(file) << WriteModel(MakeProblem("sliders"));
  EXPECT_EQ(WriteModel(LoadProblem(file.string())), WriteModel(LoadProblem("sliders")));
  EXPECT_EQ(WriteModel(ReadModelFile(file)), WriteModel(LoadProblem("sliders")));
  std::ofstream(file) << kGood;
  EXPECT_EQ(LoadProblem(file.string()).name, "my-linkage");
  std::filesystem::remove(file);
}

TEST(Files, OfTheCatalogueMayDifferByRoundOffOnly) {
  const std::string text = WriteModel(MakeProblem("sliders"));
  const std::string rounded = Replaced(text, "0.8600655610487502", "0.8600655610487503");
  EXPECT_EQ(SentenceFor(rounded), "accepted");
  EXPECT_THAT(
      SentenceFor(Replaced(text, "\"displacement_m\": 0.1", "\"displacement_m\": 0.1000000001")),
      testing::HasSubstr("this model differs from it at {\"joint\": \"rail\""));
  EXPECT_THAT(SentenceFor(Replaced(text, "\"name\": \"rail\"", "\"name\": \"rial\"")),
              testing::StartsWith("linkage.json, line "));
}

std::string LoadSentence(const std::string& name) {
  try {
    LoadProblem(name);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Files, ThatCannotBeReadAreReportedByName) {
  EXPECT_EQ(LoadSentence("no-such.json"), "the model file 'no-such.json' does not exist.");
  EXPECT_EQ(LoadSentence("nowhere/model"), "the model file 'nowhere/model' does not exist.");
  EXPECT_EQ(
      LoadSentence(testing::TempDir()),
      fmt::format("'{}' is a folder: the name of a model file is needed.", testing::TempDir()));
  EXPECT_EQ(LoadSentence("/dev/zero"),
            "/dev/zero: the file is larger than 128 MB: no model needs that.");
  EXPECT_THAT(LoadSentence("brnch4"),
              testing::HasSubstr("there is no problem 'brnch4'. Did you mean"));
  EXPECT_THAT(LoadSentence("brnch4"),
              testing::EndsWith("(A model file ends in .json or holds a '/', a robot file in "
                                ".urdf, .xacro, .mjcf, .xml, .sdf or .world.)"));
  EXPECT_THAT(LoadSentence(std::string(100'000, 'x')), testing::HasSubstr("there is no problem"));
  EXPECT_NE(LoadSentence(std::string("a\0b.json", 8)), "accepted");
}

// A parser would take the byte for the end of the text, and read half a model.
TEST(BadFiles, ANulByteIsNamedWithItsLine) {
  const TemporaryFolder folder;
  const std::string half = "<robot name=\"r\">\n<link name=\"a\"/>\n", rest = "</robot>\n";
  for (const auto& [name, text] : {std::pair{"model.json", "{\n\n" + std::string(1, '\0') + "}"},
                                   std::pair{"robot.urdf", half + std::string(1, '\0') + rest}}) {
    const std::string file = folder.File(name);
    std::ofstream(file) << text;
    try {
      LoadProblem(file);
      ADD_FAILURE() << name;
    } catch (const ModelError& error) {
      EXPECT_EQ(0u, std::string(error.what()).rfind(file + ":3: holds a NUL byte", 0))
          << error.what();
    }
  }
}

}  // namespace
}  // namespace mbsbench
