#include "harness/runner/plan/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

#include "harness/metrics/attainable.h"
#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/model/names.h"
#include "reference/closed_forms/closed_form.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// Tolerances of adaptive integration, coarse to fine.
std::vector<double> Tolerances(Tier tier) {
  switch (tier) {
    case Tier::kQuick: return {1e-5, 1e-8, 1e-11};
    case Tier::kFull: return {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13};
    case Tier::kDefault: break;
  }
  return {1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
}

// Fixed steps, coarse to fine, each rounded down to divide the sample interval; the step of the paper's own run is always
// included.
std::vector<double> Steps(const Problem& problem, const Selection& selection) {
  const std::size_t n = problem.fixed_steps.size();
  // Runs that do not ask for a ladder use an evenly thinned one that keeps both ends.
  const std::size_t most = selection.tier == Tier::kQuick                      ? 3
                           : selection.tier == Tier::kFull || selection.ladder ? n
                                                                               : 5;
  std::vector<double> steps;
  for (std::size_t k = 0; k < std::min(n, most); ++k) {
    steps.push_back(problem.fixed_steps[n <= most ? k : k * (n - 1) / (most - 1)]);
  }
  steps.push_back(problem.papers_step);
  for (double& h : steps) h = DividingStep(problem, h);
  std::sort(steps.rbegin(), steps.rend());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  std::erase_if(steps, [&](double h) { return h > problem.end_time; });
  return steps;
}

// Times the step of the paper, where a search over fixed steps starts: a coarse trial costs little and tells the step that is needed.
constexpr double kCoarseStart = 4;

// The steps that a search may try: down to an eighth of the finest one of the ladder.
std::vector<double> Divisors(const Problem& problem) {
  constexpr double kFiner = 8;
  const double finest = problem.fixed_steps.empty()
                            ? problem.papers_step
                            : *std::ranges::min_element(problem.fixed_steps);
  std::vector<double> steps = StepGrid(SampleInterval(problem), finest / kFiner);
  const auto most = static_cast<double>(IntegrationSettings{}.step_limit);
  std::erase_if(steps, [&](double step) { return problem.end_time / step > most; });
  return steps;
}

bool HasWildcard(const std::string& pattern) {
  return pattern.find_first_of("*?[") != std::string::npos;
}

// The names that the patterns select, in the order of `known`. Names without a wildcard are resolved by `resolve`, which throws
// if there is no such name.
template <typename Resolve>
std::vector<std::string> Select(const std::vector<std::string>& patterns,
                                const std::vector<std::string>& known, const char* what,
                                Resolve&& resolve) {
  if (patterns.empty()) return known;
  std::vector<std::string> selected;
  for (const std::string& pattern : patterns) {
    std::vector<std::string> matching;
    if (HasWildcard(pattern))
      std::ranges::copy_if(known, std::back_inserter(matching),
                           [&](const std::string& name) { return MatchesGlob(pattern, name); });
    else
      matching = {resolve(pattern)};
    if (matching.empty())
      throw ModelError(
          fmt::format("no {} matches '{}'.{}", what, pattern, Suggestion(pattern, known)));
    std::ranges::copy_if(matching, std::back_inserter(selected), [&](const std::string& name) {
      return std::ranges::count(selected, name) == 0;
    });
  }
  return selected;
}

// Names of the catalogue, and model files as given.
std::vector<std::string> SelectProblems(const Selection& selection) {
  return Select(selection.problems, AllInstances(), "problem", [](const std::string& name) {
    return ModelFileOf(name).empty() ? MakeProblem(name).name : name;
  });
}

std::vector<const IntegratorEntry*> SelectIntegrators(const Selection& selection) {
  std::vector<std::string> known;
  for (const IntegratorEntry& entry : AllIntegrators()) known.push_back(entry.key);
  const auto resolve = [&known](const std::string& key) {
    if (FindIntegrator(key) == nullptr)
      throw ModelError("there is no integrator '" + key + "'." + Suggestion(key, known));
    return key;
  };
  std::vector<const IntegratorEntry*> selected;
  for (const std::string& key : Select(selection.integrators, known, "integrator", resolve))
    selected.push_back(FindIntegrator(key));
  return selected;
}

// The targets of a problem and why others are left out. The error of the reference, or what the digits of the data allow, has to
// be far below a target.
void ChooseTargets(const Problem& problem, const Selection& selection, PlannedProblem& planned) {
  constexpr double kBelowTarget = 10;
  if (selection.tier == Tier::kQuick) return;
  const std::optional<Reference> reference = FindReference(extended::WithFewSamples(problem));
  if (!reference) {
    planned.why_no_targets = fmt::format(
        "'{}' has no reference, so that no error can be asked for: its cells have the targets as "
        "tolerances. 'mbsbench certify' "
        "makes a reference.",
        problem.name);
    return;
  }
  const double known = std::max(AttainableError(*reference).value_or(0), reference->error_estimate);
  std::vector<std::string> too_fine;
  for (double target : selection.targets) {
    if (target >= kBelowTarget * known)
      planned.targets.push_back(target);
    else
      too_fine.push_back(fmt::format("{:g}", target));
  }
  // First the middle one, then from coarse to fine.
  std::ranges::sort(planned.targets, std::greater<>());
  if (!planned.targets.empty()) {
    const auto first = planned.targets.begin() +
                       static_cast<std::ptrdiff_t>(NearestSetting(planned.targets, kFirstTarget));
    std::rotate(planned.targets.begin(), first, first + 1);
  }
  if (!too_fine.empty()) {
    planned.why_no_targets = fmt::format(
        "'{}': the error {} is not searched for, because its reference and data are certain to "
        "{:.1e} only.",
        problem.name, fmt::join(too_fine, ", "), known);
  }
}

// A variant whose errors a claim of reports/data/claims.json compares with those of a default variant at equal fixed steps, and the
// problems on which the default run judges these steps. It times none of them.
constexpr const char *kKeyOfClaim = "lie-generalised-alpha", *kOptionsOfClaim = "index3,rho=0.538";
constexpr std::array kProblemsOfClaim{"heavytop", "pendulum", "branch4", "bricard"};

// The curves of one problem by one method and integrator.
std::vector<PlannedCurve> CurvesOf(const Problem& problem, const PlannedProblem& planned,
                                   const MethodChoice& method, const ChosenCurve& chosen,
                                   const Selection& selection) {
  const IntegratorEntry& integrator = chosen.integrator;
  const PlannedCurve curve{
      {problem.name, method.spec, integrator.key, {}, {}, problem.end_time, planned.model_file},
      false,
      chosen.without_running};
  std::vector<PlannedCurve> curves;
  if (integrator.form == Form::kAlgebraic) {
    PlannedCurve& steady = curves.emplace_back(curve);
    steady.cell.end_time.reset();
    steady.usual = *CompleteCell(problem, method, {.integrator = integrator.key}).tolerance;
    steady.ladder = {steady.usual};
    return curves;
  }
  const bool has_ladder = selection.ladder || selection.tier != Tier::kDefault;
  const bool is_searched = !planned.targets.empty() && !chosen.only_in_ladder;
  if (integrator.adaptive) {
    PlannedCurve& one = curves.emplace_back(curve);
    if (is_searched) one.grid = {ToleranceGrid()};
    if (has_ladder)
      one.ladder = Tolerances(selection.tier);
    else if (!is_searched)
      one.ladder = selection.targets;
  }
  if (integrator.fixed_step && (!integrator.adaptive || chosen.has_steps)) {
    PlannedCurve& one = curves.emplace_back(curve);
    one.by_steps = true;
    one.only_shows_order = chosen.has_steps && selection.tier != Tier::kFull;
    if (is_searched && !one.only_shows_order) {
      one.grid.settings = Divisors(problem);
      one.grid.start = NearestSetting(one.grid.settings, kCoarseStart * problem.papers_step);
      one.grid.order = integrator.order > 0 ? integrator.order : 1;
    }
    if (has_ladder || one.only_shows_order)
      one.ladder = Steps(problem, selection);
    else if (!is_searched)
      one.ladder = {DividingStep(problem, std::min(problem.papers_step, problem.end_time))};
  }
  for (PlannedCurve& one : curves) {
    std::ranges::sort(one.ladder, std::greater<>());
    const Cell wanted = CompleteCell(problem, method, {.integrator = integrator.key});
    const std::vector<double>& known = one.ladder.empty() ? one.grid.settings : one.ladder;
    if (known.empty()) continue;
    one.usual =
        known[NearestSetting(known, one.by_steps ? wanted.step.value_or(problem.papers_step)
                                                 : wanted.tolerance.value_or(kFirstTarget))];
  }
  std::erase_if(curves, [](const PlannedCurve& one) {
    return one.ladder.empty() && one.grid.settings.empty();
  });
  return curves;
}

// Marks which of `curves` by a method leads if the method `leads`, the first that runs with its default integrator, or the first
// that runs at all, and the curves whose errors are split.
void Mark(const Problem& problem, const MethodChoice& method, bool leads,
          const Selection& selection, std::span<PlannedCurve> curves) {
  const std::string by_default = DefaultIntegrator(method);
  PlannedCurve* chosen = nullptr;
  for (PlannedCurve& curve : curves) {
    if (curve.without_running.outcome != Outcome::kOk) continue;
    if (chosen == nullptr ||
        (curve.cell.integrator == by_default && chosen->cell.integrator != by_default))
      chosen = &curve;
    curve.is_split = (selection.budgets || selection.tier == Tier::kFull) &&
                     !problem.system.rope_flight && method.form() != Form::kAlgebraic;
  }
  if (chosen != nullptr) chosen->leads = leads;
}

}  // namespace

