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

void LowerIfBehind(int& index, int gone) { index -= index > gone ? 1 : 0; }

// Whether a force element acts on the body or its joint.
struct Touches : FieldVisitor {
  void BodyOrGround(std::string_view, int one) { any |= one == body; }
  void Body(std::string_view, int one) { any |= one == body; }
  void Joint(int one) { any |= one == joint; }
  int body, joint;
  bool any = false;
};

struct StepDown : FieldVisitor {
  void BodyOrGround(std::string_view, int& one) const { LowerIfBehind(one, body); }
  void Body(std::string_view, int& one) const { LowerIfBehind(one, body); }
  void Joint(int& one) const { LowerIfBehind(one, joint); }
  int body, joint;
};

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
  s.forces.ForEachList([&](auto& list) {
    std::erase_if(list, [&](const auto& element) {
      Touches touches{{}, body, joint};
      VisitFields(element, touches);
      return touches.any;
    });
  });
  std::erase_if(s.drivers, [&](const Driver& d) { return d.joint == joint; });
  for (std::vector<Joint>* joints : {&s.joints, &s.loop_joints}) {
    for (Joint& one : *joints) LowerIfBehind(one.parent, body), LowerIfBehind(one.child, body);
  }
  s.forces.ForEach([&](auto& element) { VisitFields(element, StepDown{{}, body, joint}); });
  for (Driver& d : s.drivers) LowerIfBehind(d.joint, joint);
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
  s.forces.ForEachList([&]<class Law>(const std::vector<Law>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      TriedSystem less = CopyOf(tried);
      std::vector<Law>& others = less.system.forces.Of<Law>();
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      all.push_back(std::move(less));
    }
  });
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
