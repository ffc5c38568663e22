// The common part of formulations in joint coordinates: the state y = [q; u] and its conversion from and
// to absolute states, closed loops, reactions, and the power of drivers from accelerations. A derived
// formulation adds only its equations.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "methods/interface/formulation.h"
#include "methods/kinematics/driven_coordinates.h"
#include "methods/kinematics/joint_coordinates.h"
#include "methods/loops/loop_closure.h"
#include "methods/loops/loop_projection.h"
#include "problems/model/given_system.h"

namespace mbsbench {

class TreeFormulation : public OdeFormulation,
                        public Projects,
                        public HasPower,
                        public EvaluatesReactions,
                        public ObservesWithoutMotion {
 public:
  // `stabilisation` is used on loops only.
  TreeFormulation(const GivenSystem& given, Stabilisation stabilisation);

  std::size_t state_size() const final { return joints_.size(); }
  std::vector<Dimension> Dimensions() const final { return joints_.Dimensions(); }
  Status Initialise(double t, const SystemState& state, std::span<double> y) final;
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) final;
  EvaluatesReactions* reactions() final { return this; }
  // If the equations do not contain the reactions, they are computed as in an observation.
  Status EvaluateWithReactions(double t, std::span<const double> y, std::span<double> ydot,
                               std::span<JointReaction> reactions) final;
  bool equations_contain_reactions() const override { return false; }
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) final;
  ObservesWithoutMotion* without_motion() final { return this; }
  Status ObserveWithoutMotion(double t, std::span<const double> y, Detail detail,
                              Observation& observation) final;
  Projects* projection() final { return joints_.has_quaternions() || projection_ ? this : nullptr; }
  bool needs_projection() const final { return projection_ != nullptr; }
  Status Project(double t, std::span<double> y) final;
  HasPower* power() final;
  double Power(double t, std::span<const double> y) final;

 protected:
  // ydot at (t, y), in which driven coordinates and rates are those of driven() at t. The usual order:
  //   1. TreeMotion::PassMotion writes q' and the motion of all groups.
  //   2. JointForces::Put sets the forces of springs and motors in joints, ForceElementLoads::Apply the loads of all other
  //      force elements. The method adds gravity.
  //   3. The equations of the free rates are solved. A driven rate has no equation: its acceleration stands in ydot
  //      already. PassAccelerations reads all of u', so entries that are not known yet have to be zero.
  //   4. With loops, the multipliers in closure() are set (loop_wrenches.h shows how) and act on u'.
  // u' of driven joints need not be written. It need not check for values that are not finite.
  //
  // Mistakes that `mbsbench conform` finds, and what avoids them:
  //   `no-allocation`              a product or vector grows in the first evaluation: the constructor sizes all members.
  //                                Eigen's blocked factorisations (LLT, PartialPivLU) allocate above about a hundred
  //                                rates; LDLT and path_cholesky.h do not
  //   `not-a-number`               LDLT takes a pivot that is zero or NaN for a free unknown: `if (!(pivot > bound))
  //                                return Singular(joint);`
  //   `catalogue`, `no-inertia`    a bound on pivots relative to the largest one refuses light bodies beside heavy ones:
  //                                compare each with the largest inertia that its joint could have, the trace of the
  //                                composite inertia if it turns, the mass if it slides
  //   `repeatable`, `drivers-*`    ydot and right sides are uninitialised: every entry is written each time
  //   `force-*`                    a sign, or a force that is added twice
  virtual Status Solve(double t, std::span<const double> y, std::span<double> ydot) = 0;
  // The accelerations of all mass centres in the order of System::bodies, with gravity, after Solve
  // (AccelerationsOfBodies adds gravity to those of groups).
  virtual std::vector<BodyAcceleration> Accelerations() const = 0;
  // The wrenches in the tree joints, including their springs and drivers, after Solve, computed from
  // accelerations by the equations of Newton and Euler. Methods with these wrenches as unknowns override
  // it.
  virtual std::vector<JointReaction> Passed(std::span<const BodyState> bodies,
                                            std::span<const BodyAcceleration> accelerations) const;
  // For formulations whose equations contain the reactions: Solve, the reactions of all tree joints, and per driver the component of its
  // joint's wrench along the axis (the efforts of driver and springs).
  virtual Status SolveWithReactions(double /*t*/, std::span<const double> /*y*/,
                                    std::span<double> /*ydot*/,
                                    std::span<JointReaction> /*reactions*/,
                                    std::span<double> /*along_axes*/) {
    return {};
  }

  const System& system() const { return system_; }
  const JointCoordinates& joints() const { return joints_; }
  const DrivenCoordinates& driven() const { return driven_; }
  // y, with driven coordinates and rates as they are at t; valid until the next call.
  std::span<const double> DrivenAt(double t, std::span<const double> y) { return driven_.At(t, y); }
  LoopClosure* closure() { return closure_.get(); }  // none on trees
  // The failure of a joint without inertia about its free axes.
  Status Singular(int joint) const;

 private:
  // Whether this observation needs the motion of the bodies.
  bool ReadsMotion(Detail detail) const {
    return detail == Detail::kReactions && !equations_contain_reactions();
  }
  // Accelerations and reactions at the driven().At that `y` is; `bodies`: if ReadsMotion.
  Status ObserveForces(double t, std::span<const double> y, Detail detail,
                       const std::vector<BodyState>& bodies, Observation& observation);
  // Writes the accelerations of drivers: before Solve, which reads them, and again after it.
  void PutDriven(std::span<double> ydot) const;
  // `status` of a solution at the driven().At that `y` is; accelerations of drivers into ydot.
  Status Checked(Status status, std::span<const double> y, std::span<double> ydot) const;
  // After Evaluate at the driven().At that `y` is.
  std::vector<DriverObservation> Drivers(double t, std::span<const double> y,
                                         std::span<const double> along_axes) const;

  const std::shared_ptr<const System> kept_;
  const System& system_ = *kept_;
  const JointCoordinates joints_;
  DrivenCoordinates driven_;
  std::unique_ptr<LoopClosure> closure_;
  std::unique_ptr<LoopProjection> projection_;
  std::vector<double> along_axes_;  // of drivers, for EvaluateWithReactions
};

}  // namespace mbsbench
