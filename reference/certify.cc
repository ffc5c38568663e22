#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "problems/model/error.h"
#include "reference/certificate.h"
#include "reference/closed_forms/closed_form.h"
#include "reference/joint_coordinates/joint_coordinates.h"
#include "reference/reactions.h"
#include "reference/reference.h"
#include "reference/rope_flight/rope_flight.h"
#include "reference/rope_flight/rope_flight_sensitivity.h"
#include "reference/sensitivity.h"
#include "reference/trajectory.h"

namespace mbsbench {

namespace {

using extended::Distance;
using extended::DistanceBetween;
using extended::ExtrapolationSettings;
using extended::Trajectory;

// The reference itself; a solution of lower order with larger errors, which bounds it; and what
// tests the formulation.
constexpr ExtrapolationSettings kReference{.columns = 12, .tolerance = 1e-26};
constexpr ExtrapolationSettings kSecondOrder{.columns = 9, .tolerance = 1e-23};
constexpr ExtrapolationSettings kSecondFormulation{.columns = 10, .tolerance = 1e-23};
// For many rates and close samples: fewer evaluations in each step.
constexpr ExtrapolationSettings kSecondFormulationOfMany{.columns = 8, .tolerance = 1e-21};
constexpr ExtrapolationSettings kUncertified{.columns = 6, .tolerance = 1e-14};
constexpr double kMargin = 2;         // on the largest difference
constexpr double kLastDigit = 1e-20;  // of 21 digits, relative to the number

// Fractions of the whole certification, by their evaluations.
extended::Progress Part(const std::function<void(double)>& progress, double from, double to) {
  if (!progress) return {};
  return [=](double fraction) { progress(from + fraction * (to - from)); };
}

std::string Describe(const ExtrapolationSettings& settings, const Trajectory& t) {
  return fmt::format("order {}, step tolerance {:.0e}, {} steps of {:.2g} to {:.2g} s",
                     2 * settings.columns, settings.tolerance, t.counters.steps,
                     static_cast<double>(t.counters.smallest_step),
                     static_cast<double>(t.counters.largest_step));
}

// The second formulation's solution, and how it was solved.
struct OtherSolution {
  Trajectory trajectory;
  std::string description;
};
OtherSolution SolveOther(const Problem& problem, const extended::Progress& progress) {
  const auto rates = static_cast<std::size_t>(OffsetsOf(problem.system).u.back());
  const ExtrapolationSettings& settings = rates > extended::JointCoordinates::kMostDenseRates
                                              ? kSecondFormulationOfMany
                                              : kSecondFormulation;
  OtherSolution other{SolveInJointCoordinates(problem, settings, progress), {}};
  other.description = other.trajectory.formulation + ", by " + Describe(settings, other.trajectory);
  return other;
}

Trajectory AsTrajectory(const Reference& reference) {
  Trajectory trajectory;
  for (const ReferenceSample& sample : reference.samples)
    trajectory.samples.push_back(Join(sample));
  return trajectory;
}

// The error of storing 21 digits, in the error measure: half a unit of the last digit of three
// numbers.
Distance StorageError(const Problem& problem, const Trajectory& trajectory) {
  extended::Real position = 1, velocity = 0;  // 1: of quaternions
  for (const extended::Motion& motion : trajectory.samples) {
    for (const extended::BodyMotion& body : motion) {
      position = extended::Max(position, Norm(body.position) / problem.length);
      velocity = extended::Max(velocity, Norm(body.velocity) * problem.time / problem.length);
      velocity = extended::Max(velocity, Norm(body.angular_velocity) * problem.time);
    }
  }
  return {kLastDigit * static_cast<double>(position), kLastDigit * static_cast<double>(velocity)};
}

void PutSamples(const Problem& problem, const Trajectory& trajectory, Reference& reference) {
  reference.bodies = extended::StoredBodies(problem);
  for (std::size_t k = 0; k < trajectory.samples.size(); ++k) {
    ReferenceSample sample;
    sample.time = problem.sample_times[k];
    Split(trajectory.samples[k], sample);
    reference.samples.push_back(std::move(sample));
  }
}

void PutReactions(const Problem& problem, const Trajectory& other, Reference& reference) {
  reference.joints = extended::StoredJoints(problem);
  reference.reaction_difference = other.reaction_difference;
  for (std::size_t k = 0; k < reference.samples.size(); ++k)
    reference.samples[k].reactions = other.reactions[k];
}

// A motion that closes redundant rows which this one leaves open differs from it by as much as they are open, amplified as
// changes of the state and of the data are. Where the precision of the loops is stated, the opening is itself the effect of data that do
// not fit, and their sensitivity would count it twice.
void IncludeOpening(const Problem& problem, extended::Real opening, Reference& reference) {
  double growth = 1;
  for (const ReferenceSample& sample : reference.samples) {
    growth = std::max(growth, sample.state_sensitivity);
    if (problem.system.loop_precision == 0) growth = std::max(growth, sample.data_sensitivity);
  }
  const double error = static_cast<double>(opening) * growth;
  reference.error_estimate = std::max(reference.error_estimate, error);
  reference.velocity_error_estimate = std::max(reference.velocity_error_estimate, error);
}

// A mechanism that passes a singular position has no tangent flow there: it is not computed.
void PutSensitivity(const Problem& problem, Reference& reference,
                    const std::function<void(double)>& progress) {
  try {
    RenewSensitivity(problem, reference, progress);
  } catch (const ModelError&) {
  }
}

}  // namespace

void RequireExact(const Reference& reference) {
  constexpr double kLargest = 1e-4;
  if (reference.error_estimate <= kLargest) return;
  throw ModelError(fmt::format(
      "the reference of '{}' has an error estimate of {:.2g} L, and above {:g} L it cannot judge "
      "solutions: end the motion before it becomes so sensitive, or give the frames of its loops "
      "with more digits.",
      reference.problem, reference.error_estimate, kLargest));
}

SecondOpinion CertifyBySecondFormulation(const Problem& problem, const Reference& held,
                                         const std::function<void(double)>& progress) {
  SecondOpinion opinion{held, 0};
  Reference& r = opinion.reference;
  Distance difference, storage;
  std::string by;
  if (problem.system.rope_flight) {
    difference = extended::DifferenceInAngles(problem, held, by, progress);
  } else {
    const Trajectory truth = AsTrajectory(held);
    const OtherSolution other = SolveOther(problem, Part(progress, 0, 1));
    difference = DistanceBetween(problem, truth, other.trajectory);
    by = other.description;
    storage = StorageError(problem, truth);
    PutReactions(problem, other.trajectory, r);
    IncludeOpening(problem, other.trajectory.largest_drift, r);
  }
  opinion.difference = difference.position;
  // The second formulation is listed after the second order.
  r.certified_by =
      fmt::format("{}; {}: differs by {:.1e}", r.certified_by.substr(0, r.certified_by.find(';')),
                  by, difference.position);
  r.error_estimate = std::max(r.error_estimate, kMargin * difference.position + storage.position);
  r.velocity_error_estimate =
      std::max(r.velocity_error_estimate, kMargin * difference.velocity + storage.velocity);
  return opinion;
}

void RenewSensitivity(const Problem& problem, Reference& reference,
                      const std::function<void(double)>& progress) {
  const extended::Sensitivity s = problem.system.rope_flight
                                      ? extended::SensitivityOfFlight(problem, progress)
                                      : extended::SensitivityOf(problem, progress);
  reference.sensitivity_how = s.how;
  reference.data_left_out = s.data_left_out;
  for (ReferenceSample& sample : reference.samples) {
    const auto at =
        std::find(problem.sample_times.begin(), problem.sample_times.end(), sample.time);
    if (at == problem.sample_times.end())
      throw ModelError("the reference has samples that the problem does not ask for.");
    const auto k = static_cast<std::size_t>(at - problem.sample_times.begin());
    sample.state_sensitivity = s.of_state[k];
    sample.data_sensitivity = s.of_data.empty() ? 0 : s.of_data[k];
  }
}

double DifferenceBetween(const Problem& problem, const Reference& a, const Reference& b) {
  return DistanceBetween(problem, AsTrajectory(a), AsTrajectory(b)).position;
}

Reference SolveUncertified(const Problem& problem) {
  const Trajectory trajectory = SolveInJointCoordinates(problem, kUncertified);
  Reference r;
  r.problem = problem.name;
  r.how = trajectory.formulation + ", by " + Describe(kUncertified, trajectory);
  PutSamples(problem, trajectory, r);
  PutReactions(problem, trajectory, r);
  return r;
}

Reference Certify(const Problem& problem, const std::function<void(double)>& progress) {
  if (problem.system.rope_flight) {
    Reference flight = extended::CertifyFlight(problem, Part(progress, 0, 0.3));
    RenewSensitivity(problem, flight, Part(progress, 0.3, 1));
    RequireExact(flight);
    return flight;
  }
  if (std::optional<Reference> closed = extended::ClosedForm(problem)) {
    const Trajectory solved =
        SolveInMaximalCoordinates(problem, kReference, Part(progress, 0, 0.9));
    const Distance difference = DistanceBetween(problem, AsTrajectory(*closed), solved);
    closed->certified_by = fmt::format("maximal coordinates by {}: differs by {:.1e}",
                                       Describe(kReference, solved), difference.position);
    closed->error_estimate = kMargin * difference.position;
    closed->velocity_error_estimate = kMargin * difference.velocity;
    PutSensitivity(problem, *closed, Part(progress, 0.9, 1));
    return *closed;
  }
  const Trajectory truth = SolveInMaximalCoordinates(problem, kReference, Part(progress, 0, 0.3));
  const Trajectory second =
      SolveInMaximalCoordinates(problem, kSecondOrder, Part(progress, 0.3, 0.5));
  const OtherSolution other = SolveOther(problem, Part(progress, 0.5, 0.9));
  const Distance of_orders = DistanceBetween(problem, truth, second),
                 of_formulations = DistanceBetween(problem, truth, other.trajectory);
  Reference r;
  r.problem = problem.name;
  r.how = fmt::format(
      "{}, IEEE binary128 (113 bits); extrapolated midpoint rule of {}; projected onto the joints "
      "after each step (drift {:.0e})",
      truth.formulation, Describe(kReference, truth), static_cast<double>(truth.largest_drift));
  r.certified_by = fmt::format("the same by {}: differs by {:.1e}; {}: differs by {:.1e}",
                               Describe(kSecondOrder, second), of_orders.position,
                               other.description, of_formulations.position);
  const Distance difference{extended::Max(of_orders.position, of_formulations.position),
                            extended::Max(of_orders.velocity, of_formulations.velocity)};
  const Distance storage = StorageError(problem, truth);
  r.error_estimate = kMargin * difference.position + storage.position;
  r.velocity_error_estimate = kMargin * difference.velocity + storage.velocity;
  PutSamples(problem, truth, r);
  PutReactions(problem, other.trajectory, r);
  PutSensitivity(problem, r, Part(progress, 0.9, 1));
  IncludeOpening(problem, other.trajectory.largest_drift, r);
  RequireExact(r);
  return r;
}

}  // namespace mbsbench
