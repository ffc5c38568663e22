#include "methods/kinematics/single_axes.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// The axes of a joint frame in another order, so that z lies along the given one.
Frame AlongZ(const Frame& frame, int axis) {
  if (axis == 2) return frame;
  const double h = axis == 0 ? 0.5 : -0.5;
  return {frame.position, frame.orientation * Quaternion{0.5, h, h, h}};
}

bool HasSeveralAxes(const System& system) {
  return std::any_of(system.joints.begin(), system.joints.end(),
                     [](const Joint& joint) { return mbsbench::HasSeveralAxes(joint.type); });
}

// Translates the results of the formulation on single axes to the original system.
class Translation {
 public:
  explicit Translation(SingleAxes axes) : axes_(std::move(axes)) {}

  const System& system() const { return axes_.system; }
  SystemState Expanded(const SystemState& state) const { return axes_.Expanded(state); }
  Status Original(Status status) const {
    const auto joints = static_cast<int>(axes_.original_joint.size());
    if (status.joint >= joints) {  // a loop joint
      status.joint += static_cast<int>(axes_.last_joint.size()) - joints;
    } else if (status.joint >= 0) {
      status.joint = axes_.original_joint[At(status.joint)];
    }
    if (status.body >= 0) status.body = axes_.original_body[At(status.body)];
    return status;
  }
  void ToOriginal(Observation& observation) const {
    const std::size_t joints = axes_.original_joint.size(),
                      links = joints - axes_.last_joint.size();
    observation.bodies.resize(axes_.original_body.size() - links);
    if (!observation.accelerations.empty())
      observation.accelerations.resize(observation.bodies.size());
    if (observation.reactions.empty()) return;
    std::vector<JointReaction> reactions(observation.reactions.size() - links);
    ToOriginal(observation.reactions, reactions);
    observation.reactions = std::move(reactions);
  }
  void ToOriginal(std::span<const JointReaction> single, std::span<JointReaction> reactions) const {
    const std::size_t joints = axes_.last_joint.size();
    for (std::size_t j = 0; j < joints; ++j) reactions[j] = single[At(axes_.last_joint[j])];
    // The last axis passes on what a motor exerts along a slide before it.
    for (const Motor& motor : axes_.system.forces.Of<Motor>()) {
      if (!motor.turns)
        reactions[At(axes_.original_joint[At(motor.joint)])].force = single[At(motor.joint)].force;
    }
    std::ranges::copy(single.subspan(axes_.original_joint.size()),
                      reactions.subspan(joints).begin());
  }
  std::size_t reaction_count() const {
    return axes_.system.joints.size() + axes_.system.loop_joints.size();
  }

 private:
  SingleAxes axes_;
};
using SharedTranslation = std::shared_ptr<const Translation>;

// The translated system, which the translation keeps, with the scales of the given one.
GivenSystem Single(const Translation& translation, const GivenSystem& given) {
  return GivenSystem::Lent({translation.system(), given.scales()});
}

// No events: all joints of a system that grows have one axis.
template <class Kind>
class Translated : public Kind, public Projects {
 public:
  Translated(SharedTranslation translation, std::unique_ptr<Formulation> formulation)
      : translation_(std::move(translation)), formulation_(std::move(formulation)) {}

  std::size_t state_size() const final { return formulation_->state_size(); }
  std::vector<Dimension> Dimensions() const final { return formulation_->Dimensions(); }
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) final {
    const Status status = formulation_->Observe(t, y, detail, observation);
    if (status.ok()) translation_->ToOriginal(observation);
    return Original(status);
  }
  Projects* projection() final { return formulation_->projection() == nullptr ? nullptr : this; }
  Status Project(double t, std::span<double> y) final {
    return Original(formulation_->projection()->Project(t, y));
  }
  Status ProjectSample(double t, std::span<double> y) final {
    return Original(formulation_->projection()->ProjectSample(t, y));
  }
  bool needs_projection() const final { return formulation_->projection()->needs_projection(); }
  HasPower* power() final { return formulation_->power(); }
  TimeStepper* time_stepper() final { return formulation_->time_stepper(); }
  std::int64_t inner_iterations() const final { return formulation_->inner_iterations(); }
  SolvedCondition ConditionAt(double t, std::span<const double> y) final {
    return formulation_->ConditionAt(t, y);
  }

 protected:
  Kind& formulation() const { return static_cast<Kind&>(*formulation_); }
  Status Original(const Status& status) const { return translation_->Original(status); }
  SystemState Expanded(const SystemState& state) const { return translation_->Expanded(state); }
  const Translation& translation() const { return *translation_; }

 private:
  const SharedTranslation translation_;
  const std::unique_ptr<Formulation> formulation_;
};

