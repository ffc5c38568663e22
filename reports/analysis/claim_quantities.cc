#include "reports/analysis/claim_quantities.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/outcomes.h"
#include "reports/analysis/scaling.h"
#include "reports/analysis/settling.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

using State = Observation::State;
using Observations = std::vector<Observation>;

// Whether the parameters of a problem were chosen to reproduce printed values: it is then no evidence for these values.
bool IsFitted(const ProblemResults& problem) {
  return problem.record.title.find("fitted to") != std::string::npos;
}

using Problems = std::vector<const ProblemResults*>;

Problems ProblemsOf(const Comparison& comparison, const ClaimTest& test) {
  Problems problems;
  for (const ProblemResults& problem : comparison.problems) {
    if (!Matches(test.problems, problem.name) || IsFitted(problem)) continue;
    const MaybeNumber loops = problem.record.loops;
    if (!test.topology.empty() && (!loops || (*loops > 0) != (test.topology == "loops"))) continue;
    problems.push_back(&problem);
  }
  return problems;
}

Groups<std::string, const ProblemResults*> FamiliesOf(const Comparison& comparison,
                                                      const ClaimTest& test) {
  Groups<std::string, const ProblemResults*> families;
  for (const ProblemResults* problem : ProblemsOf(comparison, test))
    GroupOf(FamilyOf(*problem), families).push_back(problem);
  return families;
}

double Bodies(const ProblemResults& problem) { return problem.record.bodies.value_or(0); }

std::string BodiesText(double bodies) { return Plural(std::llround(bodies), "body"); }

// An evaluation is missing because of a limit of the run, not because of the method.
bool IsLimitOfRun(const std::string& reason) {
  return reason.starts_with("timeout") || reason.starts_with("skipped") ||
         reason.starts_with("out_of_memory");
}

// Adds an observation if a method was asked to evaluate members of a family and could evaluate none.
void AddIfNoneIsEvaluated(const std::string& family, const Problems& members,
                          const std::string& method, Observations& all) {
  bool was_asked = false;
  for (const ProblemResults* problem : members) {
    const MethodAgreementRecord& own = AgreementOf(*problem, method);
    if (own.error || own.difference) return;
    was_asked = was_asked || (!own.reason.empty() && !IsLimitOfRun(own.reason));
  }
  if (!was_asked) return;
  all.push_back({family, method, "", "evaluates no member of it"});
  all.back().state = State::kEvaluatesNothing;
}

// Matrices ----------------------------------------------------------------------------------------

// A member of a family of which a method evaluated all states.
struct Size {
  const ProblemResults* problem;
  double bodies = 0, loops = 0, rows = 0;
};

Observation GrowthOf(const std::string& family, const std::string& method,
                     const std::vector<Size>& sizes, bool over_loops) {
  const auto [fewest, most] = std::ranges::minmax(sizes, {}, &Size::rows);
  const Size &first = sizes.front(), &last = sizes.back();
  const char* unit = over_loops ? "loop" : "body";
  const auto place = [over_loops](const Size& one) { return over_loops ? one.loops : one.bodies; };
  const auto size = [&](const Size& one) { return Plural(std::llround(place(one)), unit); };
  Observation one{family, method, "", "", most.rows - fewest.rows};
  one.shown = last.rows;
  one.family = CountedFamilyOf(*first.problem);
  one.text = *one.value == 0
                 ? fmt::format("{:g} rows at each of {} sizes from {} to {}", first.rows,
                               sizes.size(), size(first), size(last))
                 : fmt::format("{:g} rows with {}, {:g} with {}: it grows by {:.2g} per {}",
                               first.rows, size(first), last.rows, size(last),
                               (last.rows - first.rows) / (place(last) - place(first)), unit);
  if (!over_loops && first.loops > 0) one.text += fmt::format(", with {} loops each", first.loops);
  return one;
}

