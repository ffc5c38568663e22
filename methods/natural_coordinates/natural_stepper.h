// What the variants of natural-coordinates have in common: motions of bodies to and from q, forces, the accelerations and reactions of
// their own equations of motion, of index 1:
//   [ M       Phi_q' ] [ q''     ]   [ Q       ]
//   [ Phi_q   0      ] [ -lambda ] = [ -Phi'' without Phi_q q'' ]                                 (1)
// Rows of loops that others imply are left out of (1). The papers have the multipliers -lambda.
//
// Forces f and moments n (body axes) of force elements act through T, (delta r; delta phi) = T delta q:
//   delta phi = 1/2 sum_a c_a x R' delta X_a,   c_a = row a of C^-1 without its first column      (2)
//   Q = T' (f; n)                                                                                 (3)
#pragma once

#include <vector>

#include "methods/coordinates/absolute_stepper.h"
#include "methods/natural_coordinates/natural_matrix.h"
#include "methods/natural_coordinates/natural_model.h"

namespace mbsbench::natural {

// y = [motions of all bodies | q | q' | q'' | lambda | q'' of the step's equations, before a projection]
class NaturalStepper : public absolute::AbsoluteStepper {
 public:
  explicit NaturalStepper(const System& system);

  std::size_t state_size() const override;
  Status Initialise(double t, const SystemState& state, std::span<double> y) override;
  Status Start(double t, const SystemState& state, const StepControl& control) override;
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override;
  HasAlgorithmicReactions* algorithmic_reactions() override { return this; }
  // By the multipliers of loops and, through joints whose columns are shared, Newton and Euler's equations of the step's q''.
  std::vector<JointReaction> AlgorithmicReactions(double t, std::span<const double> y) override;
  double Power(double t, std::span<const double> y) override;

  const NaturalModel& model() const { return model_; }

 protected:
  using Vector = Column<double>;

  void Store(std::span<double> y) override;
  // Motions and the data of the scheme.
  void Load(std::span<const double> y);
  void SetTime(double t);
  // Motions of the bodies from q_ and rates_.
  void MoveBodies();
  // T at bodies().
  void FindTangents();
  // Q at bodies(), by (3) of the wrenches of force elements and gravity.
  Vector ForcesOf(std::span<const absolute::BodyVector> wrenches) const;
  // Adds -k dQ/dq' - s dQ/dq at bodies() and the time t, where elements exert `wrenches`.
  void AddForceDerivatives(const absolute::AbsoluteForces& of_elements, double t,
                           std::span<const absolute::BodyVector> wrenches, double k, double s,
                           NaturalMatrix& matrix) const;
  void EvaluateRows(const Vector& q, const Vector& rates);
  // Whether row k, of a loop, is left out because others imply it.
  bool IsLeftOut(std::size_t k, std::span<const absolute::RowSet> left_out) const;
  Status SingularAt(int column) const;
  // The largest change of a point; worst_ becomes its body, and length_ that of the system so far.
  double LargestOf(const Vector& change);

  NaturalModel model_;
  const Eigen::Index coordinates_, multipliers_;
  const double mean_mass_;
  double length_ = 0;
  int worst_ = -1;
  std::vector<double> reach_;
  std::vector<absolute::RowSet> left_out_;  // at the start
  // The data of the scheme.
  Vector q_, rates_, accelerations_, lambda_, of_step_;
  // At the last EvaluateRows and FindTangents.
  std::vector<RowValues<double>> at_;
  std::vector<Eigen::Matrix<double, 6, kOfBody>> tangents_;

 private:
  // q_ and rates_ of bodies().
  void TakeMotions();
  // (1) at bodies(): accelerations_, lambda_ and the accelerations of bodies().
  Status Accelerate(Pivots pivots);
  // Multipliers of loops and drivers as those of AbsoluteConstraints.
  std::vector<absolute::ConstraintVector> OfJoints() const;
  // Those of lambda_ and of the given q'' with the forces at bodies(), whose states are `bodies`.
  std::vector<JointReaction> ReactionsBy(const Vector& accelerations,
                                         std::span<const BodyState> bodies);

  Status tip_without_inertia_;
  // Per body: Omega = inverse sum_k (weight e_k) x R' d_k', the spin with the moment of momentum of q' for the weight E; for
  // the weight 1, where J is singular, the nearest one.
  struct Spin {
    Eigen::Matrix3d weight, inverse;
  };
  std::vector<Spin> spins_;
  NaturalMatrix index1_;
};

}  // namespace mbsbench::natural
