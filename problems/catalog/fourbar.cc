// fourbar: planar crank-rocker, for long times.
//
//            knee o-------- coupler 0.8 --------o top
//  crank 0.3     /                               \   rocker 0.7
//               o (0, 0)                          o (1, 0)            gravity along -y
//
// Revolutes about z on the ground, a ball at the knee, a universal joint at the top: one degree of
// freedom and nothing redundant. One energy-conserving freedom without singular positions: the motion
// is exactly periodic (reference/closed_forms/plane_four_bar.h).
//
// fourbar-bushing: a bushing in place of the joint at the top, stiff along the coupler's x and y axes alone.
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/halved_steps.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr int kUsualEnd = 10;  // [s]

// A bar of 1 kg per metre, J_ax = 0.01 m L^2 (assumed).
Body Bar(const char* name, double length) {
  return Rod(name, length, length, 0.01 * length * length * length);
}

constexpr double kCrank = 0.3, kCoupler = 0.8, kRocker = 0.7, kGroundLink = 1;  // [m]
// At the start, with the crank along +x: the remaining 0.7 m of the ground link is the base of a triangle with sides 0.8 and 0.7 m.
const double kCouplerStart = std::acos(0.4 / 0.7);              // [rad]
const double kRockerStart = M_PI - std::acos(1 - 0.32 / 0.49);  // [rad]
constexpr double kCrankRate = 20;                               // [rad/s]

// The bars without the joint at the top.
Problem OpenFourbar() {
  Problem p;
  System& s = p.system;
  s.bodies = {Bar("crank", kCrank), Bar("coupler", kCoupler), Bar("rocker", kRocker)};
  const auto half = [](double length) { return Vector3{length / 2, 0, 0}; };
  Joint left = Ball("left_pin", kGround, {}, 0, -half(kCrank));
  Joint right = Ball("right_pin", kGround, {kGroundLink, 0, 0}, 2, -half(kRocker));
  left.type = right.type = JointType::kRevolute;
  s.joints = {left, Ball("knee", 0, half(kCrank), 1, -half(kCoupler)), right};
  p.initial.joints.q = {0, std::cos(kCouplerStart / 2), 0,
                        0, std::sin(kCouplerStart / 2), kRockerStart};
  p.energy_reference = 21;  // largest kinetic energy, rounded
  p.planar = true;
  using Kind = Observable::Kind;
  p.observables = {{"crank", Kind::kPlaneAngle, 0},
                   {"coupler", Kind::kPlaneAngle, 1},
                   {"rocker", Kind::kPlaneAngle, 2},
                   {"crank rate", Kind::kPlaneRate, 0}};
  return p;
}

