// Loops whose frames were rounded keep their freedom, with the precision that their misfit shows.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "harness/integrate/integrate.h"
#include "harness/metrics/acceleration_error.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/io/model_file.h"
#include "problems/model/assembly.h"
#include "problems/model/loop_misfit.h"
#include "problems/model/rough_assembly.h"
#include "problems/test_systems/rounded_linkage.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

Problem WithFoundPrecision(int decimals, JointType closing) {
  Problem p = RoundedLinkage(decimals, closing);
  p.system.loop_precision =
      AssembleFromGuess(p.system, {p.initial.joints, {}}, p.length, Rounding::kTaken)
          .loop_precision;
  return p;
}

// With the precision that frees it.
Problem FreedLinkage(double tilt, JointType closing) {
  Problem p = LockedLinkage(tilt, closing);
  p.system.loop_precision = LoopFreedomOf(p.system, p.initial.joints, p.length).frees;
  EXPECT_GT(p.system.loop_precision, 0);
  return p;
}

// The rods turn alike.
void ExpectClosedForm(const std::vector<BodyAcceleration>& accelerations, double tolerance) {
  const double exact = AccelerationOfRoundedLinkage();
  EXPECT_NEAR(exact, Norm(accelerations[0].angular_acceleration), tolerance);
  EXPECT_NEAR(0, Norm(accelerations[1].angular_acceleration), tolerance);
  EXPECT_NEAR(exact, Norm(accelerations[2].angular_acceleration), tolerance);
}

TEST(EveryMethod, AcceleratesALinkageWhoseFramesWereRounded) {
  for (const JointType closing : {JointType::kBall, JointType::kRevolute}) {
    for (const int decimals : {12, 9, 6}) {
      const Problem p = WithFoundPrecision(decimals, closing);
      const SystemState state = Assemble(p.system, p.initial, p.length).state;
      int methods = 0;
      for (const MethodEntry& entry : AllMethods()) {
        for (const MethodChoice& choice : VariantsOf(entry)) {
          if (!VerdictOf(entry, p.system, choice.options).supported) continue;
          SCOPED_TRACE(choice.spec + " " + std::to_string(decimals) + " " +
                       std::string(Name(closing)));
          const auto formulation = Prepare(choice, p);
          std::vector<double> y(formulation->state_size());
          Observation seen;
          Status status = formulation->Initialise(0, state, y);
          if (status.ok()) status = formulation->Observe(0, y, Detail::kReactions, seen);
          EXPECT_TRUE(status.ok()) << status.what;
          if (!status.ok()) continue;
          ExpectClosedForm(seen.accelerations, 1e-9 + 1000 * std::pow(10, -decimals));
          ++methods;
        }
      }
      EXPECT_GT(methods, 8);
    }
  }
}

TEST(RoundedLoops, MoveAsExactOnes) {
  const Problem exact = RoundedLinkage(17, JointType::kRevolute),
                rounded = WithFoundPrecision(9, JointType::kRevolute);
  const std::vector<MethodEntry> methods = AllMethods();
  for (const std::string spec : {"articulated-body", "composite-body", "cartesian-dae"}) {
    const auto end_of = [&](const Problem& p) {
      const MethodChoice choice = ChooseMethod(spec, methods);
      const auto formulation = Prepare(choice, p);
      const bool is_dae = spec == "cartesian-dae";
      const IntegrationReport report =
          Integrate(*formulation, Assemble(p.system, p.initial, p.length).state,
                    {.integrator = is_dae ? "ida" : "dopri5",
                     .end_time = 0.3,
                     .tolerance = is_dae ? 1e-7 : 1e-9});
      EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << spec << ": " << report.reason;
      Observation seen;
      EXPECT_TRUE(formulation->Observe(0.3, report.end_state, Detail::kMotion, seen).ok());
      return seen.bodies;
    };
    const auto a = end_of(exact), b = end_of(rounded);
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_LT(Norm(a[k].position - b[k].position), spec == "cartesian-dae" ? 1e-5 : 1e-6) << spec;
  }
}

// Two of three rods pass a flat position, where the rows of their loop are nearly dependent and those of the third rod count.
TEST(RoundedLoops, OnThreeRodsTurnAsAPendulumThroughTheFlatPositionOfTwo) {
  Problem p = ThreeRoundedRods(7);
  p.system.loop_precision =
      AssembleFromGuess(p.system, {p.initial.joints, {}}, p.length, Rounding::kTaken)
          .loop_precision;
  for (const std::string spec : {"articulated-body", "composite-body", "equivalent-particles"}) {
    const auto formulation = Prepare(ChooseMethod(spec, AllMethods()), p);
    const IntegrationReport report =
        Integrate(*formulation, Assemble(p.system, p.initial, p.length).state,
                  {.integrator = "dopri5", .end_time = p.end_time, .tolerance = 1e-8});
    ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << spec << ": " << report.reason;
    Observation seen;
    ASSERT_TRUE(formulation->Observe(p.end_time, report.end_state, Detail::kMotion, seen).ok());
    for (const int rod : {0, 2, 3}) {
      const Vector3& rate = seen.bodies[static_cast<std::size_t>(rod)].angular_velocity;
      EXPECT_NEAR(RateOfThreeRods(p.end_time), Norm(rate), 1e-3) << spec;
    }
  }
}

