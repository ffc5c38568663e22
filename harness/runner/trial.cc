#include "harness/runner/trial.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "harness/control_kernel.h"
#include "harness/metrics/acceleration_error.h"
#include "harness/runner/checked_observe.h"
#include "harness/runner/evaluation_kernel.h"
#include "harness/runner/guarded_method.h"
#include "harness/runner/joint_coordinate_series.h"
#include "harness/runner/judged_evaluation.h"
#include "harness/runner/observation_document.h"
#include "harness/runner/random_states.h"
#include "harness/runner/shell_word.h"
#include "harness/runner/steady_trial.h"
#include "harness/runner/wall_clock.h"
#include "problems/model/error.h"
#include "problems/model/forces.h"
#include "reference/certificate.h"
#include "reference/certificate_paths.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// A round of a time trial repeats its integration for this long (it lasts 50 to 500 ms unless one
// integration is longer).
constexpr double kRoundSeconds = 0.05;
constexpr int kMostRepetitions = 2000;
// An evaluation trial takes the least of many batches.
constexpr double kBatchSeconds = 2e-3, kEvaluationSeconds = 0.15;

// FNV-1a, 64 bits, over the bytes of the state: equal only where every bit is.
std::string HashOf(const std::vector<double>& state) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (double value : state) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

// A line "VmRSS:  1234 kB" of /proc/self/status, in bytes.
std::int64_t StatusBytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(field + ":", 0) == 0) return 1024 * std::stoll(line.substr(field.size() + 1));
  }
  return 0;
}

// Resident memory above what the process held when this was made.
class MemoryMeter {
 public:
  MemoryMeter() {
    malloc_trim(0);                               // what was freed must not absorb what comes
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak starts anew
    before_ = StatusBytes("VmRSS");
  }
  std::int64_t PeakBytes() const {
    return std::max<std::int64_t>(0, StatusBytes("VmHWM") - before_);
  }

 private:
  std::int64_t before_;
};

Outcome OutcomeOf(const Status& failure) {
  return failure.code == Status::Code::kSingular       ? Outcome::kSingular
         : failure.code == Status::Code::kNotConverged ? Outcome::kNewtonFailed
                                                       : Outcome::kDiverged;
}

Json ToJson(const WorkCounters& c) {
  return {{"steps", c.steps},
          {"rejected_steps", c.rejected_steps},
          {"evaluations", c.evaluations},
          {"jacobians", c.jacobians},
          {"newton_iterations", c.newton_iterations},
          {"factorisations", c.factorisations},
          {"error_test_failures", c.error_test_failures},
          {"convergence_failures", c.convergence_failures},
          {"projections", c.projections},
          {"restarts", c.restarts},
          {"events", c.events}};
}

Json ToJson(const MaybeNumber& number) { return number ? Json(*number) : Json(nullptr); }

}  // namespace

Json CommonRecord(const Cell& cell, const IntegrationReport& report) {
  Json changed = Json::array();
  for (const ChangedSetting& setting : report.changed_settings)
    changed.push_back({{"name", setting.name}, {"value", setting.value}, {"time", setting.time}});
  Json record = {{"counters", ToJson(report.counters)},
                 {"changed_settings", std::move(changed)},
                 {"time_reached", report.time_reached},
                 {"end_state_hash", HashOf(report.end_state)},
                 {"command", SolveCommand(cell)}};
  if (report.largest_error_estimate)
    record["largest_error_estimate"] = *report.largest_error_estimate;
  if (!report.break_points_inside_steps.empty())
    record["break_points_inside_steps"] = report.break_points_inside_steps;
  return record;
}

