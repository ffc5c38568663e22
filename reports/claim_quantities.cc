#include "reports/claim_quantities.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "reports/digit_loss.h"
#include "reports/format.h"
#include "reports/outcomes.h"
#include "reports/scaling.h"
#include "reports/sections.h"
#include "reports/steady.h"

namespace mbsbench::reports {

namespace {

using State = Observation::State;
using Observations = std::vector<Observation>;

std::vector<std::string> Names(const Json& test, const char* field) {
  std::vector<std::string> names;
  for (const Json& name : Field(test, field)) names.push_back(name.get<std::string>());
  return names;
}

// Whether a row names a method or a problem; its names may be globs.
bool Matches(const Json& test, const char* field, const std::string& name) {
  const std::vector<std::string> globs = Names(test, field);
  return std::any_of(globs.begin(), globs.end(), [&name](const std::string& glob) {
    return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
  });
}

std::vector<const ProblemResults*> ProblemsOf(const Comparison& comparison, const Json& test) {
  const std::string topology = Text(test, "topology");
  std::vector<const ProblemResults*> problems;
  for (const ProblemResults& problem : comparison.problems) {
    if (!Matches(test, "problems", problem.name) || IsFitted(problem)) continue;
    const MaybeNumber loops = problem.record.loops;
    if (!topology.empty() && (!loops || (*loops > 0) != (topology == "loops"))) continue;
    problems.push_back(&problem);
  }
  return problems;
}

double Bodies(const ProblemResults& problem) { return problem.record.bodies.value_or(0); }

std::string BodiesText(double bodies) { return Plural(std::llround(bodies), "body"); }

// An evaluation is missing because of a limit of the run, which is none of the method's.
bool IsLimitOfRun(const std::string& reason) {
  return reason.starts_with("timeout") || reason.starts_with("skipped") ||
         reason.starts_with("out_of_memory");
}

std::string Cost(const BestTime& best) {
  return fmt::format("{} by {}, {}", FormatTime(best.time), best.method, best.integrator);
}

// Matrices ----------------------------------------------------------------------------------------

struct Size {
  double bodies = 0, loops = 0, width = 1, rows = 0;
};

// The members of a family of which a method evaluated all states.
struct Rows {
  std::vector<Size> sizes;
  bool was_asked = false, evaluates = false;
  std::optional<double> lost_from;  // bodies
};

std::map<std::string, Rows> RowsOf(const Comparison& comparison, const Json& test,
                                   const std::string& method, std::vector<std::string>& order) {
  std::map<std::string, Rows> families;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    const double loops = problem->record.loops.value_or(0);
    if (Field(test, "needs_loops") == true && loops < 1) continue;
    const MethodAgreementRecord& own = AgreementOf(*problem, method);
    const MaybeNumber rows = own.order, error = own.error;
    const std::string reason = own.reason, family = FamilyOf(*problem);
    if (!families.contains(family)) order.push_back(family);
    Rows& found = families[family];
    found.evaluates = found.evaluates || error || own.difference;
    found.was_asked = found.was_asked || (!reason.empty() && !IsLimitOfRun(reason));
    const double bodies = Bodies(*problem);
    if (error && *error >= kAllLost)
      found.lost_from = std::min(found.lost_from.value_or(bodies), bodies);
    if (rows && reason.empty())
      found.sizes.push_back({bodies, loops, LoopWidthOf(*problem), *rows});
  }
  return families;
}

void AddIfAbsent(const std::string& family, const std::string& method, const Rows& rows,
                 Observations& all) {
  if (!rows.was_asked || rows.evaluates) return;
  all.push_back({family, method, "", "evaluates no member of it"});
  all.back().state = State::kEvaluatesNothing;
}

Observation GrowthOf(const std::string& family, const std::string& method,
                     const std::vector<Size>& sizes, const Rows& rows, bool over_loops) {
  const auto by_rows = [](const Size& a, const Size& b) { return a.rows < b.rows; };
  const auto [fewest, most] = std::minmax_element(sizes.begin(), sizes.end(), by_rows);
  const Size &first = sizes.front(), &last = sizes.back();
  const auto size = [over_loops](const Size& one) {
    return Plural(std::llround(over_loops ? one.loops : one.bodies), over_loops ? "loop" : "body");
  };
  Observation one{family, method, "", "", most->rows - fewest->rows};
  one.shown = last.rows;
  one.bodies = last.bodies;
  one.text = *one.value == 0
                 ? fmt::format("{:g} rows at each of {} sizes from {} to {}", first.rows,
                               sizes.size(), size(first), size(last))
                 : fmt::format("{:g} rows with {}, {:g} with {}: it grows by {:.2g} per {}",
                               first.rows, size(first), last.rows, size(last),
                               (last.rows - first.rows) / (over_loops ? last.loops - first.loops
                                                                      : last.bodies - first.bodies),
                               over_loops ? "loop" : "body");
  if (!over_loops && first.loops > 0) one.text += fmt::format(", with {} loops each", first.loops);
  if (rows.lost_from)
    one.text += fmt::format(", but all digits are lost from {} on", BodiesText(*rows.lost_from));
  return one;
}

// How the largest matrix that a method solves grows, on each family: with bodies at equal loops, or with loops.
Observations MatrixRows(const Comparison& comparison, const Json& test, bool over_loops) {
  Observations all;
  for (const std::string& method : Names(test, "methods")) {
    std::vector<std::string> order;
    auto families = RowsOf(comparison, test, method, order);
    for (const std::string& family : order) {
      Rows& rows = families[family];
      AddIfAbsent(family, method, rows, all);
      const auto place = [over_loops](const Size& size) {
        return over_loops ? size.loops : size.bodies;
      };
      std::stable_sort(rows.sizes.begin(), rows.sizes.end(),
                       [&place](const Size& a, const Size& b) { return place(a) < place(b); });
      std::map<std::pair<double, double>, std::vector<Size>> groups;
      for (const Size& size : rows.sizes) {
        if (!over_loops || size.loops > 0)
          groups[{over_loops ? 0 : size.loops, size.width}].push_back(size);
      }
      for (const auto& [held, sizes] : groups) {
        if (place(sizes.front()) < place(sizes.back()))
          all.push_back(GrowthOf(family, method, sizes, rows, over_loops));
      }
    }
  }
  return all;
}

// Errors of one evaluation ------------------------------------------------------------------------

Observations EvaluationError(const Comparison& comparison, const Json& test) {
  Observations all;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    if (!problem->agreement || !problem->record.loops) continue;
    for (const std::string& method : Names(test, "methods")) {
      const MethodAgreementRecord& own = AgreementOf(*problem, method);
      const std::string reason = own.reason;
      const MaybeNumber error = own.error;
      // What it refuses is no claim of its paper; without error or reason there was no truth to judge it by.
      if (reason.starts_with("unsupported") || (!error && reason.empty())) continue;
      Observation one{problem->name, method, "", error ? "" : reason, error};
      if (!error) one.state = IsLimitOfRun(reason) ? State::kOpen : State::kFailed;
      all.push_back(std::move(one));
    }
  }
  return all;
}

