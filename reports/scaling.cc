#include "reports/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "reports/document.h"
#include "reports/format.h"

namespace mbsbench::reports {

namespace {

std::optional<double> StepCost(const Cell& cell) {
  const MaybeNumber steps = cell.counters.steps;
  if (!cell.finished() || !cell.cpu || cell.cpu->minimum <= 0 || !steps || *steps <= 0)
    return std::nullopt;
  return cell.cpu->minimum / *steps;
}

// Fixed steps: the finest, whose time is the longest and so the best known. Tolerances: the one
// that most sizes share, since the cost of an implicit step depends on it.
struct StepCandidates {
  std::vector<StepCostPoint> points;

  std::vector<StepCostPoint> Choose() const {
    std::map<double, std::set<double>> sizes_of_tolerance;
    for (const StepCostPoint& point : points) {
      if (point.cell->tolerance) sizes_of_tolerance[*point.cell->tolerance].insert(point.bodies);
    }
    double tolerance = 0;
    std::size_t most = 0;
    for (const auto& [value, sizes] : sizes_of_tolerance) {  // rising: of equal ones the tightest
      if (sizes.size() > most) tolerance = value, most = sizes.size();
    }
    std::map<double, StepCostPoint> chosen;
    for (const StepCostPoint& point : points) {
      if (point.cell->tolerance && *point.cell->tolerance != tolerance) continue;
      const auto [it, is_new] = chosen.try_emplace(point.bodies, point);
      if (is_new || !point.cell->step) continue;
      if (!it->second.cell->step || *point.cell->step < *it->second.cell->step) it->second = point;
    }
    std::vector<StepCostPoint> list;
    for (const auto& [bodies, point] : chosen) list.push_back(point);
    return list;
  }
};

// "family:bodies=200,loops=5" without "bodies" -> "family:loops=5"; `mark` stands for what is left out.
std::string Without(const std::string& option, const std::string& mark, const std::string& name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) return name;
  std::string kept;
  std::istringstream options(name.substr(colon + 1));
  for (std::string one; std::getline(options, one, ',');) {
    if (one.starts_with(option + "=")) one = mark;
    if (!one.empty()) kept += (kept.empty() ? ":" : ",") + one;
  }
  return name.substr(0, colon) + kept;
}

// A curve against bodies has one point per number of bodies. Where members of a family share theirs, those
// that differ in one option alone, and so in bodies, are a family of their own.
std::string Likes(const ProblemResults& problem, const std::vector<const ProblemResults*>& family) {
  const auto has_own_sizes = [](const std::vector<const ProblemResults*>& members) {
    std::set<double> sizes;
    return std::all_of(members.begin(), members.end(), [&sizes](const ProblemResults* one) {
      const auto bodies = Number(one->document, "bodies");
      return !bodies || sizes.insert(*bodies).second;
    });
  };
  if (has_own_sizes(family)) return FamilyOf(problem);
  std::istringstream options(problem.name.substr(problem.name.find(':') + 1));
  for (std::string one; std::getline(options, one, ',');) {
    const std::string option = one.substr(0, one.find('=')),
                      mark = option == "bodies" ? "" : option;
    const std::string own = Without(option, mark, problem.name);
    std::vector<const ProblemResults*> alike;
    for (const ProblemResults* other : family) {
      if (other->name.find(option + "=") != std::string::npos &&
          Without(option, mark, other->name) == own)
        alike.push_back(other);
    }
    if (own != problem.name && alike.size() > 1 && has_own_sizes(alike)) return own;
  }
  return Without("bodies", "", problem.name);
}

// One curve per method and bench, in the order in which they are met.
std::vector<EvaluationErrorCurve> EvaluationErrors(
    const std::vector<const ProblemResults*>& problems) {
  std::vector<EvaluationErrorCurve> curves;
  for (const ProblemResults* problem : problems) {
    const auto bodies = Number(problem->document, "bodies");
    if (!problem->agreement || !bodies) continue;
    const AgreementRecord& agreement = OrNone(problem->agreement->record.agreement);
    for (const MethodAgreementRecord& method : agreement.methods) {
      const std::string& spec = method.method;
      auto curve = std::find_if(curves.begin(), curves.end(), [&](const auto& one) {
        return one.method == spec && one.bench == problem->bench.name;
      });
      if (curve == curves.end())
        curve = curves.insert(curves.end(), {spec, spec, problem->bench.name, {}, {}});
      std::string reason = method.reason;
      if (!method.error && reason.empty()) reason = "no truth to judge it by: " + agreement.truth;
      curve->points.push_back({problem, *bodies, method.error, std::move(reason), method.condition,
                               method.order, method.condition_of});
    }
  }
  for (EvaluationErrorCurve& curve : curves) {
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const auto& a, const auto& b) { return a.bodies < b.bodies; });
    std::vector<double> x, y;
    for (const EvaluationErrorPoint& point : curve.points) {
      // one that failed at some of its states is not known by the others
      if (!point.error || *point.error <= 0 || !point.reason.empty()) continue;
      x.push_back(point.bodies), y.push_back(*point.error);
    }
    curve.fit = FitPower(x, y);
  }
  return curves;
}

