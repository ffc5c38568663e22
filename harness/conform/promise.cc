#include "harness/conform/promise.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include "harness/records/json_codec.h"
#include "harness/runner/plan/plan.h"
#include "harness/runner/process/guarded_method.h"
#include "problems/io/model_file.h"

namespace mbsbench {

namespace {

constexpr std::array<std::string_view, 7> kStandings{
    "held", "limited", "not kept", "not tried", "broken", "refused", "not applicable"};

// In memory that this process shares with its copies.
std::span<char> NameOfTried() {
  constexpr std::size_t kSize = 200;
  static void* const shared =
      mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<char*>(shared), kSize};
}

Finding Attempted(const Promise& promise, const MethodChoice& method) {
  try {
    return promise.try_on(method);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {.standing = Standing::kBroken,
            .reason = fmt::format("the method throws: {}", error.what())};
  }
}

// In a separate process if the method's code is not ours.
Finding TriedApart(const Promise& promise, const MethodChoice& method) {
  if (!IsGuarded(*method.entry)) return Attempted(promise, method);
  NowTrying("");
  const TrialResult result =
      CallOf(*method.entry, fmt::format("held to the promise '{}'", promise.name), [&] {
        TrialResult tried;
        tried.answer = ToJson(Attempted(promise, method));
        return tried;
      });
  if (result.ending.outcome == Outcome::kOk) return FindingFrom(result.answer);
  Finding finding{
      .standing = Standing::kBroken,
      .reason = fmt::format("{}: {}", Name(result.ending.outcome), result.ending.reason)};
  if (const std::string name = NameOfTried().data(); !name.empty())
    finding.reason += fmt::format(", on '{}'", name);
  if (result.ending.outcome == Outcome::kTimeout)
    finding.reason += "; --plugin-time-limit allows more";
  return finding;
}

}  // namespace

void NowTrying(const std::string& name) {
  const std::span<char> shared = NameOfTried();
  shared[name.copy(shared.data(), shared.size() - 1)] = '\0';
}

std::string_view Name(Standing standing) { return kStandings[static_cast<std::size_t>(standing)]; }

Json ToJson(const Finding& finding) {
  Json json = ToJson<Finding>(finding);
  json["standing"] = Name(finding.standing);
  json["model"] = finding.model ? Json(WriteModel(*finding.model)) : Json(nullptr);
  return json;
}

Finding FindingFrom(const Json& json) {
  Finding finding;
  if (!Read(json, finding)) throw std::invalid_argument("a finding is damaged");
  const auto standing = std::ranges::find(kStandings, json.at("standing").get<std::string>());
  finding.standing = static_cast<Standing>(standing - kStandings.begin());
  if (!json.at("model").is_null())
    finding.model = ParseModel(json.at("model").get<std::string>(), "the failing model");
  return finding;
}

Finding NotApplicable(std::string reason) { return {.reason = std::move(reason)}; }

bool Counts(const Verdict& verdict, Finding& finding) {
  if (verdict.supported) {
    if (finding.tried++ > 0) return true;
    finding.standing = Standing::kHeld;
    finding.reason.clear();
  } else if (finding.refused++ == 0 && finding.tried == 0) {
    finding.standing = Standing::kRefused;
    finding.reason = verdict.reason;
  }
  return verdict.supported;
}

std::optional<DeclaredLimit> LimitOn(const std::string& promise, const MethodChoice& method) {
  for (const DeclaredLimit& limit : LimitsOf(method)) {
    for (const std::string& glob : limit.promises) {
      if (MatchesGlob(glob, promise)) return limit;
    }
  }
  return std::nullopt;
}

Finding TryOn(const Promise& promise, const MethodChoice& method) {
  Finding finding = TriedApart(promise, method);
  const std::optional<DeclaredLimit> limit = LimitOn(promise.name, method);
  if (!limit) return finding;
  if (limit->seconds > 0) {
    if (finding.standing == Standing::kHeld) {
      finding.standing = Standing::kLimited;
      finding.reason = limit->reason;
    }
    return finding;
  }
  if (finding.standing != Standing::kBroken) return finding;
  finding.bound = limit->bound;
  if (!std::isinf(limit->bound) && !(finding.figure <= limit->bound)) return finding;
  finding.standing = std::isinf(limit->bound) ? Standing::kNotKept : Standing::kLimited;
  finding.reason = limit->reason;
  finding.model.reset();
  return finding;
}

const std::vector<Promise>& AllPromises() {
  static const std::vector<Promise> promises = [] {
    std::vector<Promise> all;
    for (const auto& some : {AccelerationPromises(), MotionPromises(), OwnStepPromises(),
                             ContractPromises(), RefusalPromises(), ReferencePromises()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return promises;
}

}  // namespace mbsbench
