#include "harness/conform/smallest.h"

#include <algorithm>
#include <utility>

#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

using Reduced = std::optional<TriedSystem>;

// A copy of the system without the classes of its reactions, which a reduced system need not share.
TriedSystem CopyOf(const TriedSystem& tried) {
  TriedSystem copy;
  copy.name = tried.name;
  copy.system = tried.system;
  copy.state = tried.state;
  copy.length = tried.length;
  copy.time = tried.time;
  return copy;
}

void Erase(std::vector<double>& values, int from, int to) {
  values.erase(values.begin() + from, values.begin() + to);
}

// Without a body that carries no other and all elements that act on it. Later indices decrease by one.
Reduced WithoutBody(const TriedSystem& tried, int body) {
  const auto carries = [body](const Joint& joint) { return joint.parent == body; };
  const System& old = tried.system;
  if (old.bodies.size() < 2 || std::any_of(old.joints.begin(), old.joints.end(), carries))
    return std::nullopt;
  const auto of_body = [body](const Joint& joint) { return joint.child == body; };
  const auto joint = static_cast<int>(std::find_if(old.joints.begin(), old.joints.end(), of_body) -
                                      old.joints.begin());
  TriedSystem less = CopyOf(tried);
  System& s = less.system;
  const JointOffsets at = OffsetsOf(old);
  const auto j = static_cast<std::size_t>(joint);
  Erase(less.state.joints.q, at.q[j], at.q[j + 1]);
  Erase(less.state.joints.u, at.u[j], at.u[j + 1]);
  s.bodies.erase(s.bodies.begin() + body);
  s.joints.erase(s.joints.begin() + joint);
  std::erase_if(s.loop_joints, [&](const Joint& l) { return l.child == body || l.parent == body; });
  std::erase_if(s.spring_dampers,
                [&](const SpringDamper& e) { return e.body_a == body || e.body_b == body; });
  std::erase_if(s.applied_forces, [&](const AppliedForce& e) { return e.body == body; });
  std::erase_if(s.ground_springs, [&](const GroundSpring& e) { return e.body == body; });
  std::erase_if(s.joint_spring_dampers,
                [&](const JointSpringDamper& e) { return e.joint == joint; });
  std::erase_if(s.drivers, [&](const Driver& d) { return d.joint == joint; });
  const auto up = [](int& index, int gone) { index -= index > gone ? 1 : 0; };
  for (std::vector<Joint>* joints : {&s.joints, &s.loop_joints}) {
    for (Joint& one : *joints) up(one.parent, body), up(one.child, body);
  }
  for (SpringDamper& e : s.spring_dampers) up(e.body_a, body), up(e.body_b, body);
  for (AppliedForce& e : s.applied_forces) up(e.body, body);
  for (GroundSpring& e : s.ground_springs) up(e.body, body);
  for (JointSpringDamper& e : s.joint_spring_dampers) up(e.joint, joint);
  for (Driver& d : s.drivers) up(d.joint, joint);
  less.state.bodies = ForwardKinematics(s, less.state.joints);
  return less;
}

template <class Elements>
Reduced Without(const TriedSystem& tried, Elements System::*elements, std::size_t index) {
  if (index >= (tried.system.*elements).size()) return std::nullopt;
  TriedSystem less = CopyOf(tried);
  auto& list = less.system.*elements;
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
  return less;
}

// Every system with one component less.
std::vector<TriedSystem> OneLess(const TriedSystem& tried) {
  std::vector<TriedSystem> all;
  const auto add = [&all](Reduced less) {
    if (less) all.push_back(*std::move(less));
  };
  const System& s = tried.system;
  for (auto b = static_cast<int>(s.bodies.size()); b-- > 0;) add(WithoutBody(tried, b));
  const auto each = [&](auto System::*elements) {
    for (std::size_t i = 0; i < (s.*elements).size(); ++i) add(Without(tried, elements, i));
  };
  each(&System::loop_joints);
  each(&System::spring_dampers);
  each(&System::joint_spring_dampers);
  each(&System::applied_forces);
  each(&System::ground_springs);
  each(&System::drivers);
  return all;
}

}  // namespace

TriedSystem Smallest(TriedSystem tried, const std::function<bool(const TriedSystem&)>& breaks) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (TriedSystem& less : OneLess(tried)) {
      try {
        Validate(less.system);
        if (!breaks(less)) continue;
      } catch (const ModelError&) {  // an invalid system, or one without a truth
        continue;
      }
      tried = std::move(less);
      smaller = true;
      break;
    }
  }
  return tried;
}

}  // namespace mbsbench
