// The classical Runge-Kutta method, which the papers use with fixed steps.
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
    if (Status s = ode_.Evaluate(t, y, k_); !s.ok()) return s;
    for (std::size_t i = 0; i < n; ++i) {
      sum_[i] = k_[i];
      stage_[i] = y[i] + h / 2 * k_[i];
    }
    if (Status s = ode_.Evaluate(t + h / 2, stage_, k_); !s.ok()) return s;
    for (std::size_t i = 0; i < n; ++i) {
      sum_[i] += 2 * k_[i];
      stage_[i] = y[i] + h / 2 * k_[i];
    }
    if (Status s = ode_.Evaluate(t + h / 2, stage_, k_); !s.ok()) return s;
    for (std::size_t i = 0; i < n; ++i) {
      sum_[i] += 2 * k_[i];
      stage_[i] = y[i] + h * k_[i];
    }
    if (Status s = ode_.Evaluate(t + h, stage_, k_); !s.ok()) return s;
    for (std::size_t i = 0; i < n; ++i) out[i] = y[i] + h / 6 * (sum_[i] + k_[i]);
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
