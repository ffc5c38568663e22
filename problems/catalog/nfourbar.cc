// nfourbar: N four-bar windows in a row (IFToMM Library of Computational Benchmark Problems, A02).
//
//   B0 ----- B1 ----- B2 ... BN      N + 1 upright cranks on ground pins, N couplers; all 1 m
//   |        |        |      |       B0 starts with 1 m/s along +x, g along -y
//   A0       A1       A2     AN
//
// The tree: every crank on its ground pin, coupler i on the top of crank i - 1; loop joint B_i
// joins coupler i to crank i. All are revolutes about z, so in space three of the five constraints
// of each loop joint (force along z, moments about x and y) are redundant, and whenever all links
// are horizontal two rows in the plane become dependent as well: the links may leave the
// parallelogram there, and such a solution is a different motion. With the cranks of a window at
// angles a, b from the ground line,
//   |B1 - B0|^2 - 1 = 8 sin((a - b) / 2) sin(a / 2) cos(b / 2)
// so that it stays a parallelogram (a = b), or one crank rests with its tip on the foot of the
// other one (a = 0 or b = pi), with which the coupler turns.
#include <fmt/format.h>

#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

void AddPublished(int windows, Problem& p) {
  const auto exact = [&p](double t, std::initializer_list<double> values) {
    int observable = 0;
    for (double value : values) {
      const double last_digit = observable < 2 ? 1e-14 : 1e-13;
      p.published.push_back({observable++, t, value, last_digit, PublishedValue::Kind::kExact,
                             "((N+1)/3 + N) theta'' = g ((N+1)/2 + N) sin theta"});
    }
  };
  if (windows == 2) {
    exact(1, {-0.19502030194944, -0.98079920566217, -6.6766780368812, 1.3275783251605});
    exact(5, {-0.81131046100511, -0.58461554534898, -3.5691173971932, 4.9531051713133});
    exact(10, {0.32845811154082, 0.94451853817860, 1.4230514702069, -0.4948688454870});
  } else if (windows == 10) {
    exact(10, {0.20435356098977, 0.97889714582830, 1.1866800237546, -0.2477301008008});
  } else if (windows == 40) {
    exact(10, {0.18051222668673, 0.98357274058231, 1.1484412774694, -0.2107700667794});
  }
}

Problem BuildNfourbar(const ProblemOptions& options) {
  constexpr double kLength = 1, kMass = 1;  // [m], [kg]
  constexpr double kAxial = 0.01;           // the motion does not depend on it [kg m^2]
  constexpr double kGravity = 9.81;         // [m/s^2]
  constexpr Vector3 kFoot{-kLength / 2, 0, 0}, kTop{kLength / 2, 0, 0};
  const int n = IntegerOption(options, "windows", 2, 1, 10'000);
  Problem p;
  p.name = "nfourbar:windows=" + std::to_string(n);
  p.title = "Four-bar mechanism of " + std::to_string(n) + " windows";
  p.description =
      "A row of parallelograms with one degree of freedom that turns over and over. It stresses "
      "redundant constraints, of which each window has three, and singular positions: whenever all "
      "links are horizontal the constraints lose further rank and the linkage may leave the "
      "parallelogram. Loops of revolute joints, as in the library.";
  p.source =
      "IFToMM Library of Computational Benchmark Problems, A02; Bayo and Avello 1994 (two bars)";
  const auto crank_index = [](int i) { return i; };
  const auto coupler_index = [n](int i) { return n + i; };  // 1 to n
  for (int i = 0; i <= n; ++i) {
    p.system.bodies.push_back(Rod("crank_" + std::to_string(i), kLength, kMass, kAxial));
    p.system.joints.push_back(Revolute("A" + std::to_string(i), kGround,
                                       {{kLength * i, 0, 0}, kQuarterTurn}, crank_index(i),
                                       {kFoot, {}}));
    p.initial.joints.u.push_back(-1 / kLength);  // theta from upright is positive towards +x
  }
  for (int i = 1; i <= n; ++i) {
    p.system.bodies.push_back(Rod("coupler_" + std::to_string(i), kLength, kMass, kAxial));
    p.system.joints.push_back(Revolute("coupler_pin_" + std::to_string(i), crank_index(i - 1),
                                       {kTop, kQuarterTurnBack}, coupler_index(i), {kFoot, {}}));
    p.initial.joints.u.push_back(1 / kLength);
    p.system.loop_joints.push_back(Revolute("B" + std::to_string(i), coupler_index(i), {kTop, {}},
                                            crank_index(i), {kTop, {}}));
    p.branch.push_back(
        {{"angle of coupler_" + std::to_string(i), Observable::Kind::kPlaneAngle, coupler_index(i)},
         0,
         0.1,
         fmt::format("window {} folds: one of its cranks rests on the ground line, its coupler "
                     "turns with the other crank",
                     i)});
  }
  const auto joints = static_cast<int>(p.system.joints.size());
  p.initial.joints.q.assign(p.system.joints.size(), 0.0);
  for (int j = 1; j < joints; ++j) p.initial.dependent_joints.push_back(j);

  p.end_time = 10;
  const double m = n;
  p.energy_reference = ((m + 1) / 3 + m) / 2 + kGravity * ((m + 1) / 2 + m);
  p.planar = true;
  for (int b = 0; b <= 2 * n; ++b) {
    if (n < 10 || b % n < 5) p.reference_bodies.push_back(b);
  }
  using Kind = Observable::Kind;
  p.observables = {{"B0_x", Kind::kPositionX, 0, 0, kTop},
                   {"B0_y", Kind::kPositionY, 0, 0, kTop},
                   {"B0_vx", Kind::kVelocityX, 0, 0, kTop},
                   {"B0_vy", Kind::kVelocityY, 0, 0, kTop}};
  AddPublished(n, p);
  p.library_measures = {
      {"largest error of B0 [m]", LibraryMeasure::Formula::kLargestDifference, {0, 1}, {}, 0}};
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048, 1. / 4096};
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily NfourbarFamily() {
  return {"nfourbar",
          "Four-bar windows in a row",
          {{"windows", "number of four-bar windows, 1 or more"}},
          {"nfourbar:windows=2", "nfourbar:windows=10", "nfourbar:windows=40"},
          BuildNfourbar};
}

}  // namespace mbsbench
