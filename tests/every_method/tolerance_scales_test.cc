// Adaptive steps do not depend on units: a mechanism four times as long that moves at half the pace under the same gravity takes the
// same steps as the first one, since all factors are powers of two, so that rounding is the same too. Mechanisms of a nanometre and of a
// gigametre move as those of a metre.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <string>
#include <string_view>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/runner/cells/random_states.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "problems/model/same_mechanism.h"

namespace mbsbench {
namespace {

struct Motion {
  const char *method, *integrator, *problem;
  double end;
};

struct Moved {
  IntegrationReport report;
  std::vector<BodyState> bodies;  // at the end, in the units of the problem
};

Moved RunOf(const Motion& run, const Units& units) {
  const Problem problem = MakeProblem(run.problem);
  const System system = InUnits(problem.system, units);
  SystemState state;
  state.joints = InUnits(problem.system, InitialState(problem).joints, units);
  state.bodies = ForwardKinematics(system, state.joints);
  IntegrationSettings settings;
  settings.integrator = run.integrator;
  settings.tolerance = 1e-7;
  settings.end_time = units.time * run.end;
  settings.length = units.length * problem.length;
  settings.time = units.time * problem.time;
  const auto formulation =
      Prepare(ChooseMethod(run.method, AllMethods()),
              GivenSystem(system, {.length = settings.length, .time = settings.time}));
  Moved moved{Integrate(*formulation, state, settings), {}};
  EXPECT_EQ(moved.report.outcome, IntegrationReport::Outcome::kOk) << moved.report.reason;
  Observation seen;
  if (moved.report.ok() &&
      formulation->Observe(settings.end_time, moved.report.end_state, Detail::kMotion, seen).ok())
    moved.bodies = seen.bodies;
  for (BodyState& body : moved.bodies) body.position = 1 / units.length * body.position;
  return moved;
}

class ToleranceScales : public testing::TestWithParam<Motion> {};

TEST_P(ToleranceScales, MakeStepsIndependentOfUnits) {
  const Motion& run = GetParam();
  const Moved first = RunOf(run, {}), second = RunOf(run, {.length = 4, .mass = 1, .time = 2});
  const auto steps = static_cast<double>(first.report.counters.steps);
  EXPECT_GT(steps, 20);
  // Newton's iteration of IDA ends near round-off, which depends on the row scaling in KLU.
  const double spread = std::string_view(run.integrator) == "ida" ? 0.15 : 0.02;
  EXPECT_NEAR(static_cast<double>(second.report.counters.steps), steps, spread * steps);
}

std::string NameOf(const Motion& run) {
  std::string name = std::string(run.method) + "_" + run.integrator + "_" + run.problem;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
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
    [](const auto& p) { return NameOf(p.param); });

class MechanismsOfAnySize : public testing::TestWithParam<Motion> {};

TEST_P(MechanismsOfAnySize, MoveAsThoseOfAMetre) {
  constexpr double kError = 1e-4;  // of IDA at this tolerance
  const Motion& run = GetParam();
  const Moved metre = RunOf(run, {});
  for (const Units& units : {Units{1e-9, 1, 1}, Units{1e9, 1, 1}, Units{1e-6, 1e-15, 1e-3},
                             Units{1e-9, 1e-20, 1e-5}, Units{1e9, 1e20, 1e4}}) {
    SCOPED_TRACE(testing::Message()
                 << units.length << " m, " << units.mass << " kg, " << units.time << " s");
    const Moved other = RunOf(run, units);
    ASSERT_EQ(metre.bodies.size(), other.bodies.size());
    for (std::size_t b = 0; b < metre.bodies.size(); ++b) {
      EXPECT_LT(Norm(metre.bodies[b].position - other.bodies[b].position), kError);
      EXPECT_LT(AngleBetween(metre.bodies[b].orientation, other.bodies[b].orientation), kError);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Motions, MechanismsOfAnySize,
    testing::Values(Motion{"articulated-body", "dopri5", "nfourbar:windows=2", 0.5},
                    Motion{"cartesian-dae", "ida", "pendulum", 0.5},
                    Motion{"cartesian-dae", "ida", "fourbar", 0.5},
                    Motion{"cartesian-dae", "ida", "nfourbar:windows=2", 0.5},
                    Motion{"cartesian-dae:baumgarte", "ida", "pendulum", 0.5},
                    Motion{"cartesian-dae:baumgarte", "ida", "fourbar", 0.5},
                    Motion{"cartesian-dae:index1", "dopri5", "pendulum", 0.5},
                    Motion{"cartesian-dae:index1", "dopri5", "fourbar", 0.5},
                    Motion{"cartesian-dae:index1", "dopri5", "nfourbar:windows=2", 0.5},
                    Motion{"equivalent-particles", "dopri5", "nfourbar:windows=2", 0.5}),
    [](const auto& p) { return NameOf(p.param); });

}  // namespace
}  // namespace mbsbench
