#include "harness/runner/plan/plan.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "harness/runner/process/guarded_method.h"
#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

// Tolerances of adaptive integration, coarse to fine.
std::vector<double> Tolerances(Tier tier) {
  switch (tier) {
    case Tier::kQuick: return {1e-5, 1e-8, 1e-11};
    case Tier::kFull: return {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13};
    case Tier::kDefault:
    case Tier::kSkip: break;
  }
  return {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
}

// Fixed steps, coarse to fine, each rounded down to divide the sample interval; the step of the paper's own run is always
// included.
std::vector<double> Steps(const Problem& problem, Tier tier) {
  // Shorter runs use evenly thinned ladders that keep both ends.
  const std::size_t most = tier == Tier::kFull    ? problem.fixed_steps.size()
                           : tier == Tier::kQuick ? 3
                                                  : 4;
  std::vector<double> steps;
  const std::size_t n = problem.fixed_steps.size();
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
  const auto add = [&selected](const std::string& name) {
    if (std::find(selected.begin(), selected.end(), name) == selected.end())
      selected.push_back(name);
  };
  for (const std::string& pattern : patterns) {
    if (!HasWildcard(pattern)) {
      add(resolve(pattern));
      continue;
    }
    bool matched = false;
    for (const std::string& name : known) {
      if (!MatchesGlob(pattern, name)) continue;
      matched = true;
      add(name);
    }
    if (!matched)
      throw ModelError(
          fmt::format("no {} matches '{}'.{}", what, pattern, Suggestion(pattern, known)));
  }
  return selected;
}

// Names of the catalogue, and model files as given.
std::vector<std::string> SelectProblems(const Selection& selection) {
  std::vector<std::string> known;
  for (const ProblemFamily& family : AllProblems())
    known.insert(known.end(), family.instances.begin(), family.instances.end());
  return Select(selection.problems, known, "problem", [](const std::string& name) {
    return ModelFileOf(name).empty() ? MakeProblem(name).name : name;
  });
}

std::vector<MethodChoice> SelectMethods(const Selection& selection,
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
  for (const std::string& spec : Select(selection.methods, known, "method", resolve))
    selected.push_back(ChooseMethod(spec, methods));
  return selected;
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

void CheckTags(const Selection& selection) {
  static const std::vector<std::string> known{"planar",      "spatial", "conservative",
                                              "dissipative", "tree",    "loops",
                                              "quick",       "default", "full"};
  for (const std::string& tag : selection.tags) {
    if (std::find(known.begin(), known.end(), tag) == known.end())
      throw ModelError("there is no tag '" + tag + "'." + Suggestion(tag, known));
  }
}

bool CarriesAll(const Problem& problem, const std::vector<std::string>& tags) {
  const std::vector<std::string> mine = TagsOf(problem);
  return std::all_of(tags.begin(), tags.end(), [&mine](const std::string& tag) {
    return std::find(mine.begin(), mine.end(), tag) != mine.end();
  });
}

// Cells of one problem by one method and integrator, coarse to fine.
std::vector<PlannedCell> Ladder(const Problem& problem, const std::string& model_file,
                                const MethodChoice& method, const IntegratorEntry& integrator,
                                Tier tier, const Ending& without_running) {
  std::vector<PlannedCell> cells;
  const Cell cell{problem.name, method.spec, integrator.key, {}, {}, problem.end_time, model_file};
  if (integrator.form == Form::kAlgebraic) {
    cells.push_back({CompleteCell(problem, method, {.integrator = integrator.key}, model_file),
                     without_running});
    return cells;
  }
  if (integrator.adaptive) {
    for (double tolerance : Tolerances(tier)) {
      PlannedCell& planned = cells.emplace_back(PlannedCell{cell, without_running});
      planned.cell.tolerance = tolerance;
    }
  }
  // An integrator with both kinds of steps uses fixed steps in the full run only.
  if (integrator.fixed_step && (!integrator.adaptive || tier == Tier::kFull)) {
    for (double step : Steps(problem, tier)) {
      PlannedCell& planned = cells.emplace_back(PlannedCell{cell, without_running});
      planned.cell.step = step;
    }
  }
  return cells;
}

// Verdicts on one problem, or failures to give one. Each method is evaluated once.
class Verdicts {
 public:
  explicit Verdicts(const Problem& problem) : problem_(problem) {}

  Ending Of(const MethodChoice& method, const std::string& integrator) {
    const auto [asked, is_new] = of_methods_.try_emplace(method.spec);
    Ending& ending = asked->second;
    if (is_new) ending = SupportOf(*method.entry, problem_.system, method.options);
    if (ending.outcome != Outcome::kOk) return ending;
    const Verdict verdict = GoesWith(method, problem_.system, integrator);
    return verdict.supported ? Ending{} : Ending{Outcome::kUnsupported, verdict.reason};
  }

 private:
  const Problem& problem_;
  std::map<std::string, Ending> of_methods_;  // by spec
};

// Distance in decades between a cell with a fixed step and a cell with a tolerance: more than between cells of one kind.
constexpr double kOtherKindOfStep = 100;

// If the cells of a problem belong to a larger run, some methods are only evaluated up to a size: methods whose cost grows
// faster than the number of bodies, and engines, which build large systems slowly. The limit is that of methods of cubic cost,
// and for other powers the size with as much work. It corresponds to seconds, or to a minute if only evaluations are requested.
constexpr double kCubic = 3, kMostBodiesCubic = 500,
                 kMostBodiesAskedFor = 1023;  // the tree measured with chains of 1,000

// Likewise for variants that give only residuals, if another variant of the method gives accelerations: the sparse Jacobian of
// 100,000 bodies takes ten seconds.
constexpr double kMostBodiesOfResiduals = 20000;

bool GivesResiduals(const MethodChoice& method) {
  const MethodEntry& entry = *method.entry;
  const auto gives_accelerations = [&entry](const MethodOption& option) {
    return option.group == kVariantGroup && option.form.value_or(entry.form) == Form::kOde;
  };
  return FormOf(entry, method.options) == Form::kDae &&
         std::any_of(entry.options.begin(), entry.options.end(), gives_accelerations);
}

// Why a method is not evaluated on a problem whose cells belong to a larger run; ok if it is.
Ending EvaluatedAlone(const MethodChoice& method, const Problem& problem,
                      const Selection& selection) {
  const auto bodies = static_cast<double>(problem.system.bodies.size());
  const double growth = method.cost_exponent();
  const bool is_engine = method.entry->origin == Origin::kEngine;
  const double most = selection.evaluations_only ? kMostBodiesAskedFor : kMostBodiesCubic;
  if (selection.tier == Tier::kFull) return {};
  const auto wait = [](const std::string& why, double above) {
    return Ending{Outcome::kSkipped,
                  fmt::format("{}: above {:g} bodies in the full run only", why, above)};
  };
  const double most_by_growth = std::floor(std::pow(most, kCubic / growth));
  if (growth > 1 && bodies > most_by_growth) {
    return wait(fmt::format("its cost grows with the power {:g} of the bodies", growth),
                most_by_growth);
  }
  if (is_engine && bodies > most) return wait("an engine builds large systems slowly", most);
  if (!selection.evaluations_only && bodies > kMostBodiesOfResiduals && GivesResiduals(method))
    return wait("another variant gives the accelerations", kMostBodiesOfResiduals);
  return {};
}

// Engines are compared with the methods and confirm their results. Their evaluations belong to every run. Their motions belong
// to the default run for dopri5 and their own integrator, and to the full run for other integrators and for large systems,
// whose cost their evaluations already show: above tens of bodies for methods of cubic cost, above hundreds otherwise.
Tier TierForEngine(const MethodChoice& engine, const Problem& problem, std::string_view integrator,
                   Tier tier) {
  constexpr std::size_t kLargestCubic = 60, kLargestLinear = 200;
  const bool usual = integrator == "dopri5" || integrator == "own";
  const std::size_t largest = engine.cost_exponent() > 1 ? kLargestCubic : kLargestLinear;
  const bool is_large = problem.system.bodies.size() > largest;
  return std::max(tier, usual && !is_large ? Tier::kDefault : Tier::kFull);
}

// Whether the same variant with the default stabilisation is chosen too.
bool DefaultIsChosen(const MethodChoice& method, const std::vector<MethodChoice>& chosen) {
  const MethodChoice plain = WithDefaultStabilisation(method);
  return plain.spec != method.spec &&
         std::ranges::find(chosen, plain.spec, &MethodChoice::spec) != chosen.end();
}

// A stabilisation matters only to a variant that closes loops. Elsewhere its cells would repeat those of the default
// stabilisation.
bool IsDuplicate(const MethodChoice& method, const Problem& problem, Verdicts& verdicts,
                 const std::vector<MethodChoice>& chosen) {
  return DefaultIsChosen(method, chosen) &&
         (problem.system.loop_joints.empty() ||
          verdicts.Of(WithDefaultStabilisation(method), "").outcome != Outcome::kOk);
}

// Distance of a cell from the cell that `solve` would choose, in decades.
double DecadesFrom(const Cell& wanted, const Cell& cell) {
  if (cell.integrator != wanted.integrator) return INFINITY;
  if (cell.tolerance && wanted.tolerance)
    return std::abs(std::log10(*cell.tolerance / *wanted.tolerance));
  if (cell.step && wanted.step) return std::abs(std::log10(*cell.step / *wanted.step));
  return cell.tolerance || cell.step ? kOtherKindOfStep : 0;
}

// Assigns passes to the ladders of one method on a problem. The first curve has the default integrator of the method, or the
// first other integrator if the default one is not chosen or is refused.
void AssignPasses(const Problem& problem, const MethodChoice& method,
                  std::span<std::vector<PlannedCell>> ladders) {
  const auto runs = [](const std::vector<PlannedCell>& ladder) {
    return !ladder.empty() && ladder[0].without_running.outcome == Outcome::kOk;
  };
  const std::string by_default = DefaultIntegrator(method);
  const std::vector<PlannedCell>* chosen = nullptr;
  for (const auto& ladder : ladders) {
    if (!runs(ladder)) continue;
    if (chosen == nullptr || ladder[0].cell.integrator == by_default) chosen = &ladder;
  }
  const std::string integrator = chosen ? chosen->front().cell.integrator : by_default;
  const Cell wanted = CompleteCell(problem, method, {.integrator = integrator});
  PlannedCell* first = nullptr;
  for (auto& ladder : ladders) {
    for (PlannedCell& planned : ladder) {
      planned.pass = planned.cell.integrator == integrator ? Pass::kCurves : Pass::kIntegrators;
      if (planned.pass == Pass::kCurves &&
          (first == nullptr ||
           DecadesFrom(wanted, planned.cell) < DecadesFrom(wanted, first->cell)))
        first = &planned;
    }
  }
  if (first != nullptr) first->pass = Pass::kOnce;
}

// Chooses the cell of a curve whose error is split: the one nearest to the choice of `solve`.
void ChooseSplit(const Problem& problem, const MethodChoice& method,
                 std::vector<PlannedCell>& ladder) {
  if (ladder.empty() || ladder[0].without_running.outcome != Outcome::kOk) return;
  if (problem.system.rope_flight || method.form() == Form::kAlgebraic) return;
  const Cell wanted = CompleteCell(problem, method, {.integrator = ladder[0].cell.integrator});
  const auto distance = [&wanted](const PlannedCell& planned) {
    return DecadesFrom(wanted, planned.cell);
  };
  std::ranges::min_element(ladder, {}, distance)->is_split = true;
}

// The coarsest cells of all ladders come first, so that a cell's coarser neighbour predicts its cost.
std::vector<PlannedCell> Interleave(const std::vector<std::vector<PlannedCell>>& ladders) {
  std::vector<PlannedCell> cells;
  std::vector<int> last(ladders.size(), -1);
  std::size_t longest = 0;
  for (const auto& ladder : ladders) longest = std::max(longest, ladder.size());
  for (std::size_t rung = 0; rung < longest; ++rung) {
    for (std::size_t l = 0; l < ladders.size(); ++l) {
      if (rung >= ladders[l].size()) continue;
      PlannedCell& planned = cells.emplace_back(ladders[l][rung]);
      const bool same_kind =
          rung > 0 && ladders[l][rung - 1].cell.step.has_value() == planned.cell.step.has_value();
      planned.coarser = same_kind ? last[l] : -1;
      last[l] = static_cast<int>(cells.size()) - 1;
    }
  }
  return cells;
}

bool Matches(const TierRule& rule, const std::string& method, const std::string& integrator) {
  return MatchesGlob(rule.method, method) && MatchesGlob(rule.integrator, integrator);
}

// Cells that are never run are listed in the run that they would otherwise belong to, but not in a quick run, where they would
// outnumber the others.
Tier TierOfSkipped(const Problem& problem, const std::string& method,
                   const std::string& integrator) {
  for (const TierRule& rule : problem.tiers) {
    if (rule.tier != Tier::kSkip && Matches(rule, method, integrator))
      return std::max(rule.tier, Tier::kDefault);
  }
  return Tier::kDefault;
}

}  // namespace

std::string_view TitleOf(Pass pass) {
  switch (pass) {
    case Pass::kOnce: return "every method on every problem once";
    case Pass::kCurves: return "the curves of the default integrators";
    case Pass::kIntegrators: return "the other integrators";
    case Pass::kDepth: return "further rounds, and long cells";
  }
  return "";
}

const MethodChoice* PlannedProblem::MethodOf(const std::string& spec) const {
  const auto found = std::ranges::find(methods, spec, &MethodChoice::spec);
  return found == methods.end() ? nullptr : &*found;
}

bool MatchesGlob(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

TierVerdict TierOf(const Problem& problem, const std::string& method,
                   const std::string& integrator) {
  for (const TierRule& rule : problem.tiers) {
    if (Matches(rule, method, integrator)) return {rule.tier, rule.reason};
  }
  return {};
}

std::vector<std::string> TagsOf(const Problem& problem) {
  std::vector<std::string> tags{problem.planar ? "planar" : "spatial",
                                problem.conservative ? "conservative" : "dissipative",
                                problem.system.loop_joints.empty() ? "tree" : "loops"};
  std::set<Tier> tiers;
  for (const TierRule& rule : problem.tiers) tiers.insert(rule.tier);
  for (Tier tier : tiers) {
    if (tier != Tier::kSkip) tags.emplace_back(Name(tier));
  }
  return tags;
}

std::vector<PlannedProblem> MakePlan(const Selection& selection,
                                     const std::vector<MethodEntry>& methods) {
  CheckTags(selection);
  const std::vector<MethodChoice> chosen = SelectMethods(selection, methods);
  const std::vector<const IntegratorEntry*> integrators = SelectIntegrators(selection);
  std::vector<PlannedProblem> plan;
  std::size_t left_out = 0;  // by tier
  for (const std::string& name : SelectProblems(selection)) {
    const Problem problem = LoadProblem(name);
    if (!CarriesAll(problem, selection.tags)) continue;
    PlannedProblem planned;
    planned.name = problem.name;
    planned.model_file = ModelFileOf(name);
    planned.family = problem.name.substr(0, problem.name.find(':'));
    planned.bodies = problem.system.bodies.size();
    Verdicts verdicts(problem);
    std::vector<std::vector<PlannedCell>> ladders;
    for (const MethodChoice& method : chosen) {
      if (IsDuplicate(method, problem, verdicts, chosen)) continue;
      bool has_cells = false, has_integrator = false, witnesses = false;
      const std::size_t first_ladder = ladders.size();
      for (const IntegratorEntry* known : integrators) {
        const std::optional<IntegratorEntry> integrator = IntegratorFor(method, *known);
        if (!integrator) continue;
        has_integrator = true;
        TierVerdict verdict = TierOf(problem, method.spec, integrator->key);
        // A model file without tiers is in the quick run too, with the default integrators.
        if (!planned.model_file.empty() && problem.tiers.empty() &&
            integrator->key == DefaultIntegrator(method)) {
          verdict.tier = Tier::kQuick;
        }
        if (method.entry->origin == Origin::kEngine) {
          witnesses = witnesses || verdict.tier <= selection.tier;
          verdict.tier = TierForEngine(method, problem, integrator->key, verdict.tier);
        }
        const Tier from = verdict.tier == Tier::kSkip
                              ? TierOfSkipped(problem, method.spec, integrator->key)
                              : verdict.tier;
        if (selection.evaluations_only) continue;
        if (from > selection.tier) {
          ++left_out;
          continue;
        }
        const Ending support = verdicts.Of(method, integrator->key);
        const Ending ending = support.outcome != Outcome::kOk ? support
                              : verdict.tier == Tier::kSkip
                                  ? Ending{Outcome::kSkipped, verdict.reason}
                                  : Ending{};
        ladders.push_back(
            Ladder(problem, planned.model_file, method, *integrator, selection.tier, ending));
        if (selection.budgets || selection.tier == Tier::kFull)
          ChooseSplit(problem, method, ladders.back());
        has_cells = true;
      }
      if (has_cells) AssignPasses(problem, method, std::span(ladders).subspan(first_ladder));
      const bool alone =
          // Stabilisations differ in what they do outside an evaluation.
          !has_cells && has_integrator && !DefaultIsChosen(method, chosen) &&
          (selection.evaluations_only || witnesses || problem.evaluations <= selection.tier);
      if (!has_cells && !alone) continue;
      planned.methods.push_back(method);
      const Ending support = verdicts.Of(method, "");
      const Ending ending = support.outcome != Outcome::kOk || has_cells
                                ? support
                                : EvaluatedAlone(method, problem, selection);
      if (ending.outcome == Outcome::kOk)
        planned.evaluated.push_back(method);
      else
        planned.not_evaluated.emplace_back(method.spec, ending);
    }
    planned.cells = Interleave(ladders);
    if (!planned.cells.empty() || !planned.evaluated.empty()) plan.push_back(std::move(planned));
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
        "run than {}, or it does not carry the tags.",
        pattern, selection.tier == Tier::kQuick ? "--quick" : "this one ('--full' includes all)"));
  }
  return sentences;
}

}  // namespace mbsbench
