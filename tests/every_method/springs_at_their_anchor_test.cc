// A spring-damper without free length that starts at its anchor: its force is smooth there, -k x - c v.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/accuracy_trial.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/problem.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

constexpr double kMass = 100, kAnchoredStiffness = 400;

// A body that slides or flies through the anchor at 1 m/s along x.
Problem ThroughTheAnchor(JointType type, double damping) {
  Problem p;
  p.name = "anchor";
  System& s = p.system;
  s.gravity = {};
  s.bodies = {{"bob", kMass, Diagonal(1, 1, 1), false, {}}};
  const Frame rail{{}, AxisAngle({0, 1, 0}, M_PI / 2)};  // z along x
  const bool slides = type == JointType::kPrismatic;
  s.joints = {{"joint", type, kGround, 0, slides ? rail : Frame{}, slides ? rail : Frame{}}};
  s.forces.Of<SpringDamper>() = {{"spring", kGround, 0, {}, {}, kAnchoredStiffness, damping, 0}};
  p.initial.joints =
      slides ? JointState{{0}, {1}} : JointState{{0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}};
  return p;
}

TEST(EveryMethod, AcceleratesABodyThatStartsAtTheAnchorOfItsSpring) {
  for (const JointType type : {JointType::kFree, JointType::kPrismatic}) {
    for (const double damping : {0., 50.}) {
      const Problem p = ThroughTheAnchor(type, damping);
      const SystemState state = Assemble(p.system, p.initial, p.length).state;
      const double exact = -damping / kMass;
      EXPECT_NEAR(
          exact,
          static_cast<double>(
              ReferenceAccelerations(p.system, state.joints).accelerations[0].acceleration.x),
          1e-15);
      int methods = 0;
      for (const MethodEntry& entry : AllMethods()) {
        for (const MethodChoice& choice : VariantsOf(entry)) {
          if (!VerdictOf(entry, p.system, choice.options).supported) continue;
          SCOPED_TRACE(choice.spec);
          const auto formulation = Prepare(choice, p);
          std::vector<double> y(formulation->state_size());
          Observation seen;
          ASSERT_TRUE(formulation->Initialise(0, state, y).ok());
          const Status status = formulation->Observe(0, y, Detail::kAccelerations, seen);
          ASSERT_TRUE(status.ok()) << status.what;
          EXPECT_LT(Norm(seen.accelerations[0].acceleration - Vector3{exact, 0, 0}), 1e-13);
          ++methods;
        }
      }
      EXPECT_GT(methods, 8);
    }
  }
}

