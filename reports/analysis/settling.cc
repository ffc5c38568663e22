#include "reports/analysis/settling.h"

#include <algorithm>
#include <cmath>

namespace mbsbench::reports {

namespace {

// Distances from a steady state, in rad and L.
constexpr double kLanded = 1e-2;
constexpr double kSettled = 1e-6;  // settled to a usual tolerance of an integrator
constexpr double kLastPart = 0.2;  // of the motion, in which it has to stay near

// The found states for which the survey gives every joint.
std::vector<SteadyState> StatesOf(const SteadySurveyRecord& survey,
                                  const std::vector<std::string>& joints) {
  std::vector<SteadyState> states;
  for (const FoundStateRecord& found : survey.equilibria.found) {
    SteadyState state;
    state.stability = StabilityText(found.stable, found.neutral);
    for (const std::string& joint : joints) {
      if (const MaybeNumber value = ValueOf(found.values, joint)) state.q.push_back(*value);
    }
    if (state.q.size() == joints.size()) states.push_back(std::move(state));
  }
  return states;
}

// Infinite if a coordinate was not recorded.
double DistanceAt(const SettlingRun& run, std::size_t k, const SteadyState& state) {
  double distance = 0;
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    const double term = std::abs(run.q[k][i] - state.q[i]) / run.scale[i];
    if (!std::isfinite(term)) return INFINITY;
    distance = std::max(distance, term);
  }
  return distance;
}

// The time from which on it stays within `bound`.
std::optional<double> StaysWithin(const SettlingRun& run, const SteadyState& state, double bound) {
  std::optional<double> since;
  for (std::size_t k = run.q.size(); k-- > 0;) {
    if (!(DistanceAt(run, k, state) <= bound)) break;
    since = run.times[k];
  }
  return since;
}

// Passing a state is not landing on it: the motion has to stay near it for its whole last part.
void Land(SettlingRun& run) {
  const std::size_t last = run.q.size() - 1;
  const SteadyState* nearest = nullptr;
  for (const SteadyState& state : run.states) {
    const double distance = DistanceAt(run, last, state);
    if (distance < run.distance.value_or(INFINITY)) run.distance = distance, nearest = &state;
  }
  if (!nearest) return;
  const auto landed = StaysWithin(run, *nearest, kLanded);
  const double last_part = run.times.back() - kLastPart * (run.times.back() - run.times.front());
  if (!landed || *landed > last_part) return;
  run.on = static_cast<std::size_t>(nearest - run.states.data());
  run.settled = StaysWithin(run, *nearest, kSettled);
}

// Empty where the cell recorded no joint coordinates, or their turns are not known.
std::optional<SettlingRun> RunOf(const ProblemResults& problem, const Cell& newton,
                                 const Cell& cell) {
  const JointCoordinatesRecord& record = OrNone(RecordOf(cell).joint_coordinates);
  if (record.values.empty() || record.values.size() != record.times.size()) return std::nullopt;
  SettlingRun run{&problem, &newton, &cell, record.joints, {}, record.times, record.values, {}};
  for (std::size_t i = 0; i < record.joints.size(); ++i) {
    const bool is_length = i < record.units.size() && record.units[i] == "m";
    run.scale.push_back(is_length ? problem.record.length.value_or(1) : 1);
  }
  for (std::size_t k = 0; k < run.q.size(); ++k) {
    if (run.q[k].size() != run.joints.size() || !IfFinite(run.times[k])) return std::nullopt;
    if (!std::ranges::all_of(run.q[k], [](double q) { return std::isfinite(q); }))
      return std::nullopt;
  }
  run.states = StatesOf(OrNone(RecordOf(newton).steady_survey), run.joints);
  Land(run);
  return run;
}

// Whether a method is judged by `run` rather than by `other`: by the cheapest that settles, else by its finest.
bool IsBetter(const SettlingRun& run, const SettlingRun& other) {
  const auto cost = [](const Cell& cell) { return cell.CpuMinimum().value_or(INFINITY); };
  if (run.settled.has_value() != other.settled.has_value()) return run.settled.has_value();
  if (run.settled) return cost(*run.cell) < cost(*other.cell);
  return run.cell->error && other.cell->error ? *run.cell->error < *other.cell->error
                                              : !other.cell->error;
}

}  // namespace

std::string StabilityText(std::optional<bool> stable, std::optional<bool> neutral) {
  if (!stable) return "not known";
  if (!*stable) return "unstable";
  return neutral.value_or(false) ? "neutral" : "stable";
}

std::vector<SettlingRun> RunsOf(const ProblemResults& problem) {
  const auto newton = std::ranges::find_if(problem.cells, [](const Cell& cell) {
    return cell.integrator == kSteadySolver && cell.finished();
  });
  std::vector<SettlingRun> runs;
  if (newton == problem.cells.end()) return runs;
  for (const Cell& cell : problem.cells) {
    if (!cell.finished() || cell.integrator == kSteadySolver) continue;
    std::optional<SettlingRun> run = RunOf(problem, *newton, cell);
    if (!run) continue;
    const auto known = std::ranges::find(runs, cell.method,
                                         [](const SettlingRun& one) { return one.cell->method; });
    if (known == runs.end()) {
      runs.push_back(std::move(*run));
    } else if (IsBetter(*run, *known)) {
      *known = std::move(*run);
    }
  }
  return runs;
}

std::vector<SettlingCost> SettlingCosts(const Comparison& comparison) {
  std::vector<SettlingCost> costs;
  for (const ProblemResults& problem : comparison.problems) {
    for (const SettlingRun& run : RunsOf(problem)) {
      const auto ratio = run.Ratio();
      if (ratio && run.newton->cpu->minimum > 0)
        costs.push_back({problem.name, run.cell->method, *ratio});
    }
  }
  return costs;
}

}  // namespace mbsbench::reports