std::string_view TitleOf(Pass pass) {
  constexpr std::array<std::string_view, kPasses> kTitles{
      "single evaluations on the headline problems and long chains",
      "one target on the headline problems",
      "one cell on every other family of problems",
      "further rounds where verdicts are open",
      "the other targets on the headline problems",
      "other variants and integrators on the headline problems",
      "all other problems",
      "the ladder of tolerances and steps, and error budgets"};
  return kTitles.at(static_cast<std::size_t>(pass) - 1);
}

Cell PlannedCurve::At(double setting) const {
  Cell one = cell;
  (by_steps ? one.step : one.tolerance) = setting;
  return one;
}

SettingGrid PlannedCurve::GridFor(double target) const {
  SettingGrid from = grid;
  if (!by_steps) from.start = NearestSetting(grid.settings, target);
  return from;
}

double PlannedCurve::FirstSetting(double target) const {
  if (grid.settings.empty()) return usual;
  return grid.settings[GridFor(target).start];
}

std::int64_t PlannedProblem::Items() const {
  std::int64_t items = 0;
  for (const PlannedCurve& curve : curves) {
    if (curve.without_running.outcome != Outcome::kOk)
      ++items;
    else
      items += std::ssize(curve.ladder) + (curve.grid.settings.empty() ? 0 : std::ssize(targets));
  }
  return items;
}