class TranslatedOde final : public Translated<OdeFormulation>, public EvaluatesReactions {
 public:
  TranslatedOde(SharedTranslation translation, std::unique_ptr<Formulation> formulation)
      : Translated(std::move(translation), std::move(formulation)),
        with_reactions_(Translated::formulation().reactions()),
        single_reactions_(this->translation().reaction_count()) {}
  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    return Original(formulation().Initialise(t, Expanded(state), y));
  }
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    const Status status = formulation().Evaluate(t, y, ydot);
    return status.ok() ? status : Original(status);
  }
  EvaluatesReactions* reactions() override { return this; }
  bool equations_contain_reactions() const override {
    return with_reactions_ != nullptr && with_reactions_->equations_contain_reactions();
  }
  Status EvaluateWithReactions(double t, std::span<const double> y, std::span<double> ydot,
                               std::span<JointReaction> reactions) override {
    Status status;
    if (with_reactions_ != nullptr) {
      status = with_reactions_->EvaluateWithReactions(t, y, ydot, single_reactions_);
    } else if (status = formulation().Evaluate(t, y, ydot); status.ok()) {
      Observation observation;
      status = formulation().Observe(t, y, Detail::kReactions, observation);
      if (status.ok()) std::ranges::copy(observation.reactions, single_reactions_.begin());
    }
    if (!status.ok()) return Original(status);
    translation().ToOriginal(single_reactions_, reactions);
    return status;
  }

 private:
  EvaluatesReactions* const with_reactions_;
  std::vector<JointReaction> single_reactions_;
};

class TranslatedDae final : public Translated<DaeFormulation> {
 public:
  using Translated::Translated;
  Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                  std::span<double> r) override {
    return Original(formulation().Residual(t, y, yp, r));
  }
  const SparsityPattern& pattern() const override { return formulation().pattern(); }
  Status Jacobian(double t, double c, std::span<const double> y, std::span<const double> yp,
                  std::span<double> values) override {
    return Original(formulation().Jacobian(t, c, y, yp, values));
  }
  Status InitialiseDae(double t, const SystemState& state, std::span<double> y,
                       std::span<double> yp) override {
    return Original(formulation().InitialiseDae(t, Expanded(state), y, yp));
  }
  std::span<const double> differential() const override { return formulation().differential(); }
};

class TranslatedBatch final : public BatchFormulation {
 public:
  TranslatedBatch(SharedTranslation translation, std::unique_ptr<BatchFormulation> formulation)
      : translation_(std::move(translation)), formulation_(std::move(formulation)) {}
  std::size_t state_size() const override { return formulation_->state_size(); }
  bool EvaluateBatch(double t, std::span<const LaneValues> y, std::span<LaneValues> ydot,
                     std::span<Status> status) override {
    if (formulation_->EvaluateBatch(t, y, ydot, status)) return true;
    for (Status& one : status) one = translation_->Original(one);
    return false;
  }

 private:
  const SharedTranslation translation_;
  const std::unique_ptr<BatchFormulation> formulation_;
};

std::unique_ptr<Formulation> Translate(SharedTranslation translation,
                                       std::unique_ptr<Formulation> formulation) {
  switch (formulation->form()) {
    case Form::kOde:
      return std::make_unique<TranslatedOde>(std::move(translation), std::move(formulation));
    case Form::kDae:
      return std::make_unique<TranslatedDae>(std::move(translation), std::move(formulation));
    case Form::kAlgebraic:
    case Form::kTimeStepper: break;
  }
  throw std::logic_error("a formulation of this form has to take joints of several axes itself");
}

}  // namespace

bool HasSeveralAxes(JointType type) { return !TurnsFreely(type) && AxesOf(type).size() > 1; }

