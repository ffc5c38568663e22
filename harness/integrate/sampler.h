// Samples and work along the steps of a run, in the same way for every time stepper: the state at the ends of
// steps, and the dense output of the last step between them. Samples never change the steps.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "harness/integrate/integrate.h"

namespace mbsbench {

class Sampler {
 public:
  // y at a time within the last step.
  using DenseState = std::function<Status(double t, std::span<double> y)>;

  Sampler(Formulation& formulation, const Sampling& sampling, double end_time, DenseState dense);

  bool active() const { return active_; }
  // Calls `observe`, whose iterations inside evaluations are no work of the steps.
  template <class Observe>
  void Apart(const Observe& observe) {
    const std::int64_t before = formulation_.inner_iterations();
    observe();
    inner_iterations_ += formulation_.inner_iterations() - before;
  }
  std::int64_t inner_iterations() const { return inner_iterations_; }
  // Call at the start, and after each step with the end that it reached.
  void Start(double t, std::span<const double> y);
  void Step(double t, std::span<const double> y);
  // After an event, which changes the size of the state and does `work` [J].
  void Event(double work);
  double work() const { return work_; }
  // The first failure of the dense output at a sample.
  const Status& failure() const { return failure_; }

 private:
  // Takes the samples up to t, the end of a step.
  void Reach(double t, std::span<const double> y);
  // Sets the state of the dense output at t, or NaN if that fails.
  Status FindState(double t);
  // Carries the integral of Power on to t.
  void AdvanceWork(double t);
  void Take(double t, std::span<const double> y);

  Formulation& formulation_;
  const Sampling& sampling_;
  DenseState dense_;
  HasPower* const power_;  // null: it is not asked for, or there is none
  bool active_;
  double same_time_;  // a sample this near to the end of a step takes the state there [s]
  std::size_t next_ = 0;
  std::int64_t inner_iterations_ = 0;
  double until_ = 0, work_ = 0;
  Status failure_;
  std::vector<double> y_;
};

}  // namespace mbsbench
