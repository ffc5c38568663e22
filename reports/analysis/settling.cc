#include "reports/analysis/settling.h"

#include <algorithm>
#include <cmath>

#include "reports/format/columns.h"

namespace mbsbench::reports {

namespace {

// Distances from a steady state, in rad and L.
constexpr double kLanded = 1e-2;
constexpr double kSettled = 1e-6;  // settled to a usual tolerance of an integrator
constexpr double kLastPart = 0.2;  // of the motion, in which it has to stay near

using Coordinates = std::vector<double>;  // in the order of the joints of a motion

// The found states for which the survey gives every joint.
std::vector<Coordinates> StatesOf(const SteadySurveyRecord& survey,
                                  const std::vector<std::string>& joints) {
  std::vector<Coordinates> states;
  for (const FoundStateRecord& found : survey.equilibria.found) {
    Coordinates state;
    for (const std::string& joint : joints) {
      if (const MaybeNumber value = ValueOf(found.values, joint)) state.push_back(*value);
    }
    if (state.size() == joints.size()) states.push_back(std::move(state));
  }
  return states;
}

// A motion relative to its drivers. Passing a state is not landing on it: it has to stay near it for its whole last part.
struct RelativeMotion {
  const Cell* cell = nullptr;
  bool has_landed = false, has_settled = false;
};

// Empty where the cell recorded no joint coordinates, or their turns are not known.
std::optional<RelativeMotion> RelativeMotionOf(const ProblemResults& problem, const Cell& newton,
                                               const Cell& cell) {
  const JointCoordinatesRecord& record = OrNone(RecordOf(cell).joint_coordinates);
  const std::vector<double>& times = record.times;
  const std::vector<Coordinates>& q = record.values;
  if (q.empty() || q.size() != times.size()) return std::nullopt;
  Coordinates scale;  // 1 for angles, L for lengths
  for (std::size_t i = 0; i < record.joints.size(); ++i) {
    const bool is_length = i < record.units.size() && record.units[i] == "m";
    scale.push_back(is_length ? problem.record.length.value_or(1) : 1);
  }
  for (std::size_t k = 0; k < q.size(); ++k) {
    if (q[k].size() != scale.size() || !IfFinite(times[k])) return std::nullopt;
    if (!std::ranges::all_of(q[k], [](double one) { return std::isfinite(one); }))
      return std::nullopt;
  }
  // Infinite if a coordinate of the state is not known.
  const auto distance_at = [&](std::size_t k, const Coordinates& state) -> double {
    double distance = 0;
    for (std::size_t i = 0; i < state.size(); ++i) {
      const double term = std::abs(q[k][i] - state[i]) / scale[i];
      if (!std::isfinite(term)) return INFINITY;
      distance = std::max(distance, term);
    }
    return distance;
  };
  const auto at_end = [&](const Coordinates& state) { return distance_at(q.size() - 1, state); };
  const std::vector<Coordinates> states =
      StatesOf(OrNone(RecordOf(newton).steady_survey), record.joints);
  RelativeMotion motion{&cell};
  const auto nearest = std::ranges::min_element(states, {}, at_end);
  if (nearest == states.end()) return motion;
  std::size_t stays = q.size();  // the first sample from which on it stays near
  while (stays > 0 && distance_at(stays - 1, *nearest) <= kLanded) --stays;
  const double last_part = times.back() - kLastPart * (times.back() - times.front());
  motion.has_landed = stays < q.size() && times[stays] <= last_part;
  motion.has_settled = motion.has_landed && at_end(*nearest) <= kSettled;
  return motion;
}

// Whether a method is judged by `one` rather than by `other`: by the cheapest that settles, else by its finest.
bool IsBetter(const RelativeMotion& one, const RelativeMotion& other) {
  const auto cost = [](const Cell& cell) { return cell.CpuMinimum().value_or(INFINITY); };
  if (one.has_settled != other.has_settled) return one.has_settled;
  if (one.has_settled) return cost(*one.cell) < cost(*other.cell);
  return one.cell->error && other.cell->error ? *one.cell->error < *other.cell->error
                                              : !other.cell->error;
}

}  // namespace

std::vector<SettlingCost> SettlingCosts(const Comparison& comparison) {
  std::vector<SettlingCost> costs;
  for (const ProblemResults& problem : comparison.problems) {
    const auto newton = std::ranges::find_if(problem.cells, [](const Cell& cell) {
      return cell.integrator == kSteadySolver && cell.finished();
    });
    if (newton == problem.cells.end() || newton->CpuMinimum().value_or(0) <= 0) continue;
    std::vector<RelativeMotion> motions;  // one of each method
    for (const Cell& cell : problem.cells) {
      if (!cell.finished() || cell.integrator == kSteadySolver) continue;
      const auto motion = RelativeMotionOf(problem, *newton, cell);
      if (!motion) continue;
      const auto is_own = [&cell](const auto& one) { return one.cell->method == cell.method; };
      RelativeMotion& known = FindOrAdd(motions, is_own, *motion);
      if (IsBetter(*motion, known)) known = *motion;
    }
    for (const RelativeMotion& one : motions) {
      if (one.has_landed && one.cell->cpu)
        costs.push_back({problem.name, one.cell->method, RatioWithSetUp(*one.cell, *newton)});
    }
  }
  return costs;
}

}  // namespace mbsbench::reports
