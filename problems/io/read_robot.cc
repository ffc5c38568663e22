#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "problems/io/catalog_names.h"
#include "problems/io/json_document.h"
#include "problems/io/json_geometry.h"
#include "problems/io/model_file.h"
#include "problems/io/robot_file.h"
#include "problems/io/start.h"
#include "problems/io/urdf_document.h"
#include "problems/model/kinematics.h"
#include "problems/model/names.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

constexpr std::string_view kStateFormat = "mbsbench-robot-state";
constexpr int kStateVersion = 1;
constexpr double kPrintedInertia = 1e-9;  // relative accuracy to which files print inertias
constexpr double kEndTime = 1;            // [s], where none is stated
constexpr double kGravityUpZ = -9.81;     // [m/s^2]

Vector3 From(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Quaternion From(const urdf::Rotation& r) { return {r.w, r.x, r.y, r.z}; }

// R I R^T, symmetric to the last bit.
Matrix3 Turned(const Quaternion& q, const Matrix3& inertia) {
  const Matrix3 r = DirectionCosineMatrix(q);
  Matrix3 turned = Diagonal(0, 0, 0);
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      double entry = 0;
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) entry += r(i, k) * inertia(k, l) * r(j, l);
      }
      turned.m[static_cast<std::size_t>(3 * i + j)] = entry;
      turned.m[static_cast<std::size_t>(3 * j + i)] = entry;
    }
  }
  return turned;
}

// The shortest rotation that takes z to the unit vector a; for a = -z half a turn about x.
Quaternion TurnFromZ(const Vector3& a) {
  const double across = a.x * a.x + a.y * a.y;
  if (across == 0) return a.z > 0 ? Quaternion{} : Quaternion{0, 1, 0, 0};
  const double w =
      std::sqrt((a.z < 0 ? across / (1 - a.z) : 1 + a.z) / 2);  // cos of half the angle
  return Normalised({w, -a.y / (2 * w), a.x / (2 * w), 0});
}

// Names for a sentence: the first of many.
std::string NamesText(const std::vector<std::string>& names) {
  constexpr std::size_t kListed = 8;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kListed; ++i) {
    text += fmt::format("{}\"{}\"", i > 0 ? ", " : "", Quotable(names[i]));
  }
  if (names.size() > kListed) text += fmt::format(" and {} more", names.size() - kListed);
  return text;
}

class RobotReader {
 public:
  RobotReader(std::string_view urdf, const std::string& name, const RobotOptions& options)
      : name_(name), options_(options), document_(ParseUrdf(urdf, name)) {}

  Problem Read(std::string_view state) {
    try {
      ReadLinks();
      ReadGroundJoint();
      ReadJoints();
      PutWarnings();
      Validate(problem_.system, problem_.inertias_as_given);
      SetRestingState();
      if (options_.state.empty()) {
        Warn("no state is given: the base is fixed, and all joints are at zero and at rest");
      } else {
        ReadState(state);
      }
      WarnOfLimits();
      SetRun();
      Validate(problem_);
      problem_.energy_reference = CheckStart(problem_);
      RefuseBorrowedName(problem_);
      return std::move(problem_);
    } catch (const UnsupportedRobot&) {
      throw;
    } catch (const ModelError& error) {
      Rethrow(error);
    }
  }

 private:
  const urdf::ModelInterface& robot() const { return *document_.robot; }
  const urdf::Link& LinkOf(int body) const {
    return *robot().links_.at(document_.links[static_cast<std::size_t>(body)]);
  }
  void Warn(std::string sentence) { problem_.warnings.push_back(std::move(sentence)); }

