#include "harness/runner/cells/trial.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "harness/records/json_number.h"
#include "harness/runner/cells/random_states.h"

namespace mbsbench {

namespace {

// FNV-1a, 64 bits, over the bytes of the state: equal only if every bit is equal.
std::string HashOf(const std::vector<double>& state) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (double value : state) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

CountersRecord RecordOf(const WorkCounters& c) {
  return {c.steps,
          c.rejected_steps,
          c.evaluations,
          c.jacobians,
          c.newton_iterations,
          c.factorisations,
          c.error_test_failures,
          c.convergence_failures,
          c.projections,
          c.restarts,
          c.events,
          c.inner_iterations > 0 ? CountersRecord::Count(c.inner_iterations) : std::nullopt};
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

std::unique_ptr<Formulation> PreparedCell::MakeFormulation(bool lends) const {
  if (const Verdict verdict = Supports(method, problem.system, cell.integrator);
      !verdict.supported) {
    throw ModelError("method '" + method.spec + "' does not support problem '" + problem.name +
                     "': " + verdict.reason);
  }
  std::unique_ptr<Formulation> formulation =
      Prepare(method, lends ? GivenSystem::Lent(problem) : GivenSystem(problem));
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

TrialRecord RecordOf(const Cell& cell, const IntegrationReport& report) {
  TrialRecord record;
  record.command = SolveCommand(cell);
  record.integration = {RecordOf(report.counters),     report.changed_settings,
                        report.time_reached,           HashOf(report.end_state),
                        report.largest_error_estimate, report.break_points_inside_steps};
  return record;
}

Json ToJson(const TrialResult& result) {
  Json record = ToJson(result.record);
  if (result.answer.is_object()) record.update(result.answer);
  return {{"outcome", Name(result.ending.outcome)},
          {"reason", result.ending.reason},
          {"cpu_seconds", NumberOrNull(result.cpu_seconds)},
          {"wall_seconds", NumberOrNull(result.wall_seconds)},
          {"record", std::move(record)}};
}

TrialResult TrialResultFrom(const Json& json) {
  const Json& record = json.at("record");
  if (!record.is_object()) throw std::invalid_argument("its record is not an object");
  return {
      {OutcomeNamed(json.at("outcome").get<std::string>()), json.at("reason").get<std::string>()},
      NumberIn(json.at("cpu_seconds")),
      NumberIn(json.at("wall_seconds")),
      TrialRecordFrom(record),
      record};
}

Ending EndingOf(const Status& status, const System& system) {
  if (status.ok()) return {};
  return {OutcomeOf(status), status.what + PlaceOf(status, system)};
}

Outcome OutcomeOf(const Status& failure) {
  return failure.code == Status::Code::kSingular       ? Outcome::kSingular
         : failure.code == Status::Code::kNotConverged ? Outcome::kNewtonFailed
                                                       : Outcome::kDiverged;
}

}  // namespace mbsbench
