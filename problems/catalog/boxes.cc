// boxes: a free box that is thrown and tumbles, without contact (the case of the OSRF comparison of
// physics engines). Its axes x, y, z are those of the ground at the start; gravity along -z.
#include "problems/catalog/families.h"
#include "problems/catalog/printed.h"

namespace mbsbench {

namespace {

constexpr double kEdgeX = 0.1, kEdgeY = 0.4, kEdgeZ = 0.9;  // [m]
constexpr double kBoxMass = 10;

Problem BuildBoxes(const ProblemOptions&) {
  Problem p;
  p.name = "boxes";
  p.title = "Thrown box";
  p.description =
      "A homogeneous box is thrown and spins about its intermediate axis. Its path is a parabola; "
      "momentum, energy and attitude are tested at once.";
  p.source = "comparison of physics engines by the OSRF, boxes";
  Body box;
  box.name = "box";
  box.mass = kBoxMass;
  const auto moment = [](double a, double b) { return kBoxMass / 12 * (a * a + b * b); };
  box.inertia = Diagonal(moment(kEdgeY, kEdgeZ), moment(kEdgeZ, kEdgeX), moment(kEdgeX, kEdgeY));
  box.shape = {Shape::Kind::kBox, {kEdgeX, kEdgeY, kEdgeZ}, {}, 0};
  p.system.bodies = {box};
  p.system.gravity = {0, 0, -9.8};
  Joint joint;
  joint.name = "free";
  joint.type = JointType::kFree;
  joint.child = 0;
  p.system.joints = {joint};
  p.initial.joints = {{0, 0, 0, 1, 0, 0, 0}, {-2, 2, 8, 0.1, 5, 0.1}};

  p.end_time = 10;
  p.length = kEdgeZ;
  p.time = 1;
  p.energy_reference = 4.1e4;  // largest kinetic energy, rounded
  using Kind = Observable::Kind;
  p.observables = {
      {"x", Kind::kPositionX},       {"y", Kind::kPositionY},       {"z", Kind::kPositionZ},
      {"v_z", Kind::kVelocityZ},     {"omega_x", Kind::kBodyRateX}, {"omega_y", Kind::kBodyRateY},
      {"omega_z", Kind::kBodyRateZ}, {"q_w", Kind::kQuaternionW},   {"q_x", Kind::kQuaternionX},
      {"q_y", Kind::kQuaternionY},   {"q_z", Kind::kQuaternionZ}};
  // The decimal 9.8 as a double moves these by up to 6e-14 at 10 s, and the moments of inertia those below by 3e-14.
  for (double t : {1.0, 10.0}) {
    int observable = 0;
    for (double value : {-2 * t, 2 * t, 8 * t - 4.9 * t * t, 8 - 9.8 * t}) {
      p.published.push_back({observable++, t, value, 2e-13, PublishedValue::Kind::kExact,
                             "(-2 t, 2 t, 8 t - 4.9 t^2)"});
    }
  }
  int observable = 4;
  for (const char* text : {"2.755840405146849406", "-3.735963519216219904", "-3.161809003467518335",
                           "0.2251645634139581639", "-0.6199275624994524882",
                           "-0.2770291506871945918", "0.6987457236403101407"}) {
    PublishedValue value = Printed(observable++, 10, text,
                                   "extrapolation in quadruple precision, and midpoint rule in 34 "
                                   "digits");
    value.last_digit = 1e-13;
    p.published.push_back(value);
  }
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 64, 1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048, 1. / 4096};
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily BoxesFamily() { return {"boxes", "Thrown box", {}, {"boxes"}, BuildBoxes}; }

}  // namespace mbsbench