const MethodChoice* PlannedProblem::MethodOf(const std::string& spec) const {
  const auto found = std::ranges::find(methods, spec, &MethodChoice::spec);
  return found == methods.end() ? nullptr : &*found;
}

bool MatchesGlob(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::vector<MethodChoice> SelectMethods(const std::vector<std::string>& globs,
                                        const std::vector<MethodEntry>& methods) {
  std::vector<std::string> known;
  for (const MethodEntry& entry : methods) {
    for (const MethodChoice& variant : VariantsOf(entry)) {
      known.push_back(variant.spec);
      for (const MethodChoice& other : OtherStabilisationsOf(variant)) known.push_back(other.spec);
    }
  }
  const auto resolve = [&methods](const std::string& spec) {
    return ChooseMethod(spec, methods).spec;
  };
  std::vector<MethodChoice> selected;
  for (const std::string& spec : Select(globs, known, "method", resolve))
    selected.push_back(ChooseMethod(spec, methods));
  return selected;
}

std::vector<PlannedProblem> MakePlan(const Selection& selection,
                                     const std::vector<MethodEntry>& methods) {
  const std::vector<MethodChoice> chosen = SelectMethods(selection.methods, methods);
  const std::vector<const IntegratorEntry*> integrators = SelectIntegrators(selection);
  std::vector<PlannedProblem> plan;
  const bool adds_claim = selection.tier == Tier::kDefault && selection.methods.empty() &&
                          selection.integrators.empty() && !selection.evaluations_only &&
                          std::ranges::count(methods, kKeyOfClaim, &MethodEntry::key) > 0;
  int left_out = 0;  // curves of larger runs
  for (const std::string& name : SelectProblems(selection)) {
    const Problem problem = LoadProblem(name);
    PlannedProblem planned;
    planned.name = problem.name;
    planned.model_file = ModelFileOf(name);
    planned.family = problem.name.substr(0, problem.name.find(':'));
    planned.bodies = problem.system.bodies.size();
    planned.length = problem.end_time / problem.time;
    planned.is_headline = !selection.problems.empty() || selection.tier == Tier::kQuick ||
                          std::ranges::count(HeadlineProblems(), problem.name) > 0;
    bool has_targets =
        false;  // they are chosen for the first curve, since a reference takes long to read
    ProblemPolicy policy(problem, !planned.model_file.empty(), chosen, integrators, selection);
    for (const MethodChoice& method : chosen) {
      const MethodPolicy answer = policy.Of(method);
      left_out += answer.in_larger_runs;
      const std::size_t first_curve = planned.curves.size();
      for (const ChosenCurve& curve : answer.curves) {
        if (!std::exchange(has_targets, true)) ChooseTargets(problem, selection, planned);
        std::ranges::move(CurvesOf(problem, planned, method, curve, selection),
                          std::back_inserter(planned.curves));
      }
      Mark(problem, method, answer.leads, selection,
           std::span(planned.curves).subspan(first_curve));
      if (!answer.is_in_run()) continue;
      planned.methods.push_back(method);
      if (answer.evaluation.outcome == Outcome::kOk)
        planned.evaluated.push_back(method);
      else
        planned.not_evaluated.emplace_back(method.spec, answer.evaluation);
    }
    if (adds_claim && planned.model_file.empty() &&
        std::ranges::count(kProblemsOfClaim, problem.name) > 0) {
      const MethodChoice method =
          ChooseMethod(fmt::format("{}:{}", kKeyOfClaim, kOptionsOfClaim), methods);
      std::ranges::move(CurvesOf(problem, planned, method, policy.StepsOf(method), selection),
                        std::back_inserter(planned.curves));
      planned.methods.push_back(method);
    }
    if (!planned.curves.empty() || !planned.evaluated.empty()) plan.push_back(std::move(planned));
  }
  if (plan.empty()) {
    throw ModelError(left_out > 0 ? "nothing is left to run: the cells selected belong to a larger "
                                    "run. Leave out --quick, or give --full."
                                  : "nothing is left to run: no problem, method and integrator "
                                    "selected fit together. 'mbsbench list' shows which do.");
  }
  return plan;
}

std::vector<std::string> NamedButLeftOut(const Selection& selection,
                                         const std::vector<PlannedProblem>& plan) {
  std::vector<std::string> sentences;
  for (const std::string& pattern : selection.problems) {
    if (HasWildcard(pattern)) continue;
    const std::string name = LoadProblem(pattern).name;
    if (std::any_of(plan.begin(), plan.end(), [&](const auto& p) { return p.name == name; }))
      continue;
    sentences.push_back(fmt::format(
        "'{}' is left out: its cells by the methods and integrators selected belong to a larger "
        "run than {}.",
        pattern, selection.tier == Tier::kQuick ? "--quick" : "this one ('--full' includes all)"));
  }
  return sentences;
}

}  // namespace mbsbench
