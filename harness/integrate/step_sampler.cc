#include "harness/integrate/step_sampler.h"

#include <cmath>

namespace mbsbench {

StepSampler::StepSampler(Formulation& formulation, const Sampling& sampling, double end_time,
                         SideStep side_step)
    : formulation_(formulation),
      sampling_(sampling),
      side_step_(std::move(side_step)),
      with_power_(sampling.integrate_power && formulation.has_power()),
      same_time_(1e-12 * end_time),
      sample_(formulation.state_size()),
      node_(formulation.state_size()) {
  active_ = (sampling.sink && !sampling.times.empty()) || with_power_;
}

void StepSampler::Start(double t, std::span<const double> y) {
  while (next_ < sampling_.times.size() && sampling_.times[next_] <= t + same_time_) {
    if (sampling_.sink) sampling_.sink(sampling_.times[next_], y, work_);
    ++next_;
  }
}

void StepSampler::Step(double t0, std::span<const double> y0, double t1,
                       std::span<const double> y1) {
  if (!active_) return;
  while (next_ < sampling_.times.size() && sampling_.times[next_] < t1 - same_time_) {
    const double t = sampling_.times[next_];
    side_step_(t0, y0, t - t0, sample_);
    if (sampling_.sink)
      sampling_.sink(t, sample_, with_power_ ? work_ + Work(t0, y0, t, sample_) : 0);
    ++next_;
  }
  if (with_power_) work_ += Work(t0, y0, t1, y1);
  Start(t1, y1);
}

void StepSampler::Event(const EventReport& event) {
  if (with_power_) work_ += event.energy_after - event.energy_before;
  sample_.resize(formulation_.state_size());
  node_.resize(formulation_.state_size());
}

double StepSampler::Work(double t0, std::span<const double> y0, double t1,
                         std::span<const double> y1) {
  const double h = t1 - t0;
  const double inner = std::sqrt(3.0 / 7) / 2;  // Lobatto's nodes 0, 1/2 -+ inner, 1/2, 1
  double sum = (formulation_.Power(t0, y0) + formulation_.Power(t1, y1)) / 20;
  const auto add = [&](double node, double weight) {
    side_step_(t0, y0, node * h, node_);
    sum += weight * formulation_.Power(t0 + node * h, node_);
  };
  add(0.5 - inner, 49.0 / 180);
  add(0.5, 16.0 / 45);
  add(0.5 + inner, 49.0 / 180);
  return h * sum;
}

}  // namespace mbsbench