// The assembled state leaves all rows open by a part of the misfit; integrators need the equations to hold at the start.
TEST(RoundedLoops, ADaeStartsWhereTheRowsThatItKeepsClose) {
  for (const JointType closing : {JointType::kBall, JointType::kRevolute}) {
    const Problem p = WithFoundPrecision(6, closing);
    const auto formulation = Prepare(ChooseMethod("cartesian-dae", AllMethods()), p);
    auto& dae = dynamic_cast<DaeFormulation&>(*formulation);
    std::vector<double> y(dae.state_size()), yp(y), r(y);
    ASSERT_TRUE(dae.InitialiseDae(0, Assemble(p.system, p.initial, p.length).state, y, yp).ok());
    ASSERT_TRUE(dae.Residual(0, y, yp, r).ok());
    for (const double left : r) EXPECT_LT(std::abs(left), 1e-12);
  }
}

// Bennett's linkage with frames of eight decimals: six rows of its loop, of which methods keep different five.
constexpr char kBennett[] =
    R"({"format": "mbsbench-model", "version": 1, "name": "bennett", "gravity_m_s2": [0, 0, -9.81],
    "end_time_s": 1, "loop_precision": 6.4e-9,
    "bodies": [
      {"name": "l1", "mass_kg": 1.0, "inertia_kg_m2": {"xx": 0.01, "yy": 0.02, "zz": 0.025}},
      {"name": "l2", "mass_kg": 1.3, "inertia_kg_m2": {"xx": 0.01, "yy": 0.02, "zz": 0.025}},
      {"name": "l3", "mass_kg": 1.6, "inertia_kg_m2": {"xx": 0.01, "yy": 0.02, "zz": 0.025}}],
    "joints": [
      {"name": "j1", "type": "revolute", "parent": "ground", "child": "l1",
       "parent_frame": {"position_m": [0.1, 0.2, -0.3], "quaternion_wxyz": [0.98006658, 0.05309661, 0.10619322, 0.15928984]},
       "child_frame": {"position_m": [-0.02352086, -0.24225964, 0.05707045], "quaternion_wxyz": [0.94959868, -0.12646678, -0.00676253, 0.28674513]}},
      {"name": "j2", "type": "revolute", "parent": "l1", "child": "l2",
       "parent_frame": {"position_m": [0.02352086, 0.24225964, -0.05707045], "quaternion_wxyz": [0.72611733, 0.14069594, 0.27612078, 0.61377161]},
       "child_frame": {"position_m": [-0.01857122, 0.07226488, -0.13012647], "quaternion_wxyz": [0.67101246, -0.35391143, 0.37537117, 0.53252743]}},
      {"name": "j3", "type": "revolute", "parent": "l2", "child": "l3",
       "parent_frame": {"position_m": [0.01857122, -0.07226488, 0.13012647], "quaternion_wxyz": [0.69113567, -0.2902336, -0.40909324, -0.52032554]},
       "child_frame": {"position_m": [0.21863511, 0.02022429, -0.1195394], "quaternion_wxyz": [0.40787244, -0.44274716, -0.74172739, -0.29572876]}}],
    "loop_joints": [
      {"name": "j4", "type": "revolute", "parent": "ground", "child": "l3",
       "parent_frame": {"position_m": [-0.17800985, 0.10294811, -0.24262879], "quaternion_wxyz": [0.30996121, -0.09156258, -0.12971478, -0.93739768]},
       "child_frame": {"position_m": [-0.21863511, -0.02022429, 0.1195394], "quaternion_wxyz": [0.25024341, 0.0103935, -0.96044158, -0.12174641]}}],
    "initial_state": [{"joint": "j1", "rate_rad_s": 1.1}, {"joint": "j2", "dependent": true},
                      {"joint": "j3", "dependent": true}]})";

void ExpectRightEquations(const Problem& p, double tolerance) {
  int judged = 0;
  for (const MethodEntry& entry : AllMethods()) {
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (!VerdictOf(entry, p.system, choice.options).supported) continue;
      const JudgedEvaluation of =
          JudgeInitialState({{}, p, InitialState(p), choice}, Detail::kReactions);
      EXPECT_EQ(Outcome::kOk, of.ending.outcome) << choice.spec << ": " << of.ending.reason;
      EXPECT_LT(of.error.value_or(NAN), tolerance) << choice.spec;
      ++judged;
    }
  }
  EXPECT_GT(judged, 5);
}

TEST(RoundedLoops, AreRightEquationsWhicheverRowsOfThemAMethodKeeps) {
  ExpectRightEquations(ParseModel(kBennett, "bennett.json"), 1e-6);
}

TEST(RoundedLoops, OfALockedLinkageMoveAsTheClosedFormSaysWithThePrecisionThatIsOffered) {
  for (const JointType closing : {JointType::kBall, JointType::kRevolute}) {
    for (const double tilt : {1e-10, 1e-8, 1e-6}) {
      SCOPED_TRACE(std::string(Name(closing)) + " " + std::to_string(tilt));
      const Problem p = FreedLinkage(tilt, closing);
      ExpectRightEquations(p, 100 * tilt);
      const ReferenceDynamics truth = ReferenceAccelerations(p.system, p.initial.joints);
      ExpectClosedForm(BodyAccelerationsOf(truth), 1000 * tilt);
    }
  }
}

}  // namespace
}  // namespace mbsbench