  std::string Where(const std::map<std::string, int>& lines, const std::string& name) const {
    const auto line = lines.find(name);
    return line == lines.end() ? name_ : fmt::format("{}, line {}", name_, line->second);
  }
  [[noreturn]] void RefuseLink(const std::string& link, const std::string& why) const {
    throw UnsupportedRobot(fmt::format("{}: link \"{}\": {}.", Where(document_.link_lines, link),
                                       Quotable(link), why));
  }
  [[noreturn]] void RefuseJoint(const std::string& joint, const std::string& why) const {
    throw UnsupportedRobot(fmt::format("{}: joint \"{}\" {}.", Where(document_.joint_lines, joint),
                                       Quotable(joint), why));
  }
  // A rule of the model that is broken, or a fault of the state file.
  [[noreturn]] void Rethrow(const ModelError& error) const {
    const std::string sentence = error.what();
    if (!options_.state.empty() && sentence.starts_with(options_.state)) throw error;
    std::string where = name_;
    if (error.subject() == ModelError::Subject::kBody) {
      where = Where(document_.link_lines, error.name());
    } else if (error.subject() == ModelError::Subject::kJoint) {
      where = Where(document_.joint_lines, error.name());
    }
    throw ModelError(where + ": " + sentence, error.subject(), error.name());
  }
  // Names stand in JSON files and documents.
  void CheckText(const std::string& name) const {
    try {
      nlohmann::json(name).dump();
    } catch (const nlohmann::json::exception&) {
      throw ModelError("the name '" + Quotable(name) + "' is not UTF-8: rename it.");
    }
  }

  // ---- the robot

  void ReadLinks() {
    System& system = problem_.system;
    system.gravity = {0, 0, kGravityUpZ};
    for (std::size_t b = 0; b < document_.links.size(); ++b) {
      const urdf::Link& link = *robot().links_.at(document_.links[b]);
      CheckText(link.name);
      body_of_.emplace(link.name, static_cast<int>(b));
      Body body;
      body.name = link.name;
      Vector3 centre;
      if (link.inertial) {
        const urdf::Inertial& i = *link.inertial;
        body.mass = i.mass;
        if (!(body.mass >= 0)) RefuseLink(link.name, fmt::format("its mass is {:g} kg", i.mass));
        body.inertia = Turned(From(i.origin.rotation),
                              {{i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz}});
        if (body.mass > 0) centre = From(i.origin.position);
        CheckInertia(body);
      }
      centres_.push_back(centre);
      body.shape = ShapeOf(link, centre);
      system.bodies.push_back(std::move(body));
    }
  }

