#include "methods/kane_huston/general_formulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/kane_huston/kane_equations.h"
#include "methods/kinematics/driven_coordinates.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_coordinates.h"
#include "methods/kinematics/joint_reactions.h"

namespace mbsbench::kane_huston {

template class PartialVelocities<double>;
template class KaneEquations<double>;

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

class GeneralFormulation final : public OdeFormulation {
 public:
  explicit GeneralFormulation(const System& system)
      : system_(system),
        tree_(Reduce(system)),
        equations_(tree_, system.gravity),
        joints_(system),
        driven_(system),
        offsets_(OffsetsOf(system)),
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

  std::size_t state_size() const override { return joints_.size(); }
  bool has_projection() const override { return joints_.has_quaternions(); }
  bool has_power() const override { return HasNonConservativeForces(system_); }

  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    joints_.Put(state.joints, y);
    driven_.Start(t, y);
    return {};
  }

  Status Evaluate(double t, std::span<const double> state, std::span<double> ydot) override {
    const std::span<const double> y = driven_.At(t, state);
    const double *q = y.data(), *u = y.data() + coordinates();
    const Status status = SolveAccelerations(q, u);
    if (!status.ok()) {
      std::fill(ydot.begin(), ydot.end(), std::numeric_limits<double>::quiet_NaN());
      return status;
    }
    joints_.CalcRates(y, ydot);
    for (const Node& node : tree_.nodes)
      std::copy_n(equations_.accelerations.data() + node.dof, node.dofs,
                  ydot.data() + coordinates() + node.u);
    return {};
  }

  Status Project(double t, std::span<double> y) override {
    driven_.Place(t, y);
    return joints_.NormaliseQuaternions(y);
  }

  Status Observe(double t, std::span<const double> state, Detail detail,
                 Observation& observation) override {
    const std::span<const double> y = driven_.At(t, state);
    const double *q = y.data(), *u = y.data() + coordinates();
    observation.accelerations.clear();
    observation.reactions.clear();
    observation.drivers.clear();
    Status status;
    if (detail == Detail::kMotion) {
      equations_.partial_velocities.SetMotion(q, u);
    } else {
      status = SolveAccelerations(q, u);
    }
    observation.bodies.resize(bodies_.size());
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      observation.bodies[b] = StateOf(static_cast<int>(b));
    if (detail == Detail::kMotion || !status.ok()) return status;
    observation.accelerations = Accelerations();
    if (detail == Detail::kReactions) {
      observation.reactions = Passed(observation.bodies, observation.accelerations);
      observation.drivers = driven_.Observed(
          y, DriverEfforts(system_, joints_.StateAt(y), observation.bodies, observation.reactions));
      TakeOutFreeDirections(system_, observation.bodies, observation.reactions);
    }
    return {};
  }

  double Power(double t, std::span<const double> state) override {
    const std::span<const double> y = driven_.At(t, state);
    const double *q = y.data(), *u = y.data() + coordinates();
    equations_.partial_velocities.SetMotion(q, u);
    for (int b : loaded_bodies_) bodies_[At(b)] = StateOf(b);
    const JointState joints = joints_.StateAt(y);
    const double power = NonConservativePower(system_, bodies_, &joints);
    return system_.drivers.empty() ? power : power + DriversPower(y, joints);
  }

 private:
  std::size_t coordinates() const { return joints_.count(); }

  // What passes the tree joints, after SolveAccelerations.
  std::vector<JointReaction> Passed(std::span<const BodyState> bodies,
                                    std::span<const BodyAcceleration> accelerations) const {
    return PassedThroughJoints(system_, bodies,
                               NeededWrenches(system_, bodies, accelerations, wrenches_));
  }

  double DriversPower(std::span<const double> y, const JointState& joints) {
    if (!SolveAccelerations(joints.q.data(), joints.u.data()).ok())
      return std::numeric_limits<double>::quiet_NaN();
    std::vector<BodyState> bodies(bodies_.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) bodies[b] = StateOf(static_cast<int>(b));
    const std::vector<double> efforts =
        DriverEfforts(system_, joints, bodies, Passed(bodies, Accelerations()));
    return PowerOf(driven_.Observed(y, efforts));
  }

  // Leaves u' in equations_.accelerations.
  Status SolveAccelerations(const double* q, const double* u) {
    equations_.partial_velocities.SetMotion(q, u);
    ApplyForceElements(q, u);
    equations_.Assemble(u);
    for (std::size_t k = 0; k < driven_.all().size(); ++k)
      equations_.driven_accelerations()[k] = driven_.all()[k].acceleration;
    const int failed = equations_.Solve();
    if (failed >= 0) {
      const bool finite =
          std::isfinite(equations_.inertia.Row(failed)[equations_.inertia.position(failed)]);
      const int joint = tree_.nodes[At(tree_.node_of_dof[At(failed)])].joint;
      if (finite)
        return {Status::Code::kSingular, joint, system_.joints[At(joint)].child,
                "no inertia about the joint's free axes"};
      return {Status::Code::kNotFinite, joint, -1, "the generalised inertia is not finite"};
    }
    for (double acceleration : equations_.accelerations) {
      if (!std::isfinite(acceleration))
        return {Status::Code::kNotFinite, -1, -1, "a joint acceleration is not finite"};
    }
    return {};
  }

  void ApplyForceElements(const double* q, const double* u) {
    if (!loaded_bodies_.empty()) {
      for (int b : loaded_bodies_) {
        bodies_[At(b)] = StateOf(b);
        wrenches_[At(b)] = {};
        const int node = tree_.members[At(b)].node;
        if (node != kGround) equations_.loads[At(node)] = {};
      }
      AddForceElements(system_, bodies_, wrenches_);
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
    for (const JointSpringDamper& e : system_.joint_spring_dampers)
      equations_.joint_forces[At(DofOf(e.joint))] = 0;
    for (const JointSpringDamper& e : system_.joint_spring_dampers) {
      equations_.joint_forces[At(DofOf(e.joint))] +=
          JointSpringForce(e, q[offsets_.q[At(e.joint)]], u[offsets_.u[At(e.joint)]]);
    }
  }

  int DofOf(int joint) const {
    return tree_.nodes[At(tree_.members[At(system_.joints[At(joint)].child)].node)].dof;
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
  std::vector<BodyAcceleration> Accelerations() const {
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

  System system_;
  ReducedTree tree_;
  KaneEquations<double> equations_;
  const JointCoordinates joints_;
  DrivenCoordinates driven_;
  JointOffsets offsets_;
  std::vector<int> loaded_bodies_;  // those that force elements act on
  std::vector<BodyState> bodies_;   // kept up to date for loaded bodies only
  std::vector<Wrench> wrenches_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeGeneralFormulation(const System& system) {
  return std::make_unique<GeneralFormulation>(system);
}

}  // namespace mbsbench::kane_huston
