// treeN: a binary tree of uniform rods on ball joints, as balanced as its number of bodies allows.
//
//            +--------o----- 4      body k carries bodies 2k and 2k + 1 on its far end
//      +-----| 2      |
//      |     |        o----- 5      gravity along -y; the two children leave at +-0.6 rad, about z
//   1 -+     ...                    and y in turn from one generation to the next; the first body
//      |     3                      turns about y at 1 rad/s at the start
//      +----- ...
//
// The cost of branchings: a formulation linear in bodies should take no longer than on a chain.
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

// Generations above body k, counted from 1.
int Generation(int k) {
  int generation = 0;
  for (; k > 1; k /= 2) ++generation;
  return generation;
}

Problem BuildTreeN(const ProblemOptions& options) {
  constexpr double kLength = 1, kMass = 1;  // [m], [kg]
  constexpr double kAxial = 0.01;           // as in chainN3d [kg m^2]
  constexpr double kSpread = 0.6;           // of a child from its parent's axis [rad]
  const int n = IntegerOption(options, "bodies", 15, 1, 1'000'000);
  Problem p;
  p.name = "treeN:bodies=" + std::to_string(n);
  p.title = "Binary tree of " + std::to_string(n) + " rods";
  p.description =
      "Each rod carries two more on ball joints at its far end. It stresses branchings: how much "
      "more an evaluation costs than on a chain.";
  p.source = "made for this catalogue";
  p.system.bodies.reserve(static_cast<std::size_t>(n));
  p.system.joints.reserve(static_cast<std::size_t>(n));
  for (int k = 1; k <= n; ++k) {
    p.system.bodies.push_back(Rod(std::to_string(k), kLength, kMass, kAxial));
    p.system.joints.push_back(Ball("hinge_" + std::to_string(k), k == 1 ? kGround : k / 2 - 1,
                                   k == 1 ? Vector3{} : Vector3{kLength / 2, 0, 0}, k - 1,
                                   {-kLength / 2, 0, 0}));
    const Vector3 axis = Generation(k) % 2 == 1 ? Vector3{0, 0, 1} : Vector3{0, 1, 0};
    AppendBallAtRest(k == 1 ? Quaternion{} : AxisAngle(axis, k % 2 == 0 ? kSpread : -kSpread),
                     p.initial.joints);
  }
  p.initial.joints.u[1] = 1;

  const int generations = Generation(n) + 1;
  p.end_time = n > 2000 ? 0.005 : 1;
  p.energy_reference = static_cast<double>(n) * generations * 9.81 / 2;
  for (int i = 0; i < n; ++i) {
    if (n <= 20 || i < 10 || i >= n - 10) p.reference_bodies.push_back(i);
  }
  using Kind = Observable::Kind;
  const Vector3 tip{kLength / 2, 0, 0};
  p.observables = {{"x_last", Kind::kPositionX, n - 1, 0, tip},
                   {"y_last", Kind::kPositionY, n - 1, 0, tip}};
  p.papers_step = n > 2000 ? 0.0005 : 0.001;
  p.fixed_steps = n > 2000  ? std::vector<double>{0.0005}
                  : n > 100 ? std::vector<double>{0.002, 0.001, 0.0005}
                            : std::vector<double>{1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048};
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily TreeNFamily() {
  return {"treeN",
          "Binary tree on ball joints",
          {{"bodies", "number of rods, 1 or more"}},
          {"treeN:bodies=15", "treeN:bodies=127", "treeN:bodies=1023", "treeN:bodies=8191",
           "treeN:bodies=131071"},
          BuildTreeN};
}

}  // namespace mbsbench
