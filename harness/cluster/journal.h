// The finished trials of a shard as lines of text, for the node that continues the shard after another one failed.
//
// A text file can be appended to; a store would have to be opened over the network. A truncated last line is ignored.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "harness/store/store.h"

namespace mbsbench {

// The time at which the newest trial of each key finished, of all trials in journals.
using JournaledTrials = std::map<std::string, std::string>;

class JournalWriter {
 public:
  // `known`: the trials that are already in journals.
  JournalWriter(std::filesystem::path journal, const std::filesystem::path& store,
                JournaledTrials known);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Appends the trials stored since the last call; repeated trials are appended again. Throws ModelError if the journal cannot be
  // written.
  void Update();

 private:
  std::filesystem::path path_;
  std::vector<std::string> damaged_;  // trials that the run repeats
  Store store_;
  int descriptor_ = -1;
  std::int64_t row_ = 0;  // the newest row written
  JournaledTrials known_;
  std::set<std::string> written_;  // ids of runs and shards
};

// Puts the trials of a journal into a store and adds them to `trials`. The newest of several results of one trial counts.
void ReadJournal(const std::filesystem::path& journal, Store& store, JournaledTrials& trials);
// Number of trials in the journal; a repeated trial counts once.
std::int64_t TrialsInJournal(const std::filesystem::path& journal);

}  // namespace mbsbench
