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

// `words`: of its launcher.
std::vector<std::string> CommandOf(const Contestant& contestant, BenchRequest request,
                                   std::vector<std::string> words = {}) {
  if (!contestant.method.empty()) request.bench_case.method = contestant.method;
  words.insert(words.end(), {contestant.executable.string(), std::string(kBenchCommand),
                             ToJson(request).dump()});
  words.insert(words.end(), contestant.plugins.begin(), contestant.plugins.end());
  return words;
}

}  // namespace

TrialResult BenchProcesses::Ask(const Contestant& contestant, BenchRequest request) {
  const std::string& method =
      contestant.method.empty() ? request.bench_case.method : contestant.method;
  const int threads = method.empty() ? 1 : ChooseMethod(method, methods_).threads();
  supervisor_.StartCommand(0, CommandOf(contestant, std::move(request)), kLimits,
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
      supervisor_.StartCommand(next, CommandOf(contestant, requests[next], launchers[next]),
                               kLimits);
      ++next;
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
