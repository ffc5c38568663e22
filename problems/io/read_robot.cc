#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "problems/io/catalog_names.h"
#include "problems/io/json_document.h"
#include "problems/io/json_geometry.h"
#include "problems/io/model_file.h"
#include "problems/io/read_urdf.h"
#include "problems/io/robot_description.h"
#include "problems/io/robot_file.h"
#include "problems/io/robot_plugins.h"
#include "problems/io/start.h"
#include "problems/model/forces.h"
#include "problems/model/kinematics.h"
#include "problems/model/loop_misfit.h"
#include "problems/model/names.h"
#include "problems/model/rough_assembly.h"
#include "problems/model/validation.h"
#include "problems/model/zero_coordinates.h"

namespace mbsbench {

namespace {

constexpr std::string_view kStateFormat = "mbsbench-robot-state";
constexpr int kStateVersion = 1;
constexpr double kPrintedInertia = 1e-9;  // relative accuracy to which files print inertias
constexpr double kEndTime = 1;            // [s], where none is stated
constexpr std::string_view kEndings[] = {".urdf", ".xacro", ".sdf", ".world", ".mjcf", ".xml"};

// Converts a robot description and its state file into a problem.
class RobotReader {
 public:
  RobotReader(RobotDescription robot, const std::string& name, const RobotOptions& options)
      : robot_(std::move(robot)), name_(name), options_(options) {}

  Problem Read(std::string_view state) {
    try {
      RefuseWhatIsUnknown();
      RenameGround();
      FindBase();
      FindIdleJoints();
      ReadLinks();
      ReadJoints();
      PutWarnings();
      Validate(problem_.system, problem_.inertias_as_given);
      SetStart();
      if (options_.state.empty()) {
        WarnOfNoState();
      } else {
        ReadState(state);
      }
      Weld();
      WarnOfLimits();
      SetRun();
      CloseLoops();
      Validate(problem_);
      problem_.energy_reference = CheckStart(problem_);
      return std::move(problem_);
    } catch (const UnsupportedRobot&) {
      throw;
    } catch (const ModelError& error) {
      Rethrow(error);
    }
  }

 private:
  void Warn(std::string sentence) { problem_.warnings.push_back(std::move(sentence)); }

  std::string Where(int line) const {
    return line > 0 ? fmt::format("{}, line {}", name_, line) : name_;
  }
  [[noreturn]] void RefuseLink(const RobotLink& link, const std::string& why) const {
    throw UnsupportedRobot(
        fmt::format("{}: link \"{}\": {}.", Where(link.line), Quotable(link.name), why));
  }
  [[noreturn]] void RefuseJoint(const RobotJoint& joint, const std::string& why) const {
    throw UnsupportedRobot(
        fmt::format("{}: joint \"{}\" {}.", Where(joint.line), Quotable(joint.name), why));
  }
  // A rule of the model that is broken, or a fault of the state file.
  [[noreturn]] void Rethrow(const ModelError& error) const {
    const std::string sentence = error.what();
    if (!options_.state.empty() && sentence.starts_with(options_.state)) throw error;
    int line = 0;
    const auto line_in = [&](const auto& elements) {
      const auto found = std::ranges::find_if(
          elements, [&](const auto& element) { return element.name == error.name(); });
      return found == elements.end() ? 0 : found->line;
    };
    if (error.subject() == ModelError::Subject::kBody) line = line_in(robot_.links);
    if (error.subject() == ModelError::Subject::kJoint) line = line_in(robot_.joints);
    throw ModelError(Where(line) + ": " + sentence, error.subject(), error.name());
  }
  static bool IsUtf8(const std::string& text) {
    try {
      nlohmann::json(text).dump();
      return true;
    } catch (const nlohmann::json::exception&) {
      return false;
    }
  }
  // Names stand in JSON files and documents.
  static void CheckText(const std::string& name) {
    if (!IsUtf8(name))
      throw ModelError("the name '" + Quotable(name) + "' is not UTF-8: rename it.");
  }

  // ---- the robot

