// pendulum: point mass on a massless rod (IFToMM library of computational benchmark problems, A01).
//
//   (-1, 0) o-----------+ pivot (0, 0)      released at rest, g along -y;
//                                           exact solution by elliptic functions
#include "problems/catalog/families.h"

namespace mbsbench {

namespace {

Problem BuildPendulum(const ProblemOptions&) {
  constexpr double kLength = 1;  // [m]
  Problem p;
  p.name = "pendulum";
  p.title = "Simple pendulum";
  p.description =
      "A point mass of 1 kg on a massless rod of 1 m, pinned at the origin and released at rest "
      "from the horizontal. "
      "Its exact solution is known, so it shows phase errors over long times.";
  p.source = "IFToMM Library of Computational Benchmark Problems, A01; Gonzalez et al. 2006";

  Body bob;
  bob.name = "bob";
  bob.mass = 1;
  bob.is_point = true;
  bob.shape = {Shape::Kind::kRod, {-kLength, 0, 0}, {0, 0, 0}, 0.02};
  p.system.bodies = {bob};
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.child = 0;
  pin.parent_frame.orientation = {0, 0, 0,
                                  1};  // half a turn about z: the rod starts along -x at angle 0
  pin.child_frame.position = {-kLength, 0, 0};
  p.system.joints = {pin};
  p.initial.joints = {{0}, {0}};

  p.end_time = 10;
  p.energy_reference = 9.81;
  p.planar = true;
  p.observables = {{"x", Observable::Kind::kPositionX, 0, 0},
                   {"y", Observable::Kind::kPositionY, 0, 0}};
  // These values hold for g = 9.81 in decimals; that of the model is a double, which moves them by up to 1.1e-15.
  const auto exact = [&p](double t, double x, double y) {
    for (auto [observable, value] : {std::pair{0, x}, std::pair{1, y}}) {
      p.published.push_back({observable, t, value, 2e-15, PublishedValue::Kind::kExact,
                             "sin(phi/2) = -k sn(K - sqrt(g/L) t | k^2), k^2 = 1/2"});
    }
  };
  exact(1, 0.9862917511318753, -0.1650108531255412);
  exact(5, -0.9423054350437573, -0.3347543384140006);
  exact(10, -0.2750874625761169, -0.9614192050991251);
  p.papers_step = 0.01;
  p.fixed_steps = {1. / 16, 1. / 32, 1. / 64, 1. / 128, 1. / 256, 1. / 512};
  p.accuracy_required_ode = 1e-9;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily PendulumFamily() {
  return {"pendulum", "Simple pendulum", {}, {"pendulum"}, BuildPendulum};
}

}  // namespace mbsbench
