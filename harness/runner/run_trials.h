// The trials of one run in its store: what identifies each, which are there already, and putting new ones away.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "harness/runner/run.h"
#include "harness/runner/schedule.h"
#include "harness/store/store.h"

namespace mbsbench {

class RunTrials {
 public:
  // Begins a run in the store, or goes on with the one that this binary began on this machine. Throws
  // StoreError where the store holds results and nobody asked to go on.
  explicit RunTrials(const RunOptions& options);

  std::uint64_t seed() const { return static_cast<std::uint64_t>(run_.seed); }
  // The command that the store's run still waits for; empty where it is the one that is carried out now.
  const std::string& awaited() const { return awaited_; }
  // Leaves of the plan what the run's shard is, where it is one, and records which. Gives the same plan.
  std::vector<PlannedProblem>& TakeShard(std::vector<PlannedProblem>& plan);
  // How far the run has come, and, where `is_complete`, that nothing of it is left to do.
  void PutCoverage(const CoverageRecord& coverage, bool is_complete);

  // A problem whose trials follow.
  void Put(const std::string& problem, ProblemRecord record);
  void Put(const MethodChoice& method);

  // `what`: see TrialIdentity. `problem_hash`: of the problem's parameters.
  TrialIdentity IdentityOf(const Cell& cell, const std::string& problem_hash, TrialKind kind,
                           int round = 0, std::string what = "") const;
  // Hash of what is run for a method: the executable, and the engine that brings it.
  const std::string& BinaryHashFor(const std::string& method) const;
  const std::string& binary_hash() const { return binary_hash_; }

  // The trial as it is in the store, unless wider limits could now give another outcome, or what ended so
  // is to be run again.
  std::optional<TrialRow> Found(const TrialIdentity& identity);
  TrialRow StoreTrial(const TrialIdentity& identity, const TrialResult& result,
                      double process_seconds);

  int run() const { return run_count_; }
  int found() const { return found_count_; }

 private:
  const RunOptions& options_;
  Store store_;
  std::string binary_hash_, machine_, host_;
  std::map<std::string, std::string> engine_hashes_;  // by key
  RunRow run_;
  std::optional<ShardRow> shard_;
  std::string awaited_;
  std::set<std::string> retried_;  // keys
  // Of trials that are run again: the key under which they are in the store, perhaps that of another host.
  std::map<std::string, std::string> keys_to_replace_;
  int run_count_ = 0, found_count_ = 0;
};

}  // namespace mbsbench
