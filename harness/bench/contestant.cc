#include "harness/bench/contestant.h"

#include <fmt/format.h>
#include <unistd.h>

#include "harness/records/json_codec.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/runner/process/timing_core.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// A benchmark takes a second or less; under the profiler fifty times that.
const ProcessLimits kLimits{.seconds = 120, .bytes = std::int64_t{4096} << 20};

}  // namespace

std::vector<std::string> BenchProcesses::Command(const Contestant& contestant,
                                                 BenchRequest request) {
  if (!contestant.method.empty()) request.bench_case.method = contestant.method;
  std::vector<std::string> words{contestant.executable, std::string(kBenchCommand),
                                 ToJson(request).dump()};
  words.insert(words.end(), contestant.plugins.begin(), contestant.plugins.end());
  return words;
}

TrialResult BenchProcesses::Ask(const Contestant& contestant, BenchRequest request) {
  const std::string& method =
      contestant.method.empty() ? request.bench_case.method : contestant.method;
  const int threads = method.empty() ? 1 : ChooseMethod(method, methods_).threads();
  supervisor_.StartCommand(0, Command(contestant, std::move(request)), kLimits,
                           ProcessorsForTiming(threads));
  return supervisor_.Wait().result;
}

std::vector<TrialResult> BenchProcesses::AskAll(
    const Contestant& contestant, const std::vector<BenchRequest>& requests,
    const std::vector<std::vector<std::string>>& launchers) {
  std::vector<TrialResult> results(requests.size());
  std::size_t next = 0;
  while (next < requests.size() || supervisor_.running() > 0) {
    if (next < requests.size() && supervisor_.running() < UsableProcessors().size()) {
      std::vector<std::string> words = launchers[next];
      const std::vector<std::string> command = Command(contestant, requests[next]);
      words.insert(words.end(), command.begin(), command.end());
      supervisor_.StartCommand(next++, std::move(words), kLimits);
      continue;
    }
    ChildEnd end = supervisor_.Wait();
    results[end.id] = std::move(end.result);
  }
  return results;
}

DescribedBuild Describe(const Contestant& contestant, BenchProcesses& processes) {
  const std::string name = "'" + contestant.executable.string() + "'";
  std::error_code ignored;
  if (!std::filesystem::exists(contestant.executable, ignored))
    throw ModelError("there is no executable " + name + ".");
  if (!std::filesystem::is_regular_file(contestant.executable, ignored) ||
      access(contestant.executable.c_str(), X_OK) != 0)
    throw ModelError(name + " is not an executable file.");
  TrialResult result = processes.Ask(contestant, {.job = "describe"});
  DescribedBuild described;
  if (result.ending.outcome == Outcome::kOk && result.answer.contains("build") &&
      Read(result.answer, described))
    return described;
  if (result.ending.outcome == Outcome::kUnsupported) throw ModelError(result.ending.reason);
  throw ModelError(fmt::format(
      "{} is not an mbsbench, or one without 'bench': asked to describe itself, it {}.", name,
      result.ending.reason.empty() ? "gave another answer" : result.ending.reason));
}

}  // namespace mbsbench
