// kapitza: a pendulum on a shaken pivot (Stephenson 1908; Kapitza 1951).
//
//        | m      phi: angle of the rod from the downward vertical, 3 rad at the start
//        |/
//        o        the pivot: y = 0.05 sin(100 t) m, massless, on a vertical rail; g along -y
//        ^
//        v        phi'' = -((g + y'') / l) sin phi
//
// Shaken fast enough it stays near the upright position: (0.05 . 100)^2 = 25 > 2 g l = 19.62.
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

Problem BuildKapitza(const ProblemOptions&) {
  constexpr double kRod = 1, kAmplitude = 0.05, kFrequency = 100;  // [m], [m], [rad/s]
  Problem p;
  p.name = "kapitza";
  p.title = "Pendulum on a shaken pivot";
  p.description =
      "A pendulum whose pivot a driver shakes up and down at 100 rad/s: fast enough that it stays "
      "upright and swings slowly about this position. It is the smallest problem whose equations "
      "depend on time, and stresses two time scales without stiffness.";
  p.source = "Stephenson 1908; Kapitza 1951, Sov. Phys. JETP 21, 588";

  Body pivot;
  pivot.name = "pivot";
  pivot.shape = {Shape::Kind::kBox, {0.1, 0.05, 0.05}, {}, 0};
  Body bob;
  bob.name = "bob";
  bob.mass = 1;
  bob.is_point = true;
  bob.shape = {Shape::Kind::kRod, {-kRod, 0, 0}, {0, 0, 0}, 0.02};
  p.system.bodies = {pivot, bob};
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::kPrismatic;
  rail.child = 0;
  rail.parent_frame.orientation = rail.child_frame.orientation = kZAlongY;
  // Angle 0 is straight down.
  p.system.joints = {rail, Revolute("hinge", 0, {{}, kQuarterTurnBack}, 1, {{-kRod, 0, 0}, {}})};
  DriverMotion shaking;
  shaking.kind = MotionKind::kHarmonic;
  shaking.amplitude = kAmplitude;
  shaking.angular_frequency = kFrequency;
  p.system.drivers = {{"shaker", 0, shaking}};
  p.initial.joints = {{0, 3}, {kAmplitude * kFrequency, 0}};

  p.end_time = 5;
  p.time = 0.01;
  p.energy_reference = 9.81;
  p.conservative = false;  // the driver does work
  p.planar = true;
  p.observables = {{"phi", Observable::Kind::kPlaneAngle, 1, M_PI / 2},
                   {"phi'", Observable::Kind::kPlaneRate, 1}};
  const std::string source =
      "angle equation, and Cartesian point with a tension, which agree to 1e-26";
  AppendPrintedRow(p, 0.5, source, {"3.35770269957545", "1.70555682620706"});
  AppendPrintedRow(p, 1, source, {"3.60053306519583", "2.28128360151977"});
  AppendPrintedRow(p, 2, source, {"3.70872133212108", "1.28161630378719"});
  p.papers_step = 0.001;
  p.fixed_steps = {0.002, 0.001, 0.0005, 0.00025, 0.000125, 0.0000625};
  // Errors grow 2000-fold. dopri5 leaves 4e-7 at 1e-8 and 3e-11 at 1e-12, IDA 2e-5 and 4e-9.
  p.accuracy_required_ode = 1e-9;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily KapitzaFamily() {
  return {"kapitza", "Pendulum on a shaken pivot", {}, {"kapitza"}, BuildKapitza};
}

}  // namespace mbsbench
