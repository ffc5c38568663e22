#include "methods/transfer_elements/joint_coordinate_formulation.h"

#include <algorithm>

namespace mbsbench {

JointCoordinateFormulation::JointCoordinateFormulation(const System& system,
                                                       Stabilisation stabilisation)
    : TreeFormulation(system, stabilisation),
      tree_(MakeJointTree(system)),
      has_wrenches_(HasForceElements(system)),
      origins_(tree_.elements.size() + 1),
      bodies_(tree_.elements.size()),
      wrenches_(tree_.elements.size()) {}

void JointCoordinateFormulation::Drive(ElementMotion<double>* motions) const {
  for (const DrivenCoordinates::Driven& d : driven().all()) {
    const int k = ElementOf(system().joints[static_cast<std::size_t>(d.joint)].child);
    DriveJoint(tree_.elements[static_cast<std::size_t>(k) - 1], d.acceleration, motions[k]);
  }
}

void JointCoordinateFormulation::CalcWrenches(std::span<const double> y) {
  CalcBodyStates(tree_, y.data(), motions_, origins_, bodies_);
  std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
  AddForceElements(system(), bodies_, wrenches_);
}

void JointCoordinateFormulation::CalcLoopRows(std::span<const double> y) {
  CalcBodyStates(tree_, y.data(), motions_, origins_, bodies_);
  closure()->CalcRowsAt(bodies_);
}

Vec<double> JointCoordinateFormulation::ArmTo(int loop, int element) {
  const Vec<double> point = Lifted(closure()->point(loop));
  if (element == 0) return point;
  const TreeElement& e = tree_.elements[static_cast<std::size_t>(element) - 1];
  return point - Lifted(bodies_[static_cast<std::size_t>(e.body)].position) +
         motions_[element].A * e.r_OC;
}

std::vector<BodyAcceleration> JointCoordinateFormulation::Accelerations() const {
  std::vector<OutputState> states(tree_.elements.size());
  OutputStates(states);
  std::vector<BodyAcceleration> accelerations(states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    const TreeElement& e = tree_.elements[k];
    const ElementMotion<double>& m = motions_[k + 1];
    const OutputState& z = states[k];
    const Vec<double> r_OC = m.A * e.r_OC;
    accelerations[static_cast<std::size_t>(e.body)] = {
        Plain(z.a + Cross(z.alpha, r_OC) + DoubleCross(m.omega, r_OC)), Plain(z.alpha)};
  }
  return accelerations;
}

// At an output end forces count against the axes.
std::vector<JointReaction> JointCoordinateFormulation::Passed(
    std::span<const BodyState>, std::span<const BodyAcceleration>) const {
  std::vector<OutputState> states(tree_.elements.size());
  OutputStates(states);
  std::vector<JointReaction> passed(states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    passed[static_cast<std::size_t>(tree_.elements[k].joint)] = {Plain(-states[k].q),
                                                                 Plain(states[k].m), true};
  }
  return passed;
}

}  // namespace mbsbench
