#include "harness/integrate/sampler.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mbsbench {

Sampler::Sampler(Formulation& formulation, const Sampling& sampling, double end_time,
                 DenseState dense)
    : formulation_(formulation),
      sampling_(sampling),
      dense_(std::move(dense)),
      power_(sampling.integrate_power ? formulation.power() : nullptr),
      active_((sampling.sink && !sampling.times.empty()) || power_ != nullptr),
      same_time_(1e-12 * end_time),
      y_(formulation.state_size()) {}

void Sampler::Start(double t, std::span<const double> y) {
  Apart([&] { Reach(t, y); });
}

void Sampler::Reach(double t, std::span<const double> y) {
  while (next_ < sampling_.times.size() && sampling_.times[next_] <= t + same_time_)
    Take(sampling_.times[next_++], y);
  until_ = t;
}

void Sampler::Step(double t, std::span<const double> y) {
  Apart([&] {
    while (next_ < sampling_.times.size() && sampling_.times[next_] < t - same_time_) {
      const double sample = sampling_.times[next_++];
      AdvanceWork(sample);
      const Status status = FindState(sample);
      if (failure_.ok()) failure_ = status;
      Take(sample, y_);
    }
    AdvanceWork(t);
    Reach(t, y);
    if (sampling_.step_sink) sampling_.step_sink(t, y);
  });
}

void Sampler::Event(double work) {
  if (power_ != nullptr) work_ += work;
  y_.resize(formulation_.state_size());
}

Status Sampler::FindState(double t) {
  const Status status = dense_(t, y_);
  if (!status.ok()) std::ranges::fill(y_, NAN);
  return status;
}

void Sampler::Take(double t, std::span<const double> y) {
  if (sampling_.sink) sampling_.sink(t, y, work_);
}

// Four-point Gauss quadrature, order 8, on each part of a step between samples.
void Sampler::AdvanceWork(double t) {
  if (power_ == nullptr || !(t > until_)) return;
  const double half = (t - until_) / 2, middle = until_ + half;
  double sum = 0;
  for (const auto& [node, weight] : {std::array{0.3399810435848563, 0.6521451548625461},
                                     {0.8611363115940526, 0.3478548451374538}}) {
    for (const double at : {middle - node * half, middle + node * half}) {
      FindState(at);
      sum += weight * power_->Power(at, y_);
    }
  }
  work_ += half * sum;
  until_ = t;
}

}  // namespace mbsbench
