#include "problems/io/read_urdf.h"

#include <fmt/format.h>
#include <tinyxml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "problems/io/link_frames.h"
#include "problems/io/quotable.h"
#include "problems/io/robot_elements.h"
#include "problems/io/robot_words.h"
#include "problems/io/urdf_document.h"

namespace mbsbench {

namespace {

constexpr std::size_t kMostLinks = 20'000;  // far above any real robot

// Fixed axes: roll about x, then pitch about y, then yaw about z. The bits are the same on every processor, as
// references are valid for one model only.
[[gnu::optimize("fp-contract=off")]] Quaternion TurnOfRpy(const Vector3& rpy) {
  const double phi = rpy.x / 2, the = rpy.y / 2, psi = rpy.z / 2;
  const double sphi = std::sin(phi), cphi = std::cos(phi), sthe = std::sin(the),
               cthe = std::cos(the), spsi = std::sin(psi), cpsi = std::cos(psi);
  const double x = sphi * cthe * cpsi - cphi * sthe * spsi;
  const double y = cphi * sthe * cpsi + sphi * cthe * spsi;
  const double z = cphi * cthe * spsi - sphi * sthe * cpsi;
  const double w = cphi * cthe * cpsi + sphi * sthe * spsi;
  const double size = std::sqrt(x * x + y * y + z * z + w * w);
  return {w / size, x / size, y / size, z / size};
}

std::string TextOf(const TiXmlElement& element, const char* attribute) {
  const char* const value = element.Attribute(attribute);
  return value == nullptr ? "" : value;
}

// Three numbers; empty: they are none.
std::optional<Vector3> TripleIn(const std::string& text) {
  const std::vector<std::string> parts = SplitAtBlanks(text);
  if (parts.size() != 3) return std::nullopt;
  std::array<double, 3> xyz{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<double> number = DecimalNumber(parts[i]);
    if (!number) return std::nullopt;
    xyz[i] = *number;
  }
  return Vector3{xyz[0], xyz[1], xyz[2]};
}

std::optional<double> NumberIn(const TiXmlElement& element, const char* attribute) {
  const std::vector<std::string> parts = SplitAtBlanks(TextOf(element, attribute));
  return parts.size() == 1 ? DecimalNumber(parts[0]) : std::nullopt;
}

class UrdfReader {
 public:
  UrdfReader(std::string_view text, const std::string& file, bool mimic_is_free)
      : file_(file), mimic_is_free_(mimic_is_free) {
    ParseUrdf(text, file_, xml_);
  }

  RobotDescription Read() {
    const TiXmlElement& robot = *xml_.RootElement();
    RobotInspection inspection = InspectUrdf(robot, file_, mimic_is_free_);
    robot_.name = TextOf(robot, "name");
    FindLinks(robot);
    FindJoints(robot);
    const std::string root = RootOfTree();
    for (const TiXmlElement* link : links_) ReadLink(*link);
    ReadGroundJoint(root);
    for (const FoundJoint& joint : joints_) ReadJoint(joint);
    NameWhatIsIgnored(inspection.ignored);
    robot_.unknown = std::move(inspection.unknown);
    return std::move(robot_);
  }

 private:
  struct FoundJoint {
    const TiXmlElement* element;
    std::string name, parent, child;
  };

  void Warn(std::string sentence) { robot_.warnings.push_back(std::move(sentence)); }
  [[noreturn]] void RefuseJoint(const RobotJoint& joint, const std::string& why) const {
    throw UnsupportedRobot(
        fmt::format("{}, line {}: joint \"{}\" {}.", file_, joint.line, Quotable(joint.name), why));
  }

  // ---- numbers; `owner` is the link or joint of the element

