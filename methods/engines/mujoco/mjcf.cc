#include "methods/engines/mujoco/mjcf.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "methods/engines/principal_inertia.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

// mjMINVAL: what MuJoCo takes for no mass and no inertia.
constexpr double kLeast = 1e-15;
// Bodies within bodies in one file: half of what the parser takes.
constexpr int kDeepestInAFile = 50;

std::size_t U(int i) { return static_cast<std::size_t>(i); }

// As an attribute's value: all digits of a double.
std::string Numbers(const Vector3& v) {
  return fmt::format("'{:.17g} {:.17g} {:.17g}'", v.x, v.y, v.z);
}
std::string Numbers(const Quaternion& q) {
  return fmt::format("'{:.17g} {:.17g} {:.17g} {:.17g}'", q.w, q.x, q.y, q.z);
}

class Writer {
 public:
  explicit Writer(const System& system)
      : system_(system), topology_(TopologyOf(system)), sites_(system.bodies.size()) {
    const ForceElements& forces = system.forces;
    for (std::size_t s = 0; s < forces.Of<SpringDamper>().size(); ++s) {
      const SpringDamper& e = forces.Of<SpringDamper>()[s];
      Site(fmt::format("a{}", s), e.body_a, e.point_a);
      Site(fmt::format("b{}", s), e.body_b, e.point_b);
    }
    Site("ground", kGround, {});
    for (const AppliedForce& e : forces.Of<AppliedForce>())
      Actuator(e.body, e.point, !e.in_body_axes, e.force, e.moment, {1, 0, 0});
    for (const GroundSpring& e : forces.Of<GroundSpring>())
      Actuator(e.body, e.point, true, e.direction, {},
               {e.stiffness * e.free_position, -e.stiffness, -e.damping});
  }

  std::vector<MjcfFile> Files() {
    Open();
    Text() += fmt::format(
        "<compiler angle='radian' coordinate='local' inertiafromgeom='false'/>"
        "<size njmax='1' nconmax='1'/><option gravity={} integrator='RK4'>"
        "<flag constraint='disable' contact='disable'/></option><worldbody>{}",
        Numbers(system_.gravity), ground_sites_);
    WriteBodies();
    Text() += "</worldbody><tendon>";
    for (std::size_t s = 0; s < system_.forces.Of<SpringDamper>().size(); ++s) {
      const SpringDamper& e = system_.forces.Of<SpringDamper>()[s];
      Text() += fmt::format(
          "<spatial stiffness='{:.17g}' damping='{:.17g}'>"
          "<site site='a{}'/><site site='b{}'/></spatial>",
          e.stiffness, e.damping, s, s);
    }
    Text() += "</tendon><actuator>" + actuators_ + "</actuator>";
    Close();
    return std::move(files_);
  }

 private:
  void Site(const std::string& name, int body, const Vector3& point) {
    (body == kGround ? ground_sites_ : sites_[U(body)]) +=
        fmt::format("<site name='{}' pos={}/>", name, Numbers(point));
  }

  // The force and moment (along, about) on a point of a body, in inertial or in body axes, times law.x + law.y l + law.z l': l is
  // the part of the point's position along the force.
  void Actuator(int body, const Vector3& point, bool is_inertial, const Vector3& along,
                const Vector3& about, const Vector3& law) {
    const std::string name = fmt::format("f{}", actuator_count_++);
    Site(name, body, point);
    actuators_ += fmt::format(
        "<general site='{}'{} gear='{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}' "
        "biastype='affine' biasprm={}/>",
        name, is_inertial ? " refsite='ground'" : "", along.x, along.y, along.z, about.x, about.y,
        about.z, Numbers(law));
  }

  // The file that is being written, and how it begins and ends.
  std::string& Text() { return files_[open_.back()].text; }
  void Open() {
    open_.push_back(files_.size());
    files_.push_back({fmt::format("part{}.xml", files_.size()), "<mujoco>"});
  }
  void Close() {
    Text() += "</mujoco>";
    open_.pop_back();
  }

