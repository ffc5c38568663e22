// The method of docs/regressions_in_your_ci.md: the example with much arithmetic of its own. Two further builds of it have
// a fault each: ADDITIONS is a tenth larger, or CHANGE makes accelerations too large by 1e-9.
#include "compound_pendulum.h"
#include "methods/interface/plugin.h"

namespace mbsbench {
namespace {

class WithWork : public OdeFormulation {
 public:
  explicit WithWork(std::unique_ptr<Formulation> pendulum)
      : owned_(std::move(pendulum)), pendulum_(dynamic_cast<OdeFormulation&>(*owned_)) {}

  std::size_t state_size() const override { return pendulum_.state_size(); }
  std::vector<Dimension> Dimensions() const override { return pendulum_.Dimensions(); }
  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    return pendulum_.Initialise(t, state, y);
  }
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    const Status status = pendulum_.Evaluate(t, y, ydot);
    double x = ydot[1];
    for (int i = 0; i < ADDITIONS; ++i) x = 0.999 * x + 1e-3;
    ydot[1] += 1e-300 * x;
    return status;
  }
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    return pendulum_.Observe(t, y, detail, observation);
  }

 private:
  std::unique_ptr<Formulation> owned_;
  OdeFormulation& pendulum_;
};

MethodEntry MyMethodEntry() {
  MethodEntry entry = CompoundPendulumEntry();
  entry.key = "my-method";
  entry.prepare = [sound = entry.prepare](System system, const MethodOptions& options) {
    system.gravity = (1 + CHANGE) * system.gravity;
    return std::make_unique<WithWork>(sound(system, options));
  };
  return entry;
}

}  // namespace
}  // namespace mbsbench

MBSBENCH_PLUGIN("my method", mbsbench::MyMethodEntry());