// Of two methods that are named in the same place, on the largest member of each family that both evaluated.
Observations PairedError(const Comparison& comparison, const Json& test, bool is_ratio) {
  const std::vector<std::string> methods = Names(test, "methods"), rivals = Names(test, "against");
  Observations all;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    std::vector<std::string> order;
    for (const auto& [family, rows] : RowsOf(comparison, test, methods[i], order))
      AddIfAbsent(family, methods[i], rows, all);
    std::map<std::string, Observation> largest;  // by family
    for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
      const MaybeNumber own = AgreementOf(*problem, methods[i]).error,
                        rival = AgreementOf(*problem, rivals[i]).error;
      const double bodies = Bodies(*problem);
      if (!own || !rival || bodies < Number(test, "least_bodies").value_or(0)) continue;
      Observation& one = largest[FamilyOf(*problem)];
      if (bodies <= one.bodies) continue;
      one = {problem->name, methods[i], rivals[i],
             fmt::format("{} against {}", FormatError(own), FormatError(rival)),
             is_ratio ? *own / *rival : *own};
      one.bodies = bodies;
    }
    for (auto& [family, one] : largest) all.push_back(std::move(one));
  }
  return all;
}

// Times -------------------------------------------------------------------------------------------

BestTime BestVariant(const Comparison& comparison, const ProblemResults& problem, const Json& test,
                     const char* field, double error) {
  std::vector<BestTime> times = BestOfEachMethod(comparison, problem, "", error);
  std::erase_if(times, [&](const BestTime& time) { return !Matches(test, field, time.method); });
  const BestTime* fastest = Fastest(times);
  return fastest ? *fastest : BestTime{"", "", {}};
}

