// SDF as libsdformat reads it (docs/model_files.md, "Robot files"): poses by its own resolution of frames.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <tinyxml.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <regex>
#include <sdf/sdf.hh>
#include <set>
#include <utility>

#include "problems/io/link_frames.h"
#include "problems/io/quotable.h"
#include "problems/io/robot_elements.h"
#include "problems/io/robot_reading.h"
#include "problems/io/robot_words.h"

namespace mbsbench {

namespace {

Vector3 Vector(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }
Frame FrameOf(const ignition::math::Pose3d& pose) {
  // Round-off of the library for coinciding frames.
  constexpr double kRoundOff = 1e-15;  // [m]
  const auto clean = [](double x) { return std::abs(x) < kRoundOff ? 0 : x; };
  const ignition::math::Quaterniond& q = pose.Rot();
  return {{clean(pose.Pos().X()), clean(pose.Pos().Y()), clean(pose.Pos().Z())},
          Normalised({q.W(), q.X(), q.Y(), q.Z()})};
}

// Captures what the library prints on standard error during its lifetime.
class CapturedErrors {
 public:
  CapturedErrors() : kept_(dup(STDERR_FILENO)), memory_(memfd_create("sdf", MFD_CLOEXEC)) {
    if (memory_ >= 0) dup2(memory_, STDERR_FILENO);
  }
  ~CapturedErrors() {
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    if (memory_ >= 0) close(memory_);
  }
  CapturedErrors(const CapturedErrors&) = delete;
  CapturedErrors& operator=(const CapturedErrors&) = delete;

  // "Warning [Utils.cc:129] [where]: what" without its head and the colours of a terminal, each once.
  std::vector<std::string> Warnings() const {
    std::vector<std::string> warnings;
    if (memory_ < 0) return warnings;
    constexpr std::size_t kMost = 1 << 16;
    std::string text(kMost, '\0');
    const ssize_t size = pread(memory_, text.data(), text.size(), 0);
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    text = std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), "");
    std::set<std::string> seen;
    for (std::size_t at = 0; (at = text.find("Warning [", at)) != std::string::npos;) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string line = text.substr(at, end - at);
      at = end;
      for (const char* mark : {"] ", "]: "}) {
        const std::size_t head = line.find(mark);
        if (head != std::string::npos) line.erase(0, head + std::strlen(mark));
      }
      line = OnOneLine(line);
      if (!line.empty() && seen.insert(line).second) warnings.push_back(line);
    }
    return warnings;
  }

 private:
  int kept_, memory_;
};

class SdfReader {
 public:
  explicit SdfReader(std::string file) : file_(std::move(file)) {}

  RobotDescription Read() {
    Load();
    const sdf::Model& model = TheModel();
    robot_.name = model.Name();
    robot_.states_base = true;
    RefuseForces(model);
    is_static_ = model.Static();
    const Frame placement = Resolved(model.SemanticPose(), "");
    ReadLinks(model, "", placement);
    ReadJoints(model, "", placement);
    PutRootsOnTheGround();
    NameWhatIsIgnored();
    return std::move(robot_);
  }

 private:
  [[noreturn]] void Refuse(const std::string& why) const {
    throw UnsupportedRobot(fmt::format("{}: {}.", file_, why));
  }
  [[noreturn]] void RefuseFile(const std::string& why) const {
    throw ModelError(fmt::format("{}: libsdformat cannot read it: {}.", file_, OnOneLine(why)));
  }
  void Warn(std::string sentence) { robot_.warnings.push_back(std::move(sentence)); }

