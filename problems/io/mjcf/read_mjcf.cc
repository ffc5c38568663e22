// MJCF as MuJoCo's own compiler reads it (docs/model_files.md, "Robot files"): the robot of the compiled model,
// mjModel. The XML itself is read only for the settings by which the compiler changes masses.
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <tinyxml.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>

#include "problems/io/link_frames.h"
#include "problems/io/quotable.h"
#include "problems/io/robot_reading.h"
#include "problems/io/robot_words.h"

namespace mbsbench {

namespace {

struct ModelDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
using Model = std::unique_ptr<mjModel, ModelDeleter>;

// Of constraint e at the start; the field has another name since 3.0.
bool IsActive(const mjModel& m, int e) {
#if mjVERSION_HEADER < 300
  return m.eq_active[e] != 0;
#else
  return m.eq_active0[e] != 0;
#endif
}

// Until 3.3.5 one flag disabled both.
#if mjVERSION_HEADER < 336
constexpr int kNoSprings = mjDSBL_PASSIVE, kNoDampers = mjDSBL_PASSIVE;
#else
constexpr int kNoSprings = mjDSBL_SPRING, kNoDampers = mjDSBL_DAMPER;
#endif

// The newest version whose forces this reader knows.
constexpr int kKnownVersion = 337;

std::vector<std::string>& MujocoWarnings() {
  static std::vector<std::string> warnings;
  return warnings;
}

Vector3 Vector(const mjtNum* v) { return {v[0], v[1], v[2]}; }
Quaternion Turn(const mjtNum* q) { return {q[0], q[1], q[2], q[3]}; }

// ---- the settings by which the compiler changes masses

constexpr const char* kChangingSettings[] = {"boundmass", "boundinertia", "balanceinertia"};

bool ChangesMasses(const TiXmlElement& compiler, const char* setting) {
  const char* const value = compiler.Attribute(setting);
  if (value == nullptr) return false;
  return std::strcmp(value, "false") != 0 &&
         !(std::atof(value) == 0 && std::strcmp(value, "true") != 0);
}

// A file and its includes: the settings are removed and reported. `depth` limits files that include each other.
void ReadSettings(const std::filesystem::path& folder, const std::string& file, mjVFS& files,
                  std::set<std::string>& found, int depth = 0) {
  TiXmlDocument xml;
  if (depth > 8 || !xml.LoadFile((folder / file).c_str())) return;
  bool changed = false;
  const auto visit = [&](const auto& self, TiXmlElement& element) -> void {
    if (element.ValueStr() == "compiler") {
      for (const char* setting : kChangingSettings) {
        if (!ChangesMasses(element, setting)) continue;
        found.insert(setting);
        element.RemoveAttribute(setting);
        changed = true;
      }
    } else if (element.ValueStr() == "include" && element.Attribute("file") != nullptr) {
      ReadSettings(folder, element.Attribute("file"), files, found, depth + 1);
    }
    for (TiXmlElement* e = element.FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
      self(self, *e);
  };
  if (xml.RootElement() != nullptr) visit(visit, *xml.RootElement());
  if (!changed) return;
  TiXmlPrinter printer;
  xml.Accept(&printer);
  const std::string name = std::filesystem::path(file).filename().string();
  const auto size = static_cast<int>(printer.Size());
#if mjVERSION_HEADER < 313  // the functions of the first branch were removed in 3.2.0
  if (mj_makeEmptyFileVFS(&files, name.c_str(), size) != 0) return;
  const int i = mj_findFileVFS(&files, name.c_str());
  if (i >= 0) std::memcpy(files.filedata[i], printer.CStr(), printer.Size());
#else
  mj_addBufferVFS(&files, name.c_str(), printer.CStr(), size);
#endif
}

// ---- the model

class MjcfReader {
 public:
  explicit MjcfReader(std::string file) : file_(std::move(file)) {
    CheckRoot();
    model_ = Compiled(nullptr, says_);
    if (!model_) throw ModelError(fmt::format("{}: MuJoCo cannot read it: {}.", file_, says_));
  }

  RobotDescription Read() {
    const mjModel& m = *model_;
    robot_.name = m.nnames > 0 ? m.names : "";
    if (robot_.name.empty() || robot_.name == "MuJoCo Model")
      robot_.name = std::filesystem::path(file_).stem().string();
    robot_.states_base = true;
    const bool weightless = (m.opt.disableflags & mjDSBL_GRAVITY) != 0;
    robot_.gravity = weightless ? Vector3{} : Vector(m.opt.gravity);
    if (m.opt.density != 0 || m.opt.viscosity != 0) {
      Refuse(
          fmt::format("the fluid of density {:g} kg/m^3 and viscosity {:g} Pa s acts on all "
                      "bodies: its forces are not in the model",
                      m.opt.density, m.opt.viscosity));
    }
    NameBodiesAndJoints();
    RefuseNewerForces();
    ReadActuators();
    link_of_.assign(static_cast<std::size_t>(m.nbody), kGround);
    for (int b = 1; b < m.nbody; ++b) ReadBody(b);
    ReadEqualities();
    ReadTendons();
    NameWhatIsIgnored();
    NameWhatTheCompilerChanged();
    return std::move(robot_);
  }

 private:
  [[noreturn]] void Refuse(const std::string& why) const {
    throw UnsupportedRobot(fmt::format("{}: {}.", file_, why));
  }
  void Warn(std::string sentence) { robot_.warnings.push_back(std::move(sentence)); }

  std::string NameOf(mjtObj kind, int id, const char* word) const {
    const char* const name = mj_id2name(model_.get(), kind, id);
    return name != nullptr && *name != 0 ? name : fmt::format("{}_{}", word, id);
  }
  const std::string& BodyName(int b) const { return body_names_[static_cast<std::size_t>(b)]; }
  const std::string& JointName(int j) const { return joint_names_[static_cast<std::size_t>(j)]; }

  // Those without a name get one that no other has.
  void NameBodiesAndJoints() {
    const mjModel& m = *model_;
    const auto name_all = [this](mjtObj kind, int count, const char* word) {
      const auto given = [&](const std::string& name) {
        return mj_name2id(model_.get(), kind, name.c_str()) >= 0;
      };
      std::vector<std::string> names;
      for (int id = 0; id < count; ++id) {
        const char* const name = mj_id2name(model_.get(), kind, id);
        names.push_back(
            name != nullptr && *name != 0 ? name : FreeName(fmt::format("{}_{}", word, id), given));
      }
      return names;
    };
    body_names_ = name_all(mjOBJ_BODY, m.nbody, "body");
    joint_names_ = name_all(mjOBJ_JOINT, m.njnt, "joint");
  }
  bool IsBody(const std::string& name) const {
    return std::ranges::find(body_names_, name) != body_names_.end();
  }
  // For a joint that MuJoCo has none of.
  std::string FreeJointName(const std::string& name) const {
    return FreeName(name, [this](const std::string& taken) {
      return std::ranges::find(joint_names_, taken) != joint_names_.end();
    });
  }

  void CheckRoot() const {
    TiXmlDocument xml;
    if (!xml.LoadFile(file_.c_str()) || xml.RootElement() == nullptr) return;  // MuJoCo says why
    if (HasMoreThanOneRoot(xml))
      throw ModelError(fmt::format("{}: it is no XML file with one root element.", file_));
    const std::string& root = xml.RootElement()->ValueStr();
    if (root == "mujoco") return;
    throw ModelError(
        fmt::format("{}: the root element is <{}>: an MJCF file has the root element <mujoco>.{}",
                    file_, Quotable(root),
                    root == "robot" ? " A URDF file's name ends in .urdf."
                                    : (root == "sdf" ? " An SDF file's name ends in .sdf." : "")));
  }

  Model Compiled(const mjVFS* files, std::string& says) const {
    char error[1000] = "";
    Model model(mj_loadXML(file_.c_str(), files, error, sizeof error));
    says = OnOneLine(error);
    return model;
  }

  // Forces that MuJoCo has since 2.3.1 and 3.0.0.
  void RefuseNewerForces() {
#if mjVERSION_HEADER >= 231
    const mjModel& m = *model_;
    for (int b = 1; b < m.nbody; ++b) {
      const std::string body = fmt::format("body \"{}\" has ", Quotable(BodyName(b)));
      if (m.body_gravcomp[b] != 0)
        Refuse(body + "gravcomp: the model's gravity acts on all bodies");
      if (m.body_plugin[b] >= 0) Refuse(body + "a plug-in: its forces are not in the model");
    }
#endif
#if mjVERSION_HEADER >= 300
    if (model_->nflex > 0) Refuse("it has flexes: flexible bodies are not in the model");
#endif
    if (mj_version() > kKnownVersion) {
      robot_.unknown.push_back(
          fmt::format("MuJoCo {} is newer than this reader, which does not know its new forces: "
                      "they may change the motion",
                      mj_versionString()));
    }
  }

  // ---- bodies and joints

  void ReadBody(int b) {
    const mjModel& m = *model_;
    const int joints = m.body_jntnum[b], first = m.body_jntadr[b], parent = m.body_parentid[b];
    if (m.body_mocapid[b] >= 0) {
      Warn(fmt::format("mocap body \"{}\" stays where the file puts it", Quotable(BodyName(b))));
    }
    // Massless links between several joints.
    for (int j = 0; j + 1 < joints; ++j) {
      RobotLink between;
      between.name = FreeName(BodyName(b) + ":" + JointName(first + j),
                              [this](const std::string& name) { return IsBody(name); });
      robot_.links.push_back(between);
      ReadJoint(b, first + j, j == 0, static_cast<int>(robot_.links.size()) - 1);
    }
    RobotLink link;
    link.name = BodyName(b);
    link.mass = m.body_mass[b];
    const mjtNum* const inertia = m.body_inertia + 3 * b;
    link.inertia =
        TurnedInertia(Turn(m.body_iquat + 4 * b), Diagonal(inertia[0], inertia[1], inertia[2]));
    if (link.mass > 0) link.centre = Vector(m.body_ipos + 3 * b);
    link.shape = ShapeOf(b, link.centre);
    link_of_[static_cast<std::size_t>(b)] = static_cast<int>(robot_.links.size());
    robot_.links.push_back(std::move(link));
    if (joints > 0) {
      ReadJoint(b, first + joints - 1, joints == 1, static_cast<int>(robot_.links.size()) - 1);
      return;
    }
    RobotJoint fixed;
    fixed.name =
        FreeJointName(NameOfUnnamedJoint(parent == 0 ? "" : BodyName(parent), BodyName(b)));
    fixed.parent = link_of_[static_cast<std::size_t>(parent)];
    fixed.child = link_of_[static_cast<std::size_t>(b)];
    fixed.parent_frame = PoseOf(b);
    robot_.joints.push_back(std::move(fixed));
  }

  // The pose of a body's frame in its parent's, at qpos0; of a mocap body at the start.
  Frame PoseOf(int b) const {
    const int mocap = model_->body_mocapid[b];
    if (mocap >= 0 && model_->nkey > 0) {
      return {Vector(model_->key_mpos + 3 * mocap),
              Normalised(Turn(model_->key_mquat + 4 * mocap))};
    }
    return {Vector(model_->body_pos + 3 * b), Turn(model_->body_quat + 4 * b)};
  }

  // The first joint of a body is on the parent, at the body's pose; the others are on the previous
  // link, whose frame is the body's.
  void ReadJoint(int b, int j, bool is_first, int child) {
    const mjModel& m = *model_;
    RobotJoint joint;
    joint.name = JointName(j);
    joint.parent = is_first ? link_of_[static_cast<std::size_t>(m.body_parentid[b])] : child - 1;
    joint.child = child;
    const int dof = m.jnt_dofadr[j], at = m.jnt_qposadr[j], type = m.jnt_type[j];
    const mjtNum* const q = (m.nkey > 0 ? m.key_qpos : m.qpos0) + at;
    if (m.nkey > 0) {
      const int rates = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
      joint.u.assign(m.key_qvel + dof, m.key_qvel + dof + rates);
    }
    const Frame pose = is_first ? PoseOf(b) : Frame{};
    const Vector3 anchor = Vector(m.jnt_pos + 3 * j);
    if (type == mjJNT_FREE) {
      joint.type = JointType::kFree;
      joint.name = FreeJointName(NameOfUnnamedJoint("", BodyName(b)));
      joint.q.assign(q, q + 7);
      Normalise(joint.q.data() + 3);
    } else if (type == mjJNT_BALL) {
      joint.type = JointType::kBall;
      joint.parent_frame = Placed(pose, {anchor, {}});
      joint.child_frame = {anchor, {}};
      joint.q.assign(q, q + 4);
      Normalise(joint.q.data());
    } else {
      // The coordinate is that of MuJoCo: qpos0 in the pose of the file.
      const Quaternion z = TurnFromZ(Direction(Vector(m.jnt_axis + 3 * j)));
      const double q0 = m.qpos0[at];
      joint.parent_frame = Placed(pose, {anchor, z});
      if (type == mjJNT_HINGE) {
        joint.type = JointType::kRevolute;
        joint.child_frame = {anchor, z * AxisAngle({0, 0, 1}, q0)};
      } else {
        joint.type = JointType::kPrismatic;
        joint.child_frame = {anchor + Rotate(z, {0, 0, q0}), z};
      }
      joint.q = {q[0]};
      if (m.jnt_limited[j] != 0) {
        joint.lower = m.jnt_range[2 * j];
        joint.upper = m.jnt_range[2 * j + 1];
      }
    }
    ReadForces(j, joint);
    robot_.joints.push_back(std::move(joint));
  }

  static void Normalise(double* q) {
    const Quaternion unit = Normalised({q[0], q[1], q[2], q[3]});
    q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
  }

  void ReadForces(int j, RobotJoint& joint) {
    const mjModel& m = *model_;
    const int dof = m.jnt_dofadr[j];
    if (m.dof_armature[dof] != 0) {
      Refuse(fmt::format("joint \"{}\" has the armature {:g}: rotor inertia is not in the model",
                         Quotable(joint.name), m.dof_armature[dof]));
    }
    if (m.dof_frictionloss[dof] != 0) robot_.rubbing.push_back(joint.name);
    Servo& servo = servo_of_[static_cast<std::size_t>(j)];
#if mjVERSION_HEADER >= 237
    if (m.jnt_actfrclimited[j] != 0) {  // of all actuators of the joint together
      if (servo.stiffness == 0 && servo.damping == 0 && servo.constant == 0) {
        servo.effort =
            std::clamp(servo.effort, m.jnt_actfrcrange[2 * j], m.jnt_actfrcrange[2 * j + 1]);
      } else {
        Warn(
            fmt::format("the range of the actuators' force on joint \"{}\" is ignored: it may "
                        "change the motion",
                        Quotable(joint.name)));
      }
    }
#endif
    joint.damping = servo.damping;
    joint.stiffness = servo.stiffness;
    double own = 0, rest = 0;  // stiffness and free coordinate of the joint's own spring
    if ((m.opt.disableflags & kNoDampers) == 0) joint.damping += m.dof_damping[dof];
    if ((m.opt.disableflags & kNoSprings) == 0) {
      own = m.jnt_stiffness[j];
      if (joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic)
        rest = m.qpos_spring[m.jnt_qposadr[j]];
    }
    joint.stiffness += own;
    joint.effort = servo.effort;
    if (joint.stiffness == 0) {
      joint.effort += servo.constant;
    } else {
      joint.free_coordinate = joint.stiffness == own && servo.constant == 0
                                  ? rest
                                  : (servo.constant + own * rest) / joint.stiffness;
    }
  }

  // ---- actuators

  // What the actuators of a joint exert in it: effort + constant - stiffness * q - damping * u.
  struct Servo {
    double effort = 0;  // of motors
    double constant = 0, stiffness = 0, damping = 0;
  };

  void RequireFinite(const char* attribute, int a, double value) const {
    if (std::isfinite(value)) return;
    Refuse(fmt::format("keyframe \"{}\" gives actuator \"{}\" the {} {:g}: give a finite number",
                       Quotable(NameOf(mjOBJ_KEY, 0, "key")),
                       Quotable(NameOf(mjOBJ_ACTUATOR, a, "actuator")), attribute, value));
  }

  // The control of the start, within its range as MuJoCo keeps it.
  double ControlOf(int a) const {
    const mjModel& m = *model_;
    const double control = m.nkey > 0 ? m.key_ctrl[a] : 0;
    RequireFinite("ctrl", a, control);
    if (m.actuator_ctrllimited[a] == 0 || (m.opt.disableflags & mjDSBL_CLAMPCTRL) != 0)
      return control;
    return std::clamp(control, m.actuator_ctrlrange[2 * a], m.actuator_ctrlrange[2 * a + 1]);
  }

  // The control, or the activation of the start where an actuator has one.
  double InputOf(int a, double control) const {
    const mjModel& m = *model_;
    if (m.actuator_dyntype[a] == mjDYN_NONE) return control;
    const double activation = m.nkey > 0 ? m.key_act[a - (m.nu - m.na)] : 0;
    RequireFinite("act", a, activation);
    return activation;
  }
  // Whether the input stays as it is.
  bool IsSteady(int a, double control, double input) const {
    switch (model_->actuator_dyntype[a]) {
      case mjDYN_NONE: return true;
      case mjDYN_INTEGRATOR: return control == 0;
      case mjDYN_FILTER: return control == input;
      default: return false;
    }
  }
  // `force`: constant, and per length and velocity, which are gear times coordinate and rate of joint j.
  void WarnOfForceAtStart(int a, int j, const std::string& name, const double* force) {
    const mjModel& m = *model_;
    const double gear = m.actuator_gear[6 * a];
    const double q = (m.nkey > 0 ? m.key_qpos : m.qpos0)[m.jnt_qposadr[j]],
                 u = m.nkey > 0 ? m.key_qvel[m.jnt_dofadr[j]] : 0;
    const double at_start = force[0] + gear * (force[1] * q + force[2] * u);
    const double least = m.actuator_forcerange[2 * a], most = m.actuator_forcerange[2 * a + 1];
    if (least <= at_start && at_start <= most) return;
    Warn(
        fmt::format("the force {:g} of servo \"{}\" at the start is outside its range of {:g} to "
                    "{:g}, which is "
                    "ignored: it may change the motion",
                    at_start, Quotable(name), least, most));
  }

  // With the control of the start, the force of an actuator is linear in length and velocity:
  // input (g0 + g1 l + g2 v) + b0 + b1 l + b2 v.
  void ReadActuators() {
    const mjModel& m = *model_;
    servo_of_.assign(static_cast<std::size_t>(m.njnt), {});
    std::vector<std::string> idle, springs, motors, limited;
    for (int a = 0; a < m.nu; ++a) {
      const std::string name = NameOf(mjOBJ_ACTUATOR, a, "actuator");
      if ((m.opt.disableflags & mjDSBL_ACTUATION) != 0) {
        idle.push_back(name);
        continue;
      }
      const auto refuse = [&](const std::string& why) {
        Refuse(fmt::format("actuator \"{}\" {}", Quotable(name), why));
      };
      const int gain = m.actuator_gaintype[a], bias = m.actuator_biastype[a];
#if mjVERSION_HEADER >= 231
      if (m.actuator_plugin[a] >= 0) refuse("has a plug-in: its force is not in the model");
#endif
      if ((gain != mjGAIN_FIXED && gain != mjGAIN_AFFINE) ||
          (bias != mjBIAS_NONE && bias != mjBIAS_AFFINE)) {
        refuse("is a muscle or has a law of the user: its force is not in the model");
      }
      const double control = ControlOf(a), input = InputOf(a, control);
      if (!IsSteady(a, control, input)) {
        refuse("has a control that changes its activation: such forces are not in the model");
      }
      const mjtNum* const g = m.actuator_gainprm + mjNGAIN * a;
      const mjtNum* const b = m.actuator_biasprm + mjNBIAS * a;
      double force[3];  // constant, and per length and velocity
      for (int i = 0; i < 3; ++i) {
        force[i] = (i == 0 || gain == mjGAIN_AFFINE ? input * g[i] : 0) +
                   (bias == mjBIAS_AFFINE ? b[i] : 0);
      }
      if (force[0] == 0 && force[1] == 0 && force[2] == 0) {
        idle.push_back(name);
        continue;
      }
      const int j = m.actuator_trnid[2 * a], trn = m.actuator_trntype[a];
      if ((trn != mjTRN_JOINT && trn != mjTRN_JOINTINPARENT) ||
          (m.jnt_type[j] != mjJNT_HINGE && m.jnt_type[j] != mjJNT_SLIDE)) {
        refuse("acts on no hinge or slide and exerts a force: it is not in the model");
      }
      const double gear = m.actuator_gear[6 * a];
      Servo& servo = servo_of_[static_cast<std::size_t>(j)];
      if (force[1] == 0 && force[2] == 0) {
        if (m.actuator_forcelimited[a] != 0) {
          force[0] =
              std::clamp(force[0], m.actuator_forcerange[2 * a], m.actuator_forcerange[2 * a + 1]);
        }
        servo.effort += gear * force[0];
        motors.push_back(name);
      } else {
        servo.constant += gear * force[0];
        servo.stiffness -= gear * gear * force[1];
        servo.damping -= gear * gear * force[2];
        springs.push_back(name);
        if (m.actuator_forcelimited[a] != 0) {
          limited.push_back(name);
          WarnOfForceAtStart(a, j, name, force);
        }
      }
      const double asked = m.nkey > 0 ? m.key_ctrl[a] : 0;
      if (control != asked) {
        Warn(fmt::format(
            "the control {:g} of actuator \"{}\" is outside its range and taken as {:g}", asked,
            Quotable(name), control));
      }
    }
    if (!idle.empty()) Warn("actuators ignored: " + NamesText(idle));
    const char* const controls = m.nkey > 0 ? "the keyframe" : "0";
    if (!springs.empty()) {
      Warn(fmt::format(
          "servos taken as springs and dampers of their joints, at the controls of {}: {}",
          controls, NamesText(springs)));
    }
    if (!motors.empty()) {
      Warn(fmt::format("actuators taken as motors of constant effort, at the controls of {}: {}",
                       controls, NamesText(motors)));
    }
    if (!limited.empty()) Warn("force ranges of servos ignored: " + NamesText(limited));
  }

  // The first geom that is more than a mesh.
  Shape ShapeOf(int b, const Vector3& centre) const {
    const mjModel& m = *model_;
    for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
      const Vector3 at = Vector(m.geom_pos + 3 * g) - centre;
      const Quaternion turn = Turn(m.geom_quat + 4 * g);
      const mjtNum* const size = m.geom_size + 3 * g;
      switch (m.geom_type[g]) {
        case mjGEOM_CAPSULE:
        case mjGEOM_CYLINDER: return RodShape(at, turn, 2 * size[1], size[0]);
        case mjGEOM_BOX: return BoxShape(at, turn, 2 * Vector(size));
        case mjGEOM_SPHERE: return SphereShape(at, size[0]);
        default: break;
      }
    }
    return {};
  }

  // ---- what closes loops

  void ReadEqualities() {
    const mjModel& m = *model_;
    std::vector<std::string> soft, inactive;
    const bool disabled = (m.opt.disableflags & (mjDSBL_EQUALITY | mjDSBL_CONSTRAINT)) != 0;
    for (int e = 0; e < m.neq; ++e) {
      const std::string name = FreeJointName(NameOf(mjOBJ_EQUALITY, e, "equality"));
      if (disabled || !IsActive(m, e)) {
        inactive.push_back(name);
        continue;
      }
      if (m.eq_type[e] != mjEQ_CONNECT && m.eq_type[e] != mjEQ_WELD) {
        Refuse(
            fmt::format("equality \"{}\" couples {}: of equalities only connect and weld are in "
                        "the model",
                        Quotable(name),
                        m.eq_type[e] == mjEQ_JOINT    ? "joints"
                        : m.eq_type[e] == mjEQ_TENDON ? "tendons"
                                                      : "distances"));
      }
      soft.push_back(name);
      ReadLoop(e, name);
    }
    if (!soft.empty()) {
      Warn(fmt::format("connects and welds are soft in MuJoCo and hard here: {}", NamesText(soft)));
    }
    if (!inactive.empty())
      Warn(fmt::format("inactive equalities left out: {}", NamesText(inactive)));
  }

  // A connect keeps an anchor of the first body at one of the second; a weld also their orientations, unless its torquescale
  // is 0.
  void ReadLoop(int e, const std::string& name) {
    const mjModel& m = *model_;
    const mjtNum* const data = m.eq_data + mjNEQDATA * e;
    RobotJoint joint;
    joint.name = name;
    joint.parent = link_of_[static_cast<std::size_t>(m.eq_obj1id[e])];
    joint.child = link_of_[static_cast<std::size_t>(m.eq_obj2id[e])];
    if (m.eq_type[e] == mjEQ_CONNECT) {
      joint.type = JointType::kBall;
      joint.parent_frame.position = Vector(data);
      joint.child_frame.position = Vector(data + 3);
    } else {
      joint.type = data[10] == 0 ? JointType::kBall : JointType::kFixed;
      joint.parent_frame = {Vector(data + 3), Normalised(Turn(data + 6))};
      joint.child_frame.position = Vector(data);
    }
    if (joint.child == kGround) {
      std::swap(joint.parent, joint.child);
      std::swap(joint.parent_frame, joint.child_frame);
    }
    robot_.loop_joints.push_back(std::move(joint));
  }

  void ReadTendons() {
    const mjModel& m = *model_;
    const bool passive = (m.opt.disableflags & (kNoSprings | kNoDampers)) == 0;
    std::vector<std::string> names;
    for (int t = 0; t < m.ntendon; ++t) {
      names.push_back(NameOf(mjOBJ_TENDON, t, "tendon"));
      if (passive && (m.tendon_stiffness[t] != 0 || m.tendon_damping[t] != 0)) {
        Refuse(
            fmt::format("tendon \"{}\" has stiffness or damping: forces of tendons are not in "
                        "the model",
                        Quotable(names.back())));
      }
#if mjVERSION_HEADER >= 331
      if (m.tendon_armature[t] != 0) {
        Refuse(fmt::format("tendon \"{}\" has armature, which is not in the model",
                           Quotable(names.back())));
      }
#endif
    }
    if (!names.empty())
      Warn(
          fmt::format("tendons ignored, with their limits and dry friction: {}", NamesText(names)));
  }

  // ---- what is left out

  void NameWhatIsIgnored() {
    const mjModel& m = *model_;
    if ((m.opt.disableflags & (kNoSprings | kNoDampers)) != 0)
      Warn("the file disables passive forces: springs and dampers of joints are left out");
    std::vector<std::string> limited;
    for (int j = 0; j < m.njnt; ++j) {
      if (m.jnt_limited[j] != 0) limited.push_back(JointName(j));
    }
    if (!limited.empty()) Warn("limits of joints ignored: " + NamesText(limited));
    int touching = 0;
    for (int g = 0; g < m.ngeom; ++g)
      touching += (m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0) ? 1 : 0;
    if ((m.opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT)) == 0) {
      if (touching > 0) {
        Warn(fmt::format("contacts of {} ignored",
                         touching == 1 ? "1 geom" : fmt::format("{} geoms", touching)));
      }
      if (m.npair > 0) Warn(fmt::format("elements ignored: {} <pair> of contacts", m.npair));
    }
    if (m.nsensor > 0) Warn(fmt::format("elements ignored: {} <sensor>", m.nsensor));
    if (m.nkey > 0) {
      Warn(fmt::format("the robot's file has {}: the start is \"{}\"",
                       m.nkey == 1 ? "a keyframe" : fmt::format("{} keyframes", m.nkey),
                       Quotable(NameOf(mjOBJ_KEY, 0, "key"))));
    }
    if (!says_.empty()) Warn("MuJoCo's compiler says: " + Quotable(says_));
    for (const std::string& said : MujocoWarnings())
      Warn("MuJoCo says: " + Quotable(OnOneLine(said)));
  }