  void RefuseWhatIsUnknown() const {
    if (!options_.strict || robot_.unknown.empty()) return;
    throw UnsupportedRobot(fmt::format("{}: {} (--strict).", name_, robot_.unknown.front()));
  }

  // The name of the inertial frame in model files.
  void RenameGround() {
    const auto named = [this](const std::string& name) {
      return std::ranges::find(robot_.links, name, &RobotLink::name);
    };
    const auto link = named("ground");
    if (link == robot_.links.end()) return;
    link->name = FreeName(
        "ground_link", [&](const std::string& name) { return named(name) != robot_.links.end(); });
    Warn(fmt::format("link \"ground\" is called \"{}\" here: \"ground\" is the inertial frame",
                     link->name));
  }

  // Joints that move nothing but links without mass and inertia have no equation of motion. Loops keep their joints, and so
  // does the base.
  void FindIdleJoints() {
    const auto n = robot_.links.size();
    std::vector<int> parent_of(n, kGround);
    for (const RobotJoint& joint : robot_.joints)
      parent_of[static_cast<std::size_t>(joint.child)] = joint.parent;
    std::vector<bool> counts(n, false);
    const auto count = [&](int link) {
      for (; link >= 0 && !counts[static_cast<std::size_t>(link)];
           link = parent_of[static_cast<std::size_t>(link)])
        counts[static_cast<std::size_t>(link)] = true;
    };
    for (std::size_t i = 0; i < n; ++i) {
      const RobotLink& link = robot_.links[i];
      const auto& entries = link.inertia.entries;
      if (link.mass != 0 || std::ranges::any_of(entries, [](double x) { return x != 0; }))
        count(static_cast<int>(i));
    }
    for (const RobotJoint& joint : robot_.loop_joints) {
      count(joint.parent);
      count(joint.child);
    }
    std::vector<std::string> idle;
    welds_.assign(robot_.joints.size(), false);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const RobotJoint& joint = robot_.joints[j];
      if (joint.type == JointType::kFixed || static_cast<int>(j) == base_ ||
          counts[static_cast<std::size_t>(joint.child)])
        continue;
      idle.push_back(joint.name);
      welds_[j] = options_.weld_massless;
    }
    if (idle.empty()) return;
    Warn(options_.weld_massless
             ? fmt::format("joints that move only links without mass are welded: {}",
                           NamesText(idle))
             : fmt::format("joints that move only links without mass have no equation of motion "
                           "(--weld-massless makes them fixed): {}",
                           NamesText(idle)));
  }

  void ReadLinks() {
    problem_.system.gravity = robot_.gravity;
    for (const RobotLink& link : robot_.links) {
      CheckText(link.name);
      if (!(link.mass >= 0)) RefuseLink(link, fmt::format("its mass is {:g} kg", link.mass));
      CheckInertia(link);
      Body body;
      body.name = link.name;
      body.mass = link.mass;
      body.inertia = link.inertia;
      body.shape = link.shape;
      problem_.system.bodies.push_back(std::move(body));
    }
  }

