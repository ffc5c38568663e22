// The classical Runge-Kutta method, which the papers use with fixed steps.
#include <algorithm>

#include "harness/integrate/steppers.h"
#include "methods/growth/events.h"
#include "methods/interface/fixed_steps.h"

namespace mbsbench {

namespace {

class Rk4 : public FixedStepper, public TakesSideSteps {
 public:
  explicit Rk4(OdeFormulation& ode) : FixedStepper(ode), ode_(ode), projection_(ode.projection()) {}

  TakesSideSteps* side_steps() override { return this; }
  Status SideStep(double t, std::span<const double> y, double h, std::span<double> out) override {
    return Advance(t, y, h, out);
  }

 private:
  Status Advance(double t, std::span<const double> y, double h, std::span<double> out) override {
    const std::size_t n = y.size();
    if (n != k_.size()) {  // at first, and after an event that changed the size of the state
      for (std::vector<double>* v : {&stage_, &k_, &sum_}) v->resize(n);
    }
    counters_.evaluations += 4;
    constexpr double kNodes[] = {0, 0.5, 0.5, 1}, kWeights[] = {1, 2, 2, 1};
    std::ranges::copy(y, stage_.begin());
    std::ranges::fill(sum_, 0.0);
    for (std::size_t stage = 0;; ++stage) {
      if (Status s = ode_.Evaluate(t + kNodes[stage] * h, stage_, k_); !s.ok()) return s;
      for (std::size_t i = 0; i < n; ++i) sum_[i] += kWeights[stage] * k_[i];
      if (stage == 3) break;
      for (std::size_t i = 0; i < n; ++i) stage_[i] = y[i] + kNodes[stage + 1] * h * k_[i];
    }
    for (std::size_t i = 0; i < n; ++i) out[i] = y[i] + h / 6 * sum_[i];
    if (projection_ == nullptr) return {};
    ++counters_.projections;
    return projection_->Project(t + h, out);
  }

  OdeFormulation& ode_;
  Projects* const projection_;
  std::vector<double> stage_, k_, sum_;
};

}  // namespace

std::unique_ptr<TimeStepper> MakeRk4(OdeFormulation& ode) { return std::make_unique<Rk4>(ode); }

}  // namespace mbsbench