// Growth of the largest matrix that a method solves, within each family: with bodies at equal loops, or with loops.
Observations MatrixRows(const Comparison& comparison, const ClaimTest& test, bool over_loops) {
  Observations all;
  for (const std::string& method : test.methods) {
    for (const auto& [family, members] : FamiliesOf(comparison, test)) {
      AddIfNoneIsEvaluated(family, members, method, all);
      std::map<std::pair<double, double>, std::vector<Size>> groups;  // by loops and width
      std::optional<double> lost_from;                                // bodies
      for (const ProblemResults* problem : members) {
        const MethodAgreementRecord& own = AgreementOf(*problem, method);
        const MaybeNumber loops = problem->record.loops, rows = own.order;
        const Size size{problem, Bodies(*problem), loops.value_or(0), rows.value_or(0)};
        if (own.error && *own.error >= kAllLost)
          lost_from = std::min(lost_from.value_or(size.bodies), size.bodies);
        if (rows && own.reason.empty() && (!over_loops || size.loops > 0))
          groups[{over_loops ? 0 : size.loops, LoopWidthOf(*problem)}].push_back(size);
      }
      for (auto& [held, sizes] : groups) {
        const auto place = over_loops ? &Size::loops : &Size::bodies;
        std::ranges::stable_sort(sizes, {}, place);
        if (sizes.front().*place == sizes.back().*place) continue;
        all.push_back(GrowthOf(family, method, sizes, over_loops));
        if (lost_from)
          all.back().text +=
              fmt::format(", but all digits are lost from {} on", BodiesText(*lost_from));
      }
    }
  }
  return all;
}

// Errors of one evaluation ------------------------------------------------------------------------

void AddEvaluationErrors(const ProblemResults& problem, const ClaimTest& test, Observations& all) {
  if (!problem.agreement || !problem.record.loops) return;
  for (const std::string& method : test.methods) {
    const MethodAgreementRecord& own = AgreementOf(problem, method);
    const std::string& reason = own.reason;
    const MaybeNumber error = own.error;
    // A refusal contradicts no claim. Without an error and a reason there was no truth to compare with.
    if (reason.starts_with("unsupported") || (!error && reason.empty())) continue;
    all.push_back({problem.name, method, "", error ? "" : reason, error});
    if (!error) all.back().state = IsLimitOfRun(reason) ? State::kOpen : State::kFailed;
  }
}

// Compares the methods at the same place of both lists, on the largest member of each family that both evaluated.
Observations PairedError(const Comparison& comparison, const ClaimTest& test, bool is_ratio) {
  const std::vector<std::string>&methods = test.methods, &rivals = test.against;
  const double least_bodies = test.least_bodies.value_or(0);
  Observations all;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    for (const auto& [family, members] : FamiliesOf(comparison, test)) {
      AddIfNoneIsEvaluated(family, members, methods[i], all);
      std::optional<Observation> largest;
      double bodies_of_largest = 0;
      for (const ProblemResults* problem : members) {
        const MaybeNumber own = AgreementOf(*problem, methods[i]).error,
                          rival = AgreementOf(*problem, rivals[i]).error;
        const double bodies = Bodies(*problem);
        if (!own || !rival || bodies < least_bodies || bodies <= bodies_of_largest) continue;
        largest = {problem->name, methods[i], rivals[i],
                   fmt::format("{} against {}", FormatError(own), FormatError(rival)),
                   is_ratio ? *own / *rival : *own};
        bodies_of_largest = bodies;
      }
      if (largest) all.push_back(std::move(*largest));
    }
  }
  return all;
}

// Times -------------------------------------------------------------------------------------------

std::string Cost(const BestTime& best) {
  return fmt::format("{} by {}, {}", FormatTime(best.time), best.method, best.integrator);
}

// The fastest of some methods; empty where none reached the error.
std::optional<BestTime> FastestOf(std::vector<BestTime> times,
                                  const std::vector<std::string>& methods) {
  std::erase_if(times, [&](const BestTime& time) { return !Matches(methods, time.method); });
  const Ranking ranking = Rank(std::move(times));
  const BestTime* fastest = ranking.Fastest();
  return fastest ? std::optional(*fastest) : std::nullopt;
}

// Time of the fastest rival over that of the fastest variant, at equal error.
Observations TimesOverAnother(const Comparison& comparison, const ClaimTest& test) {
  Observations all;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    for (const double error : test.errors) {
      const std::vector<BestTime> times = BestOfEachMethod(comparison, *problem, error);
      const auto own = FastestOf(times, test.methods), rival = FastestOf(times, test.against);
      if (!own || !rival) continue;
      Observation& one = all.emplace_back(Observation{
          problem->name, own->method, rival->method,
          fmt::format("at error {}: {} against {}", FormatError(error), Cost(*own), Cost(*rival))});
      one.ratio = RatioOf(rival->time, own->time);
      one.value = one.ratio->value;
    }
  }
  return all;
}

