// Newton's method compared with the conventional way to a steady state: a driven, damped motion that settles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/columns.h"
#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/noise.h"
#include "reports/sections.h"
#include "reports/steady.h"

namespace mbsbench::reports {

namespace {

// Distances from a steady state, in rad and L.
constexpr double kLanded = 1e-2;
constexpr double kCoarse = 1e-3;   // settled to the eye
constexpr double kSettled = 1e-6;  // settled to a usual tolerance of an integrator
constexpr double kLastPart = 0.2;  // of the motion, in which it has to stay near
constexpr int kDigits = 10;

struct SteadyState {
  std::vector<double> q;  // in the order of the joints of the motion
  std::string stability = {};
  bool stable = false;  // or neutral
};

// A motion relative to its drivers, from the record of a cell, and the steady state on which it lands.
struct SettlingRun {
  const ProblemResults* problem = nullptr;
  const Cell *newton = nullptr, *cell = nullptr;
  std::vector<std::string> joints;
  std::vector<double> scale;  // 1 for angles, L for lengths
  std::vector<double> times;
  std::vector<std::vector<double>> q;  // per time
  std::vector<SteadyState> states;

  // Places among the states: where it lands; the stable one nearest to its start.
  std::optional<std::size_t> on = {}, near = {};
  std::optional<double> distance = {};              // from the nearest state at the end
  std::optional<double> coarse = {}, settled = {};  // [s]

