// dpend18: double pendulum, both angles 18 degrees (Lu et al. 2014, Example 1).
//
//        + ceiling          massless rods of 1 m, point masses of 1 kg at their ends;
//         \ alpha_1         absolute angles from the downward vertical
//          o 1
//           \ alpha_2
//            o 2
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

Problem BuildDpend18(const ProblemOptions&) {
  constexpr double kLength = 1;               // [m]
  constexpr double kAngle = 18 * M_PI / 180;  // [rad]
  Problem p;
  p.name = "dpend18";
  p.title = "Double pendulum";
  p.description =
      "Two point masses of 1 kg on massless rods of 1 m, both released at rest 18 degrees from the "
      "downward vertical. "
      "It is not demanding: a smoke test for every formulation.";
  p.source = "Lu et al. 2014, Example 1";
  for (int i = 0; i < 2; ++i) {
    Body mass;
    mass.name = std::to_string(i + 1);
    mass.mass = 1;
    mass.is_point = true;
    mass.shape = {Shape::Kind::kRod, {-kLength, 0, 0}, {0, 0, 0}, 0.02};
    p.system.bodies.push_back(mass);
    Joint pin;
    pin.name = "hinge_" + std::to_string(i + 1);
    pin.type = JointType::kRevolute;
    pin.parent = i - 1;
    pin.child = i;
    if (i == 0) pin.parent_frame.orientation = kQuarterTurnBack;  // angle 0: the rod hangs down
    pin.child_frame.position = {-kLength, 0, 0};
    p.system.joints.push_back(pin);
  }
  p.initial.joints = {{kAngle, 0}, {0, 0}};

  p.end_time = 10;
  p.energy_reference = 1.44;  // 3 g (1 - cos 18 deg)
  p.planar = true;
  p.observables = {{"alpha_1", Observable::Kind::kPlaneAngle, 0, M_PI / 2},
                   {"alpha_2", Observable::Kind::kPlaneAngle, 1, M_PI / 2},
                   {"alpha_1'", Observable::Kind::kPlaneRate, 0, 0},
                   {"alpha_2'", Observable::Kind::kPlaneRate, 1, 0}};
  const auto computed = [&p](double t, std::initializer_list<double> values) {
    int observable = 0;
    for (double value : values) {
      p.published.push_back({observable++, t, value, 1e-11, PublishedValue::Kind::kComputed,
                             "Lagrange's equations (Lu et al. 2014, eq. 14), DOP853"});
    }
  };
  computed(1, {-0.15485868973, -0.33392861227, -0.34791233626, -0.75427709043});
  computed(2, {0.03774184664, -0.01191500297, 0.83253789896, 0.63704183024});
  computed(5, {0.18012170621, 0.34967980145, 0.56225876016, 0.30224671642});
  computed(10, {0.07718063151, 0.09310065109, 0.35301033304, 1.24527754311});
  p.papers_step = 1. / 256;
  p.fixed_steps = {1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128, 1. / 256, 1. / 512};
  p.accuracy_required_ode = 1e-9;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily Dpend18Family() {
  return {"dpend18", "Double pendulum", {}, {"dpend18"}, BuildDpend18};
}

}  // namespace mbsbench
