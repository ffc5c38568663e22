#include "harness/bench/bench_child.h"

#include "harness/bench/kernel.h"
#include "harness/records/json_codec.h"
#include "harness/runner/process/child.h"
#include "harness/runner/process/environment.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "harness/runner/trials/accuracy_trial.h"
#include "harness/runner/trials/agreement.h"
#include "harness/runner/trials/evaluation_kernel.h"

namespace mbsbench {

namespace {

TrialResult Describe(const std::vector<MethodEntry>& methods,
                     const std::vector<std::filesystem::path>& plugins) {
  DescribedBuild described{ThisBuild(HashOfBinary(plugins))};
  for (const MethodEntry& entry : methods) described.methods.push_back(entry.key);
  TrialResult result;
  result.answer = ToJson(described);
  return result;
}

TrialResult Time(const Kernel& kernel, double milliseconds) {
  TrialResult result;
  const LeastTimes least = TimeKernel(kernel, milliseconds);
  result.ending = kernel.ending();
  if (result.ending.outcome != Outcome::kOk) return result;
  result.cpu_seconds = least.cpu_seconds;
  result.wall_seconds = least.wall_seconds;
  result.answer = {{"count", least.units}};
  return result;
}

// The timed process gives exactly the same numbers, because it runs the same code on the same states.
TrialResult Truth(const BenchCase& bench_case, const std::vector<MethodEntry>& methods) {
  const PreparedCell prepared = PrepareCell(CellOf(bench_case, methods), methods);
  if (bench_case.what == "solve") {
    TrialResult result = AccuracyTrial(prepared);
    if (result.record.accuracy) result.record.accuracy->DropSeries();
    return result;
  }
  TrialResult result;
  EvaluationKernel kernel(prepared, EvaluatedIn(bench_case, prepared));
  const double norm = kernel.OutputNorm();
  result.ending = EndingOf(kernel.status(), prepared.problem.system);
  if (result.ending.outcome != Outcome::kOk) return result;
  constexpr int kRandomStates = 1;
  const AgreementRecord agreement =
      Compare({prepared.method.spec}, {AccelerationTrial(prepared, kRandomStates, 0)},
              ReferenceAccelerationTrial(prepared.problem, kRandomStates, 0));
  const MethodAgreementRecord& mine = agreement.methods.front();
  result.answer = {{"output_norm", norm}};
  if (mine.error) {
    AccuracyRecord& accuracy = result.record.accuracy.emplace();
    accuracy.error = {.max = *mine.error, .rms = NAN, .velocity_max = NAN};
    // An evaluation has no drift.
    accuracy.position_drift_max = accuracy.velocity_drift_max = accuracy.energy_drift_max = NAN;
  }
  if (!mine.error) result.ending = {Outcome::kNoReference, mine.reason};
  return result;
}

TrialResult Instructions(const BenchRequest& request, const std::vector<MethodEntry>& methods) {
  const Kernel kernel = MakeKernel(request.bench_case, methods);
  kernel.run(1);  // the first call binds symbols and allocates
  mbsbench_measured_kernel(&kernel, request.units);
  TrialResult result;
  result.ending = kernel.ending();
  result.answer = {{"count", request.units * kernel.unit_size}};
  return result;
}

TrialResult RunRequest(const BenchRequest& request, const std::vector<MethodEntry>& methods,
                       const std::vector<std::filesystem::path>& plugins) {
  if (request.job == "describe") return Describe(methods, plugins);
  if (request.job == "control") return Time(MakeControlKernel(), request.milliseconds);
  if (request.job == "time")
    return Time(MakeKernel(request.bench_case, methods), request.milliseconds);
  if (request.job == "truth") return Truth(request.bench_case, methods);
  if (request.job == "instructions") return Instructions(request, methods);
  throw std::invalid_argument("there is no job '" + request.job + "' of a benchmark's process");
}

}  // namespace

int RunBenchChild(const std::string& request, const std::vector<MethodEntry>& methods,
                  const std::vector<std::filesystem::path>& plugins) {
  return SendResult([&] {
    BenchRequest read;
    if (!Read(Json::parse(request), read)) throw std::invalid_argument("the request is damaged");
    return RunRequest(read, methods, plugins);
  });
}

}  // namespace mbsbench
