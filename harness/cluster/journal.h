// The finished trials of a shard as lines of text: what a node that dies leaves to the next one.
//
// A text file is appended to, where a store would have to be opened over the network. A line that was cut short by the end
// of its writer is no line.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "harness/store/store.h"

namespace mbsbench {

class JournalWriter {
 public:
  // `known`: keys of the trials that are in journals already.
  JournalWriter(std::filesystem::path journal, const std::filesystem::path& store,
                std::set<std::string> known);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Appends the trials that were stored since. Throws ModelError where the journal cannot be written.
  void Update();

 private:
  std::filesystem::path path_;
  Store store_;
  int descriptor_ = -1;
  std::int64_t row_ = 0;         // newest one that is written
  std::set<std::string> known_;  // what is written: keys of trials, ids of runs and shards
};

// Puts the trials of a journal in a store; those that are there already stay as they are. Gives the keys of all.
std::set<std::string> ReadJournal(const std::filesystem::path& journal, Store& store);
// Number of trials in it.
std::int64_t TrialsInJournal(const std::filesystem::path& journal);

}  // namespace mbsbench
