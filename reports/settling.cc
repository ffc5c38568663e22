// The conventional way to a steady state, compared with Newton: driven motions integrated until they settle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <list>

#include "reports/columns.h"
#include "reports/format.h"
#include "reports/sections.h"
#include "reports/steady.h"

namespace mbsbench::reports {

namespace {

constexpr double kLanded = 1e-2;   // from a steady state, in rad and L: this is where it goes
constexpr double kCoarse = 1e-3;   // settled for the eye
constexpr double kSettled = 1e-6;  // settled as an integrator at a usual tolerance has it
constexpr double kLastPart = 0.2;  // of the motion: what still swings there has not settled
constexpr int kDigits = 10;

struct SteadyState {
  std::vector<double> q;  // in the order of the joints of the motion
  bool stable = false;
};

// One motion relative to its drivers, from the record of a cell.
struct SettlingMotion {
  const Cell* cell = nullptr;
  std::vector<std::string> joints;
  std::vector<double> scale;  // 1 for angles, L for lengths
  std::vector<double> times;
  std::vector<std::vector<double>> q;  // per time
};

std::optional<SettlingMotion> MotionOf(const ProblemResults& problem, const Cell& cell) {
  const JointCoordinatesRecord& record = OrNone(RecordOf(cell).joint_coordinates);
  if (record.values.empty() || record.values.size() != record.times.size()) return std::nullopt;
  SettlingMotion motion{&cell, record.joints, {}, record.times, record.values};
  for (std::size_t i = 0; i < record.joints.size(); ++i) {
    const bool is_length = i < record.units.size() && record.units[i] == "m";
    motion.scale.push_back(is_length ? problem.record.length.value_or(1) : 1);
  }
  for (std::size_t k = 0; k < motion.q.size(); ++k) {
    if (motion.q[k].size() != motion.joints.size() || !IfFinite(motion.times[k]))
      return std::nullopt;
  }
  return motion;
}

// Those that the survey gives every joint of: nobody can be near to what is half known.
std::vector<SteadyState> StatesOf(const SteadySurveyRecord& survey,
                                  const std::vector<std::string>& joints) {
  std::vector<SteadyState> states;
  for (const FoundStateRecord& found : survey.equilibria.found) {
    SteadyState state;
    state.stable = found.stable.value_or(false);
    for (const std::string& joint : joints) {
      if (const MaybeNumber value = ValueOf(found.values, joint)) state.q.push_back(*value);
    }
    if (state.q.size() == joints.size()) states.push_back(std::move(state));
  }
  return states;
}

// Infinite where the motion was not recorded: what is not known is near to nothing.
double DistanceAt(const SettlingMotion& motion, std::size_t k, const SteadyState& state) {
  double distance = 0;
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    const double term = std::abs(motion.q[k][i] - state.q[i]) / motion.scale[i];
    if (!std::isfinite(term)) return INFINITY;
    distance = std::max(distance, term);
  }
  return distance;
}

// The nearest at sample k; only stable ones where asked for. States.size() when there is none.
std::size_t Nearest(const SettlingMotion& motion, std::size_t k,
                    const std::vector<SteadyState>& states, bool stable_only) {
  std::size_t nearest = states.size();
  double least = INFINITY;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (stable_only && !states[i].stable) continue;
    const double distance = DistanceAt(motion, k, states[i]);
    if (distance < least) least = distance, nearest = i;
  }
  return nearest;
}

// From which sample on it stays within `bound`.
std::optional<double> StaysWithin(const SettlingMotion& motion, const SteadyState& state,
                                  double bound) {
  std::optional<double> since;
  for (std::size_t k = motion.q.size(); k-- > 0;) {
    if (!(DistanceAt(motion, k, state) <= bound)) break;
    since = motion.times[k];
  }
  return since;
}

struct Landing {
  std::size_t on = 0, near = 0;           // states; their number where there is none
  std::optional<double> distance;         // from the nearest at the end
  std::optional<double> coarse, settled;  // [s]
};

Landing LandingOf(const SettlingMotion& motion, const std::vector<SteadyState>& states) {
  Landing landing;
  const std::size_t last = motion.q.size() - 1, none = states.size();
  landing.near = Nearest(motion, 0, states, true);
  landing.on = Nearest(motion, last, states, false);
  if (landing.on == none) return landing;
  landing.distance = DistanceAt(motion, last, states[landing.on]);
  // Passing by is not landing.
  if (!StaysWithin(motion, states[landing.on], kLanded) ||
      *StaysWithin(motion, states[landing.on], kLanded) >
          motion.times.back() - kLastPart * (motion.times.back() - motion.times.front())) {
    landing.on = none;
    return landing;
  }
  landing.coarse = StaysWithin(motion, states[landing.on], kCoarse);
  landing.settled = StaysWithin(motion, states[landing.on], kSettled);
  return landing;
}

