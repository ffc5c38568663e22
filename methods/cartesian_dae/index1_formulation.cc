// Variant `index1` as an ODE: y = (r, q, v, omega) of all bodies, accelerations and multipliers of
// every evaluation from the equations of motion with the constraints differentiated twice
// (acceleration_solver.h); the constraints drift with the integrator's error and are projected after
// each step (Eich 1993).
#include "methods/cartesian_dae/index1_formulation.h"

#include <memory>

#include "methods/cartesian_dae/index1_jacobian.h"
#include "methods/coordinates/body_dynamics.h"
#include "methods/coordinates/checked_evaluation.h"
#include "methods/kinematics/force_elements.h"

namespace mbsbench::cartesian {

using namespace absolute;

namespace {

class Index1Formulation final : public OdeFormulation,
                                public Projects,
                                public HasPower,
                                public OdeJacobian {
 public:
  explicit Index1Formulation(const System& system) : dynamics_(system) {}

  std::size_t state_size() const override { return kMotionSize * dynamics_.bodies().size(); }
  std::vector<Dimension> Dimensions() const override { return dynamics_.Dimensions(); }

  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    if (const Status status = dynamics_.Start(t, state); !status.ok()) return status;
    if (const Status status = dynamics_.Accelerate(Pivots::kNewOrder); !status.ok()) return status;
    dynamics_.Store(y);
    start_time_ = t;
    start_ = state;
    jacobian_.reset();
    return {};
  }

  // Its equations are prepared where the first one is asked for: most integrators need none.
  Status Jacobian(double t, std::span<const double> y, std::span<double> values) override {
    if (!AllFinite(y)) return {Status::Code::kNotFinite, -1, -1, "the state"};
    if (!jacobian_) {
      jacobian_ = std::make_unique<Index1Jacobian>(dynamics_.system());
      if (const Status status = jacobian_->Start(start_time_, start_); !status.ok()) return status;
    }
    return jacobian_->Evaluate(t, y, values);
  }

  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    Status status{Status::Code::kNotFinite, -1, -1, ""};
    if (AllFinite(y)) {
      dynamics_.Load(t, y);
      // Away from the unit sphere the rows would not be those of a rotation.
      for (BodyMotion& body : dynamics_.bodies()) body.quaternion.normalize();
      status = dynamics_.Accelerate();
      dynamics_.StoreRates(ydot);
    }
    return CheckedEvaluation(status, y, ydot, ydot);
  }

  OdeJacobian* jacobian() override { return this; }
  Projects* projection() override { return this; }
  bool needs_projection() const override { return true; }
  Status Project(double t, std::span<double> y) override { return Project(t, y, true); }
  Status ProjectSample(double t, std::span<double> y) override { return Project(t, y, false); }

  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    dynamics_.Load(t, y);
    return dynamics_.Observe(detail, observation);
  }

  HasPower* power() override {
    return HasNonConservativeForces(dynamics_.system()) ? this : nullptr;
  }
  double Power(double t, std::span<const double> y) override {
    dynamics_.Load(t, y);
    return dynamics_.Power();
  }

 private:
  Status Project(double t, std::span<double> y, bool chooses_rows) {
    dynamics_.Load(t, y);
    const Status status = dynamics_.Project(chooses_rows);
    if (status.ok()) dynamics_.Store(y);
    return status;
  }

  BodyDynamics dynamics_;
  double start_time_ = 0;
  SystemState start_;
  std::unique_ptr<Index1Jacobian> jacobian_;
};

}  // namespace

std::unique_ptr<Formulation> MakeIndex1Formulation(const System& system) {
  return std::make_unique<Index1Formulation>(system);
}

}  // namespace mbsbench::cartesian
