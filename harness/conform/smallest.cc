#include "harness/conform/smallest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

using Reduced = std::optional<TriedSystem>;

// A copy that may be changed: its truth is not known yet.
TriedSystem CopyOf(const TriedSystem& tried) {
  TriedSystem copy = Tried(tried.name, {tried.system, tried.state});
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
  const std::vector<Joint>& joints = tried.system.joints;
  const bool carries = std::ranges::find(joints, body, &Joint::parent) != joints.end();
  if (carries || tried.system.bodies.size() < 2) return std::nullopt;
  const auto its_joint = std::ranges::find(joints, body, &Joint::child);
  const auto joint = static_cast<int>(its_joint - joints.begin());
  TriedSystem less = CopyOf(tried);
  System& s = less.system;
  const JointOffsets at = OffsetsOf(tried.system);
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
  for (std::vector<Joint>* list : {&s.joints, &s.loop_joints}) {
    for (Joint& one : *list) LowerIfBehind(one.parent, body), LowerIfBehind(one.child, body);
  }
  s.forces.ForEach([&](auto& element) { VisitFields(element, StepDown{{}, body, joint}); });
  for (Driver& d : s.drivers) LowerIfBehind(d.joint, joint);
  less.state.bodies = ForwardKinematics(s, less.state.joints);
  return less;
}

// Without `count` bodies, the last tip each time.
Reduced WithoutTips(const TriedSystem& tried, std::size_t count) {
  if (count >= tried.system.bodies.size()) return std::nullopt;
  TriedSystem less = CopyOf(tried);
  for (; count > 0; --count) {
    Reduced next;
    for (auto b = static_cast<int>(less.system.bodies.size()); !next; --b)
      next = WithoutBody(less, b - 1);
    less = *std::move(next);
  }
  return less;
}

// Offers every system with one component less until one is taken. Returns whether one was.
template <class Takes>
bool OfferOneLess(const TriedSystem& tried, const Takes& takes) {
  const auto offer_each = [&](auto list_of) {
    const std::size_t size = list_of(tried.system).size();
    for (std::size_t i = 0; i < size; ++i) {
      TriedSystem less = CopyOf(tried);
      auto& list = list_of(less.system);
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      if (takes(std::move(less))) return true;
    }
    return false;
  };
  for (auto b = static_cast<int>(tried.system.bodies.size()); b-- > 0;) {
    if (takes(WithoutBody(tried, b))) return true;
  }
  if (offer_each([](auto& s) -> auto& { return s.loop_joints; })) return true;
  bool taken = false;
  tried.system.forces.ForEachList([&]<class Law>(const std::vector<Law>&) {
    taken = taken || offer_each([](auto& s) -> auto& { return s.forces.template Of<Law>(); });
  });
  return taken || offer_each([](auto& s) -> auto& { return s.drivers; });
}

double Rounded(double value, int digits) {
  return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
}
Vector3 Rounded(const Vector3& v, int digits) {
  return {Rounded(v.x, digits), Rounded(v.y, digits), Rounded(v.z, digits)};
}

// The mechanism in numbers of few digits. Where loops must stay closed, only the data of bodies are rounded.
TriedSystem Rounded(const TriedSystem& exact, int digits) {
  TriedSystem tried = CopyOf(exact);
  for (Body& body : tried.system.bodies) {
    body.mass = Rounded(body.mass, digits);
    for (double& entry : body.inertia.entries) entry = Rounded(entry, digits);
  }
  if (!tried.system.loop_joints.empty()) return tried;
  const JointOffsets at = OffsetsOf(tried.system);
  const std::vector<bool> driven = DrivenJoints(tried.system);  // their drivers state the rates
  const auto round = [digits](std::vector<double>& values, int from, int to) {
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i)
      values[i] = Rounded(values[i], digits);
  };
  for (std::size_t k = 0; k < tried.system.joints.size(); ++k) {
    Joint& joint = tried.system.joints[k];
    joint.parent_frame.position = Rounded(joint.parent_frame.position, digits);
    joint.child_frame.position = Rounded(joint.child_frame.position, digits);
    if (driven[k]) continue;
    if (!TurnsFreely(joint.type)) round(tried.state.joints.q, at.q[k], at.q[k + 1]);
    round(tried.state.joints.u, at.u[k], at.u[k + 1]);
  }
  tried.state.bodies = ForwardKinematics(tried.system, tried.state.joints);
  return tried;
}

}  // namespace

TriedSystem Smallest(TriedSystem tried, const std::function<bool(const TriedSystem&)>& breaks) {
  const auto takes = [&](Reduced less) {
    if (!less) return false;
    try {
      Validate(less->system);
      if (!breaks(*less)) return false;
    } catch (const ModelError&) {  // an invalid system, or one without a truth
      return false;
    }
    tried = *std::move(less);
    return true;
  };
  // Large parts first, because each trial of a large system takes long.
  for (std::size_t tips = tried.system.bodies.size() / 2; tips > 1; tips /= 2) {
    while (takes(WithoutTips(tried, tips))) {
    }
  }
  while (OfferOneLess(tried, takes)) {
  }
  return tried;
}

TriedSystem SmallestInFewDigits(TriedSystem tried,
                                const std::function<bool(const TriedSystem&)>& breaks) {
  tried = Smallest(std::move(tried), breaks);
  for (const int digits : {1, 2, 3}) {
    try {
      TriedSystem rounded = Rounded(tried, digits);
      Validate(rounded.system);
      if (breaks(rounded)) return rounded;
    } catch (const ModelError&) {  // no body has such an inertia, or the method refuses it
    }
  }
  return tried;
}

}  // namespace mbsbench
