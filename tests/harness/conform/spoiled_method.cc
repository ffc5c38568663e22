#include "tests/harness/conform/spoiled_method.h"

#include <stdexcept>

#include "methods/all_methods.h"
#include "methods/interface/time_stepper.h"

namespace mbsbench {

namespace {

// The common part of an ODE, a DAE and a time stepper.
template <class Sound>
class SpoiledPart : public Sound, public Projects, public HasPower {
 public:
  SpoiledPart(std::unique_ptr<Formulation> sound, const Spoilers& spoilers)
      : spoilers_(spoilers), sound_(static_cast<Sound*>(sound.release())) {}

  std::size_t state_size() const override { return sound_->state_size(); }
  std::vector<Dimension> Dimensions() const override { return sound_->Dimensions(); }
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    const Status status = sound_->Observe(t, y, detail, observation);
    if (spoilers_.observation) spoilers_.observation(observation);
    if (t > spoilers_.observed_until) return {Status::Code::kSingular, -1, -1, "it is blind"};
    return status;
  }
  Projects* projection() override { return sound_->projection() == nullptr ? nullptr : this; }
  Status Project(double t, std::span<double> y) override {
    return spoilers_.projects ? sound_->projection()->Project(t, y) : Status{};
  }
  bool needs_projection() const override { return sound_->projection()->needs_projection(); }
  HasPower* power() override { return sound_->power() == nullptr ? nullptr : this; }
  double Power(double t, std::span<const double> y) override {
    return spoilers_.power * sound_->power()->Power(t, y);
  }
  std::int64_t inner_iterations() const override { return sound_->inner_iterations(); }

 protected:
  SystemState Started(SystemState state) const {
    if (spoilers_.start) spoilers_.start(state);
    return state;
  }

  const Spoilers spoilers_;
  const std::unique_ptr<Sound> sound_;
};

class SpoiledOde : public SpoiledPart<OdeFormulation> {
 public:
  SpoiledOde(std::unique_ptr<Formulation> sound, const Spoilers& spoilers)
      : SpoiledPart(std::move(sound), spoilers), y_(sound_->state_size()) {}

  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    return sound_->Initialise(t, Started(state), y);
  }
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    y_.assign(y.begin(), y.end());
    if (spoilers_.before) spoilers_.before(y_);
    const Status status = sound_->Evaluate(t, y_, ydot);
    if (spoilers_.after) spoilers_.after(t, ydot);
    return status;
  }

 private:
  std::vector<double> y_;
};

class SpoiledDae : public SpoiledPart<DaeFormulation> {
 public:
  using SpoiledPart::SpoiledPart;

  Status InitialiseDae(double t, const SystemState& state, std::span<double> y,
                       std::span<double> yp) override {
    return sound_->InitialiseDae(t, Started(state), y, yp);
  }
  Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                  std::span<double> r) override {
    return sound_->Residual(t, y, yp, r);
  }
  const SparsityPattern& pattern() const override { return sound_->pattern(); }
  Status Jacobian(double t, double c, std::span<const double> y, std::span<const double> yp,
                  std::span<double> values) override {
    const Status status = sound_->Jacobian(t, c, y, yp, values);
    if (spoilers_.jacobian) spoilers_.jacobian(values);
    return status;
  }
  std::span<const double> differential() const override { return sound_->differential(); }
};

class SpoiledStepper : public SpoiledPart<TimeStepperFormulation> {
 public:
  using SpoiledPart::SpoiledPart;

  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    return sound_->Initialise(t, state, y);
  }
  Status Start(double t, const SystemState& state, const StepControl& control) override {
    return sound_->Start(t, Started(state), control);
  }
  StepReport Step(double limit) override { return sound_->Step(limit); }
  double time() const override { return sound_->time(); }
  std::span<const double> y() const override { return sound_->y(); }
  Status Interpolate(double t, std::span<double> y) override { return sound_->Interpolate(t, y); }
  WorkCounters counters() const override { return sound_->counters(); }
};

class SpoiledBatch : public BatchFormulation {
 public:
  SpoiledBatch(std::unique_ptr<BatchFormulation> sound, const Spoilers& spoilers)
      : spoilers_(spoilers), sound_(std::move(sound)) {}
  std::size_t state_size() const override { return sound_->state_size(); }
  bool EvaluateBatch(double t, std::span<const LaneValues> y, std::span<LaneValues> ydot,
                     std::span<Status> status) override {
    const bool all_ok = sound_->EvaluateBatch(t, y, ydot, status);
    if (spoilers_.after) spoilers_.after(t, {ydot.back().lane, kBatchStates});
    return all_ok;
  }

 private:
  const Spoilers spoilers_;
  const std::unique_ptr<BatchFormulation> sound_;
};

System SpoiledSystem(System system, const Spoilers& spoilers) {
  if (spoilers.system) spoilers.system(system);
  return system;
}

}  // namespace

MethodEntry Spoiled(const std::string& key, const Spoilers& spoilers) {
  for (const MethodEntry& sound : AllMethods()) {
    if (sound.key != key) continue;
    MethodEntry entry = sound;
    entry.prepare = [sound, spoilers](
                        const System& system,
                        const MethodOptions& options) -> std::unique_ptr<Formulation> {
      auto formulation = sound.prepare(SpoiledSystem(system, spoilers), options);
      if (formulation->form() == Form::kDae)
        return std::make_unique<SpoiledDae>(std::move(formulation), spoilers);
      if (formulation->form() == Form::kTimeStepper)
        return std::make_unique<SpoiledStepper>(std::move(formulation), spoilers);
      return std::make_unique<SpoiledOde>(std::move(formulation), spoilers);
    };
    if (entry.prepare_batch) {
      entry.prepare_batch = [sound, spoilers](const System& system, const MethodOptions& options) {
        return std::make_unique<SpoiledBatch>(
            sound.prepare_batch(SpoiledSystem(system, spoilers), options), spoilers);
      };
    }
    return entry;
  }
  throw std::invalid_argument("there is no method '" + key + "'");
}

}  // namespace mbsbench