// The ledger: one row per event. Systems without events have none.
void AddEvents(const Accuracy& accuracy, Json& record) {
  if (accuracy.events.empty()) return;
  Json& ledger = record["events"] = Json::array();
  const auto numbers = [](const Vector3& v) { return Json{v.x, v.y, v.z}; };
  for (const EventRecord& e : accuracy.events) {
    ledger.push_back({{"name", e.name},
                      {"time", e.time},
                      {"bodies", e.bodies},
                      {"mass", e.mass},
                      {"momentum_before", numbers(e.momentum_before)},
                      {"momentum", numbers(e.momentum)},
                      {"angular_momentum_before", numbers(e.angular_momentum_before)},
                      {"angular_momentum", numbers(e.angular_momentum)},
                      {"energy_before", e.energy_before},
                      {"energy", e.energy},
                      {"energy_lost", e.energy_lost},
                      {"position", numbers(e.position)},
                      {"speed", e.speed}});
  }
  record["event_error"] = nullptr;
  if (accuracy.event_errors) {
    record["event_error"] = {{"time", accuracy.event_errors->time},
                             {"position", accuracy.event_errors->position}};
  }
}

// Of a driven system: where it went relative to its drivers.
void AddJointCoordinates(const JointCoordinateSeries& series, const Accuracy& accuracy,
                         const System& system, Json& record) {
  if (series.joints().empty()) return;
  Json names = Json::array(), units = Json::array();
  for (int joint : series.joints()) {
    const Joint& j = system.joints[static_cast<std::size_t>(joint)];
    names.push_back(j.name);
    units.push_back(j.type == JointType::kRevolute ? "rad" : "m");
  }
  record["joint_coordinates"] = {{"joints", std::move(names)},
                                 {"units", std::move(units)},
                                 {"times", accuracy.times},
                                 {"values", series.values()}};
}

void AddAccuracy(const Accuracy& accuracy, const System& system, Json& record) {
  record["error"] = nullptr;
  if (accuracy.error) {
    record["error"] = {{"max", accuracy.error->max},
                       {"end", ToJson(accuracy.error->end)},
                       {"rms", accuracy.error->rms},
                       {"velocity_max", accuracy.error->velocity_max},
                       {"reactions_max", ToJson(accuracy.error->reactions_max)}};
  }
  record["times"] = accuracy.times;
  Json& series = record["error_series"] = Json::array();
  for (const MaybeNumber& error : accuracy.error_series) series.push_back(ToJson(error));
  record["position_drift"] = accuracy.position_drift;
  record["velocity_drift"] = accuracy.velocity_drift;
  record["energy_drift"] = accuracy.energy_drift;
  record["position_drift_max"] = accuracy.position_drift_max;
  record["velocity_drift_max"] = accuracy.velocity_drift_max;
  record["energy_drift_max"] = accuracy.energy_drift_max;
  record["momentum_drift_max"] = ToJson(accuracy.momentum_drift_max);
  Json& published = record["published"] = Json::array();
  for (const PublishedComparison& p : accuracy.published) {
    published.push_back({{"quantity", p.quantity},
                         {"time", p.time},
                         {"event", p.event.empty() ? Json(nullptr) : Json(p.event)},
                         {"source", p.source},
                         {"published", p.published},
                         {"ours", p.ours},
                         {"difference", p.difference}});
  }
  AddEvents(accuracy, record);
  Json& measures = record["library_measures"] = Json::array();
  for (const LibraryResult& m : accuracy.library_measures)
    measures.push_back({{"name", m.name}, {"value", ToJson(m.value)}});
  Json bodies = Json::array();
  for (int b : accuracy.trajectory.bodies)
    bodies.push_back(system.bodies[static_cast<std::size_t>(b)].name);
  record["trajectory"] = {{"times", accuracy.trajectory.times},
                          {"bodies", std::move(bodies)},
                          {"poses", accuracy.trajectory.poses}};
}

namespace {

template <class Kernel>
double SecondsPerEvaluation(Kernel& kernel, std::int64_t& evaluations) {
  // An even number, because states alternate.
  std::int64_t batch = 2;
  double least = INFINITY;
  const double start = ProcessCpuSeconds();
  for (double spent = 0; spent < kEvaluationSeconds;) {
    const double begin = ProcessCpuSeconds();
    kernel.Run(batch);
    const double end = ProcessCpuSeconds();
    evaluations += batch;
    if (end - begin < kBatchSeconds / 2) {
      batch *= 2;  // too short to be timed
    } else {
      least = std::min(least, (end - begin) / static_cast<double>(batch));
    }
    spent = end - start;
  }
  return least;
}

}  // namespace

