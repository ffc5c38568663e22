#include "harness/runner/plan/plan.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "harness/runner/plan/quick_cells.h"
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
    case Tier::kDefault: break;
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
  static const std::vector<std::string> known{"planar", "spatial", "conservative", "dissipative",
                                              "tree",   "loops",   "quick",        "headline"};
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

// Distance in decades between a cell with a fixed step and a cell with a tolerance: more than between cells of one kind.
constexpr double kOtherKindOfStep = 100;

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

std::vector<std::string> TagsOf(const Problem& problem) {
  std::vector<std::string> tags{problem.planar ? "planar" : "spatial",
                                problem.conservative ? "conservative" : "dissipative",
                                problem.system.loop_joints.empty() ? "tree" : "loops"};
  if (IsQuick(problem.name)) tags.emplace_back("quick");
  if (std::ranges::find(HeadlineProblems(), problem.name) != HeadlineProblems().end())
    tags.emplace_back("headline");
  return tags;
}

std::vector<PlannedProblem> MakePlan(const Selection& selection,
                                     const std::vector<MethodEntry>& methods) {
  CheckTags(selection);
  const std::vector<MethodChoice> chosen = SelectMethods(selection, methods);
  const std::vector<const IntegratorEntry*> integrators = SelectIntegrators(selection);
  std::vector<PlannedProblem> plan;
  const Wish wish{selection.tier, selection.evaluations_only, !selection.methods.empty(),
                  !selection.integrators.empty()};
  int left_out = 0;  // curves of larger runs
  for (const std::string& name : SelectProblems(selection)) {
    const Problem problem = LoadProblem(name);
    if (!CarriesAll(problem, selection.tags)) continue;
    PlannedProblem planned;
    planned.name = problem.name;
    planned.model_file = ModelFileOf(name);
    planned.family = problem.name.substr(0, problem.name.find(':'));
    planned.bodies = problem.system.bodies.size();
    ProblemPolicy policy(problem, !planned.model_file.empty(), chosen, integrators, wish);
    std::vector<std::vector<PlannedCell>> ladders;
    for (const MethodChoice& method : chosen) {
      const MethodPolicy answer = policy.Of(method);
      left_out += answer.in_larger_runs;
      const std::size_t first_ladder = ladders.size();
      for (const PlannedCurve& curve : answer.curves) {
        ladders.push_back(Ladder(problem, planned.model_file, method, curve.integrator,
                                 selection.tier, curve.without_running));
        if (selection.budgets || selection.tier == Tier::kFull)
          ChooseSplit(problem, method, ladders.back());
      }
      if (!answer.curves.empty())
        AssignPasses(problem, method, std::span(ladders).subspan(first_ladder));
      if (!answer.is_in_run()) continue;
      planned.methods.push_back(method);
      if (answer.evaluation.outcome == Outcome::kOk)
        planned.evaluated.push_back(method);
      else
        planned.not_evaluated.emplace_back(method.spec, answer.evaluation);
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