std::optional<Observation> TimeRatioOf(const ProblemResults& problem, const BestTime& own,
                                       const BestTime& rival, const std::string& at) {
  if (!own.time.known() || !rival.time.known()) return std::nullopt;
  Observation one{problem.name, own.method, rival.method,
                  fmt::format("{}: {} against {}", at, Cost(own), Cost(rival))};
  one.bodies = Bodies(problem);
  one.ratio = RatioOf(rival.time, own.time);
  if (one.ratio->kind != TimeRatio::Kind::kOfTwoBounds) one.value = one.ratio->value;
  return one;
}

// At equal error, by the best variants; then as the paper ran it, against the rival at the error that this has.
Observations TimeOverAnother(const Comparison& comparison, const Json& test) {
  Observations all;
  const auto add = [&all](std::optional<Observation> one) {
    if (one) all.push_back(std::move(*one));
  };
  const auto step = Number(test, "papers_step_s");
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    for (const auto& error : Numbers(test, "errors")) {
      add(TimeRatioOf(*problem, BestVariant(comparison, *problem, test, "methods", *error),
                      BestVariant(comparison, *problem, test, "against", *error),
                      "at error " + FormatError(error)));
    }
    for (const Cell& cell : problem->cells) {
      if (!step || !Matches(test, "methods", cell.method) || !cell.step || !cell.finished() ||
          cell.integrator != Text(test, "papers_integrator") || !cell.cpu ||
          std::abs(*cell.step - *step) > 1e-9 || cell.error.value_or(0) <= 0)
        continue;
      const ErrorTimePoint at_cell{*cell.error, cell.cpu->minimum, &cell};
      add(TimeRatioOf(*problem,
                      {cell.method,
                       cell.integrator,
                       {TimeAtError::Kind::kReached, at_cell.seconds, at_cell, at_cell}},
                      BestVariant(comparison, *problem, test, "against", *cell.error),
                      fmt::format("with the paper's step, at error {}", FormatError(cell.error))));
    }
  }
  return all;
}

Observations EvaluationTimeOverAnother(const Comparison& comparison, const Json& test) {
  Observations all;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    std::optional<double> own, rival;
    for (const Trial* trial : problem->evaluations) {
      if (trial->outcome != "ok") continue;
      const MaybeNumber cost = trial->record.NanosecondsPerBody();
      if (Matches(test, "methods", trial->method)) own = cost;
      if (Matches(test, "against", trial->method)) rival = cost;
    }
    if (!own || !rival || *rival <= 0) continue;
    all.push_back({problem->name, Names(test, "methods").front(), Names(test, "against").front(),
                   fmt::format("{:.3g} ns per body against {:.3g}", *own, *rival), *own / *rival});
  }
  return all;
}

