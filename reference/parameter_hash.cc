#include <bit>
#include <cstdint>
#include <type_traits>

#include <fmt/format.h>

#include "reference/reference.h"

namespace mbsbench {

namespace {

// FNV-1a over the bits of all parameters, in the order of their declaration.
class Hash {
 public:
  void Add(double x) { AddBits(std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x)); }  // -0 is 0
  template <class Integer>
  requires std::is_integral_v<Integer> || std::is_enum_v<Integer>
  void Add(Integer x) { AddBits(static_cast<std::uint64_t>(static_cast<std::int64_t>(x))); }
  void Add(const Vector3& v) { Add(v.x), Add(v.y), Add(v.z); }
  void Add(const Quaternion& q) { Add(q.w), Add(q.x), Add(q.y), Add(q.z); }
  void Add(const Matrix3& a) {
    for (double x : a.m) Add(x);
  }
  void Add(const Frame& f) { Add(f.position), Add(f.orientation); }
  void Add(const Body& b) { Add(b.mass), Add(b.inertia), Add(b.is_point); }
  void Add(const Joint& j) {
    Add(j.type), Add(j.parent), Add(j.child), Add(j.parent_frame), Add(j.child_frame),
        Add(j.length);
  }
  // The fields of a force element, in the order of their description.
  template <class Law>
  requires requires { Law::kList; }
  void Add(const Law& element) { VisitFields(element, Fields{{}, *this}); }
  void Add(const RopeFlight& f) {
    Add(f.box), Add(f.rail_direction), Add(f.rail_length);
    Add(f.thrust), Add(f.burn_time), Add(f.propellant_mass);
    Add(f.link_length), Add(f.line_density);
    Add(f.air_density), Add(f.body_diameter), Add(f.body_drag);
    Add(f.rope_diameter), Add(f.tangential_drag), Add(f.normal_drag);
  }
  void Add(const Driver& d) {
    Add(d.joint), Add(d.motion.rate);
    // The hash of a constant rate is the same as before other motions existed.
    if (d.motion.kind != MotionKind::kConstantRate) Add(d.motion);
  }
  void Add(const DriverMotion& m) {
    Add(static_cast<int>(m.kind)), Add(m.rate), Add(m.amplitude), Add(m.mean);
    Add(m.angular_frequency), Add(m.phase), Add(m.coefficients);
    Add(m.from), Add(m.to), Add(m.begin), Add(m.duration), Add(m.smoothness), Add(m.terms);
  }
  template <class T>
  void Add(const std::vector<T>& list) {
    Add(list.size());
    for (const T& entry : list) Add(entry);
  }
  std::uint64_t value() const { return value_; }

 private:
  struct Fields : FieldVisitor {
    void BodyOrGround(std::string_view, int body) const { hash.Add(body); }
    void Body(std::string_view, int body) const { hash.Add(body); }
    void Joint(int joint) const { hash.Add(joint); }
    void Point(std::string_view, int, const Vector3& point) const { hash.Add(point); }
    void Direction(std::string_view, const Vector3& direction) const { hash.Add(direction); }
    void Vector(std::string_view, Quantity, int, const Vector3& v) const { hash.Add(v); }
    void Number(std::string_view, Quantity, double value) const { hash.Add(value); }
    void OnFrame(std::string_view, int, const Frame& frame) const { hash.Add(frame); }
    void Flag(std::string_view, bool value) const { hash.Add(value); }
    void Effort(bool turns, const EffortOverTime& effort) const {
      hash.Add(turns), hash.Add(effort.function), hash.Add(effort.table.size());
      for (const auto& [time, value] : effort.table) hash.Add(time), hash.Add(value);
    }
    Hash& hash;
  };

  void AddBits(std::uint64_t bits) {
    for (int i = 0; i < 8; ++i, bits >>= 8) value_ = (value_ ^ (bits & 0xff)) * 0x100000001b3;
  }
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace

std::string ParameterHash(const Problem& problem) {
  Hash hash;
  const System& s = problem.system;
  hash.Add(s.bodies), hash.Add(s.joints), hash.Add(s.loop_joints);
  hash.Add(s.forces.Of<SpringDamper>()), hash.Add(s.forces.Of<JointSpringDamper>());
  hash.Add(s.forces.Of<AppliedForce>());
  hash.Add(s.gravity);
  if (s.rope_flight) hash.Add(*s.rope_flight);  // the hash of other systems does not depend on it
  hash.Add(problem.initial.joints.q), hash.Add(problem.initial.joints.u);
  hash.Add(problem.initial.dependent_joints);
  if (!s.drivers.empty()) hash.Add(s.drivers);  // without drivers the hash is unchanged
  hash.Add(problem.length);                     // the error estimate is in units of it
  hash.Add(problem.time);
  // Added after the first certificates, whose hash must not change for systems without any.
  s.forces.ForEachList([&hash]<class Law>(const std::vector<Law>& list) {
    if (Law::kKind >= ForceElement::kGroundSpring && !list.empty()) hash.Add(list);
  });
  if (s.loop_precision != 0) hash.Add(s.loop_precision);
  return fmt::format("{:016x}", hash.value());
}

}  // namespace mbsbench
