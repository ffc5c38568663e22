// fourbar: planar crank-rocker, for long times.
//
//            knee o-------- coupler 0.8 --------o top
//  crank 0.3     /                               \   rocker 0.7
//               o (0, 0)                          o (1, 0)            gravity along -y
//
// Revolutes about z on the ground, a ball at the knee, a universal joint at the top: one degree of
// freedom and nothing redundant. One energy-conserving freedom without singular positions: the motion
// is exactly periodic (reference/plane_four_bar.h).
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr int kUsualEnd = 10;  // [s]

// A bar of 1 kg per metre, J_ax = 0.01 m L^2 (assumed).
Body Bar(const char* name, double length) {
  return Rod(name, length, length, 0.01 * length * length * length);
}

Problem BuildFourbar(const ProblemOptions& options) {
  constexpr double kCrank = 0.3, kCoupler = 0.8, kRocker = 0.7, kGroundLink = 1;  // [m]
  const int end = IntegerOption(options, "end", kUsualEnd, 1, 100'000);
  Problem p;
  p.name = end == kUsualEnd ? "fourbar" : "fourbar:end=" + std::to_string(end);
  p.title = "Planar crank-rocker";
  p.description =
      "A crank drives a rocker through a coupler for many turns without singular positions. It "
      "stresses drift of constraints, of energy and of the phase of the crank.";
  p.source = "made for this catalogue";
  System& s = p.system;
  s.bodies = {Bar("crank", kCrank), Bar("coupler", kCoupler), Bar("rocker", kRocker)};
  const auto half = [](double length) { return Vector3{length / 2, 0, 0}; };
  Joint left = Ball("left_pin", kGround, {}, 0, -half(kCrank));
  Joint knee = Ball("knee", 0, half(kCrank), 1, -half(kCoupler));
  Joint right = Ball("right_pin", kGround, {kGroundLink, 0, 0}, 2, -half(kRocker));
  Joint top = Ball("top", 1, half(kCoupler), 2, half(kRocker));
  left.type = right.type = JointType::kRevolute;
  top.type = JointType::kUniversal;
  // The cross: the coupler's in-plane normal (z of the parent frame), the rocker's z (x of the child
  // frame).
  top.parent_frame.orientation = {M_SQRT1_2, -M_SQRT1_2, 0, 0};
  top.child_frame.orientation = {M_SQRT1_2, 0, -M_SQRT1_2, 0};
  s.joints = {left, knee, right};
  s.loop_joints = {top};

  // Crank along +x: the remaining 0.7 m of the ground link is the base of a triangle with sides 0.8
  // and 0.7 m.
  const double coupler = std::acos(0.4 / 0.7), rocker = M_PI - std::acos(1 - 0.32 / 0.49);
  p.initial.joints.q = {0, std::cos(coupler / 2), 0, 0, std::sin(coupler / 2), rocker};
  p.initial.joints.u = {20, 0, 0, 0, 0};
  p.initial.dependent_joints = {1, 2};

  p.end_time = end;
  p.energy_reference = 21;  // largest kinetic energy, rounded
  p.planar = true;
  using Kind = Observable::Kind;
  p.observables = {{"crank", Kind::kPlaneAngle, 0},
                   {"coupler", Kind::kPlaneAngle, 1},
                   {"rocker", Kind::kPlaneAngle, 2},
                   {"crank rate", Kind::kPlaneRate, 0}};
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

}  // namespace

ProblemFamily FourbarFamily() {
  return {"fourbar",
          "Planar crank-rocker",
          {{"end", "end time in whole seconds, 10 without it"}},
          {"fourbar", "fourbar:end=1000"},
          BuildFourbar};
}

}  // namespace mbsbench
