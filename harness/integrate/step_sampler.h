// Samples and work between the grid points of a one-step method. A sample inside a step comes from
// a separate, shorter step from the last grid point, which is then discarded: it has the method's
// own order, and the steps taken do not depend on what is sampled.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "harness/integrate/integrate.h"

namespace mbsbench {

class StepSampler {
 public:
  // Carries y from t over h; the result may fail to be finite, which is the caller's to see.
  using SideStep =
      std::function<void(double t, std::span<const double> y, double h, std::span<double> out)>;

  StepSampler(Formulation& formulation, const Sampling& sampling, double end_time,
              SideStep side_step);

  bool active() const { return active_; }
  // Call at the start, and after each step with both of its ends.
  void Start(double t, std::span<const double> y);
  void Step(double t0, std::span<const double> y0, double t1, std::span<const double> y1);
  // Takes notice of an event: the energy it took or brought, and a state of another size.
  void Event(const EventReport& event);
  double work() const { return work_; }

 private:
  // Integral of Power over [t0, t1] by Lobatto's rule of order 8; y1 holds the state at t1.
  double Work(double t0, std::span<const double> y0, double t1, std::span<const double> y1);

  Formulation& formulation_;
  const Sampling& sampling_;
  SideStep side_step_;
  bool active_ = false;
  bool with_power_ = false;
  double same_time_;  // a sample this near to a grid point takes the state there [s]
  std::size_t next_ = 0;
  double work_ = 0;
  std::vector<double> sample_, node_;
};

}  // namespace mbsbench