// Time of one evaluation against bodies, of the cheapest variant, by one build on one machine.
std::map<double, double> CheapestEvaluations(const FamilyScaling& family, const Json& test,
                                             const char* field, const std::string& bench) {
  std::map<double, double> cheapest;
  for (const ScalingCurve& curve : family.evaluations) {
    if (!Matches(test, field, curve.method) || curve.of != "accelerations" || curve.bench != bench)
      continue;
    for (const ScalingPoint& point : curve.points) {
      const auto [at, is_new] = cheapest.try_emplace(point.bodies, *point.value);
      if (!is_new) at->second = std::min(at->second, *point.value);
    }
  }
  return cheapest;
}

// On the largest size of each family that both evaluated: how many times as long the other takes.
Observations EvaluationTimeOfAnotherAtTheLargestSize(const Comparison& comparison,
                                                     const Json& test) {
  Observations all;
  for (const FamilyScaling& family : Scaling(comparison)) {
    std::set<std::string> benches;
    for (const ScalingCurve& curve : family.evaluations) benches.insert(curve.bench);
    for (const std::string& bench : benches) {
      const auto rival = CheapestEvaluations(family, test, "against", bench);
      double dearer_from = 0;  // on all sizes from there on; 0: on none
      Observation one{family.family, Names(test, "methods").front(),
                      Names(test, "against").front()};
      for (const auto& [bodies, cost] : CheapestEvaluations(family, test, "methods", bench)) {
        const auto other = rival.find(bodies);
        if (other == rival.end()) continue;
        one.value = other->second / cost;
        one.bodies = bodies;
        if (cost <= other->second) {
          dearer_from = 0;
        } else if (dearer_from == 0) {
          dearer_from = bodies;
        }
      }
      if (!one.value) continue;
      // Each was timed once.
      one.ratio = {TimeRatio::Kind::kExact, *one.value, RatioSpread{{*one.value, *one.value}, 1}};
      one.text = dearer_from > 0 ? fmt::format("costs more from {} on", BodiesText(dearer_from))
                                 : "costs less on " + BodiesText(one.bodies);
      all.push_back(std::move(one));
    }
  }
  return all;
}

// Growth ------------------------------------------------------------------------------------------

// Of the fitted curves of a family, those of evaluations of accelerations only.
Observations Powers(const Comparison& comparison, const Json& test,
                    std::vector<ScalingCurve> FamilyScaling::*curves) {
  Observations all;
  for (const FamilyScaling& family : Scaling(comparison)) {
    if (!Matches(test, "problems", family.family + ":")) continue;
    for (const ScalingCurve& curve : family.*curves) {
      const bool is_asked = curves != &FamilyScaling::evaluations || curve.of == "accelerations";
      if (!is_asked || !curve.fit || !Matches(test, "methods", curve.method)) continue;
      all.push_back({family.family, curve.method, "",
                     fmt::format("{}: {}", curve.of, FormatSlope(curve.fit)), curve.fit->slope});
      all.back().standard_error = curve.fit->standard_error;
    }
  }
  return all;
}
// What a cell that finished came to: "10 steps over 1 s in 3.1 s; error 1e-6"
std::string MotionOf(const Cell& cell) {
  std::string text = fmt::format("{}, {}", cell.integrator, cell.Setting());
  if (const auto steps = cell.counters.steps) text += ": " + Plural(*steps, "step");
  if (cell.end_time) text += fmt::format(" over {:g} s", *cell.end_time);
  if (cell.cpu) text += " in " + FormatSeconds(cell.cpu->minimum);
  if (cell.error) return text + "; error " + FormatError(cell.error);
  return text + "; accuracy not judged" + (cell.reason.empty() ? "" : ": " + cell.reason);
}

