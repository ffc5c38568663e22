#include "methods/transfer_elements/plane.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "methods/thresholds/thresholds.h"

namespace mbsbench {

namespace {

// In any units: relative to `scale`, a size of the same kind.
bool Vanishes(double value, double scale) {
  return std::abs(value) <= kThresholds.in_plane * scale;
}
double Length(const Vec<double>& v) { return std::sqrt(Dot(v, v)); }

Verdict Leaves(const std::string& what) {
  return Verdict::No(
      what + " leaves the plane normal to the joints' z axes: the 7 x 7 form has no state for it");
}

bool Turns(JointType type) { return type == JointType::kRevolute || type == JointType::kBall; }

// Whether a joint with this z axis stays in the plane, both in the axes of one body.
bool FitsThePlane(JointType type, const Vec<double>& z, const Vec<double>& normal) {
  switch (type) {
    case JointType::kRevolute: return Vanishes(Length(Cross(z, normal)), 1);
    case JointType::kBall: return Vanishes(Length(Cross(z, normal)), 1) && Dot(z, normal) > 0;
    case JointType::kPrismatic: return Vanishes(Dot(z, normal), 1);
    case JointType::kFixed:
    case JointType::kFree:
    case JointType::kDistance:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: return false;
  }
  return false;
}

// The axis of the first joint that turns; all joints before it keep directions.
bool FindNormal(const TransferTree<double>& tree, Vec<double>& normal) {
  for (std::size_t k = 1; k < tree.groups.size(); ++k) {
    if (!Turns(tree.groups[k].type)) continue;
    normal = {0, 0, 1};
    for (; k != 0; k = static_cast<std::size_t>(tree.groups[k].parent))
      normal = tree.groups[k].turn * normal;
    return true;
  }
  return false;
}

// The longest arm of a joint, spring or force.
double SizeOf(const System& system) {
  double size = 0;
  const auto reach = [&size](const Vector3& point) { size = std::max(size, Norm(point)); };
  for (const std::vector<Joint>* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints)
      reach(joint.parent_frame.position), reach(joint.child_frame.position);
  }
  struct Reach : FieldVisitor {
    void Point(std::string_view, int, const Vector3& point) { size = std::max(size, Norm(point)); }
    double size = 0;
  } of_forces;
  system.forces.ForEach([&](const auto& element) { VisitFields(element, of_forces); });
  return std::max(size, of_forces.size);
}

// Whether the forces of an element stay in the plane and its moments along the normal. AlongNormal: of a vector in the axes of a
// body; Rises: of a body's point over the plane.
template <class AlongNormal, class Rises>
struct StaysInPlane : FieldVisitor {
  void Point(std::string_view, int body, const Vector3& point) {
    stays = stays && Vanishes(rises(body, point), length);
  }
  void Direction(std::string_view, const Vector3& direction) {
    stays = stays && Vanishes(along_normal(kGround, direction), 1);
  }
  void Vector(std::string_view, Quantity quantity, int axes, const Vector3& v) {
    const double part = std::abs(along_normal(axes, v)), whole = Norm(v);
    stays = stays && Vanishes(quantity == Quantity::kMoment ? whole - part : part, whole);
  }
  // The axes of a frame point anywhere.
  void PerAxis(std::string_view, Quantity, const Vector3&) { stays = false; }

  double length;
  const AlongNormal& along_normal;
  const Rises& rises;
  bool stays = true;
};
template <class AlongNormal, class Rises>
StaysInPlane(FieldVisitor, double, const AlongNormal&, const Rises&)
    -> StaysInPlane<AlongNormal, Rises>;

}  // namespace

Verdict FindPlane(const System& system, const TransferTree<double>& tree, Plane& plane) {
  if (!FindNormal(tree, plane.normal))
    return Verdict::No("no joint turns, so no plane is determined");
  const Vec<double> gravity = Lifted(system.gravity);
  if (!Vanishes(Dot(plane.normal, gravity), Length(gravity))) return Leaves("gravity");
  const double length = SizeOf(system);
  // Height of the ground's points: that of the first joint on the ground.
  const double height = Dot(plane.normal, tree.groups[1].arm);
  plane.group_normals = {plane.normal};
  for (std::size_t k = 1; k < tree.groups.size(); ++k) {
    const SweepGroup<double>& group = tree.groups[k];
    const Vec<double> outside = plane.group_normals[static_cast<std::size_t>(group.parent)];
    const Vec<double> normal = TransposeTimes(group.turn, outside);
    plane.group_normals.push_back(normal);
    if (!FitsThePlane(group.type, {0, 0, 1}, normal)) {
      return Verdict::No(
          QuotedJoint(system, group) +
          (group.type == JointType::kPrismatic
               ? " slides out of the plane of the others: the 7 x 7 form has no state for it"
               : " has a z axis that is not parallel to the others: the 7 x 7 form needs parallel "
                 "axes"));
    }
    if (!Vanishes(Dot(outside, group.arm) - (group.parent == 0 ? height : 0), length))
      return Leaves(QuotedJoint(system, group));
    const Vec<double> J_n = group.inertia * normal;
    if (!Vanishes(Dot(group.moment, normal), group.mass * length) ||
        !Vanishes(Length(Cross(J_n, normal)), Trace(group.inertia))) {
      return Leaves(QuotedBody(system, group));
    }
  }
  // Height of a body's point over the plane, and the part of a direction of it along the normal.
  const auto seat_of = [&tree](int body) {
    return body == kGround ? BodyInGroup<double>{0, Identity<double>(), {}}
                           : tree.placements[static_cast<std::size_t>(body)];
  };
  const auto along_normal = [&](int body, const Vector3& direction) {
    const BodyInGroup<double> placement = seat_of(body);
    return Dot(plane.group_normals[static_cast<std::size_t>(placement.group)],
               placement.turn * Lifted(direction));
  };
  const auto rises = [&](int body, const Vector3& point) {
    const BodyInGroup<double> placement = seat_of(body);
    return along_normal(body, point) +
           Dot(plane.group_normals[static_cast<std::size_t>(placement.group)], placement.centre) -
           (placement.group == 0 ? height : 0);
  };
  for (const Joint& joint : system.loop_joints) {
    const struct {
      int body;
      const Frame& frame;
    } sides[] = {{joint.parent, joint.parent_frame}, {joint.child, joint.child_frame}};
    for (const auto& [body, frame] : sides) {
      // The axis that defines the joint: z, on the child of a universal joint x.
      const bool child_of_universal = joint.type == JointType::kUniversal && body == joint.child;
      const double axis = std::abs(along_normal(
          body,
          Rotate(frame.orientation, child_of_universal ? Vector3{1, 0, 0} : Vector3{0, 0, 1})));
      const bool across = Vanishes(axis, 1), along = Vanishes(1 - axis, 1);
      const bool fits = joint.type == JointType::kRevolute    ? along
                        : joint.type == JointType::kPrismatic ? across
                        : joint.type == JointType::kUniversal ? along || across
                                                              : true;
      if (!fits || !Vanishes(rises(body, frame.position), length)) {
        return Leaves("joint '" + joint.name + "'");
      }
    }
  }
  std::string leaving;
  system.forces.ForEach([&]<class Law>(const Law& element) {
    StaysInPlane check{{}, length, along_normal, rises};
    VisitFields(element, check);
    if (!check.stays && leaving.empty())
      leaving = std::string(Law::kWords) + " '" + element.name + "'";
  });
  if (!leaving.empty()) return Leaves(leaving);
  return {};
}

}  // namespace mbsbench