// The cheapest evaluations of all accelerations of one problem.
struct EvaluationPair {
  const ScalingPoint *own = nullptr, *rival = nullptr;
};

// One pair for each problem of a family that both evaluated, by bodies.
std::vector<EvaluationPair> EvaluationPairs(const FamilyScaling& family, const Problems& problems,
                                            const ClaimTest& test) {
  std::map<std::pair<double, std::string>, EvaluationPair> pairs;  // by bodies and problem
  const auto lower = [](const ScalingPoint& point, const ScalingPoint*& cheapest) {
    if (!cheapest || *point.value < *cheapest->value) cheapest = &point;
  };
  for (const ScalingCurve& curve : family.evaluations) {
    if (curve.of != "accelerations") continue;
    for (const ScalingPoint& point : curve.points) {
      if (std::ranges::count(problems, point.problem) == 0) continue;
      EvaluationPair& pair = pairs[{point.bodies, point.problem->name}];
      if (Matches(test.methods, curve.method)) lower(point, pair.own);
      if (Matches(test.against, curve.method)) lower(point, pair.rival);
    }
  }
  std::vector<EvaluationPair> known;
  for (const auto& [place, pair] : pairs) {
    if (pair.own && pair.rival) known.push_back(pair);
  }
  return known;
}

// Own time over that of the other, on each problem; or the time of the other over the own one, at the largest size of each
// family. A single problem is a family of one size.
Observations EvaluationTimes(const Comparison& comparison, const ClaimTest& test,
                             bool is_at_largest) {
  Observations all;
  const Problems problems = ProblemsOf(comparison, test);
  const auto add = [&all](const std::string& on, const EvaluationPair& pair, double value,
                          std::string text) {
    Observation& one = all.emplace_back(
        Observation{on, pair.own->method, pair.rival->method, std::move(text), value});
    one.ratio = {value, RatioSpread{{value, value}, 1}};
  };
  for (const FamilyScaling& family : Scaling(comparison, 1)) {
    const std::vector<EvaluationPair> pairs = EvaluationPairs(family, problems, test);
    if (pairs.empty()) continue;
    if (!is_at_largest) {
      for (const EvaluationPair& pair : pairs) {
        const double own = *pair.own->value, rival = *pair.rival->value;
        add(pair.own->problem->name, pair, own / rival,
            fmt::format("{:.3g} ns per body against {:.3g}", own, rival));
      }
      continue;
    }
    const auto is_cheaper = [](const auto& pair) { return *pair.own->value <= *pair.rival->value; };
    const auto dearer = std::find_if(pairs.rbegin(), pairs.rend(), is_cheaper).base();
    const EvaluationPair& last = pairs.back();
    add(family.family, last, *last.rival->value / *last.own->value,
        dearer == pairs.end()
            ? "costs less on " + BodiesText(last.own->bodies)
            : fmt::format("costs more from {} on", BodiesText(dearer->own->bodies)));
  }
  return all;
}

// Operations of one evaluation by a method, on one problem; empty where they were not counted.
std::optional<double> OperationsOf(const ProblemResults& problem,
                                   const std::vector<std::string>& methods, std::string& method) {
  std::optional<double> fewest;
  for (const Trial* trial : problem.evaluations) {
    const EvaluationRecord& record = OrNone(trial->record.evaluation);
    if (trial->outcome != "ok" || !Matches(methods, trial->method) || !record.operations ||
        (!record.operations_of.empty() && record.operations_of != "evaluation"))
      continue;
    const OperationsRecord& o = *record.operations;
    const auto all =
        static_cast<double>(o.multiplications + o.additions + o.divisions + o.square_roots);
    if (!fewest || all < *fewest) fewest = all, method = trial->method;
  }
  return fewest;
}

void AddOperations(const ProblemResults& problem, const ClaimTest& test, Observations& all) {
  std::string own, rival;
  const auto ours = OperationsOf(problem, test.methods, own),
             theirs = OperationsOf(problem, test.against, rival);
  if (!ours || !theirs || *theirs <= 0) return;
  all.push_back({problem.name, own, rival,
                 fmt::format("{} against {}", FormatCount(std::llround(*ours)),
                             FormatCount(std::llround(*theirs))),
                 *ours / *theirs});
}

