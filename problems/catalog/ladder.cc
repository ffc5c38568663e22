// ladder: a rope ladder with any number of loops and bodies; it shows the cost of loops.
//
//   ceiling ---o-------o---            left and right rail: rods in a row on ball joints, 1 m each
//              |       |               rungs: rods of 1 m from the left rail (ball) to the right one
//              o-------o  rung_1              (ball that closes a loop), evenly spread over the nodes
//              |       |
//              o-------o  rung_2        gravity along -y, x from the left rail to the right one
//
// A loop removes one freedom: the distance of two nodes. Nothing is redundant, and all loops are
// nested: the paths from a rung's two ends follow the rails to the ceiling, past all rungs above.
//
// At the start both rails have the same zigzag shape and the same rates, so that the rungs are
// level and every loop is closed.
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"
#include "problems/catalog/tiers.h"
#include "problems/model/error.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr double kRodLength = 1, kAxialShare = 0.01;                // [m], J_ax / m [m^2]
constexpr double kLeftMass = 1, kRightMass = 1.5, kRungMass = 0.5;  // [kg]
constexpr double kTiltZ = 0.2, kTiltX = 0.15;                       // of the zigzag [rad]
constexpr Vector3 kUpper{-kRodLength / 2, 0, 0}, kLower{kRodLength / 2, 0, 0};

Body RodOf(const std::string& name, double mass) {
  return Rod(name, kRodLength, mass, kAxialShare * mass);
}

// Attitude and angular velocity of rod j of either rail, j = 1, 2, ...; 0: the ceiling.
Quaternion AttitudeOf(int j) {
  if (j == 0) return {};
  const double side = j % 2 == 0 ? 1 : -1;
  return AxisAngle({1, 0, 0}, kTiltX * side) * AxisAngle({0, 0, 1}, -M_PI / 2 + kTiltZ * side);
}
Vector3 RateOf(int j) {
  const double side = j % 2 == 0 ? 1 : -1;
  return j == 0 ? Vector3{} : Vector3{0.3, 0.1 * side, 0.2 * side};  // [rad/s]
}

// The coordinates of a ball joint from two attitudes and rates in inertial axes.
void AppendBall(const Quaternion& parent, const Vector3& parent_rate, const Quaternion& child,
                const Vector3& child_rate, JointState& state) {
  AppendBallAtRest(Conjugate(parent) * child, state);
  const Vector3 rate = Rotate(Conjugate(child), child_rate - parent_rate);
  std::size_t at = state.u.size() - 3;
  for (double u : {rate.x, rate.y, rate.z}) state.u[at++] = u;
}

Problem BuildLadder(const ProblemOptions& options) {
  const int bodies = IntegerOption(options, "bodies", 50, 3, 1'000'000);
  const int loops = IntegerOption(options, "loops", 10, 1, 10'000);
  if (3 * loops > bodies) {
    throw ModelError("option 'loops' is '" + std::to_string(loops) + "': a ladder of " +
                     std::to_string(bodies) + " bodies has " + std::to_string(bodies / 3) +
                     " rungs at most.");
  }
  const int right = (bodies - loops) / 2, left = bodies - loops - right;  // rods of each rail
  Problem p;
  p.name = "ladder:bodies=" + std::to_string(bodies) + ",loops=" + std::to_string(loops);
  p.title = "Rope ladder of " + std::to_string(bodies) + " rods with " + std::to_string(loops) +
            (loops == 1 ? " loop" : " loops");
  p.description =
      "Two rails of rods hang from the ceiling; rungs join them. It stresses what nested loops "
      "cost, "
      "apart from what bodies cost. Nothing is redundant.";
  p.source = "made for this catalogue";
  System& s = p.system;
  const auto hang = [&](const std::string& rail, int rods, double mass, const Vector3& top) {
    for (int j = 1; j <= rods; ++j) {
      const int body = static_cast<int>(s.bodies.size()), above = j == 1 ? kGround : body - 1;
      s.bodies.push_back(RodOf(rail + "_" + std::to_string(j), mass));
      s.joints.push_back(
          Ball(rail + "_hinge_" + std::to_string(j), above, j == 1 ? top : kLower, body, kUpper));
      AppendBall(AttitudeOf(j - 1), RateOf(j - 1), AttitudeOf(j), RateOf(j), p.initial.joints);
    }
  };
  hang("left", left, kLeftMass, {});
  hang("right", right, kRightMass, {kRodLength, 0, 0});
  for (int k = 1; k <= loops; ++k) {
    const auto node = static_cast<int>((static_cast<long long>(k) * right + loops - 1) / loops);
    const int rung = static_cast<int>(s.bodies.size());
    const std::string name = "rung_" + std::to_string(k);
    s.bodies.push_back(RodOf(name, kRungMass));
    s.joints.push_back(Ball(name + "_left", node - 1, kLower, rung, kUpper));
    AppendBall(AttitudeOf(node), RateOf(node), {}, {}, p.initial.joints);
    s.loop_joints.push_back(Ball(name + "_right", rung, kLower, left + node - 1, kLower));
    // Closed except for round-off, which the rung and the rod at its right end absorb.
    p.initial.dependent_joints.insert(p.initial.dependent_joints.end(), {left + node - 1, rung});
  }
  std::sort(p.initial.dependent_joints.begin(), p.initial.dependent_joints.end());

  p.end_time = 1;
  const double g = Norm(s.gravity);
  p.energy_reference = g * (kLeftMass * left * left + kRightMass * right * right) / 2;
  for (int b = 0; b < bodies; ++b) {
    if (bodies <= 20 || b < 10 || b >= bodies - 10) p.reference_bodies.push_back(b);
  }
  p.papers_step = 0.001;
  p.fixed_steps = {0.002, 0.001, 0.0005};
  // Used for single evaluations only.
  p.evaluations = Tier::kDefault;
  p.tiers = Tiers(Tier::kFull, bodies);
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily LadderFamily() {
  ProblemFamily family{"ladder",
                       "Rope ladder: loops that are nested",
                       {{"bodies", "number of rods, 3 for each loop or more"},
                        {"loops", "number of rungs, each of which closes a loop"}},
                       {},
                       BuildLadder};
  const auto add = [&family](int bodies, int loops) {
    family.instances.push_back("ladder:bodies=" + std::to_string(bodies) +
                               ",loops=" + std::to_string(loops));
  };
  add(50, 10);
  for (int loops : {1, 2, 5, 10, 20, 50}) add(200, loops);
  for (int loops : {10, 50}) add(1000, loops);
  add(3000, 10);
  return family;
}

}  // namespace mbsbench
