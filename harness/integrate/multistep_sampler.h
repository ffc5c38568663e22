// Samples and work of a multistep method, read off its own interpolant: no step depends on what is sampled.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "harness/integrate/integrate.h"

namespace mbsbench {

class MultistepSampler {
 public:
  // State at a time inside the last step.
  using Interpolant = std::function<void(double t, std::span<double> y)>;

  MultistepSampler(Formulation& formulation, const Sampling& sampling, Interpolant interpolant);

  // Call at the start, and after each step with the time that it reached.
  void Start(std::span<const double> y);
  void Step(double t);
  double work() const { return work_; }

 private:
  double WorkBetween(double from, double to);

  Formulation& formulation_;
  const Sampling& sampling_;
  Interpolant interpolant_;
  bool with_power_;
  std::size_t next_ = 0;
  double until_ = 0, work_ = 0;
  std::vector<double> y_;
};

}  // namespace mbsbench