Observations SettlingTimes(const Comparison& comparison, const ClaimTest&) {
  Observations all;
  for (const SettlingCost& cost : SettlingCosts(comparison)) {
    all.push_back({cost.problem, cost.method, "", "", cost.ratio.value});
    all.back().ratio = cost.ratio;
  }
  return all;
}

// Growth ------------------------------------------------------------------------------------------

// Powers of the fitted curves of each family; of evaluations those of accelerations alone.
Observations Powers(const Comparison& comparison, const ClaimTest& test,
                    std::vector<ScalingCurve> FamilyScaling::*curves) {
  Observations all;
  for (const FamilyScaling& family : Scaling(comparison)) {
    if (!Matches(test.problems, family.family + ":")) continue;
    for (const ScalingCurve& curve : family.*curves) {
      const bool is_asked = curves != &FamilyScaling::evaluations || curve.of == "accelerations";
      if (!is_asked || !curve.fit || !Matches(test.methods, curve.method)) continue;
      all.push_back({family.family, curve.method, "",
                     fmt::format("{}: {}", curve.of, FormatSlope(curve.fit)), curve.fit->slope});
      all.back().standard_error = curve.fit->standard_error;
    }
  }
  return all;
}

// The result of a cell that finished: "10 steps over 1 s in 3.1 s; error 1e-6"
std::string MotionOf(const Cell& cell) {
  std::string text = fmt::format("{}, {}", cell.integrator, cell.Setting());
  if (const auto steps = cell.counters.steps) text += ": " + Plural(*steps, "step");
  if (cell.end_time) text += fmt::format(" over {:g} s", *cell.end_time);
  if (cell.cpu) text += " in " + FormatSeconds(cell.cpu->minimum);
  if (cell.error) return text + "; error " + FormatError(cell.error);
  return text + "; accuracy not judged" + (cell.reason.empty() ? "" : ": " + cell.reason);
}

// Degrees of freedom that each variant computed, on problems with more than the least number. A limit of the run leaves the
// question open.
void AddFreedomsComputed(const ProblemResults& problem, const ClaimTest& test, Observations& all) {
  const MaybeNumber freedoms = problem.record.degrees_of_freedom;
  if (!freedoms || *freedoms <= test.least_freedoms.value_or(0)) return;
  for (const Curve& curve : Curves(problem)) {
    if (!Matches(test.methods, curve.method)) continue;
    const Cell *finished = nullptr, *failed = nullptr, *stopped = nullptr;
    for (const Cell* cell : curve.cells) {
      if (!IsTried(cell->outcome)) continue;
      (cell->finished() ? finished : IsLimitOfRun(cell->outcome) ? stopped : failed) = cell;
    }
    const Cell* shown = finished ? finished : failed ? failed : stopped;
    if (!shown) continue;
    Observation& one = all.emplace_back(Observation{problem.name, curve.method});
    if (finished) {
      one.text = MotionOf(*shown);
      one.value = freedoms;
    } else {
      one.text = fmt::format("{}, {}: {}, {}", shown->integrator, shown->Setting(), shown->outcome,
                             shown->reason);
      one.state = failed ? State::kFailed : State::kOpen;
    }
  }
}

// Errors of motions -------------------------------------------------------------------------------

const Cell* MostAccurateOf(const ProblemResults& problem, const std::vector<std::string>& methods) {
  return MostAccurate(problem, [&](const Cell& cell) { return Matches(methods, cell.method); });
}

std::string ErrorText(const Cell& cell) {
  return fmt::format("{}, {}: {}", cell.Curve(), cell.Setting(), FormatError(cell.error));
}

// Error of the most accurate cell; plus that of the rival's most accurate cell if a rival is named. An error above the bound is open
// while finer cells are still to be run.
void AddLeastError(const ProblemResults& problem, const ClaimTest& test, Observations& all) {
  const Cell* own = MostAccurateOf(problem, test.methods);
  if (!own) return;
  Observation one{problem.name, own->method, "", ErrorText(*own), own->error};
  if (!test.against.empty()) {
    const Cell* rival = MostAccurateOf(problem, test.against);
    if (!rival) return;
    one.against = rival->method;
    one.text += " and " + ErrorText(*rival);
    *one.value += *rival->error;
  }
  const bool is_open = std::ranges::any_of(problem.open, [&test](const OpenItemRecord& item) {
    return item.lacks_cells &&
           (Matches(test.methods, item.method) || Matches(test.against, item.method));
  });
  if (is_open && *one.value > test.bound) {
    one.state = State::kOpen;
    one.value.reset();
  }
  all.push_back(std::move(one));
}