  std::optional<TimeRatio> Ratio() const {
    return on && cell->cpu && newton->cpu ? std::optional(RatioOf(*cell, *newton)) : std::nullopt;
  }
  double LastPartFrom() const { return times.back() - kLastPart * (times.back() - times.front()); }
};

// The found states for which the survey gives every joint.
std::vector<SteadyState> StatesOf(const SteadySurveyRecord& survey,
                                  const std::vector<std::string>& joints) {
  std::vector<SteadyState> states;
  for (const FoundStateRecord& found : survey.equilibria.found) {
    SteadyState state;
    state.stability = StabilityText(found);
    state.stable = found.stable.value_or(false);
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

// The nearest at sample k, by its place; only stable ones if asked. Empty where none is at a finite distance.
std::optional<std::size_t> NearestState(const SettlingRun& run, std::size_t k, bool stable_only) {
  std::optional<std::size_t> nearest;
  double least = INFINITY;
  for (std::size_t i = 0; i < run.states.size(); ++i) {
    if (stable_only && !run.states[i].stable) continue;
    const double distance = DistanceAt(run, k, run.states[i]);
    if (distance < least) least = distance, nearest = i;
  }
  return nearest;
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
  run.near = NearestState(run, 0, true);
  const auto nearest = NearestState(run, last, false);
  if (!nearest) return;
  const SteadyState& state = run.states[*nearest];
  run.distance = DistanceAt(run, last, state);
  const auto landed = StaysWithin(run, state, kLanded);
  if (!landed || *landed > run.LastPartFrom()) return;
  run.on = nearest;
  run.coarse = StaysWithin(run, state, kCoarse);
  run.settled = StaysWithin(run, state, kSettled);
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

// One for each method; none where Newton's method was not run.
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

bool CanSettle(const SettlingRun& run) {
  return run.on || std::ranges::any_of(run.states, [](const SteadyState& state) {
           return state.stable && state.stability != "neutral";
         });
}

// A motion that no damping acts on comes to rest nowhere: all its states are neutral or unstable.
bool IsUndamped(const SettlingRun& run) {
  return !CanSettle(run) && !run.states.empty() &&
         std::ranges::all_of(run.states, [](const SteadyState& state) {
           return state.stability == "neutral" || state.stability == "unstable";
         });
}

std::string SettledRuns(const std::vector<SettlingRun>& runs) {
  const auto able = std::ranges::count_if(runs, CanSettle);
  const auto undamped = std::ranges::count_if(runs, IsUndamped);
  const auto others = std::ssize(runs) - able - undamped;
  std::string text;
  if (able > 0)
    text = fmt::format(
        "{} of {} that can settle did so before the end. ",
        std::ranges::count_if(runs, [](const SettlingRun& run) { return run.on.has_value(); }),
        Plural(able, "run"));
  if (undamped > 0)
    text += fmt::format(
        "{} cannot settle, because nothing damps the motion: the joints keep "
        "moving, and their mean is not a steady state. ",
        Plural(undamped, able > 0 ? "other run" : "run"));
  if (others > 0)
    text +=
        fmt::format("Whether {} can settle is not known, because the stability of a state is not. ",
                    Plural(others, able + undamped > 0 ? "other run" : "run"));
  return text;
}

std::string StateText(const SettlingRun& run, std::size_t place) {
  const SteadyState& state = run.states[place];
  std::string text;
  for (std::size_t i = 0; i < state.q.size(); ++i)
    text += fmt::format("{}{} = {}", i > 0 ? ", " : "", run.joints[i],
                        FormatDigits(state.q[i], kDigits));
  return text + " (" + state.stability + ")";
}

TableCell LandsOn(const SettlingRun& run) {
  if (run.on) return StateText(run, *run.on);
  double least = INFINITY, most = -INFINITY;
  for (std::size_t k = 0; k < run.q.size(); ++k) {
    if (run.times[k] < run.LastPartFrom()) continue;
    least = std::min(least, run.q[k][0]);
    most = std::max(most, run.q[k][0]);
  }
  if (!(least <= most))
    return {"none: the last part of its motion is not recorded", nullptr, "weak"};
  return {fmt::format("none: {} still swings from {} to {}", run.joints[0], FormatDigits(least, 4),
                      FormatDigits(most, 4)),
          nullptr, "weak"};
}

TableCell NearestToStart(const SettlingRun& run) {
  if (run.on && run.on == run.near) return "yes";
  if (!run.on || !run.near) return {"no", nullptr, "weak"};
  return {"no, that is " + StateText(run, *run.near), nullptr, "weak"};
}

Json PointsOf(const SettlingRun& run) {
  Json points = Json::array();
  for (std::size_t k = 0; k < run.q.size(); ++k) {
    std::string text = fmt::format("t = {:.4g} s", run.times[k]);
    for (std::size_t i = 0; i < run.joints.size(); ++i)
      text += fmt::format(", {} = {:.6g}", run.joints[i], run.q[k][i]);
    points.push_back({run.times[k], run.q[k], text});
  }
  return points;
}

Table SettlingTable(const std::vector<SettlingRun>& rows) {
  return TableOf<SettlingRun>(
      "Newton and motions of the same problems: the cheapest run of each method that settles, "
      "else its finest. CPU times are those of the whole motion, to its end time, and of Newton's "
      "method; ratios are those of paired rounds",
      {{{"problem"}, [](auto& r) { return r.problem->name; }},
       {{"method"}, [](auto& r) { return r.cell->method; }},
       {{"integrator"}, [](auto& r) { return r.cell->integrator; }},
       {OnPage({"setting, CPU time"}),
        [](auto& r) { return WithLine({r.cell->Setting()}, TimeCell(*r.cell).text); }},
       {FileColumn("setting"), [](auto& r) { return r.cell->Setting(); }},
       {FileColumn("cpu_s"), [](auto& r) { return TimeCell(*r.cell); }},
       {OnPage({"Newton", true}),
        [](auto& r) {
          const auto count = r.newton->counters.newton_iterations;
          return WithLine(TimeCell(*r.newton), count ? Plural(*count, "iteration") : "");
        }},
       {FileColumn("newton_cpu_s"), [](auto& r) { return TimeCell(*r.newton); }},
       {{"motion over Newton", true, "ratio"},
        [](auto& r) {
          const auto ratio = r.Ratio();
          if (!ratio) return TableCell{"-"};
          return NumberCell(
              fmt::format("{} ({})", FormatDigits(ratio->value, 3), Describe(ratio->spread)),
              ratio->value);
        }},
       {{"lands on"}, LandsOn},
       {{"nearest stable one", false, "the stable one nearest to its start"}, NearestToStart},
       {ErrorColumn("distance at the end", "distance"), &SettlingRun::distance},
       {OnPage({"within 1e-3, 1e-6 after", true}),
        [](auto& r) {
          return WithLine(DigitsCell(r.coarse, 4, " s"), DigitsCell(r.settled, 4, " s").text);
        }},
       {FileColumn("within_1e-3_s"), &SettlingRun::coarse},
       {FileColumn("within_1e-6_s"), &SettlingRun::settled},
       {FileColumn("newton_iterations"),
        [](auto& r) { return r.newton->counters.newton_iterations; }}},
      rows);
}

Figure SettlingFigure(const SettlingRun& run, Document& document) {
  const ProblemResults& problem = *run.problem;
  const Cell &cell = *run.cell, &newton = *run.newton;
  Figure figure{
      .kind = "curves",
      .title = "Driven motion and steady state of " + problem.name,
      .summary = fmt::format("Joint coordinates relative to the drivers over time, by {}, {}, and "
                             "the steady state that Newton finds from the same start. Choose the "
                             "joint above the figure.",
                             cell.Curve(), cell.Setting()),
      .command = CommandOf(problem),
      .table = {"Coordinates over time", {{"time", true, "time_s"}}}};
  figure.table.in_markdown = false;
  for (const std::string& joint : run.joints) figure.table.columns.push_back({joint, true});
  for (std::size_t k = 0; k < run.q.size(); ++k) {
    std::vector<TableCell> row = {DigitsCell(run.times[k], 4, " s")};
    for (double q : run.q[k]) row.push_back(DigitsCell(q, 8));
    figure.table.rows.push_back(std::move(row));
  }
  const NamedValues<double>& unknowns = OrNone(RecordOf(newton).steady_state).unknowns;
  Json found = Json::array(), at_rest = Json::array();
  for (const std::string& joint : run.joints)
    found.push_back(OptionalNumber(ValueOf(unknowns, joint)));
  for (const double time : {run.times.front(), run.times.back()})
    at_rest.push_back({time, found, "Newton from the start"});
  figure.data = {{"series",
                  {{{"name", cell.Curve()}, {"color", 0}, {"symbol", 0}, {"points", PointsOf(run)}},
                   {{"name", newton.method}, {"color", 1}, {"symbol", 1}, {"points", at_rest}}}},
                 {"x", "time [s]"},
                 {"quantities", run.joints}};
  FileFigure("settling." + problem.stem + ".csv", figure, document);
  return figure;
}

}  // namespace

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

Section SettlingSection(const Comparison& comparison, Document& document) {
  Section section{"settling", "Newton and settling", {}};
  std::vector<std::string> without_states;
  std::vector<Figure> figures;
  std::vector<SettlingRun> rows;
  for (const ProblemResults& problem : comparison.problems) {
    std::vector<SettlingRun> runs = RunsOf(problem);
    if (!runs.empty()) figures.push_back(SettlingFigure(runs.front(), document));
    for (SettlingRun& run : runs) {
      if (run.states.empty()) {
        without_states.push_back(fmt::format("`{}` by {}", problem.name, run.cell->Curve()));
      } else {
        rows.push_back(std::move(run));
      }
    }
  }
  if (!without_states.empty()) {
    section.blocks.push_back(Paragraph{
        fmt::format("The end states of these are not known, because no steady state with all of "
                    "their joints was found: {}.",
                    fmt::join(without_states, ", "))});
  }
  if (!rows.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "The conventional way to a steady state is to add a damper and to integrate the driven "
        "motion until it rests. Here it is integrated to its end time, and CPU times and ratios "
        "are those of this whole motion, even if it settled earlier. Distances are from the "
        "steady states found above, in rad and in characteristic lengths. `within 1e-6 after` is "
        "the time of the first sample after which the motion stays that near. {}",
        SettledRuns(rows))});
    AddTable(SettlingTable(rows), "settling.csv", section, document);
  }
  for (Figure& figure : figures) section.blocks.push_back(std::move(figure));
  return section;
}

}  // namespace mbsbench::reports
