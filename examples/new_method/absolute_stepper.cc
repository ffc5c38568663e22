// new-method: a method in absolute coordinates with its own time steps, to start from.
//
// Source: Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), sections II.1.1 and IV.4. The state of each
// body is (r, q, v, omega): mass centre and its velocity in inertial axes, unit quaternion, angular velocity in body
// axes. A step h of the explicit midpoint rule, with a projection onto the joints' constraints g:
//   y_m   = y_n + h/2 f(t_n, y_n)                                                                  (1)
//   y_*   = y_n + h f(t_n + h/2, y_m)                                                              (2)
//   y_n+1 = y_* moved onto |q| = 1, g = 0 and g' = 0 by the smallest change in the metric of the masses   (3)
// f = (v, 1/2 q * omega, V') with the accelerations V' and multipliers lambda of
//   M V' = Q - gyroscopic moments + G' lambda,     G V' + gamma = 0                                 (4)
// Replace (1) to (3), and (4) if your method has no accelerations, by your own equations. AbsoluteStepper holds the
// state, samples and observations of the steps; docs/add_a_method.md lists what BodyDynamics gives: forces Q,
// constraints g with their derivatives G, inertias.
#include <memory>
#include <span>
#include <vector>

#include "methods/coordinates/absolute_stepper.h"
#include "methods/interface/plugin.h"
#include "methods/kinematics/shared_capabilities.h"

namespace mbsbench {

namespace {

using namespace absolute;

class Method final : public AbsoluteStepper {
 public:
  explicit Method(const System& system)
      : AbsoluteStepper(system), rates_(state_size()), middle_(state_size()), next_(state_size()) {}

 private:
  Status MoveOn(double end) override {
    const double h = end - time_;
    if (Status status = Move(time_, y_, h / 2, middle_); !status.ok()) return status;         // (1)
    if (Status status = Move(time_ + h / 2, middle_, h, next_); !status.ok()) return status;  // (2)
    dynamics_.Load(end, next_);
    if (Status status = dynamics_.Project(true); !status.ok()) return status;  // (3)
    ++counters_.projections;
    return {};
  }

  // out = y_ + h f(t, at)
  Status Move(double t, std::span<const double> at, double h, std::span<double> out) {
    dynamics_.Load(t, at);
    ++counters_.evaluations, ++counters_.factorisations;
    if (Status status = dynamics_.Accelerate(); !status.ok()) return status;  // (4)
    dynamics_.StoreRates(rates_);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = y_[i] + h * rates_[i];
    return {};
  }

  std::vector<double> rates_, middle_, next_;
};

MethodEntry Entry() {
  MethodEntry entry;
  entry.key = "new-method";
  entry.title = "Midpoint rule with projection";
  entry.source = "Hairer, Lubich, Wanner 2006, sections II.1.1 and IV.4";
  entry.description =
      "Absolute coordinates; explicit midpoint rule, projected onto the constraints after each "
      "step.";
  entry.form = Form::kTimeStepper;
  entry.shared_parts = {"absolute constraints", "absolute accelerations", "force elements"};
  // The order is what 'conform' holds the steps to.
  entry.own_integration = OwnIntegration{
      .title = "explicit midpoint rule", .fixed_step = true, .adaptive = false, .order = 2};
  entry.capabilities = SharedCapabilities();
  entry.reaction_choice = "dropped-rows";  // by BodyDynamics
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return std::make_unique<Method>(system);
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("new-method", mbsbench::Entry());
