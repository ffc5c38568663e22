#include "harness/runner/observation_document.h"

#include <cmath>

namespace mbsbench {

namespace {

void Append(const Vector3& v, Json& numbers) {
  for (double value : {v.x, v.y, v.z}) numbers.push_back(value);
}

class Numbers {
 public:
  explicit Numbers(const Json& json) : next_(json.begin()), end_(json.end()) {}
  bool AtEnd() const { return next_ == end_; }
  double Next() { return NumberIn(*next_++).value_or(NAN); }
  Vector3 NextVector() {
    const double x = Next(), y = Next(), z = Next();
    return {x, y, z};
  }

 private:
  Json::const_iterator next_, end_;
};

}  // namespace

Json ToJson(const Observation& observation) {
  Json bodies = Json::array(), accelerations = Json::array(), reactions = Json::array(),
       drivers = Json::array();
  for (const BodyState& b : observation.bodies) {
    Append(b.position, bodies);
    const Quaternion& q = b.orientation;
    for (double value : {q.w, q.x, q.y, q.z}) bodies.push_back(value);
    Append(b.velocity, bodies);
    Append(b.angular_velocity, bodies);
  }
  for (const BodyAcceleration& a : observation.accelerations) {
    Append(a.acceleration, accelerations);
    Append(a.angular_acceleration, accelerations);
  }
  for (const JointReaction& r : observation.reactions) {
    Append(r.force, reactions);
    Append(r.torque, reactions);
    reactions.push_back(r.unique ? 1. : 0.);
  }
  for (const DriverObservation& d : observation.drivers) {
    for (double value : {d.position, d.rate, d.acceleration, d.effort}) drivers.push_back(value);
  }
  return {{"bodies", std::move(bodies)},
          {"accelerations", std::move(accelerations)},
          {"reactions", std::move(reactions)},
          {"drivers", std::move(drivers)}};
}

Observation ObservationFrom(const Json& json) {
  Observation observation;
  for (Numbers n(json.at("bodies")); !n.AtEnd();) {
    BodyState& b = observation.bodies.emplace_back();
    b.position = n.NextVector();
    b.orientation.w = n.Next();
    b.orientation.x = n.Next();
    b.orientation.y = n.Next();
    b.orientation.z = n.Next();
    b.velocity = n.NextVector();
    b.angular_velocity = n.NextVector();
  }
  for (Numbers n(json.at("accelerations")); !n.AtEnd();) {
    BodyAcceleration& a = observation.accelerations.emplace_back();
    a.acceleration = n.NextVector();
    a.angular_acceleration = n.NextVector();
  }
  for (Numbers n(json.at("reactions")); !n.AtEnd();) {
    JointReaction& r = observation.reactions.emplace_back();
    r.force = n.NextVector();
    r.torque = n.NextVector();
    r.unique = n.Next() != 0;
  }
  for (Numbers n(json.at("drivers")); !n.AtEnd();) {
    DriverObservation& d = observation.drivers.emplace_back();
    d.position = n.Next();
    d.rate = n.Next();
    d.acceleration = n.Next();
    d.effort = n.Next();
  }
  return observation;
}

}  // namespace mbsbench
