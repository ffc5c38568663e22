// The finished trials of a shard as lines of text: what a node that dies leaves to the next one.
//
// A text file is appended to, where a store would have to be opened over the network. A line that was cut short by the end
// of its writer is no line.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "harness/store/store.h"

namespace mbsbench {

// Of the trials in journals: when the newest one of each key had finished.
using JournaledTrials = std::map<std::string, std::string>;

class JournalWriter {
 public:
  // `known`: what is in journals already.
  JournalWriter(std::filesystem::path journal, const std::filesystem::path& store,
                JournaledTrials known);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Appends the trials that were stored since, repeated ones once more. Throws ModelError where the journal cannot be written.
  void Update();

 private:
  std::filesystem::path path_;
  Store store_;
  int descriptor_ = -1;
  std::int64_t row_ = 0;  // newest one that is written
  JournaledTrials known_;
  std::set<std::string> written_;  // ids of runs and shards
};

// Puts the trials of a journal in a store and names them in `trials`. Of several results of one trial, a trial that was run
// again, the newest stands.
void ReadJournal(const std::filesystem::path& journal, Store& store, JournaledTrials& trials);
// Number of trials in it; one that was run again counts once.
std::int64_t TrialsInJournal(const std::filesystem::path& journal);

}  // namespace mbsbench
