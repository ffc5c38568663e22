#include "methods/foreign/foreign_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "methods/coordinates/tree_formulation.h"
#include "methods/kinematics/joint_laws.h"
#include "methods/kinematics/single_axes.h"
#include "methods/tree_motion/force_element_loads.h"
#include "methods/tree_motion/group_accelerations.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

using Sentence = std::array<char, 512>;

std::size_t At(int i) { return static_cast<std::size_t>(i); }

std::string TextOf(const char* text) { return text == nullptr ? "" : text; }

// The text of a library up to the zero byte, without control characters.
std::string TextOf(const Sentence& why, const std::string& if_none) {
  std::string text(why.begin(), std::find(why.begin(), why.end(), '\0'));
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text.empty() ? if_none : text;
}

// A Status refers to a static sentence: each sentence of a library is kept until the process ends.
const char* Kept(const std::string& sentence) {
  constexpr std::size_t kMost = 1000;
  static std::mutex mutex;
  static std::set<std::string> sentences;
  const std::lock_guard lock(mutex);
  if (sentences.size() >= kMost && !sentences.contains(sentence))
    return "the library gives more reasons than are kept";
  return sentences.insert(sentence).first->c_str();
}

int JointBit(JointType type) {
  switch (type) {
    case JointType::kRevolute: return MBSBENCH_REVOLUTE;
    case JointType::kPrismatic: return MBSBENCH_PRISMATIC;
    case JointType::kBall: return MBSBENCH_BALL;
    case JointType::kFree: return MBSBENCH_FREE;
    case JointType::kFixed:
    case JointType::kDistance:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: break;
  }
  throw ModelError("a library in another language gets no joint of type " +
                   std::string(Name(type)) + ".");
}

void Write(const Vec<double>& from, double* to) { to[0] = from.x, to[1] = from.y, to[2] = from.z; }

// The links of a system, and the groups that they are: link i is group i + 1.
class Links {
 public:
  explicit Links(const System& system) : tree_(MakeGroupTree<double>(system)) {
    const JointOffsets offsets = OffsetsOf(system);
    names_.reserve(tree_.groups.size());  // links point to them
    for (std::size_t i = 1; i < tree_.groups.size(); ++i) {
      const SweepGroup<double>& group = tree_.groups[i];
      names_.push_back(system.joints[At(group.joint)].name);
      mbsbench_link link{};
      link.name = names_.back().c_str();
      link.parent = group.parent - 1;
      link.joint = JointBit(group.type);
      link.q = group.q;
      link.u = group.u - offsets.q.back();
      link.mass = group.mass;
      Write(group.arm, link.arm);
      Write(group.turn.x, link.turn), Write(group.turn.y, link.turn + 3);
      Write(group.turn.z, link.turn + 6);
      Write(group.moment, link.moment);
      const Sym<double>& J = group.inertia;
      Write({J.xx, J.xy, J.xz}, link.inertia), Write({J.xy, J.yy, J.yz}, link.inertia + 3);
      Write({J.xz, J.yz, J.zz}, link.inertia + 6);
      links_.push_back(link);
    }
    const Vector3& g = system.gravity;
    model_ = {static_cast<int>(links_.size()),
              offsets.q.back(),
              offsets.u.back(),
              links_.data(),
              {g.x, g.y, g.z}};
  }
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  const GroupTree<double>& tree() const { return tree_; }
  const mbsbench_model& model() const { return model_; }

 private:
  GroupTree<double> tree_;
  std::vector<std::string> names_;
  std::vector<mbsbench_link> links_;
  mbsbench_model model_;
};

class ForeignMethod final : public TreeFormulation {
 public:
  ForeignMethod(const System& system, const mbsbench_method& method)
      : TreeFormulation(system, Stabilisation::kNone),
        method_(method),
        links_(system),
        motion_(links_.tree()),
        element_loads_(system, links_.tree()),
        forces_in_joints_(system, FirstRates(system)),
        loads_(links_.tree().groups.size()),
        efforts_(At(links_.model().rate_count)),
        has_efforts_(system.forces.AnyOnJoints()),
        y_(state_size()),
        ydot_(state_size()) {
    if (efforts_.empty()) return;  // nothing moves
    Sentence why{};
    self_ = method.prepare(&links_.model(), why.data(), why.size());
    if (self_ == nullptr) {
      throw ModelError(fmt::format("{} cannot prepare this system: {}", method.key,
                                   TextOf(why, "it gives no reason.")));
    }
  }
  ~ForeignMethod() override {
    if (self_ != nullptr) method_.destroy(self_);
  }

 private:
  // Numbers of the library's arrays, one after the other.
  static_assert(sizeof(Load<double>) == 6 * sizeof(double));

  static std::vector<int> FirstRates(const System& system) { return OffsetsOf(system).u; }

