#include "harness/runner/plan/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "harness/records/untried_limits.h"
#include "harness/runner/cells/cell.h"
#include "harness/runner/plan/quick_cells.h"
#include "harness/runner/process/guarded_method.h"
#include "harness/runner/process/timing_core.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {

namespace {

template <class Range>
bool Contains(const Range& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Problems on which the question is how fast an unstabilised loop drifts: the default run compares the stabilisations.
constexpr std::array kOfDrift{"fourbar", "fourbar:end=1000"};

// The community's problems for diagrams of work over error: their ladders have every variant, and the default ones by every
// explicit integrator. What a run without a ladder leaves out is not searched for errors either.
constexpr std::array kShowpieces{"andrews", "caraxis"};

// Problems on which explicit steps are limited by stability: the default run includes BDF for ODEs.
constexpr std::array kStiff{"flyball", "wishbone:tyre=100"};

// Thousands of turns, a thousand stiff joints, or steps of microseconds.
constexpr std::array kTakeMinutes{"gimbal:spin=5000", "cable1000:tip=100",
                                  "fourbar-bushing:k=1e8,c=1000"};

// Motions by time steppers take three quarters of all accuracy trials: the default run shows them on the problems that it covers
// most, and on single bodies, whose turns are what they differ in.
bool IsOfSteppers(const Problem& problem) {
  return Contains(HeadlineProblems(), problem.name) || Contains(kStiff, problem.name) ||
         (problem.system.bodies.size() == 1 && !problem.system.rope_flight);
}

// On one large tree the default run shows what time steppers of fixed steps need for many bodies.
bool ShowsManyBodies(const Problem& problem) { return problem.name == "branchN:bodies=500"; }

// A motion of thousands of characteristic times costs seconds by the cheapest methods and minutes by others.
bool IsLong(const Problem& problem) { return problem.end_time > 1000 * problem.time; }

bool StatesAccuracy(const Problem& problem) {
  return problem.accuracy_required_ode > 0 || problem.accuracy_required_dae > 0;
}

bool IsEngine(const MethodChoice& method) { return method.entry->origin == Origin::kEngine; }

// Multistep integrators of ODEs have a variable order.
bool IsMultistep(const IntegratorEntry& integrator) {
  return integrator.form == Form::kOde && integrator.order == 0;
}

// The number of bodies for which a cost that grows with this power is that of `cubic` bodies at the power 3.
double MostBodies(double cubic, double growth) { return std::floor(std::pow(cubic, 3 / growth)); }

// Motions of more bodies are left to the full run: one evaluation already shows the cost. The limit for methods of cubic cost
// holds for other powers at equal work. Engines build and evaluate large systems slowly. A time stepper of fixed steps takes many
// small ones, and most solve nonlinear equations of all bodies at each: only ShowsManyBodies has more.
constexpr double kMostBodiesCubic = 60, kMostBodiesOfEngine = 250, kMostBodiesOfStepper = 12;
// For instances of a family that are not listed.
constexpr double kMostBodiesUnlisted = 1000;

// Evaluations of more bodies are left to the full run where the motions are: seconds each, or a minute if the user asks for
// evaluations only. Time steppers wait above a size, and variants that give only residuals if another variant of the method gives
// accelerations: a step or the sparse Jacobian of 100,000 bodies takes ten seconds.
constexpr double kMostEvaluatedCubic = 500,
                 kMostEvaluatedAskedFor = 1023,  // the tree measured with chains of 1,000
    kMostEvaluatedSparse = 20000;

bool GivesOnlyResiduals(const MethodChoice& method) {
  const MethodEntry& entry = *method.entry;
  const auto gives_accelerations = [&entry](const MethodOption& option) {
    return option.group == kVariantGroup && option.form.value_or(entry.form) == Form::kOde;
  };
  return method.form() == Form::kDae && std::ranges::any_of(entry.options, gives_accelerations);
}

// The family of the catalogue; null: of a plug-in, or unknown.
const ProblemFamily* FamilyOf(const Problem& problem) {
  const std::string name = problem.name.substr(0, problem.name.find(':'));
  const auto& all = AllProblems();
  const auto found = std::ranges::find(all, name, &ProblemFamily::name);
  return found == all.end() || !found->plugin.empty() ? nullptr : &*found;
}

// Whether an instance has the bodies and loops of the smallest one of its family: an evaluation shows nothing new.
bool HasSizeOfSmallest(const Problem& problem, const ProblemFamily& family) {
  const System smallest = MakeProblem(family.instances.front()).system;
  return problem.system.bodies.size() == smallest.bodies.size() &&
         problem.system.loop_joints.size() == smallest.loop_joints.size();
}

}  // namespace

const std::vector<std::string>& HeadlineProblems() {
  static const std::vector<std::string> problems{
      "branch4",             // small plane tree
      "tree12",              // small spatial tree
      "chainN3d:bodies=10",  // spatial chain
      "branchN:bodies=500",  // large tree
      "fourbar",             // small plane loop
      "bricard",             // spatial loop with redundant constraints
      "andrews",             // several loops
      "mixed250",            // large tree with a loop
      "wishbone",            // car suspension
      "caraxis",             // driven tree
      "governor:damped",     // driven loops with damping, and their steady state
      "rocket:links=4",      // a system that changes
  };
  return problems;
}

ProblemPolicy::ProblemPolicy(const Problem& problem, bool is_from_file,
                             const std::vector<MethodChoice>& chosen,
                             const std::vector<const IntegratorEntry*>& integrators,
                             const Selection& selection)
    : problem_(problem),
      is_users_(is_from_file || FamilyOf(problem) == nullptr),
      chosen_(chosen),
      integrators_(integrators),
      selection_(selection) {
  of_problem_ = PlacementOfProblem();
  is_evaluated_by_default_ = of_problem_.only_in_full.empty() || is_users_ ||
                             !HasSizeOfSmallest(problem, *FamilyOf(problem));
}

Ending ProblemPolicy::VerdictOn(const MethodChoice& method) {
  const auto [asked, is_new] = verdicts_.try_emplace(method.spec);
  if (!is_new) return asked->second;
  asked->second = SupportOf(*method.entry, problem_.system, method.options);
  const auto processors = std::ssize(UsableProcessors());
  if (asked->second.outcome == Outcome::kOk && method.threads() > processors) {
    asked->second = {Outcome::kSkipped,
                     fmt::format("its {} threads need a processor each, and this run may use {}",
                                 method.threads(), processors)};
  }
  return asked->second;
}

bool ProblemPolicy::IsShown() const {
  return selection_.ladder && Contains(kShowpieces, problem_.name);
}

// By fixed steps in the default run, of an integrator that has step control too: of time steppers, and on showpieces.
bool ProblemPolicy::ShowsOrder(const MethodChoice& method, const IntegratorEntry& integrator) {
  return selection_.tier == Tier::kDefault && method.spec == LeaderOf(*method.entry) &&
         !IsEngine(method) && integrator.adaptive && integrator.key == DefaultIntegrator(method) &&
         (method.form() == Form::kTimeStepper || IsShown());
}

// The spec of the choice that represents a method on the problem: the default one, or the first other one that takes the problem
// if the default one does not or is not chosen.
const std::string& ProblemPolicy::LeaderOf(const MethodEntry& method) {
  const auto [leader, is_new] = leaders_.try_emplace(&method);
  std::string& spec = leader->second;
  if (!is_new) return spec;
  std::string refused;  // the one that says why none takes it
  for (const MethodChoice& choice : chosen_) {
    if (choice.entry != &method || DefaultIsChosen(choice)) continue;
    const bool is_default = IsDefaultVariant(choice);
    if (refused.empty() || is_default) refused = choice.spec;
    if ((spec.empty() || is_default) && VerdictOn(choice).outcome == Outcome::kOk)
      spec = choice.spec;
  }
  if (spec.empty()) spec = refused;
  return spec;
}

// Whether the same variant with the default stabilisation is chosen too.
bool ProblemPolicy::DefaultIsChosen(const MethodChoice& method) const {
  const MethodChoice plain = WithDefaultStabilisation(method);
  return plain.spec != method.spec &&
         std::ranges::find(chosen_, plain.spec, &MethodChoice::spec) != chosen_.end();
}

// A stabilisation matters only to a variant that closes loops. Elsewhere its cells would repeat those of the default
// stabilisation.
bool ProblemPolicy::RepeatsDefault(const MethodChoice& method) {
  return DefaultIsChosen(method) &&
         (problem_.system.loop_joints.empty() ||
          VerdictOn(WithDefaultStabilisation(method)).outcome != Outcome::kOk);
}

// The integrators of the default run, the one that comes first first.
std::vector<std::string> ProblemPolicy::UsualIntegrators(const MethodChoice& method) const {
  const bool is_ode = method.form() == Form::kOde;
  if (is_ode && !is_users_ && IsLong(problem_)) return {"rk4"};
  std::vector<std::string> usual{DefaultIntegrator(method)};
  if (IsEngine(method)) usual.emplace_back("own");
  if (is_ode && Contains(kStiff, problem_.name)) usual.emplace_back("cvode-bdf");
  return usual;
}

ProblemPolicy::Placement ProblemPolicy::PlacementOfProblem() const {
  if (is_users_) return {};
  if (Contains(kTakeMinutes, problem_.name)) return {.only_in_full = "motions that take minutes"};
  if (StatesAccuracy(problem_)) return {};
  if (!problem_.system.drivers.empty())
    return {.never = "the problem asks for the steady state only"};
  const ProblemFamily& family = *FamilyOf(problem_);
  if (!Contains(family.instances, problem_.name)) {
    if (Bodies() <= kMostBodiesUnlisted) return {};
    return {.only_in_full = fmt::format("motions of more than {:g} bodies", kMostBodiesUnlisted)};
  }
  if (problem_.name == family.instances.front() || IsLong(problem_)) return {};
  return {.only_in_full = "motions whose accuracy is not stated"};
}

std::string ProblemPolicy::TooMuch(const MethodChoice& method,
                                   const IntegratorEntry& integrator) const {
  const auto above = [](const std::string& why, double most) {
    return fmt::format("{}: motions of more than {:g} bodies", why, most);
  };
  const double growth = method.cost_exponent();
  const double most = growth > 1 ? MostBodies(kMostBodiesCubic, growth) : INFINITY;
  if (Bodies() > most)
    return above(fmt::format("its cost grows with the power {:g} of the bodies", growth), most);
  if (IsEngine(method) && Bodies() > kMostBodiesOfEngine)
    return above("an engine computes large systems slowly", kMostBodiesOfEngine);
  if (method.form() == Form::kTimeStepper && !integrator.adaptive &&
      Bodies() > kMostBodiesOfStepper && !ShowsManyBodies(problem_))
    return above("a time stepper of fixed steps takes many small ones", kMostBodiesOfStepper);
  if (is_users_) return {};
  if (method.form() == Form::kTimeStepper && selection_.methods.empty() && !IsOfSteppers(problem_))
    return "a time stepper takes many small steps: further problems";
  if (!IsLong(problem_)) return {};
  if (method.form() != Form::kOde || growth > 1 || IsEngine(method))
    return "a long motion by this method takes minutes";
  return {};
}

ProblemPolicy::Placement ProblemPolicy::PlacementOf(const MethodChoice& method,
                                                    const IntegratorEntry& integrator) {
  if (integrator.form == Form::kAlgebraic) return {};  // a steady state is no motion
  Placement placement = of_problem_;
  const auto raise = [&placement](const std::string& why) {
    if (placement.only_in_full.empty()) placement.only_in_full = why;
  };
  raise(TooMuch(method, integrator));
  const std::string plain = WithDefaultStabilisation(method).spec;
  const bool by_default = integrator.key == DefaultIntegrator(method);
  constexpr std::array kShown{"rk4", "dopri5", "fehlberg8", "cvode-adams"};
  const auto leave = [&](const std::string& what, bool is_shown) {
    if (IsShown() && is_shown)
      placement.only_in_ladder = true;
    else
      raise(what);
  };
  if (selection_.methods.empty() && !is_users_) {
    if (plain != LeaderOf(*method.entry)) leave("other variants of a method", by_default);
    if (plain != method.spec && !Contains(kOfDrift, problem_.name))
      leave("other stabilisations", by_default);
  }
  if (selection_.integrators.empty() && !Contains(UsualIntegrators(method), integrator.key))
    leave("other integrators", !IsEngine(method) && Contains(kShown, integrator.key));
  // Low orders take minutes for the finest target.
  if (IsShown() && method.form() == Form::kTimeStepper) placement.only_in_ladder = true;
  if (problem_.system.rope_flight && IsMultistep(integrator))
    placement.never = "multistep integrators are not restarted at events here";
  return placement;
}

bool ProblemPolicy::IsInRun(const MethodChoice& method, const IntegratorEntry& integrator,
                            const Placement& placement) const {
  if (selection_.tier == Tier::kFull) return true;
  if (selection_.tier == Tier::kDefault) return placement.only_in_full.empty();
  if (IsEngine(method)) return false;  // only evaluated
  return is_users_ ? integrator.key == DefaultIntegrator(method)
                   : IsQuick(problem_.name, method.spec, integrator.key);
}

// The default run evaluates variants that it does not integrate only where a comparison begins and, of equations rather than
// schemes, where the bodies grow.
bool ProblemPolicy::EvaluatesVariantsOf(const MethodChoice& method) const {
  return selection_.tier == Tier::kFull || !selection_.methods.empty() || is_users_ ||
         Contains(HeadlineProblems(), problem_.name) ||
         (method.form() != Form::kTimeStepper &&
          problem_.name.find(":bodies=") != std::string::npos);
}

// Why a method is not evaluated on a problem whose motions belong to a larger run; ok: it is.
Ending ProblemPolicy::Evaluation(const MethodChoice& method) const {
  if (selection_.tier == Tier::kFull) return {};
  const double growth = method.cost_exponent();
  const double most = selection_.evaluations_only ? kMostEvaluatedAskedFor : kMostEvaluatedCubic;
  const auto wait = [](const std::string& why, double above) {
    return Ending{Outcome::kSkipped,
                  fmt::format("{}: above {:g} bodies in the full run only", why, above)};
  };
  if (growth > 1 && Bodies() > MostBodies(most, growth)) {
    return wait(fmt::format("its cost grows with the power {:g} of the bodies", growth),
                MostBodies(most, growth));
  }
  const double most_of_engine = selection_.evaluations_only ? most : kMostBodiesOfEngine;
  if (IsEngine(method) && Bodies() > most_of_engine)
    return wait("an engine builds large systems slowly", most_of_engine);
  if (selection_.evaluations_only || Bodies() <= kMostEvaluatedSparse) return {};
  if (GivesOnlyResiduals(method))
    return wait("another variant gives the accelerations", kMostEvaluatedSparse);
  if (method.form() == Form::kTimeStepper)
    return wait("a step of a large system takes seconds", kMostEvaluatedSparse);
  return {};
}

ChosenCurve ProblemPolicy::StepsOf(const MethodChoice& method) {
  return {.integrator = *IntegratorFor(method, *FindIntegrator("own")),
          .without_running = VerdictOn(method),
          .has_steps = true};
}

MethodPolicy ProblemPolicy::Of(const MethodChoice& method) {
  MethodPolicy policy;
  if (RepeatsDefault(method)) return policy;
  policy.leads = method.spec == LeaderOf(*method.entry);
  bool has_integrator = false, quick_shows_it = false;
  const std::string first = UsualIntegrators(method).front();
  for (const IntegratorEntry* known : integrators_) {
    const std::optional<IntegratorEntry> integrator = IntegratorFor(method, *known);
    if (!integrator) continue;
    has_integrator = true;
    quick_shows_it |= is_users_ || IsQuick(problem_.name, method.spec, integrator->key);
    if (selection_.evaluations_only) continue;
    const Placement placement = PlacementOf(method, *integrator);
    ChosenCurve curve{.integrator = *integrator, .only_in_ladder = placement.only_in_ladder};
    // The default run says why a method is not integrated on a problem.
    const bool says_why = selection_.tier == Tier::kDefault && of_problem_.only_in_full.empty() &&
                          policy.leads && integrator->key == first;
    const bool is_in_run = IsInRun(method, *integrator, placement);
    if (!is_in_run && !says_why) {
      ++policy.in_larger_runs;
      continue;
    }
    curve.without_running = VerdictOn(method);
    const Verdict goes = GoesWith(method, problem_.system, integrator->key);
    if (curve.without_running.outcome == Outcome::kOk && !goes.supported)
      curve.without_running = {Outcome::kUnsupported, goes.reason};
    if (curve.without_running.outcome == Outcome::kOk) {
      if (!placement.never.empty())
        curve.without_running = {Outcome::kSkipped, placement.never};
      else if (!is_in_run)
        curve.without_running = {Outcome::kSkipped,
                                 placement.only_in_full + ", in the full run only"};
    }
    curve.has_steps =
        selection_.tier == Tier::kFull ||
        (curve.without_running.outcome == Outcome::kOk && ShowsOrder(method, *integrator));
    policy.curves.push_back(curve);
  }
  const bool has_curves = !policy.curves.empty();
  const bool alone =
      selection_.evaluations_only ||
      (selection_.tier == Tier::kQuick
           ? IsEngine(method) && quick_shows_it && Keeps(kTimes, LimitsOf(method))
           : is_evaluated_by_default_ && (policy.leads || EvaluatesVariantsOf(method)));
  // Stabilisations differ in what they do outside an evaluation.
  policy.is_evaluated = has_curves || (alone && has_integrator && !DefaultIsChosen(method));
  if (policy.is_evaluated) {
    policy.evaluation = VerdictOn(method);
    const bool is_run = std::ranges::any_of(policy.curves, [](const ChosenCurve& curve) {
      return curve.without_running.outcome != Outcome::kSkipped;
    });
    if (policy.evaluation.outcome == Outcome::kOk && !is_run)
      policy.evaluation = Evaluation(method);
  }
  return policy;
}

}  // namespace mbsbench
