// arm6: a robot's arm with six axes and a payload, on a tilted base.
//
//   base - j1 - turret - j2 - upper - j3 - fore - j4 - wrist1 - j5 - wrist2 - j6 - flange = tool = payload
//
// Turned and off-diagonal inertias; axes that are long, negative or skew in the file; a link without mass between
// two fixed joints; dampers in j1 and j2. The same robot as URDF, MJCF and SDF: examples/robots.
#include "problems/catalog/families.h"
#include "problems/catalog/links.h"

namespace mbsbench {

namespace {

Problem BuildArm6(const ProblemOptions&) {
  Problem p;
  p.name = "arm6";
  p.title = "Arm of a robot with six axes and a payload";
  p.description =
      "Six revolute joints with skew axes, inertias with products, a link without mass between two "
      "fixed joints, and two dampers, as robot files have them. It stresses long products of "
      "rotations and bodies without mass.";
  p.source = "made for this catalogue";
  System& s = p.system;
  s.gravity = {0, 0, -9.81};
  Links links(s);
  const int base = links.Add("base", 4, {0, 0, 0.05}, {0.02, 0, 0, 0.02, 0, 0.03});
  const int turret = links.Add("turret", 3.2, {0.01, -0.02, 0.12},
                               {0.021, 0.001, -0.002, 0.018, 0.0015, 0.012}, {0.1, -0.2, 0.3});
  const int upper = links.Add("upper", 5.5, {0.2, 0, 0.03}, {0.012, 0, 0.004, 0.11, 0, 0.108});
  const int fore = links.Add("fore", 2.4, {0, 0.15, 0}, {0.03, 0, 0, 0.031, 0.0007, 0.004},
                             {1.5707963267948966, 0, 0});
  const int wrist1 =
      links.Add("wrist1", 1.1, {0, -0.01, 0.04}, {0.0021, 0, 0, 0.0019, 0.0002, 0.0011});
  const int wrist2 =
      links.Add("wrist2", 0.9, {0.005, 0, 0.02}, {0.001, 0.0001, 0, 0.0012, 0, 0.0008});
  const int flange = links.Add("flange", 0.3, {0, 0, 0.01}, {0.0001, 0, 0, 0.0001, 0, 0.00015});
  const int tool_frame = links.Add("tool_frame");
  const int payload =
      links.Add("payload", 1.5, {0.03, 0.02, 0.1}, {0.003, 0, 0, 0.004, 0, 0.002}, {0, 0.7, 0});

  constexpr JointType kTurns = JointType::kRevolute, kHolds = JointType::kFixed;
  links.Join("ground:base", kHolds, kGround, base);
  s.joints.back().parent_frame = {{0.2, -0.1, 0.5}, {0.8, 0, 0.6, 0}};
  links.Join("j1", kTurns, base, turret, {0, 0, 0.1});
  links.Join("j2", kTurns, turret, upper, {0, 0.08, 0.2}, {-1.5707963267948966, 0, 0.25});
  links.Join("j3", kTurns, upper, fore, {0.4, 0, 0.01}, {0, 0, -0.4}, {0, 0, -1});
  links.Join("j4", kTurns, fore, wrist1, {0, 0.31, 0}, {0.3, 0.2, 0.1}, {0.1, 0.9, -0.2});
  links.Join("j5", kTurns, wrist1, wrist2, {0, 0, 0.09}, {}, {1, 0, 0});
  links.Join("j6", kTurns, wrist2, flange, {0, 0, 0.07}, {0, 1.2, 0});
  links.Join("tool", kHolds, flange, tool_frame, {0, 0, 0.02}, {0.5, 0, 0.5});
  links.Join("grip", kHolds, tool_frame, payload, {0.01, 0, 0.03}, {0, -0.3, 0});
  s.forces.Of<JointSpringDamper>() = {{"j1", 1, 0, 0.8, 0}, {"j2", 2, 0, 0.5, 0}};
  links.DrawTo(base, {0, 0, 0.1}, 0.08);
  links.DrawTo(turret, {0, 0.08, 0.2}, 0.05);
  links.DrawTo(upper, {0.4, 0, 0.01}, 0.04);
  links.DrawTo(fore, {0, 0.31, 0}, 0.03);
  links.DrawTo(wrist1, {0, 0, 0.09}, 0.025);
  links.DrawTo(wrist2, {0, 0, 0.07}, 0.025);
  links.DrawTo(flange, {0, 0, 0.02}, 0.03);
  links.DrawTo(payload, {0.06, 0.04, 0.2}, 0.04);

  p.initial.joints.q = {0.7, -0.4, 1.2, -0.8, 0.6, 2.5};
  p.initial.joints.u = {-1.1, 0.9, 1.3, 2.1, -1.7, 3.0};
  p.end_time = 0.5;
  p.time = 0.3;
  // Largest kinetic energy, rounded.
  p.energy_reference = 45;
  p.conservative = false;
  using Kind = Observable::Kind;
  p.observables = {{"x_payload", Kind::kPositionX, payload},
                   {"y_payload", Kind::kPositionY, payload},
                   {"z_payload", Kind::kPositionZ, payload}};
  p.papers_step = 0.000625;
  p.fixed_steps = {0.005, 0.0025, 0.00125, 0.000625, 0.0003125};
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-7;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily Arm6Family() {
  return {"arm6", "Arm of a robot with six axes and a payload", {}, {"arm6"}, BuildArm6};
}

}  // namespace mbsbench
