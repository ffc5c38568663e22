#include "harness/cluster/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <string_view>

#include "harness/records/json_codec.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace fs = std::filesystem;

namespace {

Json ToJson(const RunRow& run) {
  return {{"row", "run"},           {"id", run.id},     {"started", run.started},
          {"command", run.command}, {"seed", run.seed}, {"machine", run.machine},
          {"build", run.build}};
}

RunRow RunFrom(const Json& json) {
  return {json.at("id"),      json.at("started"), "", json.at("command"), json.at("seed"),
          json.at("machine"), json.at("build")};
}

Json ToJson(const ShardRow& shard) {
  return {{"row", "shard"},         {"run", shard.run_id},    {"plan", shard.plan},
          {"number", shard.number}, {"shards", shard.shards}, {"document", ToJson(shard.document)}};
}

ShardRow ShardFrom(const Json& json) {
  ShardRow shard{json.at("run"), json.at("plan"), json.at("number"), json.at("shards"), "", {}};
  Read(json.at("document"), shard.document);
  return shard;
}

Json ToJson(const TrialRow& t) {
  return {{"row", "trial"},
          {"key", t.key},
          {"run", t.run_id},
          {"problem", t.problem},
          {"method", t.method},
          {"integrator", t.integrator},
          {"tolerance", NumberOrNull(t.tolerance)},
          {"step", NumberOrNull(t.step)},
          {"end_time", NumberOrNull(t.end_time)},
          {"kind", t.kind},
          {"round", t.round},
          {"outcome", t.outcome},
          {"reason", t.reason},
          {"finished", t.finished},
          {"cpu_seconds", NumberOrNull(t.cpu_seconds)},
          {"wall_seconds", NumberOrNull(t.wall_seconds)},
          {"record", ToJson(t.record)}};
}

TrialRow TrialFrom(const Json& json) {
  TrialRow t;
  t.key = json.at("key");
  t.run_id = json.at("run");
  t.problem = json.at("problem");
  t.method = json.at("method");
  t.integrator = json.at("integrator");
  t.tolerance = NumberIn(json.at("tolerance"));
  t.step = NumberIn(json.at("step"));
  t.end_time = NumberIn(json.at("end_time"));
  t.kind = json.at("kind");
  t.round = json.at("round");
  t.outcome = json.at("outcome");
  t.reason = json.at("reason");
  t.finished = json.at("finished");
  t.cpu_seconds = NumberIn(json.at("cpu_seconds"));
  t.wall_seconds = NumberIn(json.at("wall_seconds"));
  t.record = TrialRecordFrom(json.at("record"));
  return t;
}

// Of two results of one trial that which stands; of one second, the one that is read later.
bool IsNewer(const TrialRow& trial, const TrialRow& held) {
  return trial.finished > held.finished ||
         (trial.finished == held.finished && ToJson(trial) != ToJson(held));
}

void ForEachLine(const fs::path& journal, const std::function<void(const std::string&)>& visit) {
  std::ifstream in(journal);
  for (std::string line; std::getline(in, line);) {
    if (!in.eof()) visit(line);  // the last one has no end where its writer was killed
  }
}

}  // namespace

JournalWriter::JournalWriter(fs::path journal, const fs::path& store, JournaledTrials known)
    : path_(std::move(journal)), store_(Store::OpenToRead(store)), known_(std::move(known)) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw ModelError("the journal '" + path_.string() +
                     "' cannot be written: " + std::strerror(errno) + ".");
}

JournalWriter::~JournalWriter() { close(descriptor_); }

void JournalWriter::Update() {
  if (store_.NewestTrial() == row_) return;
  std::string lines;
  const auto add = [&lines](const Json& json) {
    // A new line first ends what a writer that was killed left of one.
    lines += "\n" + json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  };
  for (const RunRow& run : store_.Runs()) {
    if (written_.insert(run.id).second) add(ToJson(run));
  }
  for (const ShardRow& shard : store_.Shards()) {
    if (written_.insert(shard.plan + " " + shard.run_id).second) add(ToJson(shard));
  }
  row_ = store_.ForEachTrialAfter(row_, [&](const TrialRow& trial) {
    // A row that is known is met once; a trial that is run again is a new row.
    const auto known = known_.find(trial.key);
    const bool is_known = known != known_.end() && known->second == trial.finished;
    if (is_known)
      known_.erase(known);
    else
      add(ToJson(trial));
  });
  for (std::size_t written = 0; written < lines.size();) {
    const ssize_t n = write(descriptor_, lines.data() + written, lines.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw ModelError("the journal '" + path_.string() +
                       "' cannot be written: " + std::strerror(errno) + ".");
    written += static_cast<std::size_t>(n);
  }
  fdatasync(descriptor_);
}

void ReadJournal(const fs::path& journal, Store& store, JournaledTrials& trials) {
  std::set<std::string> runs;
  for (const RunRow& run : store.Runs()) runs.insert(run.id);
  ForEachLine(journal, [&](const std::string& line) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) return;
    try {
      if (json.at("row") == "run") {
        const RunRow run = RunFrom(json);
        if (runs.insert(run.id).second) store.Put(run);
      } else if (json.at("row") == "shard") {
        if (runs.count(json.at("run")) > 0) store.Put(ShardFrom(json));
      } else if (const TrialRow trial = TrialFrom(json); runs.count(trial.run_id) > 0) {
        if (const std::optional<TrialRow> held = store.FindTrial(trial.key);
            !held || IsNewer(trial, *held))
          store.Put(trial);
        std::string& newest = trials[trial.key];
        newest = std::max(newest, trial.finished);
      }
    } catch (const Json::exception&) {
      return;  // a damaged line costs only itself
    }
  });
}

std::int64_t TrialsInJournal(const fs::path& journal) {
  constexpr std::string_view kBeginning = R"({"row":"trial","key":")";
  std::set<std::string> keys;
  ForEachLine(journal, [&keys, kBeginning](const std::string& line) {
    if (line.starts_with(kBeginning))
      keys.insert(line.substr(kBeginning.size(), line.find('"', kBeginning.size())));
  });
  return static_cast<std::int64_t>(keys.size());
}

}  // namespace mbsbench
