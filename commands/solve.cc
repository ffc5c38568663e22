// mbsbench solve: one problem by one method.
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "commands/commands.h"
#include "commands/observed_columns.h"
#include "commands/options.h"
#include "commands/text.h"
#include "harness/records/json_codec.h"
#include "harness/records/untried_limits.h"
#include "harness/runner/trials/accuracy_trial.h"
#include "harness/runner/trials/time_trial.h"
#include "harness/store/files.h"
#include "harness/store/printable.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/model/rope_flight.h"
#include "reports/format/render.h"

namespace mbsbench {

namespace {

struct SolveOptions {
  std::string problem, method;
  RobotOptions robot;
  CellSetting wish;
  double time_limit = 600;  // [s]
  bool json = false;
  std::string csv;
  std::string observe;
};

// A file to write a trajectory to, or standard output.
class CsvFile {
 public:
  explicit CsvFile(const std::string& name)
      : name_(name), file_(name.empty() ? stdout : std::fopen(name.c_str(), "w")) {
    if (file_ == nullptr) Fail();
  }
  ~CsvFile() {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  void Write(const std::string& line) {
    if (std::fputs(line.c_str(), file_) == EOF) Fail();
  }
  // Throws if the rest of the buffer does not fit on the disk.
  void Close() {
    std::FILE* const file = std::exchange(file_, nullptr);
    if ((file == stdout ? std::fflush(file) : std::fclose(file)) != 0) Fail();
  }

 private:
  [[noreturn]] void Fail() const {
    const std::string why = WriteFault(errno);
    throw ModelError(name_.empty()
                         ? "the trajectory cannot be written to standard output: " + why + "."
                         : "the file '" + name_ + "' cannot be written: " + why +
                               ". Give another one by --csv.");
  }

  std::string name_;
  std::FILE* file_;
};

std::string CsvHeader(const System& system, const std::vector<std::string>& observed) {
  std::string line = "time";
  for (const Body& body : system.bodies) {
    for (const char* column :
         {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"})
      line += "," + reports::CsvField(body.name + "." + column);
  }
  for (const std::string& column : observed) line += "," + reports::CsvField(column);
  return line + "\n";
}

std::string CsvRow(double time, std::span<const BodyState> bodies,
                   const std::vector<double>& observed) {
  std::string line;
  const auto put = [&line](double v) { fmt::format_to(std::back_inserter(line), "{}", v); };
  if (std::isfinite(time)) put(time);  // a steady state has no time
  for (const BodyState& b : bodies) {
    for (double v : {b.position.x, b.position.y, b.position.z, b.orientation.w, b.orientation.x,
                     b.orientation.y, b.orientation.z, b.velocity.x, b.velocity.y, b.velocity.z,
                     b.angular_velocity.x, b.angular_velocity.y, b.angular_velocity.z})
      line += ',', put(v);
  }
  for (double v : observed) {
    line += ',';
    if (std::isfinite(v)) put(v);  // NaN: no value, or not known
  }
  return line + "\n";
}

Json Metrics(const TrialRecord& record) {
  AccuracyRecord accuracy = *record.accuracy;
  accuracy.trajectory = {};
  Json metrics = ToJson(accuracy);
  metrics["time_reached"] = NumberOrNull(record.integration->time_reached);
  return metrics;
}

Json Cost(const TrialRecord& record) {
  Json cost = ToJson(*record.time);
  cost["control_seconds"] = NumberOrNull(record.control_seconds);
  cost["counters"] = ToJson(record.integration->counters);
  return cost;
}

void PrintSteadyState(const SteadyStateRecord& steady) {
  for (const auto& [name, value] : steady.unknowns.list) {
    Print(stderr, "{:<25} {:>20} {}\n", name,
          std::isfinite(value) ? fmt::format("{:.16g}", value) : "-", *steady.units.Find(name));
  }
  Print(stderr, "iteration  scaled residual  largest step\n");
  const std::vector<double>&residuals = steady.residual_history, &steps = steady.step_history;
  for (std::size_t k = 0; k < residuals.size(); ++k) {
    Print(stderr, "{:>9}  {:>15}  {:>12}\n", k, ShownNumber(residuals[k]),
          k == 0 || k > steps.size() ? "" : ShownNumber(steps[k - 1]));
  }
}

std::string Describe(const Cell& cell) {
  return fmt::format("{} by {}, {} {}{}", cell.problem, cell.method, cell.integrator,
                     cell.step ? fmt::format("with steps of {:g} s", *cell.step)
                               : fmt::format("at tolerance {:g}", *cell.tolerance),
                     cell.end_time ? fmt::format(", to {:g} s", *cell.end_time) : "");
}

void PrintSummary(const PreparedCell& prepared, const TrialResult& accuracy,
                  const std::optional<TrialResult>& time) {
  const auto line = [](const std::string& text) { Print(stderr, "{}\n", text); };
  line(Describe(prepared.cell));
  const Ending& ending = accuracy.ending;
  line(fmt::format("outcome   {}{}{}", Name(ending.outcome), ending.reason.empty() ? "" : ": ",
                   ending.reason));
  const TrialRecord& record = accuracy.record;
  if (record.steady_state) PrintSteadyState(*record.steady_state);
  if (const std::optional<ConditionRecord>& c = record.condition) {
    line(!c->condition_missing.empty()
             ? "digits    not measured: " + c->condition_missing
             : fmt::format(
                   "digits    {} left in the accelerations after round-off (condition {}); the "
                   "smaller value of the initial and the final state",
                   ShownNumber(c->digits_left), ShownNumber(c->condition)));
  }
  if (!record.accuracy) return;
  const AccuracyRecord& r = *record.accuracy;
  if (r.error) {
    std::string errors = fmt::format("error     {} (end {}, rms {}, velocities {}",
                                     ShownNumber(r.error->max), ShownNumber(r.error->end),
                                     ShownNumber(r.error->rms), ShownNumber(r.error->velocity_max));
    for (const auto& [kind, most] :
         {std::pair{"reactions", r.error->reactions_max},
          {"by the multipliers of steps", r.error->algorithmic_reactions_max}}) {
      if (most) errors += fmt::format(", {} {}", kind, ShownNumber(most));
    }
    line(errors + ")");
  }
  if (r.singular_samples) line("gap       " + Sentence(*r.singular_samples));
  std::string drift =
      fmt::format("drift     constraints {} and {} (velocities)", ShownNumber(r.position_drift_max),
                  ShownNumber(r.velocity_drift_max));
  for (const auto& [kind, most] : {std::pair{"energy", IfFinite(r.energy_drift_max)},
                                   {"linear momentum", r.linear_momentum_drift_max},
                                   {"angular momentum", r.angular_momentum_drift_max}}) {
    if (most) drift += fmt::format(", {} {}", kind, ShownNumber(most));
  }
  line(drift);
  for (const LibraryResult& m : r.library_measures)
    line(fmt::format("library   {}: {}", m.name, ShownNumber(m.value)));
  if (!time) return;
  const CountersRecord& c = time->record.integration->counters;
  const std::string seconds = ShownNumber(time->record.time->cpu_seconds);
  const std::int64_t kilobytes = *time->record.time->memory_bytes / 1024;
  line(
      record.steady_state
          ? fmt::format("cost      {} s of CPU time, {} iterations, {} kB", seconds,
                        *c.newton_iterations, kilobytes)
          : fmt::format("cost      {} s of CPU time, {} steps, {} evaluations, {} Jacobians, {} kB",
                        seconds, *c.steps, *c.evaluations, *c.jacobians, kilobytes));
}

// Ends the process when the time is over, because a method that hangs checks no clock. The last words are composed
// beforehand, because a signal handler may not allocate.
class TimeLimit {
 public:
  TimeLimit(double seconds, int descriptor, std::string last_words) {
    descriptor_ = descriptor;
    last_words_ = std::move(last_words);
    struct sigaction action {};
    action.sa_handler = [](int) {
      [[maybe_unused]] const ssize_t n = write(descriptor_, last_words_.data(), last_words_.size());
      _exit(kExitCellFailed);
    };
    sigaction(SIGALRM, &action, nullptr);
    Set(seconds);
  }
  ~TimeLimit() { Set(0); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  static void Set(double seconds) {
    const double whole = std::floor(seconds);
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(whole);
    timer.it_value.tv_usec = static_cast<suseconds_t>(std::ceil(1e6 * (seconds - whole)));
    setitimer(ITIMER_REAL, &timer, nullptr);
  }

  static inline int descriptor_ = -1;
  static inline std::string last_words_;
};

Json SolveDocument(const Cell& cell, const Ending& ending) {
  Json document = ToJson(cell);
  document["outcome"] = Name(ending.outcome);
  document["reason"] = ending.reason;
  return document;
}

// The output for a cell that is not finished in time.
std::string TimeoutText(const Cell& cell, const SolveOptions& options) {
  const Ending ending{Outcome::kTimeout,
                      fmt::format("not finished after {:g} s", options.time_limit)};
  if (!options.json)
    return Printable(
        fmt::format("{}\noutcome   {}: {}\n", Describe(cell), Name(ending.outcome), ending.reason));
  Json document = SolveDocument(cell, ending);
  document["samples"] = Json::array();
  document["metrics"] = document["cost"] = nullptr;
  return Printable(TextOf(document)) + "\n";
}

// `name`: of the problem, with the options of a robot file.
int Solve(const SolveOptions& options, const std::string& name, const Problem& problem,
          const std::vector<MethodEntry>& methods) {
  const MethodChoice method = ChooseMethod(options.method, methods);
  const Cell cell = CompleteCell(problem, method, options.wish, ModelFileOf(name));
  std::optional<TimeLimit> limit;
  limit.emplace(options.time_limit, options.json ? STDOUT_FILENO : STDERR_FILENO,
                TimeoutText(cell, options));
  const PreparedCell prepared = PrepareCell(cell, methods);
  const Verdict verdict = Supports(method, problem.system, prepared.cell.integrator);
  const bool observes = !options.observe.empty();
  const bool has_algorithmic = observes && verdict.supported &&
                               method.entry->form == Form::kTimeStepper &&
                               prepared.MakeFormulation()->algorithmic_reactions() != nullptr;
  ObservedColumns columns(problem.system, prepared.initial, options.observe, has_algorithmic);
  const bool to_csv = !options.json || !options.csv.empty();
  std::optional<CsvFile> csv;

  Json samples = Json::array();
  TrialResult accuracy;
  std::optional<TrialResult> time;
  if (!verdict.supported) {
    accuracy.ending = {Outcome::kUnsupported, verdict.reason};
  } else {
    if (to_csv) csv.emplace(options.csv).Write(CsvHeader(problem.system, columns.names()));
    System grown = problem.system;
    try {
      const auto visit = [&](double t, const Observation& observation) {
        std::vector<double> observed;
        if (observes) observed = columns.ValuesOf(t, observation);
        if (options.json) {
          if (grown.bodies.size() < observation.bodies.size())
            grown = GrownSystem(problem.system, static_cast<int>(observation.bodies.size()) - 1);
          Json sample = SampleDocument(t, grown, observation.bodies);
          if (observes) sample["observed"] = observed;
          samples.push_back(std::move(sample));
        }
        const std::span<const BodyState> bodies = observation.bodies;
        if (to_csv)
          csv->Write(CsvRow(t, bodies.first(std::min(bodies.size(), problem.system.bodies.size())),
                            observed));
      };
      const auto follow = [&columns](double t, const std::vector<BodyState>& bodies) {
        columns.Follow(t, bodies);
      };
      accuracy =
          AccuracyTrial(prepared, visit, nullptr, observes ? Detail::kReactions : Detail::kMotion,
                        observes ? StepVisitor(follow) : StepVisitor());
      // The cost is measured on an integration that is neither observed nor judged.
      if (Finished(accuracy.ending.outcome) && Keeps(kTimes, LimitsOf(method)))
        time = TimeTrial(prepared);
    } catch (const std::bad_alloc&) {
      accuracy.ending = {Outcome::kOutOfMemory, "an allocation was refused"};
    }
  }

  limit.reset();
  if (csv) csv->Close();
  const Ending& ending = accuracy.ending;
  if (options.json) {
    Json document = SolveDocument(prepared.cell, ending);
    const TrialRecord& record = accuracy.record;
    if (record.steady_state) {
      for (Json& sample : samples) {
        sample["unknowns"] = ToJson(record.steady_state->unknowns);
        sample["residuals"] = ToJson(record.steady_state->residuals);
        sample["units"] = ToJson(record.steady_state->units);
      }
      document["iterations"] = ToJson(record.integration->counters.newton_iterations);
      document["residual_history"] = ToJson(record.steady_state->residual_history);
      document["step_history"] = ToJson(record.steady_state->step_history);
    }
    const ConditionRecord condition = record.condition.value_or(ConditionRecord{});
    document["condition"] = NumberOrNull(condition.condition);
    document["digits_left"] = NumberOrNull(condition.digits_left);
    if (observes) document["observed_columns"] = columns.names();
    if (const auto not_known = columns.NotKnown()) document["observed_not_known"] = *not_known;
    document["samples"] = std::move(samples);
    document["metrics"] = record.accuracy ? Metrics(record) : Json(nullptr);
    document["cost"] = time ? Cost(time->record) : Json(nullptr);
    PrintJson(document);
  } else {
    PrintSummary(prepared, accuracy, time);
    if (const auto not_known = columns.NotKnown()) Print(stderr, "observed  {}\n", *not_known);
  }
  const bool good = ending.outcome == Outcome::kOk || ending.outcome == Outcome::kNoReference;
  return good ? kExitOk : kExitCellFailed;
}

}  // namespace

void AddSolveCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "solve", "Solve one problem by one method: trajectory as CSV, and a summary",
      R"(The trajectory goes to standard output (time, then position of the mass centre, quaternion
wxyz, velocity and angular velocity of every body, inertial axes, SI units), the summary to standard
error. The problem is integrated at least twice: once observed and judged, then again to be timed.
--observe adds columns whose names end in their units: joint.angle_rad, joint.rate_rad_s,
joint.force_x_N (of the constraints on the child, inertial axes, at its joint frame),
joint.algorithmic_force_x_N (by the multipliers of the method's own steps, if it has some),
spring.tension_N, driver.effort_N. In --json they are 'observed_columns' and 'observed' of each
sample. Angles count full turns, exactly where a driver holds the joint, else by the rates at the
samples; where the samples are too far apart for that they are empty (null), and a line says so.
A steady state is one row without a time; the summary lists the unknowns and Newton's iterations.
For a system that grows the trajectory holds the initial bodies only; --json holds all bodies.

Examples:
  mbsbench solve pendulum riccati-mstmm > pendulum.csv
  mbsbench solve branch4 cartesian-dae:baumgarte --tolerance 1e-10 --json
  mbsbench solve branchN:bodies=500 riccati-mstmm --integrator rk4 --step 0.001 --end 0.5
  mbsbench solve fourbar riccati-mstmm --observe top,left_pin > fourbar.csv
  mbsbench solve governor steady-state-newton --json
  mbsbench solve robot.urdf articulated-body --state state.json --end 2

Exit codes: 0 ok, or no reference to judge by; 2 bad usage or input; 3 any other outcome; 4 internal
error.)");
  const auto options = std::make_shared<SolveOptions>();
  AddProblem(*command, options->problem);
  AddMethod(*command, options->method);
  AddOption(*command, "--integrator", options->wish.integrator, "KEY",
            "Key of an integrator (dopri5 for an ODE, ida for a DAE)");
  CLI::Option* const tolerance =
      AddNumber(*command, "--tolerance", options->wish.tolerance, "NUMBER", kTolerance,
                "Relative and absolute tolerance (1e-8)");
  AddNumber(*command, "--step", options->wish.step, "NUMBER", kAboveZero,
            "Fixed step [s], instead of a tolerance")
      ->excludes(tolerance);
  AddNumber(*command, "--end", options->wish.end_time, "NUMBER", kAboveZero,
            "End time [s] (the problem's own)");
  AddRobotOptions(*command, options->robot);
  AddNumber(*command, "--time-limit", options->time_limit, "S", kSeconds,
            "Seconds after which it is stopped");
  command->add_flag("--json", options->json, "Everything as one JSON document on standard output");
  AddOption(*command, "--csv", options->csv, "FILE",
            "Write the trajectory to this file instead of standard output");
  AddOption(
      *command, "--observe", options->observe, "NAMES",
      "Add columns: coordinates, rates and reactions of joints, forces of springs, efforts of "
      "drivers; their names, separated by commas, or all");
  command->callback([&context, options] {
    AskForEngines({options->method}, context);
    RobotOptions robot = options->robot;
    if (IsRobotFile(options->problem)) robot.end = options->wish.end_time;
    const std::string name = RobotOrProblem(options->problem, robot);
    const Problem problem = LoadMotion(name, robot.end.has_value());
    context.exit_code = ExitCodeOf(options->method, context,
                                   [&] { return Solve(*options, name, problem, context.methods); });
  });
}

}  // namespace mbsbench
