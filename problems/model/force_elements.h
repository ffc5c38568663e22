// The force elements of a system: their data, and one description of each law, from which files, checks,
// hashes, units and sensitivities follow. What a law exerts is written three times, each time on purpose:
// methods/kinematics for the methods, reference for the truth, force_outputs.cc for what is shown of a solution.
//
// A new law needs a struct here with a Describe, its place in ForceLaws, and these three.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "problems/model/driver_motion.h"
#include "problems/model/geometry.h"
#include "problems/model/joint_type.h"

namespace mbsbench {

// Index of the ground where a body index is expected.
inline constexpr int kGround = -1;

// The laws, in the order of ForceLaws.
enum class ForceElement {
  kSpringDamper,
  kJointSpringDamper,
  kAppliedForce,
  kGroundSpring,
  kMotor,
  kBushing
};

// What a number of an element measures. Those of joints are rotational where the joint turns.
enum class Quantity {
  kLength,           // [m]
  kStiffness,        // [N/m]
  kDamping,          // [N s/m]
  kForce,            // [N]
  kMoment,           // [N m]
  kJointCoordinate,  // [rad] or [m]
  kJointStiffness,   // [N m/rad] or [N/m]
  kJointDamping,     // [N m s/rad] or [N s/m]
  kTurnStiffness,    // [N m/rad]
  kTurnDamping       // [N m s/rad]
};
constexpr bool IsStiffness(Quantity q) {
  return q == Quantity::kStiffness || q == Quantity::kJointStiffness ||
         q == Quantity::kTurnStiffness;
}
constexpr bool IsDamping(Quantity q) {
  return q == Quantity::kDamping || q == Quantity::kJointDamping || q == Quantity::kTurnDamping;
}
constexpr bool IsOfTurn(Quantity q) {
  return q == Quantity::kTurnStiffness || q == Quantity::kTurnDamping;
}

struct EffortOverTime;

template <class Visitor, class FrameOnBody>
void VisitFrame(Visitor& visitor, std::string_view key, int body, FrameOnBody& frame) {
  if constexpr (requires { visitor.OnFrame(key, body, frame); }) {
    visitor.OnFrame(key, body, frame);
  } else {
    visitor.Point(key, body, frame.position);
  }
}
template <class Visitor, class Vector>
void VisitPerAxis(Visitor& visitor, std::string_view key, Quantity quantity, Vector& vector) {
  if constexpr (requires { visitor.PerAxis(key, quantity, vector); }) {
    visitor.PerAxis(key, quantity, vector);
  } else {
    for (auto* number : {&vector.x, &vector.y, &vector.z}) visitor.Number(key, quantity, *number);
  }
}

// The fields that a law can have. A visitor derives from this, and defines those that it needs. Of a frame and of numbers
// per axis it gets the position as a point and three numbers, unless it defines OnFrame(key, body, frame) and PerAxis(key,
// quantity, vector).
struct FieldVisitor {
  void BodyOrGround(std::string_view, int) const {}
  void Body(std::string_view, int) const {}
  void Joint(int) const {}
  // A point of a body, in its axes from its mass centre.
  void Point(std::string_view, int /*body*/, const Vector3&) const {}
  // A unit vector in inertial axes.
  void Direction(std::string_view, const Vector3&) const {}
  // Components in the axes of a body or of the ground.
  void Vector(std::string_view, Quantity, int /*axes*/, const Vector3&) const {}
  void Number(std::string_view, Quantity, double) const {}
  void Flag(std::string_view, bool) const {}
  // A generalised force along the joint's coordinate: a torque if it turns, else a force.
  void Effort(bool /*turns*/, const EffortOverTime&) const {}
};

// Force along the line from point a to point b: k (l - free_length) + c l', positive when it pulls.
struct SpringDamper {
  static constexpr ForceElement kKind = ForceElement::kSpringDamper;
  static constexpr std::string_view kWords = "spring-damper", kList = "spring_dampers";
  static constexpr bool HasPotential() { return true; }

  std::string name;
  int body_a = kGround, body_b = kGround;
  Vector3 point_a, point_b;  // body axes from the mass centre (ground: inertial) [m]
  double stiffness = 0;      // [N/m]
  double damping = 0;        // [N s/m]
  double free_length = 0;    // [m]

  template <class Self, class Visitor>
  static void Describe(Self& self, Visitor&& visitor) {
    auto& [name, body_a, body_b, point_a, point_b, stiffness, damping, free_length] = self;
    visitor.BodyOrGround("body_a", body_a);
    visitor.BodyOrGround("body_b", body_b);
    visitor.Point("point_a", body_a, point_a);
    visitor.Point("point_b", body_b, point_b);
    visitor.Number("stiffness", Quantity::kStiffness, stiffness);
    visitor.Number("damping", Quantity::kDamping, damping);
    visitor.Number("free_length", Quantity::kLength, free_length);
  }
};

// Generalised force -k (q - free_coordinate) - c q' on the coordinate of a revolute or prismatic
// tree joint.
struct JointSpringDamper {
  static constexpr ForceElement kKind = ForceElement::kJointSpringDamper;
  static constexpr std::string_view kWords = "joint spring", kList = "joint_spring_dampers";
  static constexpr bool HasPotential() { return true; }
  static constexpr std::array kJointTypes = kSingleAxisTypes;

