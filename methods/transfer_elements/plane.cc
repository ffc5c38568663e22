#include "methods/transfer_elements/plane.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace mbsbench {

namespace {

constexpr double kInPlane = 1e-12;

// In any units: relative to `scale`, a size of the same kind.
bool Vanishes(double value, double scale) { return std::abs(value) <= kInPlane * scale; }
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
    case JointType::kFixed: return true;
    case JointType::kFree:
    case JointType::kDistance:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: return false;
  }
  return false;
}

// The axis of the first joint that turns; all joints before it keep directions.
bool FindNormal(const JointTree& tree, Vec<double>& normal) {
  for (const TreeElement& e : tree.elements) {
    if (!Turns(e.type)) continue;
    normal = Column<2>(e.root_axes);
    for (int k = e.parent; k > 0; k = tree.elements[static_cast<std::size_t>(k - 1)].parent) {
      normal = tree.elements[static_cast<std::size_t>(k - 1)].root_axes * normal;
    }
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
  for (const SpringDamper& s : system.spring_dampers) reach(s.point_a), reach(s.point_b);
  for (const AppliedForce& f : system.applied_forces) reach(f.point);
  for (const GroundSpring& s : system.ground_springs) reach(s.point);
  return size;
}

}  // namespace

Verdict FindPlane(const System& system, const JointTree& tree, Plane& plane) {
  const auto body_name = [&](const TreeElement& e) {
    return "body '" + system.bodies[static_cast<std::size_t>(e.body)].name + "'";
  };
  const auto joint_name = [&](const TreeElement& e) {
    return "joint '" + system.joints[static_cast<std::size_t>(e.joint)].name + "'";
  };
  if (!FindNormal(tree, plane.normal)) return Verdict::No("no joint turns: no plane is told");
  if (!Vanishes(Dot(plane.normal, tree.gravity), Length(tree.gravity))) return Leaves("gravity");
  const double length = SizeOf(system);
  // Height of the ground's points: that of the first joint on the ground.
  const double height = Dot(plane.normal, tree.elements[0].arm);
  plane.body_normals.resize(tree.elements.size());
  for (std::size_t k = 0; k < tree.elements.size(); ++k) {
    const TreeElement& e = tree.elements[k];
    const bool on_ground = e.parent == 0;
    const Vec<double> outside =
        on_ground ? plane.normal : plane.body_normals[static_cast<std::size_t>(e.parent - 1)];
    const Vec<double> normal = TransposeTimes(e.root_axes, outside);
    plane.body_normals[k] = normal;
    if (!FitsThePlane(e.type, {0, 0, 1}, normal)) {
      return Verdict::No(
          joint_name(e) +
          (e.type == JointType::kPrismatic
               ? " slides out of the plane of the others: the 7 x 7 form has no state for it"
               : " has a z axis that is not parallel to the others: the 7 x 7 form needs parallel "
                 "axes"));
    }
    if (!Vanishes(Dot(outside, e.arm) - (on_ground ? height : 0), length))
      return Leaves(joint_name(e));
    const double size = Trace(e.J_O);
    const Vec<double> J_n = e.J_O * normal;
    if (!Vanishes(e.mass * Dot(e.r_OC, normal), e.mass * length) ||
        !Vanishes(Length(Cross(J_n, normal)), size)) {
      return Leaves(body_name(e));
    }
  }
  // Height of a body's point over the plane, and the part of a direction of it along the normal.
  const auto along_normal = [&](int body, const Vector3& direction) {
    if (body == kGround) return Dot(plane.normal, Lifted(direction));
    const auto k = static_cast<std::size_t>(tree.element_of_body[static_cast<std::size_t>(body)]);
    return Dot(plane.body_normals[k], Lifted(Rotate(Conjugate(tree.joint_to_body[k]), direction)));
  };
  const auto rises = [&](int body, const Vector3& point) {
    if (body == kGround) return along_normal(body, point) - height;
    const TreeElement& e = tree.elements[static_cast<std::size_t>(
        tree.element_of_body[static_cast<std::size_t>(body)])];
    return along_normal(
        body, point - system.joints[static_cast<std::size_t>(e.joint)].child_frame.position);
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
  for (const SpringDamper& s : system.spring_dampers) {
    if (!Vanishes(rises(s.body_a, s.point_a), length) ||
        !Vanishes(rises(s.body_b, s.point_b), length))
      return Leaves("spring '" + s.name + "'");
  }
  for (const AppliedForce& f : system.applied_forces) {
    const auto part = [&](const Vector3& v) {
      return f.in_body_axes ? along_normal(f.body, v) : Dot(plane.normal, Lifted(v));
    };
    if (!Vanishes(part(f.force), Norm(f.force)) || !Vanishes(rises(f.body, f.point), length) ||
        !Vanishes(Norm(f.moment) - std::abs(part(f.moment)), Norm(f.moment))) {
      return Leaves("force '" + f.name + "'");
    }
  }
  for (const GroundSpring& s : system.ground_springs) {
    if (!Vanishes(rises(s.body, s.point), length) ||
        !Vanishes(along_normal(kGround, s.direction), 1))
      return Leaves("ground spring '" + s.name + "'");
  }
  return {};
}

}  // namespace mbsbench