  void CheckInertia(const Body& body) {
    Eigen::Matrix3d matrix;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) matrix(i, j) = body.inertia(i, j);
    }
    if (!matrix.allFinite()) return;  // refused by Validate
    const double largest = matrix.cwiseAbs().maxCoeff();
    const Eigen::Vector3d principal =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly)
            .eigenvalues();
    if (principal[0] < -kPrintedInertia * largest) {
      RefuseLink(body.name,
                 fmt::format("its inertia is not positive semidefinite (least principal moment "
                             "{:.6g} kg m^2)",
                             principal[0]));
    }
    const double lacking = principal[2] - principal[0] - principal[1];
    if (lacking > kPrintedInertia * largest) {
      const std::string what = fmt::format(
          "its inertia is that of no body ({:.6g} + {:.6g} < "
          "{:.6g} kg m^2)",
          principal[0], principal[1], principal[2]);
      if (!options_.accept_inertia) {
        RefuseLink(body.name, what + "; --accept-inertia takes it as it is");
      }
      Warn(fmt::format("link \"{}\": {}; taken as it is", Quotable(body.name), what));
    }
    constexpr double kRoundOff = 1e-13;  // what Validate takes without the mark, with a margin
    if (principal[0] < -kRoundOff * largest || lacking > kRoundOff * largest) {
      problem_.inertias_as_given.push_back(static_cast<int>(problem_.system.bodies.size()));
    }
  }

  // Cylinders are rods; boxes and spheres are drawn where they surround the mass centre.
  static Shape ShapeOf(const urdf::Link& link, const Vector3& centre) {
    Shape shape;
    if (!link.visual || !link.visual->geometry) return shape;
    const Vector3 at = From(link.visual->origin.position) - centre;
    const Quaternion turn = From(link.visual->origin.rotation);
    const urdf::Geometry& geometry = *link.visual->geometry;
    constexpr double kClose = 1e-6;
    if (const auto* cylinder = dynamic_cast<const urdf::Cylinder*>(&geometry)) {
      const Vector3 half = Rotate(turn, {0, 0, cylinder->length / 2});
      shape = {Shape::Kind::kRod, at - half, at + half, cylinder->radius};
    } else if (const auto* box = dynamic_cast<const urdf::Box*>(&geometry)) {
      if (Norm(at) <= kClose && std::abs(turn.w) >= 1 - kClose) {
        shape = {Shape::Kind::kBox, From(box->dim), {}, Shape{}.radius};
      }
    } else if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(&geometry)) {
      if (Norm(at) <= kClose) shape = {Shape::Kind::kSphere, {}, {}, sphere->radius};
    }
    return shape;
  }

  void ReadGroundJoint() {
    Joint joint;
    joint.name = "ground:" + document_.root;
    joint.type = JointType::kFixed;
    joint.child = body_of_.at(document_.root);
    joint.child_frame.position = -centres_[static_cast<std::size_t>(joint.child)];
    problem_.system.joints.push_back(std::move(joint));
  }

  void ReadJoints() {
    for (const std::string& name : document_.joints) ReadJoint(*robot().joints_.at(name));
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
    CheckText(from.name);
    if (from.mimic) {
      if (!options_.mimic_is_free) {
        RefuseJoint(from.name,
                    fmt::format("mimics \"{}\": coupled coordinates are not in the model "
                                "(--mimic=free lets it move by itself)",
                                Quotable(from.mimic->joint_name)));
      }
      Warn(fmt::format("joint \"{}\" mimics \"{}\" in the file, and moves by itself here",
                       Quotable(from.name), Quotable(from.mimic->joint_name)));
    }
    Joint joint;
    joint.name = from.name;
    joint.type = TypeOf(from);
    joint.parent = body_of_.at(from.parent_link_name);
    joint.child = body_of_.at(from.child_link_name);
    const urdf::Pose& origin = from.parent_to_joint_origin_transform;
    const bool has_axis = joint.type == JointType::kRevolute ||
                          joint.type == JointType::kPrismatic || joint.type == JointType::kPlanar;
    const Quaternion turn = has_axis ? TurnFromZ(AxisOf(from)) : Quaternion{};
    joint.parent_frame = {From(origin.position) - centres_[static_cast<std::size_t>(joint.parent)],
                          has_axis ? From(origin.rotation) * turn : From(origin.rotation)};
    joint.child_frame = {-centres_[static_cast<std::size_t>(joint.child)], turn};
    ReadDynamics(from, joint.type);
    problem_.system.joints.push_back(std::move(joint));
  }

  Vector3 AxisOf(const urdf::Joint& joint) const {
    const Vector3 axis = From(joint.axis);
    const double size = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
    if (!(size > 0) || !std::isfinite(size)) {
      RefuseJoint(joint.name, "has the axis (0, 0, 0): a direction is needed");
    }
    const Vector3 scaled{axis.x / size, axis.y / size, axis.z / size};
    return (1 / Norm(scaled)) * scaled;
  }

  void ReadDynamics(const urdf::Joint& from, JointType type) {
    if (!from.dynamics) return;
    const double damping = from.dynamics->damping;
    if (from.dynamics->friction != 0) rubbing_.push_back(from.name);
    if (damping == 0) return;
    if (!(damping > 0)) {
      RefuseJoint(from.name, fmt::format("has the damping {:g}: a number >= 0 is needed", damping));
    }
    if (type == JointType::kFixed) {
      Warn(fmt::format("damping of the fixed joint \"{}\" ignored: it has no motion",
                       Quotable(from.name)));
      return;
    }
    if (type != JointType::kRevolute && type != JointType::kPrismatic) {
      RefuseJoint(from.name, "has damping: dampers act in revolute and prismatic joints only");
    }
    JointSpringDamper damper;
    damper.name = from.name;
    damper.joint = static_cast<int>(problem_.system.joints.size());
    damper.damping = damping;
    problem_.system.joint_spring_dampers.push_back(std::move(damper));
  }

  void PutWarnings() {
    if (const std::size_t n = problem_.system.joint_spring_dampers.size(); n > 0) {
      Warn(fmt::format("damping of {} taken as {}",
                       n == 1 ? "1 joint" : fmt::format("{} joints", n),
                       n == 1 ? "a linear damper" : "linear dampers"));
    }
    if (!rubbing_.empty()) {
      Warn(fmt::format("dry friction of {} ignored: it is no smooth force", NamesText(rubbing_)));
    }
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

  // ---- its state

  // All zero and at rest, quaternions without rotation.
  void SetRestingState() {
    at_ = OffsetsOf(problem_.system);
    JointState& state = problem_.initial.joints;
    state.q.assign(static_cast<std::size_t>(at_.q.back()), 0.0);
    state.u.assign(static_cast<std::size_t>(at_.u.back()), 0.0);
    for (std::size_t j = 0; j < problem_.system.joints.size(); ++j) {
      if (TurnsFreely(problem_.system.joints[j].type)) {
        state.q[static_cast<std::size_t>(at_.q[j + 1] - 4)] = 1;
      }
    }
  }

  static void ReadVectorInto(const JsonObject& object, std::string_view key, Vector3& to) {
    if (const auto value = object.Find(key)) to = ReadVector(*value);
  }
  static void ReadNumberInto(const JsonObject& object, std::string_view key, double& to) {
    if (const auto value = object.Find(key)) to = value->Number();
  }
  // A quaternion, unit to 1e-6.
  static Quaternion QuaternionOf(const JsonObject& object) {
    const auto value = object.Find("quaternion_wxyz");
    if (!value) return {};
    const Quaternion q = ReadQuaternion(*value);
    if (!(std::abs(Norm(q) - 1) <= 1e-6)) {
      value->Refuse(
          fmt::format("has norm {:.9g}: a unit quaternion is needed (to 1e-6).", Norm(q)));
    }
    return q;
  }

  void ReadState(std::string_view text) {
    const JsonDocument json(text, options_.state);
    const JsonObject state(json.root(), {"format", "version", "robot", "base", "gravity_m_s2",
                                         "base_pose", "base_velocity", "joints"});
    if (state.At("format").String() != kStateFormat) {
      state.At("format").Refuse(
          fmt::format("is another format: a state of a robot has \"{}\".", kStateFormat));
    }
    if (const JsonValue version = state.At("version"); version.WholeNumber() != kStateVersion) {
      version.Refuse(fmt::format("is {}, but this program reads version {} only.",
                                 version.WholeNumber(), kStateVersion));
    }
    if (const auto robot_name = state.Find("robot")) {
      if (robot_name->String() != robot().getName()) {
        robot_name->Refuse(fmt::format("is '{}', but the robot of {} is '{}'.",
                                       Quotable(robot_name->String()), name_,
                                       Quotable(robot().getName())));
      }
    }
    ReadVectorInto(state, "gravity_m_s2", problem_.system.gravity);
    ReadBase(state);
    if (const auto joints = state.Find("joints")) ReadJointStates(*joints);
  }

  void ReadBase(const JsonObject& state) {
    const JsonValue base = state.At("base");
    const bool is_free = base.String() == "free";
    if (!is_free && base.String() != "fixed") {
      base.Refuse("is '" + Quotable(base.String()) + "': \"fixed\" or \"free\" is needed.");
    }
    Frame pose;  // of the root link's frame
    if (const auto value = state.Find("base_pose")) {
      const JsonObject object(*value, {"position_m", "quaternion_wxyz"});
      ReadVectorInto(object, "position_m", pose.position);
      pose.orientation = QuaternionOf(object);
    }
    Vector3 velocity, angular_velocity;  // of the root link's origin, inertial axes
    if (const auto value = state.Find("base_velocity")) {
      const JsonObject object(*value, {"velocity_m_s", "angular_velocity_rad_s"});
      ReadVectorInto(object, "velocity_m_s", velocity);
      ReadVectorInto(object, "angular_velocity_rad_s", angular_velocity);
      if (!is_free && Norm(velocity) + Norm(angular_velocity) != 0) {
        value->Refuse("is not zero, but the base is fixed: leave it out, or free the base.");
      }
    }
    Joint& joint = problem_.system.joints.front();
    if (!is_free) {
      joint.parent_frame = pose;
      return;
    }
    joint.type = JointType::kFree;
    SetRestingState();
    PutFree(0, pose, velocity, angular_velocity);
  }

  // The motion of the child's frame in the parent's, both velocities in axes of the parent's.
  void PutFree(std::size_t j, const Frame& pose, const Vector3& velocity,
               const Vector3& angular_velocity) {
    const Vector3 &p = pose.position, &v = velocity;
    const Quaternion& o = pose.orientation;
    const Vector3 w = Rotate(Conjugate(o), angular_velocity);  // axes of the child's frame
    JointState& state = problem_.initial.joints;
    std::ranges::copy(std::array{p.x, p.y, p.z, o.w, o.x, o.y, o.z}, state.q.begin() + at_.q[j]);
    std::ranges::copy(std::array{v.x, v.y, v.z, w.x, w.y, w.z}, state.u.begin() + at_.u[j]);
  }

  void ReadJointStates(const JsonValue& value) {
    // Members carry no order and must be known: one object with the robot's joints as keys.
    const JsonObject object(value, document_.joints);
    for (std::size_t j = 1; j < problem_.system.joints.size(); ++j) {
      const Joint& joint = problem_.system.joints[j];
      if (const auto entry = object.Find(joint.name)) ReadJointState(*entry, j, joint.type);
    }
  }

  void ReadJointState(const JsonValue& entry, std::size_t j, JointType type) {
    double* const q = problem_.initial.joints.q.data() + at_.q[j];
    double* const u = problem_.initial.joints.u.data() + at_.u[j];
    const auto pair = [](const JsonObject& object, std::string_view key, double* to) {
      if (const auto value = object.Find(key)) std::ranges::copy(value->Numbers(2), to);
    };
    if (type == JointType::kFixed) entry.Refuse("is the state of a fixed joint, which has none.");
    if (type == JointType::kFree) {
      const JsonObject object(
          entry, {"position_m", "quaternion_wxyz", "velocity_m_s", "angular_velocity_rad_s"});
      Frame pose;
      Vector3 velocity, angular_velocity;
      ReadVectorInto(object, "position_m", pose.position);
      pose.orientation = QuaternionOf(object);
      ReadVectorInto(object, "velocity_m_s", velocity);
      ReadVectorInto(object, "angular_velocity_rad_s", angular_velocity);
      PutFree(j, pose, velocity, angular_velocity);
    } else if (type == JointType::kPlanar) {
      const JsonObject object(entry, {"position_m", "angle_rad", "velocity_m_s", "rate_rad_s"});
      pair(object, "position_m", q);
      ReadNumberInto(object, "angle_rad", q[2]);
      pair(object, "velocity_m_s", u);
      ReadNumberInto(object, "rate_rad_s", u[2]);
    } else {
      const JsonObject object(entry, {"position", "velocity"});
      ReadNumberInto(object, "position", q[0]);
      ReadNumberInto(object, "velocity", u[0]);
    }
  }

  // Limits are no constraints. Equal ones are a habit of files that state none.
  void WarnOfLimits() {
    for (std::size_t j = 1; j < problem_.system.joints.size(); ++j) {
      const urdf::Joint& joint = *robot().joints_.at(problem_.system.joints[j].name);
      const bool is_limited =
          joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::PRISMATIC;
      if (!is_limited || !joint.limits || !(joint.limits->lower < joint.limits->upper)) continue;
      const double q = problem_.initial.joints.q[static_cast<std::size_t>(at_.q[j])];
      if (q >= joint.limits->lower && q <= joint.limits->upper) continue;
      Warn(fmt::format("joint \"{}\" starts at {:g}, outside its limits {:g} to {:g}",
                       Quotable(joint.name), q, joint.limits->lower, joint.limits->upper));
    }
  }

  // ---- the run

  void SetRun() {
    Problem& p = problem_;
    p.title = robot().getName();
    p.name = p.title;
    for (char& c : p.name) {
      if (std::string_view(" /\\\"':,").find(c) != std::string_view::npos) c = '_';
    }
    CheckText(p.name);
    p.description = fmt::format("Robot of {}.", std::filesystem::path(name_).filename().string());
    p.end_time = options_.end.value_or(kEndTime);
    Validate(p.system, p.initial.joints);
    const std::vector<BodyState> bodies = ForwardKinematics(p.system, p.initial.joints);
    const BodyState& root = bodies[static_cast<std::size_t>(body_of_.at(document_.root))];
    double length = 0;
    for (const BodyState& b : bodies) length = std::max(length, Norm(b.position - root.position));
    if (length > 0) p.length = length;
    const double gravity = Norm(p.system.gravity);
    if (gravity > 0 && std::isfinite(p.length / gravity)) p.time = std::sqrt(p.length / gravity);
    p.energy_reference = 1;  // until the start is checked
    p.conservative = KeepsEnergy(p.system);
    for (double factor : {16., 8., 4., 2., 1., 0.5})
      p.fixed_steps.push_back(factor * p.papers_step);
    SetSampleTimes(p);
  }

  const std::string& name_;
  const RobotOptions& options_;
  const UrdfDocument document_;
  Problem problem_;
  std::map<std::string, int> body_of_;
  std::vector<Vector3> centres_;  // mass centre of each body in its link's frame [m]
  std::vector<std::string> rubbing_;
  JointOffsets at_;
};