SingleAxes OnSingleAxes(const System& system) {
  SingleAxes result;
  System& single = result.system;
  single = system;
  single.joints.clear();
  for (std::size_t b = 0; b < system.bodies.size(); ++b)
    result.original_body.push_back(static_cast<int>(b));
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    if (!HasSeveralAxes(joint.type)) {
      single.joints.push_back(joint);
    } else {
      const std::span<const JointAxis> axes = AxesOf(joint.type);
      Joint next = joint;
      for (std::size_t k = 0; k < axes.size(); ++k) {
        const bool is_last = k + 1 == axes.size();
        next.type = axes[k].turns ? JointType::kRevolute : JointType::kPrismatic;
        next.parent_frame = AlongZ(k == 0 ? joint.parent_frame : Frame{}, axes[k].axis);
        next.child_frame = AlongZ(is_last ? joint.child_frame : Frame{}, axes[k].axis);
        next.child = is_last ? joint.child : static_cast<int>(single.bodies.size());
        if (!is_last) {
          next.name = joint.name + ", axis " + std::to_string(k + 1);
          Body link;
          link.name = joint.name + ", link " + std::to_string(k + 1);
          single.bodies.push_back(std::move(link));
          result.original_body.push_back(joint.child);
          result.original_joint.push_back(static_cast<int>(j));
        } else {
          next.name = joint.name;
        }
        single.joints.push_back(next);
        next.parent = next.child;
      }
    }
    result.last_joint.push_back(static_cast<int>(single.joints.size()) - 1);
    result.original_joint.push_back(static_cast<int>(j));
  }
  single.forces.ForEach([&]<class Law>(Law& element) {
    if constexpr (ActsOnJoint<Law>) {
      const JointType type = system.joints[At(element.joint)].type;
      const int axes_behind = HasSeveralAxes(type) ? static_cast<int>(AxesOf(type).size()) - 1 -
                                                         element.CoordinateOf(type)
                                                   : 0;
      element.joint = result.last_joint[At(element.joint)] - axes_behind;
    }
  });
  for (auto& d : single.drivers) d.joint = result.last_joint[At(d.joint)];
  return result;
}

SystemState SingleAxes::Expanded(const SystemState& state) const {
  SystemState expanded{state.joints, ForwardKinematics(system, state.joints)};
  std::copy(state.bodies.begin(), state.bodies.end(), expanded.bodies.begin());
  return expanded;
}

MethodEntry OnSingleAxes(MethodEntry entry) {
  if (!entry.prepare) return entry;  // an entry without one is refused when it is registered
  const auto translate = [](const System& system) {
    return std::make_shared<const Translation>(OnSingleAxes(system));
  };
  if (entry.supports) {
    entry.supports = [supports = entry.supports](const System& system,
                                                 const MethodOptions& options) {
      return HasSeveralAxes(system) ? supports(OnSingleAxes(system).system, options)
                                    : supports(system, options);
    };
  }
  entry.prepare = [prepare = entry.prepare, translate](const GivenSystem& system,
                                                       const MethodOptions& options) {
    if (!HasSeveralAxes(system)) return prepare(system, options);
    const SharedTranslation translation = translate(system);
    return Translate(translation, prepare(Single(*translation, system), options));
  };
  if (entry.prepare_batch) {
    entry.prepare_batch = [prepare = entry.prepare_batch, translate](
                              const GivenSystem& system,
                              const MethodOptions& options) -> std::unique_ptr<BatchFormulation> {
      if (!HasSeveralAxes(system)) return prepare(system, options);
      const SharedTranslation translation = translate(system);
      return std::make_unique<TranslatedBatch>(translation,
                                               prepare(Single(*translation, system), options));
    };
  }
  if (entry.count_operations) {
    entry.count_operations = [count = entry.count_operations](const System& system,
                                                              const MethodOptions& options,
                                                              const JointState& state) {
      return HasSeveralAxes(system) ? count(OnSingleAxes(system).system, options, state)
                                    : count(system, options, state);
    };
  }
  if (entry.explain) {
    entry.explain = [explain = entry.explain](const System& system, const MethodOptions& options) {
      return HasSeveralAxes(system) ? explain(OnSingleAxes(system).system, options)
                                    : explain(system, options);
    };
  }
  return entry;
}

}  // namespace mbsbench