std::string StateText(const SettlingMotion& motion, const SteadyState& state) {
  std::string text;
  for (std::size_t i = 0; i < state.q.size(); ++i)
    text += fmt::format("{}{} = {}", i > 0 ? ", " : "", motion.joints[i],
                        FormatDigits(state.q[i], kDigits));
  return text + (state.stable ? " (stable)" : " (unstable)");
}

std::string StillSwings(const SettlingMotion& motion) {
  const double from = motion.times.back() - kLastPart * (motion.times.back() - motion.times[0]);
  double least = INFINITY, most = -INFINITY;
  for (std::size_t k = 0; k < motion.q.size(); ++k) {
    if (motion.times[k] < from) continue;
    least = std::min(least, motion.q[k][0]);
    most = std::max(most, motion.q[k][0]);
  }
  if (!(least <= most)) return "none: the last part of its motion is not recorded";
  return fmt::format("none: {} still swings from {} to {}", motion.joints[0],
                     FormatDigits(least, 4), FormatDigits(most, 4));
}

const Cell* NewtonCell(const ProblemResults& problem) {
  for (const Cell& cell : problem.cells) {
    if (cell.integrator == kSteadySolver && cell.finished()) return &cell;
  }
  return nullptr;
}

// The run by which a method is judged: the cheapest that settles, else its finest.
struct Chosen {
  SettlingMotion motion;
  std::vector<SteadyState> states;
  Landing landing;
};
std::vector<Chosen> ChooseRuns(const ProblemResults& problem, const SteadySurveyRecord& survey) {
  std::vector<Chosen> chosen;
  for (const Cell& cell : problem.cells) {
    if (!cell.finished() || cell.integrator == kSteadySolver) continue;
    std::optional<SettlingMotion> motion = MotionOf(problem, cell);
    if (!motion) continue;
    std::vector<SteadyState> states = StatesOf(survey, motion->joints);
    const Landing landing = LandingOf(*motion, states);
    const auto known = std::ranges::find(chosen, cell.method,
                                         [](const Chosen& one) { return one.motion.cell->method; });
    if (known == chosen.end()) {
      chosen.push_back({std::move(*motion), std::move(states), landing});
      continue;
    }
    const auto cost = [](const Cell& c) { return c.cpu ? c.cpu->minimum : INFINITY; };
    const bool settles = landing.settled.has_value(), settled = known->landing.settled.has_value();
    const bool is_better = settles != settled ? settles
                           : settles          ? cost(cell) < cost(*known->motion.cell)
                           : cell.error && known->motion.cell->error
                               ? *cell.error < *known->motion.cell->error
                               : !known->motion.cell->error;
    if (is_better) *known = {std::move(*motion), std::move(states), landing};
  }
  return chosen;
}

Json PointsOf(const SettlingMotion& motion) {
  Json points = Json::array();
  for (std::size_t k = 0; k < motion.q.size(); ++k) {
    std::string text = fmt::format("t = {:.4g} s", motion.times[k]);
    for (std::size_t i = 0; i < motion.joints.size(); ++i)
      text += fmt::format(", {} = {:.6g}", motion.joints[i], motion.q[k][i]);
    points.push_back({motion.times[k], motion.q[k], text});
  }
  return points;
}

}  // namespace

std::vector<SettlingCost> SettlingCosts(const Comparison& comparison) {
  std::vector<SettlingCost> costs;
  for (const ProblemResults& problem : comparison.problems) {
    const Cell* newton = NewtonCell(problem);
    if (!newton || !newton->cpu || newton->cpu->minimum <= 0) continue;
    const SteadySurveyRecord& survey = OrNone(RecordOf(*newton).steady_survey);
    for (const Chosen& run : ChooseRuns(problem, survey)) {
      const Cell& cell = *run.motion.cell;
      if (run.landing.on < run.states.size() && cell.cpu)
        costs.push_back({problem.name, cell.method, ValueOfRatio(cell, *newton),
                         SpreadOf(cell.rounds, newton->rounds)});
    }
  }
  return costs;
}