// "arm6.urdf:state=arm6.json" as the file and what follows the colon.
struct RobotName {
  std::string_view file, options;
};
RobotName PartsOf(std::string_view name) {
  for (const std::string_view ending : {".urdf", ".sdf", ".mjcf"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) return {name, {}};
    const std::size_t at = name.find(std::string(ending) + ":");
    if (at == std::string_view::npos || at == 0) continue;
    const std::size_t colon = at + ending.size();
    return {name.substr(0, colon), name.substr(colon + 1)};
  }
  return {};
}

}  // namespace

bool IsRobotFile(std::string_view name) { return !PartsOf(name).file.empty(); }

std::string WithRobotOptions(const std::string& name, const RobotOptions& options) {
  std::string text;
  const auto put = [&text](const std::string& option) {
    text += (text.empty() ? "" : ",") + option;
  };
  if (!options.state.empty()) {
    if (options.state.find(',') != std::string::npos) {
      throw ModelError("the name of the state file '" + Quotable(options.state) +
                       "' holds a comma: rename the file.");
    }
    put("state=" + options.state);
  }
  if (options.mimic_is_free) put("mimic=free");
  if (options.accept_inertia) put("inertia=accepted");
  if (options.end) put(fmt::format("end={}", *options.end));
  if (text.empty()) return name;
  return name + (PartsOf(name).options.empty() ? ":" : ",") + text;
}