// Points that nothing turns, as a file gives them: without inertia.
Problem FreePoints(const std::string& bob, const std::string& elements) {
  return ParseModel(R"({"format": "mbsbench-model", "version": 1, "name": "points", "end_time_s": 1,
    "bodies": [{"name": "bob", "mass_kg": 100, "is_point": true)" +
                        bob + R"(}, {"name": "mate", "mass_kg": 25, "is_point": true}],
    "joints": [{"name": "f", "type": "free", "parent": "ground", "child": "bob"},
               {"name": "g", "type": "free", "parent": "ground", "child": "mate"}],
    "initial_state": [{"joint": "f", "velocity_m_s": [1, 0, 0]}, {"joint": "g", "position_m": [0, 3, 0]}],
    "gravity_m_s2": [0, 0, 0],
    "spring_dampers": [{"name": "s", "body_a": "bob", "body_b": "mate", "stiffness_N_m": 400)" +
                        elements + "}]}",
                    "points.json");
}

// The force of the stretched spring, and the damper's along it: their speed along the spring is 0.
TEST(EveryMethod, AcceleratesFreePointsThatNothingTurns) {
  const Problem p = FreePoints("", R"(, "damping_N_s_m": 30, "free_length_m": 1)");
  const SystemState state = Assemble(p.system, p.initial, p.length).state;
  const std::vector<BodyAcceleration> exact{{{0, 8, 0}, {}}, {{0, -32, 0}, {}}};
  const ReferenceDynamics reference = ReferenceAccelerations(p.system, p.initial.joints);
  int methods = 0;
  for (const MethodEntry& entry : AllMethods()) {
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (!VerdictOf(entry, p.system, choice.options).supported) continue;
      SCOPED_TRACE(choice.spec);
      const auto formulation = Prepare(choice, p);
      std::vector<double> y(formulation->state_size());
      Observation seen;
      ASSERT_TRUE(formulation->Initialise(0, state, y).ok());
      const Status status = formulation->Observe(0, y, Detail::kAccelerations, seen);
      ASSERT_TRUE(status.ok()) << status.what;
      for (std::size_t b : {0u, 1u})
        EXPECT_LT(Norm(seen.accelerations[b].acceleration - exact[b].acceleration), 1e-12);
      ++methods;
    }
  }
  EXPECT_GT(methods, 8);
  for (std::size_t b : {0u, 1u}) {
    EXPECT_EQ(exact[b].acceleration.y,
              static_cast<double>(reference.accelerations[b].acceleration.y));
    EXPECT_EQ(0, static_cast<double>(reference.accelerations[b].angular_acceleration.x));
  }
}

// A massless rod of 3 m between two points, of which the first moves across it at 1 m/s; given by the file.
TEST(SpringsAtTheirAnchor, AcceleratePointsOnAMasslessRod) {
  const Problem p = FreePoints("", R"(, "free_length_m": 3}],
    "loop_joints": [{"name": "rod", "type": "distance", "parent": "bob", "child": "mate", "length_m": 3)");
  const ReferenceDynamics truth = ReferenceAccelerations(p.system, p.initial.joints);
  const double tension = 100 * 25 / 125. * 1 / 3;  // reduced mass x speed^2 / length
  EXPECT_NEAR(tension / 100, static_cast<double>(truth.accelerations[0].acceleration.y), 1e-15);
  EXPECT_NEAR(-tension / 25, static_cast<double>(truth.accelerations[1].acceleration.y), 1e-15);
}

// A force off its centre would turn it at once: no acceleration is right.
TEST(SpringsAtTheirAnchor, DoNotTurnAPointWithoutInertia) {
  const Problem off = FreePoints("", R"(, "point_a_m": [0.1, 0, 0])");
  EXPECT_THROW(ReferenceAccelerations(off.system, off.initial.joints), ModelError);
  const Problem turns = FreePoints(R"(, "inertia_kg_m2": {"xx": 2, "yy": 2, "zz": 2})",
                                   R"(, "point_a_m": [0.1, 0, 0])");
  EXPECT_EQ(60, static_cast<double>(ReferenceAccelerations(turns.system, turns.initial.joints)
                                        .accelerations[0]
                                        .angular_acceleration.z));
}

// x = sin(2 t) / 2, through the anchor six times.
TEST(SpringsAtTheirAnchor, SwingThroughIt) {
  const Problem p = ThroughTheAnchor(JointType::kFree, 0);
  const SystemState state = Assemble(p.system, p.initial, p.length).state;
  const std::vector<MethodEntry> methods = AllMethods();
  for (const std::string spec : {"articulated-body", "equivalent-particles", "cartesian-dae"}) {
    const MethodChoice choice = ChooseMethod(spec, methods);
    const auto formulation = Prepare(choice, p);
    const bool is_dae = spec == "cartesian-dae";
    const IntegrationReport report = Integrate(*formulation, state,
                                               {.integrator = is_dae ? "ida" : "dopri5",
                                                .end_time = 10,
                                                .tolerance = is_dae ? 1e-9 : 1e-10});
    ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << spec << ": " << report.reason;
    Observation seen;
    ASSERT_TRUE(formulation->Observe(10, report.end_state, Detail::kMotion, seen).ok());
    EXPECT_NEAR(std::sin(20) / 2, seen.bodies[0].position.x, is_dae ? 1e-5 : 1e-7) << spec;
  }
}

PreparedCell IntegratedCell(const Problem& p, const std::string& spec,
                            const std::string& integrator) {
  static const std::vector<MethodEntry> methods = AllMethods();  // to which the choice points
  return {
      {{p.name, spec, integrator, 1e-9, {}, 0.5}}, p, InitialState(p), ChooseMethod(spec, methods)};
}

// 0.5 m from the origin the last digit of the start decides the direction of the damper there, but not the motion:
// x - 0.5 = exp(-t / 4) sin(w t) / w, w^2 = 4 - 1 / 16.
TEST(SpringsAtTheirAnchor, BeginADampedSwingWhoseVerdictDoesNotHangOnTheLastDigit) {
  Problem p = ThroughTheAnchor(JointType::kFree, 50);
  p.system.forces.Of<SpringDamper>()[0].point_a = {0.5, 0, 0};
  p.initial.joints.q[0] = 0.5;
  p.end_time = 0.5;
  SetSampleTimes(p);
  const double w = std::sqrt(4 - 1. / 16), exact = 0.5 + std::exp(-0.125) * std::sin(w / 2) / w;
  for (const auto& [spec, integrator] :
       {std::pair{"articulated-body", "dopri5"}, {"cartesian-dae:ggl", "ida"}}) {
    SCOPED_TRACE(spec);
    const PreparedCell cell = IntegratedCell(p, spec, integrator);
    const JudgedStart start = JudgeStart(cell);
    EXPECT_EQ(Outcome::kIllConditioned, start.ending.outcome) << "the accelerations hang on it";
    for (const JudgedStart* known : {static_cast<const JudgedStart*>(nullptr), &start}) {
      double x = NAN;
      const auto visit = [&x](double, const Observation& seen) { x = seen.bodies[0].position.x; };
      const TrialResult result = AccuracyTrial(cell, visit, known);
      EXPECT_EQ(Outcome::kNoReference, result.ending.outcome) << result.ending.reason;
      EXPECT_NEAR(exact, x, 1e-6);
      EXPECT_FALSE(result.record.condition->condition);
      EXPECT_NE("", result.record.condition->condition_missing);
    }
  }
}

// Nor does such a damper excuse what else is ill-conditioned.
TEST(SpringsAtTheirAnchor, ExcuseNoChainThatIsIllConditionedWithoutThem) {
  Problem p = MakeProblem("chainN3d:bodies=50");
  const Vector3 tip = InitialState(p).bodies.back().position;
  p.system.forces.Of<SpringDamper>() = {{"damper", kGround, 49, tip, {}, 0, 1, 0}};
  const TrialResult result = AccuracyTrial(IntegratedCell(p, "classical-mstmm:paper", "dopri5"));
  EXPECT_EQ(Outcome::kIllConditioned, result.ending.outcome) << result.ending.reason;
}

}  // namespace
}  // namespace mbsbench
