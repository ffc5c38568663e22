#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "problems/model/error.h"
#include "reference/certificate.h"
#include "reference/closed_form.h"
#include "reference/joint_coordinates.h"
#include "reference/reactions.h"
#include "reference/reference.h"
#include "reference/rope_flight.h"
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
// Of many rates, between samples that are close: fewer evaluations in each step.
constexpr ExtrapolationSettings kSecondFormulationOfMany{.columns = 8, .tolerance = 1e-21};
constexpr ExtrapolationSettings kPerturbed{.columns = 6, .tolerance = 1e-16};
constexpr double kPerturbation = 1e-10;  // small against the motion, large against kPerturbed
constexpr double kMargin = 2;            // on the largest difference
constexpr double kLastDigit = 1e-20;     // of 21 digits, relative to the number

// Fractions of the whole certification, by their evaluations.
extended::Progress Part(const std::function<void(double)>& progress, double from, double to) {
  if (!progress) return {};
  return [=](double fraction) { progress(from + fraction * (to - from)); };
}

// Every initial coordinate and rate changed by a random amount of at most `size` in its unit; a
// mechanism is closed again by all of them. What is driven stays as its driver has it.
Problem Perturbed(const Problem& problem, double size) {
  std::mt19937_64 generator(1);
  const auto random = [&generator, size] {
    return size * (2 * (static_cast<double>(generator() >> 11) * 0x1p-53) - 1);
  };
  Problem p = problem;
  const JointOffsets at = OffsetsOf(p.system);
  const std::vector<bool> driven = DrivenJoints(p.system);
  p.initial.dependent_joints.clear();
  for (std::size_t j = 0; j < p.system.joints.size(); ++j) {
    if (driven[j]) continue;
    if (!p.system.loop_joints.empty()) p.initial.dependent_joints.push_back(static_cast<int>(j));
    const JointType type = p.system.joints[j].type;
    for (int k = at.q[j]; k < at.q[j + 1]; ++k) {
      // Half of the angle in a quaternion.
      const bool is_position = IsLength(type, k - at.q[j]);
      const bool is_quaternion = TurnsFreely(type) && !is_position;
      p.initial.joints.q[static_cast<std::size_t>(k)] += random() * (is_quaternion ? 0.5
                                                                     : is_position ? p.length
                                                                                   : 1);
    }
    for (int k = at.u[j]; k < at.u[j + 1]; ++k) {
      const bool is_speed = IsLength(type, k - at.u[j]);
      p.initial.joints.u[static_cast<std::size_t>(k)] +=
          random() * (is_speed ? p.length : 1) / p.time;
    }
  }
  return p;
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

// What storing 21 digits may change, in the error measure: half a unit of the last digit of three
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

void PutReactions(const Problem& problem, const Trajectory& other, Reference& reference) {
  reference.joints = extended::StoredJoints(problem);
  reference.reaction_difference = other.reaction_difference;
  for (std::size_t k = 0; k < reference.samples.size(); ++k)
    reference.samples[k].reactions = other.reactions[k];
}

}  // namespace

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
  }
  opinion.difference = difference.position;
  // Behind the second order, the second formulation.
  r.certified_by =
      fmt::format("{}; {}: differs by {:.1e}", r.certified_by.substr(0, r.certified_by.find(';')),
                  by, difference.position);
  r.error_estimate = std::max(r.error_estimate, kMargin * difference.position + storage.position);
  r.velocity_error_estimate =
      std::max(r.velocity_error_estimate, kMargin * difference.velocity + storage.velocity);
  return opinion;
}

double DifferenceBetween(const Problem& problem, const Reference& a, const Reference& b) {
  return DistanceBetween(problem, AsTrajectory(a), AsTrajectory(b)).position;
}

Reference Certify(const Problem& problem, const std::function<void(double)>& progress) {
  if (problem.system.rope_flight) return extended::CertifyFlight(problem, progress);
  if (std::optional<Reference> closed = extended::ClosedForm(problem)) {
    const Trajectory solved = SolveInMaximalCoordinates(problem, kReference, Part(progress, 0, 1));
    const Distance difference = DistanceBetween(problem, AsTrajectory(*closed), solved);
    closed->certified_by = fmt::format("maximal coordinates by {}: differs by {:.1e}",
                                       Describe(kReference, solved), difference.position);
    closed->error_estimate = kMargin * difference.position;
    closed->velocity_error_estimate = kMargin * difference.velocity;
    return *closed;
  }
  const Trajectory truth = SolveInMaximalCoordinates(problem, kReference, Part(progress, 0, 0.3));
  const Trajectory second =
      SolveInMaximalCoordinates(problem, kSecondOrder, Part(progress, 0.3, 0.5));
  const OtherSolution other = SolveOther(problem, Part(progress, 0.5, 0.9));
  const Trajectory perturbed = SolveInMaximalCoordinates(Perturbed(problem, kPerturbation),
                                                         kPerturbed, Part(progress, 0.9, 1));
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
  const Distance at_start =
      DistanceBetween(problem, {{truth.samples[0]}, {}, 0}, {{perturbed.samples[0]}, {}, 0});
  r.sensitivity = DistanceBetween(problem, truth, perturbed).position /
                  extended::Max(at_start.position, at_start.velocity);
  const Distance difference{extended::Max(of_orders.position, of_formulations.position),
                            extended::Max(of_orders.velocity, of_formulations.velocity)};
  const Distance storage = StorageError(problem, truth);
  r.error_estimate = kMargin * difference.position + storage.position;
  r.velocity_error_estimate = kMargin * difference.velocity + storage.velocity;
  r.bodies = extended::StoredBodies(problem);
  for (std::size_t k = 0; k < truth.samples.size(); ++k) {
    ReferenceSample sample;
    sample.time = problem.sample_times[k];
    Split(truth.samples[k], sample);
    r.samples.push_back(std::move(sample));
  }
  PutReactions(problem, other.trajectory, r);
  return r;
}

}  // namespace mbsbench