IntegrationSettings PreparedCell::Settings() const {
  IntegrationSettings settings;
  settings.integrator = cell.integrator;
  settings.end_time = cell.end_time.value_or(problem.end_time);
  settings.tolerance = cell.tolerance.value_or(0);
  settings.length = problem.length;
  settings.time = problem.time;
  settings.step = cell.step.value_or(0);
  settings.break_points = BreakPoints(problem.system, settings.end_time);
  return settings;
}

std::unique_ptr<Formulation> PreparedCell::MakeFormulation() const {
  if (const Verdict verdict = Supports(method, problem.system, cell.integrator);
      !verdict.supported) {
    throw ModelError("method '" + method.spec + "' does not support problem '" + problem.name +
                     "': " + verdict.reason);
  }
  std::unique_ptr<Formulation> formulation = Prepare(method, problem.system, problem.time);
  if (!formulation || formulation->form() != method.form()) {
    throw EvaluationFailed(
        {Outcome::kCrashed,
         fmt::format("method '{}' prepared {}", method.spec,
                     formulation ? "equations of another form than its entry says" : "nothing")});
  }
  return formulation;
}

PreparedCell PrepareCell(const Cell& cell, const std::vector<MethodEntry>& methods) {
  PreparedCell prepared{cell, ProblemOf(cell), {}, ChooseMethod(cell.method, methods)};
  prepared.cell.problem = prepared.problem.name;
  prepared.cell.method = prepared.method.spec;
  prepared.initial = InitialState(prepared.problem);
  return prepared;
}

Json ToJson(const TrialResult& result) {
  return {{"outcome", Name(result.ending.outcome)},
          {"reason", result.ending.reason},
          {"cpu_seconds", ToJson(result.cpu_seconds)},
          {"wall_seconds", ToJson(result.wall_seconds)},
          {"record", result.record}};
}

TrialResult TrialResultFrom(const Json& json) {
  if (!json.at("record").is_object()) throw std::invalid_argument("what it holds is no object");
  const auto number = [&json](const char* name) {
    return json.at(name).is_null() ? std::nullopt : MaybeNumber(json.at(name).get<double>());
  };
  return {
      {OutcomeNamed(json.at("outcome").get<std::string>()), json.at("reason").get<std::string>()},
      number("cpu_seconds"),
      number("wall_seconds"),
      json.at("record")};
}

