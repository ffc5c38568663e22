// puck: a planar, a universal and a cylindrical joint in one chain.
//
//   ======[ puck ]======   the puck slides and turns on the plane z = 0
//            +             a cross beneath it: about its vertical, then about its own x
//            |
//           (|)~ sleeve    slides along the rod and turns about it; its mass is 0.1 m off the
//            |             rod, and a spring of 100 N/m holds it to the rod's upper end
//            |  rod        gravity along -z
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

Problem BuildPuck(const ProblemOptions&) {
  Problem p;
  p.name = "puck";
  p.title = "Puck with a rod on a cross and a sleeve on the rod";
  p.description =
      "A puck slides on a table, a rod hangs from it on a cross, and an eccentric sleeve slides "
      "along the rod and turns about it. It stresses joints with several axes: planar, universal "
      "and cylindrical.";
  p.source = "made for this catalogue";
  p.system.gravity = {0, 0, -9.81};
  Body puck;
  puck.name = "puck";
  puck.mass = 2;
  puck.inertia = Diagonal(0.02, 0.02, 0.03);
  puck.shape = {Shape::Kind::kBox, {0.3, 0.3, 0.1}, {}, 0};
  Body rod;
  rod.name = "rod";
  rod.mass = 1;
  rod.inertia = Diagonal(0.0835, 0.0835, 0.001);
  rod.shape = {Shape::Kind::kRod, {0, 0, -0.5}, {0, 0, 0.5}, 0.02};
  Body sleeve;
  sleeve.name = "sleeve";
  sleeve.mass = 0.5;
  sleeve.inertia = Diagonal(0.002, 0.003, 0.004);
  sleeve.shape = {Shape::Kind::kBox, {0.2, 0.08, 0.1}, {}, 0};
  p.system.bodies = {puck, rod, sleeve};

  p.system.joints = {
      JointBetween("table", JointType::kPlanar, kGround, {}, 0, {}),
      JointBetween("cross", JointType::kUniversal, 0, {0, 0, -0.05}, 1, {0, 0, 0.5}),
      JointBetween("bush", JointType::kCylindrical, 1, {0, 0, 0.5}, 2, {-0.1, 0, 0})};
  p.system.forces.Of<SpringDamper>() = {{"spring", 1, 2, {0, 0, 0.5}, {-0.1, 0, 0}, 100, 0, 0.4}};

  p.initial.joints.q = {0.1, -0.2, 0.3, 0.5, 0.8, -0.45, 1};
  p.initial.joints.u = {0.5, 0.2, -1, 2, -0.5, 0.3, 4};

  p.end_time = 3;
  // Largest kinetic energy plus the range of the spring's potential, rounded.
  p.energy_reference = 4;
  using Kind = Observable::Kind;
  p.observables = {{"x_puck", Kind::kPositionX, 0},
                   {"y_puck", Kind::kPositionY, 0},
                   {"z_rod", Kind::kPositionZ, 1},
                   {"z_sleeve", Kind::kPositionZ, 2}};
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 64, 1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048};
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-7;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily PuckFamily() {
  return {"puck", "Puck with a rod on a cross and a sleeve on the rod", {}, {"puck"}, BuildPuck};
}

}  // namespace mbsbench