// Takes the cell of each method that holds the error 1e-6, like the drifts of what is kept.
template <MaybeNumber (*kOf)(const Cell&)>
void AddOfCells(const ProblemResults& problem, const ClaimTest& test, Observations& all) {
  std::vector<std::string> methods;
  for (const Cell& cell : problem.cells)
    if (Matches(test.methods, cell.method)) AddOnce(methods, cell.method);
  for (const std::string& method : methods) {
    const Cell* cell = CellThatHolds(problem, method, 1e-6);
    if (const MaybeNumber value = cell ? kOf(*cell) : std::nullopt)
      all.push_back({problem.name, method, "", cell->integrator + ", " + cell->Setting(), value});
  }
}
// A drift of zero: there are no constraints.
template <MaybeNumber Cell::*kDrift>
MaybeNumber OverTolerance(const Cell& cell) {
  const bool is_known = (cell.*kDrift).value_or(0) > 0 && cell.tolerance;
  return is_known ? MaybeNumber(*(cell.*kDrift) / *cell.tolerance) : std::nullopt;
}
MaybeNumber EnergyGained(const Cell& cell) { return cell.energy_gained; }
MaybeNumber IterationsPerStep(const Cell& cell) {
  const double steps = static_cast<double>(cell.counters.steps.value_or(0));
  if (steps == 0) return std::nullopt;
  return static_cast<double>(cell.counters.newton_iterations.value_or(0)) / steps;
}

// One value per fixed step that both methods took, unless neither follows the motion with it.
void AddErrorsAtEqualSteps(const ProblemResults& problem, const ClaimTest& test,
                           Observations& all) {
  constexpr double kLost = 0.1;
  for (const Cell& own : problem.cells) {
    if (!own.step || !own.error || !Matches(test.methods, own.method)) continue;
    for (const Cell& rival : problem.cells) {
      if (rival.step != own.step || rival.error.value_or(0) <= 0 ||
          !Matches(test.against, rival.method) || std::min(*own.error, *rival.error) > kLost)
        continue;
      all.push_back({problem.name, own.method, rival.method,
                     fmt::format("{}: {} against {}", own.Setting(), FormatError(own.error),
                                 FormatError(rival.error)),
                     *own.error / *rival.error});
    }
  }
}

// Mean difference, in per cent of our value, from the values that a source prints of one quantity: at an event, or at times.
void AddDifferenceFromPrint(const ProblemResults& problem, const ClaimTest& test,
                            Observations& all) {
  const Cell* best = MostAccurateOf(problem, test.methods);
  if (!best) return;
  double sum = 0;
  int count = 0;
  for (const PrintedValueRecord& printed : problem.record.published) {
    if (printed.quantity != test.printed || printed.event != test.event ||
        !printed.source.ends_with(test.source_ends))
      continue;
    const PublishedComparison* own = FindOwnValue(*best, printed);
    const auto ours = own ? IfFinite(own->ours) : std::nullopt;
    const MaybeNumber theirs = printed.published;
    if (!ours || !theirs || *ours == 0) continue;
    sum += std::abs(1 - *theirs / *ours);
    ++count;
  }
  if (count > 0)
    all.push_back({problem.name, best->method, "",
                   fmt::format("over {}", Plural(count, "printed value")), 100 * sum / count});
}

// Steady states -----------------------------------------------------------------------------------

bool IsSameState(const NamedValues<double>& a, const NamedValues<double>& b) {
  constexpr double kSame = 1e-9;
  return !a.list.empty() && a.list.size() == b.list.size() &&
         std::ranges::all_of(a.list, [&b](const auto& one) {
           const MaybeNumber other = ValueOf(b, one.first);
           return other &&
                  std::abs(one.second - *other) <= kSame * std::max(1., std::abs(one.second));
         });
}

