// gimbal: a fast rotor in two gimbals, without gravity. All axes meet in one point, the mass centre of every part.
//
//   ground - outer gimbal, about z - inner gimbal, about the outer's x - rotor, about the inner's y
//
// The rotor nutates fast, and the outer gimbal walks slowly. Conserved are the energy, the angular momentum about z and that
// of the rotor about its axis; joints exert moments but no forces.
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/halved_steps.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr double kSlowSpin = 200, kFastSpin = 5000;  // of the rotor [rad/s]

// The table: the outer angle, the inner angle, the angle of the rotor relative to the inner gimbal, the inner rate.
void PublishGimbal(Problem& p, const char* outer, double inner, double turned, double last_digit,
                   const char* inner_rate) {
  constexpr double kTime = 0.1;
  const std::string source = "three angles against the two conserved momenta, in 113 bits";
  p.published = {Printed(0, kTime, outer, source), Printed(3, kTime, inner_rate, source)};
  const auto follows = [&](int observable, double value, double uncertainty) {
    p.published.push_back(
        {observable, kTime, value, uncertainty, PublishedValue::Kind::kComputed, source});
  };
  follows(1, std::sin(inner), 2e-15);
  follows(2, -std::sin(turned) * std::cos(inner), 2 * last_digit);
}

Problem BuildGimbal(const ProblemOptions& options) {
  const double spin = NumberOption(options, "spin", kSlowSpin, -1e5, 1e5);
  Problem p;
  p.name = "gimbal:" + NumberText("spin", spin);
  p.title = "Rotor in two gimbals";
  p.description =
      "A rotor spins fast in two gimbals, nutates, and lets the outer one walk slowly, which is "
      "the "
      "whole answer. It stresses parameters of rotation and integrators at a fast spin.";
  p.source = "made for this catalogue";
  System& s = p.system;
  s.gravity = {0, 0, 0};
  const auto part = [&s](const char* name, const SymmetricMatrix3& inertia, const Shape& shape) {
    s.bodies.push_back({name, 1, inertia, false, shape});
  };
  part("outer", Diagonal(0.012, 0.012, 0.02), {Shape::Kind::kBox, {0.3, 0.3, 0.01}, {}, 0});
  part("inner", Diagonal(0.008, 0.012, 0.009), {Shape::Kind::kBox, {0.2, 0.01, 0.2}, {}, 0});
  part("rotor", Diagonal(0.004, 0.006, 0.004),
       {Shape::Kind::kRod, {0, -0.02, 0}, {0, 0.02, 0}, 0.08});
  const Frame along_x{{}, kZAlongX}, along_y{{}, kZAlongY};
  s.joints = {Revolute("azimuth", kGround, {}, 0, {}), Revolute("tilt", 0, along_x, 1, along_x),
              Revolute("spin", 1, along_y, 2, along_y)};
  p.initial.joints = {{0, 0.4, 0}, {0, 2, spin}};

  p.end_time = 2;
  p.length = 0.3;
  p.time = 1 / std::max(1.0, std::abs(spin));
  p.energy_reference = 0.003 * spin * spin + 0.024;  // its kinetic energy
  using Kind = Observable::Kind;
  p.observables = {{"outer", Kind::kPlaneAngle, 0},
                   {"sine of inner", Kind::kPositionZ, 1, 0, {0, 1, 0}},
                   {"point of rotor", Kind::kPositionZ, 2, 0, {1, 0, 0}},
                   {"inner rate", Kind::kBodyRateX, 1},
                   {"rotor rate", Kind::kBodyRateY, 2}};
  if (spin == kSlowSpin)
    PublishGimbal(p, "-0.00640227184258159", 0.376351530565977, 20.0046712141767, 1e-13,
                  "1.50020931084601");
  // Digits that the rounding of the data leaves. The inner angle was printed as 0.401164901360942, which with the inner rate
  // violates the energy by 5e-10 J, and that of the rotor with 9 as its last digit.
  if (spin == kFastSpin)
    PublishGimbal(p, "-0.000395389963084", 0.401164901341961, 500.000233699187, 1e-12,
                  "1.1716485992188");
  for (const double time : {1., 2.})
    p.published.push_back({4, time, spin, 1e-15 * std::abs(spin), PublishedValue::Kind::kExact,
                           "the rotor's momentum about its axis is constant"});
  // The fastest nutation has 0.28 of the spin.
  const double coarsest = std::exp2(-std::ceil(std::log2(2 * std::max(1.0, std::abs(spin)))));
  p.papers_step = coarsest / 8;
  p.fixed_steps = HalvedSteps(coarsest);
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-5;  // IDA at 1e-15 leaves 7e-6 of the particles' equations
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily GimbalFamily() {
  return {"gimbal",
          "Rotor in two gimbals",
          {{"spin", "rate of the rotor [rad/s], 200 without it"}},
          {"gimbal:spin=200", "gimbal:spin=5000"},
          BuildGimbal};
}

}  // namespace mbsbench