TrialResult AccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit,
                          const JudgedStart* start, Detail detail) {
  if (prepared.method.entry->form == Form::kAlgebraic)
    return SteadyAccuracyTrial(prepared, visit, detail);
  const Problem& problem = prepared.problem;
  const IntegrationSettings settings = prepared.Settings();
  const JudgedStart judged = start != nullptr ? *start : JudgeStart(prepared);
  if (judged.ending.outcome != Outcome::kOk) {
    TrialResult refused{judged.ending, {}, {}, ToJson(judged.condition)};
    refused.record["command"] = SolveCommand(prepared.cell);
    return refused;
  }
  const std::unique_ptr<Formulation> formulation = prepared.MakeFormulation();
  const std::optional<Reference> reference = FindReference(problem);
  AccuracyJudge judge(problem, reference ? &*reference : nullptr, prepared.initial.bodies);

  Observation observation;
  Json charted = Json::array();
  for (const ChartedMotion& motion : problem.charted) {
    charted.push_back(
        {{"name", motion.name}, {"displacement", Json::array()}, {"acceleration", Json::array()}});
  }
  if (!problem.charted.empty()) detail = std::max(detail, Detail::kAccelerations);
  if (reference && !reference->joints.empty()) detail = Detail::kReactions;
  JointCoordinateSeries coordinates(problem.system);
  Status unobserved;  // the first failure to observe
  double last_time = 0;
  std::vector<double> last_y;
  Sampling sampling;
  sampling.times = SampleTimesUntil(problem, settings.end_time);
  sampling.integrate_power = HasNonConservativeForces(problem.system);
  sampling.sink = [&](double time, std::span<const double> y, double work) {
    if (!unobserved.ok()) return;
    unobserved = CheckedObserve(*formulation, problem.system, time, y, detail, observation);
    if (!unobserved.ok()) return;
    last_time = time;
    last_y.assign(y.begin(), y.end());
    judge.Add(time, observation, work);
    for (std::size_t i = 0; i < problem.charted.size(); ++i) {
      const ChartedMotion& motion = problem.charted[i];
      const auto b = static_cast<std::size_t>(motion.body);
      const Vector3 moved = observation.bodies[b].position - prepared.initial.bodies[b].position;
      charted[i]["displacement"].push_back(Dot(moved, motion.axis));
      charted[i]["acceleration"].push_back(
          Dot(observation.accelerations[b].acceleration, motion.axis));
    }
    coordinates.Add(observation.bodies);
    if (visit) visit(time, observation);
  };
  std::vector<BodyState> before_event;
  const auto observe_motion = [&](double time, std::span<const double> y) {
    if (unobserved.ok())
      unobserved =
          CheckedObserve(*formulation, problem.system, time, y, Detail::kMotion, observation);
    return unobserved.ok();
  };
  sampling.event_sink.before = [&](double time, std::span<const double> y) {
    if (observe_motion(time, y)) before_event = observation.bodies;
  };
  sampling.event_sink.after = [&](const PastEvent& event, std::span<const double> y) {
    if (!observe_motion(event.time, y)) return 0.0;
    return judge.AddEvent(event.time, event.report.name, before_event, observation.bodies);
  };
  const double begin = ProcessCpuSeconds();
  IntegrationReport report = Integrate(*formulation, prepared.initial, settings, sampling);
  const double seconds = ProcessCpuSeconds() - begin;
  if (report.outcome == IntegrationReport::Outcome::kOk && !unobserved.ok()) {
    report.outcome = unobserved.code == Status::Code::kSingular
                         ? IntegrationReport::Outcome::kSingular
                         : IntegrationReport::Outcome::kDiverged;
    report.reason = std::string("a sample could not be observed: ") + unobserved.what;
    report.failure = unobserved;
  }

  const Accuracy accuracy = judge.Finish();
  TrialResult result;
  result.ending = Classify(report, accuracy, settings.end_time, problem.system);
  if (result.ending.outcome == Outcome::kNoReference && !reference) {
    const Cell& cell = prepared.cell;
    result.ending.reason +=
        fmt::format("{}; 'mbsbench certify {} --write' makes one",
                    HoldsCertificate(problem) ? " as it is now, but for other parameters" : "",
                    ShellWord(cell.model_file.empty() ? cell.problem : cell.model_file));
  }
  MeasuredCondition worst = judged.condition;
  // A system that changes at events may have another size than at its last sample.
  if (Finished(result.ending.outcome) && worst.measured() && formulation->event_count() == 0) {
    const MeasuredCondition at_end = MeasureCondition(problem, *formulation, last_time, last_y);
    // What a reference has found right is right.
    if (at_end.no_digit_left() && result.ending.outcome != Outcome::kOk)
      result.ending = {Outcome::kIllConditioned, at_end.Sentence("at the end")};
    if (at_end.scatter > worst.scatter) worst = at_end;
  }
  result.record = CommonRecord(prepared.cell, report);
  result.record.update(ToJson(worst));
  result.record["recorded_cpu_seconds"] = seconds;  // with the judging, so no time of the method
  AddAccuracy(accuracy, problem.system, result.record);
  if (!charted.empty()) result.record["charted"] = std::move(charted);
  AddJointCoordinates(coordinates, accuracy, problem.system, result.record);
  return result;
}

