#include "harness/records/trial_record.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "harness/records/json_codec.h"

namespace mbsbench {

const std::string& TrialRecord::EndStateHash() const { return OrNone(integration).end_state_hash; }

MaybeNumber TrialRecord::TimeReached() const {
  return integration ? IfFinite(integration->time_reached) : std::nullopt;
}

MaybeNumber TrialRecord::LargestError() const {
  return accuracy && accuracy->error ? IfFinite(accuracy->error->max) : std::nullopt;
}

MaybeNumber TrialRecord::NanosecondsPerBody() const {
  return evaluation ? IfFinite(evaluation->nanoseconds_per_body) : std::nullopt;
}

double BudgetRecord::NormOf(const std::string& part) const {
  const auto found = std::ranges::find(parts, part, &BudgetPartRecord::part);
  return found == parts.end() ? NAN : found->norm;
}

std::vector<NamedCount> CountsOf(const CountersRecord& counters) {
  std::vector<NamedCount> counts;
  ForEachField(counters, [&counts](const char* name, const CountersRecord::Count& count) {
    counts.push_back({name, count});
  });
  return counts;
}

std::vector<std::string> SeriesOfRecords() {
  std::vector<std::string> names;
  ForEachField(AccuracyRecord(), [&names]<typename T>(const char* name, const T&) {
    if (std::is_same_v<T, std::vector<double>> || std::is_same_v<T, std::vector<MaybeNumber>> ||
        std::is_same_v<T, Trajectory>)
      names.emplace_back(name);
  });
  return names;
}

Json ToJson(const TrialRecord& record) { return ToJson<TrialRecord>(record); }

TrialRecord TrialRecordFrom(const Json& json) {
  TrialRecord record;
  Read(json, record);
  return record;
}

}  // namespace mbsbench
