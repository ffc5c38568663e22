#include "methods/interface/plugin.h"

#include <LinearMath/btScalar.h>
#include <fmt/format.h>

#include <cmath>

#include "methods/engines/bullet/bullet_formulation.h"
#include "methods/engines/turning_inertia.h"
#include "methods/kinematics/single_axes.h"

namespace mbsbench {

namespace {

// Bullet's work space has the square of this many doubles.
constexpr int kMostRates = 6000;

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree, kUniversal, kCylindrical,
                       kPlanar}},
      .loop_joints = {.because =
                          "Bullet closes loops by impulses between steps of its own, so that "
                          "there are no accelerations to compare"},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring, kMotor}},
      .drivers = {.because = "Bullet's motors act by impulses between steps of its own"},
      .bodies = {{kPoint}, "Bullet needs a mass"},
      .motion_in_space = true,
  };
}

Verdict Takes(const System& system) {
  int rates = 0;
  for (const Joint& joint : system.joints) rates += RateCount(joint.type);
  if (rates > kMostRates) {
    return Verdict::No(
        fmt::format("the joints have {} rates; Bullet's work space grows with their "
                    "square, and at most {} are prepared.",
                    rates, kMostRates));
  }
  for (const Body& body : system.bodies) {
    if (body.mass > kLeastInertiaOfBullet) continue;
    return Verdict::No("body '" + body.name + "' has a mass that Bullet takes for zero.");
  }
  return TurnsWithInertia(system, "Bullet", kLeastInertiaOfBullet);
}

MethodEntry BulletEntry() {
  MethodEntry entry;
  entry.key = "bullet";
  entry.title = fmt::format("Bullet {}.{:02}", BT_BULLET_VERSION / 100, BT_BULLET_VERSION % 100);
  entry.source = "Coumans, Bullet Physics SDK; Mirtich, PhD thesis, Berkeley 1996";
  entry.description =
      "The engine Bullet as Debian packages it (generic processor, double precision, one thread): "
      "btMultiBody with its articulated-body recursion, without world, contacts and damping. "
      "Universal, cylindrical and planar joints are single axes with massless links. All force "
      "elements are applied from our evaluation.";
  entry.origin = Origin::kEngine;
  entry.form = Form::kOde;
  entry.own_integration =
      OwnIntegration{"semi-implicit Euler of Bullet, fixed step", true, false, 1};
  entry.limits = {{{"no-allocation"},
                   INFINITY,
                   "with force elements on bodies the poses are computed into new lists"}};
  entry.capabilities = WhatItTakes();
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return MakeBulletFormulation(system);
  };
  entry = OnSingleAxes(std::move(entry));
  entry.supports = [](const System& system, const MethodOptions&) { return Takes(system); };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("Bullet", mbsbench::BulletEntry());