  Status Solve(double t, std::span<const double> y, std::span<double> ydot) override {
    motion_.PassMotion(y.data(), ydot.data());
    if (self_ == nullptr) return {};
    if (has_efforts_) forces_in_joints_.Put(t, y.data(), std::span(efforts_));
    if (!element_loads_.empty()) element_loads_.Apply(y.data(), motion_, loads_);
    // An entry that the library does not write is NaN.
    const std::span<double> udot = std::span(ydot_).subspan(joints().count());
    std::fill(udot.begin(), udot.end(), NAN);
    Sentence why;
    why.front() = '\0';
    const int result = method_.evaluate(self_, t, y.data(), y.data() + joints().count(),
                                        element_loads_.empty() ? nullptr : &loads_[1].force.x,
                                        has_efforts_ ? efforts_.data() : nullptr, udot.data(),
                                        why.data(), why.size());
    if (result != MBSBENCH_OK) {
      const auto code =
          result == MBSBENCH_SINGULAR ? Status::Code::kSingular : Status::Code::kStepFailed;
      return {code, -1, -1, Kept(TextOf(why, "the library gives no reason"))};
    }
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(udot.begin(), udot.end(),
              ydot.begin() + static_cast<std::ptrdiff_t>(joints().count()));
    return {};
  }

  std::vector<BodyAcceleration> Accelerations() const override {
    const GroupTree<double>& tree = links_.tree();
    std::vector<GroupAcceleration> of_groups(tree.groups.size());
    PassAccelerations(tree, motion_, y_.data(), ydot_.data(), system().gravity, of_groups);
    return AccelerationsOfBodies(tree.placements, motion_, system().gravity,
                                 [&](int group) { return of_groups[At(group)]; });
  }

  const mbsbench_method& method_;
  const Links links_;
  TreeMotion<double> motion_;
  ForceElementLoads element_loads_;
  JointForces forces_in_joints_;
  std::vector<Load<double>> loads_;  // per group
  std::vector<double> efforts_;      // per rate
  const bool has_efforts_;
  std::vector<double> y_, ydot_;  // of the last evaluation
  void* self_ = nullptr;
};

Capabilities WhatItTakes(const mbsbench_method& method) {
  Capabilities takes;
  const auto joint = [&](unsigned bits, JointType type) {
    if ((method.joints & bits) == bits) takes.tree_joints.kinds.push_back(type);
  };
  joint(MBSBENCH_BALL, JointType::kBall);
  joint(MBSBENCH_REVOLUTE, JointType::kRevolute);
  joint(MBSBENCH_PRISMATIC, JointType::kPrismatic);
  joint(0, JointType::kFixed);
  joint(MBSBENCH_FREE, JointType::kFree);
  if (method.traits &
      MBSBENCH_UNUSUAL_BODIES) {  // of several axes: links without mass between them
    joint(MBSBENCH_REVOLUTE, JointType::kUniversal);
    joint(MBSBENCH_REVOLUTE | MBSBENCH_PRISMATIC, JointType::kCylindrical);
    joint(MBSBENCH_REVOLUTE | MBSBENCH_PRISMATIC, JointType::kPlanar);
    takes.bodies = {{UnusualBody::kPoint, UnusualBody::kInertiaWithoutMass,
                     UnusualBody::kWithoutMassOrInertia}};
  }
  if (method.traits & MBSBENCH_FORCES) {
    takes.force_elements = AllForceElements();
  }
  takes.motion_in_space = (method.traits & MBSBENCH_IN_SPACE) != 0;
  return takes;
}

// Why a description cannot be used; empty if it can.
std::string FaultOf(const mbsbench_method& method) {
  constexpr unsigned kJoints =
      MBSBENCH_REVOLUTE | MBSBENCH_PRISMATIC | MBSBENCH_BALL | MBSBENCH_FREE;
  constexpr unsigned kTraits = MBSBENCH_IN_SPACE | MBSBENCH_FORCES | MBSBENCH_UNUSUAL_BODIES;
  if (method.prepare == nullptr) return "no function 'prepare'";
  if (method.evaluate == nullptr) return "no function 'evaluate'";
  if (method.destroy == nullptr) return "no function 'destroy'";
  if (method.joints == 0) return "no type of joint";
  if (method.joints & ~kJoints)
    return fmt::format("types of joints that version {} does not have", MBSBENCH_C_VERSION);
  if (method.traits & ~kTraits)
    return fmt::format("traits that version {} does not have", MBSBENCH_C_VERSION);
  return "";
}

}  // namespace

MethodEntry ForeignMethodEntry(const mbsbench_method& method) {
  if (const std::string fault = FaultOf(method); !fault.empty()) throw ModelError(fault);
  MethodEntry entry;
  entry.key = TextOf(method.key);
  entry.title = TextOf(method.title);
  entry.source = TextOf(method.source);
  entry.description = TextOf(method.description);
  entry.form = Form::kOde;
  entry.cost_exponent = method.cost_exponent;
  entry.shared_parts = {"tree joints", "tree motion", "force elements", "joint reactions"};
  entry.capabilities = WhatItTakes(method);
  entry.prepare = [&method](const System& system,
                            const MethodOptions&) -> std::unique_ptr<Formulation> {
    return std::make_unique<ForeignMethod>(system, method);
  };
  entry = OnSingleAxes(std::move(entry));
  if (method.supports != nullptr) {
    entry.supports = [&method](const System& system, const MethodOptions&) -> Verdict {
      SingleAxes single = OnSingleAxes(system);
      for (std::size_t j = 0; j < single.system.joints.size(); ++j)  // a sentence may hold them
        single.system.joints[j].name = system.joints[At(single.original_joint[j])].name;
      const Links links(single.system);
      Sentence why{};
      if (method.supports(&links.model(), why.data(), why.size()) == MBSBENCH_OK) return {};
      return Verdict::No(
          TextOf(why, fmt::format("{} refuses this system and gives no reason.", method.key)));
    };
  }
  return entry;
}

}  // namespace mbsbench
