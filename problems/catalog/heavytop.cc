// heavytop: fast spinning top about a fixed point (Bruels, Cardona, Arnold 2012).
// Centre 1 m from the fixed point along the spin axis, body y; gravity along -z.
#include "problems/catalog/families.h"

namespace mbsbench {

namespace {

Problem BuildHeavytop(const ProblemOptions&) {
  Problem p;
  p.name = "heavytop";
  p.title = "Heavy top";
  p.description =
      "A symmetric top spins fast about a fixed point under gravity and precesses. It stresses the "
      "parameters of rotation "
      "and integrators at a fast spin.";
  p.source = "Bruels, Cardona, Arnold 2012";
  Body top;
  top.name = "top";
  top.mass = 15;
  top.inertia = Diagonal(0.234375, 0.46875, 0.234375);
  top.shape = {Shape::Kind::kRod, {0, -1, 0}, {0, 0.1, 0}, 0.2};
  p.system.bodies = {top};
  p.system.gravity = {0, 0, -9.81};
  Joint joint;
  joint.name = "point";
  joint.type = JointType::kBall;
  joint.child = 0;
  joint.child_frame.position = {0, -1, 0};
  p.system.joints = {joint};
  p.initial.joints = {{1, 0, 0, 0}, {0, 150, -4.61538}};

  p.end_time = 1;
  p.time = 1.0 / 150;
  p.energy_reference = 5.7e3;  // largest kinetic energy plus the range of the potential
  using Kind = Observable::Kind;
  p.observables = {{"x", Kind::kPositionX},     {"y", Kind::kPositionY},
                   {"z", Kind::kPositionZ},     {"q_w", Kind::kQuaternionW},
                   {"q_x", Kind::kQuaternionX}, {"q_y", Kind::kQuaternionY},
                   {"q_z", Kind::kQuaternionZ}};
  const auto computed = [&p](double t, int first, double last_digit,
                             std::initializer_list<double> values) {
    for (double value : values) {
      p.published.push_back({first++, t, value, last_digit, PublishedValue::Kind::kComputed,
                             "Euler's equations about the fixed point, DOP853"});
    }
  };
  computed(0.2, 0, 1e-12, {0.605550561376, 0.598957681795, -0.523983027430});
  computed(0.5, 0, 1e-10, {-0.702468297057, -0.0211651847, -0.711400257651});
  computed(1, 0, 1e-11, {0.17334396410, 0.64008859207, -0.74849079114});
  computed(1, 3, 1e-11, {0.73294398068, -0.27828571934, 0.53182461133, -0.32017614274});
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 512, 0.001, 1. / 2048, 1. / 4096, 1. / 8192};
  p.accuracy_required_ode = 1e-9;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily HeavytopFamily() {
  return {"heavytop", "Heavy top", {}, {"heavytop"}, BuildHeavytop};
}

}  // namespace mbsbench