  void NameWhatTheCompilerChanged() {
    const std::filesystem::path path(file_);
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    std::set<std::string> found;
    ReadSettings(path.parent_path(), path.filename().string(), *files, found);
    if (!found.empty()) {
      std::string says;
      const Model before = Compiled(files.get(), says);
      const std::string settings = fmt::format("{}", fmt::join(found, ", "));
      if (!before || before->nbody != model_->nbody) {
        Warn(
            fmt::format("the compiler's {} changed what it would refuse ({}): the values are those "
                        "that it made",
                        settings, Quotable(says)));
      } else {
        for (int b = 1; b < model_->nbody; ++b) NameChange(settings, *before, b);
      }
    }
    mj_deleteVFS(files.get());
  }

  void NameChange(const std::string& settings, const mjModel& before, int b) {
    const mjModel& m = *model_;
    if (m.body_mass[b] != before.body_mass[b]) {
      Warn(fmt::format("the compiler's {} changed the mass of \"{}\" from {:g} to {:g} kg",
                       settings, Quotable(BodyName(b)), before.body_mass[b], m.body_mass[b]));
    }
    const auto text = [b](const mjModel& model) {
      const mjtNum* const i = model.body_inertia + 3 * b;
      return fmt::format("({:g}, {:g}, {:g})", i[0], i[1], i[2]);
    };
    if (text(m) != text(before)) {
      Warn(fmt::format(
          "the compiler's {} changed the principal moments of \"{}\" from {} to {} kg m^2",
          settings, Quotable(BodyName(b)), text(before), text(m)));
    }
  }

  const std::string file_;
  Model model_;
  std::string says_;
  RobotDescription robot_;
  std::vector<std::string> body_names_, joint_names_;
  std::vector<Servo> servo_of_;  // per joint of MuJoCo
  std::vector<int> link_of_;     // per body of MuJoCo; the world is the ground
};

}  // namespace

}  // namespace mbsbench

void mbsbench_read_robot_3(const char* file, std::string* bytes) {
  // By default MuJoCo writes a file and ends the process.
  mju_user_error = [](const char* text) { throw std::runtime_error(text); };
  mju_user_warning = [](const char* text) { mbsbench::MujocoWarnings().emplace_back(text); };
  *bytes = mbsbench::EncodedReading(file, [file] { return mbsbench::MjcfReader(file).Read(); });
}