// Of each variant that was tried on a problem of that size. A timeout says only that the limit was short.
Observations FreedomsComputed(const Comparison& comparison, const Json& test) {
  Observations all;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    const MaybeNumber freedoms = problem->record.degrees_of_freedom;
    if (!freedoms || *freedoms <= Number(test, "least_freedoms").value_or(0)) continue;
    for (const Curve& curve : Curves(*problem)) {
      if (!Matches(test, "methods", curve.method)) continue;
      const Cell *finished = nullptr, *failed = nullptr, *stopped = nullptr;
      for (const Cell* cell : curve.cells) {
        if (!IsTried(cell->outcome)) continue;
        (cell->finished() ? finished : cell->outcome == "timeout" ? stopped : failed) = cell;
      }
      const Cell* told = finished ? finished : failed ? failed : stopped;
      if (!told) continue;
      Observation one{problem->name, curve.method};
      one.bodies = Bodies(*problem);
      one.text = finished ? MotionOf(*told)
                          : fmt::format("{}, {}: {}, {}", told->integrator, told->Setting(),
                                        told->outcome, told->reason);
      if (finished) {
        one.value = freedoms;
      } else {
        one.state = failed ? State::kFailed : State::kOpen;
      }
      all.push_back(std::move(one));
    }
  }
  return all;
}

// Errors of motions -------------------------------------------------------------------------------

const Cell* MostAccurateOf(const ProblemResults& problem, const Json& test, const char* field) {
  return MostAccurate(problem, [&](const Cell& cell) { return Matches(test, field, cell.method); });
}

std::string ErrorText(const Cell& cell) {
  return fmt::format("{}, {}: {}", cell.Curve(), cell.Setting(), FormatError(cell.error));
}

Observations LeastError(const Comparison& comparison, const Json& test) {
  Observations all;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    if (const Cell* own = MostAccurateOf(*problem, test, "methods"))
      all.push_back({problem->name, own->method, "", ErrorText(*own), own->error});
  }
  return all;
}

Observations SumOfLeastErrors(const Comparison& comparison, const Json& test) {
  Observations all;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    const Cell *own = MostAccurateOf(*problem, test, "methods"),
               *rival = MostAccurateOf(*problem, test, "against");
    if (!own || !rival) continue;
    all.push_back({problem->name, own->method, rival->method,
                   fmt::format("{} and {}", ErrorText(*own), ErrorText(*rival)),
                   *own->error + *rival->error});
  }
  return all;
}

// In per cent, the mean over what a source prints of one quantity.
Observations DifferenceFromPrint(const Comparison& comparison, const Json& test) {
  Observations all;
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    const Cell* best = MostAccurateOf(*problem, test, "methods");
    if (!best) continue;
    double sum = 0;
    int count = 0;
    for (const PrintedValueRecord& printed : problem->record.published) {
      if (printed.quantity != Text(test, "printed") ||
          !printed.source.ends_with(Text(test, "source_ends")))
        continue;
      const PublishedComparison* own = FindOwnValue(*best, printed);
      const auto ours = own ? IfFinite(own->ours) : std::nullopt;
      const MaybeNumber theirs = printed.published;
      if (!ours || !theirs) continue;
      sum += std::abs(*ours / *theirs - 1);
      ++count;
    }
    if (count > 0)
      all.push_back({problem->name, best->method, "",
                     fmt::format("over {}", Plural(count, "printed value")), 100 * sum / count});
  }
  return all;
}

// Steady states -----------------------------------------------------------------------------------

bool IsSameState(const NamedValues<double>& a, const NamedValues<double>& b) {
  constexpr double kSame = 1e-9;
  return a.list.size() == b.list.size() && std::ranges::all_of(a.list, [&b](const auto& one) {
           const MaybeNumber other = ValueOf(b, one.first);
           return other &&
                  std::abs(one.second - *other) <= kSame * std::max(1., std::abs(one.second));
         });
}

