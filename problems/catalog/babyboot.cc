// babyboot: a chaotic plate on a rod (Kane 1974; the benchmark with which Drake tests itself).
//
//      (o)  pin, along z      The rod A swings in the plane about the pin; its lower end carries the
//       |                     plate B, which turns about the rod's axis. Started almost in the rod's
//       |  A                  plane of motion, the plate turns chaotically: an error in its first
//       |                     angle grows seven million times within 10 s.
//     [ | ]
//     [ | ]  B                gravity along -y
#include "problems/catalog/families.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

constexpr double kOneDegree = M_PI / 180;
constexpr double kGramCm2 = 1e-7;  // [kg m^2]

// The z axes of both bodies point down the rod, their y axes along the pin where the plate's angle is zero.
void AddRodAndPlate(Problem& p) {
  constexpr double kRodCentre = 0.075, kPlateCentre = 0.2;  // below the pin [m]
  constexpr double kHinge = 2 * kRodCentre;                 // anywhere on the rod's axis
  Body rod;
  rod.name = "A";
  rod.mass = 0.01;
  // The motion depends on the moment about the pin alone.
  rod.inertia = Diagonal(50 * kGramCm2, 50 * kGramCm2, 1 * kGramCm2);
  rod.shape = {Shape::Kind::kRod, {0, 0, -kRodCentre}, {0, 0, kRodCentre}, 0.004};
  Body plate;
  plate.name = "B";
  plate.mass = 0.1;
  plate.inertia = Diagonal(500 * kGramCm2, 2500 * kGramCm2, 2000 * kGramCm2);
  // A thin plate of these moments.
  plate.shape = {Shape::Kind::kBox, {std::sqrt(0.024), 0.002, std::sqrt(0.006)}, {}, 0};
  System& s = p.system;
  s.bodies = {rod, plate};
  s.gravity = {0, -9.81, 0};
  s.joints = {Revolute("pin", kGround, {}, 0, {{0, 0, -kRodCentre}, kZAlongY}),
              Revolute("hinge", 0, {{0, 0, kHinge - kRodCentre}, {}}, 1,
                       {{0, 0, kHinge - kPlateCentre}, {}})};
  p.initial.joints = {{M_PI / 2, kOneDegree}, {0, 0}};
}

// At 10 s: qA and qB in degrees, qA' and qB'.
void AddBabybootRow(Problem& p, const std::string& source, PublishedValue::Kind kind,
                    double last_digit, std::initializer_list<const char*> values) {
  int observable = 0;
  for (const char* text : values) {
    PublishedValue value = Printed(observable, 10, text, source, kind);
    if (observable < 2) {
      value.value *= kOneDegree;
      value.last_digit *= kOneDegree;
    }
    value.last_digit = std::max(value.last_digit, last_digit);
    p.published.push_back(value);
    ++observable;
  }
}

Problem BuildBabyboot(const ProblemOptions&) {
  Problem p;
  p.name = "babyboot";
  p.title = "Chaotic plate on a rod";
  p.description =
      "A plate turns freely about the axis of a swinging rod and tumbles chaotically. It stresses "
      "accuracy: rounding start and data to double leaves eight to nine digits at 10 s, whatever "
      "the method.";
  p.source = "Kane 1974; the benchmark with which Drake tests itself";
  AddRodAndPlate(p);
  p.end_time = 10;
  p.length = 0.2;
  p.time = 0.7;
  p.energy_reference = 0.2;  // largest kinetic energy, rounded
  using Kind = Observable::Kind;
  p.observables = {{"qA", Kind::kPlaneAngle, 0},
                   {"qB", Kind::kPlaneAngle, 1, 0, {}, 0},
                   {"qA'", Kind::kPlaneRate, 0},
                   {"qB'", Kind::kPlaneRate, 1, 0, {}, 0}};
  // Drake's file claims six to seven digits.
  AddBabybootRow(p, "Drake's file of the benchmark", PublishedValue::Kind::kPublished, 0,
                 {"-61.312983340691", "-929.47789677244", "-6.7440081040646", "-2.7795690128833"});
  // For the decimal data. Rounding these and the start to double moves the values by up to 5e-10.
  AddBabybootRow(p, "extrapolation in quadruple precision, and midpoint rule in 34 digits",
                 PublishedValue::Kind::kComputed, 1e-9,
                 {"-61.31298351750168553", "-929.4778981370010134", "-6.744008075373769779",
                  "-2.779569672310660160"});
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048, 1. / 4096};
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily BabybootFamily() {
  return {"babyboot", "Chaotic plate on a rod", {}, {"babyboot"}, BuildBabyboot};
}

}  // namespace mbsbench
