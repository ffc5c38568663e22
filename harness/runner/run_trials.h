// The trials of one run in its store: their identities, finding them and storing new ones.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "harness/control_kernel.h"
#include "harness/runner/plan/schedule.h"
#include "harness/runner/run.h"
#include "harness/store/store.h"

namespace mbsbench {

// The newest run that the same build started on this machine, with the present machine record; empty if there is none. Another
// host counts as this machine if its processor and libraries are the same and the control kernel agrees
// (harness/comparison/same_machine.h); the run then names both hosts.
// `machine` and `build` are those of this process; `control_seconds` measures the control kernel here.
std::optional<RunRow> RunToResume(
    const Store& store, const MachineRecord& machine, const BuildRecord& build,
    const std::function<double()>& control_seconds = ControlKernelSeconds);

class RunTrials {
 public:
  // Begins a run in the store, or continues the run that this binary began on this machine. Throws StoreError if the store holds
  // results and the options do not resume.
  // `summary` counts its trials, and receives the command that must still finish the store's run, and the records of the store
  // that could not be read. Their trials are run again.
  RunTrials(const RunOptions& options, RunSummary& summary);

  std::uint64_t seed() const { return static_cast<std::uint64_t>(run_.seed); }
  // Reduces the plan to the shard of the run, if it has one, and records the shard. Returns the same plan.
  std::vector<PlannedProblem>& TakeShard(std::vector<PlannedProblem>& plan);
  // Stores the progress of the run and, if `is_complete`, its end.
  void PutCoverage(const CoverageRecord& coverage, bool is_complete);

  // Stores a problem and a method before their trials.
  void Put(const std::string& problem, ProblemRecord record);
  void Put(const MethodChoice& method);

  // `what`: see TrialIdentity. `problem_hash`: of the problem's parameters.
  TrialIdentity IdentityOf(const Cell& cell, const std::string& problem_hash, TrialKind kind,
                           int round = 0, std::string what = "") const;
  // Hash of the code that runs for a method: the executable, and the engine of the method.
  const std::string& BinaryHashFor(const std::string& method) const;
  const std::string& binary_hash() const { return binary_hash_; }

  // The trial in the store, unless wider limits could now give another outcome or the options repeat trials with its outcome.
  std::optional<TrialRow> Found(const TrialIdentity& identity);
  TrialRow StoreTrial(const TrialIdentity& identity, const TrialResult& result,
                      double process_seconds);

 private:
  const RunOptions& options_;
  RunSummary& summary_;
  Store store_;
  std::string binary_hash_, machine_, host_;
  std::map<std::string, std::string> engine_hashes_;  // by key
  RunRow run_;
  std::optional<ShardRow> shard_;
  std::set<std::string> stored_;  // keys of this object's trials, which are not repeated again
  // For repeated trials: the key in the store, which may be the key for another host.
  std::map<std::string, std::string> keys_to_replace_;
};

}  // namespace mbsbench
