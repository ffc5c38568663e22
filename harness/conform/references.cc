// The promises to reach the references of the catalogue: one for each problem that states an accuracy, and one for
// the first tenth of a second of all others.
#include <fmt/format.h>

#include <algorithm>

#include "harness/conform/tried_systems.h"
#include "harness/runner/cells/random_states.h"
#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/worse.h"

namespace mbsbench {

namespace {

// If errors grow along the motion, a smaller tolerance than the first may be needed. Near a singular position short
// steps reach round-off, so a motion that fails is tried with larger tolerances.
constexpr double kTolerance = 1e-12;
constexpr double kSmallerTolerances[] = {1e-13, 3e-14, 1e-14, 1e-15};
constexpr double kLargerTolerances[] = {1e-11, 3e-12, 1e-10, 3e-10};
// The drift of the energy may be ten times the error; methods that project keep constraints to round-off.
constexpr double kEnergyFactor = 10, kReactionsFactor = 10, kProjectedDrift = 1e-10;
// Velocities that differ by this part of the reference's largest one are others, whatever the required error.
constexpr double kOtherVelocities = 1e-2;

// There are no references above 500 bodies, and building the largest instances would take a fifth of a second.
bool IsTooLargeForAReference(const std::string& instance) {
  const std::string option = "bodies=";
  const std::size_t at = instance.find(option);
  return at != std::string::npos && std::stoi(instance.substr(at + option.size())) > 500;
}

// Rope flights end by an event, and their samples depend on it: tests/every_method/rocket_test.cc.
bool StatesAnAccuracy(const Problem& problem) {
  return problem.accuracy_required_ode > 0 && !problem.system.rope_flight;
}

// The largest of the error, the error of the reactions, the energy drift and the constraint drift, each relative to its
// own bound, times the required error.
double WorstOf(const Accuracy& accuracy, const Problem& problem, bool projects, double required) {
  const double drift_bound =
      projects ? kProjectedDrift * static_cast<double>(problem.system.bodies.size()) : required;
  double worst = Worse(accuracy.error ? accuracy.error->max : NAN,
                       accuracy.position_drift_max / drift_bound * required);
  if (problem.conservative) worst = Worse(worst, accuracy.energy_drift_max / kEnergyFactor);
  if (accuracy.error && accuracy.error->reactions_max)
    worst = Worse(worst, *accuracy.error->reactions_max / kReactionsFactor);
  return Worse(worst, accuracy.relative_velocity_error / kOtherVelocities * required);
}

// The motion by a method that supports the problem, to `bound`. If the first tolerance does not reach it, further ones are
// tried.
Finding TryMotion(const Problem& problem, const Reference& reference, const MethodChoice& method,
                  double bound, std::int64_t step_limit = IntegrationSettings{}.step_limit) {
  Finding finding{.figure = INFINITY, .bound = bound, .tried = 1};
  const bool dae = method.form() == Form::kDae;
  const SystemState start = InitialState(problem);
  // A state of joint coordinates only has no constraints to violate.
  const bool projects = !dae && (problem.system.loop_joints.empty() ||
                                 Prepare(method, problem)->projection() != nullptr);
  std::string falsely_not_unique;
  const auto try_at = [&](double tolerance) {
    const std::string integrator = dae ? "ida" : "fehlberg8";
    const JudgedMotion motion =
        JudgeMotion(problem, &reference, start, method,
                    {.integrator = integrator, .tolerance = tolerance, .step_limit = step_limit});
    if (const std::string& joint = motion.accuracy.forces.falsely_not_unique; !joint.empty()) {
      falsely_not_unique = FalselyNotUnique(joint);
    } else if (motion.report.outcome == IntegrationReport::Outcome::kOk) {
      const double worst = WorstOf(motion.accuracy, problem, projects, finding.bound);
      if (worst < finding.figure) finding.figure = worst;
      if (finding.reason.empty() || finding.figure == worst)
        finding.reason =
            fmt::format("the error by {} is {:.2g} at best", integrator, finding.figure);
    } else if (finding.reason.empty()) {
      finding.reason = fmt::format("{} fails: {}", integrator, motion.report.reason);
    }
  };
  try_at(kTolerance);
  const std::span<const double> others = std::isinf(finding.figure)
                                             ? std::span<const double>(kLargerTolerances)
                                             : std::span<const double>(kSmallerTolerances);
  for (double tolerance : others) {
    if (finding.figure <= finding.bound || !falsely_not_unique.empty()) break;
    // No other tolerance repairs an error that is a hundred thousand times too large.
    if (std::isfinite(finding.figure) && finding.figure > 1e5 * finding.bound) break;
    try_at(tolerance);
  }
  finding.standing = finding.figure <= finding.bound ? Standing::kHeld : Standing::kBroken;
  if (finding.standing == Standing::kHeld) finding.reason.clear();
  if (!falsely_not_unique.empty()) finding.reason = falsely_not_unique;
  return finding;
}

Finding TryReference(const std::string& instance, const MethodChoice& method) {
  if (const std::optional<Finding> none = WithoutTolerance(method)) return *none;
  const Problem problem = MakeProblem(instance);
  Finding finding;
  if (!Counts(VerdictOf(*method.entry, problem.system, method.options), finding)) return finding;
  std::string why_not;
  const std::optional<Reference> reference = FindReference(problem, &why_not);
  if (!reference) return NotApplicable(why_not);
  return TryMotion(
      problem, *reference, method,
      method.form() == Form::kDae ? problem.accuracy_required_dae : problem.accuracy_required_ode);
}

// The first motion of a problem that states no accuracy.
struct Begun {
  Problem problem;
  // With reactions where they are unique. In 113 bits, so it is solved once, and only if a method takes the problem.
  std::optional<Reference> reference = {};
};

Problem BeginningOf(Problem problem) {
  constexpr double kEnd = 0.1;  // [s]
  problem.end_time = std::min(problem.end_time, kEnd);
  problem.sample_times.clear();
  for (int k = 0; k <= 4; ++k) problem.sample_times.push_back(problem.end_time * k / 4);
  problem.reference_bodies.clear();
  return problem;
}

std::vector<Begun> BegunMotions(std::size_t least, std::size_t most) {
  std::vector<Begun> all;
  for (const std::string& instance : AllInstances()) {
    if (IsTooLargeForAReference(instance)) continue;
    Problem problem = MakeProblem(instance);
    const std::size_t bodies = problem.system.bodies.size();
    if (StatesAnAccuracy(problem) || problem.system.rope_flight || bodies <= least || bodies > most)
      continue;
    all.push_back({BeginningOf(std::move(problem))});
  }
  return all;
}

// A double pendulum whose first joint follows a function of time, and one with a motor there whose torque is such a function.
std::vector<Begun> PendulumsInTime() {
  Problem driven = BeginningOf(MakeProblem("dpend18"));
  driven.conservative = false;
  Problem with_motor = driven;
  driven.name += "-with-driver";
  const DriverMotion motion = {.kind = MotionKind::kHarmonic,
                               .amplitude = 1,
                               .mean = driven.initial.joints.q[0],
                               .angular_frequency = 10};
  driven.system.drivers = {{"driver", 0, motion}};
  driven.initial.joints.u[0] = motion.amplitude * motion.angular_frequency;
  with_motor.name += "-with-motor";
  const DriverMotion torque = {
      .kind = MotionKind::kHarmonic, .amplitude = 5, .angular_frequency = 10};
  with_motor.system.forces.Of<Motor>() = {{"motor", 0, true, {torque, {}}}};
  return {{driven}, {with_motor}};
}

constexpr std::size_t kFewBegun = 12, kMostBegun = 60;  // bodies
constexpr double kBegunByOde = 1e-9, kBegunByDae = 1e-7;
constexpr std::int64_t kStepsOfBegun =
    5'000;  // if accelerations have no correct digit, steps shrink

Finding TryBegunMotions(std::vector<Begun>& begun, const MethodChoice& method) {
  if (const std::optional<Finding> none = WithoutTolerance(method)) return *none;
  const double bound = method.form() == Form::kDae ? kBegunByDae : kBegunByOde;
  Finding finding{.figure = 0, .bound = bound};
  for (auto& [problem, reference] : begun) {
    if (!Counts(VerdictOf(*method.entry, problem.system, method.options), finding)) continue;
    if (!reference) reference = SolveUncertified(problem);
    const Finding one = TryMotion(problem, *reference, method, bound, kStepsOfBegun);
    finding.figure = Worse(finding.figure, one.figure);
    if (one.standing == Standing::kHeld || finding.standing == Standing::kBroken) continue;
    finding.standing = Standing::kBroken;
    finding.reason = fmt::format("on '{}': {}", problem.name, one.reason);
    finding.model = problem;
    if (std::isinf(finding.figure)) break;  // no other one is worse
  }
  return finding;
}

}  // namespace

std::vector<Promise> ReferencePromises() {
  std::vector<Promise> all;
  for (const std::string& instance : AllInstances()) {
    if (IsTooLargeForAReference(instance) || !StatesAnAccuracy(MakeProblem(instance))) continue;
    all.push_back(
        {"reference-" + instance,
         "reaches the reference of " + instance + " to the accuracy that it states", "error",
         [instance](const MethodChoice& method) { return TryReference(instance, method); }});
  }
  all.push_back({"begun-motions",
                 "begins the motion of every problem that states no accuracy, of up to 12 bodies, "
                 "and of a double pendulum with a driver or a motor, as in 113 bits",
                 "error", [](const MethodChoice& method) {
                   static std::vector<Begun> begun = [] {
                     std::vector<Begun> few = BegunMotions(0, kFewBegun);
                     for (Begun& one : PendulumsInTime()) few.push_back(std::move(one));
                     return few;
                   }();
                   return TryBegunMotions(begun, method);
                 }});
  all.push_back({"begun-motions-large", "does the same with those of 13 to 60 bodies", "error",
                 [](const MethodChoice& method) {
                   static std::vector<Begun> begun = BegunMotions(kFewBegun, kMostBegun);
                   return TryBegunMotions(begun, method);
                 }});
  return all;
}

}  // namespace mbsbench
