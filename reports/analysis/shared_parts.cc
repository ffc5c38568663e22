#include "reports/analysis/shared_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace mbsbench::reports {

namespace {

// The parts by which methods close loops.
constexpr std::array<std::string_view, 2> kOfLoops{"loop closure", "absolute constraints"};

bool HasPart(const std::vector<std::string>& parts, std::string_view part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

}  // namespace

SharedParts::SharedParts(const Comparison& comparison, const ProblemResults& problem)
    : has_loops_(problem.record.loops.value_or(0) > 0) {
  if (!problem.agreement) return;
  for (const MethodAgreementRecord& compared :
       OrNone(problem.agreement->record.agreement).methods) {
    if (!compared.difference) continue;
    Method& method = methods_.emplace_back();
    method.spec = compared.method;
    method.key = MethodKey(method.spec);
    const auto& parts = comparison.MethodRecordOf(method.spec).shared_parts;
    all_known_ = all_known_ && parts;
    method.parts = OrNone(parts);
  }
}

std::string SharedParts::Of(const std::string& spec) const {
  const auto own = std::find_if(methods_.begin(), methods_.end(),
                                [&spec](const Method& one) { return one.spec == spec; });
  if (own == methods_.end()) return "";
  std::vector<std::string> shares;
  for (const std::string& part : own->parts) {
    std::vector<std::string> with;
    for (const Method& other : methods_) {
      if (other.key != own->key && HasPart(other.parts, part)) with.push_back(other.spec);
    }
    if (!with.empty()) shares.push_back(fmt::format("{} with {}", part, fmt::join(with, ", ")));
  }
  return shares.empty() ? "" : fmt::format("shares {}", fmt::join(shares, "; "));
}

std::string SharedParts::OnLoops() const {
  if (!has_loops_) return "";
  std::string text;
  for (const std::string_view part : kOfLoops) {
    std::vector<std::string> keys;
    for (const Method& method : methods_) {
      if (HasPart(method.parts, part) && !HasPart(keys, method.key)) keys.push_back(method.key);
    }
    if (keys.size() < 2) continue;
    text += fmt::format("{}{} share {}", text.empty() ? "" : "; ", fmt::join(keys, ", "), part);
  }
  return text;
}

std::optional<int> SharedParts::IndependentOnLoops() const {
  if (!has_loops_ || !all_known_) return std::nullopt;
  std::vector<std::string> ways;  // a shared part, or the method that has one of its own
  for (const Method& method : methods_) {
    const auto shared =
        std::find_if(kOfLoops.begin(), kOfLoops.end(),
                     [&method](std::string_view part) { return HasPart(method.parts, part); });
    ways.push_back(shared == kOfLoops.end() ? "of " + method.key : std::string(*shared));
  }
  std::sort(ways.begin(), ways.end());
  return static_cast<int>(std::unique(ways.begin(), ways.end()) - ways.begin());
}

}  // namespace mbsbench::reports
