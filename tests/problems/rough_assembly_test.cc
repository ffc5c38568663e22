// Assembly from rough guesses compared with closed forms.
#include "problems/model/rough_assembly.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"

namespace mbsbench {
namespace {

// A plane four-bar of revolutes about z, closed by a joint with all three freedoms of rotation (what
// closes the plane loop are its x and y rows): crank a, coupler b, rocker c, ground link d.
struct FourBar {
  double a = 0.3, b = 0.8, c = 0.7, d = 1;

  System Build() const {
    System s;
    const auto bar = [&](const char* name, int parent, Vector3 at, double length) {
      Body body;
      body.name = name;
      body.mass = 1;
      body.inertia = Diagonal(0.1, 0.1, 0.1);
      Joint joint;
      joint.name = std::string("pin of ") + name;
      joint.type = JointType::kRevolute;
      joint.parent = parent;
      joint.child = static_cast<int>(s.bodies.size());
      joint.parent_frame.position = at;
      joint.child_frame.position = {-length / 2, 0, 0};
      s.bodies.push_back(body);
      s.joints.push_back(joint);
    };
    bar("crank", kGround, {}, a);
    bar("coupler", 0, {a / 2, 0, 0}, b);
    bar("rocker", kGround, {d, 0, 0}, c);
    Joint top;
    top.name = "top";
    top.type = JointType::kBall;
    top.parent = 1;
    top.child = 2;
    top.parent_frame.position = {b / 2, 0, 0};
    top.child_frame.position = {c / 2, 0, 0};
    s.loop_joints = {top};
    return s;
  }

