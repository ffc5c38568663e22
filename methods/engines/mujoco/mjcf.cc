#include "methods/engines/mujoco/mjcf.h"

#include <fmt/format.h>

#include <algorithm>
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
  Writer(const System& system, const std::string& softness)
      : system_(system),
        softness_(softness),
        topology_(TopologyOf(system)),
        sites_(system.bodies.size()) {
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
    constexpr std::size_t kMostRows = 6;  // of a loop
    Text() += fmt::format(
        "<compiler angle='radian' coordinate='local' inertiafromgeom='false'/>"
        "<size njmax='{}' nconmax='1'/><option gravity={} integrator='RK4'>"
        "<flag constraint='{}' contact='disable' warmstart='disable'/></option><worldbody>{}",
        1 + kMostRows * system_.loop_joints.size(), Numbers(system_.gravity),
        system_.loop_joints.empty() ? "disable" : "enable", ground_sites_);
    WriteBodies();
    Text() += "</worldbody><tendon>";
    for (std::size_t s = 0; s < system_.forces.Of<SpringDamper>().size(); ++s) {
      const SpringDamper& e = system_.forces.Of<SpringDamper>()[s];
      Text() += fmt::format(
          "<spatial stiffness='{:.17g}' damping='{:.17g}'>"
          "<site site='a{}'/><site site='b{}'/></spatial>",
          e.stiffness, e.damping, s, s);
    }
    Text() += "</tendon><actuator>" + actuators_ + "</actuator><equality>";
    for (const ConnectedPoints& points : ConnectedPointsOf(system_))
      Text() += fmt::format("<connect{} anchor={} {}/>", Bodies(points.body_a, points.body_b),
                            Numbers(points.on_a), softness_);
    for (const Joint& loop : system_.loop_joints) {
      if (loop.type != JointType::kFixed) continue;
      // The pose of the second body on the first.
      const bool hangs_on_ground = loop.parent == kGround;
      const Frame& first = hangs_on_ground ? loop.child_frame : loop.parent_frame;
      const Frame& second = hangs_on_ground ? loop.parent_frame : loop.child_frame;
      const Quaternion turn = first.orientation * Conjugate(second.orientation);
      const Vector3 position = first.position - Rotate(turn, second.position);
      Text() += fmt::format(
          "<weld{} relpose='{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}' {}/>",
          hangs_on_ground ? Bodies(loop.child, kGround) : Bodies(loop.parent, loop.child),
          position.x, position.y, position.z, turn.w, turn.x, turn.y, turn.z, softness_);
    }
    Text() += "</equality>";
    Close();
    return std::move(files_);
  }

 private:
  // As attributes of an equality constraint.
  static std::string Bodies(int a, int b) {
    return fmt::format(" body1='b{}'", a) + (b == kGround ? "" : fmt::format(" body2='b{}'", b));
  }

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
  const std::string& softness_;
  Topology topology_;
  std::vector<std::string> sites_;  // per body
  std::string ground_sites_, actuators_;
  int actuator_count_ = 0;
  std::vector<MjcfFile> files_;
  std::vector<std::size_t> open_;  // files begun and not ended, the one being written last
};

}  // namespace

std::vector<MjcfFile> MjcfOf(const System& system, const std::string& softness) {
  return Writer(system, softness).Files();
}

std::vector<ConnectedPoints> ConnectedPointsOf(const System& system) {
  std::vector<ConnectedPoints> all;
  const auto add = [&all](const Joint& loop, const Vector3& along) {  // in the axes of the joint
    const auto point = [&along](const Frame& frame) {
      return frame.position + Rotate(frame.orientation, along);
    };
    const Vector3 on_parent = point(loop.parent_frame), on_child = point(loop.child_frame);
    all.push_back(loop.parent == kGround
                      ? ConnectedPoints{loop.child, kGround, on_child, on_parent}
                      : ConnectedPoints{loop.parent, loop.child, on_parent, on_child});
  };
  for (const Joint& loop : system.loop_joints) {
    if (loop.type == JointType::kBall) add(loop, {});
    if (loop.type != JointType::kRevolute) continue;
    // As far apart as the joint is from its bodies' mass centres.
    const double reach = std::max(Norm(loop.child_frame.position),
                                  loop.parent == kGround ? 0 : Norm(loop.parent_frame.position));
    for (const double side : {-0.5, 0.5}) add(loop, {0, 0, side * (reach > 0 ? reach : 1)});
  }
  return all;
}

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
