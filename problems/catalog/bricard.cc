// bricard: Bricard's mechanism (IFToMM Library of Computational Benchmark Problems, A04).
//
//        Q5 (0,0,1) ------- Q4 (0,-1,1)         five rods along the edges of a unit cube; revolutes
//           .                 |                 at Q0 ... Q5 about y, z, x, y, z, x at t = 0, the
//   Q0 (0,0,0)              Q3 (1,-1,1)         first and the last to the ground (which is the
//           \                 |                 sixth link); g along -y
//        Q1 (1,0,0) ------- Q2 (1,-1,0)
//
// The revolute at Q5 closes the loop. By counting, six revolutes leave no freedom, but the
// mechanism moves: at every position one of the thirty constraints depends on the others.
#include <array>
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

Problem BuildBricard(const ProblemOptions&) {
  constexpr double kMass = 1, kLength = 1, kWidth = 0.1;  // [kg], [m]
  constexpr double kAxial = kMass * kWidth * kWidth / 6,
                   kTransverse = kMass * (kLength * kLength + kWidth * kWidth) / 12;
  constexpr std::array<Vector3, 6> kPoints{
      {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}}};
  const std::array<Quaternion, 3> axes{kZAlongY, Quaternion{}, kZAlongX};  // y, z, x and again
  Problem p;
  p.name = "bricard";
  p.title = "Bricard's mechanism";
  p.description =
      "Five rods and six revolute joints in one loop that moves although counting leaves it no "
      "freedom. It stresses redundant constraints that depend on the position: the thirty "
      "constraints have rank 29 on the motion, and full rank elsewhere.";
  p.source =
      "IFToMM Library of Computational Benchmark Problems, A04; parameters of its OpenSim port";
  // Body axes are the inertial axes of t = 0.
  Vector3 half_before;  // of the previous rod, from its centre to its end
  for (std::size_t i = 0; i < 5; ++i) {
    const Vector3 half = 0.5 * (kPoints[i + 1] - kPoints[i]);
    Body rod;
    rod.name = std::to_string(i + 1);
    rod.mass = kMass;
    rod.inertia = Diagonal(half.x != 0 ? kAxial : kTransverse, half.y != 0 ? kAxial : kTransverse,
                           half.z != 0 ? kAxial : kTransverse);
    rod.shape = {Shape::Kind::kRod, -half, half, kWidth / 2};
    p.system.bodies.push_back(rod);
    const Quaternion& axis = axes[i % 3];
    p.system.joints.push_back(Revolute("Q" + std::to_string(i), static_cast<int>(i) - 1,
                                       {i == 0 ? kPoints[0] : half_before, axis},
                                       static_cast<int>(i), {-half, axis}));
    half_before = half;
  }
  p.system.loop_joints = {
      Revolute("Q5", kGround, {kPoints[5], axes[2]}, 4, {half_before, axes[2]})};
  p.initial.joints = {std::vector<double>(5, 0.0), std::vector<double>(5, 0.0)};
  p.initial.dependent_joints = {1, 2, 3, 4};

  p.end_time = 10;
  p.energy_reference = 1;
  using Kind = Observable::Kind;
  const Vector3 p3 = 0.5 * (kPoints[2] - kPoints[1]);  // the library's P3, between rods 2 and 3
  p.observables = {{"P3_x", Kind::kPositionX, 1, 0, p3},
                   {"P3_y", Kind::kPositionY, 1, 0, p3},
                   {"P3_z", Kind::kPositionZ, 1, 0, p3}};
  const auto computed = [&p](double t, double x, double y, double z) {
    int observable = 0;
    for (double value : {x, y, z}) {
      constexpr double kLastDigit = 1e-12;
      p.published.push_back(
          {observable++, t, value, kLastDigit, PublishedValue::Kind::kComputed,
           "maximal coordinates, least-squares multipliers, DOP853 at 1e-9/1e-11"});
    }
  };
  computed(0.5, 0.774717808039, -0.979815047656, -0.199906158954);
  computed(1, 0.274481319264, -0.886707938735, -0.462330002688);
  computed(2, -0.778135373036, -0.980352683444, -0.197252670615);
  computed(5, 0.999932742302, -0.999999997738, -6.72554358e-5);
  computed(10, 0.999730987304, -0.999999963826, -2.68976512e-4);
  p.library_measures = {
      {"largest error of P3 [m]", LibraryMeasure::Formula::kLargestDifference, {0, 1, 2}, {}, 0}};
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 64, 1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048};
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily BricardFamily() {
  return {"bricard", "Bricard's mechanism", {}, {"bricard"}, BuildBricard};
}

}  // namespace mbsbench