std::vector<TrialResult> TimeTrial(const PreparedCell& prepared, int rounds) {
  const IntegrationSettings settings = prepared.Settings();
  double control = ControlKernelSeconds();
  const MemoryMeter memory;
  const double prepare_start = ProcessCpuSeconds();
  std::unique_ptr<Formulation> formulation = prepared.MakeFormulation();
  const double prepare_seconds = ProcessCpuSeconds() - prepare_start;
  const bool changes_size = formulation->event_count() > 0;

  std::vector<TrialResult> results;
  std::int64_t bytes = -1;
  bool is_used = false;
  for (int round = 0; round < rounds; ++round) {
    double least_cpu = INFINITY, least_wall = INFINITY, spent = 0;
    int repetitions = 0;
    IntegrationReport first;
    do {
      if (changes_size && is_used) formulation = prepared.MakeFormulation();
      is_used = true;
      const double wall = WallSeconds(), cpu = ProcessCpuSeconds();
      IntegrationReport report = Integrate(*formulation, prepared.initial, settings);
      const double cpu_seconds = ProcessCpuSeconds() - cpu, wall_seconds = WallSeconds() - wall;
      least_cpu = std::min(least_cpu, cpu_seconds);
      least_wall = std::min(least_wall, wall_seconds);
      spent += cpu_seconds;
      if (repetitions == 0) first = std::move(report);
      if (bytes < 0) bytes = memory.PeakBytes();
      ++repetitions;
    } while (spent < kRoundSeconds && repetitions < kMostRepetitions &&
             first.outcome == IntegrationReport::Outcome::kOk);
    const double control_after = ControlKernelSeconds();

    TrialResult& result = results.emplace_back();
    Accuracy finished;  // a time trial judges whether it got to the end, not how well
    finished.error = ErrorMeasure{.end = 0};
    result.ending = Classify(first, finished, settings.end_time, prepared.problem.system);
    result.cpu_seconds = least_cpu;
    result.wall_seconds = least_wall;
    result.record = CommonRecord(prepared.cell, first);
    result.record["prepare_seconds"] = prepare_seconds;
    result.record["cpu_seconds"] = least_cpu;
    result.record["wall_seconds"] = least_wall;
    result.record["repetitions"] = repetitions;
    result.record["memory_bytes"] = bytes;
    result.record["control_seconds"] = std::min(control, control_after);
    control = control_after;
  }
  return results;
}

TrialResult Together(const std::vector<TrialResult>& rounds) {
  TrialResult together;
  Json& list = together.record["rounds"] = Json::array();
  for (const TrialResult& round : rounds) list.push_back(ToJson(round));
  return together;
}

std::vector<TrialResult> RoundsFrom(const TrialResult& together) {
  std::vector<TrialResult> rounds;
  if (!together.record.contains("rounds")) return rounds;
  try {
    for (const Json& round : together.record.at("rounds")) rounds.push_back(TrialResultFrom(round));
  } catch (const std::exception&) {  // written by somebody else than Together
    rounds.clear();
  }
  return rounds;
}

std::string_view Name(Evaluated what) {
  switch (what) {
    case Evaluated::kAccelerations: return "accelerations";
    case Evaluated::kAccelerationsAndReactions: return "accelerations and reactions";
    case Evaluated::kResidual: return "residual";
    case Evaluated::kResidualAndJacobian: return "residual and Jacobian";
    case Evaluated::kStep: return "step";
  }
  return "";
}

std::vector<Evaluated> EvaluationsOf(Form form) {
  switch (form) {
    case Form::kOde: return {Evaluated::kAccelerations};
    case Form::kDae: return {Evaluated::kResidual, Evaluated::kResidualAndJacobian};
    case Form::kAlgebraic: return {Evaluated::kResidualAndJacobian};
    case Form::kTimeStepper: return {Evaluated::kStep};
  }
  return {};
}

namespace {

void AddOperations(const PreparedCell& prepared, Evaluated what, Json& record) {
  const auto& count = prepared.method.entry->count_operations;
  if (!count || what == Evaluated::kResidual || what == Evaluated::kAccelerationsAndReactions)
    return;
  const CountedOperations counted =
      count(prepared.problem.system, prepared.method.options, prepared.initial.joints);
  if (!counted) {
    record["operations"] = nullptr;
    record["operations_of"] = counted.why_not;
    return;
  }
  record["operations"] = {{"multiplications", counted->multiplications},
                          {"additions", counted->additions},
                          {"divisions", counted->divisions},
                          {"square_roots", counted->square_roots}};
  record["operations_of"] = counted.what;
}

}  // namespace