namespace {

// A run of the table, or of those whose end states are not known.
struct SettlingRow {
  const ProblemResults* problem;
  const Cell* newton;
  const Chosen* run;
  const Cell& cell() const { return *run->motion.cell; }
  bool Lands() const { return run->landing.on < run->states.size(); }
  bool IsNear() const { return Lands() && run->landing.on == run->landing.near; }
  std::optional<double> Ratio() const {
    return cell().cpu && newton->cpu && Lands() ? std::optional(ValueOfRatio(cell(), *newton))
                                                : std::nullopt;
  }
  TableCell On() const {
    if (!Lands()) return {StillSwings(run->motion), nullptr, "weak"};
    return StateText(run->motion, run->states[run->landing.on]);
  }
  TableCell Nearest() const {
    if (IsNear()) return "yes";
    if (!Lands() || run->landing.near >= run->states.size()) return {"no", nullptr, "weak"};
    return {"no, that is " + StateText(run->motion, run->states[run->landing.near]), nullptr,
            "weak"};
  }
};

Table SettlingTable(const std::vector<SettlingRow>& rows) {
  return TableOf<SettlingRow>(
      "Newton and motions of the same problems: the cheapest run of each method that settles, "
      "else its finest",
      {{{"problem"}, [](auto& r) { return r.problem->name; }},
       {{"method"}, [](auto& r) { return r.cell().method; }},
       {{"integrator"}, [](auto& r) { return r.cell().integrator; }},
       {{"setting"}, [](auto& r) { return r.cell().Setting(); }},
       {SecondsColumn("CPU time of the whole motion", "cpu_s"),
        [](auto& r) { return r.cell().CpuMinimum(); }},
       {SecondsColumn("Newton's CPU time", "newton_cpu_s"),
        [](auto& r) { return r.newton->CpuMinimum(); }},
       {DigitsColumn("ratio of paired rounds", 3, "ratio"), &SettlingRow::Ratio},
       {{"lands on"}, &SettlingRow::On},
       {{"the stable one nearest to its start"}, &SettlingRow::Nearest},
       {ErrorColumn("distance at the end", "distance"),
        [](auto& r) { return r.run->landing.distance; }},
       {DigitsColumn("within 1e-3 after", 4, "within_1e-3_s", " s"),
        [](auto& r) { return r.run->landing.coarse; }},
       {DigitsColumn("within 1e-6 after", 4, "within_1e-6_s", " s"),
        [](auto& r) { return r.run->landing.settled; }},
       {CountColumn("Newton iterations", "newton_iterations"),
        [](auto& r) { return r.newton->counters.newton_iterations; }}},
      rows);
}

Figure SettlingFigure(const ProblemResults& problem, const SettlingMotion& motion,
                      const Cell& newton, Document& document) {
  Figure figure{
      .kind = "curves",
      .title = "Driven motion and steady state of " + problem.name,
      .summary = fmt::format("Joint coordinates relative to the drivers over time, by {}, {}, and "
                             "the steady state that Newton finds from the same start. Choose the "
                             "joint above the figure.",
                             motion.cell->Curve(), motion.cell->Setting()),
      .command = CommandOf(problem),
      .table = {"Coordinates over time", {{"time", true, "time_s"}}}};
  figure.table.in_markdown = false;
  for (const std::string& joint : motion.joints) figure.table.columns.push_back({joint, true});
  for (std::size_t k = 0; k < motion.q.size(); ++k) {
    std::vector<TableCell> row = {DigitsCell(motion.times[k], 4, " s")};
    for (double q : motion.q[k]) row.push_back(DigitsCell(q, 8));
    figure.table.rows.push_back(std::move(row));
  }
  const NamedValues<double>& unknowns = OrNone(RecordOf(newton).steady_state).unknowns;
  Json found = Json::array(), at_rest = Json::array();
  for (const std::string& joint : motion.joints)
    found.push_back(OptionalNumber(ValueOf(unknowns, joint)));
  for (const double time : {motion.times.front(), motion.times.back()})
    at_rest.push_back({time, found, "Newton from the start"});
  figure.data = {
      {"series",
       {{{"name", motion.cell->Curve()}, {"color", 0}, {"symbol", 0}, {"points", PointsOf(motion)}},
        {{"name", newton.method}, {"color", 1}, {"symbol", 1}, {"points", at_rest}}}},
      {"x", "time [s]"},
      {"quantities", motion.joints}};
  FileFigure("settling." + problem.stem + ".csv", figure, document);
  return figure;
}

}  // namespace

Section SettlingSection(const Comparison& comparison, Document& document) {
  Section section{"settling", "Newton and settling", {}};
  std::vector<std::string> without_states;
  std::vector<Figure> figures;
  std::list<std::vector<Chosen>> runs;
  std::vector<SettlingRow> rows;
  for (const ProblemResults& problem : comparison.problems) {
    const Cell* newton = NewtonCell(problem);
    if (!newton) continue;
    const auto& own =
        runs.emplace_back(ChooseRuns(problem, OrNone(RecordOf(*newton).steady_survey)));
    for (const Chosen& run : own) {
      if (run.states.empty()) {
        without_states.push_back(fmt::format("`{}` by {}", problem.name, run.motion.cell->Curve()));
      } else {
        rows.push_back({&problem, newton, &run});
      }
    }
    if (!own.empty())
      figures.push_back(SettlingFigure(problem, own.front().motion, *newton, document));
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
        "motion until it rests. Distances are from the steady states found above, in rad and in "
        "characteristic lengths. The time is that of the first sample after which the motion stays "
        "that near. {} of {} settled before the end. A motion without dampers never settles: its "
        "joints keep moving. The mean of such a motion is not a steady state.",
        std::ranges::count_if(rows, &SettlingRow::Lands), Plural(std::ssize(rows), "run"))});
    AddTable(SettlingTable(rows), "settling.csv", section, document);
  }
  for (Figure& figure : figures) section.blocks.push_back(std::move(figure));
  return section;
}

}  // namespace mbsbench::reports
