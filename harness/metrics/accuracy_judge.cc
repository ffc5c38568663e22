#include "harness/metrics/accuracy_judge.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "problems/model/constraint_accelerations.h"
#include "problems/model/error.h"
#include "problems/model/joint_at.h"
#include "problems/model/rope_flight.h"
#include "problems/model/worse.h"

namespace mbsbench {

namespace {

// Times that differ by less than this part of the end time are equal.
constexpr double kSameTime = 1e-9;
// Frames of a drawn trajectory; every sample is judged, but not every sample is drawn.
constexpr std::size_t kFrames = 51;
// A drawn pose has six decimals: far finer than a pixel, and short in the store.
constexpr double kPosesPerUnit = 1e6;

bool IsFinite(const std::vector<BodyState>& bodies) {
  return std::all_of(bodies.begin(), bodies.end(), [](const BodyState& b) {
    const Quaternion& q = b.orientation;
    return IsFinite(b.position) && IsFinite(b.velocity) && IsFinite(b.angular_velocity) &&
           std::isfinite(q.w + q.x + q.y + q.z);
  });
}

void Raise(double& largest, double value) { largest = Worse(largest, value); }
void Raise(MaybeNumber& largest, double value) { largest = Worse(largest.value_or(0), value); }

double Rounded(double value) { return std::round(value * kPosesPerUnit) / kPosesPerUnit + 0.0; }

}  // namespace

std::vector<int> RecordedBodies(const Problem& problem) {
  std::vector<int> bodies = problem.reference_bodies;
  if (bodies.empty()) {
    bodies.resize(problem.system.bodies.size());
    std::iota(bodies.begin(), bodies.end(), 0);
  }
  return bodies;
}

MaybeNumber EnergyScale(const Problem& problem, const Reference* reference) {
  if (problem.energy_reference > 0) return problem.energy_reference;
  if (reference == nullptr || reference->bodies.size() != problem.system.bodies.size())
    return std::nullopt;
  System weightless = problem.system;
  weightless.gravity = {};
  std::optional<SampledJoints> joints;
  double kinetic = 0, least = INFINITY, most = -INFINITY;
  for (const ReferenceSample& sample : reference->samples) {
    std::vector<BodyState> bodies(sample.bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
      bodies[static_cast<std::size_t>(reference->bodies[i])] = sample.bodies[i];
    if (!joints)
      joints.emplace(problem.system, problem.initial.joints, sample.time, bodies,
                     SampledJoints::Followed::kTorsionSprings);
    joints->MoveTo(sample.time, bodies);
    if (!joints->known()) return std::nullopt;
    const Energy energy = EnergyOf(weightless, bodies, joints->joints());
    kinetic = std::max(kinetic, energy.kinetic);
    least = std::min(least, energy.potential);
    most = std::max(most, energy.potential);
  }
  const double scale = kinetic + (most > least ? most - least : 0);
  return scale > 0 ? MaybeNumber(scale) : std::nullopt;
}

namespace {

// Evaluations of the reference's equations take a millisecond for two bodies.
constexpr std::size_t kMostBodiesOfForces = 200;
constexpr std::size_t kForceSamples = 4;

// Reactions that the reference stores are compared at all samples; the efforts of drivers are not stored.
std::vector<double> TimesOfForces(const Problem& problem, const Reference* reference) {
  const System& system = problem.system;
  const bool are_stored = reference != nullptr && !reference->joints.empty();
  if (system.rope_flight || system.bodies.size() > kMostBodiesOfForces ||
      (are_stored && system.drivers.empty()))
    return {};
  std::vector<double> times{0};
  if (reference == nullptr || reference->bodies.size() != system.bodies.size()) return times;
  const std::size_t count = reference->samples.size();
  for (std::size_t k = 1; k <= kForceSamples && count > kForceSamples; ++k)
    times.push_back(reference->samples[k * (count - 1) / kForceSamples].time);
  return times;
}

// Linear and angular velocity as one number, in L / T and 1 / T; of points the linear one.
double SizeOfVelocity(const Problem& problem, std::size_t body, const Vector3& linear,
                      const Vector3& angular) {
  const double size = Norm(linear) * problem.time / problem.length;
  return problem.system.bodies[body].is_point ? size : std::max(size, Norm(angular) * problem.time);
}

}  // namespace

AccuracyJudge::AccuracyJudge(const Problem& problem, const Reference* reference,
                             const std::vector<BodyState>& start)
    : problem_(problem),
      reference_(reference),
      library_measures_(problem, reference, start),
      joints_(problem.system, problem.initial.joints, 0, start,
              SampledJoints::Followed::kTorsionSprings),
      force_times_(TimesOfForces(problem, reference)),
      scale_(force_times_.empty() ? AccelerationScale{} : AccelerationScaleOf(problem, start)),
      true_bodies_(force_times_.empty() ? std::vector<BodyState>{} : start),
      true_joints_(joints_),
      conserved_(ConservedMomentaOf(problem.system)),
      momenta_start_(conserved_.any() ? MomentumOf(problem.system, start) : Momentum{}) {
  const Energy energy = EnergyOf(problem.system, start, joints_.joints());
  energy_start_ = energy.total();
  // Without a better scale: the kinetic energy at the start, or 1 J where it is zero.
  const double fallback = energy.kinetic > 0 ? energy.kinetic : 1;
  const MaybeNumber known_scale = EnergyScale(problem, reference);
  energy_scale_ = known_scale.value_or(fallback);
  is_energy_scale_known_ = known_scale.has_value();
  for (const Body& body : problem.system.bodies) mass_ += body.mass;
  if (problem.conservative && !problem.system.rope_flight) {
    constexpr double kMostOfOwn = 10;
    const AccelerationScale own = AccelerationScaleOf(problem, start);
    const double most = kMostOfOwn * std::max(mass_ * own.natural * own.length, energy.kinetic);
    if (most > 0) energy_scale_ = std::min(energy_scale_, most);
  }
  drawn_ = RecordedBodies(problem);
  for (int b : drawn_)
    accuracy_.trajectory.bodies.push_back(problem.system.bodies[static_cast<std::size_t>(b)].name);
  if (reference == nullptr) return;
  for (const ReferenceSample& sample : reference->samples) {
    for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
      const double size =
          SizeOfVelocity(problem, static_cast<std::size_t>(reference->bodies[i]),
                         sample.bodies[i].velocity, sample.bodies[i].angular_velocity);
      velocity_scale_ = std::max(velocity_scale_, size);
    }
    for (const ReferenceReaction& r : sample.reactions)
      reaction_scale_ =
          std::max(reaction_scale_, SizeOfReaction(r.force, r.torque, problem.length));
  }
  constexpr double kAtRest = 1e-6;  // what integrators leave of a rest
  if (velocity_scale_ <= kAtRest) velocity_scale_ = 0;
}

const ReferenceSample* AccuracyJudge::ReferenceAt(double time) {
  if (reference_ == nullptr) return nullptr;
  const double same = kSameTime * problem_.end_time;
  const std::vector<ReferenceSample>& samples = reference_->samples;
  while (next_reference_ < samples.size() && samples[next_reference_].time < time - same)
    ++next_reference_;
  const bool found =
      next_reference_ < samples.size() && samples[next_reference_].time <= time + same;
  return found ? &samples[next_reference_] : nullptr;
}

double AccuracyJudge::JudgeBodies(const ReferenceSample& truth,
                                  const std::vector<BodyState>& bodies) {
  ErrorMeasure& all = accuracy_.error ? *accuracy_.error : accuracy_.error.emplace();
  double largest = 0, squares = 0;
  for (std::size_t i = 0; i < truth.bodies.size(); ++i) {
    const auto index = static_cast<std::size_t>(reference_->bodies[i]);
    const BodyState& ours = bodies[index];
    const BodyState& reference = truth.bodies[i];
    double error = Norm(ours.position - reference.position) / problem_.length;
    if (!problem_.system.bodies[index].is_point)
      error = std::max(error, AngleBetween(ours.orientation, reference.orientation));
    largest = std::max(largest, error);
    squares += error * error;
    all.velocity_max = std::max(all.velocity_max,
                                SizeOfVelocity(problem_, index, ours.velocity - reference.velocity,
                                               ours.angular_velocity - reference.angular_velocity));
  }
  all.max = std::max(all.max, largest);
  if (!truth.bodies.empty())
    all.rms = std::max(all.rms, std::sqrt(squares / static_cast<double>(truth.bodies.size())));
  return largest;
}

MaybeNumber AccuracyJudge::ReactionErrorAgainst(const ReferenceSample& truth,
                                                const std::vector<JointReaction>& reactions) {
  MaybeNumber largest;
  if (reactions.empty() || !(reaction_scale_ > 0)) return largest;
  for (std::size_t i = 0; i < truth.reactions.size(); ++i) {
    const ReferenceReaction& reference = truth.reactions[i];
    const JointReaction& ours = reactions[static_cast<std::size_t>(reference_->joints[i])];
    if (const MaybeNumber error = ReactionError(ours, reference, problem_.length))
      largest = Worse(largest.value_or(0), *error / reaction_scale_);
    if (IsFalselyNotUnique(ours, reference))
      NoteFalselyNotUnique(
          JointAt(problem_.system, static_cast<std::size_t>(reference_->joints[i])).name);
  }
  return largest;
}

void AccuracyJudge::NoteFalselyNotUnique(const std::string& joint) {
  std::string& first = accuracy_.forces.falsely_not_unique;
  if (first.empty()) first = joint;
}

bool AccuracyJudge::WantsForces(double time) const {
  return std::ranges::any_of(force_times_, [&](double one) {
    return std::abs(one - time) <= kSameTime * problem_.end_time;
  });
}

void AccuracyJudge::JudgeForces(double time, const ReferenceSample* truth,
                                const Observation& observation) {
  if (!accuracy_.forces_not_finite_at && !ForcesAreFinite(observation))
    accuracy_.forces_not_finite_at = time;
  if (force_times_.empty()) return;
  const bool is_given = !observation.reactions.empty() || !observation.drivers.empty(),
             is_judged = is_given && WantsForces(time);
  // Springs at joints count turns, which are followed from sample to sample.
  const bool follows = !problem_.system.forces.Of<JointSpringDamper>().empty();
  if (!follows && !is_judged) return;
  if (time > 0) {
    if (force_times_.size() == 1 || truth == nullptr) return;
    for (std::size_t i = 0; i < true_bodies_.size(); ++i)
      true_bodies_[static_cast<std::size_t>(reference_->bodies[i])] = truth->bodies[i];
    if (follows) true_joints_.MoveTo(time, true_bodies_);
  }
  if (!is_judged || (follows && !true_joints_.known())) return;
  const JointState joints =
      follows ? true_joints_.joints() : JointStateOf(problem_.system, true_bodies_);
  try {
    const ForceErrors errors =
        ForceErrorsOf(problem_.system, observation,
                      ReferenceAccelerations(problem_.system, joints, time), scale_, 1);
    const auto raise = [](ForceError& largest, const ForceError& error) {
      if (!(error.error <= largest.error)) largest = error;
    };
    raise(accuracy_.forces.reactions, errors.reactions);
    raise(accuracy_.forces.efforts, errors.efforts);
    NoteFalselyNotUnique(errors.falsely_not_unique);
  } catch (const ModelError&) {  // the equations give no accelerations there
  }
}

void AccuracyJudge::JudgeMomenta(const System& system, const std::vector<BodyState>& bodies) {
  if (!conserved_.any() || !(mass_ > 0)) return;
  Momentum change = MomentumOf(system, bodies);
  change.linear = change.linear - momenta_start_.linear;
  change.angular = change.angular - momenta_start_.angular;
  const double unit = mass_ * problem_.length / problem_.time;
  if (!conserved_.directions.empty())
    Raise(accuracy_.linear_momentum_drift_max, conserved_.Linear(change) / unit);
  if (!conserved_.axes.empty())
    Raise(accuracy_.angular_momentum_drift_max,
          conserved_.Angular(change) / (unit * problem_.length));
}

void AccuracyJudge::Add(double time, const Observation& observation, double work) {
  const std::vector<BodyState>& bodies = observation.bodies;
  accuracy_.finite = accuracy_.finite && IsFinite(bodies) && std::isfinite(work);
  if (!accuracy_.finite) return;
  const System& system = SystemAt(time, bodies.size());
  accuracy_.times.push_back(time);

  MaybeNumber error_here;
  const ReferenceSample* const truth = ReferenceAt(time);
  JudgeForces(time, truth, observation);
  if (truth != nullptr) {
    error_here = JudgeBodies(*truth, bodies);
    ErrorMeasure& error = *accuracy_.error;
    if (velocity_scale_ > 0)
      accuracy_.relative_velocity_error = error.velocity_max / velocity_scale_;
    error.judged_until = time;
    if (const MaybeNumber now = ReactionErrorAgainst(*truth, observation.reactions))
      Raise(error.reactions_max, *now);
    if (const MaybeNumber now = ReactionErrorAgainst(*truth, observation.algorithmic_reactions))
      Raise(error.algorithmic_reactions_max, *now);
  }
  accuracy_.error_series.push_back(error_here);

  const ConstraintResidual drift =
      ConstraintResiduals(system, bodies, problem_.length, problem_.time);
  accuracy_.position_drift.push_back(drift.position);
  accuracy_.velocity_drift.push_back(drift.velocity);
  Raise(accuracy_.position_drift_max, drift.position);
  Raise(accuracy_.velocity_drift_max, drift.velocity);

  joints_.MoveTo(time, bodies);
  const Energy held = EnergyOf(system, bodies, joints_.joints());
  const double change = held.total() - energy_start_ - work;
  const double energy = joints_.known() ? std::abs(change) / energy_scale_ : NAN;
  accuracy_.energy_drift.push_back(energy);
  accuracy_.energy_gained = joints_.known() ? MaybeNumber(change / energy_scale_) : std::nullopt;
  Raise(accuracy_.energy_drift_max, energy);
  largest_kinetic_ = std::max(largest_kinetic_, held.kinetic);

  JudgeMomenta(system, bodies);
  const auto& seen = observation.accelerations;
  if (seen.size() == system.bodies.size()) {
    Accelerations accelerations;
    for (const BodyAcceleration& body : seen) {
      accelerations.linear.push_back(body.acceleration);
      accelerations.angular.push_back(body.angular_acceleration);
    }
    Raise(accuracy_.acceleration_drift_max,
          AccelerationResidual(system, bodies, accelerations, problem_.length, problem_.time));
  }

  for (const PublishedValue& value : problem_.published) {
    if (!value.event.empty() || std::abs(value.time - time) > kSameTime * problem_.end_time)
      continue;
    const Observable& observable = problem_.observables[static_cast<std::size_t>(value.observable)];
    const double ours = Evaluate(observable, bodies, time);
    accuracy_.published.push_back({observable.name, value.time, "", value.source, value.value, ours,
                                   Difference(observable, ours, value.value)});
  }

  for (const PublishedValue& value : library_measures_.multipliers().values) {
    if (observation.reactions.empty() ||
        std::abs(value.time - time) > kSameTime * problem_.end_time)
      continue;
    const Multiplier& one =
        library_measures_.multipliers().quantities[static_cast<std::size_t>(value.observable)];
    const JointReaction& reaction = observation.reactions[static_cast<std::size_t>(one.number)];
    if (const auto ours = ValueOf(one, bodies, reaction.force, reaction.unique))
      accuracy_.published.push_back(
          {one.name, value.time, "", value.source, value.value, *ours, *ours - value.value});
  }

  library_measures_.Add(time, bodies, observation.reactions);
  for (const BranchCondition& condition : problem_.branch) {
    std::optional<LeftBranch>& left = accuracy_.left_branch;
    if (left && left->time < time) break;
    const double value = Evaluate(condition.observable, bodies);
    if (std::abs(Difference(condition.observable, value, condition.value)) <= condition.bound)
      continue;
    if (left)
      left->others.push_back(condition.observable.name);
    else
      left = {time, condition.observable.name, value, condition.value, condition.bound, {}, {}};
    if (!condition.otherwise.empty()) left->motions.push_back(condition.otherwise);
  }

  accuracy_.trajectory.times.push_back(time);
  std::vector<double>& frame = accuracy_.trajectory.poses.emplace_back();
  for (int index : drawn_) {
    const BodyState& b = bodies[static_cast<std::size_t>(index)];
    const Quaternion& q = b.orientation;
    for (double v : {b.position.x, b.position.y, b.position.z, q.w, q.x, q.y, q.z})
      frame.push_back(Rounded(v));
  }
}

const System& AccuracyJudge::SystemAt(double time, std::size_t bodies) {
  if (!problem_.system.rope_flight) return problem_.system;
  if (grown_.bodies.size() != bodies) {
    grown_ = SystemInFlight(problem_.system, static_cast<int>(bodies) - 1, time);
  }
  grown_.bodies[0].mass =
      BodyMassAt(*problem_.system.rope_flight, problem_.system.bodies[0].mass, time);
  return grown_;
}

double AccuracyJudge::AddEvent(double time, const std::string& name,
                               const std::vector<BodyState>& before,
                               const std::vector<BodyState>& after) {
  const bool first = std::none_of(accuracy_.events.begin(), accuracy_.events.end(),
                                  [&](const EventRecord& event) { return event.name == name; });
  const System& system = SystemAt(time, after.size());
  std::vector<BodyState> old = before;
  for (std::size_t b = before.size(); b < after.size(); ++b) {
    old.push_back(after[b]);
    old.back().velocity = old.back().angular_velocity = {};
  }
  const auto energy_of = [&](const std::vector<BodyState>& bodies) {
    return EnergyOf(system, bodies, joints_.joints()).total();
  };
  double lost = 0;  // by impact, 1/2 dv' M dv (Carnot)
  for (std::size_t b = 0; b < after.size(); ++b) {
    const Vector3 change = after[b].velocity - old[b].velocity;
    lost += system.bodies[b].mass * Dot(change, change) / 2;
  }
  for (const PublishedValue& value : problem_.published) {
    if (!first || value.event != name) continue;
    const Observable& observable = problem_.observables[static_cast<std::size_t>(value.observable)];
    const double ours = Evaluate(observable, after, time);
    accuracy_.published.push_back({observable.name, time, value.event, value.source, value.value,
                                   ours, Difference(observable, ours, value.value)});
  }
  accuracy_.events.push_back(
      {name, time, after.size(), after[0].position, Norm(after[0].velocity)});
  return energy_of(old) - energy_of(before) - lost;
}

Accuracy AccuracyJudge::Finish() {
  if (accuracy_.error && accuracy_.finite && !accuracy_.error_series.empty())
    accuracy_.error->end = accuracy_.error_series.back();
  if (problem_.conservative && joints_.known()) {
    const double scale =
        is_energy_scale_known_ ? energy_scale_ : std::max(energy_scale_, largest_kinetic_);
    accuracy_.energy_error = accuracy_.energy_drift_max * energy_scale_ / scale;
  }
  accuracy_.library_measures = library_measures_.results();
  Trajectory& all = accuracy_.trajectory;
  if (all.times.size() > kFrames) {
    Trajectory thin{{}, all.bodies, {}};
    for (std::size_t k = 0; k < kFrames; ++k) {
      const std::size_t from = k * (all.times.size() - 1) / (kFrames - 1);
      thin.times.push_back(all.times[from]);
      thin.poses.push_back(std::move(all.poses[from]));
    }
    all = std::move(thin);
  }
  return std::move(accuracy_);
}

}  // namespace mbsbench
