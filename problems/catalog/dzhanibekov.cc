// dzhanibekov: a free body that spins about its intermediate axis and flips (Euler; Jacobi). Its
// angular velocity is known in elliptic functions. It tests the attitude near a saddle point.
#include "problems/catalog/families.h"

namespace mbsbench {

namespace {

Problem BuildDzhanibekov(const ProblemOptions&) {
  Problem p;
  p.name = "dzhanibekov";
  p.title = "Free body about its intermediate axis";
  p.description =
      "A rigid body without any force spins about its intermediate principal axis and turns over, "
      "twice in 10 s. It "
      "stresses attitude near a saddle, and the preservation of energy and momentum.";
  p.source = "Euler's equations; Jacobi's solution";
  Body body;
  body.name = "body";
  body.mass = 1;
  body.inertia = Diagonal(3, 2, 1);
  // A box of these moments: J = m / 12 (b^2 + c^2, c^2 + a^2, a^2 + b^2).
  body.shape = {Shape::Kind::kBox, {0, std::sqrt(12.0), std::sqrt(24.0)}, {}, 0};
  p.system.bodies = {body};
  p.system.gravity = {0, 0, 0};
  Joint joint;
  joint.name = "free";
  joint.type = JointType::kFree;
  joint.child = 0;
  p.system.joints = {joint};
  p.initial.joints = {{0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0.01, 5, 0}};

  p.end_time = 10;
  p.time = 0.2;
  p.energy_reference = 25.00015;  // its kinetic energy
  using Kind = Observable::Kind;
  p.observables = {{"omega_1", Kind::kBodyRateX}, {"omega_2", Kind::kBodyRateY},
                   {"omega_3", Kind::kBodyRateZ}, {"q_w", Kind::kQuaternionW},
                   {"q_x", Kind::kQuaternionX},   {"q_y", Kind::kQuaternionY},
                   {"q_z", Kind::kQuaternionZ}};
  const auto exact = [&p](double t, std::initializer_list<double> rates) {
    int observable = 0;
    for (double value : rates) {
      p.published.push_back({observable++, t, value, std::abs(value) < 0.1 ? 1e-16 : 1e-14,
                             PublishedValue::Kind::kExact, "Jacobi's elliptic functions"});
    }
  };
  exact(1, {0.0899327500086806, 4.99760305560852, 0.154802127157128});
  exact(2, {1.49253410407896, 4.27987451270287, 2.58508687581605});
  exact(5, {0.0105514784688126, -4.99999659988948, -0.00583104567238545});
  exact(10, {0.0122667361432960, 4.99998485813239, 0.0123052203079721});
  int observable = 3;
  for (double value : {0.38105222527, -0.00332244970, -0.92454744063, -0.00043927693}) {
    p.published.push_back({observable++, 10, value, 1e-11, PublishedValue::Kind::kComputed,
                           "Euler's equations, DOP853"});
  }
  p.papers_step = 1. / 256;
  p.fixed_steps = {1. / 32, 1. / 64, 1. / 128, 1. / 256, 1. / 512, 1. / 1024};
  p.accuracy_required_ode = 1e-9;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily DzhanibekovFamily() {
  return {"dzhanibekov",
          "Free body about its intermediate axis",
          {},
          {"dzhanibekov"},
          BuildDzhanibekov};
}

}  // namespace mbsbench
