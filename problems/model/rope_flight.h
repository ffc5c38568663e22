// The system of a rope flight with some of its links out.
#pragma once

#include "problems/model/system.h"

namespace mbsbench {

// Links that are out in a system with a rope flight.
inline int LinkCount(const System& system) { return static_cast<int>(system.bodies.size()) - 1; }

// The system with `links` links out, not fewer than it has. Each is a point body in the node at the
// link's far end; its x axis points along the link, from the node before it; it turns about z.
System GrownSystem(const System& system, int links);

// GrownSystem with the mass of the body at `time`, for the energy and momentum of one state.
System SystemInFlight(const System& system, int links, double time);

// Mass that leaves the body while the motor burns [kg/s].
inline double BurnRate(const RopeFlight& flight) {
  return flight.burn_time > 0 ? flight.propellant_mass / flight.burn_time : 0;
}
// Mass of the body, with `launch_mass` at time 0, while the motor burns or after burn-out; either
// formula can be evaluated outside its own interval.
inline double BodyMass(const RopeFlight& flight, double launch_mass, bool burning, double time) {
  return launch_mass - (burning ? BurnRate(flight) * time : flight.propellant_mass);
}
// The mass of the body at any time; the motor burns until burn_time, which may be 0.
double BodyMassAt(const RopeFlight& flight, double launch_mass, double time);

}  // namespace mbsbench
