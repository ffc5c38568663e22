// chainN, chainN3d: a chain of uniform rods on planar revolutes or balls, released horizontally.
//
//   origin +------o------o------o ... tip        gravity along -y; chainN3d starts with a rotation
//                                                about y at 1 rad/s
//
// Chaotic: trajectories of different codes diverge after a few seconds, but energies must agree.
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

Problem BuildChainN(const ProblemOptions& options, bool spatial) {
  constexpr double kLength = 1, kMass = 1;  // [m], [kg]
  constexpr double kAxial = 0.01;           // assumed [kg m^2]
  const int n = IntegerOption(options, "bodies", 4, 1, 1'000'000);
  Problem p;
  p.name = (spatial ? "chainN3d:bodies=" : "chainN:bodies=") + std::to_string(n);
  p.title =
      std::string(spatial ? "Spatial" : "Planar") + " chain of " + std::to_string(n) + " rods";
  p.description =
      "Uniform rods in a row, pinned at one end and released horizontally" +
      std::string(spatial ? ", with ball joints and an initial rotation about the vertical."
                          : ", with revolute joints.") +
      " It stresses chaos, the growth of cost with bodies, and energy.";
  p.source = "common test of the field; parameters of this catalogue";
  p.system.bodies.reserve(static_cast<std::size_t>(n));
  p.system.joints.reserve(static_cast<std::size_t>(n));
  p.initial.joints.q.reserve(static_cast<std::size_t>(n) * (spatial ? 4 : 1));
  p.initial.joints.u.reserve(static_cast<std::size_t>(n) * (spatial ? 3 : 1));
  for (int i = 0; i < n; ++i) {
    p.system.bodies.push_back(Rod(std::to_string(i + 1), kLength, kMass, kAxial));
    Joint joint = Ball("hinge_" + std::to_string(i + 1), i - 1,
                       i == 0 ? Vector3{} : Vector3{kLength / 2, 0, 0}, i, {-kLength / 2, 0, 0});
    if (spatial) {
      AppendBallAtRest({}, p.initial.joints);
    } else {
      joint.type = JointType::kRevolute;
      p.initial.joints.q.push_back(0);
      p.initial.joints.u.push_back(0);
    }
    p.system.joints.push_back(std::move(joint));
  }
  if (spatial) p.initial.joints.u[1] = 1;  // the first joint turns the whole chain

  p.end_time = n == 4 ? 2 : 1;
  if (n > 2000) p.end_time = 0.005;
  p.energy_reference = static_cast<double>(n) * n * 9.81 / 2;  // n * n overflows an int
  p.planar = !spatial;
  for (int i = 0; i < n; ++i) {
    if (n <= 20 || i < 10 || i >= n - 10) p.reference_bodies.push_back(i);
  }
  using Kind = Observable::Kind;
  const Vector3 tip{kLength / 2, 0, 0};
  p.observables = {{"x_tip", Kind::kPositionX, n - 1, 0, tip},
                   {"y_tip", Kind::kPositionY, n - 1, 0, tip}};
  const auto computed = [&p](double t, double last_digit, double x, double y) {
    for (auto [observable, value] : {std::pair{0, x}, std::pair{1, y}}) {
      p.published.push_back({observable, t, value, last_digit, PublishedValue::Kind::kComputed,
                             "absolute-angle Lagrange equations, DOP853"});
    }
  };
  if (!spatial && n == 4) {
    computed(0.5, 1e-11, 3.51644051501, -1.21760721997);
    computed(1, 1e-11, -1.00123121396, -3.60796155127);
    computed(2, 1e-9, -3.4583281908, -0.360124130);
  } else if (!spatial && n == 10) {
    computed(0.5, 1e-10, 9.6674698186, -1.2262781411);
    computed(1, 1e-11, 7.52722901556, -4.90626231972);
  }
  p.papers_step = n > 2000 ? 0.0005 : 0.001;
  p.fixed_steps =
      n > 2000  ? std::vector<double>{0.0005}
      : n > 100 ? std::vector<double>{0.002, 0.001, 0.0005}
                : std::vector<double>{1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048, 1. / 4096};
  if (n == 4 || n == 10) {
    p.accuracy_required_ode = 1e-9;
    p.accuracy_required_dae = 1e-8;
  }
  SetSampleTimes(p);
  return p;
}

ProblemFamily Family(const std::string& name, const std::string& title, std::vector<int> sizes,
                     bool spatial) {
  ProblemFamily family{
      name,
      title,
      {{"bodies", "number of rods, 1 or more"}},
      {},
      [spatial](const ProblemOptions& options) { return BuildChainN(options, spatial); }};
  for (int n : sizes) family.instances.push_back(name + ":bodies=" + std::to_string(n));
  return family;
}

}  // namespace

ProblemFamily ChainNFamily() {
  return Family("chainN", "Planar chain of rods", {4, 10, 20, 30, 40, 100, 300, 1000, 3000}, false);
}

ProblemFamily ChainN3dFamily() {
  return Family("chainN3d", "Spatial chain of rods",
                {4, 10, 20, 40, 100, 300, 1000, 3000, 10000, 100000}, true);
}

}  // namespace mbsbench
