#include "reports/analysis/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "reports/format/columns.h"
#include "reports/format/format.h"

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
std::vector<ScalingPoint> ChooseSteps(const std::vector<ScalingPoint>& points) {
  std::map<double, std::set<double>> sizes_of_tolerance;
  for (const ScalingPoint& point : points) {
    if (point.cell->tolerance) sizes_of_tolerance[*point.cell->tolerance].insert(point.bodies);
  }
  double tolerance = 0;
  std::size_t most = 0;
  for (const auto& [value, sizes] : sizes_of_tolerance) {  // rising: of equal ones the tightest
    if (sizes.size() > most) tolerance = value, most = sizes.size();
  }
  std::map<double, ScalingPoint> chosen;
  for (const ScalingPoint& point : points) {
    if (point.cell->tolerance && *point.cell->tolerance != tolerance) continue;
    const auto [it, is_new] = chosen.try_emplace(point.bodies, point);
    if (is_new || !point.cell->step) continue;
    if (!it->second.cell->step || *point.cell->step < *it->second.cell->step) it->second = point;
  }
  std::vector<ScalingPoint> list;
  for (const auto& [bodies, point] : chosen) list.push_back(point);
  return list;
}

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

// A curve has one point per number of bodies. Where members of a family have equal numbers, members that differ in one
// option alone form a family of their own.
std::string Likes(const ProblemResults& problem, const std::vector<const ProblemResults*>& family) {
  const auto has_own_sizes = [](const std::vector<const ProblemResults*>& members) {
    std::set<double> sizes;
    return std::all_of(members.begin(), members.end(), [&sizes](const ProblemResults* one) {
      const MaybeNumber bodies = one->record.bodies;
      return !bodies || sizes.insert(*bodies).second;
    });
  };
  if (has_own_sizes(family)) {
    // A tree and its closed loop differ in more than their bodies.
    const auto has_loops = [](const ProblemResults* one) {
      return one->record.loops.value_or(0) > 0;
    };
    const bool is_mixed =
        std::ranges::any_of(family, has_loops) && !std::ranges::all_of(family, has_loops);
    return FamilyOf(problem) + (is_mixed && has_loops(&problem) ? " with loops" : "");
  }
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

// One curve per method, quantity and bench, in the order in which they appear.
void Add(ScalingPoint point, std::vector<ScalingCurve>& curves) {
  FindOrAdd(
      curves,
      [&point](const ScalingCurve& one) {
        return one.method == point.method && one.of == point.of &&
               one.bench == point.problem->bench.name;
      },
      ScalingCurve{point.method, point.of, point.problem->bench.name})
      .points.push_back(std::move(point));
}

void AddErrors(const ProblemResults& problem, double bodies, std::vector<ScalingCurve>& curves) {
  if (!problem.agreement) return;
  const AgreementRecord& agreement = OrNone(problem.agreement->record.agreement);
  for (const MethodAgreementRecord& method : agreement.methods) {
    ScalingPoint point{&problem, method.method, "", bodies, method.error};
    point.accelerations = method;
    if (std::string& reason = point.accelerations.reason; !method.error && reason.empty())
      reason = "no truth to judge it by: " + agreement.truth;
    Add(std::move(point), curves);
  }
}

void AddEvaluation(const ProblemResults& problem, const Trial& trial, MaybeNumber bodies,
                   std::vector<ScalingCurve>& curves) {
  const EvaluationRecord& record = OrNone(trial.record.evaluation);
  const MaybeNumber cost = trial.record.NanosecondsPerBody();
  const MaybeNumber size = record.bodies ? MaybeNumber(record.bodies) : bodies;
  if (!cost || !size || *cost <= 0 || trial.outcome != "ok") return;
  const std::string& what = trial.record.what;
  Add({&problem, trial.method, what, *size, *cost, nullptr, &trial}, curves);
  if (const auto& batched = record.batched; batched && batched->nanoseconds_per_body > 0) {
    Add({&problem, trial.method,
         fmt::format("{} of {} states at once, per state", what, batched->states), *size,
         batched->nanoseconds_per_body, nullptr, &trial},
        curves);
  }
}

// Least squares over the logarithms; empty below the limits of scaling.h.
void Fit(ScalingCurve& curve) {
  if (curve.Range() < kLeastRange) return;
  std::vector<double> x, y;
  for (const ScalingPoint& point : curve.points)
    x.push_back(point.bodies), y.push_back(*point.value);
  curve.fit = FitLogLog(x, y);
  if (curve.fit && curve.fit->points < kFewestSizes) curve.fit.reset();
}

// The time of a result without a right digit does not count.
FamilyScaling ScalingOf(const std::string& family,
                        const std::vector<const ProblemResults*>& problems) {
  FamilyScaling scaling{family, "", {}, {}, {}};
  std::set<std::string> benches;
  for (const ProblemResults* problem : problems) {
    benches.insert(problem->bench.name);
    const MaybeNumber bodies = problem->record.bodies;
    for (const Cell& cell : problem->cells) {
      if (const auto cost = StepCost(cell); cost && bodies && HasDigits(*problem, cell.method))
        Add({problem, cell.method, cell.integrator, *bodies, *cost, &cell}, scaling.steps);
    }
    for (const Trial* trial : problem->evaluations) {
      if (HasDigits(*problem, trial->method))
        AddEvaluation(*problem, *trial, bodies, scaling.evaluations);
    }
    if (bodies) AddErrors(*problem, *bodies, scaling.errors);
  }
  for (ScalingCurve& curve : scaling.steps) curve.points = ChooseSteps(curve.points);
  for (auto* curves : {&scaling.steps, &scaling.evaluations, &scaling.errors}) {
    for (ScalingCurve& curve : *curves) {
      std::ranges::stable_sort(curve.points, {}, &ScalingPoint::bodies);
      curve.name = curve.method + (curve.of.empty() ? "" : ", " + curve.of) +
                   (benches.size() > 1 ? " (" + curve.bench + ")" : "");
      for (ScalingPoint& point : curve.points) point.family = family;
      if (curves != &scaling.errors) Fit(curve);
    }
  }
  return scaling;
}

}  // namespace

std::vector<FamilyScaling> Scaling(const Comparison& comparison, std::size_t fewest_sizes) {
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
      if (const MaybeNumber bodies = problem->record.bodies) sizes.insert(*bodies);
    }
    if (sizes.size() < fewest_sizes) continue;
    list.push_back(ScalingOf(family, families[family]));
    list.back().stem = TakeStem(family, stems);
  }
  return list;
}

// Above this standard error of a slope the points lie on no line.
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
