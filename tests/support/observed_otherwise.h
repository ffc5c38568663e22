// A method that moves rightly, and whose observations a test changes or refuses.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "methods/interface/formulation.h"
#include "methods/interface/method.h"

namespace mbsbench {

class ObservedOtherwise : public OdeFormulation {
 public:
  // Gets what the method has observed. Its status is that of the observation.
  using Change = std::function<Status(double t, Detail detail, Observation& observation)>;
  ObservedOtherwise(std::unique_ptr<Formulation> method, Change change)
      : method_(std::move(method)),
        ode_(static_cast<OdeFormulation&>(*method_)),
        change_(std::move(change)) {}
  std::size_t state_size() const override { return ode_.state_size(); }
  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    return ode_.Initialise(t, state, y);
  }
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    return ode_.Evaluate(t, y, ydot);
  }
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    const Status status = ode_.Observe(t, y, detail, observation);
    return status.ok() ? change_(t, detail, observation) : status;
  }

 private:
  std::unique_ptr<Formulation> method_;
  OdeFormulation& ode_;
  Change change_;
};

inline void ObserveOtherwise(MethodEntry& method, const ObservedOtherwise::Change& change) {
  method.prepare = [right = method.prepare, change](const GivenSystem& system,
                                                    const MethodOptions& options) {
    return std::make_unique<ObservedOtherwise>(right(system, options), change);
  };
}

}  // namespace mbsbench
