#include "methods/kane_huston/general_formulation.h"

#include <algorithm>
#include <cmath>

#include "methods/kane_huston/kane_equations.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_springs.h"
#include "methods/numerics/tree_formulation.h"

namespace mbsbench::kane_huston {

template class PartialVelocities<double>;
template class KaneEquations<double>;

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

class GeneralFormulation final : public TreeFormulation {
 public:
  explicit GeneralFormulation(const System& system)
      : TreeFormulation(system, Stabilisation::kNone),
        tree_(Reduce(system)),
        equations_(tree_, system.gravity),
        springs_(system, FirstDofs(system, tree_)),
        bodies_(system.bodies.size()),
        wrenches_(system.bodies.size()) {
    std::vector<char> loaded(bodies_.size(), 0);
    for (const SpringDamper& e : system.spring_dampers) {
      if (e.body_a != kGround) loaded[At(e.body_a)] = 1;
      if (e.body_b != kGround) loaded[At(e.body_b)] = 1;
    }
    for (const AppliedForce& e : system.applied_forces) loaded[At(e.body)] = 1;
    for (const GroundSpring& e : system.ground_springs) loaded[At(e.body)] = 1;
    for (std::size_t b = 0; b < loaded.size(); ++b) {
      if (loaded[b]) loaded_bodies_.push_back(static_cast<int>(b));
      // A body that the ground holds stands still for good.
      if (tree_.members[b].node == kGround) bodies_[b] = StateOf(static_cast<int>(b));
    }
    equations_.Hold(HeldRates(system, tree_));
  }

 private:
  static std::vector<int> FirstDofs(const System& system, const ReducedTree& tree) {
    std::vector<int> dofs;
    for (const Joint& joint : system.joints) {
      const int node = tree.members[At(joint.child)].node;
      dofs.push_back(node == kGround ? -1 : tree.nodes[At(node)].dof);
    }
    return dofs;
  }

  Status Solve(double, std::span<const double> y, std::span<double> ydot) override {
    const double *q = y.data(), *u = y.data() + joints().count();
    equations_.partial_velocities.SetMotion(q, u);
    if (!loaded_bodies_.empty()) ApplyForceElements();
    springs_.Put(y.data(), std::span<double>(equations_.joint_forces));
    equations_.Assemble(u);
    for (std::size_t k = 0; k < driven().all().size(); ++k)
      equations_.driven_accelerations()[k] = driven().all()[k].acceleration;
    if (const int failed = equations_.Solve(); failed >= 0) {
      const int joint = tree_.nodes[At(tree_.node_of_dof[At(failed)])].joint;
      if (std::isfinite(equations_.inertia.Row(failed)[equations_.inertia.position(failed)]))
        return Singular(joint);
      return {Status::Code::kNotFinite, joint, -1, "the generalised inertia is not finite"};
    }
    joints().CalcRates(y, ydot);
    for (const Node& node : tree_.nodes)
      std::copy_n(equations_.accelerations.data() + node.dof, node.dofs,
                  ydot.data() + joints().count() + node.u);
    return {};
  }

  void ApplyForceElements() {
    for (int b : loaded_bodies_) {
      bodies_[At(b)] = StateOf(b);
      wrenches_[At(b)] = {};
      const int node = tree_.members[At(b)].node;
      if (node != kGround) equations_.loads[At(node)] = {};
    }
    AddForceElements(system(), bodies_, wrenches_);
    for (int b : loaded_bodies_) {
      const Member& member = tree_.members[At(b)];
      if (member.node == kGround) continue;
      const Eigen::Vector3d arm =
          equations_.partial_velocities.motion(member.node).rotation * ToEigen(member.position);
      const Eigen::Vector3d force = ToEigen(wrenches_[At(b)].force);
      NodeLoad<double>& load = equations_.loads[At(member.node)];
      load.force += force;
      load.moment += ToEigen(wrenches_[At(b)].moment) + arm.cross(force);
    }
  }

  BodyState StateOf(int body) const {
    const Member& member = tree_.members[At(body)];
    if (member.node == kGround) return {member.position, member.axes, {}, {}};
    const NodeMotion<double>& motion = equations_.partial_velocities.motion(member.node);
    const Eigen::Vector3d arm = motion.rotation * ToEigen(member.position);
    return {FromEigen(motion.position + arm), FromEigen(motion.orientation) * member.axes,
            FromEigen(motion.velocity + motion.omega.cross(arm)), FromEigen(motion.omega)};
  }

  // (2) of partial_velocities.h with u' known; sum_k v_bk u_k' by the recursion of its (3).
  std::vector<BodyAcceleration> Accelerations() const override {
    const auto& velocities = equations_.partial_velocities;
    struct Share {
      Eigen::Vector3d linear = Eigen::Vector3d::Zero(), angular = Eigen::Vector3d::Zero();
    };
    std::vector<Share> shares(tree_.nodes.size());  // u u' of each node
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      const Node& node = tree_.nodes[i];
      Share& share = shares[i];
      if (node.parent != kGround) {
        const Share& parent = shares[At(node.parent)];
        share.angular = parent.angular;
        share.linear =
            parent.linear + parent.angular.cross(velocities.motion(static_cast<int>(i)).d);
      }
      for (int k = 0; k < node.dofs; ++k) {
        const double rate = equations_.accelerations[At(node.dof + k)];
        share.angular += rate * velocities.column(node.dof + k).w;
        share.linear += rate * velocities.column(node.dof + k).v;
      }
    }
    std::vector<BodyAcceleration> accelerations(bodies_.size());
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const Member& member = tree_.members[b];
      if (member.node == kGround) continue;
      const NodeMotion<double>& motion = velocities.motion(member.node);
      const Share& share = shares[At(member.node)];
      const Eigen::Vector3d arm = motion.rotation * ToEigen(member.position);
      const Eigen::Vector3d alpha = share.angular + motion.bias_alpha;
      const Eigen::Vector3d a = share.linear + equations_.bias(member.node) + alpha.cross(arm) +
                                motion.omega.cross(motion.omega.cross(arm));
      accelerations[b] = {FromEigen(a), FromEigen(alpha)};
    }
    return accelerations;
  }

  ReducedTree tree_;
  KaneEquations<double> equations_;
  JointSprings springs_;
  std::vector<int> loaded_bodies_;  // those that force elements act on
  std::vector<BodyState> bodies_;   // kept up to date for loaded bodies only
  std::vector<Wrench> wrenches_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeGeneralFormulation(const System& system) {
  return std::make_unique<GeneralFormulation>(system);
}

}  // namespace mbsbench::kane_huston
