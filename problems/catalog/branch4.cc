// branch4: planar branch pendulum of four rods (Rui, Bestle, Wang et al. 2020, Sect. 5.1).
//
//              ceiling
//        I1 ------+------ I2        7, pinned at its mass centre
//         |               |
//       1 |             5 |         hinge 8 joins 1 and 5 to 7
//                         |
//                       3 |         hinge 4 joins 3 to the lower end of 5
//
// theta_i is the angle of the vector from input end (lower, I1) to output end, from +x.
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

Problem BuildBranch4(const ProblemOptions&) {
  constexpr double kLength = 1;  // 2a [m]
  constexpr double kMass = 1;    // [kg]
  constexpr double kAxial =
      0.01;  // assumed: the paper's 0 makes u_32 singular for spatial rods [kg m^2]
  constexpr Vector3 kLower{-kLength / 2, 0, 0}, kUpper{kLength / 2, 0, 0};
  Problem p;
  p.name = "branch4";
  p.title = "Branch pendulum of four rods";
  p.description =
      "Two chains of rods hang on the ends of a rod that is pinned at its centre. The smallest "
      "case with a body of "
      "several inputs and a published symbolic trace of the Riccati transfer matrix method.";
  p.source = "Rui, Bestle, Wang et al. 2020, Sect. 5.1";
  for (const char* name : {"1", "3", "5", "7"})
    p.system.bodies.push_back(Rod(name, kLength, kMass, kAxial));
  enum { k1, k3, k5, k7 };
  p.system.joints = {
      Ball("hinge_8_1", k7, kLower, k1, kUpper), Ball("hinge_4", k5, kLower, k3, kUpper),
      Ball("hinge_8_5", k7, kUpper, k5, kUpper), Ball("ceiling", kGround, {}, k7, {})};
  AppendBallAtRest(kQuarterTurn, p.initial.joints);
  AppendBallAtRest({}, p.initial.joints);
  AppendBallAtRest(kQuarterTurn, p.initial.joints);
  AppendBallAtRest({}, p.initial.joints);

  p.end_time = 5;
  p.energy_reference = 10;
  p.planar = true;
  for (int b : {k1, k3, k5, k7}) {
    p.observables.push_back({"theta_" + p.system.bodies[static_cast<std::size_t>(b)].name,
                             Observable::Kind::kPlaneAngle, b, 0});
  }
  const auto computed = [&p](double t, std::initializer_list<double> theta) {
    int observable = 0;
    for (double value : theta) {
      p.published.push_back({observable++, t, value, std::abs(value) < 1 ? 1e-12 : 1e-11,
                             PublishedValue::Kind::kComputed,
                             "absolute-angle Lagrange equations and maximal coordinates, DOP853"});
    }
  };
  computed(0.5, {1.38142244272, 1.55840402086, 1.72771192569, -0.783521455445});
  computed(1, {1.28930529108, 2.35435751737, 1.35750646519, -1.73605246462});
  computed(2, {1.60534628000, 1.55889593234, 1.12099532792, -2.20916414681});
  computed(3, {2.04122373481, 1.67636983568, 1.60359943254, -0.587076971621});
  computed(4, {1.51012744825, 1.58142805029, 1.66321845986, -0.974973847251});
  computed(5, {1.62877266396, 1.49402388219, 1.34981179260, -2.87476858814});
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 64, 1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048};
  p.accuracy_required_ode = 1e-9;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily Branch4Family() {
  return {"branch4", "Branch pendulum of four rods", {}, {"branch4"}, BuildBranch4};
}

}  // namespace mbsbench
