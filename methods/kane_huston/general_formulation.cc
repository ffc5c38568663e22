#include "methods/kane_huston/general_formulation.h"

#include <algorithm>
#include <cmath>

#include "methods/coordinates/tree_formulation.h"
#include "methods/kane_huston/kane_equations.h"
#include "methods/kinematics/joint_laws.h"
#include "methods/tree_motion/force_element_loads.h"
#include "methods/tree_motion/group_accelerations.h"
#include "methods/tree_motion/tip_inertia.h"

namespace mbsbench::kane_huston {

template class PartialVelocities<double>;
template class KaneEquations<double>;

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

class GeneralFormulation final : public TreeFormulation {
 public:
  explicit GeneralFormulation(const GivenSystem& given)
      : TreeFormulation(given, Stabilisation::kNone),
        tree_(given),
        equations_(tree_, system().gravity),
        forces_in_joints_(given, FirstDofs(given, tree_)),
        force_elements_(given, tree_),
        tip_without_inertia_(FindTipWithoutInertia(given, tree_)),
        y_(joints().size()),
        ydot_(y_) {
    equations_.Hold(HeldRates(system(), tree_));
  }

 private:
  static std::vector<int> FirstDofs(const System& system, const ReducedTree<double>& tree) {
    std::vector<int> dofs = tree.GroupOfJoint(system);
    for (int& dof : dofs) dof = dof < 0 ? -1 : tree.nodes[At(dof)].dof;
    return dofs;
  }

  // Only the direction of a quaternion counts. Inside the steps of an integrator its length is off
  // by local errors; taken as it is, it would make rotations stretch, and rates that do not depend
  // on attitude at all (a free body's) would inherit the errors of the attitude. On `dzhanibekov`,
  // which magnifies them, that cost two digits at equal tolerance.
  Status Solve(double t, std::span<const double> y, std::span<double> ydot) override {
    if (!tip_without_inertia_.ok()) return tip_without_inertia_;
    std::ranges::copy(y, y_.begin());
    if (const Status status = joints().NormaliseQuaternions(y_); !status.ok()) return status;
    equations_.partial_velocities.SetMotion(y_.data(), ydot.data());
    if (!force_elements_.empty())
      force_elements_.Apply(y_.data(), equations_.partial_velocities.groups(), equations_.loads);
    forces_in_joints_.Put(t, y.data(), std::span<double>(equations_.joint_forces));
    equations_.Assemble(y_.data());
    for (std::size_t k = 0; k < driven().all().size(); ++k)
      equations_.driven_accelerations()[k] = driven().all()[k].acceleration;
    if (const int failed = equations_.Solve(); failed >= 0) {
      const int joint = tree_.groups[At(tree_.node_of_dof[At(failed)])].joint;
      if (std::isfinite(equations_.inertia.Row(failed)[equations_.inertia.position(failed)]))
        return Singular(joint);
      return {Status::Code::kNotFinite, joint, -1, "the generalised inertia is not finite"};
    }
    joints().CalcRates(y, ydot);
    for (std::size_t k = 1; k < tree_.nodes.size(); ++k)
      std::copy_n(equations_.accelerations.data() + tree_.nodes[k].dof, tree_.nodes[k].dofs,
                  ydot.data() + tree_.groups[k].u);
    std::ranges::copy(ydot, ydot_.begin());
    return {};
  }

  std::vector<BodyAcceleration> Accelerations() const override {
    const TreeMotion<double>& motion = equations_.partial_velocities.groups();
    std::vector<GroupAcceleration> of_groups(tree_.groups.size());
    PassAccelerations(tree_, motion, y_.data(), ydot_.data(), system().gravity, of_groups);
    return AccelerationsOfBodies(tree_.placements, motion, system().gravity,
                                 [&](int group) { return of_groups[At(group)]; });
  }

  const ReducedTree<double> tree_;
  KaneEquations<double> equations_;
  JointForces forces_in_joints_;
  ForceElementLoads force_elements_;
  const Status tip_without_inertia_;
  std::vector<double> y_, ydot_;  // of the last evaluation, quaternions of unit length
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeGeneralFormulation(const GivenSystem& given) {
  return std::make_unique<GeneralFormulation>(given);
}

}  // namespace mbsbench::kane_huston