  std::string name;
  int joint = 0;               // index into System::joints
  double stiffness = 0;        // [N m/rad] or [N/m]
  double damping = 0;          // [N m s/rad] or [N s/m]
  double free_coordinate = 0;  // [rad] or [m]

  template <class Self, class Visitor>
  static void Describe(Self& self, Visitor&& visitor) {
    auto& [name, joint, stiffness, damping, free_coordinate] = self;
    visitor.Joint(joint);
    visitor.Number("stiffness", Quantity::kJointStiffness, stiffness);
    visitor.Number("damping", Quantity::kJointDamping, damping);
    visitor.Number("free", Quantity::kJointCoordinate, free_coordinate);
  }

  // The place of its coordinate among those of its joint.
  static int CoordinateOf(JointType) { return 0; }
};

// Constant force and moment on a body.
struct AppliedForce {
  static constexpr ForceElement kKind = ForceElement::kAppliedForce;
  static constexpr std::string_view kWords = "applied force", kList = "applied_forces";
  static constexpr bool HasPotential() { return false; }

  std::string name;
  int body = 0;
  Vector3 point;              // where the force acts, body axes from the mass centre [m]
  Vector3 force, moment;      // [N], [N m]
  bool in_body_axes = false;  // false: both are fixed in inertial axes

  template <class Self, class Visitor>
  static void Describe(Self& self, Visitor&& visitor) {
    auto& [name, body, point, force, moment, in_body_axes] = self;
    visitor.Body("body", body);
    visitor.Point("point", body, point);
    visitor.Vector("force", Quantity::kForce, in_body_axes ? body : kGround, force);
    visitor.Vector("moment", Quantity::kMoment, in_body_axes ? body : kGround, moment);
    visitor.Flag("in_body_axes", in_body_axes);
  }
};

// Force -k (n . r - free_position) - c n . v along the fixed direction n, on the point of a body with
// position r and velocity v in inertial axes; it both pulls and pushes (a tyre, a foundation).
struct GroundSpring {
  static constexpr ForceElement kKind = ForceElement::kGroundSpring;
  static constexpr std::string_view kWords = "ground spring", kList = "ground_springs";
  static constexpr bool HasPotential() { return true; }

  std::string name;
  int body = 0;
  Vector3 point;             // body axes from the mass centre [m]
  Vector3 direction;         // n, unit, inertial axes
  double stiffness = 0;      // k [N/m]
  double damping = 0;        // c [N s/m]
  double free_position = 0;  // [m]

  template <class Self, class Visitor>
  static void Describe(Self& self, Visitor&& visitor) {
    auto& [name, body, point, direction, stiffness, damping, free_position] = self;
    visitor.Body("body", body);
    visitor.Point("point", body, point);
    visitor.Direction("direction", direction);
    visitor.Number("stiffness", Quantity::kStiffness, stiffness);
    visitor.Number("damping", Quantity::kDamping, damping);
    visitor.Number("free_position", Quantity::kLength, free_position);
  }
};

// A generalised force as a function of time [N m] or [N].
struct EffortOverTime {
  struct Knot {
    double time, value;  // [s], [N m] or [N]
    bool operator==(const Knot&) const = default;
  };
  DriverMotion function = {};  // where there is no table; a constant rate starts at 0
  // Times ascend; linear between the knots, constant before the first and after the last.
  std::vector<Knot> table = {};

  static EffortOverTime Constant(double value) {
    return {{.kind = MotionKind::kPolynomial, .coefficients = {value}}, {}};
  }
  double At(double t) const;
  // Times at which a derivative jumps: ends of ramps, and knots [s].
  std::vector<double> BreakPoints() const;
};
inline constexpr std::size_t kMostKnots = 10'000;

// A given generalised force along the coordinate of a revolute, prismatic or cylindrical tree joint, on the
// child; the opposite acts on the parent.
struct Motor {
  static constexpr ForceElement kKind = ForceElement::kMotor;
  static constexpr std::string_view kWords = "motor", kList = "motors";
  static constexpr bool HasPotential() { return false; }
  static constexpr std::array kJointTypes{JointType::kRevolute, JointType::kPrismatic,
                                          JointType::kCylindrical};

  std::string name;
  int joint = 0;      // index into System::joints
  bool turns = true;  // a torque about the joint's axis; else a force along it
  EffortOverTime effort;

  template <class Self, class Visitor>
  static void Describe(Self& self, Visitor&& visitor) {
    auto& [name, joint, turns, effort] = self;
    visitor.Joint(joint);
    visitor.Effort(turns, effort);
  }

