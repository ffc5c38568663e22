// revoluteN: a spatial chain of uniform rods on revolute joints whose axes are alternately vertical
// and horizontal, released horizontally.
//
//   origin +------o------o------o ... tip        gravity along -y; axes y, z, y, z, ...
//          y      z      y      z                1 rad/s about the first axis at the start
//
// The counterpart of chainN3d with one freedom per body; it shows how the cost of an evaluation
// depends on the joint type.
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

Problem BuildRevoluteN(const ProblemOptions& options) {
  constexpr double kLength = 1, kMass = 1;  // [m], [kg]
  constexpr double kAxial = 0.01;           // as in chainN3d [kg m^2]
  const int n = IntegerOption(options, "bodies", 10, 1, 1'000'000);
  Problem p;
  p.name = "revoluteN:bodies=" + std::to_string(n);
  p.title = "Spatial chain of " + std::to_string(n) + " rods on revolute joints";
  p.description =
      "Uniform rods in a row on revolute joints with vertical and horizontal axes in turn, "
      "released "
      "horizontally. It stresses the cost of an evaluation by joint type.";
  p.source = "made for this catalogue";
  for (int i = 0; i < n; ++i) {
    p.system.bodies.push_back(Rod(std::to_string(i + 1), kLength, kMass, kAxial));
    const Quaternion axes = i % 2 == 0 ? kZAlongY : Quaternion{};
    p.system.joints.push_back(Revolute("hinge_" + std::to_string(i + 1), i - 1,
                                       {i == 0 ? Vector3{} : Vector3{kLength / 2, 0, 0}, axes}, i,
                                       {{-kLength / 2, 0, 0}, axes}));
    p.initial.joints.q.push_back(0);
    p.initial.joints.u.push_back(i == 0 ? 1 : 0);
  }

  p.end_time = n > 2000 ? 0.005 : 1;
  p.energy_reference = static_cast<double>(n) * n * 9.81 / 2;
  for (int i = 0; i < n; ++i) {
    if (n <= 20 || i < 10 || i >= n - 10) p.reference_bodies.push_back(i);
  }
  using Kind = Observable::Kind;
  const Vector3 tip{kLength / 2, 0, 0};
  p.observables = {{"x_tip", Kind::kPositionX, n - 1, 0, tip},
                   {"y_tip", Kind::kPositionY, n - 1, 0, tip}};
  p.papers_step = n > 2000 ? 0.0005 : 0.001;
  p.fixed_steps = n > 2000  ? std::vector<double>{0.0005}
                  : n > 100 ? std::vector<double>{0.002, 0.001, 0.0005}
                            : std::vector<double>{1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048};
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily RevoluteNFamily() {
  return {"revoluteN",
          "Spatial chain on revolute joints",
          {{"bodies", "number of rods, 1 or more"}},
          {"revoluteN:bodies=10", "revoluteN:bodies=100", "revoluteN:bodies=1000",
           "revoluteN:bodies=10000"},
          BuildRevoluteN};
}

}  // namespace mbsbench