TrialResult EvaluationTrial(const PreparedCell& prepared, Evaluated what) {
  const Problem& problem = prepared.problem;
  const double control_before = ControlKernelSeconds();
  EvaluationKernel kernel(prepared, what);
  TrialResult result;
  std::int64_t evaluations = 0;
  const double seconds = kernel.status().ok() ? SecondsPerEvaluation(kernel, evaluations) : NAN;
  if (const Status& status = kernel.status(); !status.ok()) {
    result.ending = {OutcomeOf(status), status.what + PlaceOf(status, problem.system)};
    return result;
  }
  if (!kernel.IsFinite()) {
    result.ending = {Outcome::kDiverged, "what it evaluates at a consistent state is not finite"};
    return result;
  }
  const std::size_t bodies = problem.system.bodies.size();
  result.cpu_seconds = seconds;
  result.record = {{"nanoseconds_per_body", 1e9 * seconds / static_cast<double>(bodies)},
                   {"bodies", bodies},
                   {"evaluations", evaluations},
                   {"what", Name(what)},
                   {"control_seconds", std::min(control_before, ControlKernelSeconds())},
                   {"error", nullptr}};
  if (what == Evaluated::kStep)
    result.record["newton_iterations"] = kernel.NewtonIterationsPerStep();
  AddOperations(prepared, what, result.record);
  if (what != Evaluated::kAccelerations) return result;
  if (std::optional<BatchKernel> batch = BatchKernel::Make(prepared, kernel)) {
    std::int64_t batches = 0;
    const double batch_seconds = SecondsPerEvaluation(*batch, batches);
    if (batch->status().ok()) {
      result.record["batched"] = {
          {"states", kBatchStates},
          {"nanoseconds_per_body",
           1e9 * batch_seconds / static_cast<double>(kBatchStates * bodies)}};
    }
  }
  return result;
}

namespace {

Observation ObserveBy(Formulation& formulation, const PreparedCell& prepared,
                      const SystemState& state, Detail detail, SolvedCondition* condition) {
  Observation observation;
  StatePoint point;
  Status status = PointAt(formulation, state, point);
  if (status.ok()) {
    status = CheckedObserve(formulation, prepared.problem.system, 0, point.y, detail, observation);
  }
  if (!status.ok()) {
    throw EvaluationFailed(
        {OutcomeOf(status), fmt::format("method '{}' cannot evaluate this state of '{}': {}{}",
                                        prepared.method.spec, prepared.problem.name, status.what,
                                        PlaceOf(status, prepared.problem.system))});
  }
  if (condition != nullptr) *condition = ConditionAt(formulation, 0, point.y);
  return observation;
}

// The same by a copy of this process: numbers come back bit by bit.
Observation ObservedApart(const PreparedCell& prepared, const SystemState& state, Detail detail,
                          SolvedCondition* condition) {
  const TrialResult result = CallOf(*prepared.method.entry, "evaluated at one state", [&] {
    SolvedCondition solved;
    TrialResult observed;
    observed.record = {{"observation", ToJson(ObserveAt(prepared, state, detail, &solved))},
                       {"condition", solved.number},
                       {"condition_of", solved.of},
                       {"order", solved.order}};
    return observed;
  });
  if (result.ending.outcome != Outcome::kOk) throw EvaluationFailed(result.ending);
  if (condition != nullptr) {
    const Json& number = result.record.at("condition");
    *condition = {number.is_null() ? NAN : number.get<double>(),
                  result.record.at("condition_of").get<std::string>(),
                  result.record.at("order").get<int>()};
  }
  return ObservationFrom(result.record.at("observation"));
}

}  // namespace

Observation ObserveAt(const PreparedCell& prepared, const SystemState& state, Detail detail,
                      SolvedCondition* condition) {
  if (prepared.method.entry->form == Form::kAlgebraic) {
    throw EvaluationFailed({Outcome::kUnsupported,
                            "method '" + prepared.method.spec +
                                "' gives steady states, and no accelerations of other states."});
  }
  if (IsGuarded(*prepared.method.entry)) return ObservedApart(prepared, state, detail, condition);
  return ObserveBy(*prepared.MakeFormulation(), prepared, state, detail, condition);
}

