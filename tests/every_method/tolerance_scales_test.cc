// Adaptive steps do not depend on units: a mechanism four times as long that moves at half the pace under the same gravity takes the
// same steps as the first one. All factors are powers of two, so that rounding is the same too.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/runner/cells/random_states.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/kinematics.h"

namespace mbsbench {
namespace {

constexpr double kLonger = 4, kSlower = 2;  // longer / slower^2 = 1: gravity stays

void Lengthen(Joint& joint) {
  joint.parent_frame.position = kLonger * joint.parent_frame.position;
  joint.child_frame.position = kLonger * joint.child_frame.position;
  joint.length *= kLonger;
}

// Masses and forces are unchanged; moments of inertia grow by 4^2.
System Longer(System system) {
  constexpr double kMoment = kLonger;  // of a force
  for (Body& body : system.bodies)
    for (double& entry : body.inertia.entries) entry *= kLonger * kLonger;
  for (Joint& joint : system.joints) Lengthen(joint);
  for (Joint& joint : system.loop_joints) Lengthen(joint);
  for (SpringDamper& e : system.forces.Of<SpringDamper>()) {
    e.point_a = kLonger * e.point_a, e.point_b = kLonger * e.point_b;
    e.stiffness /= kLonger, e.damping *= kSlower / kLonger, e.free_length *= kLonger;
  }
  for (JointSpringDamper& e : system.forces.Of<JointSpringDamper>()) {
    const bool slides = IsLength(system.joints[static_cast<std::size_t>(e.joint)].type, 0);
    e.stiffness *= slides ? 1 / kLonger : kMoment;
    e.damping *= slides ? kSlower / kLonger : kMoment * kSlower;
    if (slides) e.free_coordinate *= kLonger;
  }
  EXPECT_TRUE(system.forces.Of<AppliedForce>().empty() &&
              system.forces.Of<GroundSpring>().empty() && system.drivers.empty() &&
              !system.rope_flight);
  return system;
}

SystemState Longer(const System& system, SystemState state) {
  const JointOffsets at = OffsetsOf(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointType type = system.joints[j].type;
    for (int k = 0; k < CoordinateCount(type); ++k)
      if (IsLength(type, k)) state.joints.q[static_cast<std::size_t>(at.q[j] + k)] *= kLonger;
    for (int k = 0; k < RateCount(type); ++k)
      state.joints.u[static_cast<std::size_t>(at.u[j] + k)] *=
          (IsLength(type, k) ? kLonger : 1) / kSlower;
  }
  state.bodies = ForwardKinematics(Longer(system), state.joints);
  return state;
}

struct Motion {
  const char *method, *integrator, *problem;
  double end;
};

IntegrationReport RunOf(const Motion& run, const System& system, const SystemState& state,
                        const Problem& problem, double longer, double slower) {
  const MethodChoice method = ChooseMethod(run.method, AllMethods());
  const auto formulation = Prepare(method, GivenSystem(system, {.length = longer * problem.length,
                                                                .time = slower * problem.time}));
  IntegrationSettings settings;
  settings.integrator = run.integrator;
  settings.tolerance = 1e-7;
  settings.end_time = slower * run.end;
  settings.length = longer * problem.length;
  settings.time = slower * problem.time;
  return Integrate(*formulation, state, settings);
}

class ToleranceScales : public testing::TestWithParam<Motion> {};

TEST_P(ToleranceScales, MakeStepsIndependentOfUnits) {
  const Motion& run = GetParam();
  const Problem problem = MakeProblem(run.problem);
  const SystemState state = InitialState(problem);
  const IntegrationReport first = RunOf(run, problem.system, state, problem, 1, 1),
                          second = RunOf(run, Longer(problem.system), Longer(problem.system, state),
                                         problem, kLonger, kSlower);
  ASSERT_EQ(first.outcome, IntegrationReport::Outcome::kOk) << first.reason;
  ASSERT_EQ(second.outcome, IntegrationReport::Outcome::kOk) << second.reason;
  const auto steps = static_cast<double>(first.counters.steps);
  EXPECT_GT(steps, 20);
  // Newton's iteration of IDA ends near round-off, which depends on the row scaling in KLU.
  const double spread = std::string_view(run.integrator) == "ida" ? 0.15 : 0.02;
  EXPECT_NEAR(static_cast<double>(second.counters.steps), steps, spread * steps);
}

INSTANTIATE_TEST_SUITE_P(
    Motions, ToleranceScales,
    testing::Values(Motion{"articulated-body", "dopri5", "dpend18", 1},
                    Motion{"articulated-body", "dopri5", "sliders", 1},
                    Motion{"riccati-mstmm", "fehlberg8", "mixed12", 1},
                    Motion{"articulated-body", "cvode-adams", "dzhanibekov", 4},
                    Motion{"kane-huston", "cvode-bdf", "chainN3d:bodies=4", 0.5},
                    Motion{"kane-huston:paper", "dopri5", "dpend18", 1},
                    Motion{"cartesian-dae:index1", "dopri5", "fourbar", 1},
                    Motion{"cartesian-dae", "ida", "fourbar", 1},
                    Motion{"cartesian-dae:baumgarte", "ida", "dpend18", 1},
                    Motion{"equivalent-particles", "dopri5", "dpend18", 1},
                    Motion{"equivalent-particles:ggl", "ida", "dpend18", 1},
                    Motion{"composite-body", "dopri5", "slidercrank3d", 1}),
    [](const auto& p) {
      std::string name =
          std::string(p.param.method) + "_" + p.param.integrator + "_" + p.param.problem;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

}  // namespace
}  // namespace mbsbench
