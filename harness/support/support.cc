#include "harness/support/support.h"

#include <array>
#include <cmath>
#include <string_view>

#include "problems/model/topology.h"

namespace mbsbench {

namespace {

constexpr double kInPlane = 1e-12;  // sine of the angle by which a joint's axis may be off

std::size_t At(int i) { return static_cast<std::size_t>(i); }

std::string_view Words(JointType type) { return Name(type); }
std::string_view Words(ForceElement kind) { return WordsOf(kind); }
std::string_view Words(MotionKind kind) {
  constexpr std::array kWords{"constant-rate motion", "harmonic motion", "polynomial motion",
                              "ramp motion",          "arcsine motion",  "sum of motions"};
  return kWords.at(static_cast<std::size_t>(kind));
}
std::string_view Words(UnusualBody kind) {
  constexpr std::array kWords{"mass and no inertia", "inertia and no mass",
                              "neither mass nor inertia"};
  return kWords.at(static_cast<std::size_t>(kind));
}

// Each of the following functions lists all fields of a struct of the model. A new field breaks the build here until it has a
// capability or is listed as needing none.

template <class Element>
struct Need {
  const std::string& name;
  Element kind;
};
Need<JointType> NeedOf(const Joint& joint) {
  const auto& [name, type, parent, child, parent_frame, child_frame, length] = joint;
  return {name, type};
}
MotionKind NeedOf(const DriverMotion& motion) {
  const auto& [rate, kind, amplitude, mean, angular_frequency, phase, coefficients, from, to, begin,
               duration, smoothness, terms] = motion;
  return kind;
}
// The first kind that is not allowed, among the motion and its terms; empty: all are allowed.
Need<std::optional<MotionKind>> NeedOf(const Driver& driver, const Allowed<MotionKind>& allowed) {
  const auto& [name, joint, motion] = driver;
  std::optional<MotionKind> refused;
  ForEachMotion(motion, [&](const DriverMotion& part) {
    if (!refused && !allowed.Has(NeedOf(part))) refused = NeedOf(part);
  });
  return {name, refused};
}
// Empty for a body with mass and inertia.
Need<std::optional<UnusualBody>> NeedOf(const Body& body) {
  const auto& [name, mass, inertia, is_point, shape] = body;
  const bool turns_hard = inertia(0, 0) + inertia(1, 1) + inertia(2, 2) > 0;
  if (mass > 0 && turns_hard) return {name, std::nullopt};
  if (mass > 0) return {name, UnusualBody::kPoint};
  if (turns_hard) return {name, UnusualBody::kInertiaWithoutMass};
  return {name, UnusualBody::kWithoutMassOrInertia};
}

// "ball, revolute and free"
template <class Kind>
std::string Listed(const std::vector<Kind>& kinds, const char* plural) {
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i > 0) text += i + 1 < kinds.size() ? ", " : " and ";
    text.append(Words(kinds[i])).append(plural);
  }
  return text;
}

std::string Sentence(const std::string& has, const std::string& takes, const std::string& because) {
  return has + ", and " + takes + (because.empty() ? "" : ": " + because) + ".";
}

std::string A(std::string_view words) {
  return (words.front() == 'a' ? "an " : "a ") + std::string(words);
}

// The first tree joint that leaves the plane of the joints before it; null: all of them move in one plane. Bodies turn about
// the normal only, so the result does not depend on the coordinates.
const Joint* FirstOutOfPlane(const System& system) {
  struct Axis {
    const Joint* joint;
    bool turns;
    Vector3 direction;  // inertial axes, coordinates zero
  };
  const Topology tree = TopologyOf(system);
  std::vector<Quaternion> attitudes(system.bodies.size());
  std::vector<Axis> axes;
  for (int body : tree.order) {
    const Joint& joint = system.joints[At(tree.joint[At(body)])];
    const Quaternion frame = joint.parent == kGround
                                 ? joint.parent_frame.orientation
                                 : attitudes[At(joint.parent)] * joint.parent_frame.orientation;
    attitudes[At(body)] = Normalised(frame * Conjugate(joint.child_frame.orientation));
    if (TurnsFreely(joint.type)) return &joint;
    for (const JointAxis& motion : AxesOf(joint.type)) {
      const Vector3 along = motion.axis == 0   ? Vector3{1, 0, 0}
                            : motion.axis == 1 ? Vector3{0, 1, 0}
                                               : Vector3{0, 0, 1};
      axes.push_back({&joint, motion.turns, Rotate(frame, along)});
    }
  }
  // The normal is the axis of a turning joint, or else normal to two sliding directions.
  std::optional<Vector3> normal;
  for (const Axis& axis : axes) {
    const Vector3 across = Cross(axes.front().direction, axis.direction);
    if (axis.turns) {
      normal = axis.direction;
      break;
    }
    if (!normal && Norm(across) > kInPlane) normal = (1 / Norm(across)) * across;
  }
  if (!normal) return nullptr;
  for (const Axis& axis : axes) {
    const double off =
        axis.turns ? Norm(Cross(axis.direction, *normal)) : std::abs(Dot(axis.direction, *normal));
    if (off > kInPlane) return axis.joint;
  }
  return nullptr;
}

