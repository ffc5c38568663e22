// A family of problems in one file: a bar on a pin at its end, released at rest from the horizontal.
//
//   o=======    pin at the origin, gravity along -y. It swings like a point mass on a rod of 2/3 of its length:
//               theta'' = -(3 g / 2 l) sin theta.
#include <array>
#include <utility>

#include "compound_pendulum.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr double kLength = 1.5;  // [m]

Problem BuildSwingingBar(const ProblemOptions& options) {
  const double length = NumberOption(options, "length", kLength, 0.01, 100);
  constexpr double kMass = 2;
  Problem p;
  p.name = NameWith("swinging-bar", {length == kLength ? "" : NumberText("length", length)});
  p.title = "Swinging bar";
  p.description = "A uniform bar on a pin at its end falls from the horizontal.";
  p.source = "any textbook of mechanics";

  Body bar;
  bar.name = "bar";
  bar.mass = kMass;
  const double across = kMass * length * length / 12;
  bar.inertia = Diagonal(1e-3 * across, across, across);
  bar.shape = {Shape::Kind::kRod, {-length / 2, 0, 0}, {length / 2, 0, 0}, 0.02};
  p.system.bodies = {bar};
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.child = 0;
  pin.child_frame.position = {-length / 2, 0, 0};
  p.system.joints = {pin};
  p.initial.joints = {{0}, {0}};

  p.end_time = 5;
  p.length = length;
  p.energy_reference = kMass * 9.81 * length / 2;
  p.planar = true;
  p.observables = {{"x", Observable::Kind::kPositionX, 0, 0},
                   {"y", Observable::Kind::kPositionY, 0, 0}};
  // A point on a rod of 1 m, by elliptic functions.
  if (length == kLength) {
    for (const auto& [t, x, y] : {std::array{1.0, 0.9862917511318753, -0.1650108531255412},
                                  {5.0, -0.9423054350437573, -0.3347543384140006}}) {
      for (const auto& [observable, value] : {std::pair{0, -x}, {1, y}})
        p.published.push_back({observable, t, value * length / 2, 1e-16,
                               PublishedValue::Kind::kExact, "elliptic functions"});
    }
  }
  p.fixed_steps = {1. / 32, 1. / 64, 1. / 128, 1. / 256};
  p.accuracy_required_ode = 1e-9;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily SwingingBarFamily() {
  return {"swinging-bar",
          "Swinging bar",
          {{"length", "of the bar [m], 1.5 where it is left out"}},
          {"swinging-bar", "swinging-bar:length=3"},
          BuildSwingingBar};
}

}  // namespace mbsbench
