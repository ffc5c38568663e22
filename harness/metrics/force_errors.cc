#include "harness/metrics/force_errors.h"
#include "problems/model/joint_at.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mbsbench {

namespace {

struct NamedError {
  double difference;  // [N]
  const std::string* name;
};

// The largest error relative to `unit`.
ForceError Largest(const std::vector<NamedError>& errors, double unit, const char* of) {
  ForceError largest;
  for (const auto& [difference, name] : errors) {
    const double error = difference == 0             ? 0
                         : std::isfinite(difference) ? difference / unit
                                                     : INFINITY;
    if (error > largest.error) largest = {error, " of " + (of + (" '" + *name + "'"))};
  }
  return largest;
}

}  // namespace

bool IsFinite(const Vector3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

double SizeOfReaction(const Vector3& force, const Vector3& torque, double length) {
  return std::max(Norm(force), Norm(torque) / length);
}

bool IsFalselyNotUnique(const JointReaction& ours, const ReferenceReaction& reference) {
  return reference.unique.all() && !ours.unique.all();
}

MaybeNumber ReactionError(const JointReaction& ours, const ReferenceReaction& reference,
                          double length) {
  const UniqueComponents& unique = reference.unique;
  if (!unique.any() || IsFalselyNotUnique(ours, reference)) return {};
  const auto part = [&unique](std::size_t k, double x) { return unique[k] ? x : 0; };
  const Vector3 force = ours.force - reference.force, torque = ours.torque - reference.torque;
  return SizeOfReaction({part(0, force.x), part(1, force.y), part(2, force.z)},
                        {part(3, torque.x), part(4, torque.y), part(5, torque.z)}, length);
}

bool ForcesAreFinite(const Observation& observation) {
  return std::ranges::all_of(
             observation.reactions,
             [&](const JointReaction& r) { return IsFinite(r.force) && IsFinite(r.torque); }) &&
         std::ranges::all_of(observation.drivers, [](const DriverObservation& d) {
           return std::isfinite(d.position) && std::isfinite(d.rate) &&
                  std::isfinite(d.acceleration) && std::isfinite(d.effort);
         });
}

ForceErrors ForceErrorsOf(const System& system, const Observation& ours,
                          const ReferenceDynamics& truth, const AccelerationScale& scale,
                          double negligible) {
  double mass = 0, largest_reaction = 0, largest_effort = 0;
  for (const Body& body : system.bodies) mass += body.mass;
  const double natural = mass * scale.natural;  // [N]

  std::vector<NamedError> reactions, efforts;
  std::string falsely_not_unique;
  for (std::size_t j = 0; j < std::min(ours.reactions.size(), truth.reactions.size()); ++j) {
    const ReferenceReaction& r = truth.reactions[j];
    largest_reaction = std::max(largest_reaction, SizeOfReaction(r.force, r.torque, scale.length));
    const Joint& joint = JointAt(system, j);
    if (const MaybeNumber error = ReactionError(ours.reactions[j], r, scale.length))
      reactions.push_back({*error, &joint.name});
    if (falsely_not_unique.empty() && IsFalselyNotUnique(ours.reactions[j], r))
      falsely_not_unique = joint.name;
  }
  for (std::size_t k = 0; k < std::min(ours.drivers.size(), truth.efforts.size()); ++k) {
    const Driver& driver = system.drivers[k];
    const JointType type = system.joints[static_cast<std::size_t>(driver.joint)].type;
    const double arm = IsLength(type, 0) ? 1 : scale.length;
    largest_effort = std::max(largest_effort, std::abs(truth.efforts[k]) / arm);
    if (truth.effort_is_unique[k])
      efforts.push_back({std::abs(ours.drivers[k].effort - truth.efforts[k]) / arm, &driver.name});
  }
  const auto unit_of = [&](double size) { return size > negligible * natural ? size : natural; };
  return {Largest(reactions, unit_of(largest_reaction), "joint"),
          Largest(efforts, unit_of(largest_effort), "driver"), falsely_not_unique};
}

}  // namespace mbsbench
