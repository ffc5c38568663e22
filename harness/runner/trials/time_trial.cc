#include "harness/runner/trials/time_trial.h"

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "harness/control_kernel.h"
#include "harness/runner/cells/wall_clock.h"
#include "harness/runner/process/environment.h"
#include "harness/runner/trials/evaluation_kernel.h"

namespace mbsbench {

namespace {

// A round of a time trial repeats its integration for this long (it lasts 50 to 500 ms unless one
// integration is longer).
constexpr double kRoundSeconds = 0.05;
constexpr int kMostRepetitions = 2000;

// A line "VmRSS:  1234 kB" of /proc/self/status, in bytes.
std::int64_t StatusBytes(const char* field) {
  return 1024 * std::atoll(FieldOf("/proc/self/status", field, ':').c_str());
}

// The resident memory that the process holds now, from which its peak counts.
std::int64_t BytesBefore() {
  malloc_trim(0);                               // so that new allocations do not reuse freed memory
  std::ofstream("/proc/self/clear_refs") << 5;  // resets the peak
  return StatusBytes("VmRSS");
}

// The coordinates in both forms of the state; repetition 0 leaves them as they are.
SystemState InFreshDigits(SystemState state, int repetition) {
  const auto units = static_cast<double>(repetition);
  for (double& q : state.joints.q) q = InOtherLastPlaces(q, units);
  for (BodyState& body : state.bodies) {
    for (double* x : {&body.position.x, &body.position.y, &body.position.z})
      *x = InOtherLastPlaces(*x, units);
  }
  return state;
}

}  // namespace

TrialResult TimeTrial(const PreparedCell& prepared) {
  const IntegrationSettings settings = prepared.Settings();
  const double control = ControlKernelSeconds();
  const std::int64_t bytes_before = BytesBefore();
  const double prepare_start = ProcessCpuSeconds();
  std::unique_ptr<Formulation> formulation = prepared.MakeFormulation();
  const double prepare_seconds = ProcessCpuSeconds() - prepare_start;
  const bool changes_size = formulation->events() != nullptr;

  std::int64_t bytes = -1;
  double least_cpu = INFINITY, least_wall = INFINITY, spent = 0;
  int repetitions = 0;
  IntegrationReport first;
  const double begin = ProcessCpuSeconds();
  do {
    if (changes_size && repetitions > 0) formulation = prepared.MakeFormulation();
    const SystemState initial = InFreshDigits(prepared.initial, repetitions);
    const double wall = WallSeconds(), cpu = ProcessCpuSeconds();
    IntegrationReport report = Integrate(*formulation, initial, settings);
    const double cpu_seconds = ProcessCpuSeconds() - cpu, wall_seconds = WallSeconds() - wall;
    // The clock of a virtual processor may stand still for a millisecond.
    if (cpu_seconds > 0) least_cpu = std::min(least_cpu, cpu_seconds);
    least_wall = std::min(least_wall, wall_seconds);
    spent += cpu_seconds;
    if (repetitions == 0) first = std::move(report);
    if (bytes < 0) bytes = std::max<std::int64_t>(0, StatusBytes("VmHWM") - bytes_before);
    ++repetitions;
  } while (spent < kRoundSeconds && repetitions < kMostRepetitions &&
           first.outcome == IntegrationReport::Outcome::kOk);

  if (!std::isfinite(least_cpu)) least_cpu = (ProcessCpuSeconds() - begin) / repetitions;

  TrialResult result;
  result.ending = Classify(first, prepared.problem.system);
  result.cpu_seconds = least_cpu;
  result.wall_seconds = least_wall;
  result.record = RecordOf(prepared.cell, first);
  result.record.time = {.prepare_seconds = prepare_seconds,
                        .cpu_seconds = least_cpu,
                        .wall_seconds = least_wall,
                        .repetitions = repetitions,
                        .memory_bytes = bytes};
  if (const int threads = prepared.method.threads(); threads > 1)
    result.record.time->threads = threads;
  result.record.control_seconds = std::min(control, ControlKernelSeconds());
  return result;
}

}  // namespace mbsbench