namespace {

// Six numbers per body, for each state those that `accelerations` gives.
TrialResult AtStates(
    const Problem& problem, const SystemState& initial, int random_states, std::uint64_t seed,
    const std::function<std::vector<BodyAcceleration>(const SystemState&)>& accelerations) {
  TrialResult result;
  Json states = Json::array(), reasons = Json::array();
  for (int k = 0; k <= random_states; ++k) {
    const std::optional<SystemState> state =
        k == 0 ? std::optional<SystemState>(initial)
               : RandomState(problem, seed + static_cast<std::uint64_t>(k));
    if (!state) break;
    try {
      states.push_back(AccelerationNumbers(problem.system, accelerations(*state)));
      reasons.push_back("");
    } catch (const ModelError& error) {
      states.push_back(nullptr);
      reasons.push_back(error.what());
    }
  }
  result.record = {{"states", std::move(states)}, {"reasons", std::move(reasons)}};
  return result;
}

}  // namespace

namespace {

// How far round-off in y scatters the accelerations of a state; NaN: not measured.
double ScatterAtState(const PreparedCell& prepared, Formulation* formulation,
                      const SystemState& state) {
  if (formulation == nullptr) return NAN;
  std::vector<double> y(formulation->state_size());
  if (!formulation->Initialise(0, state, y).ok()) return NAN;
  return MeasureCondition(prepared.problem, *formulation, 0, y).scatter;
}

}  // namespace

TrialResult AccelerationTrial(const PreparedCell& prepared, int random_states, std::uint64_t seed) {
  Json conditions = Json::array(), scatters = Json::array();
  SolvedCondition condition;
  MeasuredCondition start{NAN, "the method cannot evaluate the initial state"};
  // Prepared once for all states: engines take seconds for hundreds of bodies.
  std::unique_ptr<Formulation> formulation;
  const auto observe = [&](const SystemState& state) {
    if (IsGuarded(*prepared.method.entry))
      return ObserveAt(prepared, state, Detail::kAccelerations, &condition);
    if (!formulation) formulation = prepared.MakeFormulation();
    return ObserveBy(*formulation, prepared, state, Detail::kAccelerations, &condition);
  };
  TrialResult result = AtStates(
      prepared.problem, prepared.initial, random_states, seed, [&](const SystemState& state) {
        condition.number = NAN;
        const bool is_first = conditions.empty();
        Json& number = conditions.emplace_back(nullptr);  // stays where an exception is thrown
        Json& scatter = scatters.emplace_back(nullptr);
        const Observation observation = observe(state);
        if (std::isfinite(condition.number)) number = condition.number;
        if (is_first) start = MeasureCondition(prepared, observation);
        const double measured =
            is_first ? start.scatter : ScatterAtState(prepared, formulation.get(), state);
        if (std::isfinite(measured)) scatter = measured;
        return observation.accelerations;
      });
  if (!result.record["states"].empty() && result.record["states"][0].is_null())
    start.why_not = result.record["reasons"][0].get<std::string>();
  result.record["conditions"] = std::move(conditions);
  result.record["scatters"] = std::move(scatters);
  result.record["condition_of"] = condition.of;
  result.record["order"] = condition.order;
  result.record["start"] = {{"scatter", start.scatter}, {"why_not", start.why_not}};
  return result;
}

TrialResult ReferenceAccelerationTrial(const Problem& problem, int random_states,
                                       std::uint64_t seed) {
  const SystemState initial = InitialState(problem);
  TrialResult result =
      AtStates(problem, initial, random_states, seed, [&problem](const SystemState& state) {
        std::vector<BodyAcceleration> accelerations;
        for (const ReferenceAcceleration& a :
             ReferenceAccelerations(problem.system, state.joints).accelerations)
          accelerations.push_back({a.acceleration, a.angular_acceleration});
        return accelerations;
      });
  result.record["length"] = problem.length;
  result.record["natural_acceleration"] = NaturalAcceleration(problem, initial.bodies);
  return result;
}

}  // namespace mbsbench
