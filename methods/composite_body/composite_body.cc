#include "methods/composite_body/composite_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "methods/composite_body/joint_space_equations.h"
#include "methods/composite_body/loop_response.h"
#include "methods/composite_body/operations.h"
#include "methods/coordinates/tree_formulation.h"
#include "methods/kinematics/joint_laws.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/kinematics/single_axes.h"
#include "methods/tree_motion/force_element_loads.h"
#include "methods/tree_motion/tip_inertia.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace composite_body {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

class CompositeBody final : public TreeFormulation {
 public:
  CompositeBody(const System& system, Stabilisation stabilisation)
      : CompositeBody(system, MakeGroupTree<double>(system), stabilisation) {}

 private:
  CompositeBody(const System& system, const GroupTree<double>& tree, Stabilisation stabilisation)
      : TreeFormulation(system, stabilisation),
        equations_(tree, system.gravity),
        loads_(system, tree),
        forces_in_joints_(system, FirstRates(tree.GroupOfJoint(system))),
        seats_(tree.placements),
        tip_without_inertia_(FindTipWithoutInertia(system, tree)) {
    const std::vector<int> group_of_joint = tree.GroupOfJoint(system);
    for (const Driver& d : system.drivers) group_of_driver_.push_back(group_of_joint[At(d.joint)]);
    for (int i = 1; i < equations_.group_count(); ++i) {
      const SweepGroup<double>& group = tree.groups[At(i)];
      for (int k = 0; k < RateCount(group.type); ++k) {
        if (group.driven) continue;
        place_of_rate_.push_back(group.u + k);
        joint_of_rate_.push_back(group.joint);
      }
    }
    if (closure()) loops_ = std::make_unique<LoopResponse>(system, tree, equations_.rates());
  }

  std::vector<int> FirstRates(std::vector<int> groups) const {
    for (int& group : groups) group = equations_.first_rate(std::max(0, group));
    return groups;
  }

  Status Solve(double time, std::span<const double> y, std::span<double> ydot) override {
    if (!tip_without_inertia_.ok()) return tip_without_inertia_;
    equations_.PassMotion(y.data(), ydot.data());
    forces_in_joints_.Put(time, y.data(), equations_.joint_forces());
    if (!loads_.empty()) loads_.Apply(y.data(), equations_, equations_.loads());
    for (std::size_t k = 0; k < group_of_driver_.size(); ++k)
      equations_.driven_accelerations()[At(group_of_driver_[k])] = driven().all()[k].acceleration;
    equations_.Assemble(y.data());

    PathCholesky<double>& H = equations_.inertia();
    const std::span<double> t = equations_.right_side();
    if (const int k = H.Factorise(equations_.scale().data()); k >= 0) {
      if (std::isfinite(H.Row(k)[H.position(k)])) return Singular(joint_of_rate_[At(k)]);
      return {Status::Code::kNotFinite, joint_of_rate_[At(k)], -1,
              "the joint-space inertia is not finite"};
    }
    H.SolveTransposed(t.data());
    if (loops_) {
      const Status status = loops_->Close(y.data(), equations_, *closure(), t);
      if (!status.ok()) return status;
    }
    H.SolveLower(t.data());
    for (std::size_t k = 0; k < t.size(); ++k) ydot[At(place_of_rate_[k])] = t[k];
    return {};
  }

  std::vector<BodyAcceleration> Accelerations() const override {
    const auto of_groups = equations_.Accelerations(equations_.right_side());
    return AccelerationsOfBodies(seats_, equations_, system().gravity, [&](int group) {
      return GroupAcceleration{of_groups[At(group)].alpha, of_groups[At(group)].a};
    });
  }

  JointSpaceEquations<double> equations_;
  ForceElementLoads loads_;
  JointForces forces_in_joints_;
  std::unique_ptr<LoopResponse> loops_;  // none on trees
  std::vector<BodyInGroup<double>> seats_;
  const Status tip_without_inertia_;
  std::vector<int> place_of_rate_, joint_of_rate_;  // per free rate: in y, in System::joints
  std::vector<int> group_of_driver_;
};

// Number of entries of H, whose rows follow the paths.
double EntriesOfInertia(const System& system) {
  const Topology topology = TopologyOf(system);
  std::vector<double> path(system.bodies.size());
  double entries = 0;
  for (int b : topology.order) {
    const int parent = topology.parent[At(b)];
    const double rates = RateCount(system.joints[At(topology.joint[At(b)])].type);
    path[At(b)] = (parent == kGround ? 0 : path[At(parent)]) + rates;
    entries += rates * path[At(b)];
  }
  return entries;
}

// Larger systems are refused: with such long paths an evaluation takes minutes.
constexpr double kMostBytes = 1e9;

Verdict Supports(const System& system, const MethodOptions& options) {
  const double bytes = sizeof(double) * EntriesOfInertia(system);
  if (bytes > kMostBytes) {
    return Verdict::No(fmt::format(
        "composite-body stores the joint-space inertia along the paths of the tree, "
        "which would need {:.1f} GB for these {} bodies; {:.0f} GB are allowed at most.",
        bytes / 1e9, system.bodies.size(), kMostBytes / 1e9));
  }
  return StabilisationSupports(system, options);
}

Capabilities WhatItTakes() {
  Capabilities capabilities = SharedCapabilities();
  capabilities.force_elements = AllForceElements();
  return capabilities;
}

}  // namespace

}  // namespace composite_body

MethodEntry CompositeBodyEntry() {
  return OnSingleAxes({
      .key = "composite-body",
      .title = "Composite-rigid-body algorithm",
      .source = "Walker and Orin 1982; Featherstone 2005; Featherstone 2008, ch. 6 and 8",
      .description =
          "Joint coordinates. The joint-space inertia is formed from composite rigid bodies and "
          "factorised as L'L from the tips to the root, without fill-in; the cost of a tree is "
          "at most proportional to bodies times depth squared. Loops are cut, and the forces in "
          "the cuts close them, at a cost that is cubic in their constraints.",
      .form = Form::kOde,
      .cost_exponent = 3,
      .shared_parts = {"tree joints", "tree motion", "loop joints", "loop closure",
                       "closure system", "loop elimination", "force elements", "joint reactions"},
      .options = StabilisationOptions({{"delassus", "loops by the response J H^-1 J' of the tree",
                                        std::string(kVariantGroup), true}}),
      .numbers = {kBaumgarteRate},
      .limits = {{.promises = {"reference-branchN:bodies=500"},
                  .reason = "bodies times depth squared in each evaluation",
                  .seconds = 600}},
      .capabilities = composite_body::WhatItTakes(),
      .supports = composite_body::Supports,
      .prepare = [](const System& system,
                    const MethodOptions& options) -> std::unique_ptr<Formulation> {
        return std::make_unique<composite_body::CompositeBody>(system, StabilisationOf(options));
      },
      .reaction_choice = "least-multipliers",
      .count_operations =
          [](const System& system, const MethodOptions&, const JointState& state) {
            return composite_body::CountOperations(system, state);
          },
  });
}

}  // namespace mbsbench