  void CheckInertia(const RobotLink& link) {
    Eigen::Matrix3d matrix;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) matrix(i, j) = link.inertia(i, j);
    }
    if (!matrix.allFinite()) return;  // refused by Validate
    const double largest = matrix.cwiseAbs().maxCoeff();
    const Eigen::Vector3d principal =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly)
            .eigenvalues();
    if (principal[0] < -kPrintedInertia * largest) {
      RefuseLink(link,
                 fmt::format("its inertia is not positive semidefinite (least principal moment "
                             "{:.6g} kg m^2)",
                             principal[0]));
    }
    const double lacking = principal[2] - principal[0] - principal[1];
    if (lacking > kPrintedInertia * largest) {
      const std::string what = fmt::format(
          "no rigid body can have its inertia ({:.6g} + {:.6g} < "
          "{:.6g} kg m^2)",
          principal[0], principal[1], principal[2]);
      if (!options_.accept_inertia) {
        RefuseLink(link, what + "; --accept-inertia takes it as it is");
      }
      Warn(fmt::format("link \"{}\": {}; taken as it is", Quotable(link.name), what));
    }
    constexpr double kRoundOff = 1e-13;  // accepted by Validate without the mark, with a margin
    if (principal[0] < -kRoundOff * largest || lacking > kRoundOff * largest) {
      problem_.inertias_as_given.push_back(static_cast<int>(problem_.system.bodies.size()));
    }
  }

  Vector3 CentreOf(int link) const {
    return link == kGround ? Vector3{} : robot_.links[static_cast<std::size_t>(link)].centre;
  }

  Joint JointOf(const RobotJoint& from) const {
    CheckText(from.name);
    Joint joint;
    joint.name = from.name;
    joint.type = from.type;
    joint.parent = from.parent;
    joint.child = from.child;
    joint.parent_frame = {from.parent_frame.position - CentreOf(from.parent),
                          from.parent_frame.orientation};
    joint.child_frame = {from.child_frame.position - CentreOf(from.child),
                         from.child_frame.orientation};
    return joint;
  }

  void ReadJoints() {
    System& system = problem_.system;
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const RobotJoint& from = robot_.joints[j];
      if (!welds_[j]) {
        AddSpringDamper(from);
        AddMotor(from);
      }
      system.joints.push_back(JointOf(from));
    }
    for (const RobotJoint& from : robot_.loop_joints) {
      if (from.damping != 0 || from.stiffness != 0) {
        RefuseJoint(from,
                    "closes a loop and has a spring or a damper, which act in joints of the tree: "
                    "state another joint of this link before it");
      }
      system.loop_joints.push_back(JointOf(from));
    }
  }

  void AddSpringDamper(const RobotJoint& from) {
    if (from.damping == 0 && from.stiffness == 0) return;
    if (!(from.damping >= 0)) {
      RefuseJoint(from, fmt::format("has the damping {:g}: a number >= 0 is needed", from.damping));
    }
    if (!(from.stiffness >= 0)) {
      RefuseJoint(from,
                  fmt::format("has the stiffness {:g}: a number >= 0 is needed", from.stiffness));
    }
    if (from.type != JointType::kRevolute && from.type != JointType::kPrismatic) {
      RefuseJoint(from, fmt::format("has {}: {} act in revolute and prismatic joints only",
                                    from.damping != 0 ? "damping" : "stiffness",
                                    from.damping != 0 ? "dampers" : "springs"));
    }
    JointSpringDamper element;
    element.name = from.name;
    element.joint = static_cast<int>(problem_.system.joints.size());
    element.stiffness = from.stiffness;
    element.damping = from.damping;
    element.free_coordinate = from.free_coordinate;
    problem_.system.forces.Of<JointSpringDamper>().push_back(std::move(element));
  }

  void AddMotor(const RobotJoint& from) {
    if (from.effort == 0) return;
    const auto is_joint = [this](const std::string& name) {
      return std::ranges::find(robot_.joints, name, &RobotJoint::name) != robot_.joints.end();
    };
    Motor motor;
    motor.name = FreeName(from.name + " motor", is_joint);  // a spring has the name of its joint
    motor.joint = static_cast<int>(problem_.system.joints.size());
    motor.turns = from.type == JointType::kRevolute;
    motor.effort = EffortOverTime::Constant(from.effort);
    problem_.system.forces.Of<Motor>().push_back(std::move(motor));
  }

  void PutWarnings() {
    const auto damped =
        std::ranges::count_if(problem_.system.forces.Of<JointSpringDamper>(),
                              [](const JointSpringDamper& e) { return e.damping != 0; });
    if (damped > 0) {
      Warn(fmt::format("damping of {} taken as {}",
                       damped == 1 ? "1 joint" : fmt::format("{} joints", damped),
                       damped == 1 ? "a linear damper" : "linear dampers"));
    }
    if (!robot_.rubbing.empty()) {
      Warn(fmt::format("dry friction of {} ignored: it is not a smooth force",
                       NamesText(robot_.rubbing)));
    }
    std::vector<std::string> warnings = robot_.warnings;
    warnings.insert(warnings.end(), robot_.unknown.begin(), robot_.unknown.end());
    for (std::string& warning : warnings) {
      // A library may quote bytes of any kind; warnings stand in JSON files.
      if (!IsUtf8(warning))
        std::ranges::replace_if(
            warning, [](char c) { return c < 0; }, '?');
      Warn(std::move(warning));
    }
  }

  // The joint that the state file fixes or frees: the only one on the ground, if it is fixed or free.
  void FindBase() {
    const auto stands = [](const RobotJoint& j) { return j.parent == kGround; };
    const auto first = std::ranges::find_if(robot_.joints, stands);
    if (first == robot_.joints.end()) return;  // refused by Validate
    root_ = first->child;
    const bool can_be_held = first->type == JointType::kFixed || first->type == JointType::kFree;
    if (std::ranges::count_if(robot_.joints, stands) == 1 && can_be_held)
      base_ = static_cast<int>(first - robot_.joints.begin());
  }

  // ---- its state

  // The start in the file, else zero and at rest, quaternions without rotation.
  void SetStart() {
    at_ = OffsetsOf(problem_.system);
    JointState& state = problem_.initial.joints;
    state = ZeroCoordinates(problem_.system);
    for (std::size_t j = 0; j < problem_.system.joints.size(); ++j) {
      const RobotJoint& from = robot_.joints[j];
      if (from.type != problem_.system.joints[j].type)
        continue;  // the base is of another type in the state file
      std::ranges::copy(from.q, state.q.begin() + at_.q[j]);
      std::ranges::copy(from.u, state.u.begin() + at_.u[j]);
    }
  }

  void WarnOfNoState() {
    if (!robot_.states_base) {
      Warn("no state is given: the base is fixed, and all joints are at zero and at rest");
      return;
    }
    Warn(fmt::format("no state is given: the robot starts as its file states{}",
                     base_ < 0
                         ? ""
                         : (robot_.joints[static_cast<std::size_t>(base_)].type == JointType::kFree
                                ? ", the base free"
                                : ", the base fixed")));
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
      value->Refuse(fmt::format(
          "has norm {:.9g}: a unit quaternion is needed (to 1e-6, which takes 7 digits).",
          Norm(q)));
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
      if (robot_name->String() != robot_.name) {
        robot_name->Refuse(fmt::format("is '{}', but the robot of {} is '{}'.",
                                       Quotable(robot_name->String()), name_,
                                       Quotable(robot_.name)));
      }
    }
    ReadVectorInto(state, "gravity_m_s2", problem_.system.gravity);
    ReadBase(state);
    if (const auto joints = state.Find("joints")) ReadJointStates(*joints);
  }

  void ReadBase(const JsonObject& state) {
    if (base_ < 0) {
      for (const char* field : {"base_pose", "base_velocity"}) {
        if (const auto value = state.Find(field)) value->Refuse(HowItStands());
      }
      if (const auto base = state.Find("base"); base && base->String() != "fixed")
        base->Refuse(HowItStands());
      return;
    }
    const auto b = static_cast<std::size_t>(base_);
    const RobotJoint& from = robot_.joints[b];
    bool is_free = from.type == JointType::kFree;
    if (!robot_.states_base || state.Find("base")) {
      const JsonValue base = state.At("base");
      is_free = base.String() == "free";
      if (!is_free && base.String() != "fixed") {
        base.Refuse("is '" + Quotable(base.String()) + "': \"fixed\" or \"free\" is needed.");
      }
    }
    // Pose of the root link's frame in the file, in inertial axes.
    Frame pose = from.parent_frame;
    Vector3 velocity, angular_velocity;
    if (from.type == JointType::kFree) {
      const auto at = [](const std::vector<double>& x, std::size_t i) {
        return i < x.size() ? x[i] : 0;
      };
      if (!from.q.empty())
        pose = {{from.q[0], from.q[1], from.q[2]}, {from.q[3], from.q[4], from.q[5], from.q[6]}};
      velocity = {at(from.u, 0), at(from.u, 1), at(from.u, 2)};
      angular_velocity = Rotate(pose.orientation, {at(from.u, 3), at(from.u, 4), at(from.u, 5)});
    }
    if (const auto value = state.Find("base_pose")) {
      const JsonObject object(*value, {"position_m", "quaternion_wxyz"});
      pose = {};
      ReadVectorInto(object, "position_m", pose.position);
      pose.orientation = QuaternionOf(object);
    }
    if (const auto value = state.Find("base_velocity")) {
      const JsonObject object(*value, {"velocity_m_s", "angular_velocity_rad_s"});
      velocity = angular_velocity = {};
      ReadVectorInto(object, "velocity_m_s", velocity);
      ReadVectorInto(object, "angular_velocity_rad_s", angular_velocity);
      if (!is_free && Norm(velocity) + Norm(angular_velocity) != 0) {
        value->Refuse("is not zero, but the base is fixed: leave it out, or free the base.");
      }
    }
    Joint& joint = problem_.system.joints[b];
    joint.type = is_free ? JointType::kFree : JointType::kFixed;
    joint.parent_frame = is_free ? Frame{} : pose;
    SetStart();
    if (is_free) PutFree(b, pose, velocity, angular_velocity);
  }

  std::string HowItStands() const {
    std::vector<std::string> roots;
    for (const RobotJoint& joint : robot_.joints) {
      if (joint.parent == kGround) roots.push_back(joint.name);
    }
    if (roots.size() == 1) {
      return fmt::format(
          "cannot be set: the root link is attached to the ground by the joint \"{}\"; leave it "
          "out.",
          Quotable(roots.front()));
    }
    return fmt::format(
        "cannot be set: {} links are attached to the ground; leave it out and state those that are "
        "free by their joints {}.",
        roots.size(), NamesText(roots));
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
    std::vector<std::string> names;
    for (const RobotJoint& joint : robot_.joints) names.push_back(joint.name);
    if (base_ >= 0) names.erase(names.begin() + base_);
    const JsonObject object(value, names);
    for (std::size_t j = 0; j < problem_.system.joints.size(); ++j) {
      if (static_cast<int>(j) == base_) continue;
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
    } else if (type == JointType::kBall) {
      const JsonObject object(entry, {"quaternion_wxyz", "angular_velocity_rad_s"});
      const Quaternion turn = QuaternionOf(object);
      Vector3 rates;  // axes of the parent's frame
      ReadVectorInto(object, "angular_velocity_rad_s", rates);
      rates = Rotate(Conjugate(turn), rates);
      std::ranges::copy(std::array{turn.w, turn.x, turn.y, turn.z}, q);
      std::ranges::copy(std::array{rates.x, rates.y, rates.z}, u);
    } else if (type == JointType::kUniversal) {
      const JsonObject object(entry, {"angles_rad", "rates_rad_s"});
      pair(object, "angles_rad", q);
      pair(object, "rates_rad_s", u);
    } else {
      const JsonObject object(entry, {"position", "velocity"});
      ReadNumberInto(object, "position", q[0]);
      ReadNumberInto(object, "velocity", u[0]);
    }
  }

  // Makes joints fixed in the position where they start.
  void Weld() {
    JointState& state = problem_.initial.joints;
    for (std::size_t j = welds_.size(); j-- > 0;) {  // at_ holds for those before
      if (!welds_[j]) continue;
      const auto [q, q_end, u, u_end] =
          std::array{state.q.begin() + at_.q[j], state.q.begin() + at_.q[j + 1],
                     state.u.begin() + at_.u[j], state.u.begin() + at_.u[j + 1]};
      Joint& joint = problem_.system.joints[j];
      if (std::any_of(u, u_end, [](double rate) { return rate != 0; })) {
        RefuseJoint(robot_.joints[j],
                    "moves only links without mass and starts with a velocity: --weld-massless "
                    "makes it fixed, so state none");
      }
      System alone;
      alone.bodies.emplace_back();
      alone.joints.emplace_back().type = joint.type;
      const BodyState moved = ForwardKinematics(alone, {{q, q_end}, {u, u_end}})[0];
      const auto& [position, orientation] = joint.parent_frame;
      joint.parent_frame = {position + Rotate(orientation, moved.position),
                            Normalised(orientation * moved.orientation)};
      joint.type = JointType::kFixed;
      state.q.erase(q, q_end);
      state.u.erase(u, u_end);
    }
    at_ = OffsetsOf(problem_.system);
  }

  // Limits are not constraints. Equal limits are common in files that mean none.
  void WarnOfLimits() {
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const RobotJoint& joint = robot_.joints[j];
      const JointType type = problem_.system.joints[j].type;
      if (type != JointType::kRevolute && type != JointType::kPrismatic) continue;
      if (!(joint.lower < joint.upper)) continue;
      const double q = problem_.initial.joints.q[static_cast<std::size_t>(at_.q[j])];
      if (q >= joint.lower && q <= joint.upper) continue;
      Warn(fmt::format("joint \"{}\" starts at {:g}, outside its limits {:g} to {:g}",
                       Quotable(joint.name), q, joint.lower, joint.upper));
    }
  }

  // ---- the run

  void SetRun() {
    Problem& p = problem_;
    p.title = robot_.name.empty() ? std::filesystem::path(name_).stem().string() : robot_.name;
    p.name = p.title;
    for (char& c : p.name) {
      if (std::string_view(" /\\\"':,").find(c) != std::string_view::npos) c = '_';
    }
    CheckText(p.name);
    // References are found by name, and the catalogue has robots too.
    if (IsCatalogueName(p.name)) p.name += "-robot";
    p.description = fmt::format("Robot of {}.", std::filesystem::path(name_).filename().string());
    p.end_time = options_.end.value_or(kEndTime);
    Validate(p.system, p.initial.joints);
    const std::vector<BodyState> bodies = ForwardKinematics(p.system, p.initial.joints);
    const BodyState& root = bodies[static_cast<std::size_t>(root_)];
    double length = 0;
    for (const BodyState& b : bodies) length = std::max(length, Norm(b.position - root.position));
    p.length = length > 0 ? length : LengthOf(p.system, bodies);
    p.time = TimeOf(p.system, p.length);
    p.energy_reference = 1;  // until the start is checked
    p.conservative = !HasNonConservativeForces(p.system);
    for (double factor : {16., 8., 4., 2., 1., 0.5})
      p.fixed_steps.push_back(factor * p.papers_step);
    SetSampleTimes(p);
  }

  // Files contain frames with a limited number of digits, so loops do not close exactly.
  void CloseLoops() {
    System& system = problem_.system;
    if (system.loop_joints.empty()) return;
    constexpr double kPrinted = 1e-6;
    BoundAssembly(problem_, Movable::kAll);
    system.loop_precision = options_.loop_precision;
    const RoughAssembly assembled =
        AssembleFromGuess(system, problem_.initial, problem_.length, Rounding::kTaken);
    problem_.initial = assembled.closed;
    if (assembled.loop_precision > system.loop_precision) {
      system.loop_precision = assembled.loop_precision;
      Warn(fmt::format(
          "frames of the loops are rounded: constraints that differ by less than a hundred times "
          "{0:.2g} of the length of a loop count as one (loops={0:.2g})",
          system.loop_precision));
    }
    if (assembled.farthest > kPrinted) {
      Warn(
          fmt::format("the loops were open by {:.2g} of the length {:.3g} m; closing them moved "
                      "coordinates by at most {:.2g} rad or lengths",
                      assembled.residual_before, problem_.length, assembled.farthest));
    }
    WarnOfLockedLoops();
  }

  // Constraints that are independent by little may be one constraint that the file states twice.
  void WarnOfLockedLoops() {
    constexpr double kLittle = 1e-3;  // of a row of unit length
    const System& system = problem_.system;
    const LoopFreedom freedom = LoopFreedomOf(system, problem_.initial.joints, problem_.length);
    if (!freedom.is_known || (freedom.rates > 0 && freedom.least > kLittle)) return;
    std::string warning = freedom.rates > 0
                              ? "a constraint of the loops is almost the same as others"
                              : "the loops leave no freedom";
    if (freedom.least <= kLittle) {
      warning += fmt::format(" (relative size {:.2g}); if its frames are rounded, ", freedom.least);
      warning += freedom.frees > 0 ? fmt::format("loops={:.2g} counts them as one", freedom.frees)
                                   : "give them with more digits";
    }
    Warn(std::move(warning));
  }

  RobotDescription robot_;
  const std::string& name_;
  const RobotOptions& options_;
  Problem problem_;
  int base_ = -1, root_ = 0;  // a joint and a link
  std::vector<bool> welds_;   // joints that --weld-massless makes fixed
  JointOffsets at_;
};

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// "arm6.urdf:state=arm6.json" as the file and what follows the colon.
struct RobotName {
  std::string_view file, options;
};
RobotName PartsOf(std::string_view name) {
  const std::string lower = LowerCase(name);
  std::size_t first = std::string::npos;
  for (const std::string_view ending : kEndings) {
    if (lower.size() > ending.size() && lower.ends_with(ending))
      first = std::min(first, name.size());
    const std::size_t at = lower.find(std::string(ending) + ":");
    if (at != std::string::npos && at > 0) first = std::min(first, at + ending.size());
  }
  if (first == std::string::npos) return {};
  return {name.substr(0, first), name.substr(std::min(first + 1, name.size()))};
}