  [[noreturn]] void RefuseValue(const TiXmlElement& element, const char* attribute,
                                const std::string& owner, const char* needed) const {
    const char* const value = element.Attribute(attribute);
    RefuseUrdf(
        file_, element.Row(),
        fmt::format("{}: the <{}> {}: {} needed.", owner, element.ValueStr(),
                    value == nullptr ? fmt::format("lacks \"{}\"", attribute)
                                     : fmt::format("has {}=\"{}\"", attribute, Quotable(value)),
                    needed));
  }
  double Number(const TiXmlElement& element, const char* attribute,
                const std::string& owner) const {
    const std::optional<double> number = NumberIn(element, attribute);
    if (!number) RefuseValue(element, attribute, owner, "a finite number is");
    return *number;
  }
  double NumberOrZero(const TiXmlElement& element, const char* attribute,
                      const std::string& owner) const {
    return element.Attribute(attribute) == nullptr ? 0 : Number(element, attribute, owner);
  }
  Vector3 Triple(const TiXmlElement& element, const char* attribute,
                 const std::string& owner) const {
    const std::optional<Vector3> triple = TripleIn(TextOf(element, attribute));
    if (!triple) RefuseValue(element, attribute, owner, "three finite numbers are");
    return *triple;
  }
  // The <origin> of an element; the identity without one.
  Frame OriginOf(const TiXmlElement& element, const std::string& owner) const {
    const TiXmlElement* const origin = element.FirstChildElement("origin");
    Frame frame;
    if (origin == nullptr) return frame;
    if (origin->Attribute("xyz") != nullptr) frame.position = Triple(*origin, "xyz", owner);
    if (origin->Attribute("rpy") != nullptr)
      frame.orientation = TurnOfRpy(Triple(*origin, "rpy", owner));
    return frame;
  }

  // ---- the tree

  std::string NameOf(const TiXmlElement& element, std::map<std::string, int>& lines) const {
    const std::string kind = element.ValueStr();
    const std::string name = TextOf(element, "name");
    if (name.empty()) RefuseUrdf(file_, element.Row(), fmt::format("a <{}> has no name.", kind));
    const auto [known, is_new] = lines.emplace(name, element.Row());
    if (!is_new) {
      RefuseUrdf(file_, element.Row(),
                 fmt::format("{} \"{}\" is already defined in line {}: names must be unique.", kind,
                             Quotable(name), known->second));
    }
    return name;
  }

  void FindLinks(const TiXmlElement& robot) {
    for (const TiXmlElement* e = robot.FirstChildElement("link"); e != nullptr;
         e = e->NextSiblingElement("link")) {
      index_.emplace(NameOf(*e, link_lines_), static_cast<int>(links_.size()));
      links_.push_back(e);
    }
    if (links_.empty()) RefuseUrdf(file_, robot.Row(), "the robot has no link.");
    if (links_.size() > kMostLinks) {
      RefuseUrdf(file_, 0,
                 fmt::format("has {} links: at most {} are read.", links_.size(), kMostLinks));
    }
  }

  void FindJoints(const TiXmlElement& robot) {
    for (const TiXmlElement* e = robot.FirstChildElement("joint"); e != nullptr;
         e = e->NextSiblingElement("joint")) {
      FoundJoint joint{e, NameOf(*e, joint_lines_), "", ""};
      for (const auto& [kind, link] :
           {std::pair{"parent", &joint.parent}, std::pair{"child", &joint.child}}) {
        const TiXmlElement* const end = e->FirstChildElement(kind);
        if (end != nullptr) *link = TextOf(*end, "link");
        if (link->empty()) {
          RefuseUrdf(file_, e->Row(),
                     fmt::format("joint \"{}\" names no {} link.", Quotable(joint.name), kind));
        }
        if (!index_.contains(*link)) {
          RefuseUrdf(file_, e->Row(),
                     fmt::format("joint \"{}\" names link \"{}\", which does not exist.",
                                 Quotable(joint.name), Quotable(*link)));
        }
      }
      joints_.push_back(std::move(joint));
    }
  }

  // One parent for each link but the root, and no links that only reach each other.
  std::string RootOfTree() const {
    std::map<std::string, std::string> joint_of;  // by the child
    std::map<std::string, std::vector<std::string>> children;
    for (const FoundJoint& joint : joints_) {
      const auto [other, is_new] = joint_of.emplace(joint.child, joint.name);
      if (!is_new) {
        RefuseUrdf(
            file_, joint.element->Row(),
            fmt::format("link \"{}\" is the child of two joints, \"{}\" and \"{}\": a URDF "
                        "robot is a tree.",
                        Quotable(joint.child), Quotable(other->second), Quotable(joint.name)));
      }
      children[joint.parent].push_back(joint.child);
    }
    std::string root;
    for (const TiXmlElement* element : links_) {
      const std::string link = TextOf(*element, "name");
      if (joint_of.contains(link)) continue;
      if (!root.empty()) {
        RefuseUrdf(file_, element->Row(),
                   fmt::format("the links do not form one tree: \"{}\" and \"{}\" have no parent.",
                               Quotable(root), Quotable(link)));
      }
      root = link;
    }
    if (root.empty())
      RefuseUrdf(file_, 0, "the links do not form one tree: every link has a parent.");
    std::set<std::string> reached{root};
    std::vector<std::string> open{root};
    while (!open.empty()) {
      const std::string link = std::move(open.back());
      open.pop_back();
      for (const std::string& child : children[link]) {
        reached.insert(child);
        open.push_back(child);
      }
    }
    for (const TiXmlElement* element : links_) {
      const std::string link = TextOf(*element, "name");
      if (reached.contains(link)) continue;
      RefuseUrdf(file_, element->Row(),
                 fmt::format("the links do not form one tree: \"{}\" belongs to a cycle that the "
                             "root \"{}\" does not reach.",
                             Quotable(link), Quotable(root)));
    }
    return root;
  }

