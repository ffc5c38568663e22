// A method in one file: the example of docs/add_a_method.md.
//
// It solves one body on one revolute joint to the ground whose axis is perpendicular to gravity's
// plane of motion:
//   J_O theta'' = -m g d sin(theta - theta_0) about the joint's axis, written with vectors as
//   theta'' = n . (r_OC x m g) / (n . J_O n),   n: axis, r_OC: from the joint to the mass centre.
#include "compound_pendulum.h"

#include <cmath>

#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

class CompoundPendulum : public OdeFormulation {
 public:
  explicit CompoundPendulum(const System& system) : system_(system), joint_(system.joints[0]) {
    const Vector3 z{0, 0, 1};
    axis_ = Rotate(joint_.parent_frame.orientation, z);  // fixed in inertial space
    const Body& body = system_.bodies[0];
    const Vector3 axis_in_body = Rotate(joint_.child_frame.orientation, z);
    const Vector3 arm = -joint_.child_frame.position;  // joint -> mass centre, body axes
    const Vector3 across = Cross(axis_in_body, arm);
    inertia_ = Dot(axis_in_body, body.inertia * axis_in_body) + body.mass * Dot(across, across);
  }

  std::size_t state_size() const override { return 2; }  // y = (theta, theta')
  std::vector<Dimension> Dimensions() const override {
    return {Dimension::kNumber, Dimension::kRate};
  }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    y[0] = state.joints.q[0];
    y[1] = state.joints.u[0];
    return {};
  }

  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    if (!(inertia_ > 0)) {
      ydot[0] = ydot[1] = NAN;
      return {Status::Code::kSingular, 0, -1, "no inertia about the joint's axis"};
    }
    const Body& body = system_.bodies[0];
    const Quaternion attitude = joint_.parent_frame.orientation * AxisAngle({0, 0, 1}, y[0]) *
                                Conjugate(joint_.child_frame.orientation);
    const Vector3 arm = Rotate(attitude, -joint_.child_frame.position);
    ydot[0] = y[1];
    ydot[1] = Dot(axis_, Cross(arm, body.mass * system_.gravity)) / inertia_;
    return {};
  }

  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.bodies = ForwardKinematics(system_, {{y[0]}, {y[1]}});
    observation.accelerations.clear();
    observation.reactions.clear();
    if (detail == Detail::kMotion) return {};
    double ydot[2];
    if (Status status = Evaluate(t, y, ydot); !status.ok()) return status;
    const Body& body = system_.bodies[0];
    const BodyState& state = observation.bodies[0];
    const Vector3 arm = Rotate(state.orientation, -joint_.child_frame.position);
    const Vector3 alpha = ydot[1] * axis_, omega = state.angular_velocity;
    const Vector3 acceleration = Cross(alpha, arm) + Cross(omega, Cross(omega, arm));
    observation.accelerations = {{acceleration, alpha}};
    if (detail == Detail::kAccelerations) return {};
    // Newton: the pin's force; Euler about the mass centre, moved to the pin: its moment.
    const Vector3 force = body.mass * (acceleration - system_.gravity);
    const Vector3 omega_body = Rotate(Conjugate(state.orientation), omega);
    const Vector3 alpha_body = Rotate(Conjugate(state.orientation), alpha);
    const Vector3 moment =
        Rotate(state.orientation,
               body.inertia * alpha_body + Cross(omega_body, body.inertia * omega_body));
    observation.reactions = {{force, moment + Cross(arm, force)}};
    return {};
  }

 private:
  System system_;
  Joint joint_;
  Vector3 axis_;
  double inertia_ = 0;  // about the joint's axis [kg m^2]
};

// One revolute joint and gravity; the body may be a point.
Capabilities WhatItTakes() {
  return {.tree_joints = {{JointType::kRevolute}},
          .bodies = {{UnusualBody::kPoint, UnusualBody::kInertiaWithoutMass}}};
}

// Conditions that the lists cannot express.
Verdict Supports(const System& system, const MethodOptions&) {
  if (system.bodies.size() == 1) return {};
  return Verdict::No("body '" + system.bodies[1].name +
                     "' is the second one, and compound-pendulum takes one body.");
}

}  // namespace

MethodEntry CompoundPendulumEntry() {
  MethodEntry entry;
  entry.key = "compound-pendulum";
  entry.title = "Compound pendulum";
  entry.source = "any textbook of mechanics";
  entry.description = "One body on one revolute joint: the angular momentum about its axis.";
  entry.form = Form::kOde;
  entry.capabilities = WhatItTakes();
  entry.supports = Supports;
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return std::make_unique<CompoundPendulum>(system);
  };
  return entry;
}

}  // namespace mbsbench
