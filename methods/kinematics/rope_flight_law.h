// The rope flight of the methods: thrust, mass and air drag, and the events. (`reference` has its own code for
// all of this.)
//
// Node 0 is the body, node i the far end of link i; positions, velocities and forces run over the
// nodes 0, ..., links. The method itself computes the velocities after a capture.
#pragma once

#include <cstddef>
#include <span>

#include "methods/growth/events.h"
#include "problems/model/system.h"

namespace mbsbench {

// In the order in which they take place at one instant.
enum RopeFlightEvent : std::size_t { kRailExit, kBurnOut, kCapture, kLanding, kRopeFlightEvents };

class RopeFlightLaw {
 public:
  // At time 0: on the rail unless links are out already, and burning if there is thrust.
  explicit RopeFlightLaw(const System& system);

  const RopeFlight& flight() const { return flight_; }
  bool on_rail() const { return on_rail_; }
  double body_mass(double t) const;  // the law of the present phase, even beyond its end
  double node_mass() const { return node_mass_; }

  // Thrust and air drag, without weight and without the reaction of the rail.
  void Forces(double t, std::span<const Vector3> position, std::span<const Vector3> velocity,
              std::span<Vector3> force) const;
  // Power of `force` = Forces(...), and of the energy that leaves with the propellant [W].
  double Power(double t, std::span<const Vector3> position, std::span<const Vector3> velocity,
               std::span<const Vector3> force) const;

  void Events(double t, const Vector3& body, const Vector3& last_node, std::span<double> g) const;
  // Enters the phase after an event.
  void Pass(std::size_t event);

  static EventReport Report(std::size_t event, Status status);

 private:
  RopeFlight flight_;
  Vector3 gravity_;
  double launch_mass_, node_mass_;
  bool on_rail_;
  double burn_rate_;  // [kg/s]
  bool burning_;
  double body_factor_, tangential_factor_, normal_factor_;  // force by speed squared [kg/m]
};

}  // namespace mbsbench
