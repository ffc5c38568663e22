// Variant `index1` as an ODE: y = [x; x'] of all particles, x'' from the moment sums and the twice
// differentiated distances (Attia 2002, eqs 36 to 46); distances drift with the integrator's error
// and are projected after each step.
#include "methods/equivalent_particles/index1_formulation.h"

#include <algorithm>
#include <limits>

#include "methods/equivalent_particles/body_motion.h"
#include "methods/equivalent_particles/loops.h"
#include "methods/equivalent_particles/moment_sums.h"
#include "methods/equivalent_particles/particle_loads.h"
#include "methods/equivalent_particles/reactions.h"
#include "methods/equivalent_particles/rigidity_projection.h"
#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

namespace {

// NaN and infinity survive a sum of x - x; without a branch per entry.
bool AllFinite(std::span<const double> values) {
  double sum = 0;
  for (double x : values) sum += x - x;
  return sum == 0;
}

class Index1Formulation final : public OdeFormulation {
 public:
  explicit Index1Formulation(const System& system)
      : system_(system),
        tree_(MakeParticleTree(system_)),
        sums_(tree_, ToEigen(system_.gravity), !system_.loop_joints.empty()),
        loads_(system_, tree_),
        motion_(tree_),
        projection_(tree_),
        half_(3 * static_cast<std::size_t>(tree_.particles)) {
    if (!system_.loop_joints.empty()) loops_ = std::make_unique<Loops>(system_, tree_);
  }

  std::size_t state_size() const override { return 2 * half_; }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    motion_.ParticlesOf(state.bodies, y.data(), y.data() + half_);
    return {};
  }

  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    Load(y);
    if (const Status status = Accelerate(); !status.ok()) return Failure(y, ydot, status);
    std::copy_n(y.data() + half_, half_, ydot.data());
    sums_.ParticleAccelerations(ydot.data() + half_);
    if (!AllFinite(ydot)) {
      return Failure(y, ydot, {Status::Code::kNotFinite, -1, -1, "accelerations are not finite"});
    }
    return {};
  }

  bool has_projection() const override { return true; }
  Status Project(double, std::span<double> y) override {
    Load(y);
    if (loops_) {
      if (const Status status = loops_->Project(projection_, sums_); !status.ok()) return status;
    } else {
      projection_.Apply(sums_.positions(), sums_.velocities());
    }
    double *x = y.data(), *v = y.data() + half_;
    for (std::size_t n = 1; n < tree_.nodes.size(); ++n) {
      const Node& node = tree_.nodes[n];
      for (int i = node.first_slot + node.given; i < node.first_slot + node.given + node.own; ++i) {
        for (int k = 0; k < 3; ++k) {
          *x++ = sums_.positions()[i][k];
          *v++ = sums_.velocities()[i][k];
        }
      }
    }
    return {};
  }

  Status Observe(double, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    Load(y);
    observation.bodies = States();
    observation.accelerations.clear();
    observation.reactions.clear();
    if (detail == Detail::kMotion) return {};
    if (const Status status = Accelerate(); !status.ok()) return status;
    const Vector3d *x = sums_.positions(), *v = sums_.velocities(), *a = sums_.accelerations();
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      BodyAcceleration acceleration = motion_.AccelerationOf(static_cast<int>(b), x, v, a);
      acceleration.acceleration = acceleration.acceleration + system_.gravity;
      observation.accelerations.push_back(acceleration);
    }
    if (detail == Detail::kReactions) {
      std::vector<Wrench> applied(system_.bodies.size());
      AddForceElements(system_, observation.bodies, applied);
      if (loops_) loops_->AddToBodies(system_, observation.bodies, x, applied);
      observation.reactions = TreeReactions(system_, tree_, observation.bodies, applied, x, a);
      if (loops_) {
        for (const JointReaction& cut : loops_->CutReactions(x)) {
          observation.reactions.push_back(cut);
        }
        loops_->MarkUndetermined(system_, observation.bodies, x, observation.reactions);
      }
    }
    return {};
  }

  bool has_power() const override { return HasNonConservativeForces(system_); }
  double Power(double, std::span<const double> y) override {
    Load(y);
    return NonConservativePower(system_, States(), nullptr) +
           loads_.JointDamperPower(sums_.positions(), sums_.velocities());
  }

 private:
  void Load(std::span<const double> y) {
    SpreadOverSlots(tree_, y.data(), sums_.positions());
    SpreadOverSlots(tree_, y.data() + half_, sums_.velocities());
  }

  Status Accelerate() {
    if (!loads_.empty()) loads_.Apply(sums_.positions(), sums_.velocities(), sums_.loads());
    const Status status = sums_.Solve();
    return status.ok() && loops_ ? loops_->Close(sums_) : status;
  }

  std::vector<BodyState> States() const {
    std::vector<BodyState> states;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      states.push_back(
          motion_.StateOf(static_cast<int>(b), sums_.positions(), sums_.velocities()));
    }
    return states;
  }

  // A state that is not finite is the cause of whatever else was found.
  Status Failure(std::span<const double> y, std::span<double> ydot, Status status) const {
    std::fill(ydot.begin(), ydot.end(), std::numeric_limits<double>::quiet_NaN());
    if (!AllFinite(y)) return {Status::Code::kNotFinite, -1, -1, "the state is not finite"};
    return status;
  }

  const System system_;
  const ParticleTree tree_;
  MomentSums sums_;
  const ParticleLoads loads_;
  const BodyMotion motion_;
  const RigidityProjection projection_;
  std::unique_ptr<Loops> loops_;  // none on trees
  std::size_t half_;
};

}  // namespace

std::unique_ptr<Formulation> MakeIndex1Formulation(const System& system) {
  return std::make_unique<Index1Formulation>(system);
}

}  // namespace mbsbench::equivalent_particles