// A damper changes no steady state: a problem and its damped variant have the same.
Observations SteadyStates(const Comparison& comparison, const Json& test) {
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
          !Matches(test, "methods", cell.method))
        continue;
      Observation one{problem->name, cell.method};
      if (!cell.finished() || cell.outcome == "inaccurate") {
        one.state = State::kFailed;
        one.text = cell.outcome;
      } else {
        one.text = Plural(cell.counters.newton_iterations.value_or(0), "iteration");
        one.value = cell.error;
        if (!cell.error) one.state = State::kFulfilled;
        const NamedValues<double>& unknowns = OrNone(RecordOf(cell).steady_state).unknowns;
        const auto before = std::ranges::find_if(found, [&](const Found& other) {
          return other.method == cell.method && FamilyOf(*other.problem) == FamilyOf(*problem) &&
                 !unknowns.list.empty() && IsSameState(unknowns, *other.unknowns);
        });
        if (before != found.end()) {
          one.same_as = before->problem->name;
        } else {
          found.push_back({problem, cell.method, &unknowns});
        }
      }
      all.push_back(std::move(one));
    }
  }
  return all;
}

Observations SettlingTime(const Comparison& comparison, const Json&) {
  Observations all;
  for (const SettlingCost& cost : SettlingCosts(comparison)) {
    all.push_back({cost.problem, cost.method, "", "", cost.ratio.value});
    all.back().ratio = cost.ratio;
  }
  return all;
}

struct ClaimQuantity {
  const char* name;
  Observations (*observe)(const Comparison& comparison, const Json& test);
};
constexpr ClaimQuantity kClaimQuantities[] = {
    {"rows over bodies", [](auto& all, auto& test) { return MatrixRows(all, test, false); }},
    {"rows over loops", [](auto& all, auto& test) { return MatrixRows(all, test, true); }},
    {"error of one evaluation", EvaluationError},
    {"error and that of another",
     [](auto& all, auto& test) { return PairedError(all, test, false); }},
    {"error over another", [](auto& all, auto& test) { return PairedError(all, test, true); }},
    {"time over another", TimeOverAnother},
    {"evaluation time over another", EvaluationTimeOverAnother},
    {"evaluation time of another at the largest size", EvaluationTimeOfAnotherAtTheLargestSize},
    {"power of time per step",
     [](auto& all, auto& test) { return Powers(all, test, &FamilyScaling::steps); }},
    {"power of evaluation time per body",
     [](auto& all, auto& test) { return Powers(all, test, &FamilyScaling::evaluations); }},
    {"freedoms computed", FreedomsComputed},
    {"least error", LeastError},
    {"sum of least errors", SumOfLeastErrors},
    {"difference from print", DifferenceFromPrint},
    {"steady state", SteadyStates},
    {"settling time over that of the solver", SettlingTime}};

}  // namespace

bool HoldsAnyOf(const Comparison& comparison, const Json& test) {
  const auto is_named = [&test](const std::string& method) {
    return Field(test, "methods").is_null() || Matches(test, "methods", method);
  };
  for (const ProblemResults* problem : ProblemsOf(comparison, test)) {
    for (const Cell& cell : problem->cells) {
      if (IsTried(cell.outcome) && is_named(cell.method)) return true;
    }
    for (const Trial* trial : problem->evaluations) {
      if (trial->outcome == "ok" && is_named(trial->method)) return true;
    }
  }
  return false;
}

std::vector<Observation> Observe(const Comparison& comparison, const Json& test) {
  const std::string name = Text(test, "quantity");
  for (const ClaimQuantity& quantity : kClaimQuantities) {
    if (name == quantity.name) return quantity.observe(comparison, test);
  }
  throw std::logic_error("data/claims.json: there is no quantity '" + name + "'");
}

bool IsFitted(const ProblemResults& problem) {
  return problem.record.title.find("fitted to") != std::string::npos;
}

const MethodAgreementRecord& AgreementOf(const ProblemResults& problem, const std::string& method) {
  static const MethodAgreementRecord none;
  if (!problem.agreement) return none;
  for (const MethodAgreementRecord& one : OrNone(problem.agreement->record.agreement).methods) {
    if (one.method == method) return one;
  }
  return none;
}

}  // namespace mbsbench::reports