// The reader of a file: that of its ending, or for .xml that of its root element.
std::string FormatOf(const std::string& file, std::string_view text) {
  const std::string lower = LowerCase(file);
  if (lower.ends_with(".sdf") || lower.ends_with(".world")) return "sdf";
  if (lower.ends_with(".mjcf")) return "mjcf";
  if (!lower.ends_with(".xml")) return "urdf";
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos;) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<robot")) return "urdf";
    if (rest.starts_with("<sdf")) return "sdf";
    const bool is_comment = rest.starts_with("<!--");
    if (!is_comment && !rest.starts_with("<?")) break;
    at = text.find(is_comment ? "-->" : ">", at);
  }
  return "mjcf";
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
  if (options.strict) put("unknown=refused");
  if (options.weld_massless) put("massless=welded");
  if (options.loop_precision != 0) put(fmt::format("loops={}", options.loop_precision));
  if (options.end) put(fmt::format("end={}", *options.end));
  if (text.empty()) return name;
  return name + (PartsOf(name).options.empty() ? ":" : ",") + text;
}

std::string RobotFileOf(std::string_view name) { return std::string(PartsOf(name).file); }

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
    } else if (key == "unknown" && value == "refused") {
      options.strict = true;
    } else if (key == "massless" && value == "welded") {
      options.weld_massless = true;
    } else if (key == "end" || key == "loops") {
      double number = 0;
      const auto [tail, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      const double most = key == "end" ? 1e9 : kMostLoopPrecision;
      if (error != std::errc() || tail != value.data() + value.size() ||
          !(number > 0 && number <= most)) {
        refuse(key == "end" ? "needs a number of seconds above 0."
                            : "needs a number above 0 and at most 1e-5.");
      }
      if (key == "end") {
        options.end = number;
      } else {
        options.loop_precision = number;
      }
    } else {
      refuse(
          "is not known: a robot file takes state=FILE, mimic=free, inertia=accepted, "
          "unknown=refused, massless=welded, loops=PRECISION and end=SECONDS.");
    }
  }
  return options;
}

Problem ParseRobot(std::string_view urdf, const std::string& name_for_errors,
                   const RobotOptions& options, std::string_view state) {
  return RobotReader(ReadUrdf(urdf, name_for_errors, options.mimic_is_free), name_for_errors,
                     options)
      .Read(state);
}

Problem ReadRobotFile(std::string_view name) {
  const RobotOptions options = RobotOptionsOf(name);
  const std::string file = RobotFileOf(name);
  const std::string text = ReadWholeFile(file, "robot file");
  const std::string state = options.state.empty() ? "" : ReadWholeFile(options.state, "state file");
  const std::string format = FormatOf(file, text);
  if (format == "urdf") return ParseRobot(text, file, options, state);
  RobotDescription robot = ReadByPlugin(format, file);
  return RobotReader(std::move(robot), file, options).Read(state);
}

}  // namespace mbsbench
