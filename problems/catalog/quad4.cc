// quad4: a robot with four legs in free fall.
//
//   lh ---- trunk ---- lf     a leg: hip (a, about x) - thigh (b, about y) - shank (c, about y) = foot
//   rh ----       ---- rf     the trunk turns and moves freely; gravity along -z
//
// examples/robots has this robot as URDF, MJCF and SDF.
#include <string>

#include "problems/catalog/families.h"
#include "problems/catalog/links.h"

namespace mbsbench {

namespace {

Problem BuildQuad4(const ProblemOptions&) {
  Problem p;
  p.name = "quad4";
  p.title = "Robot with four legs in free fall";
  p.description =
      "A trunk on a free joint carries four legs of three revolute joints and a fixed foot. "
      "Momentum changes by gravity alone, and energy is conserved. It stresses free bases, "
      "branches and light bodies at the ends of chains.";
  p.source = "made for this catalogue";
  System& s = p.system;
  s.gravity = {0, 0, -9.81};
  Links links(s);
  const int trunk =
      links.Add("trunk", 12, {0.01, 0, 0.02}, {0.11, 0.002, -0.006, 0.38, 0.001, 0.44});
  links.DrawTo(trunk, {}, 0.05);
  links.Join("ground:trunk", JointType::kFree, kGround, trunk);
  struct Leg {
    const char* name;
    double x, y;
  };
  int foot = 0;
  for (const auto& [name, x, y] :
       {Leg{"lf", 1, 1}, Leg{"rf", 1, -1}, Leg{"lh", -1, 1}, Leg{"rh", -1, -1}}) {
    const std::string leg = std::string(name) + "_";
    const int hip = links.Add(leg + "hip", 1.4, {0.02 * x, 0.03 * y, 0},
                              {0.002, -0.0001 * x * y, 0, 0.0025, 0, 0.0022});
    const int thigh = links.Add(leg + "thigh", 1.8, {0.004, -0.01 * y, -0.11},
                                {0.013, 0, 0.0008, 0.0128, 0.0004 * y, 0.002}, {0, 0.05, 0});
    const int shank =
        links.Add(leg + "shank", 0.35, {0, 0, -0.12}, {0.0036, 0, 0, 0.0036, 0, 0.0001});
    foot = links.Add(leg + "foot", 0.06, {}, {2e-5, 0, 0, 2e-5, 0, 2e-5});
    links.Join(leg + "a", JointType::kRevolute, trunk, hip, {0.25 * x, 0.09 * y, 0}, {}, {1, 0, 0});
    links.Join(leg + "b", JointType::kRevolute, hip, thigh, {0, 0.08 * y, 0}, {}, {0, 1, 0});
    links.Join(leg + "c", JointType::kRevolute, thigh, shank, {0, 0, -0.25}, {0, 0.1 * x, 0},
               {0, 1, 0});
    links.Join(leg + "d", JointType::kFixed, shank, foot, {0, 0, -0.26});
    links.DrawTo(hip, {0, 0.08 * y, 0}, 0.03);
    links.DrawTo(thigh, {0, 0, -0.25}, 0.025);
    links.DrawTo(shank, {0, 0, -0.26}, 0.015);
    s.bodies[static_cast<std::size_t>(foot)].shape = {Shape::Kind::kSphere, {}, {}, 0.02};
  }
  s.bodies[static_cast<std::size_t>(trunk)].shape = {Shape::Kind::kBox, {0.55, 0.2, 0.12}, {}, 0};

  p.initial.joints.q = {0.3, -0.2, 0.9,  0.64, 0.48, 0.36, 0.48,  // trunk
                        0.1, 0.6,  -1.2, -0.2, 0.9,  -1.5,        // lf, rf
                        0.3, -0.4, 1.1,  0.05, -0.7, 1.4};        // lh, rh
  const Vector3 w = links::InBodyAxes({0.64, 0.48, 0.36, 0.48}, {0.7, -0.5, 1.1});
  p.initial.joints.u = {0.4, -0.3, 0.2,  w.x,  w.y,  w.z,   // trunk
                        0.5, -1.5, 2,    -0.3, 1.2,  -0.8,  // lf, rf
                        0.9, 0.4,  -2.2, -0.6, -1.1, 1.6};  // lh, rh
  p.end_time = 0.5;
  p.time = 0.3;
  // Largest kinetic energy, rounded.
  p.energy_reference = 300;
  using Kind = Observable::Kind;
  p.observables = {{"x_trunk", Kind::kPositionX, trunk},
                   {"z_trunk", Kind::kPositionZ, trunk},
                   {"z_rh_foot", Kind::kPositionZ, foot}};
  p.papers_step = 0.000625;
  p.fixed_steps = {0.005, 0.0025, 0.00125, 0.000625, 0.0003125};
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-7;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily Quad4Family() {
  return {"quad4", "Robot with four legs in free fall", {}, {"quad4"}, BuildQuad4};
}

}  // namespace mbsbench
