// Variant `index1` as an ODE: y = [x; x'] of all particles, x'' from the moment sums and the twice
// differentiated distances (Attia 2002, eqs 36 to 46); the conditions drift with the integrator's
// error and are projected after each step.
#include "methods/equivalent_particles/index1_formulation.h"

#include <algorithm>

#include "methods/coordinates/checked_evaluation.h"
#include "methods/equivalent_particles/particle_dynamics.h"
#include "methods/kinematics/force_elements.h"

namespace mbsbench::equivalent_particles {

namespace {

class Index1Formulation final : public OdeFormulation, public Projects, public HasPower {
 public:
  explicit Index1Formulation(const System& system)
      : dynamics_(system), half_(3 * static_cast<std::size_t>(dynamics_.tree().particles)) {}

  std::size_t state_size() const override { return 2 * half_; }
  std::vector<Dimension> Dimensions() const override {
    std::vector<Dimension> dimensions(half_, Dimension::kLength);
    dimensions.resize(state_size(), Dimension::kSpeed);
    return dimensions;
  }

  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    return dynamics_.Start(t, state, y.data(), y.data() + half_);
  }

  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    dynamics_.Set(t, y.data(), y.data() + half_);
    Status status = dynamics_.Accelerate();
    if (status.ok()) {
      std::copy_n(y.data() + half_, half_, ydot.data());
      dynamics_.sums().ParticleAccelerations(ydot.data() + half_);
    }
    return CheckedEvaluation(status, y, ydot, ydot);
  }

  Projects* projection() override { return this; }
  Status Project(double t, std::span<double> y) override {
    dynamics_.Set(t, y.data(), y.data() + half_);
    return dynamics_.Project(y.data(), y.data() + half_);
  }

  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    dynamics_.Set(t, y.data(), y.data() + half_);
    return dynamics_.Observe(detail, observation);
  }

  HasPower* power() override {
    return HasNonConservativeForces(dynamics_.system()) ? this : nullptr;
  }
  double Power(double t, std::span<const double> y) override {
    dynamics_.Set(t, y.data(), y.data() + half_);
    return dynamics_.Power();
  }

 private:
  ParticleDynamics dynamics_;
  std::size_t half_;
};

}  // namespace

std::unique_ptr<Formulation> MakeIndex1Formulation(const System& system) {
  return std::make_unique<Index1Formulation>(system);
}

}  // namespace mbsbench::equivalent_particles
