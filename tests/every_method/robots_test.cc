// Two robots of examples/robots, from URDF, MJCF and SDF files and from the catalogue, by every method that takes them,
// against accelerations and reactions computed twice in 60 digits: with absolute coordinates and multipliers for every joint, and by recursive
// Newton-Euler in joint coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "methods/interface/formulation.h"
#include "problems/io/model_file.h"
#include "problems/io/robot_file.h"
#include "problems/io/robot_plugins.h"

namespace mbsbench {
namespace {

struct PrintedBody {
  std::string name;
  Vector3 acceleration;
  std::optional<Vector3> angular_acceleration = {};
};
struct PrintedReaction {
  std::string joint;
  Vector3 force, torque;
};
struct PrintedRobot {
  std::string name;
  std::map<std::string, double> joint_accelerations;  // [rad/s^2]
  std::vector<PrintedBody> bodies;
  std::vector<PrintedReaction> reactions;
};

const std::vector<PrintedRobot>& PrintedRobots() {
  static const std::vector<PrintedRobot> robots{
      {"arm6",
       {{"j1", -15.3142242814468},
        {"j2", 12.5347429507212},
        {"j3", 13.5530100950508},
        {"j4", 16.2264391509720},
        {"j5", -26.8713835798011},
        {"j6", 60.8358268867457}},
       {{"payload",
         {0.604209226144786, 0.181067959403260, -10.4945685122707},
         Vector3{-3.51610579317752, 12.0576396889516, 25.8688002004028}}},
       {{"j2",
         {-11.7707262253266, -15.4030295886356, 28.5189326312016},
         {-1.12517094128266, 0.690823716763708, -0.842775113775521}},
        {"grip",
         {0.906313839217179, 0.271601939104890, -1.02685276840611},
         {-0.0705079087096773, 0.133541836179183, 0.0275438148964235}},
        {"ground:base",
         {-11.9144867489143, -16.3749636174734, 99.6438258549309},
         {2.36866100306757, -17.7712057793363, -4.97826629623166}}}},
      {"quad4",
       {{"lf_a", 0.653620284581783},
        {"lf_b", -2.45509554093045},
        {"lf_c", 2.07532732001595},
        {"rf_a", 2.15030992000268},
        {"rf_b", -0.0439043828621201},
        {"rf_c", 4.28952220295477},
        {"lh_a", 1.01931043377212},
        {"lh_b", 2.42172255727860},
        {"lh_c", -5.81375506009364},
        {"rh_a", -2.26019238413446},
        {"rh_b", 4.22002699632938},
        {"rh_c", -2.02298578715067}},
       {{"trunk",
         {-0.0444668736381724, -0.0392060234420563, -9.81091429524284},
         Vector3{-0.205963894141677, -0.790611349512516, -0.358746875823367}},
        {"rh_foot", {0.709342077299042, 0.121238064689459, -10.3260882035074}}},
       {{"rh_d",
         {0.0425605246379425, 0.00727428388136753, -0.0309652922104450},
         {-2.50577498610202e-5, -6.76752863365001e-5, 2.37784875217374e-5}}}}};
  return robots;
}

std::string SpecOf(const std::string& robot, const std::string& format) {
  const std::string base = std::string(MBSBENCH_SOURCE_DIR) + "/examples/robots/" + robot;
  return WithRobotOptions(base + "." + format, {.state = base + ".state.json"});
}

// The files whose readers are built, and the problem of the catalogue.
std::vector<std::string> SpecsOf(const std::string& robot) {
  std::vector<std::string> specs{robot, SpecOf(robot, "urdf")};
  for (const RobotFormat& format : RobotFormats()) {
    if (!ReaderOf(format).empty()) specs.push_back(SpecOf(robot, format.key));
  }
  return specs;
}

template <typename Thing>
std::size_t IndexOf(const std::vector<Thing>& things, const std::string& name) {
  const auto found = std::ranges::find(things, name, &Thing::name);
  EXPECT_NE(found, things.end()) << name;
  return static_cast<std::size_t>(found - things.begin());
}

double Largest(const Vector3& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

// Fixed joints have no names in MJCF.
std::string NameIn(const System& system, const std::string& joint) {
  static const std::map<std::string, std::string> unnamed{{"grip", "tool_frame:payload"},
                                                          {"rh_d", "rh_shank:rh_foot"}};
  const auto found = unnamed.find(joint);
  const bool is_named =
      std::ranges::find(system.joints, joint, &Joint::name) != system.joints.end();
  return is_named || found == unnamed.end() ? joint : found->second;
}

// Largest differences from the printed results, relative to the largest printed acceleration, angular acceleration,
// force and moment of the robot.
struct RobotError {
  double acceleration = 0, reaction = 0;
};
RobotError ErrorOf(const PrintedRobot& printed, const Problem& problem, const Observation& seen) {
  const System& system = problem.system;
  double linear = 0, angular = 0, force = 0, torque = 0;  // scales
  for (const auto& [joint, value] : printed.joint_accelerations) {
    angular = std::max(angular, std::abs(value));
  }
  for (const PrintedBody& b : printed.bodies) linear = std::max(linear, Largest(b.acceleration));
  for (const PrintedReaction& r : printed.reactions) {
    force = std::max(force, Largest(r.force));
    torque = std::max(torque, Largest(r.torque));
  }
  RobotError error;
  const auto keep = [](double& worst, double value) {
    worst = value <= worst ? worst : value;  // NaN is kept
  };
  for (const auto& [name, value] : printed.joint_accelerations) {
    // Along the axis, which moves with the parent, the difference of angular accelerations is q''.
    const Joint& joint = system.joints[IndexOf(system.joints, name)];
    const auto parent = static_cast<std::size_t>(joint.parent);
    const auto child = static_cast<std::size_t>(joint.child);
    const Vector3 axis =
        Rotate(seen.bodies[parent].orientation, Rotate(joint.parent_frame.orientation, {0, 0, 1}));
    const double found = Dot(axis, seen.accelerations[child].angular_acceleration -
                                       seen.accelerations[parent].angular_acceleration);
    keep(error.acceleration, std::abs(found - value) / angular);
  }
  for (const PrintedBody& b : printed.bodies) {
    const BodyAcceleration& found = seen.accelerations[IndexOf(system.bodies, b.name)];
    keep(error.acceleration, Largest(found.acceleration - b.acceleration) / linear);
    if (!b.angular_acceleration) continue;
    keep(error.acceleration,
         Largest(found.angular_acceleration - *b.angular_acceleration) / angular);
  }
  for (const PrintedReaction& r : printed.reactions) {
    const JointReaction& found = seen.reactions[IndexOf(system.joints, NameIn(system, r.joint))];
    keep(error.reaction, Largest(found.force - r.force) / force);
    keep(error.reaction, Largest(found.torque - r.torque) / torque);
  }
  return error;
}

// The observation of the initial state by a method.
Observation Observed(const Problem& problem, const MethodChoice& choice) {
  const auto formulation = Prepare(choice, problem);
  const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
  std::vector<double> y(formulation->state_size());
  Observation seen;
  Status status = formulation->Initialise(0, state, y);
  if (status.ok()) status = formulation->Observe(0, y, Detail::kReactions, seen);
  EXPECT_TRUE(status.ok()) << choice.spec << ": " << status.what;
  return status.ok() ? seen : Observation{};
}

TEST(Robots, AgreeWithThePrintedResultsInEveryMethodThatSupportsThem) {
  const std::vector<MethodEntry> methods = AllMethods();
  for (const PrintedRobot& printed : PrintedRobots()) {
    for (const std::string& spec : SpecsOf(printed.name)) {
      const Problem problem = LoadProblem(spec);
      int taken = 0;
      RobotError worst, of_recursion;
      for (const MethodEntry& entry : methods) {
        for (const MethodChoice& variant : VariantsOf(entry)) {
          if (!VerdictOf(entry, problem.system, variant.options).supported) continue;
          if (FormOf(entry, variant.options) == Form::kAlgebraic) continue;
          const Observation seen = Observed(problem, variant);
          if (seen.reactions.empty()) continue;  // Observed has failed
          ++taken;
          const RobotError error = ErrorOf(printed, problem, seen);
          const bool is_recursion = entry.key == "articulated-body";
          EXPECT_LE(error.acceleration, is_recursion ? 1e-12 : 1e-10) << spec << variant.spec;
          EXPECT_LE(error.reaction, is_recursion ? 1e-11 : 1e-9) << spec << variant.spec;
          worst = {std::max(worst.acceleration, error.acceleration),
                   std::max(worst.reaction, error.reaction)};
          if (is_recursion) of_recursion = error;
        }
      }
      EXPECT_GE(taken, 3) << spec;
      std::printf(
          "  %-12s %d methods: accelerations to %.1e, reactions to %.1e; the recursion %.1e, "
          "%.1e\n",
          problem.name.c_str(), taken, worst.acceleration, worst.reaction,
          of_recursion.acceleration, of_recursion.reaction);
    }
  }
}

// Frames of files coincide with mass centres to round-off, which must not count as a lever arm.
TEST(Robots, AgreeWithThePrintedResultsWhereJointsMissMassCentresByRoundOff) {
  const PrintedRobot& printed = PrintedRobots().back();
  Problem problem = LoadProblem(printed.name);
  for (Joint& joint : problem.system.joints) {
    if (joint.type == JointType::kFixed) joint.child_frame.position.y += 2.8e-17;
  }
  const std::vector<MethodEntry> methods = AllMethods();
  for (const MethodEntry& entry : methods) {
    for (const MethodChoice& variant : VariantsOf(entry)) {
      if (!VerdictOf(entry, problem.system, variant.options).supported) continue;
      if (FormOf(entry, variant.options) == Form::kAlgebraic) continue;
      const Observation seen = Observed(problem, variant);
      if (seen.reactions.empty()) continue;  // Observed has failed
      const RobotError error = ErrorOf(printed, problem, seen);
      EXPECT_LE(error.acceleration, 1e-10) << variant.spec;
      EXPECT_LE(error.reaction, 1e-9) << variant.spec;
    }
  }
}

// The file and the catalogue's code describe the same robot.
TEST(Robots, FromFilesEqualThoseOfTheCatalogue) {
  for (const PrintedRobot& printed : PrintedRobots()) {
    const Problem problem = LoadProblem(printed.name);
    const Problem read = LoadProblem(SpecOf(printed.name, "urdf"));
    EXPECT_EQ(read.name, printed.name + "-robot");
    ASSERT_EQ(problem.system.bodies.size(), read.system.bodies.size());
    for (std::size_t i = 0; i < problem.system.bodies.size(); ++i) {
      const Body &a = problem.system.bodies[i], &b = read.system.bodies[i];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.mass, b.mass);
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(a.inertia.entries[k], b.inertia.entries[k], 1e-16);
    }
    const auto state = [](const Problem& p) {
      return Assemble(p.system, p.initial, p.length).state.bodies;
    };
    const auto a = state(problem), b = state(read);
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_LE(Largest(a[i].position - b[i].position), 1e-15);
      EXPECT_LE(AngleBetween(a[i].orientation, b[i].orientation), 1e-15);
      EXPECT_LE(Largest(a[i].velocity - b[i].velocity), 1e-14);
      EXPECT_LE(Largest(a[i].angular_velocity - b[i].angular_velocity), 1e-14);
    }
  }
}

// The bounds above are sharp: a change of one inertia in the sixth digit exceeds them.
TEST(Robots, DisagreeWithThePrintedResultsForAChangedInertia) {
  const PrintedRobot& printed = PrintedRobots().front();
  Problem problem = LoadProblem(SpecOf(printed.name, "urdf"));
  problem.system.bodies[3].inertia(0, 0) *= 1 + 1e-6;
  const std::vector<MethodEntry> methods = AllMethods();
  const MethodChoice choice = ChooseMethod("articulated-body", methods);
  const Observation seen = Observed(problem, choice);
  EXPECT_GT(ErrorOf(printed, problem, seen).acceleration, 1e-10);
}

}  // namespace
}  // namespace mbsbench