  // Coupler (relative to the crank) and rocker at a crank angle, by the two circles about knee and
  // ground pin that meet at the top; `side` +1: the top left of the line from knee to pin.
  std::pair<double, double> At(double crank, double side) const {
    const double x = a * std::cos(crank), y = a * std::sin(crank);
    const double f = std::hypot(d - x, y), to_pin = std::atan2(-y, d - x);
    const double at_knee = std::acos((b * b + f * f - c * c) / (2 * b * f));
    const double coupler = to_pin + side * at_knee;
    const double rocker = std::atan2(y + b * std::sin(coupler), x + b * std::cos(coupler) - d);
    return {coupler - crank, rocker};
  }
};

InitialCondition Guess(double crank, double coupler, double rocker) {
  return {{{crank, coupler, rocker}, {2, 0, 0}}, {1, 2}};
}

TEST(RoughAssembly, ClosesAFourBarAtThePositionOfTheClosedForm) {
  const FourBar bars;
  const System system = bars.Build();
  for (double crank : {-2.0, -0.4, 0.3, 1.1, 2.9}) {
    for (double side : {1.0, -1.0}) {
      const auto [coupler, rocker] = bars.At(crank, side);
      const RoughAssembly result =
          AssembleFromGuess(system, Guess(crank, coupler + 0.25, rocker - 0.2), 1);
      const JointState& closed = result.closed.joints;
      EXPECT_EQ(crank, closed.q[0]);
      EXPECT_NEAR(coupler, closed.q[1], 1e-14) << crank << ' ' << side;
      EXPECT_NEAR(rocker, closed.q[2], 1e-14) << crank << ' ' << side;
      EXPECT_GT(result.residual_before, 0.05);
      EXPECT_LT(result.residual, 1e-14);
      EXPECT_FALSE(result.chose_dependent);
      // The rates are the derivatives of the closed form by the crank angle.
      const double h = 1e-6, rate = 2;
      const auto [c1, r1] = bars.At(crank + h, side);
      const auto [c0, r0] = bars.At(crank - h, side);
      EXPECT_EQ(rate, closed.u[0]);
      EXPECT_NEAR(rate * (c1 - c0) / (2 * h), closed.u[1], 1e-8);
      EXPECT_NEAR(rate * (r1 - r0) / (2 * h), closed.u[2], 1e-8);
    }
  }
}

TEST(RoughAssembly, MovesAllJointsAndChoosesDependentOnesIfNoneIsMarked) {
  const FourBar bars;
  const System system = bars.Build();
  const auto [coupler, rocker] = bars.At(0.7, 1);
  InitialCondition guess = Guess(0.8, coupler + 0.1, rocker - 0.15);
  guess.dependent_joints.clear();
  const RoughAssembly result = AssembleFromGuess(system, guess, 1);
  EXPECT_TRUE(result.chose_dependent);
  EXPECT_EQ(2u, result.closed.dependent_joints.size());
  const JointState& closed = result.closed.joints;
  const auto [at_coupler, at_rocker] = bars.At(closed.q[0], 1);
  EXPECT_NEAR(at_coupler, closed.q[1], 1e-13);
  EXPECT_NEAR(at_rocker, closed.q[2], 1e-13);
}

TEST(RoughAssembly, DoesNotMoveADrivenJoint) {
  const FourBar bars;
  System system = bars.Build();
  system.drivers = {{"motor", 0, {}}};
  const auto [coupler, rocker] = bars.At(0.7, 1);
  InitialCondition guess = Guess(0.7, coupler + 0.2, rocker - 0.1);
  guess.dependent_joints.clear();
  const RoughAssembly result = AssembleFromGuess(system, guess, 1);
  EXPECT_EQ(0.7, result.closed.joints.q[0]);
  EXPECT_EQ((std::vector<int>{1, 2}), result.closed.dependent_joints);
  EXPECT_NEAR(coupler, result.closed.joints.q[1], 1e-13);
}

std::string Refusal(const System& system, const InitialCondition& guess) {
  try {
    AssembleFromGuess(system, guess, 1);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(RoughAssembly, RefusesAnImpossibleClosureAndNamesTheLoopAndTheResidual) {
  FourBar bars;
  bars.b = 0.1;  // too short to reach the rocker's circle
  const std::string refusal = Refusal(bars.Build(), Guess(3, 0.5, 2));
  EXPECT_NE(std::string::npos, refusal.find("'top'")) << refusal;
  EXPECT_NE(std::string::npos, refusal.find("residual of")) << refusal;
}

TEST(RoughAssembly, RefusesAPositionFarFromTheGuess) {
  const FourBar bars;
  const auto [coupler, rocker] = bars.At(0.7, 1);
  const std::string refusal = Refusal(bars.Build(), Guess(0.7, coupler + 1.3, rocker + 0.1));
  EXPECT_NE("", refusal);
}

TEST(RoughAssembly, RefusesAGuessBetweenTwoPositions) {
  // A parallelogram nearly stretched out: the two positions differ by 0.2 rad or so.
  const FourBar bars{1, 2, 1, 2};
  const auto [coupler, rocker] = bars.At(0.1, 1);
  const auto [other_coupler, other_rocker] = bars.At(0.1, -1);
  const std::string refusal = Refusal(
      bars.Build(),
      Guess(0.1, 0.48 * coupler + 0.52 * other_coupler, 0.48 * rocker + 0.52 * other_rocker));
  EXPECT_NE(std::string::npos, refusal.find("two positions")) << refusal;
}

TEST(RoughAssembly, RefusesASingularPosition) {
  // Stretched out: crank and coupler in line, their tip at the end of the rocker's swing.
  const FourBar bars{1, 2, 1, 2};
  const std::string refusal = Refusal(bars.Build(), Guess(0, 0.05, 0.04));
  EXPECT_NE("", refusal);
}

TEST(RoughAssembly, DoesNotChangeAClosedState) {
  const Problem problem = MakeProblem("fourbar");
  const Assembly exact = Assemble(problem.system, problem.initial, problem.length);
  const RoughAssembly rough = AssembleFromGuess(problem.system, problem.initial, problem.length);
  for (std::size_t i = 0; i < exact.state.joints.q.size(); ++i)
    EXPECT_NEAR(exact.state.joints.q[i], rough.closed.joints.q[i], 1e-15);
  EXPECT_EQ(problem.initial.dependent_joints, rough.closed.dependent_joints);
}

}  // namespace
}  // namespace mbsbench
