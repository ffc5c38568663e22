// The common part of the tree formulations of the transfer matrix methods, in addition to the elements: the
// motion of the groups, given forces and accelerations, and accelerations and joint forces from state
// vectors.
#pragma once

#include <span>
#include <vector>

#include "methods/coordinates/tree_formulation.h"
#include "methods/kinematics/joint_laws.h"
#include "methods/transfer_elements/transfer_tree.h"
#include "methods/tree_motion/force_element_loads.h"

namespace mbsbench {

class TransferFormulation : public TreeFormulation {
 protected:
  explicit TransferFormulation(const GivenSystem& given,
                               Stabilisation stabilisation = Stabilisation::kProjected);

  // State vector at the output end of a group: z_b and z_a, signs of the papers.
  struct OutputState {
    Vec<double> a, alpha, m, q;
  };
  // After Solve.
  virtual OutputState StateAtOutput(std::size_t group) const = 0;
  std::vector<BodyAcceleration> Accelerations() const override;
  // State vectors do not contain the reactions of fixed joints.
  std::vector<JointReaction> Passed(std::span<const BodyState> bodies,
                                    std::span<const BodyAcceleration> accelerations) const override;

  // Sets the motion of the groups and the given forces and accelerations; q' into ydot.
  void Move(double t, std::span<const double> y, std::span<double> ydot);
  Status Failed(std::size_t group, Status::Code code, const char* what) const;

  const TransferTree<double> tree_;
  TreeMotion<double> motion_;
  // Per group: the generalised force of springs on a joint with one axis, or the acceleration of a driven
  // joint; and the load of force elements, about the group's origin.
  std::vector<double> joint_forces_;
  std::vector<Load<double>> loads_;

 private:
  const std::vector<int> group_of_joint_;
  ForceElementLoads force_elements_;
  JointForces forces_in_joints_;
};

}  // namespace mbsbench
