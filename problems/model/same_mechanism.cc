#include "problems/model/same_mechanism.h"

#include <algorithm>

#include "problems/model/eigen.h"

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

void ChangeUnitsOf(DriverMotion& motion, double length, double time) {
  motion.rate *= length / time;
  motion.amplitude *= length, motion.mean *= length;
  motion.angular_frequency /= time;
  double unit = length;
  for (double& a : motion.coefficients) a *= unit, unit /= time;
  motion.from *= length, motion.to *= length;
  motion.begin *= time, motion.duration *= time;
  // An arcsine is an angle, also where it moves a slider.
  for (DriverMotion& term : motion.terms)
    ChangeUnitsOf(term, motion.kind == MotionKind::kArcsine ? 1 : length, time);
}

// Changes the units of the fields of force elements.
template <class Turns>
class UnitChange : public FieldVisitor {
 public:
  UnitChange(const Units& units, const Turns& turns) : units_(units), turns_of_(turns) {}

  void Joint(int joint) { turns_ = turns_of_(joint); }
  void Point(std::string_view, int, Vector3& point) const { point = units_.length * point; }
  void Vector(std::string_view, Quantity quantity, int, Vector3& v) const { v = Of(quantity) * v; }
  void Number(std::string_view, Quantity quantity, double& value) const { value *= Of(quantity); }
  void Effort(bool turns, EffortOverTime& effort) const {
    const double unit = Of(turns ? Quantity::kMoment : Quantity::kForce);
    ChangeUnitsOf(effort.function, unit, units_.time);
    for (auto& [time, value] : effort.table) time *= units_.time, value *= unit;
  }

 private:
  double Of(Quantity quantity) const {
    const auto [l, m, t] = units_;
    const double arms = turns_ ? l * l : 1;
    switch (quantity) {
      case Quantity::kLength: return l;
      case Quantity::kStiffness: return m / (t * t);
      case Quantity::kDamping: return m / t;
      case Quantity::kForce: return m * l / (t * t);
      case Quantity::kMoment: return m * l / (t * t) * l;
      case Quantity::kJointCoordinate: return turns_ ? 1 : l;
      case Quantity::kJointStiffness: return m / (t * t) * arms;
      case Quantity::kJointDamping: return m / t * arms;
      case Quantity::kTurnStiffness: return m / (t * t) * l * l;
      case Quantity::kTurnDamping: return m / t * l * l;
    }
    return 1;
  }

  const Units& units_;
  const Turns& turns_of_;
  bool turns_ = false;
};

}  // namespace

System InUnits(System system, const Units& units) {
  const auto [l, m, t] = units;
  for (Body& body : system.bodies) {
    body.mass *= m;
    for (double& entry : body.inertia.entries) entry *= m * l * l;
  }
  for (auto* joints : {&system.joints, &system.loop_joints}) {
    for (Joint& joint : *joints) {
      joint.parent_frame.position = l * joint.parent_frame.position;
      joint.child_frame.position = l * joint.child_frame.position;
      joint.length *= l;
    }
  }
  const auto turns = [&system](int joint) { return !IsLength(system.joints[At(joint)].type, 0); };
  system.forces.ForEach([&](auto& e) { VisitFields(e, UnitChange(units, turns)); });
  system.gravity = l / (t * t) * system.gravity;
  for (Driver& driver : system.drivers)
    ChangeUnitsOf(driver.motion, turns(driver.joint) ? 1 : l, t);
  return system;
}

JointState InUnits(const System& system, JointState state, const Units& units) {
  const JointOffsets at = OffsetsOf(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    for (int k = 0; IsLength(system.joints[j].type, k); ++k) {
      state.q[At(at.q[j] + k)] *= units.length;
      state.u[At(at.u[j] + k)] *= units.length;
    }
  }
  for (double& rate : state.u) rate /= units.time;
  return state;
}

namespace {

template <class Rotate, class RotateFrame>
struct Rotation : FieldVisitor {
  void Point(std::string_view, int body, Vector3& point) const { rotate(body, point); }
  void Direction(std::string_view, Vector3& direction) const { rotate(kGround, direction); }
  void Vector(std::string_view, Quantity, int axes, Vector3& v) const { rotate(axes, v); }
  void OnFrame(std::string_view, int body, Frame& frame) const { rotate_frame(body, frame); }
  const Rotate& rotate;
  const RotateFrame& rotate_frame;
};
template <class Rotate, class RotateFrame>
Rotation(FieldVisitor, const Rotate&, const RotateFrame&) -> Rotation<Rotate, RotateFrame>;

}  // namespace

System Turned(System system, const Quaternion& turn, std::span<const Quaternion> of_bodies) {
  const auto turn_of = [&](int body) {
    if (body == kGround) return turn;
    return of_bodies.empty() ? Quaternion{} : of_bodies[At(body)];
  };
  const auto rotate = [&](int body, Vector3& v) { v = Rotate(turn_of(body), v); };
  const auto rotate_frame = [&](int body, Frame& frame) {
    rotate(body, frame.position);
    frame.orientation = turn_of(body) * frame.orientation;
  };
  for (std::size_t b = 0; b < of_bodies.size(); ++b) {
    const Eigen::Matrix3d axes = ToEigen(DirectionCosineMatrix(of_bodies[b]));
    SymmetricMatrix3& inertia = system.bodies[b].inertia;
    const Eigen::Matrix3d turned = axes * ToEigen(inertia) * axes.transpose();
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k <= i; ++k) inertia(i, k) = turned(i, k);
    }
  }
  for (auto* joints : {&system.joints, &system.loop_joints}) {
    for (Joint& joint : *joints) {
      rotate_frame(joint.parent, joint.parent_frame);
      rotate_frame(joint.child, joint.child_frame);
    }
  }
  system.forces.ForEach([&](auto& e) { VisitFields(e, Rotation{{}, rotate, rotate_frame}); });
  rotate(kGround, system.gravity);
  return system;
}

}  // namespace mbsbench
