#include "harness/cluster/journal.h"

#include <fcntl.h>
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

// "row" comes first and distinguishes the kinds of lines.
template <class Row>
Json Line(const char* kind, const Row& row) {
  Json line{{"row", kind}};
  line.update(ToJson(row));
  return line;
}

// Empty if the line is damaged or lacks a whole number.
template <class Row>
std::optional<Row> RowIn(const Json& line) {
  Row row;
  return Read(line, row) ? std::optional(std::move(row)) : std::nullopt;
}

// Whether `trial` replaces `held`, another result of the same trial; within one second the one that is read later does.
bool IsNewer(const TrialRow& trial, const TrialRow& held) {
  return trial.finished > held.finished ||
         (trial.finished == held.finished && ToJson(trial) != ToJson(held));
}

void ForEachLine(const fs::path& journal, const std::function<void(const std::string&)>& visit) {
  std::ifstream in(journal);
  for (std::string line; std::getline(in, line);) {
    if (!in.eof()) visit(line);  // the last line is incomplete if its writer was killed
  }
}

ModelError CannotWrite(const fs::path& journal) {
  return ModelError("the journal '" + journal.string() +
                    "' cannot be written: " + std::strerror(errno) + ".");
}

}  // namespace

JournalWriter::JournalWriter(fs::path journal, const fs::path& store, JournaledTrials known)
    : path_(std::move(journal)),
      store_(Store::OpenToRead(store, &damaged_)),
      known_(std::move(known)) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw CannotWrite(path_);
}

JournalWriter::~JournalWriter() { close(descriptor_); }

void JournalWriter::Update() {
  if (store_.NewestTrial() == row_) return;
  std::string lines;
  const auto add = [&lines](const Json& json) {
    // The leading line feed ends a line that a killed writer left incomplete.
    lines += "\n" + json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  };
  for (const RunRow& run : store_.Runs()) {
    if (written_.insert(run.id).second) add(Line("run", run));
  }
  for (const ShardRow& shard : store_.Shards()) {
    if (written_.insert(shard.plan + " " + shard.run_id).second) add(Line("shard", shard));
  }
  row_ = store_.ForEachTrialAfter(row_, [&](const TrialRow& trial) {
    // A known row appears once; a repeated trial is a new row.
    const auto known = known_.find(trial.key);
    const bool is_known = known != known_.end() && known->second == trial.finished;
    if (is_known)
      known_.erase(known);
    else
      add(Line("trial", trial));
  });
  for (std::size_t written = 0; written < lines.size();) {
    const ssize_t n = write(descriptor_, lines.data() + written, lines.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw CannotWrite(path_);
    written += static_cast<std::size_t>(n);
  }
  fdatasync(descriptor_);
}

void ReadJournal(const fs::path& journal, Store& store, JournaledTrials& trials) {
  std::set<std::string> runs;
  for (const RunRow& run : store.Runs()) runs.insert(run.id);
  ForEachLine(journal, [&](const std::string& line) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) return;  // only the damaged line is lost
    std::string kind;
    Read(json.value("row", Json()), kind);
    if (kind == "run") {
      if (const auto run = RowIn<RunRow>(json); run && runs.insert(run->id).second) store.Put(*run);
    } else if (kind == "shard") {
      if (const auto shard = RowIn<ShardRow>(json); shard && runs.count(shard->run_id) > 0)
        store.Put(*shard);
    } else if (const auto trial = RowIn<TrialRow>(json);
               trial && !trial->key.empty() && runs.count(trial->run_id) > 0) {
      if (const std::optional<TrialRow> held = store.FindTrial(trial->key);
          !held || IsNewer(*trial, *held))
        store.Put(*trial);
      std::string& newest = trials[trial->key];
      newest = std::max(newest, trial->finished);
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
