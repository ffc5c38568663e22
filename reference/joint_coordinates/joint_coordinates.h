// The second formulation of a system's motion, independent of the maximal coordinates: joint coordinates
// of the tree, with loops cut and dependent rates eliminated from the equations. The state is y = [q;
// u_i], all coordinates and the independent rates. After a step the loops are closed by the coordinates
// of the dependent rates alone (masses do not matter), and these rates are chosen again if their
// condition has grown tenfold. As many loop rows are kept as are independent at the start (independent_rows.h); the others may be
// open by what the data explain.
//
// Systems with few rates use Kane's equations, dense; those with many the articulated-body
// recursion, linear in bodies, unless loops alone hold a subtree without inertia.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems/model/assembly.h"
#include "reference/joint_coordinates/cut_joints.h"
#include "reference/joint_coordinates/dependent_rates.h"
#include "reference/joint_coordinates/joint_forces.h"
#include "reference/joint_coordinates/joint_motion.h"
#include "reference/joint_coordinates/kane_equations.h"

namespace mbsbench::extended {

struct JointForce {
  Vec3 force, moment;  // as in ReferenceReaction
};
struct JointDynamics {
  struct OfBody {
    Vec3 linear, angular;  // of the mass centre [m/s^2], [rad/s^2]
  };
  std::vector<OfBody> accelerations;
  // Tree joints come first, then loop joints; multipliers of redundant rows are 0.
  std::vector<JointForce> reactions;
};

class JointCoordinates {
 public:
  static constexpr std::size_t kMostDenseRates = 40;

  explicit JointCoordinates(const System& system, std::size_t most_dense_rates = kMostDenseRates,
                            const Scales& scales = {});

  // The initial coordinates and rates, loops closed by the least change of those of the dependent joints.
  // Throws ModelError when they do not close.
  std::vector<Real> Start(const InitialCondition& initial);
  // Sets the drivers to the time t for all functions after Start; initially 0. The coordinates of
  // driven joints in y are ignored.
  void SetTime(Real t) { system_.SetTime(t); }
  void Evaluate(const std::vector<Real>& y, std::vector<Real>& ydot);
  // Changes the coordinates of independent_rates() and these rates in y, and closes the loops by the others.
  void Displace(const std::vector<Real>& along, const std::vector<Real>& rates,
                std::vector<Real>& y);
  // Normalises quaternions, closes loops and updates the choice of dependent rates. Throws ModelError if
  // a redundant row, which no coordinate closes, is open by more than the data explain.
  void Correct(std::vector<Real>& y);

  Motion MotionAt(const std::vector<Real>& y);
  // Coordinates and rates of all tree joints; the angles of revolutes count their turns.
  struct State {
    std::vector<Real> q, u;
  };
  State StateAt(const std::vector<Real>& y);
  // StateAt, rounded.
  JointState CoordinatesAt(const std::vector<Real>& y);
  JointDynamics DynamicsAt(const std::vector<Real>& y);

  // Coordinates, equations and treatment of loops, for a certificate.
  std::string Describe() const;
  std::size_t coordinates() const { return q_.size(); }
  // After Start: the rates that are integrated, by the current choice.
  const std::vector<std::size_t>& independent_rates() const { return dependent_->independent(); }
  std::size_t redundant_rows() const { return cuts_.rows() - dependent_->kept_rows().size(); }
  // Largest residual so far of redundant rows or of their rates, in L and L/T.
  Real largest_redundant_residual() const { return largest_redundant_residual_; }
  int choices() const { return choices_; }  // of dependent rates so far

 private:
  void Place(const std::vector<Real>& q);
  void Choose();
  void CloseByDependentRates();
  // The largest of the kept rows.
  Real LargestKept(const std::vector<Real>& of_rows) const;
  // Redundant rows at the coordinates and rates.
  void CheckRedundantRows();
  // Coordinates of y, all rates.
  void Spread(const std::vector<Real>& y);
  // Sets driven coordinates and rates at the current time.
  void PlaceDriven();
  std::vector<Real> Gather() const;
  // Accelerations of the motion at the rates u_ with those of driven rates given.
  JointAccelerations Accelerate(const std::vector<Action>& actions) const;
  // Newton's iteration with the changes that `correction` computes from residuals.
  template <class Correction>
  void Close(const Correction& correction);

  SystemData system_;
  Scales scales_;
  JointMotion motion_;
  CutJoints cuts_;
  bool dense_;
  std::vector<bool> driven_;  // per rate
  struct DrivenPlace {
    std::size_t joint, q, u;
    Real offset = 0;  // of the coordinate from its motion
  };
  std::vector<DrivenPlace> driven_places_;
  std::size_t rank_ = 0;  // of the loop rows
  std::optional<DependentRates> dependent_;
  CutJoints::Coordinates cut_;
  std::vector<Real> q_, u_, driven_accelerations_;  // the last: all rates, 0 where free
  Real condition_ = 0;                              // at the last choice
  Real largest_redundant_residual_ = 0;
  int choices_ = 0;
};

}  // namespace mbsbench::extended
