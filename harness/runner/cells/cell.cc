#include "harness/runner/cells/cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/runner/cells/shell_word.h"
#include "problems/io/catalog_names.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/model/names.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

constexpr double kDefaultTolerance = 1e-8;
constexpr double kDefaultResidual = 1e-14;  // of Newton's iteration: slightly above round-off
constexpr double kIntervals = 100;          // sample intervals per end time of a problem
// Beyond the problem's end; a longer time has wider intervals.
constexpr double kMostSamples = 10'000;

IntegratorEntry ChooseIntegrator(const std::string& wish, const MethodChoice& method) {
  const Form form = method.form();
  const std::string key = wish.empty() ? DefaultIntegrator(method) : wish;
  std::vector<std::string> all, fitting;
  for (const IntegratorEntry& entry : AllIntegrators()) {
    all.push_back(entry.key);
    if (IntegratorFor(method, entry)) fitting.push_back(entry.key);
  }
  const IntegratorEntry* entry = FindIntegrator(key);
  if (entry == nullptr)
    throw ModelError("there is no integrator '" + key + "'." + Suggestion(key, all));
  const std::optional<IntegratorEntry> fits = IntegratorFor(method, *entry);
  if (fits) return *fits;
  const std::string why =
      form == Form::kTimeStepper ? fmt::format("method '{}' has its own time steps", method.spec)
      : key == "own"
          ? fmt::format("method '{}' has no integrator of its own", method.spec)
          : fmt::format("integrator '{}' integrates equations of the form {}, method '{}' gives {}",
                        key, Name(entry->form), method.spec, Name(form));
  throw ModelError(fmt::format("{}: use {}.", why, fmt::join(fitting, " or ")));
}

}  // namespace

std::string_view Name(Origin origin) {
  constexpr std::array kNames{"ours", "engine", "plug-in"};
  return kNames.at(static_cast<std::size_t>(origin));
}

std::string_view Name(Form form) {
  constexpr std::array kNames{"ode", "dae", "algebraic", "time stepper"};
  return kNames.at(static_cast<std::size_t>(form));
}

std::string_view Name(Evaluated what) {
  constexpr std::array kNames{"accelerations", "accelerations and reactions", "residual",
                              "residual and Jacobian", "step"};
  return kNames.at(static_cast<std::size_t>(what));
}

std::vector<Evaluated> EvaluationsOf(Form form) {
  using enum Evaluated;
  static const std::array<std::vector<Evaluated>, 4> kOfForms{
      {{kAccelerations}, {kResidual, kResidualAndJacobian}, {kResidualAndJacobian}, {kStep}}};
  return kOfForms.at(static_cast<std::size_t>(form));
}

std::string DefaultIntegrator(const MethodChoice& method) {
  constexpr std::array kOfForms{"dopri5", "ida", "kinsol", "own"};
  return kOfForms.at(static_cast<std::size_t>(method.form()));
}

Problem ProblemOf(const Cell& cell) { return LoadProblem(cell.problem_or_file()); }

std::string ModelFileOf(const std::string& name_or_file) {
  return IsCatalogueName(name_or_file) ? "" : name_or_file;
}

std::string CommandOn(const Cell& cell, const std::string& verb) {
  std::string command = fmt::format("mbsbench {} {} {}", verb, ShellWord(cell.problem_or_file()),
                                    ShellWord(cell.method));
  if (!cell.integrator.empty()) command += " --integrator " + cell.integrator;
  if (cell.tolerance) command += fmt::format(" --tolerance {}", *cell.tolerance);
  if (cell.step) command += fmt::format(" --step {}", *cell.step);
  return command;
}

std::string SolveCommand(const Cell& cell) {
  std::string command = CommandOn(cell, "solve");
  if (cell.end_time) command += fmt::format(" --end {}", *cell.end_time);
  return command;
}

Cell CompleteCell(const Problem& problem, const MethodChoice& method, const CellSetting& wish,
                  const std::string& model_file) {
  const IntegratorEntry integrator = ChooseIntegrator(wish.integrator, method);
  if (wish.step && !integrator.fixed_step) {
    throw ModelError("integrator '" + integrator.key +
                     "' has no fixed step: give --tolerance instead of --step.");
  }
  if (wish.tolerance && !integrator.adaptive) {
    throw ModelError("integrator '" + integrator.key +
                     "' has a fixed step only: give --step instead of --tolerance.");
  }
  Cell cell{problem.name, method.spec, integrator.key, wish.tolerance, wish.step, {}, model_file};
  if (integrator.form == Form::kAlgebraic) {
    if (wish.end_time) {
      throw ModelError("method '" + method.spec +
                       "' gives a steady state, which has no end time: leave out --end.");
    }
    if (!cell.tolerance) cell.tolerance = kDefaultResidual;
    return cell;
  }
  if (wish.end_time && *wish.end_time < kShortestMotion) {
    throw ModelError(
        fmt::format("--end {} is shorter than {} s, the shortest motion: give a longer time.",
                    *wish.end_time, kShortestMotion));
  }
  cell.end_time = wish.end_time.value_or(problem.end_time);
  if (!cell.tolerance && !cell.step) {
    if (integrator.adaptive)
      cell.tolerance = kDefaultTolerance;
    else
      cell.step = std::min(problem.papers_step, *cell.end_time);
  }
  if (cell.step && *cell.step > *cell.end_time) {
    throw ModelError(
        fmt::format("--step {} is longer than the whole time of {} s: give a shorter one.",
                    *cell.step, *cell.end_time));
  }
  const auto limit = static_cast<double>(IntegrationSettings{}.step_limit);
  if (cell.step && *cell.end_time / *cell.step > limit) {
    throw ModelError(fmt::format("{} {} s needs more than {:g} steps to {} s: give a longer {}.",
                                 wish.step ? "--step" : "the problem's own step of", *cell.step,
                                 limit, *cell.end_time, wish.step ? "one" : "--step"));
  }
  if (cell.step) cell.step = DividingStep(problem, *cell.step);
  return cell;
}

double SampleInterval(const Problem& problem) { return problem.end_time / kIntervals; }

double DividingStep(const Problem& problem, double step) {
  constexpr double kRoundOff = 1e-9;
  const double interval = SampleInterval(problem);
  const auto next = std::lower_bound(problem.sample_times.begin(), problem.sample_times.end(),
                                     interval * (1 - kRoundOff));
  const bool is_sample = next != problem.sample_times.end() && *next <= interval * (1 + kRoundOff);
  const double parts = interval / step, whole = std::ceil(parts * (1 - kRoundOff));
  if (!is_sample || std::abs(parts - whole) <= kRoundOff * whole) return step;
  return interval / whole;
}

std::vector<double> SampleTimesUntil(const Problem& problem, double end_time) {
  const double same = 1e-12 * std::max(end_time, problem.end_time);
  std::vector<double> times;
  for (double t : problem.sample_times) {
    if (t <= end_time + same) times.push_back(t);
  }
  if (end_time > problem.end_time + same) {
    const double rest = end_time - problem.end_time;
    const double wanted = std::ceil(rest / problem.end_time * kIntervals);
    const double more = std::min(wanted, kMostSamples);
    for (double k = 1; k <= more; ++k) {
      const double t = problem.end_time * (1 + k / kIntervals);
      times.push_back(wanted > more ? problem.end_time + rest * k / more : std::min(t, end_time));
    }
  }
  if (times.empty() || times.back() < end_time - same) times.push_back(end_time);
  return times;
}

}  // namespace mbsbench
