#include "harness/conform/tried_systems.h"

#include <fmt/format.h>

#include "harness/conform/smallest.h"
#include "harness/runner/trials/checked_observe.h"
#include "harness/support/support.h"
#include "problems/model/error.h"
#include "problems/model/worse.h"
#include "reference/system/no_accelerations.h"

namespace mbsbench {

namespace {

Deviation Measured(const Measure& measure, const MethodChoice& method, const TriedSystem& tried) {
  NowTrying(tried.name);
  try {
    return measure(method, tried);
  } catch (const NoAccelerations&) {
    throw;  // of the reference: there is no truth
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const ModelError& error) {
    return Fault(error.what());
  } catch (const std::exception& error) {
    return Fault(fmt::format("it throws: {}", error.what()));
  }
}

std::string Described(const TriedSystem& tried, const Deviation& d, double bound) {
  const std::size_t bodies = tried.system.bodies.size();
  std::string text =
      fmt::format("'{}' ({} {}): ", tried.name, bodies, bodies == 1 ? "body" : "bodies");
  if (!d.fault.empty()) return text + d.fault;
  if (!(d.acceleration <= bound))
    return text + fmt::format("{} {:.2g}{}", d.what, d.acceleration, d.unit);
  if (!(d.reaction <= bound))
    return text + fmt::format("reactions are off by {:.2g} of their size", d.reaction);
  if (!(d.imbalance <= bound))
    return text + fmt::format("loads and reactions do not balance, by {:.2g} of the reactions",
                              d.imbalance);
  return text + "a second try is right: the result depends on earlier evaluations";
}

}  // namespace

std::string FalselyNotUnique(const std::string& joint) {
  return fmt::format("it marks the reaction of joint '{}' as not unique, which it is", joint);
}

std::optional<Finding> WithoutMotion(const MethodChoice& method) {
  if (method.form() != Form::kAlgebraic) return std::nullopt;
  return NotApplicable("the method gives steady states, and no accelerations");
}

std::optional<Finding> WithoutTolerance(const MethodChoice& method) {
  if (std::optional<Finding> none = WithoutMotion(method)) return none;
  if (method.form() != Form::kTimeStepper) return std::nullopt;
  return NotApplicable("the method owns its step, and its error depends on the step's length");
}

Finding TryOnSystems(const MethodChoice& method, const TriedSystems& systems, double bound,
                     const Measure& measure) {
  if (const std::optional<Finding> none = WithoutMotion(method)) return *none;
  Finding finding{.bound = bound};
  const TriedSystem* smallest = nullptr;
  int broken = 0;
  bool smallest_is_fault = false;
  for (const TriedSystem& tried : systems) {
    if (!Counts(VerdictOf(*method.entry, tried.system, method.options), finding)) continue;
    const Deviation deviation = Measured(measure, method, tried);
    finding.figure =
        finding.tried == 1 ? deviation.worst() : Worse(finding.figure, deviation.worst());
    if (deviation.worst() <= bound) continue;
    ++broken;
    if (smallest != nullptr && tried.system.bodies.size() >= smallest->system.bodies.size())
      continue;
    smallest = &tried;
    smallest_is_fault = !deviation.fault.empty();
  }
  if (smallest != nullptr) {
    finding.standing = Standing::kBroken;
    const TriedSystem least = Smallest(*smallest, [&](const TriedSystem& less) {
      if (!VerdictOf(*method.entry, less.system, method.options).supported) return false;
      const Deviation deviation = Measured(measure, method, less);
      return deviation.fault.empty() != smallest_is_fault && !(deviation.worst() <= bound);
    });
    finding.model = ProblemOf(least);
    finding.reason = fmt::format("{} of {} systems; the smallest, {}", broken, finding.tried,
                                 Described(least, Measured(measure, method, least), bound));
  }
  return finding;
}

JudgedMotion JudgeMotion(const Problem& problem, const Reference* reference,
                         const SystemState& start, const MethodChoice& method,
                         IntegrationSettings settings) {
  NowTrying(problem.name);
  const std::unique_ptr<Formulation> formulation = Prepare(method, problem);
  AccuracyJudge judge(problem, reference, start.bodies);
  const bool with_reactions = reference != nullptr && !reference->joints.empty();
  Unobserved unobserved;
  std::optional<SingularSamples> singular;  // judged without their reactions, as in a run
  Sampling sampling;
  sampling.times = problem.sample_times;
  sampling.integrate_power = formulation->power() != nullptr;
  sampling.sink = [&](double t, std::span<const double> y, double work) {
    if (!unobserved.ok()) return;
    Observation observation;
    unobserved = {
        ObserveSample(*formulation, problem.system, t, y,
                      with_reactions ? Detail::kReactions : Detail::kMotion, observation, singular),
        y};
    if (unobserved.ok()) judge.Add(t, observation, work);
  };
  settings.end_time = problem.end_time;
  settings.length = problem.length;
  settings.time = problem.time;
  JudgedMotion motion;
  motion.report = Integrate(*formulation, start, settings, sampling);
  AddUnobserved(unobserved, motion.report);
  motion.accuracy = judge.Finish();
  return motion;
}

}  // namespace mbsbench
