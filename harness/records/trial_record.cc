#include "harness/records/trial_record.h"

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

namespace {

class Counts {
 public:
  void IfAny(const char* name, const std::optional<std::int64_t>& count) {
    list.push_back({name, count});
  }
  std::vector<NamedCount> list;
};

class Names {
 public:
  template <typename T>
  void operator()(const char* name, const T&) {
    list.emplace_back(name);
  }
  template <typename T>
  void IfAny(const char* name, const T&) {
    list.emplace_back(name);
  }
  std::vector<std::string> list;
};

}  // namespace

std::vector<NamedCount> CountsOf(const CountersRecord& counters) {
  Counts counts;
  CountersRecord::Fields(counters, counts);
  return counts.list;
}

std::vector<std::string> SeriesOfRecords() {
  Names names;
  const AccuracyRecord record;
  AccuracyRecord::Series(record, names);
  return names.list;
}

Json ToJson(const TrialRecord& record) { return ToJson<TrialRecord>(record); }

TrialRecord TrialRecordFrom(const Json& json) {
  TrialRecord record;
  Read(json, record);
  return record;
}

}  // namespace mbsbench