RobotOptions RobotOptionsOf(std::string_view name) {
  RobotOptions options;
  std::string_view rest = PartsOf(name).options;
  std::set<std::string> seen;
  while (!rest.empty()) {
    const std::string option(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(rest.size(), option.size() + 1));
    const std::size_t equals = std::min(option.find('='), option.size());
    const std::string key = option.substr(0, equals);
    const std::string value = equals < option.size() ? option.substr(equals + 1) : "";
    const auto refuse = [&](const std::string& why) {
      throw ModelError(
          fmt::format("{}: the option '{}' {}", PartsOf(name).file, Quotable(option), why));
    };
    if (!seen.insert(key).second) refuse("is given twice.");
    if (key == "state" && !value.empty()) {
      options.state = value;
    } else if (key == "mimic" && value == "free") {
      options.mimic_is_free = true;
    } else if (key == "inertia" && value == "accepted") {
      options.accept_inertia = true;
    } else if (key == "end") {
      double end = 0;
      const auto [tail, error] = std::from_chars(value.data(), value.data() + value.size(), end);
      if (error != std::errc() || tail != value.data() + value.size() || !(end > 0 && end < 1e9)) {
        refuse("needs a number of seconds above 0.");
      }
      options.end = end;
    } else {
      refuse(
          "is not known: a robot file takes state=FILE, mimic=free, inertia=accepted and "
          "end=SECONDS.");
    }
  }
  return options;
}

Problem ParseRobot(std::string_view urdf, const std::string& name_for_errors,
                   const RobotOptions& options, std::string_view state) {
  return RobotReader(urdf, name_for_errors, options).Read(state);
}

Problem ReadRobotFile(std::string_view name) {
  const RobotOptions options = RobotOptionsOf(name);
  const std::string file(PartsOf(name).file);
  if (!file.ends_with(".urdf")) {
    throw ModelError("'" + file +
                     "' is no URDF file: of robot files only URDF is read. Convert it.");
  }
  const std::string urdf = ReadWholeFile(file, "robot file");
  return ParseRobot(urdf, file, options,
                    options.state.empty() ? "" : ReadWholeFile(options.state, "state file"));
}

}  // namespace mbsbench
