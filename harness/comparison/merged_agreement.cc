#include "harness/comparison/merged_agreement.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace mbsbench {

namespace {

// How many methods were compared with another one.
std::ptrdiff_t MethodsCompared(const AgreementRecord& record) {
  return std::ranges::count_if(
      record.methods, [](const MethodAgreementRecord& m) { return m.difference.has_value(); });
}

// A method's entry, and the number of methods in the check from which its difference is taken.
struct Entry {
  MethodAgreementRecord record;
  std::ptrdiff_t compared = 0;
  const std::string& method() const { return record.method; }
};

// The newer entry replaces the older one, except for values that it lacks: a method that was
// checked alone has no difference, and without the truth there is no error. A difference is the
// median over the other methods, so the difference from the check with the most methods is kept.
void Supersede(Entry& entry, Entry newer) {
  const bool failed = !newer.record.reason.empty();
  if (!failed && !newer.record.error) newer.record.error = entry.record.error;
  if (entry.record.difference &&
      (newer.record.difference ? entry.compared > newer.compared : !failed)) {
    newer.record.difference = entry.record.difference;
    newer.compared = entry.compared;
  }
  entry = std::move(newer);
}

}  // namespace

AgreementCheck MergedAgreement(std::vector<AgreementCheck> checks) {
  std::ranges::stable_sort(checks, {}, &AgreementCheck::finished);
  const AgreementCheck* widest = &checks.front();
  std::vector<Entry> entries;
  std::optional<RedundancyRecord> redundancy;  // a check without the truth lacks it
  for (const AgreementCheck& check : checks) {
    if (check.record.redundancy) redundancy = check.record.redundancy;
    const std::ptrdiff_t compared = MethodsCompared(check.record);
    if (compared >= MethodsCompared(widest->record)) widest = &check;
    for (const MethodAgreementRecord& method : check.record.methods) {
      const auto known = std::ranges::find(entries, method.method, &Entry::method);
      if (known == entries.end())
        entries.push_back({method, compared});
      else
        Supersede(*known, {method, compared});
    }
  }
  AgreementCheck merged = *widest;
  merged.record.methods.clear();
  merged.record.redundancy = std::move(redundancy);
  const auto is_wrong = [](const MethodAgreementRecord& m) {
    return m.judged == "wrong_equations";
  };
  for (Entry& entry : entries) merged.record.methods.push_back(std::move(entry.record));
  if (merged.outcome != "ok" || std::ranges::none_of(merged.record.methods, is_wrong))
    return merged;
  // A method that a smaller check found to be wrong.
  for (const AgreementCheck& check : checks) {
    if (check.outcome == "ok" || std::ranges::none_of(check.record.methods, is_wrong)) continue;
    merged.outcome = check.outcome;
    merged.reason = check.reason;
    merged.record.worst = check.record.worst;
  }
  return merged;
}

}  // namespace mbsbench
