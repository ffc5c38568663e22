#include "problems/model/rope_flight.h"

#include <algorithm>
#include <string>

namespace mbsbench {

double BodyMassAt(const RopeFlight& flight, double launch_mass, double time) {
  return BodyMass(flight, launch_mass, time < flight.burn_time, std::max(time, 0.0));
}

System GrownSystem(const System& system, int links) {
  System grown = system;
  const RopeFlight& flight = *system.rope_flight;
  for (int i = LinkCount(system) + 1; i <= links; ++i) {
    Body node;
    node.name = "node_" + std::to_string(i);
    node.mass = flight.line_density * flight.link_length;
    node.is_point = true;
    node.shape = {Shape::Kind::kRod, {-flight.link_length, 0, 0}, {}, flight.rope_diameter / 2};
    grown.bodies.push_back(std::move(node));
    Joint pin;
    pin.name = "link_" + std::to_string(i);
    pin.type = JointType::kRevolute;
    pin.parent = i - 1;
    pin.child = i;
    pin.child_frame.position = {-flight.link_length, 0, 0};
    grown.joints.push_back(std::move(pin));
  }
  return grown;
}

System SystemInFlight(const System& system, int links, double time) {
  System grown = GrownSystem(system, links);
  grown.bodies[0].mass = BodyMassAt(*system.rope_flight, system.bodies[0].mass, time);
  return grown;
}

}  // namespace mbsbench