  // The place of its coordinate among those of its joint.
  int CoordinateOf(JointType type) const { return type == JointType::kCylindrical && turns; }
};

// With A and B the rotations of the two frames, p_A and p_B their origins, d = A'(p_B - p_A), d' its rate in frame A, t the
// rotation vector of A'B (|t| < pi) and w = A'(omega_B - omega_A), component by component:
//
//   force on B at p_B    -A (stiffness d + damping d')
//   moment on B          -A (turn_stiffness t + turn_damping w)
//
// On A act the opposite force, at the point p_B, and the opposite moment.
struct Bushing {
  static constexpr ForceElement kKind = ForceElement::kBushing;
  static constexpr std::string_view kWords = "bushing", kList = "bushings";

  std::string name;
  int body_a = kGround, body_b = kGround;
  Frame frame_a, frame_b;
  Vector3 stiffness, damping;            // along the axes of frame A [N/m], [N s/m]
  Vector3 turn_stiffness, turn_damping;  // about them [N m/rad], [N m s/rad]

  template <class Self, class Visitor>
  static void Describe(Self& self, Visitor&& visitor) {
    auto& [name, body_a, body_b, frame_a, frame_b, stiffness, damping, turn_stiffness,
           turn_damping] = self;
    visitor.BodyOrGround("body_a", body_a);
    visitor.BodyOrGround("body_b", body_b);
    VisitFrame(visitor, "frame_a", body_a, frame_a);
    VisitFrame(visitor, "frame_b", body_b, frame_b);
    VisitPerAxis(visitor, "stiffness", Quantity::kStiffness, stiffness);
    VisitPerAxis(visitor, "damping", Quantity::kDamping, damping);
    VisitPerAxis(visitor, "stiffness", Quantity::kTurnStiffness, turn_stiffness);
    VisitPerAxis(visitor, "damping", Quantity::kTurnDamping, turn_damping);
  }

  // The potential of its moments is turn_stiffness t^2 / 2. Unequal stiffnesses have none: their work depends on the path.
  bool HasPotential() const {
    return turn_stiffness.x == turn_stiffness.y && turn_stiffness.x == turn_stiffness.z;
  }
  bool Turns() const { return turn_stiffness != Vector3{} || turn_damping != Vector3{}; }
};

// A law that acts on a coordinate of a tree joint; all others act on bodies.
template <class Law>
concept ActsOnJoint = requires {
  Law::kJointTypes;
};

// One list per law, so that elements of a law lie side by side.
template <class... Laws>
class ForceLists {
 public:
  template <class Law>
  std::vector<Law>& Of() {
    return std::get<std::vector<Law>>(lists_);
  }
  template <class Law>
  const std::vector<Law>& Of() const {
    return std::get<std::vector<Law>>(lists_);
  }

  // visit(list), law after law.
  template <class Visit>
  void ForEachList(Visit&& visit) {
    (visit(Of<Laws>()), ...);
  }
  template <class Visit>
  void ForEachList(Visit&& visit) const {
    (visit(Of<Laws>()), ...);
  }
  // visit(element), law after law.
  template <class Visit>
  void ForEach(Visit&& visit) {
    ForEachList([&](auto& list) { std::ranges::for_each(list, visit); });
  }
  template <class Visit>
  void ForEach(Visit&& visit) const {
    ForEachList([&](const auto& list) { std::ranges::for_each(list, visit); });
  }
  // visit(std::type_identity<Law>) for every law, whether there are elements or not.
  template <class Visit>
  static void ForEachLaw(Visit&& visit) {
    (visit(std::type_identity<Laws>{}), ...);
  }

  bool empty() const { return (Of<Laws>().empty() && ...); }
  bool AnyOnBodies() const { return ((!ActsOnJoint<Laws> && !Of<Laws>().empty()) || ...); }
  bool AnyOnJoints() const { return ((ActsOnJoint<Laws> && !Of<Laws>().empty()) || ...); }

 private:
  std::tuple<std::vector<Laws>...> lists_;
};
using ForceElements =
    ForceLists<SpringDamper, JointSpringDamper, AppliedForce, GroundSpring, Motor, Bushing>;

// Visits all fields of an element.
template <class Element, class Visitor>
void VisitFields(Element& element, Visitor&& visitor) {
  std::remove_const_t<Element>::Describe(element, visitor);
}

// Whether the element adds or takes energy: it has a damper, or its force has no potential.
template <class Law>
bool ChangesEnergy(const Law& element) {
  struct Damps : FieldVisitor {
    void Number(std::string_view, Quantity quantity, double value) {
      any = any || (IsDamping(quantity) && value != 0);
    }
    bool any = false;
  } damps;
  VisitFields(element, damps);
  return !element.HasPotential() || damps.any;
}

std::string_view WordsOf(ForceElement kind);
// "revolute, prismatic or cylindrical"
std::string ListedTypes(std::span<const JointType> types);

}  // namespace mbsbench