Problem BuildFourbar(const ProblemOptions& options) {
  const int end = IntegerOption(options, "end", kUsualEnd, 1, 100'000);
  Problem p = OpenFourbar();
  p.name = end == kUsualEnd ? "fourbar" : "fourbar:end=" + std::to_string(end);
  p.title = "Planar crank-rocker";
  p.description =
      "A crank drives a rocker through a coupler for many turns without singular positions. It "
      "stresses drift of constraints, of energy and of the phase of the crank.";
  p.source = "made for this catalogue";
  Joint top = Ball("top", 1, {kCoupler / 2, 0, 0}, 2, {kRocker / 2, 0, 0});
  top.type = JointType::kUniversal;
  // The cross: the coupler's in-plane normal (z of the parent frame), the rocker's z (x of the child
  // frame).
  top.parent_frame.orientation = {M_SQRT1_2, -M_SQRT1_2, 0, 0};
  top.child_frame.orientation = {M_SQRT1_2, 0, -M_SQRT1_2, 0};
  p.system.loop_joints = {top};
  p.initial.joints.u = {kCrankRate, 0, 0, 0, 0};
  p.initial.dependent_joints = {1, 2};

  p.end_time = end;
  p.papers_step = 0.001;
  p.fixed_steps = {0.008, 0.004, 0.002, 0.001, 0.0005, 0.00025};
  // An energy error is an error of the crank's rate, and the phase error grows with the square of
  // time: IDA, of order 5, takes 1e5 steps at 1e-13 and ends with an error of 2e-7; at 1e-14 4e5 steps and 1e-9.
  p.accuracy_required_ode = p.accuracy_required_dae = 1e-8;
  if (end > kUsualEnd) {  // for drift over thousands of turns, not for accuracy: one step size
    p.accuracy_required_ode = p.accuracy_required_dae = 0;
    p.fixed_steps = {0.001};
  }
  SetSampleTimes(p);
  return p;
}

Problem BuildFourbarBushing(const ProblemOptions& options) {
  constexpr double kSoft = 1e4;  // [N/m]
  const double stiffness = NumberOption(options, "k", kSoft, 1e3, 1e10);
  const double damping = NumberOption(options, "c", 0, 0, 1e6);
  Problem p = OpenFourbar();
  p.name = NameWith("fourbar-bushing", {stiffness == kSoft ? "" : NumberText("k", stiffness),
                                        damping == 0 ? "" : NumberText("c", damping)});
  p.title = "Planar crank-rocker with a bushing";
  p.description =
      "An elastic joint between coupler and rocker adds fast vibrations to a slow turn. It "
      "separates explicit from implicit integration, and a joint from a compliance.";
  p.source = "made for this catalogue";
  Bushing top;
  top.name = "top", top.body_a = 1, top.body_b = 2;
  top.frame_a.position = {kCoupler / 2, 0, 0};
  top.frame_b.position = {kRocker / 2, 0, 0};
  top.stiffness = {stiffness, stiffness, 0};
  top.damping = {damping, damping, 0};
  p.system.forces.Of<Bushing>() = {top};
  // The rates of the closed linkage: the crank end moves across the ground link.
  const double rate = -kCrankRate * kCrank / kRocker;  // of coupler and rocker
  p.initial.joints.u = {kCrankRate, 0, 0, rate - kCrankRate, rate};
  p.conservative = damping == 0;

  p.end_time = 0.5;
  p.papers_step = 0.001;
  // At k = 1e4 the fastest vibration has some 300 rad/s.
  const double coarsest = 0.005 / std::exp2(std::round(std::log2(std::sqrt(stiffness / kSoft))));
  p.fixed_steps = HalvedSteps(coarsest);
  p.accuracy_required_ode = p.accuracy_required_dae = 1e-7;
  // Computed in 113 bits from three angles.
  const std::string source = "three angles in 113 bits";
  if (stiffness == 1e4 && damping == 0)
    AppendPrintedRow(p, 0.1, source, {"2.02277707825311", "0.390117198579666", "2.19810250034241"});
  if (stiffness == 1e6 && damping == 0)
    AppendPrintedRow(p, 0.1, source, {"2.21200462765923", "0.390283276693201", "2.24976622484778"});
  if (stiffness == 1e8 && damping == 1e3)
    AppendPrintedRow(p, 0.1, source, {"2.21243672696897", "0.390247073124849", "2.24996215789030"});
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily FourbarFamily() {
  return {"fourbar",
          "Planar crank-rocker",
          {{"end", "end time in whole seconds, 10 without it"}},
          {"fourbar", "fourbar:end=1000"},
          BuildFourbar};
}

ProblemFamily FourbarBushingFamily() {
  return {"fourbar-bushing",
          "Planar crank-rocker with a bushing",
          {{"k", "stiffness along x and y [N/m], 1e4 without it"},
           {"c", "damping along x and y [N s/m], 0 without it"}},
          {"fourbar-bushing", "fourbar-bushing:k=1e6", "fourbar-bushing:k=1e8,c=1000"},
          BuildFourbarBushing};
}

}  // namespace mbsbench