  void Load() {
    config_.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::WARN);
    const std::filesystem::path folder = std::filesystem::path(file_).parent_path();
    config_.SetFindCallback([folder](const std::string& uri) {
      const std::size_t scheme = uri.find("://");
      const std::filesystem::path path =
          folder / (scheme == std::string::npos ? uri : uri.substr(scheme + 3));
      return std::filesystem::exists(path) ? path.string() : std::string();
    });
    std::vector<std::string> warnings;
    for (const sdf::Error& error : Loaded(file_, root_, warnings)) {
      // Inertias are checked later, with those of all formats.
      if (error.Code() != sdf::ErrorCode::LINK_INERTIA_INVALID) RefuseFile(error.Message());
    }
    sdf::initFile("root.sdf", format_);
    InspectFile(file_, warnings);
  }
  sdf::Errors Loaded(const std::string& file, sdf::Root& root, std::vector<std::string>& warnings) {
    const CapturedErrors printed;
    sdf::Errors errors = root.Load(file, config_);
    warnings = printed.Warnings();
    return errors;
  }

  // ---- what the library lets pass

  [[noreturn]] void RefuseLine(const TiXmlElement& e, const std::string& why) const {
    throw UnsupportedRobot(fmt::format("{}, line {}: {}.", here_, e.Row(), why));
  }
  void Note(const std::string& sentence) {
    robot_.unknown.push_back(here_ == file_ ? sentence : here_ + ": " + sentence);
  }

  void InspectFile(const std::string& file, const std::vector<std::string>& warnings) {
    const std::string outer = std::exchange(here_, file);
    TiXmlDocument xml;
    if (!xml.LoadFile(file.c_str()) || HasMoreThanOneRoot(xml) || xml.RootElement() == nullptr)
      throw ModelError(fmt::format("{}: it is no XML file with one root element.", file));
    const TiXmlElement& root = *xml.RootElement();
    if (root.ValueStr() == "robot") {
      throw UnsupportedRobot(
          fmt::format("{}: the root element is <robot>: a URDF file's name ends in .urdf, and SDF "
                      "files cannot include it.",
                      file));
    }
    const char* const version = root.Attribute("version");
    if (version != nullptr && DecimalNumber(version).value_or(99) > 1.9)
      Warn(fmt::format("SDF version {} is read as {}", Quotable(version), sdf::SDF::Version()));
    Inspect(root, format_);
    JudgeWarnings(warnings);
    here_ = outer;
  }

  // The library says nothing of what it does not know in included files, unless it reads them by themselves.
  void InspectIncluded(const TiXmlElement& include) {
    const TiXmlElement* const uri = include.FirstChildElement("uri");
    if (uri == nullptr) return;
    std::string file = sdf::findFile(TextOf(*uri), true, true, config_);
    if (std::filesystem::is_directory(file)) file = sdf::getModelFilePath(file);
    if (file.empty()) RefuseLine(include, "the included file is not found");
    if (!inspected_.insert(file).second) return;
    sdf::Root alone;
    std::vector<std::string> warnings;
    Loaded(file, alone, warnings);
    InspectFile(file, warnings);
  }

  // Texts that a comment parts are two.
  static std::string TextOf(const TiXmlElement& element) {
    std::string text;
    for (const TiXmlNode* n = element.FirstChild(); n != nullptr; n = n->NextSibling()) {
      if (n->ToText() != nullptr) text += (text.empty() ? "" : " ") + n->ValueStr();
    }
    return text;
  }

  // It reads "3,5" as 3 and the first of two masses, turns by quaternions of any norm, and does not know elements of later
  // versions and other tools.
  void Inspect(const TiXmlElement& element, const sdf::ElementPtr& format) {
    static const std::set<std::string> not_of_motion{"visual", "collision", "sensor", "light",
                                                     "gui",    "scene",     "limit",  "physics"};
    std::set<std::string> seen;
    for (const TiXmlElement* e = element.FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      const std::string& kind = e->ValueStr();
      if (not_of_motion.contains(kind)) continue;
      if (kind == "plugin") {
        InspectPluginOf(*e);
        continue;
      }
      sdf::ElementPtr known;
      if (format && format->GetName() == kind) {
        known = format;  // a model in a model
      } else if (format && format->HasElementDescription(kind)) {
        known = format->GetElementDescription(kind);
      }
      if (known) {
        const std::string& required = known->GetRequired();
        if ((required == "0" || required == "1") && !seen.insert(kind).second) {
          RefuseLine(*e, fmt::format("<{}> has two <{}> elements", element.ValueStr(), kind));
        }
        if (known->GetValue()) {
          CheckNumbers(*e, known->GetValue()->GetTypeName());
        } else if (const std::string text = TextOf(*e); !text.empty()) {
          NoteName(*e, fmt::format("text \"{}\" in <{}>", Quotable(text), kind));
        }
      }
      if (kind == "state" || kind == "population") {
        NoteName(*e, fmt::format("<{}> of the world", kind), "read");
        continue;
      }
      if (!known) RefuseOtherSpelling(*e, format);
      if (kind == "inertial") NoteAssumptions(*e);
      if (kind == "include") InspectIncluded(*e);
      if (kind == "mimic") {
        RefuseLine(*e, "<mimic> couples joints: coupled coordinates are not in the model");
      }
      const char* const automatic = e->Attribute("auto");
      if (kind == "inertial" && automatic != nullptr && !IsZeroOrFalse(automatic)) {
        RefuseLine(
            *e,
            "<inertial auto=\"true\"> takes the inertia from shapes, which is not done here: "
            "state mass and inertia");
      }
      if ((kind == "fluid_added_mass" || kind.starts_with("drake:")) && !HoldsOnlyZeros(*e) &&
          kind != "drake:collision_filter_group") {
        RefuseLine(*e, fmt::format("<{}> would change the motion, but is not in the model: remove "
                                   "it to go without",
                                   Quotable(kind)));
      }
      if (kind.find(':') != std::string::npos && !kind.starts_with("drake:"))
        NoteName(*e, fmt::format("element <{}>", Quotable(kind)));
      for (const TiXmlAttribute* a = e->FirstAttribute(); a != nullptr; a = a->Next()) {
        const std::string name = a->NameTStr();
        if (name.find(':') != std::string::npos && !name.starts_with("xml"))
          NoteName(*e, fmt::format("attribute \"{}\" of <{}>", Quotable(name), Quotable(kind)));
      }
      Inspect(*e, known);
    }
  }
  void NoteName(const TiXmlElement& e, const std::string& what, const char* done = "known") {
    Note(fmt::format("the {} (line {}) is not {}: it may change the motion", what, e.Row(), done));
  }

  void RefuseOtherSpelling(const TiXmlElement& e, const sdf::ElementPtr& format) const {
    for (unsigned i = 0; format && i < format->GetElementDescriptionCount(); ++i) {
      const std::string& name = format->GetElementDescription(i)->GetName();
      if (PlainWord(name) == PlainWord(e.ValueStr()))
        RefuseLine(e, fmt::format("<{}> is not known: did you mean <{}>?", e.ValueStr(), name));
    }
  }

  // What an <inertial> leaves out is 1 in SDF.
  void NoteAssumptions(const TiXmlElement& inertial) {
    const TiXmlElement* const inertia = inertial.FirstChildElement("inertia");
    std::vector<std::string> assumed;
    if (inertial.FirstChildElement("mass") == nullptr) assumed.push_back("mass = 1 kg");
    for (const char* moment : {"ixx", "iyy", "izz"}) {
      if (inertia == nullptr || inertia->FirstChildElement(moment) == nullptr)
        assumed.push_back(fmt::format("{} = 1 kg m^2", moment));
    }
    if (assumed.empty()) return;
    Note(fmt::format(
        "<inertial> (line {}) leaves out what is 1 in SDF, {}: it may change the motion",
        inertial.Row(), fmt::join(assumed, ", ")));
  }

  void InspectPluginOf(const TiXmlElement& e) {
    const char* const name = e.Attribute("name");
    plugins_.emplace_back(name == nullptr ? "" : name);
    for (const std::string& sentence : InspectPlugin(e, here_).unknown) Note(sentence);
  }

  void CheckNumbers(const TiXmlElement& e, const std::string& type) const {
    static const std::map<std::string, std::size_t> counts{
        {"double", 1}, {"vector3", 3}, {"pose", 0}};
    const auto found = counts.find(type);
    if (found == counts.end()) return;
    const std::string text = TextOf(e);
    std::vector<double> numbers;
    for (const std::string& part : SplitAtBlanks(text))
      numbers.push_back(DecimalNumber(part).value_or(NAN));
    const bool are_finite = std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
    if (!are_finite || (found->second > 0 && numbers.size() != found->second)) {
      RefuseLine(e, fmt::format("<{}> is \"{}\": {} needed", e.ValueStr(), Quotable(text),
                                found->second == 1 ? "a finite number is" : "finite numbers are"));
    }
    const char* const rotation = e.Attribute("rotation_format");
    if (rotation == nullptr || std::string_view(rotation) != "quat_xyzw" || numbers.size() != 7)
      return;
    constexpr double kUnit = 1e-6;
    const double norm = std::hypot(std::hypot(numbers[3], numbers[4], numbers[5]), numbers[6]);
    if (!(std::abs(norm - 1) <= kUnit)) {
      RefuseLine(e, fmt::format("<pose> has a quaternion of norm {:g}: a unit quaternion is needed",
                                norm));
    }
  }

  // What the library does not know may act. Its sentence is "XML Element[x], child of element[y], not defined in SDF."
  void JudgeWarnings(const std::vector<std::string>& warnings) {
    for (const std::string& said : warnings) {
      std::smatch found;
      if (said.find("not defined in SDF") == std::string::npos ||
          !std::regex_search(said, found, std::regex("(Element|Attribute)\\[([^\\]]*)\\]"))) {
        if (std::ranges::find(library_says_, said) == library_says_.end())
          library_says_.push_back(said);
        continue;
      }
      const std::string word = PlainWord(found[2].str());
      if (NamesAProperty(word) || NamesAnElement(word)) {
        throw UnsupportedRobot(
            fmt::format("{}: \"{}\" would change the motion, but is not in the model: remove it to "
                        "go without.",
                        here_, Quotable(found[2].str())));
      }
      Note(fmt::format("libsdformat says: {}: it may change the motion", said));
    }
  }

  const sdf::Model& TheModel() {
    if (root_.WorldCount() > 1)
      Refuse(fmt::format("the file has {} worlds: one robot is read", root_.WorldCount()));
    if (root_.WorldCount() == 1) {
      world_ = root_.WorldByIndex(0);
      std::vector<const sdf::Model*> robots;
      std::vector<std::string> still;  // such as the floor
      for (std::uint64_t i = 0; i < world_->ModelCount(); ++i) {
        const sdf::Model* const model = world_->ModelByIndex(i);
        if (model->Static() && world_->ModelCount() > 1) {
          still.push_back(model->Name());
        } else {
          robots.push_back(model);
        }
      }
      if (robots.size() != 1) {
        Refuse(fmt::format("the world has {} models that are not static: one robot is read",
                           robots.size()));
      }
      if (!still.empty()) Warn("static models left out: " + NamesText(still));
      robot_.gravity = Vector(world_->Gravity());
      if (world_->WindLinearVelocity() != ignition::math::Vector3d::Zero) {
        Warn("wind of the world ignored: no link has <enable_wind>");
      }
      return *robots.front();
    }
    if (root_.Model() == nullptr) Refuse("the file has no model: one robot is read");
    return *root_.Model();
  }

  // A pose relative to a frame of the file; "" is the frame of the enclosing element.
  Frame Resolved(const sdf::SemanticPose& pose, const std::string& from) const {
    ignition::math::Pose3d resolved;
    if (const sdf::Errors errors = pose.Resolve(resolved, from); !errors.empty())
      RefuseFile(errors.front().Message());
    return FrameOf(resolved);
  }

  // ---- forces that are not in the model

  static bool IsTrue(const sdf::ElementPtr& element, const std::string& child) {
    return element && element->HasElement(child) && element->Get<bool>(child);
  }

  void RefuseForces(const sdf::Model& model) {
    if (model.EnableWind()) {
      Refuse(fmt::format("model \"{}\" has <enable_wind>: forces of wind are not in the model",
                         Quotable(model.Name())));
    }
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
      const sdf::Link& link = *model.LinkByIndex(i);
      const sdf::ElementPtr element = link.Element();
      const auto refuse = [&](const std::string& why) {
        Refuse(fmt::format("link \"{}\" {}", Quotable(link.Name()), why));
      };
      if (IsTrue(element, "enable_wind"))
        refuse("has <enable_wind>: forces of wind are not in the model");
      if (element && element->HasElement("gravity") && !element->Get<bool>("gravity"))
        refuse("has no gravity: the model's gravity acts on all links");
      if (IsTrue(element, "kinematic"))
        refuse("is kinematic: motion that forces do not change is not in the model");
      if (element && element->HasElement("velocity_decay")) {
        const sdf::ElementPtr decay = element->GetElement("velocity_decay");
        for (const char* kind : {"linear", "angular"}) {
          if (decay->HasElement(kind) && decay->Get<double>(kind) != 0)
            refuse("has <velocity_decay>: drag is not in the model");
        }
      }
      collisions_ += link.CollisionCount();
      sensors_ += link.SensorCount();
    }
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) RefuseForces(*model.ModelByIndex(i));
  }

  // ---- links

  // For a nested model: `prefix` is its path, `in_world` its frame.
  void ReadLinks(const sdf::Model& model, const std::string& prefix, const Frame& in_world) {
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
      const sdf::Link& from = *model.LinkByIndex(i);
      RobotLink link;
      link.name = prefix + from.Name();
      if (!from.Element() || from.Element()->HasElement("inertial")) {
        const ignition::math::Inertiald& inertial = from.Inertial();
        const ignition::math::MassMatrix3d& mass = inertial.MassMatrix();
        link.mass = mass.Mass();
        const ignition::math::Vector3d d = mass.DiagonalMoments(), o = mass.OffDiagonalMoments();
        const Frame centre = FrameOf(inertial.Pose());
        link.inertia =
            TurnedInertia(centre.orientation, {{d.X(), o.X(), o.Y(), d.Y(), o.Z(), d.Z()}});
        if (link.mass > 0) link.centre = centre.position;
      } else {  // as in URDF, so that the same robot is the same model in either format
        massless_.push_back(link.name);
      }
      link.shape = ShapeOf(from, link.centre);
      index_.emplace(link.name, static_cast<int>(robot_.links.size()));
      poses_.push_back(Placed(in_world, Resolved(from.SemanticPose(), "__model__")));
      robot_.links.push_back(std::move(link));
    }
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const sdf::Model& nested = *model.ModelByIndex(i);
      ReadLinks(nested, prefix + nested.Name() + "::",
                Placed(in_world, Resolved(nested.SemanticPose(), "__model__")));
    }
  }

  static Shape ShapeOf(const sdf::Link& link, const Vector3& centre) {
    for (std::uint64_t i = 0; i < link.VisualCount(); ++i) {
      const sdf::Visual& visual = *link.VisualByIndex(i);
      ignition::math::Pose3d pose;
      if (visual.Geom() == nullptr || !visual.SemanticPose().Resolve(pose, link.Name()).empty())
        continue;
      const Frame frame = FrameOf(pose);
      const Vector3 at = frame.position - centre;
      const sdf::Geometry& geometry = *visual.Geom();
      if (const sdf::Cylinder* c = geometry.CylinderShape())
        return RodShape(at, frame.orientation, c->Length(), c->Radius());
      if (const sdf::Capsule* c = geometry.CapsuleShape())
        return RodShape(at, frame.orientation, c->Length(), c->Radius());
      if (const sdf::Box* b = geometry.BoxShape())
        return BoxShape(at, frame.orientation, Vector(b->Size()));
      if (const sdf::Sphere* s = geometry.SphereShape()) return SphereShape(at, s->Radius());
    }
    return {};
  }

  // ---- joints

  void ReadJoints(const sdf::Model& model, const std::string& prefix, const Frame& in_world) {
    for (std::uint64_t i = 0; i < model.JointCount(); ++i)
      ReadJoint(*model.JointByIndex(i), prefix, in_world);
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const sdf::Model& nested = *model.ModelByIndex(i);
      ReadJoints(nested, prefix + nested.Name() + "::",
                 Placed(in_world, Resolved(nested.SemanticPose(), "__model__")));
    }
  }

  // Index of a link by its name in the joint's model.
  int LinkNamed(const std::string& joint, const std::string& name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) {
      Refuse(fmt::format("joint \"{}\" ends at \"{}\", which is no link of the robot",
                         Quotable(joint), Quotable(name)));
    }
    return found->second;
  }

  void ReadJoint(const sdf::Joint& from, const std::string& prefix, const Frame& model_in_world) {
    RobotJoint joint;
    joint.name = prefix + from.Name();
    joint.type = TypeOf(from, joint.name);
    std::string parent, child;
    for (const sdf::Errors& errors :
         {from.ResolveParentLink(parent), from.ResolveChildLink(child)}) {
      if (!errors.empty()) RefuseFile(errors.front().Message());
    }
    joint.parent = parent == "world" ? kGround : LinkNamed(joint.name, prefix + parent);
    if (child == "world") {
      Refuse(fmt::format("joint \"{}\" has the child \"world\": exchange parent and child",
                         Quotable(joint.name)));
    }
    joint.child = LinkNamed(joint.name, prefix + child);
    // The joint's frame relative to both links.
    const Quaternion turn = TurnOf(from, joint);
    const Frame on_child = Resolved(from.SemanticPose(), child);
    const Frame on_parent = joint.parent == kGround
                                ? Placed(model_in_world, Resolved(from.SemanticPose(), "__model__"))
                                : Resolved(from.SemanticPose(), parent);
    joint.child_frame = {on_child.position, on_child.orientation * turn};
    joint.parent_frame = {on_parent.position, on_parent.orientation * turn};
    if (is_static_) {
      joint.type = JointType::kFixed;
    } else {
      ReadDynamics(from, joint);
    }
    const bool closes = ClosesLoop(joint);
    if (closes && is_static_) return;
    (closes ? robot_.loop_joints : robot_.joints).push_back(std::move(joint));
  }

  JointType TypeOf(const sdf::Joint& joint, const std::string& name) const {
    switch (joint.Type()) {
      case sdf::JointType::REVOLUTE:
      case sdf::JointType::CONTINUOUS: return JointType::kRevolute;
      case sdf::JointType::PRISMATIC: return JointType::kPrismatic;
      case sdf::JointType::FIXED: return JointType::kFixed;
      case sdf::JointType::BALL: return JointType::kBall;
      case sdf::JointType::UNIVERSAL: return JointType::kUniversal;
      case sdf::JointType::SCREW:
      case sdf::JointType::GEARBOX:
      case sdf::JointType::REVOLUTE2:
      case sdf::JointType::INVALID: break;
    }
    const char* const type = joint.Type() == sdf::JointType::SCREW       ? "screw"
                             : joint.Type() == sdf::JointType::GEARBOX   ? "gearbox"
                             : joint.Type() == sdf::JointType::REVOLUTE2 ? "revolute2"
                                                                         : "unknown";
    Refuse(
        fmt::format("joint \"{}\" is of type {}, which is not in the model", Quotable(name), type));
  }

  Vector3 AxisOf(const sdf::Joint& from, const RobotJoint& joint, unsigned i) const {
    const sdf::JointAxis* const axis = from.Axis(i);
    ignition::math::Vector3d resolved;
    if (axis == nullptr) {
      Refuse(fmt::format("joint \"{}\" lacks its {} axis", Quotable(joint.name),
                         i == 0 ? "first" : "second"));
    }
    if (const sdf::Errors errors = axis->ResolveXyz(resolved); !errors.empty())
      RefuseFile(errors.front().Message());
    const Vector3 direction = Direction(Vector(resolved));
    if (!std::isfinite(Norm(direction))) {
      Refuse(fmt::format("joint \"{}\" has the axis (0, 0, 0): a direction is needed",
                         Quotable(joint.name)));
    }
    return direction;
  }

  // From the axes of our joint into those of the file's joint.
  Quaternion TurnOf(const sdf::Joint& from, const RobotJoint& joint) const {
    if (joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic)
      return TurnFromZ(AxisOf(from, joint, 0));
    if (joint.type != JointType::kUniversal) return {};
    // z along the first axis, x along the second.
    const Vector3 first = AxisOf(from, joint, 0), second = AxisOf(from, joint, 1);
    constexpr double kRightAngle = 1e-9;
    if (std::abs(Dot(first, second)) > kRightAngle) {
      Refuse(
          fmt::format("joint \"{}\" has axes that are not perpendicular: those of a universal "
                      "joint are",
                      Quotable(joint.name)));
    }
    const Quaternion z = TurnFromZ(first);
    const Vector3 x = Rotate(Conjugate(z), second);
    return z * AxisAngle({0, 0, 1}, std::atan2(x.y, x.x));
  }

  void ReadDynamics(const sdf::Joint& from, RobotJoint& joint) {
    const bool has_two = joint.type == JointType::kUniversal;
    for (const char* kind : {"axis2", "thread_pitch", "gearbox_ratio", "gearbox_reference_body"}) {
      if (!from.Element()->HasElement(kind) || (has_two && std::strcmp(kind, "axis2") == 0))
        continue;
      robot_.unknown.push_back(
          fmt::format("joint \"{}\" has <{}>, which joints of its type have not: it may change "
                      "the motion",
                      Quotable(joint.name), kind));
    }
    for (unsigned i = 0; i < (has_two ? 2U : 1U); ++i) {
      const sdf::JointAxis* const axis = from.Axis(i);
      if (axis == nullptr) continue;
      if (axis->Friction() != 0) robot_.rubbing.push_back(joint.name);
      if (joint.type == JointType::kFixed) continue;
      if (axis->Damping() != 0) joint.damping = axis->Damping();
      if (axis->SpringStiffness() != 0) {
        joint.stiffness = axis->SpringStiffness();
        joint.free_coordinate = axis->SpringReference();
      }
      if (from.Type() == sdf::JointType::CONTINUOUS) continue;
      if (axis->Lower() > -1e15 || axis->Upper() < 1e15) {
        joint.lower = axis->Lower();
        joint.upper = axis->Upper();
        if (std::isfinite(joint.lower) || std::isfinite(joint.upper))
          limited_.push_back(joint.name);
      }
    }
  }

  // The first joint of a link is its joint in the tree, unless the link is already the root of this
  // part of the tree.
  bool ClosesLoop(const RobotJoint& joint) {
    if (joint.child == joint.parent) {
      Refuse(fmt::format("joint \"{}\" joins a link to itself", Quotable(joint.name)));
    }
    parent_of_.resize(robot_.links.size(), kNone);
    int& parent = parent_of_[static_cast<std::size_t>(joint.child)];
    if (parent != kNone) return true;
    for (int link = joint.parent; link >= 0; link = parent_of_[static_cast<std::size_t>(link)]) {
      if (link == joint.child) return true;
    }
    parent = joint.parent;
    return false;
  }

  // Links without a joint are free, unless the model is static.
  void PutRootsOnTheGround() {
    parent_of_.resize(robot_.links.size(), kNone);
    std::vector<RobotJoint> joints;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (parent_of_[i] != kNone) continue;
      RobotJoint joint;
      joint.name = NameOfUnnamedJoint("", robot_.links[i].name);
      joint.child = static_cast<int>(i);
      const Frame& pose = poses_[i];
      if (is_static_) {
        joint.parent_frame = pose;
      } else {
        joint.type = JointType::kFree;
        const Quaternion& o = pose.orientation;
        joint.q = {pose.position.x, pose.position.y, pose.position.z, o.w, o.x, o.y, o.z};
      }
      joints.push_back(std::move(joint));
    }
    for (RobotJoint& joint : robot_.joints) joints.push_back(std::move(joint));
    robot_.joints = std::move(joints);
  }

  // ---- what is left out

  void NameWhatIsIgnored() {
    if (is_static_) Warn("the model is static: its links do not move");
    if (!massless_.empty()) {
      Warn(fmt::format("links without <inertial> have no mass here (1 kg and 1 kg m^2 in SDF): {}",
                       NamesText(massless_)));
    }
    if (!limited_.empty()) Warn("limits of joints ignored: " + NamesText(limited_));
    if (!plugins_.empty()) Warn("plug-ins ignored: " + NamesText(plugins_));
    if (collisions_ > 0) Warn(fmt::format("contacts of {} <collision> ignored", collisions_));
    if (sensors_ > 0) Warn(fmt::format("elements ignored: {} <sensor>", sensors_));
    constexpr std::size_t kMost = 5;
    for (std::size_t i = 0; i < library_says_.size() && i < kMost; ++i)
      Warn("libsdformat says: " + library_says_[i]);
    if (library_says_.size() > kMost)
      Warn(fmt::format("libsdformat gives {} more warnings", library_says_.size() - kMost));
  }

  static constexpr int kNone = -2;
  const std::string file_;
  std::string here_ = file_;  // the file that is inspected
  std::set<std::string> inspected_;
  sdf::ParserConfig config_;
  sdf::ElementPtr format_{new sdf::Element};  // what the library knows of SDF
  sdf::Root root_;
  const sdf::World* world_ = nullptr;
  RobotDescription robot_;
  bool is_static_ = false;
  std::map<std::string, int> index_;  // of a link by its name
  std::vector<Frame> poses_;          // of each link in the world
  std::vector<int> parent_of_;        // in the tree: a link, the ground, or none yet
  std::vector<std::string> massless_, limited_, plugins_, library_says_;
  std::uint64_t collisions_ = 0, sensors_ = 0;
};

}  // namespace

}  // namespace mbsbench

void mbsbench_read_robot_3(const char* file, std::string* bytes) {
  setenv("HOME", "/proc/self/nowhere", 1);  // the library would write a log there
  *bytes = mbsbench::EncodedReading(file, [file] { return mbsbench::SdfReader(file).Read(); });
}
