// With Baumgarte's terms each constraint row decays like a critically damped oscillator, also while
// the mechanism moves. With alpha = beta,
//   g(t) = (g(0) + (g'(0) + alpha g(0)) t) exp(-alpha t).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "harness/runner/cells/method_choice.h"
#include "harness/runner/cells/random_states.h"
#include "methods/all_methods.h"
#include "methods/kinematics/loop_joint.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

// y after one step of the classical Runge-Kutta scheme.
std::vector<double> StepFrom(OdeFormulation& ode, double t, const std::vector<double>& y,
                             double h) {
  std::vector<double> slope(y.size()), stage = y, next = y;
  const double places[] = {0, h / 2, h / 2, h}, weights[] = {h / 6, h / 3, h / 3, h / 6};
  for (int s = 0; s < 4; ++s) {
    for (std::size_t i = 0; i < y.size(); ++i) stage[i] = y[i] + places[s] * slope[i];
    EXPECT_TRUE(ode.Evaluate(t + places[s], stage, slope).ok());
    for (std::size_t i = 0; i < y.size(); ++i) next[i] += weights[s] * slope[i];
  }
  return next;
}

std::vector<LoopRow> RowsAt(Formulation& formulation, const System& system, double t,
                            const std::vector<double>& y) {
  Observation seen;
  EXPECT_TRUE(formulation.Observe(t, y, Detail::kMotion, seen).ok());
  std::vector<LoopRow> rows;
  for (const Joint& joint : system.loop_joints) {
    LoopRow mine[LoopJoint::kMostRows];
    const LoopJoint loop(joint);
    const BodyState parent =
        joint.parent == kGround ? BodyState{} : seen.bodies[static_cast<std::size_t>(joint.parent)];
    loop.CalcRows(parent, seen.bodies[static_cast<std::size_t>(joint.child)], mine);
    rows.insert(rows.end(), mine, mine + loop.size());
  }
  return rows;
}

// The loops are open by 1e-4 rad of the first joint.
void ExpectDecay(const std::string& name, const std::string& spec, double rate) {
  SCOPED_TRACE(spec + " on " + name);
  const Problem problem = MakeProblem(name);
  const std::vector<MethodEntry> methods = AllMethods();
  const auto formulation = Prepare(ChooseMethod(spec, methods), problem);
  auto& ode = dynamic_cast<OdeFormulation&>(*formulation);
  std::vector<double> y(ode.state_size());
  ASSERT_TRUE(ode.Initialise(0, InitialState(problem), y).ok());
  y[0] += 1e-4;
  const std::vector<LoopRow> start = RowsAt(ode, problem.system, 0, y);
  constexpr int kSteps = 200;
  const double end = 2 / rate;
  for (int k = 0; k < kSteps; ++k) y = StepFrom(ode, end * k / kSteps, y, end / kSteps);
  const std::vector<LoopRow> there = RowsAt(ode, problem.system, end, y);
  double largest = 0;
  for (const LoopRow& row : start) largest = std::max(largest, std::abs(row.position));
  ASSERT_GT(largest, 1e-7) << "loops that are closed decide nothing";
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double g = start[i].position;
    EXPECT_NEAR(there[i].position,
                (g + (start[i].velocity + rate * g) * end) * std::exp(-rate * end), 1e-5 * largest)
        << "row " << i;
  }
}

const char* const kMethods[] = {"articulated-body", "composite-body", "riccati-mstmm",
                                "classical-mstmm"};

TEST(Baumgarte, AnOpenLoopClosesAtTenOverTheCharacteristicTimeByDefault) {
  for (const std::string method : kMethods) {
    ExpectDecay("andrews", method + ":baumgarte", 10 / 1e-3);
    ExpectDecay("fourbar", method + ":baumgarte", 10 / 0.3);
  }
}

TEST(Baumgarte, AnOpenLoopClosesAtTheRateGiven) {
  for (const std::string method : kMethods) {
    ExpectDecay("andrews", method + ":baumgarte,rate=2", 2 / 1e-3);
    ExpectDecay("fourbar", method + ":baumgarte,rate=40", 40 / 0.3);
  }
}

}  // namespace
}  // namespace mbsbench
