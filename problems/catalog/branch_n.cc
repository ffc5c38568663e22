// branchN: branch pendulum with a long trunk (Rui, Bestle, Wang et al. 2020, Sect. 5.2, Fig. 1).
//
//              ceiling        hinge k+1 on top of body k, k = 1, 3, 5, ..., N = 2 bodies - 1
//                 | N
//                 :
//                 | 13
//          -------+-------    11
//          | 3           | 9
//          | 1           | 7
//                        | 5
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr int kCrossbar = 5;  // index of body 11
constexpr int kLargeFrom =
    2000;  // bodies: from here on only a few steps, as in the paper's largest run

std::string Rods(int n) {
  return n == 1 ? "one vertical rod" : std::to_string(n) + " vertical rods";
}

Problem BuildBranchN(const ProblemOptions& options) {
  constexpr double kLength = 1, kMass = 1;  // [m], [kg]
  constexpr double kAxial = 0.01;           // assumed, see branch4 [kg m^2]
  constexpr Vector3 kLower{-kLength / 2, 0, 0}, kUpper{kLength / 2, 0, 0};
  const int n = IntegerOption(options, "bodies", 6, 6, 1'000'000);
  Problem p;
  p.name = "branchN:bodies=" + std::to_string(n);
  p.title = "Branch pendulum of " + std::to_string(n) + " rods";
  p.description = "Two short chains hang on the ends of a crossbar that hangs " +
                  (n == 6 ? "from the ceiling" : "on a trunk of " + Rods(n - 6)) +
                  ". It stresses linear cost, truncation errors along long chains, and memory.";
  p.source = "Rui, Bestle, Wang et al. 2020, Sect. 5.2";
  const auto label = [](int index) { return std::to_string(2 * index + 1); };
  const auto hinge = [](int index) { return "hinge_" + std::to_string(2 * index + 2); };
  for (int i = 0; i < n; ++i) {
    p.system.bodies.push_back(Rod(label(i), kLength, kMass, kAxial));
    const bool is_last = i == n - 1;
    const Vector3 top = i == kCrossbar ? Vector3{} : kUpper;  // the crossbar hangs from its centre
    Quaternion attitude;                                      // relative to the parent
    if (i == 1 || i == 4) {                                   // 3 and 9: from the crossbar's ends
      p.system.joints.push_back(Ball(hinge(i), kCrossbar, i == 1 ? kLower : kUpper, i, top));
      attitude = kQuarterTurn;
    } else if (is_last) {
      p.system.joints.push_back(Ball(hinge(i), kGround, {}, i, top));
      if (i != kCrossbar) attitude = kQuarterTurn;
    } else {
      p.system.joints.push_back(Ball(hinge(i), i + 1, kLower, i, top));
      if (i == kCrossbar) attitude = kQuarterTurnBack;
    }
    AppendBallAtRest(attitude, p.initial.joints);
  }

  const bool large = n > kLargeFrom;
  p.end_time = large ? 0.005 : n == 12 ? 2 : 1;
  p.energy_reference = 10;  // scale of the bottom group, not the potential of the trunk
  p.planar = true;
  for (int i = 0; i < n; ++i) {
    if (n <= 20 || i < 16 || i >= n - 4) p.reference_bodies.push_back(i);
  }
  const std::vector<int> observed =
      n > 6 ? std::vector<int>{0, 1, 2, 3, 4, 5, 6, n - 1} : std::vector<int>{0, 1, 2, 3, 4, 5};
  for (int i : observed)
    p.observables.push_back({"theta_" + label(i), Observable::Kind::kPlaneAngle, i, 0});
  const auto computed = [&p](double t, double last_digit, std::initializer_list<double> theta) {
    int observable = 0;
    for (double value : theta) {
      p.published.push_back({observable++, t, value, last_digit, PublishedValue::Kind::kComputed,
                             "absolute-angle Lagrange equations, DOP853"});
    }
  };
  if (n == 6) {
    computed(1, 1e-8, {1.18921677, 1.30014298, 1.77969437, 1.93850830, 1.62717260, -1.68510525});
  } else if (n == 12) {
    computed(1, 1e-9,
             {1.173470986, 1.209715625, 1.784709653, 1.875652195, 1.597253365, -1.696938823,
              1.608835637, 1.571026038});
    computed(2, 1e-9,
             {1.918135406, 1.980783983, 1.068854688, 1.244341855, 1.546329480, -1.879958650,
              1.658859715, 1.585549175});
  } else if (n == 500) {
    computed(0.5, 1e-8,
             {1.56937573, 1.51571107, 1.56851686, 1.57453922, 1.62256255, -0.47169641, 1.57131085,
              1.57079633});
    computed(1, 1e-8,
             {1.17347099, 1.20971564, 1.78470966, 1.87565215, 1.59725347, -1.69693888, 1.60883554,
              1.57079633});
  }
  p.papers_step = large ? 0.0005 : 0.001;
  p.fixed_steps =
      large     ? std::vector<double>{0.0005}
      : n > 100 ? std::vector<double>{0.002, 0.001, 0.0005}
                : std::vector<double>{1. / 64, 1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048};
  if (n == 6 || n == 12 || n == 24 || n == 100 || n == 500) {
    p.accuracy_required_ode = 1e-9;
    p.accuracy_required_dae = 1e-8;
  }
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily BranchNFamily() {
  return {"branchN",
          "Branch pendulum with a long trunk",
          {{"bodies", "number of rods, 6 or more"}},
          {"branchN:bodies=6", "branchN:bodies=12", "branchN:bodies=24", "branchN:bodies=100",
           "branchN:bodies=500", "branchN:bodies=33336"},
          BuildBranchN};
}

}  // namespace mbsbench
