// The HHT method of Hilber, Hughes and Taylor on the equations of index 3.
//
// With the constants of hht_constants.h and forces F = Q - (0; Omega x J Omega) + G' lambda, a step solves for a and lambda at its
// end
//   D = h V_n + h^2 ((1/2 - beta) a_n + beta a)                                                   (3)
//   V = V_n + h ((1 - gamma) a_n + gamma a)                                                       (4)
//   r = r_n + D_r,   q = q_n * exp(D_phi)                                                         (5)
//   M a/(1 + alpha) - F + alpha/(1 + alpha) F_n = 0                                               (6)
//   g(q, t) = 0                                                                                   (7)
#pragma once

#include "methods/index3_direct/direct_stepper.h"
#include "methods/index3_direct/hht_constants.h"

namespace mbsbench::direct {

class Hht final : public DirectStepper {
 public:
  Hht(const System& system, double alpha);

  // y = [motion | a | lambda]
  std::size_t state_size() const override { return multipliers_at() + multipliers_; }
  Status Initialise(double t, const SystemState& state, std::span<double> y) override;

 private:
  std::size_t multipliers_at() const override { return motion_size() + kRates * reach_.size(); }
  Status Begin(double h) override;
  void TakeStart();
  Status MoveOn(double end) override;
  Status Displace() override;
  void TakeChange() override;
  double NextLength(double error, bool accepted) override;
  void Store(std::span<double> y) override;
  template <class Visit>
  void VisitData(Visit visit);

  const HhtConstants<> constants_;
  double h_ = 0;
  std::vector<BodyVector> a_n_;
};

}  // namespace mbsbench::direct
