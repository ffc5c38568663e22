// The accuracy of a solution, as a trial records it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/number.h"
#include "problems/model/geometry.h"

namespace mbsbench {

struct ErrorMeasure {
  double max = 0;        // the cell's error: the largest over the samples that the reference covers
  MaybeNumber end = {};  // at the last sample; empty if the reference does not cover it
  double rms = 0;        // largest over samples of the root mean square over bodies
  double velocity_max = 0;  // of the velocities
  // Error of the reactions; empty where the method or the reference gives no unique reaction.
  MaybeNumber reactions_max = {};
  // Error of the reactions by the multipliers of steps; empty where the method has none.
  MaybeNumber algorithmic_reactions_max = {};
  double judged_until = 0;  // time of the last sample that the reference covers [s]; not recorded

  MBSBENCH_FIELDS(max, end, rms, velocity_max, reactions_max, (IfAny, algorithmic_reactions_max))
};

struct PublishedComparison {
  std::string quantity = {};
  double time = 0;         // [s]
  std::string event = {};  // if the value belongs to an event; `time` is then the time of our event
  std::string source = {};
  double published = 0;
  double ours = 0;
  double difference = 0;  // ours - published; angles modulo 2 pi

  MBSBENCH_FIELDS(quantity, time, (TextOrNull, event), source, published, ours, difference)
};

// An event of a growing system.
struct EventRecord {
  std::string name = {};
  double time = 0;  // [s]
  std::size_t bodies = 0;
  Vector3 position = {};  // of the first body, after it [m]
  double speed = 0;       // of the first body, after it [m/s]

  MBSBENCH_FIELDS(name, time, bodies, position, speed)
};

// The accuracy by a measure of the library that the problem comes from.
struct LibraryResult {
  std::string name = {};
  MaybeNumber value = {};  // empty if the solution or the reference does not cover the time

  MBSBENCH_FIELDS(name, value)
};

// A thinned trajectory for drawings, of the bodies by which accuracy is judged.
struct Trajectory {
  std::vector<double> times = {};
  std::vector<std::string> bodies = {};
  std::vector<std::vector<double>> poses = {};  // per time: x, y, z, w, qx, qy, qz of each body

  bool empty() const { return times.empty() && bodies.empty(); }
  MBSBENCH_FIELDS(times, bodies, poses)
};

// Samples at whose states the method found no accelerations, and so no reactions: a matrix was singular there. Their motion
// is judged like that of the others.
struct SingularSamples {
  std::int64_t count = 0;
  double first_time = 0;    // [s]
  std::string reason = {};  // of the first

  MBSBENCH_FIELDS(count, first_time, reason)
};
inline std::string Sentence(const SingularSamples& s) {
  return fmt::format(
      "no accelerations and no reactions at {} samples, the first at {:.6g} s: {}; their motion is "
      "judged",
      s.count, s.first_time, s.reason);
}

// The largest condition number of what the method solves, of all samples (SolvedCondition).
struct MetCondition {
  double number = 0, time = 0;  // [s]
  std::string of = {};          // what is solved

  MBSBENCH_FIELDS(number, time, of)
};

// The first sample at which a solution has left the branch of the reference (Problem::branch).
struct LeftBranch {
  double time = 0;  // of the sample [s]
  std::string quantity = {};
  double value = 0, expected = 0, bound = 0;
  std::vector<std::string> others = {};  // further quantities out of bounds at that sample
  // What the motion is, for each of these quantities by which that is known (BranchCondition::otherwise).
  std::vector<std::string> motions = {};

  MBSBENCH_FIELDS(time, quantity, value, expected, bound, (IfAny, others), (IfAny, motions))
};

struct AccuracyRecord {
  std::optional<ErrorMeasure> error = {};  // empty without reference
  std::vector<double> times = {};
  std::vector<MaybeNumber> error_series = {};  // this and the following run parallel to `times`
  std::vector<double> position_drift = {}, velocity_drift = {}, energy_drift = {};
  // NaN where unknown: the energy is unknown once the samples are too far apart to count the turns of a torsion spring.
  double position_drift_max = 0, velocity_drift_max = 0, energy_drift_max = 0;
  // The drift of momenta that the mechanism conserves (problems/model/conserved_momenta.h); empty if there are none.
  MaybeNumber linear_momentum_drift_max = {}, angular_momentum_drift_max = {};
  // The residual of constraints on accelerations, at the samples at which these are observed; empty if there are none.
  MaybeNumber acceleration_drift_max = {};
  MaybeNumber energy_gained = {};  // at the last sample, over the scale of the energy drift
  std::vector<PublishedComparison> published = {};
  std::vector<EventRecord> events = {};
  std::vector<LibraryResult> library_measures = {};
  std::optional<SingularSamples> singular_samples = {};  // empty if there are none
  std::optional<LeftBranch> left_branch = {};            // empty: it stayed on it
  std::optional<MetCondition> condition = {};            // empty: the method states none
  Trajectory trajectory = {};

  // Removes the fields that grow with the number of samples.
  void DropSeries() {
    times = position_drift = velocity_drift = energy_drift = {};
    error_series = {};
    trajectory = {};
  }

  MBSBENCH_FIELDS(error, position_drift_max, velocity_drift_max, energy_drift_max,
                  linear_momentum_drift_max, angular_momentum_drift_max, acceleration_drift_max,
                  energy_gained, published, (IfAny, events), library_measures,
                  (IfAny, singular_samples), (IfAny, left_branch), (IfAny, condition), times,
                  error_series, position_drift, velocity_drift, energy_drift, (IfAny, trajectory))
};

}  // namespace mbsbench
