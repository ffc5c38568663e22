// The promises about motions that need no stored reference, or only those of the smallest problems.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "harness/conform/tried_systems.h"
#include "harness/runner/cells/random_states.h"
#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/forces.h"
#include "problems/model/worse.h"

namespace mbsbench {

namespace {

// ---- energy

// E(t) - E(0) - W(t) over a quarter of a second, relative to the initial kinetic energy or to 1 J, if that is larger.
Deviation EnergyDrift(const MethodChoice& method, const TriedSystem& tried) {
  Problem problem = ProblemOf(tried);
  problem.end_time = 0.25;
  problem.energy_reference =
      std::max(1., EnergyOf(tried.system, tried.state.bodies, tried.state.joints).kinetic);
  SetSampleTimes(problem);
  const bool is_dae = method.form() == Form::kDae;
  const JudgedMotion motion = JudgeMotion(
      problem, nullptr, tried.state, method,
      {.integrator = is_dae ? "ida" : "fehlberg8", .tolerance = is_dae ? 1e-10 : 1e-12});
  if (motion.report.outcome != IntegrationReport::Outcome::kOk)
    return Fault("it fails: " + motion.report.reason);
  return {.acceleration = motion.accuracy.energy_drift_max,
          .what = "energy drifts by",
          .unit = " of the initial kinetic energy, or of 1 J"};
}

Finding TryEnergy(const MethodChoice& method) {
  if (const std::optional<Finding> none = WithoutTolerance(method)) return *none;
  TriedSystems balanced;  // conservative, or the method gives the power of the other forces
  std::ranges::copy_if(Samples(), std::back_inserter(balanced), [&](const TriedSystem& tried) {
    return VerdictOf(*method.entry, tried.system, method.options).supported &&
           (!HasNonConservativeForces(tried.system) ||
            Prepare(method, Given(tried))->power() != nullptr);
  });
  // BDF of order 5 drifts by as much at 1e-10.
  const double bound = method.form() == Form::kDae ? 1e-6 : 1e-9;
  return TryOnSystems(method, balanced.empty() ? Samples() : balanced, bound, EnergyDrift);
}

// ---- orders

// Slope of the error over the steps of a ladder, by least squares in logarithms. The error is the largest over the
// samples, because at a single time the leading term of the error may be near zero and the slope unreliable. Not a number if
// a motion fails, with the reason in `failure`, or has no error.
double ObservedOrder(const Problem& problem, const Reference& reference, const MethodChoice& choice,
                     const std::string& integrator, double coarsest, std::string& failure) {
  double slope = 0;
  for (const int halvings : {0, 1, 2, 3}) {
    const JudgedMotion motion =
        JudgeMotion(problem, &reference, InitialState(problem), choice,
                    {.integrator = integrator, .step = coarsest / (1 << halvings)});
    failure = motion.report.reason;
    if (!motion.report.ok() || !motion.accuracy.error || !(motion.accuracy.error->max > 0))
      return NAN;
    slope += (1.5 - halvings) / 5 * std::log2(motion.accuracy.error->max);
  }
  return slope;
}

struct Ladder {
  const char* problem;
  const char* integrator;
  double coarsest, tolerated;  // [s]; by which the order may differ
};
constexpr Ladder kLadders[] = {{"dpend18", "rk4", 1. / 32, 0.2},
                               {"dpend18", "dopri5", 1. / 32, 0.2},
                               {"dpend18", "fehlberg8", 1. / 4, 0.6},
                               {"pendulum", "rk4", 1. / 128, 0.2},
                               {"pendulum", "dopri5", 1. / 16, 0.2}};

// The double pendulum shows every term of the error. A method that does not support it is tried on the pendulum, on
// which order 8 reaches round-off before the order is visible.
Finding TryOrder(const MethodChoice& method, const std::string& integrator) {
  const IntegratorEntry& scheme = *FindIntegrator(integrator);
  if (scheme.form != method.form())
    return NotApplicable(fmt::format("{} does not integrate this method", integrator));
  Finding finding;
  for (const Ladder& ladder : kLadders) {
    if (ladder.integrator != integrator) continue;
    Problem problem = MakeProblem(ladder.problem);
    if (!Counts(Supports(method, problem.system, integrator), finding)) continue;
    std::erase_if(problem.sample_times, [](double t) {  // but where the grids of all steps meet
      return !(std::abs(4 * t - std::round(4 * t)) < 1e-12);
    });
    const std::optional<Reference> reference = FindReference(problem);
    if (!reference)
      return NotApplicable(fmt::format("there is no reference for '{}'", ladder.problem));
    std::string failure;
    const double order =
        ObservedOrder(problem, *reference, method, integrator, ladder.coarsest, failure);
    finding.bound = ladder.tolerated;
    finding.figure = std::abs(order - scheme.order);
    finding.standing = finding.figure <= finding.bound ? Standing::kHeld : Standing::kBroken;
    if (!failure.empty())
      finding.reason = fmt::format("it fails on '{}': {}", ladder.problem, failure);
    else if (finding.standing == Standing::kBroken)
      finding.reason = fmt::format("the order on '{}' is {:.2f} and not {}", ladder.problem, order,
                                   scheme.order);
    break;
  }
  return finding;
}

// ---- projection

// Constraint residuals after a projection of a state that violates them by 1e-4. Driven coordinates must not change.
Deviation ProjectionResidual(const MethodChoice& method, const TriedSystem& tried) {
  const Prepared prepared = PrepareAt(method, Given(tried), tried.state);
  Formulation& formulation = *prepared.formulation;
  RandomNumbers numbers(tried.system.bodies.size());
  std::vector<double> y = prepared.y;
  for (double& x : y) x += numbers.Between(-1e-4, 1e-4);
  const std::vector<double> before = y;
  Require(formulation.projection()->Project(0, y), tried.system, "its projection fails");
  Observation there;
  Require(formulation.Observe(0, y, Detail::kMotion, there), tried.system);
  const ConstraintResidual left = ConstraintResiduals(tried.system, there.bodies, 1, 1);
  const Deviation deviation{.acceleration = Worse(left.position, left.velocity),
                            .what = "constraints are open by",
                            .unit = " m, rad, m/s or rad/s"};
  const JointOffsets at = OffsetsOf(tried.system);
  if (y.size() != static_cast<std::size_t>(at.q.back() + at.u.back())) return deviation;
  for (const Driver& d : tried.system.drivers) {
    const auto j = static_cast<std::size_t>(d.joint);
    const auto q = static_cast<std::size_t>(at.q[j]);
    const auto u = static_cast<std::size_t>(at.q.back() + at.u[j]);
    if (y[q] != before[q] || y[u] != before[u])
      return Fault("its projection moves what driver '" + d.name + "' holds");
  }
  return deviation;
}

// Whether the variant keeps loops closed by other means than projection, or not at all.
bool LeavesLoopsToDrift(const MethodChoice& method) {
  return std::ranges::any_of(method.entry->options, [&method](const MethodOption& option) {
    return option.group == "stabilisation" && !option.is_default &&
           std::ranges::find(method.options, option.name) != method.options.end();
  });
}

Finding TryProjection(const MethodChoice& method) {
  if (const std::optional<Finding> none = WithoutMotion(method)) return *none;
  TriedSystems projected;
  Finding finding;
  for (const TriedSystems* systems : {&Loops(), &DrivenLoops(), &Samples()}) {
    for (const TriedSystem& tried : *systems) {
      if (tried.system.bodies.size() > 15) continue;
      if (LeavesLoopsToDrift(method) && !tried.system.loop_joints.empty()) continue;
      if (!Counts(VerdictOf(*method.entry, tried.system, method.options), finding)) continue;
      if (Prepare(method, Given(tried))->projection() != nullptr) projected.push_back(tried);
    }
  }
  if (finding.tried == 0) return finding;
  if (projected.empty()) return NotApplicable("the method projects nothing");
  return TryOnSystems(method, projected, 1e-11, ProjectionResidual);
}

// ---- samples

// Timed integrations are not sampled, so sampling must not change the steps.
Finding TrySamples(const MethodChoice& method) {
  if (method.form() != Form::kOde) return NotApplicable("the method is no ODE");
  Finding finding;
  for (const char* name :
       {"pendulum", "branch4", "andrews", "bricard", "nfourbar:windows=2", "wishbone"}) {
    const Problem problem = MakeProblem(name);
    if (!Counts(Supports(method, problem.system, "dopri5"), finding)) continue;
    const IntegrationSettings settings{.integrator = "dopri5",
                                       .end_time = problem.end_time,
                                       .tolerance = 1e-6,
                                       .length = problem.length,
                                       .time = problem.time};
    const SystemState start = InitialState(problem);
    const std::vector<double> sampled =
        JudgeMotion(problem, nullptr, start, method, settings).report.end_state;
    if (Integrate(*Prepare(method, problem), start, settings).end_state == sampled) continue;
    finding.standing = Standing::kBroken;
    finding.reason = fmt::format("on '{}' it ends in a different state if it is sampled", name);
    return finding;
  }
  return finding;
}

}  // namespace

std::vector<Promise> MotionPromises() {
  std::vector<Promise> all;
  all.push_back({"energy", "changes the energy by the power that it gives",
                 "drift of energy less work", TryEnergy});
  for (const char* integrator : {"rk4", "dopri5", "fehlberg8"}) {
    all.push_back({std::string("order-") + integrator,
                   std::string("shows the order of ") + integrator + " on a pendulum",
                   "difference from the order", [integrator](const MethodChoice& method) {
                     return TryOrder(method, integrator);
                   }});
  }
  all.push_back({"projection", "closes loops and keeps what drivers hold when it projects",
                 "residual of the constraints", TryProjection});
  all.push_back(
      {"samples", "takes the same steps to the last bit with samples and without", "", TrySamples});
  return all;
}

}  // namespace mbsbench