FamilyScaling ScalingOf(const std::string& family,
                        const std::vector<const ProblemResults*>& problems) {
  using Key =
      std::tuple<std::string, std::string, std::string>;  // method, integrator or what, bench
  std::vector<Key> step_order, evaluation_order;
  std::map<Key, StepCandidates> steps;
  std::map<Key, std::vector<EvaluationPoint>> evaluations;
  for (const ProblemResults* problem : problems) {
    const auto bodies = Number(problem->document, "bodies");
    for (const Cell& cell : problem->cells) {
      const auto cost = StepCost(cell);
      if (!cost || !bodies) continue;
      const Key key{cell.method, cell.integrator, problem->bench.name};
      if (steps[key].points.empty()) step_order.push_back(key);
      steps[key].points.push_back({problem, &cell, *bodies, *cost});
    }
    for (const Trial* trial : problem->evaluations) {
      const EvaluationRecord& record = OrNone(trial->record.evaluation);
      const MaybeNumber cost = trial->record.NanosecondsPerBody();
      const MaybeNumber size = record.bodies ? MaybeNumber(record.bodies) : bodies;
      if (!cost || !size || *cost <= 0 || trial->outcome != "ok") continue;
      const auto add = [&](const std::string& what, double nanoseconds) {
        const Key key{trial->method, what, problem->bench.name};
        if (evaluations[key].empty()) evaluation_order.push_back(key);
        evaluations[key].push_back({problem, trial, *size, nanoseconds});
      };
      const std::string& what = trial->record.what;
      add(what, *cost);
      if (const auto& batched = record.batched; batched && batched->nanoseconds_per_body > 0) {
        add(fmt::format("{} of {} states at once, per state", what, batched->states),
            batched->nanoseconds_per_body);
      }
    }
  }

  FamilyScaling scaling{family, "", {}, {}, EvaluationErrors(problems)};
  std::set<std::string> benches;
  for (const ProblemResults* problem : problems) benches.insert(problem->bench.name);
  const auto suffix = [&benches](const std::string& bench) {
    return benches.size() > 1 ? " (" + bench + ")" : "";
  };
  for (EvaluationErrorCurve& curve : scaling.errors) curve.name += suffix(curve.bench);
  for (const Key& key : step_order) {
    const auto& [method, integrator, bench] = key;
    StepCostCurve curve{method, integrator,          method + ", " + integrator + suffix(bench),
                        bench,  steps[key].Choose(), {}};
    std::vector<double> x, y;
    for (const StepCostPoint& point : curve.points)
      x.push_back(point.bodies), y.push_back(point.seconds_per_step);
    curve.fit = FitPower(x, y);
    scaling.steps.push_back(std::move(curve));
  }
  for (const Key& key : evaluation_order) {
    const auto& [method, what, bench] = key;
    EvaluationCurve curve{method,           what, method + ", " + what + suffix(bench), bench,
                          evaluations[key], {}};
    std::stable_sort(
        curve.points.begin(), curve.points.end(),
        [](const EvaluationPoint& a, const EvaluationPoint& b) { return a.bodies < b.bodies; });
    std::vector<double> x, y;
    for (const EvaluationPoint& point : curve.points)
      x.push_back(point.bodies), y.push_back(point.nanoseconds_per_body);
    curve.fit = FitPower(x, y);
    scaling.evaluations.push_back(std::move(curve));
  }
  return scaling;
}

}  // namespace

std::vector<FamilyScaling> Scaling(const Comparison& comparison) {
  std::map<std::string, std::vector<const ProblemResults*>> relatives;
  for (const ProblemResults& problem : comparison.problems)
    relatives[FamilyOf(problem)].push_back(&problem);
  std::vector<std::string> order;
  std::map<std::string, std::vector<const ProblemResults*>> families;
  for (const ProblemResults& problem : comparison.problems) {
    const std::string family = Likes(problem, relatives[FamilyOf(problem)]);
    if (families[family].empty()) order.push_back(family);
    families[family].push_back(&problem);
  }
  std::vector<FamilyScaling> list;
  std::set<std::string> stems;
  for (const std::string& family : order) {
    std::set<double> sizes;
    for (const ProblemResults* problem : families[family]) {
      if (const auto bodies = Number(problem->document, "bodies")) sizes.insert(*bodies);
    }
    if (sizes.size() < 2) continue;
    list.push_back(ScalingOf(family, families[family]));
    list.back().stem = TakeStem(family, stems);
  }
  return list;
}

std::optional<LogLogFit> FitPower(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.empty() || x.back() < kLeastRange * x.front()) return std::nullopt;
  auto fit = FitLogLog(x, y);
  return fit && fit->points >= kFewestSizes ? fit : std::nullopt;
}

// Standard error of a slope from which on the points lie on no line.
constexpr double kNoPowerLaw = 0.3;

std::string FormatSlope(const std::optional<LogLogFit>& fit) {
  if (!fit) return "-";
  const std::string spread =
      fit->standard_error ? fmt::format(" ± {:.2f}", *fit->standard_error) : "";
  return fmt::format("{}{:.2f}{} ({} sizes)",
                     fit->standard_error > kNoPowerLaw ? "no power law: " : "", fit->slope, spread,
                     fit->points);
}

}  // namespace mbsbench::reports
