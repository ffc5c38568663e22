// What the tree formulations of the transfer matrix methods share in addition to the elements: the motion of
// the elements, what is given on them, and accelerations and joint forces from state vectors.
#pragma once

#include <span>
#include <vector>

#include "methods/kinematics/force_elements.h"
#include "methods/numerics/tree_formulation.h"
#include "methods/transfer_elements/tree_motion.h"

namespace mbsbench {

class JointCoordinateFormulation : public TreeFormulation {
 protected:
  explicit JointCoordinateFormulation(const System& system,
                                      Stabilisation stabilisation = Stabilisation::kProjected);

  // State vector at the output end of a body: z_b and z_a, signs of the papers.
  struct OutputState {
    Vec<double> a, alpha, m, q;
  };
  // State vectors at the output ends of all elements, after Solve.
  virtual void OutputStates(std::span<OutputState> states) const = 0;
  std::vector<BodyAcceleration> Accelerations() const override;
  std::vector<JointReaction> Passed(std::span<const BodyState> bodies,
                                    std::span<const BodyAcceleration> accelerations) const override;

  // Fills `motions`, which have to stay as they are until the accelerations are asked for, with the
  // accelerations of driven joints in them; q' into ydot. Where has_wrenches(), put(k, force, moment)
  // takes what springs between bodies and applied forces exert on the mass centre of element k.
  template <class Put>
  void Move(std::span<const double> y, std::span<double> ydot, ElementMotion<double>* motions,
            Put put) {
    motions_ = motions;
    CalcMotion(tree_, y.data(), motions, ydot.data());
    Drive(motions);
    if (!has_wrenches_) return;
    CalcWrenches(y);
    for (std::size_t k = 0; k < tree_.elements.size(); ++k) {
      const Wrench& w = wrenches_[static_cast<std::size_t>(tree_.elements[k].body)];
      put(k, Lifted(w.force), Lifted(w.moment));
    }
  }
  bool has_wrenches() const { return has_wrenches_; }

  // LoopClosure::CalcRowsAt, after Move at the same y.
  void CalcLoopRows(std::span<const double> y);
  // From the output end of the element (0: the ground) to the loop joint's point, after CalcLoopRows.
  Vec<double> ArmTo(int loop, int element);
  // Index into the motions of the body that a joint acts on: 0 is the ground.
  int ElementOf(int body) const {
    return body == kGround ? 0 : tree_.element_of_body[static_cast<std::size_t>(body)] + 1;
  }

  const JointTree tree_;

 private:
  void Drive(ElementMotion<double>* motions) const;
  void CalcWrenches(std::span<const double> y);

  const bool has_wrenches_;
  const ElementMotion<double>* motions_ = nullptr;  // of the last Move
  std::vector<OriginMotion> origins_;
  std::vector<BodyState> bodies_;
  std::vector<Wrench> wrenches_;
};

}  // namespace mbsbench
