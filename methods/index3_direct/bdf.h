// Backward differentiation formulas of variable order and step on the equations of index 3 or, stabilised, of index 2.
//
// Poses at past points are increments D_j to the pose at the begin of the step, (r_j - r_n, log(q_n^-1 q_j)), so that the
// formulas have full order on SO(3) x R3. With the weights of bdf_weights.h, on the points t_n, t_n-1, ..., and forces F as in
// hht.h, a step solves for D, lambda and mu at its end
//   w = c D + sum_j d_j D_j                                                                      (11)
//   v = w_r + (W G' mu)_r,   Omega = T(D_phi) w_phi + (W G' mu)_phi          mu: `si2` only      (12)
//   r = r_n + D_r,   q = q_n * exp(D_phi)                                                        (13)
//   M (c V + sum_j d_j V_j) - F = 0                                                              (14)
//   g(q, t) = 0                                                                                  (15)
//   G V + g_t = 0                                                                 `si2` only     (16)
// with W of lie_generalised_alpha: diag(1, 1/reach^2) per body (reach.h).
//
// The local error is (D - D_predicted)/(1 + c (t - t_n-k)) at the order k; `si2` adds that of V. Lower and higher orders have
// the same with their own predictions.
#pragma once

#include "methods/index3_direct/direct_stepper.h"

namespace mbsbench::direct {

class Bdf final : public DirectStepper {
 public:
  static constexpr int kHighest = 5, kOfFixedSteps = 2;
  static constexpr std::size_t kPoints = kHighest + 1;  // in y, before the begin of the step

  // `order`: of fixed steps, else the highest; 0: kOfFixedSteps and kHighest.
  Bdf(const System& system, bool keeps_velocities, int order);

  // y = [motion | lambda | mu | past motions | their times]
  std::size_t state_size() const override { return past_at() + kPoints * (motion_size() + 1); }
  Status Initialise(double t, const SystemState& state, std::span<double> y) override;
  // By the polynomial of the formula; multipliers linearly.
  Status Interpolate(double t, std::span<double> y) override;

 private:
  std::size_t multipliers_at() const override { return motion_size(); }
  Status Begin(double h) override;
  Status BeginByShortSteps(double h);
  Status MoveOn(double end) override;
  Status Displace() override;
  void TakeChange() override;
  double NextLength(double error, bool accepted) override;
  void Store(std::span<double> y) override;

  std::size_t past_at() const { return motion_size() + (keeps_velocities_ ? 2 : 1) * multipliers_; }
  std::span<double> PastMotion(std::span<double> y, std::size_t point) const {
    return y.subspan(past_at() + point * motion_size(), motion_size());
  }
  double& PastTime(std::span<double> y, std::size_t point) const {
    return y[past_at() + kPoints * motion_size() + point];
  }
  template <class Visit>
  void VisitMultipliers(Visit visit);
  // Times, increments to `begin_bodies_`, and rates at the begin and the points before it.
  void ReadPoints(std::span<double> y, double begin);
  // The estimated local error at an order; infinite where there are too few points.
  double ErrorAt(int order);
  void PushPast(std::span<double> y, double t);

  const int given_;  // order
  int highest_ = kHighest, order_ = 1, steps_at_order_ = 0;
  std::size_t points_ = 0;  // before the begin of the step
  double end_ = 0, c_ = 1;
  std::vector<double> times_;
  std::vector<std::vector<BodyVector>> increments_, velocities_;  // of each point
  std::vector<BodyVector> from_poses_, from_rates_, work_;        // sums of (11) and (14)
};

}  // namespace mbsbench::direct
