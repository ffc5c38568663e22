// A rope flight as it grows: the system with some of its links out.
#pragma once

#include "problems/model/system.h"

namespace mbsbench {

// Links that are out in a system with a rope flight.
inline int LinkCount(const System& system) { return static_cast<int>(system.bodies.size()) - 1; }

// The system with `links` links out, not fewer than it has. Each is a point body in the node at the
// link's far end; its x axis points along the link, from the node before it; it turns about z.
System GrownSystem(const System& system, int links);

// The same, and the body as heavy as it is at `time`: for energy and momentum of one state.
System SystemInFlight(const System& system, int links, double time);

// Mass of the body at `time`, when it weighed `launch_mass` at time 0.
double BodyMassAt(const RopeFlight& flight, double launch_mass, double time);

}  // namespace mbsbench
