#include "harness/integrate/multistep_sampler.h"

#include <array>

namespace mbsbench {

MultistepSampler::MultistepSampler(Formulation& formulation, const Sampling& sampling,
                                   Interpolant interpolant)
    : formulation_(formulation),
      sampling_(sampling),
      interpolant_(std::move(interpolant)),
      with_power_(sampling.integrate_power && formulation.has_power()),
      y_(formulation.state_size()) {}

void MultistepSampler::Start(std::span<const double> y) {
  for (; next_ < sampling_.times.size() && sampling_.times[next_] <= 0; ++next_) {
    if (sampling_.sink) sampling_.sink(sampling_.times[next_], y, 0);
  }
}

void MultistepSampler::Step(double t) {
  if (!sampling_.sink && !with_power_) return;
  const auto advance_work = [&](double to) {
    if (with_power_) work_ += WorkBetween(until_, to);
    until_ = to;
  };
  for (; next_ < sampling_.times.size() && sampling_.times[next_] <= t; ++next_) {
    const double sample = sampling_.times[next_];
    advance_work(sample);
    if (!sampling_.sink) continue;
    interpolant_(sample, y_);
    sampling_.sink(sample, y_, work_);
  }
  advance_work(t);
}

double MultistepSampler::WorkBetween(double from, double to) {
  if (!(to > from)) return 0;
  // Gauss's rule of three points, order 6, on pieces of a step.
  const double half = (to - from) / 2, middle = from + half;
  constexpr double kOuter = 0.7745966692414834;  // sqrt(3/5)
  double work = 0;
  for (const auto& [node, weight] :
       {std::array{-kOuter, 5. / 9}, std::array{0., 8. / 9}, std::array{kOuter, 5. / 9}}) {
    const double t = middle + node * half;
    interpolant_(t, y_);
    work += weight * half * formulation_.Power(t, y_);
  }
  return work;
}

}  // namespace mbsbench
