// slidercrank-light, slidercrank-heavy: a plane slider-crank with masses of very different size.
//
//          o knee                     crank 0.1 m about z, rod 0.3 m, slider along x; gravity along -y;
//   crank /   `-. rod                 the crank starts at 0.5 rad with 30 rad/s
//        o       `-[ ]--> x
//   light: 0.01, 0.01 and 1 kg. The slider stops at the dead centres, where the crank peaks near 230 rad/s, 1 ms wide.
//   heavy: 1, 1e-6 and 1e-6 kg. Blocks of 1 and 1e-6 stand in one matrix.
//
// A ball at the knee and a universal joint at the slider, as in fourbar: one freedom and nothing redundant.
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/halved_steps.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

// Crank, rod and slider; the crank, its angle and rate at 0.1 s as printed.
struct SliderCrank {
  const char *name, *title, *stresses;
  double crank, rod, slider;  // [kg]
  double energy, coarsest;    // [J]; step [s]
  const char *angle, *rate;
};

Problem BuildSliderCrank(const SliderCrank& of) {
  constexpr double kCrank = 0.1, kRod = 0.3, kAngle = 0.5, kRate = 30;  // [m], [rad], [rad/s]
  Problem p;
  p.name = of.name;
  p.title = of.title;
  p.description = of.stresses;
  p.source = "made for this catalogue";
  const auto slender = [](const char* name, double length, double mass) {
    return Rod(name, length, mass, 0.01 * mass * length * length);
  };
  Body slider;
  slider.name = "slider";
  slider.mass = of.slider;
  slider.inertia = Diagonal(1e-4 * of.slider, 1e-4 * of.slider, 1e-4 * of.slider);
  slider.shape = {Shape::Kind::kBox, {0.04, 0.03, 0.03}, {}, 0};
  p.system.bodies = {slender("crank", kCrank, of.crank), slender("rod", kRod, of.rod), slider};
  const auto half = [](double length) { return Vector3{length / 2, 0, 0}; };
  Joint rail = Revolute("rail", kGround, {{}, kZAlongX}, 2, {{}, kZAlongX});
  rail.type = JointType::kPrismatic;
  p.system.joints = {Revolute("pin", kGround, {}, 0, {-half(kCrank), {}}),
                     Ball("knee", 0, half(kCrank), 1, -half(kRod)), rail};
  // The cross: the rod's in-plane normal (z of the parent frame), the slider's z (x of the child frame).
  Joint cross = Ball("wrist", 1, half(kRod), 2, {});
  cross.type = JointType::kUniversal;
  cross.parent_frame.orientation = {M_SQRT1_2, -M_SQRT1_2, 0, 0};
  cross.child_frame.orientation = {M_SQRT1_2, 0, -M_SQRT1_2, 0};
  p.system.loop_joints = {cross};

  // In long double sums and products are never fused: the same bits with all flags.
  using Long = long double;
  const Long sine = std::sin(Long{kAngle}), cosine = std::cos(Long{kAngle});
  const Long rod = -std::asin(kCrank * sine / kRod);  // its angle
  const Long rod_rate = -kCrank * cosine * kRate / (kRod * std::cos(rod)),
             turn = (rod - kAngle) / 2;
  const auto rounded = [](Long number) { return static_cast<double>(number); };
  p.initial.joints.q = {
      kAngle, rounded(std::cos(turn)), 0,
      0,      rounded(std::sin(turn)), rounded(kCrank * cosine + kRod * std::cos(rod))};
  p.initial.joints.u = {kRate, 0, 0, rounded(rod_rate - kRate),
                        rounded(-kCrank * sine * kRate - kRod * std::sin(rod) * rod_rate)};
  p.initial.dependent_joints = {1, 2};

  p.end_time = 2;
  p.length = kRod;
  p.time = 1 / kRate;
  p.energy_reference = of.energy;
  p.planar = true;
  using Kind = Observable::Kind;
  p.observables = {{"crank", Kind::kPlaneAngle, 0}, {"crank rate", Kind::kPlaneRate, 0}};
  AppendPrintedRow(p, 0.1, "one angle against two angles, slider and two multipliers, in 113 bits",
                   {of.angle, of.rate});
  p.published[0].value = std::remainder(p.published[0].value, 2 * M_PI);
  p.papers_step = 0.001;
  p.fixed_steps = HalvedSteps(of.coarsest);
  p.accuracy_required_ode = 1e-7;
  p.accuracy_required_dae = 1e-6;  // errors grow three thousandfold in the light one
  SetSampleTimes(p);
  return p;
}

ProblemFamily FamilyOf(const SliderCrank& of) {
  return {of.name, of.title, {}, {of.name}, [of](const ProblemOptions&) {
            return BuildSliderCrank(of);
          }};
}

}  // namespace

ProblemFamily SlidercrankLightFamily() {
  return FamilyOf(
      {"slidercrank-light", "Plane slider-crank with light links",
       "A heavy slider on a light crank and rod: the crank's generalised mass falls by 58 at the "
       "dead centres. It stresses the control of steps and projection.",
       0.01, 0.01, 1, 1, 0.0005, "3.30467949900969", "138.453193335381"});
}

ProblemFamily SlidercrankHeavyFamily() {
  return FamilyOf({"slidercrank-heavy", "Plane slider-crank with a heavy crank",
                   "A rod and a slider of a millionth of the crank's mass. It stresses the scaling "
                   "of mass matrices.",
                   1, 1e-6, 1e-6, 1.5, 0.002, "3.40816897206673", "33.4458355849737"});
}

}  // namespace mbsbench