  // Depth first, without recursion: chains are long.
  void WriteBodies() {
    constexpr int kEndOfBody = -1, kEndOfFile = -2;
    std::vector<int> stack(topology_.roots.rbegin(), topology_.roots.rend());
    int depth = 0;
    while (!stack.empty()) {
      const int body = stack.back();
      stack.pop_back();
      if (body == kEndOfFile) {
        Close();
      } else if (body == kEndOfBody) {
        Text() += "</body>";
        --depth;
      } else {
        WriteBody(body);
        stack.push_back(kEndOfBody);
        const std::span<const int> children = topology_.children[U(body)];
        if (++depth % kDeepestInAFile == 0 && !children.empty()) {
          Text() += fmt::format("<include file='part{}.xml'/>", files_.size());
          Open();
          stack.push_back(kEndOfFile);
        }
        stack.insert(stack.end(), children.rbegin(), children.rend());
      }
    }
  }

  void WriteBody(int index) {
    const Body& body = system_.bodies[U(index)];
    const int joint_index = topology_.joint[U(index)];
    const Joint& joint = system_.joints[U(joint_index)];
    const Quaternion turn =
        joint.parent_frame.orientation * Conjugate(joint.child_frame.orientation);
    const Vector3 position = joint.parent_frame.position - Rotate(turn, joint.child_frame.position);
    Text() +=
        fmt::format("<body name='b{}' pos={} quat={}>", index, Numbers(position), Numbers(turn));
    if (body.mass > 0) {
      // MuJoCo's own iteration towards principal inertias stops early.
      const Principal principal = PrincipalOf(body.inertia);
      Text() += fmt::format("<inertial pos='0 0 0' mass='{:.17g}' diaginertia={} quat={}/>",
                            body.mass, Numbers(principal.moments), Numbers(principal.axes));
    }
    const auto add = [&](const char* type, const Vector3& axis, const std::string& more) {
      Text() += fmt::format("<joint type='{}' axis={} pos={}{}/>", type,
                            Numbers(Rotate(joint.child_frame.orientation, axis)),
                            Numbers(joint.child_frame.position), more);
    };
    // In this order: each joint of a body moves it on from where those before have left it.
    constexpr std::array<Vector3, 3> kUnit{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (joint.type == JointType::kFree && joint.parent == kGround) {
      Text() += "<freejoint/>";
    } else {
      const std::string springs = RateCount(joint.type) == 1 ? Springs(joint_index) : "";
      for (const JointAxis& motion : AxesOf(joint.type))
        add(motion.turns ? "hinge" : "slide", kUnit[U(motion.axis)], springs);
      if (TurnsFreely(joint.type)) add("ball", kUnit[2], "");
    }
    Text() += sites_[U(index)];
  }

  // All springs of a joint as one.
  std::string Springs(int joint) const {
    double stiffness = 0, damping = 0, moment = 0;
    for (const JointSpringDamper& e : system_.forces.Of<JointSpringDamper>()) {
      if (e.joint != joint) continue;
      stiffness += e.stiffness;
      damping += e.damping;
      moment += e.stiffness * e.free_coordinate;
    }
    return fmt::format(" stiffness='{:.17g}' damping='{:.17g}' springref='{:.17g}'", stiffness,
                       damping, stiffness > 0 ? moment / stiffness : 0);
  }

  const System& system_;
  Topology topology_;
  std::vector<std::string> sites_;  // per body
  std::string ground_sites_, actuators_;
  int actuator_count_ = 0;
  std::vector<MjcfFile> files_;
  std::vector<std::size_t> open_;  // files begun and not ended, the one being written last
};

}  // namespace

std::vector<MjcfFile> MjcfOf(const System& system) { return Writer(system).Files(); }

Verdict TakesMasses(const System& system) {
  for (const Joint& joint : system.joints) {
    const Body& body = system.bodies[U(joint.child)];
    if (joint.type == JointType::kFixed) continue;
    if (body.mass > kLeast && PrincipalOf(body.inertia).moments.x > kLeast) continue;
    return Verdict::No(
        "body '" + body.name +
        "' moves and lacks mass or inertia about an axis; MuJoCo's compiler refuses such a body.");
  }
  return {};
}

}  // namespace mbsbench
