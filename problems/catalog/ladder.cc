// ladder: a rope ladder with any number of loops and bodies; it shows the cost of loops.
//
//   ceiling ---o-------o---            left and right rail: rods in a row on ball joints, 1 m each
//              |       |               rungs: rods of 1 m from the left rail (ball) to the right one
//              o-------o  rung_1              (ball that closes a loop), evenly spread over the nodes
//              |       |
//              o-------o  rung_2        gravity along -y, x from the left rail to the right one
//
// A loop removes one degree of freedom: the distance of two nodes. Nothing is redundant, and all
// loops are nested: the paths from a rung's two ends follow the rails to the ceiling, past all
// rungs above.
//
// A ladder of width w has w + 1 rails and rungs between neighbours, to which the loops are assigned
// in turn: w loops lie side by side, and an elimination of bodies from below couples all rails at
// once. The more rails share the loops, the fewer rungs each pair has: above a width of the square
// root of their number it is cheaper to go from rail to rail.
//
//   ceiling ---o-------o-------o---      width 2
//              |       |       |
//              o-------o-------o
//
// At the start all rails have the same zigzag shape and the same rates, so that the rungs are
// level and every loop is closed.
#include <algorithm>
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"
#include "problems/model/error.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr double kRodLength = 1, kAxialShare = 0.01;  // [m], J_ax / m [m^2]
constexpr double kRungMass = 0.5;                     // [kg]
constexpr double kRailMass[] = {1, 1.5};              // of a rod, in turn from the left [kg]
constexpr double kTiltZ = 0.2, kTiltX = 0.15;         // of the zigzag [rad]
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

// Whole meshes side by side take 2 width + 1 bodies per row; the remaining bodies form a partial
// row.
int MostRungs(int bodies, int width) {
  const int rows = bodies / (2 * width + 1), rest = bodies % (2 * width + 1);
  return rows * width + std::max(0, rest - (width + 1));
}

Problem BuildLadder(const ProblemOptions& options) {
  const int bodies = IntegerOption(options, "bodies", 50, 3, 1'000'000);
  const int loops = IntegerOption(options, "loops", 10, 1, 10'000);
  const int width = IntegerOption(options, "width", 1, 1, loops), rails = width + 1;
  if (const int most = MostRungs(bodies, width); loops > most) {
    throw ModelError("option 'loops' is '" + std::to_string(loops) + "': a ladder of " +
                     std::to_string(bodies) + " bodies has " + std::to_string(most) +
                     " rungs at most.");
  }
  // Rods of each rail; the first ones are a rod longer if the division is uneven.
  const int shortest = (bodies - loops) / rails, longer = (bodies - loops) % rails;
  const auto rods_of = [&](int rail) { return shortest + (rail < longer ? 1 : 0); };
  Problem p;
  p.name = "ladder:bodies=" + std::to_string(bodies) + ",loops=" + std::to_string(loops) +
           (width == 1 ? "" : ",width=" + std::to_string(width));
  p.title = "Rope ladder of " + std::to_string(bodies) + " rods with " + std::to_string(loops) +
            (loops == 1 ? " loop" : " loops") +
            (width == 1 ? "" : ", " + std::to_string(width) + " of them side by side");
  p.description =
      width == 1
          ? "Two rails of rods hang from the ceiling; rungs join them. It stresses the cost of "
            "nested loops, separately from that of bodies. Nothing is redundant."
          : std::to_string(rails) +
                " rails of rods hang from the ceiling; rungs join neighbours. It stresses the cost "
                "of loops side by side, separately from their number. Nothing is redundant.";
  p.source = "made for this catalogue";
  System& s = p.system;
  std::vector<int> first_rod;  // bodies
  for (int r = 0; r < rails; ++r) {
    const std::string rail = r == 0           ? "left"
                             : r + 1 == rails ? "right"
                                              : "rail_" + std::to_string(r + 1);
    first_rod.push_back(static_cast<int>(s.bodies.size()));
    for (int j = 1; j <= rods_of(r); ++j) {
      const int body = static_cast<int>(s.bodies.size()), above = j == 1 ? kGround : body - 1;
      s.bodies.push_back(RodOf(rail + "_" + std::to_string(j), kRailMass[r % 2]));
      s.joints.push_back(Ball(rail + "_hinge_" + std::to_string(j), above,
                              j == 1 ? Vector3{r * kRodLength, 0, 0} : kLower, body, kUpper));
      AppendBall(AttitudeOf(j - 1), RateOf(j - 1), AttitudeOf(j), RateOf(j), p.initial.joints);
    }
  }
  for (int k = 1; k <= loops; ++k) {
    const int r = (k - 1) % width, place = (k - 1) / width + 1;  // the place-th of rail r
    const int places = (loops - r + width - 1) / width;          // of its rungs
    const auto node =
        static_cast<int>((static_cast<long long>(place) * shortest + places - 1) / places);
    const int left = first_rod[static_cast<std::size_t>(r)] + node - 1,
              right = first_rod[static_cast<std::size_t>(r) + 1] + node - 1,
              rung = static_cast<int>(s.bodies.size());
    const std::string name = "rung_" + std::to_string(k);
    s.bodies.push_back(RodOf(name, kRungMass));
    s.joints.push_back(Ball(name + "_left", left, kLower, rung, kUpper));
    AppendBall(AttitudeOf(node), RateOf(node), {}, {}, p.initial.joints);
    s.loop_joints.push_back(Ball(name + "_right", rung, kLower, right, kLower));
    // Closed except for round-off, which the rung and the rod at its right end absorb.
    p.initial.dependent_joints.insert(p.initial.dependent_joints.end(), {right, rung});
  }
  auto& dependent = p.initial.dependent_joints;
  std::sort(dependent.begin(), dependent.end());
  dependent.erase(std::unique(dependent.begin(), dependent.end()), dependent.end());

  p.end_time = 1;
  const double g = Norm(s.gravity);
  double weights = 0;
  for (int r = 0; r < rails; ++r) weights += kRailMass[r % 2] * rods_of(r) * rods_of(r);
  p.energy_reference = g * weights / 2;
  for (int b = 0; b < bodies; ++b) {
    if (bodies <= 20 || b < 10 || b >= bodies - 10) p.reference_bodies.push_back(b);
  }
  p.papers_step = 0.001;
  p.fixed_steps = {0.002, 0.001, 0.0005};
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily LadderFamily() {
  ProblemFamily family{"ladder",
                       "Rope ladder, loops nested or side by side",
                       {{"bodies", "number of rods, at least 3 per loop"},
                        {"loops", "number of rungs, each of which closes a loop"},
                        {"width", "number of loops side by side, one less than the rails"}},
                       {},
                       BuildLadder};
  const auto add = [&family](int bodies, int loops) {
    family.instances.push_back("ladder:bodies=" + std::to_string(bodies) +
                               ",loops=" + std::to_string(loops));
  };
  add(50, 10);
  for (int loops : {1, 2, 5, 10, 20, 50}) add(200, loops);
  for (int bodies : {1000, 3000}) add(bodies, 10);
  for (int width : {2, 3, 5, 7})
    family.instances.push_back("ladder:bodies=200,loops=50,width=" + std::to_string(width));
  return family;
}

}  // namespace mbsbench
