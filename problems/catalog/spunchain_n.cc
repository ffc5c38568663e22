// spunchainN: a chain of rods in a vertical plane fixed to a turning spindle, swung out against torsion
// springs and gravity.
//
//   | spindle, 6 rad/s about the vertical
//   |----o  first pivot, 0.2 m from the axis       N rods of 1 m / N and 1 kg / N
//   |     \  1                                     torsion springs of 2 N N m/rad, free when straight
//   |      o                                       and (the first) when straight down
//   |       \  2 ...
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

Problem BuildSpunchainN(const ProblemOptions& options) {
  constexpr double kSpeed = 6, kRadius = 0.2;  // [rad/s], [m]
  const int n = IntegerOption(options, "bodies", 10, 1, 100'000);
  const double length = 1.0 / n, mass = 1.0 / n;
  Problem p;
  p.name = "spunchainN:bodies=" + std::to_string(n);
  p.title = "Chain of " + std::to_string(n) + " rods on a turning spindle";
  p.description =
      "A chain in a vertical plane fixed to a spindle at constant speed, with torsion springs in "
      "its joints. `bodies` is the number of rods; the spindle is one body more. It stresses the "
      "cost of a steady state as bodies grow in number.";
  p.source = "made for this catalogue";
  Body spindle;
  spindle.name = "spindle";
  spindle.mass = 1;
  spindle.inertia = Diagonal(0.01, 0.01, 0.01);
  spindle.shape = {Shape::Kind::kRod, {0, -0.5, 0}, {0, 0.2, 0}, 0.01};
  p.system.bodies.push_back(spindle);
  const Quaternion up{M_SQRT1_2, -M_SQRT1_2, 0, 0};  // turns the joint's z axis into y
  Joint drive;
  drive.name = "spindle";
  drive.type = JointType::kRevolute;
  drive.child = 0;
  drive.parent_frame.orientation = up;
  drive.child_frame.orientation = up;
  p.system.joints.push_back(drive);
  p.initial.joints.q = {0};
  p.initial.joints.u = {kSpeed};
  for (int i = 1; i <= n; ++i) {
    p.system.bodies.push_back(Rod(std::to_string(i), length, mass, 0));
    Joint hinge;
    hinge.name = "hinge_" + std::to_string(i);
    hinge.type = JointType::kRevolute;
    hinge.parent = i - 1;
    hinge.child = i;
    // Straight down at zero, outwards for positive angles.
    hinge.parent_frame =
        i == 1 ? Frame{{kRadius, 0, 0}, kQuarterTurnBack} : Frame{{length / 2, 0, 0}, {}};
    hinge.child_frame.position = {-length / 2, 0, 0};
    p.system.joints.push_back(hinge);
    p.system.forces.Of<JointSpringDamper>().push_back(
        {"spring_" + std::to_string(i), i, 2.0 * n, 0, 0});
    p.initial.joints.q.push_back(0);
    p.initial.joints.u.push_back(0);
  }
  p.system.drivers = {{"motor", 0, kSpeed}};

  p.end_time = 1;
  p.time = 0.17;
  p.energy_reference = 10;
  p.conservative = false;  // the driver does work
  for (int i = 0; i <= n; ++i) {
    if (n <= 20 || i < 10 || i > n - 10) p.reference_bodies.push_back(i);
  }
  using Kind = Observable::Kind;
  p.observables = {{"x_tip", Kind::kPositionX, n, 0, {length / 2, 0, 0}}};
  // Random starts with a hundred joints find nothing.
  if (n <= 10) p.steady_guesses = 50;
  p.papers_step = 0.001;
  p.fixed_steps = {0.001, 0.0005};
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily SpunchainNFamily() {
  ProblemFamily family{"spunchainN",
                       "Chain of rods on a turning spindle",
                       {{"bodies", "number of rods, 1 or more; the spindle is one body more"}},
                       {},
                       BuildSpunchainN};
  for (int n : {10, 100, 1000})
    family.instances.push_back("spunchainN:bodies=" + std::to_string(n));
  return family;
}

}  // namespace mbsbench