  // ---- links

  void ReadLink(const TiXmlElement& from) {
    RobotLink link;
    link.name = TextOf(from, "name");
    link.line = from.Row();
    if (const TiXmlElement* const inertial = from.FirstChildElement("inertial"))
      ReadInertial(*inertial, link);
    link.shape = ShapeOf(from, link);
    robot_.links.push_back(std::move(link));
  }

  void ReadInertial(const TiXmlElement& from, RobotLink& link) const {
    const std::string owner = fmt::format("link \"{}\"", Quotable(link.name));
    const auto part = [&](const char* kind) -> const TiXmlElement& {
      const TiXmlElement* const e = from.FirstChildElement(kind);
      if (e == nullptr) {
        RefuseUrdf(file_, from.Row(),
                   fmt::format("{}: its <inertial> has no <{}>: state it, or leave out the "
                               "<inertial> of a link without mass.",
                               owner, kind));
      }
      return *e;
    };
    const Frame origin = OriginOf(from, owner);
    link.mass = Number(part("mass"), "value", owner);
    const TiXmlElement& inertia = part("inertia");
    SymmetricMatrix3 about_origin;
    std::size_t entry = 0;
    for (const char* moment : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"})
      about_origin.entries[entry++] = Number(inertia, moment, owner);
    link.inertia = TurnedInertia(origin.orientation, about_origin);
    if (link.mass > 0) link.centre = origin.position;
  }

  // The first visual; what cannot be read is not drawn.
  Shape ShapeOf(const TiXmlElement& from, const RobotLink& link) {
    const TiXmlElement* const visual = from.FirstChildElement("visual");
    const TiXmlElement* const geometry =
        visual == nullptr ? nullptr : visual->FirstChildElement("geometry");
    const TiXmlElement* const shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
    if (shape == nullptr) return {};
    const std::string& kind = shape->ValueStr();
    if (kind != "box" && kind != "cylinder" && kind != "sphere") return {};
    Frame origin;
    std::optional<Vector3> size;
    try {
      origin = OriginOf(*visual, "");
      if (kind == "box") {
        size = Triple(*shape, "size", "");
      } else {
        size = Vector3{Number(*shape, "radius", ""), 0, 0};
        if (kind == "cylinder") size->y = Number(*shape, "length", "");
      }
    } catch (const ModelError&) {
      not_drawn_.push_back(link.name);
      return {};
    }
    const Vector3 at = origin.position - link.centre;
    if (kind == "box") return BoxShape(at, origin.orientation, *size);
    if (kind == "sphere") return SphereShape(at, size->x);
    return RodShape(at, origin.orientation, size->y, size->x);
  }

  // ---- joints

  void ReadGroundJoint(const std::string& root) {
    RobotJoint joint;
    joint.name = FreeName(NameOfUnnamedJoint("", root),
                          [this](const std::string& n) { return joint_lines_.contains(n); });
    joint.line = link_lines_.at(root);
    joint.child = index_.at(root);
    robot_.joints.push_back(std::move(joint));
  }

  JointType TypeOf(const TiXmlElement& from, const RobotJoint& joint) const {
    static const std::map<std::string, JointType> types{
        {"revolute", JointType::kRevolute},   {"continuous", JointType::kRevolute},
        {"prismatic", JointType::kPrismatic}, {"floating", JointType::kFree},
        {"planar", JointType::kPlanar},       {"fixed", JointType::kFixed}};
    const std::string type = TextOf(from, "type");
    const auto found = types.find(type);
    if (found != types.end()) return found->second;
    RefuseJoint(joint, type.empty()
                           ? "has no type"
                           : fmt::format("is of type \"{}\": revolute, continuous, prismatic, "
                                         "floating, planar and fixed joints are read",
                                         Quotable(type)));
  }

  void ReadJoint(const FoundJoint& found) {
    const TiXmlElement& from = *found.element;
    RobotJoint joint;
    joint.name = found.name;
    joint.line = from.Row();
    joint.type = TypeOf(from, joint);
    joint.parent = index_.at(found.parent);
    joint.child = index_.at(found.child);
    ReadMimic(from, joint);
    const std::string owner = fmt::format("joint \"{}\"", Quotable(joint.name));
    joint.parent_frame = OriginOf(from, owner);
    if (joint.type != JointType::kFixed && joint.type != JointType::kFree) {
      const Quaternion turn = TurnFromZ(AxisOf(from, joint, owner));
      joint.parent_frame.orientation = joint.parent_frame.orientation * turn;
      joint.child_frame.orientation = turn;
    }
    ReadDynamics(from, joint, owner);
    ReadLimits(from, joint);
    robot_.joints.push_back(std::move(joint));
  }

  void ReadMimic(const TiXmlElement& from, const RobotJoint& joint) {
    const TiXmlElement* const mimic = from.FirstChildElement("mimic");
    if (mimic == nullptr) return;
    const std::string other = Quotable(TextOf(*mimic, "joint"));
    if (!mimic_is_free_) {
      RefuseJoint(joint, fmt::format("mimics \"{}\": coupled coordinates are not in the model "
                                     "(with --mimic=free it moves independently)",
                                     other));
    }
    Warn(fmt::format("joint \"{}\" mimics \"{}\" in the file, and moves independently here",
                     Quotable(joint.name), other));
  }

  // x without an <axis>.
  Vector3 AxisOf(const TiXmlElement& from, const RobotJoint& joint,
                 const std::string& owner) const {
    const TiXmlElement* const element = from.FirstChildElement("axis");
    if (element == nullptr) return {1, 0, 0};
    const Vector3 axis = Direction(Triple(*element, "xyz", owner));
    if (!std::isfinite(Norm(axis)))
      RefuseJoint(joint, "has the axis (0, 0, 0): a direction is needed");
    return axis;
  }

  void ReadDynamics(const TiXmlElement& from, RobotJoint& joint, const std::string& owner) {
    const TiXmlElement* const dynamics = from.FirstChildElement("dynamics");
    if (dynamics == nullptr) return;
    const double damping = NumberOrZero(*dynamics, "damping", owner);
    if (NumberOrZero(*dynamics, "friction", owner) != 0) robot_.rubbing.push_back(joint.name);
    if (joint.type == JointType::kFixed && damping > 0) {
      Warn(fmt::format("damping of the fixed joint \"{}\" ignored: it has no motion",
                       Quotable(joint.name)));
    } else {
      joint.damping = damping;
    }
  }

  // Limits are not constraints; they are read for a warning on the start only.
  void ReadLimits(const TiXmlElement& from, RobotJoint& joint) const {
    const TiXmlElement* const limit = from.FirstChildElement("limit");
    const std::string type = TextOf(from, "type");
    if (limit == nullptr || (type != "revolute" && type != "prismatic")) return;
    joint.lower = NumberIn(*limit, "lower").value_or(0);
    joint.upper = NumberIn(*limit, "upper").value_or(0);
  }

  // ---- what is left out

  void NameWhatIsIgnored(const std::map<std::string, int>& ignored) {
    if (!not_drawn_.empty()) {
      Warn(fmt::format("shapes whose numbers cannot be read are not drawn: {}",
                       NamesText(not_drawn_)));
    }
    if (ignored.empty()) return;
    constexpr std::size_t kListed = 12;
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : ignored)
      kinds.push_back(fmt::format("{} <{}>", count, Quotable(kind)));
    if (kinds.size() > kListed) {
      const std::size_t more = kinds.size() - kListed;
      kinds.resize(kListed);
      kinds.push_back(fmt::format("and {} more kinds", more));
    }
    Warn(fmt::format("elements ignored: {}", fmt::join(kinds, ", ")));
  }

  const std::string& file_;
  const bool mimic_is_free_;
  TiXmlDocument xml_;
  std::vector<const TiXmlElement*> links_;
  std::vector<FoundJoint> joints_;
  std::map<std::string, int> index_, link_lines_, joint_lines_;
  std::vector<std::string> not_drawn_;
  RobotDescription robot_;
};

}  // namespace

RobotDescription ReadUrdf(std::string_view text, const std::string& name, bool mimic_is_free) {
  return UrdfReader(text, name, mimic_is_free).Read();
}

}  // namespace mbsbench