// The first element of a law that is not allowed.
std::optional<std::string> RefusalOf(const ForceElements& forces,
                                     const Allowed<ForceElement>& allowed,
                                     const std::string& method) {
  std::optional<std::string> refusal;
  forces.ForEach([&]<class Law>(const Law& element) {
    if (refusal || allowed.Has(Law::kKind)) return;
    refusal =
        Sentence("force element '" + element.name + "' is " + A(Words(Law::kKind)),
                 method + (allowed.kinds.empty() ? " takes no force elements"
                                                 : " takes only " + Listed(allowed.kinds, "s")),
                 allowed.because);
  });
  return refusal;
}

// The value of a chosen option, or else of the entry.
template <class Value>
const Value& StatedBy(const MethodEntry& entry, const MethodOptions& options,
                      std::optional<Value> MethodOption::*by_option, const Value& by_entry) {
  for (const MethodOption& option : entry.options) {
    if (option.*by_option && Has(options, option.name)) return *(option.*by_option);
  }
  return by_entry;
}

}  // namespace

Form FormOf(const MethodEntry& entry, const MethodOptions& options) {
  return StatedBy(entry, options, &MethodOption::form, entry.form);
}

double CostExponentOf(const MethodEntry& entry, const MethodOptions& options) {
  return StatedBy(entry, options, &MethodOption::cost_exponent, entry.cost_exponent);
}

const OwnIntegration* OwnIntegrationOf(const MethodEntry& entry, const MethodOptions& options) {
  static const OwnIntegration kNone{};
  const OwnIntegration& own = StatedBy(entry, options, &MethodOption::own_integration,
                                       entry.own_integration ? *entry.own_integration : kNone);
  return &own == &kNone ? nullptr : &own;
}

int ThreadsOf(const MethodEntry& entry, const MethodOptions& options) {
  int threads = 1;
  for (const MethodOption& option : entry.options) {
    if (Has(options, option.name)) threads = std::max(threads, option.threads);
  }
  return threads;
}

const Capabilities& CapabilitiesOf(const MethodEntry& entry, const MethodOptions& options) {
  return StatedBy(entry, options, &MethodOption::capabilities, entry.capabilities);
}

const std::vector<std::string>& SharedPartsOf(const MethodEntry& entry,
                                              const MethodOptions& options) {
  return StatedBy(entry, options, &MethodOption::shared_parts, entry.shared_parts);
}

std::optional<std::string> Refusal(const System& system, const Capabilities& can,
                                   const std::string& method) {
  const auto& [bodies, joints, loop_joints, forces, gravity, rope_flight, drivers, loop_precision] =
      system;
  if (rope_flight && !can.growth) {
    return Sentence("rope flight '" + rope_flight->name + "' makes the system grow while it moves",
                    method + " takes only systems that keep their bodies", "");
  }
  if (!rope_flight) {
    for (const Joint& joint : joints) {
      const auto [name, type] = NeedOf(joint);
      if (can.tree_joints.Has(type)) continue;
      return Sentence("joint '" + name + "' is a " + std::string(Words(type)) + " joint",
                      method + (can.tree_joints.kinds.empty()
                                    ? std::string(" takes no tree joints")
                                    : " takes only " + Listed(can.tree_joints.kinds, "") +
                                          " joints in chains and trees"),
                      can.tree_joints.because);
    }
  }
  for (const Joint& joint : loop_joints) {
    const auto [name, type] = NeedOf(joint);
    if (can.loop_joints.Has(type)) continue;
    return can.loop_joints.kinds.empty()
               ? Sentence("joint '" + name + "' closes a loop",
                          method + " takes only open chains and trees", can.loop_joints.because)
               : Sentence("joint '" + name + "' closes a loop and is a " +
                              std::string(Words(type)) + " joint",
                          method + " closes loops only by " + Listed(can.loop_joints.kinds, "") +
                              " joints",
                          can.loop_joints.because);
  }
  if (auto refusal = RefusalOf(forces, can.force_elements, method)) return refusal;
  for (const Driver& driver : drivers) {
    const auto [name, kind] = NeedOf(driver, can.drivers);
    if (!kind) continue;
    return Sentence("driver '" + name + "' gives joint '" + joints[At(driver.joint)].name + "' " +
                        A(Words(*kind)),
                    method + (can.drivers.kinds.empty()
                                  ? " takes no drivers"
                                  : " takes drivers only with a " + Listed(can.drivers.kinds, "")),
                    can.drivers.because);
  }
  for (const Body& body : bodies) {
    const auto [name, kind] = NeedOf(body);
    if (!kind || can.bodies.Has(*kind)) continue;
    return Sentence("body '" + name + "' has " + std::string(Words(*kind)),
                    method + " takes no such body", can.bodies.because);
  }
  if (!can.motion_in_space && !rope_flight) {
    if (const Joint* const joint = FirstOutOfPlane(system)) {
      return Sentence("joint '" + joint->name + "' leads out of the plane of the other joints",
                      method + " takes only systems that move in a plane", "");
    }
  }
  return std::nullopt;
}

Verdict VerdictOf(const MethodEntry& entry, const System& system, const MethodOptions& options) {
  std::string method = entry.key;
  for (const MethodOption& option : entry.options) {
    if (option.group == kVariantGroup && Has(options, option.name)) method += ":" + option.name;
  }
  if (auto refusal = Refusal(system, CapabilitiesOf(entry, options), method))
    return Verdict::No(std::move(*refusal));
  return entry.supports ? entry.supports(system, options) : Verdict{};
}

}  // namespace mbsbench