// A damper changes no steady state: a problem and its damped variant have the same.
Observations SteadyStates(const Comparison& comparison, const ClaimTest& test) {
  struct Found {
    const ProblemResults* problem;
    std::string method;
    const NamedValues<double>* unknowns;
  };
  std::vector<Found> found;
  Observations all;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    for (const Cell& cell : problem->cells) {
      if (cell.integrator != kSteadySolver || !IsTried(cell.outcome) ||
          !Matches(test.methods, cell.method))
        continue;
      Observation& one = all.emplace_back(Observation{problem->name, cell.method});
      if (!cell.finished() || cell.outcome == "inaccurate") {
        one.state = IsLimitOfRun(cell.outcome) ? State::kOpen : State::kFailed;
        one.text = cell.outcome;
        continue;
      }
      one.text = Plural(cell.counters.newton_iterations.value_or(0), "iteration");
      one.value = cell.error;
      if (!cell.error) one.state = State::kFulfilled;
      const NamedValues<double>& unknowns = OrNone(RecordOf(cell).steady_state).unknowns;
      const auto before = std::ranges::find_if(found, [&](const Found& other) {
        return other.method == cell.method && FamilyOf(*other.problem) == FamilyOf(*problem) &&
               IsSameState(unknowns, *other.unknowns);
      });
      if (before != found.end())
        one.same_as = before->problem->name;
      else
        found.push_back({problem, cell.method, &unknowns});
    }
  }
  return all;
}

// All observations of a quantity that is observed on one problem after the other.
template <void (*kAdd)(const ProblemResults& problem, const ClaimTest& test, Observations& all)>
Observations OnEachProblem(const Comparison& comparison, const ClaimTest& test) {
  Observations all;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) kAdd(*problem, test, all);
  return all;
}

struct ClaimQuantity {
  const char* name;
  Observations (*observe)(const Comparison& comparison, const ClaimTest& test);
};
constexpr ClaimQuantity kClaimQuantities[] = {
    {"error of one evaluation", OnEachProblem<AddEvaluationErrors>},
    {"operations over another", OnEachProblem<AddOperations>},
    {"freedoms computed", OnEachProblem<AddFreedomsComputed>},
    {"least error", OnEachProblem<AddLeastError>},
    {"error over another at equal steps", OnEachProblem<AddErrorsAtEqualSteps>},
    {"position drift over tolerance",
     OnEachProblem<AddOfCells<OverTolerance<&Cell::position_drift>>>},
    {"velocity drift over tolerance",
     OnEachProblem<AddOfCells<OverTolerance<&Cell::velocity_drift>>>},
    {"energy gained", OnEachProblem<AddOfCells<EnergyGained>>},
    {"Newton iterations", OnEachProblem<AddOfCells<IterationsPerStep>>},
    {"difference from print", OnEachProblem<AddDifferenceFromPrint>},
    {"rows over bodies", [](auto& all, auto& test) { return MatrixRows(all, test, false); }},
    {"rows over loops", [](auto& all, auto& test) { return MatrixRows(all, test, true); }},
    {"error and that of another",
     [](auto& all, auto& test) { return PairedError(all, test, false); }},
    {"error over another", [](auto& all, auto& test) { return PairedError(all, test, true); }},
    {"time over another", TimesOverAnother},
    {"evaluation time over another",
     [](auto& all, auto& test) { return EvaluationTimes(all, test, false); }},
    {"evaluation time of another at the largest size",
     [](auto& all, auto& test) { return EvaluationTimes(all, test, true); }},
    {"power of time per step",
     [](auto& all, auto& test) { return Powers(all, test, &FamilyScaling::steps); }},
    {"power of evaluation time per body",
     [](auto& all, auto& test) { return Powers(all, test, &FamilyScaling::evaluations); }},
    {"steady state", SteadyStates},
    {"settling time over that of the solver", SettlingTimes}};

}  // namespace

bool Matches(const std::vector<std::string>& globs, const std::string& name) {
  return std::ranges::any_of(globs, [&name](const std::string& glob) {
    return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
  });
}

std::vector<Observation> Observe(const Comparison& comparison, const ClaimTest& test) {
  const auto* quantity = std::ranges::find(kClaimQuantities, test.quantity, &ClaimQuantity::name);
  if (quantity == std::end(kClaimQuantities))
    throw std::logic_error("data/claims.json: there is no quantity '" + test.quantity + "'");
  std::vector<Observation> all = quantity->observe(comparison, test);
  for (Observation& one : all) {
    if (!one.family.empty()) continue;
    const auto problem = std::ranges::find(comparison.problems, one.problem, &ProblemResults::name);
    one.family = problem == comparison.problems.end() ? one.problem : CountedFamilyOf(*problem);
  }
  return all;
}

}  // namespace mbsbench::reports
