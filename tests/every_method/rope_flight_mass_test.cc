// The mass of a body with a burning motor, in the model, the methods and the reference.
#include <gtest/gtest.h>

#include "methods/kinematics/rope_flight_law.h"
#include "problems/catalog/catalog.h"
#include "problems/model/rope_flight.h"
#include "reference/rope_flight/rope_flight_equations.h"

namespace mbsbench {
namespace {

System Rocket(double burn_time) {
  System system = MakeProblem("rocket:R1").system;
  system.rope_flight->burn_time = burn_time;
  system.rope_flight->propellant_mass = 0.25 * system.bodies[0].mass;
  return system;
}

void ExpectMass(const System& system, bool burnt_out, double time, double expected) {
  RopeFlightLaw law(system);
  extended::RopeFlightEquations equations(system);
  if (burnt_out) {
    law.Pass(kBurnOut);
    equations.burning = false;
  }
  const double launch_mass = system.bodies[0].mass, digits = 1e-15 * launch_mass;
  EXPECT_NEAR(BodyMassAt(*system.rope_flight, launch_mass, time), expected, digits) << time;
  EXPECT_NEAR(law.body_mass(time), expected, digits) << time;
  EXPECT_NEAR(static_cast<double>(equations.BodyMass(time)), expected, digits) << time;
}

TEST(RopeFlightMass, DecreasesLinearlyUntilBurnOut) {
  const System system = Rocket(2);
  const double launch_mass = system.bodies[0].mass;
  ExpectMass(system, false, 0, launch_mass);
  ExpectMass(system, false, 0.5, (1 - 0.25 / 4) * launch_mass);
  ExpectMass(system, false, 2, 0.75 * launch_mass);
}

TEST(RopeFlightMass, IsConstantAfterBurnOut) {
  const System system = Rocket(2);
  for (double time : {2.0, 3.0, 100.0})
    ExpectMass(system, true, time, 0.75 * system.bodies[0].mass);
}

// The propellant is exhausted immediately.
TEST(RopeFlightMass, ExcludesPropellantIfTheBurnTimeIsZero) {
  const System system = Rocket(0);
  for (double time : {0.0, 1.0}) ExpectMass(system, false, time, 0.75 * system.bodies[0].mass);
}

}  // namespace
}  // namespace mbsbench
