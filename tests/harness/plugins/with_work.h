// The compound pendulum with arithmetic of its own in every evaluation, by far most of its time.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "compound_pendulum.h"

namespace mbsbench {

class WithWork : public OdeFormulation {
 public:
  WithWork(std::unique_ptr<Formulation> pendulum, int additions)
      : owned_(std::move(pendulum)),
        pendulum_(dynamic_cast<OdeFormulation&>(*owned_)),
        additions_(additions) {}

  std::size_t state_size() const override { return pendulum_.state_size(); }
  std::vector<Dimension> Dimensions() const override { return pendulum_.Dimensions(); }
  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    return pendulum_.Initialise(t, state, y);
  }
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    const Status status = pendulum_.Evaluate(t, y, ydot);
    double x = ydot[1];
    for (int i = 0; i < additions_; ++i) x = 0.999 * x + 1e-3;
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
  int additions_;
};

// `change`: by which accelerations are too large, relative.
inline MethodEntry WithWorkEntry(const std::string& key, int additions, double change = 0) {
  MethodEntry entry = CompoundPendulumEntry();
  entry.key = key;
  entry.prepare = [=, sound = entry.prepare](System system, const MethodOptions& options) {
    system.gravity = (1 + change) * system.gravity;
    return std::make_unique<WithWork>(sound(system, options), additions);
  };
  return entry;
}

}  // namespace mbsbench
