#include "methods/kinematics/rope_flight_law.h"

#include <cmath>

#include "problems/model/rope_flight.h"

namespace mbsbench {

RopeFlightLaw::RopeFlightLaw(const System& system)
    : flight_(*system.rope_flight),
      gravity_(system.gravity),
      launch_mass_(system.bodies[0].mass),
      node_mass_(flight_.line_density * flight_.link_length),
      on_rail_(system.bodies.size() == 1 && flight_.rail_length > 0),
      burn_rate_(BurnRate(flight_)),
      burning_(flight_.burn_time > 0) {
  const double pressure = flight_.air_density / 2;  // by speed squared
  body_factor_ =
      pressure * flight_.body_drag * M_PI / 4 * flight_.body_diameter * flight_.body_diameter;
  const double side = flight_.rope_diameter * flight_.link_length;
  tangential_factor_ = pressure * flight_.tangential_drag * M_PI * side;
  normal_factor_ = pressure * flight_.normal_drag * side;
}

double RopeFlightLaw::body_mass(double t) const {
  return BodyMass(flight_, launch_mass_, burning_, t);
}

void RopeFlightLaw::Forces(double, std::span<const Vector3> position,
                           std::span<const Vector3> velocity, std::span<Vector3> force) const {
  const double speed = Norm(velocity[0]);
  force[0] = -(body_factor_ * speed) * velocity[0];
  if (burning_) {
    const bool along_rail = on_rail_ || speed == 0;
    force[0] = force[0] + (along_rail ? flight_.thrust * flight_.rail_direction
                                      : (flight_.thrust / speed) * velocity[0]);
  }
  const double inverse_length = 1 / flight_.link_length;
  for (std::size_t i = 1; i < position.size(); ++i) {
    const Vector3 along = inverse_length * (position[i] - position[i - 1]);
    const Vector3 v = 0.5 * (velocity[i - 1] + velocity[i]);
    const double v_t = Dot(v, along);
    const Vector3 v_n = v - v_t * along;
    const Vector3 half = -(0.5 * tangential_factor_ * std::abs(v_t) * v_t) * along -
                         (0.5 * normal_factor_ * Norm(v_n)) * v_n;
    force[i - 1] = force[i - 1] + half;
    force[i] = half;
  }
}

double RopeFlightLaw::Power(double, std::span<const Vector3> position,
                            std::span<const Vector3> velocity,
                            std::span<const Vector3> force) const {
  double power = 0;
  for (std::size_t i = 0; i < position.size(); ++i) power += Dot(force[i], velocity[i]);
  if (burning_) {
    const double specific = Dot(velocity[0], velocity[0]) / 2 - Dot(gravity_, position[0]);
    power -= burn_rate_ * specific;
  }
  return power;
}

void RopeFlightLaw::Events(double t, const Vector3& body, const Vector3& last_node,
                           std::span<double> g) const {
  constexpr double kOutOfForce = -1;
  g[kRailExit] = on_rail_ ? Norm(body - flight_.box) - flight_.rail_length : kOutOfForce;
  g[kBurnOut] = burning_ ? t - flight_.burn_time : kOutOfForce;
  g[kCapture] = Norm(last_node - flight_.box) - flight_.link_length;
  g[kLanding] = on_rail_ ? kOutOfForce : flight_.box.y - body.y;
}

void RopeFlightLaw::Pass(std::size_t event) {
  if (event == kRailExit) on_rail_ = false;
  if (event == kBurnOut) burning_ = false;
}

EventReport RopeFlightLaw::Report(std::size_t event, Status status) {
  static constexpr const char* kNames[] = {"rail exit", "burn-out", "capture", "landing"};
  return {kNames[event], status, event == kLanding};
}

}  // namespace mbsbench
