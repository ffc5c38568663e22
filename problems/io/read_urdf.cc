#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "problems/io/link_frames.h"
#include "problems/io/quotable.h"
#include "problems/io/read_urdf.h"
#include "problems/io/urdf_document.h"

namespace mbsbench {

namespace {

Vector3 From(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Quaternion From(const urdf::Rotation& r) { return {r.w, r.x, r.y, r.z}; }

class UrdfReader {
 public:
  UrdfReader(std::string_view text, const std::string& name, bool mimic_is_free)
      : name_(name), mimic_is_free_(mimic_is_free), document_(ParseUrdf(text, name)) {}

  RobotDescription Read() {
    robot_.name = urdf_robot().getName();
    for (const std::string& link : document_.links) ReadLink(*urdf_robot().links_.at(link));
    ReadGroundJoint();
    for (const std::string& joint : document_.joints) ReadJoint(*urdf_robot().joints_.at(joint));
    NameIgnoredElements();
    return std::move(robot_);
  }

 private:
  const urdf::ModelInterface& urdf_robot() const { return *document_.robot; }
  void Warn(std::string sentence) { robot_.warnings.push_back(std::move(sentence)); }

  [[noreturn]] void RefuseLink(const std::string& link, const std::string& why) const {
    throw UnsupportedRobot(fmt::format("{}, line {}: link \"{}\": {}.", name_,
                                       document_.link_lines.at(link), Quotable(link), why));
  }
  [[noreturn]] void RefuseJoint(const std::string& joint, const std::string& why) const {
    throw UnsupportedRobot(fmt::format("{}, line {}: joint \"{}\" {}.", name_,
                                       document_.joint_lines.at(joint), Quotable(joint), why));
  }

  void ReadLink(const urdf::Link& from) {
    body_of_.emplace(from.name, static_cast<int>(robot_.links.size()));
    RobotLink link;
    link.name = from.name;
    link.line = document_.link_lines.at(from.name);
    if (from.inertial) {
      const urdf::Inertial& i = *from.inertial;
      link.mass = i.mass;
      link.inertia =
          TurnedInertia(From(i.origin.rotation), {{i.ixx, i.ixy, i.ixz, i.iyy, i.iyz, i.izz}});
      if (i.mass > 0) link.centre = From(i.origin.position);
    }
    link.shape = ShapeOf(from, link.centre);
    robot_.links.push_back(std::move(link));
  }

  static Shape ShapeOf(const urdf::Link& link, const Vector3& centre) {
    if (!link.visual || !link.visual->geometry) return {};
    const Vector3 at = From(link.visual->origin.position) - centre;
    const Quaternion turn = From(link.visual->origin.rotation);
    const urdf::Geometry& geometry = *link.visual->geometry;
    if (const auto* cylinder = dynamic_cast<const urdf::Cylinder*>(&geometry))
      return RodShape(at, turn, cylinder->length, cylinder->radius);
    if (const auto* box = dynamic_cast<const urdf::Box*>(&geometry))
      return BoxShape(at, turn, From(box->dim));
    if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(&geometry))
      return SphereShape(at, sphere->radius);
    return {};
  }

  void ReadGroundJoint() {
    RobotJoint joint;
    joint.name = NameOfUnnamedJoint("", document_.root);
    joint.line = document_.link_lines.at(document_.root);
    joint.child = body_of_.at(document_.root);
    robot_.joints.push_back(std::move(joint));
  }

  static JointType TypeOf(const urdf::Joint& joint) {
    switch (joint.type) {
      case urdf::Joint::REVOLUTE:
      case urdf::Joint::CONTINUOUS: return JointType::kRevolute;
      case urdf::Joint::PRISMATIC: return JointType::kPrismatic;
      case urdf::Joint::FLOATING: return JointType::kFree;
      case urdf::Joint::PLANAR: return JointType::kPlanar;
      case urdf::Joint::FIXED:
      case urdf::Joint::UNKNOWN: break;
    }
    return JointType::kFixed;
  }

  void ReadJoint(const urdf::Joint& from) {
    if (from.mimic) {
      if (!mimic_is_free_) {
        RefuseJoint(from.name,
                    fmt::format("mimics \"{}\": coupled coordinates are not in the model "
                                "(with --mimic=free it moves independently)",
                                Quotable(from.mimic->joint_name)));
      }
      Warn(fmt::format("joint \"{}\" mimics \"{}\" in the file, and moves independently here",
                       Quotable(from.name), Quotable(from.mimic->joint_name)));
    }
    RobotJoint joint;
    joint.name = from.name;
    joint.line = document_.joint_lines.at(from.name);
    joint.type = TypeOf(from);
    joint.parent = body_of_.at(from.parent_link_name);
    joint.child = body_of_.at(from.child_link_name);
    const urdf::Pose& origin = from.parent_to_joint_origin_transform;
    const bool has_axis = joint.type == JointType::kRevolute ||
                          joint.type == JointType::kPrismatic || joint.type == JointType::kPlanar;
    const Quaternion turn = has_axis ? TurnFromZ(AxisOf(from)) : Quaternion{};
    joint.parent_frame = {From(origin.position),
                          has_axis ? From(origin.rotation) * turn : From(origin.rotation)};
    joint.child_frame = {{}, turn};
    ReadDynamics(from, joint);
    if (from.limits &&
        (from.type == urdf::Joint::REVOLUTE || from.type == urdf::Joint::PRISMATIC)) {
      joint.lower = from.limits->lower;
      joint.upper = from.limits->upper;
    }
    robot_.joints.push_back(std::move(joint));
  }

  Vector3 AxisOf(const urdf::Joint& joint) const {
    const Vector3 axis = From(joint.axis);
    const double size = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
    if (!(size > 0) || !std::isfinite(size)) {
      RefuseJoint(joint.name, "has the axis (0, 0, 0): a direction is needed");
    }
    return Direction(axis);
  }

  void ReadDynamics(const urdf::Joint& from, RobotJoint& joint) {
    if (!from.dynamics) return;
    if (from.dynamics->friction != 0) robot_.rubbing.push_back(from.name);
    if (joint.type == JointType::kFixed && from.dynamics->damping > 0) {
      Warn(fmt::format("damping of the fixed joint \"{}\" ignored: it has no motion",
                       Quotable(from.name)));
    } else {
      joint.damping = from.dynamics->damping;
    }
  }

  void NameIgnoredElements() {
    if (document_.ignored.empty()) return;
    constexpr std::size_t kListed = 12;
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : document_.ignored) {
      kinds.push_back(fmt::format("{} <{}>", count, Quotable(kind)));
    }
    if (kinds.size() > kListed) {
      const std::size_t more = kinds.size() - kListed;
      kinds.resize(kListed);
      kinds.push_back(fmt::format("and {} more kinds", more));
    }
    Warn(fmt::format("elements ignored: {}", fmt::join(kinds, ", ")));
  }

  const std::string& name_;
  const bool mimic_is_free_;
  const UrdfDocument document_;
  RobotDescription robot_;
  std::map<std::string, int> body_of_;
};

}  // namespace

RobotDescription ReadUrdf(std::string_view text, const std::string& name, bool mimic_is_free) {
  return UrdfReader(text, name, mimic_is_free).Read();
}

}  // namespace mbsbench
