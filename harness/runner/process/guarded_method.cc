#include "harness/runner/process/guarded_method.h"

#include <fmt/format.h>

#include <limits>
#include <memory>

#include "harness/support/support.h"

namespace mbsbench {

namespace {

constexpr int kMostTimeouts = 2;
constexpr char kAsked[] = "asked whether it supports this system";

struct Guard {
  MethodEntry entry;
  std::filesystem::path file;
  ProcessLimits limits;
  int timeouts = 0;

  Ending Failure(const std::string& doing, const Ending& ending) const {
    return {ending.outcome, fmt::format("method '{}' of plug-in '{}', {}: {}", entry.key,
                                        file.string(), doing, ending.reason)};
  }

  TrialResult Call(const std::string& doing, const std::function<TrialResult()>& call,
                   Output output = Output::kKept) const {
    constexpr ProcessLimits kNone{std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<std::int64_t>::max()};
    TrialResult result = RunApart(call, output == Output::kKept ? limits : kNone, output);
    const Outcome outcome = result.ending.outcome;
    if (outcome == Outcome::kCrashed || outcome == Outcome::kTimeout ||
        outcome == Outcome::kOutOfMemory)
      result.ending = Failure(doing, result.ending);
    return result;
  }

  Ending Support(const System& system, const MethodOptions& options) {
    if (timeouts >= kMostTimeouts) {
      return Failure(
          kAsked, {Outcome::kTimeout, fmt::format("left out, because it exceeded {:g} s {} times",
                                                  limits.seconds, timeouts)});
    }
    const auto ask = [&] {
      const Verdict verdict = VerdictOf(entry, system, options);
      TrialResult result;
      if (!verdict.supported) result.ending = {Outcome::kUnsupported, verdict.reason};
      return result;
    };
    const Ending ending = Call(kAsked, ask).ending;
    if (ending.outcome == Outcome::kTimeout) ++timeouts;
    return ending;
  }
};

// The `supports` function of a guarded entry; its type marks the entry as guarded.
struct GuardedSupports {
  std::shared_ptr<Guard> guard;
  Verdict operator()(const System& system, const MethodOptions& options) const {
    const Ending ending = guard->Support(system, options);
    if (ending.outcome == Outcome::kOk) return {};
    if (ending.outcome == Outcome::kUnsupported) return Verdict::No(ending.reason);
    return Verdict::No(std::string(Name(ending.outcome)) + ": " + ending.reason);
  }
};

Guard* GuardOf(const MethodEntry& entry) {
  const GuardedSupports* const guarded = entry.supports.target<GuardedSupports>();
  return guarded == nullptr ? nullptr : guarded->guard.get();
}

}  // namespace

MethodEntry Guarded(MethodEntry entry, const std::filesystem::path& file, double seconds) {
  const auto guard =
      std::make_shared<Guard>(Guard{entry, file, ProcessLimits{seconds, DefaultMemoryLimit()}});
  entry.supports = GuardedSupports{guard};
  if (entry.explain) {
    entry.explain = [guard](const System& system, const MethodOptions& options) {
      const TrialResult explained = guard->Call("explained", [&] {
        TrialResult result;
        result.answer = {{"text", guard->entry.explain(system, options)}};
        return result;
      });
      if (explained.ending.outcome != Outcome::kOk) throw EvaluationFailed(explained.ending);
      return explained.answer.at("text").get<std::string>();
    };
  }
  return entry;
}

std::string CodeOf(const MethodChoice& method) {
  const Guard* const guard = GuardOf(*method.entry);
  return guard == nullptr ? "" : "plug-in '" + guard->file.filename().string() + "'";
}

Ending SupportOf(const MethodEntry& entry, const System& system, const MethodOptions& options) {
  if (Guard* const guard = GuardOf(entry)) return guard->Support(system, options);
  try {
    const Verdict verdict = VerdictOf(entry, system, options);
    return verdict.supported ? Ending{} : Ending{Outcome::kUnsupported, verdict.reason};
  } catch (const std::exception& error) {
    return {Outcome::kUnsupported, error.what()};
  }
}

TrialResult CallOf(const MethodEntry& entry, const std::string& doing,
                   const std::function<TrialResult()>& call, Output output) {
  const Guard* const guard = GuardOf(entry);
  return guard == nullptr ? call() : guard->Call(doing, call, output);
}

bool IsGuarded(const MethodEntry& entry) { return GuardOf(entry) != nullptr && !IsCopy(); }

}  // namespace mbsbench
