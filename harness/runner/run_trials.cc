#include "harness/runner/run_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/comparison/same_machine.h"
#include "harness/runner/cells/wall_clock.h"
#include "harness/runner/documents.h"
#include "harness/runner/process/environment.h"
#include "harness/store/plugins_of_build.h"
#include "harness/store/run_commands.h"

namespace mbsbench {

namespace {

bool LimitsEnd(const std::string& outcome) {
  return outcome == Name(Outcome::kTimeout) || outcome == Name(Outcome::kOutOfMemory);
}

// Whether a trial ended with one of these outcomes. An agreement check counts if the outcome of a method or of the truth is one
// of them; they are recorded as "timeout: reason".
template <typename IsOne>
bool EndedIn(const TrialRow& row, const IsOne& is_one) {
  if (is_one(row.outcome)) return true;
  if (!row.record.agreement) return false;
  const auto ended = [&is_one](const std::string& ending) {
    return is_one(ending.substr(0, ending.find(':')));
  };
  const std::vector<MethodAgreementRecord>& methods = row.record.agreement->methods;
  return ended(row.record.agreement->truth) ||
         std::any_of(methods.begin(), methods.end(),
                     [&](const MethodAgreementRecord& method) { return ended(method.reason); });
}

// Other limits could give another outcome.
bool LimitsDecided(const TrialRow& row) {
  return (row.outcome == Name(Outcome::kSkipped) && row.record.expected_seconds) ||
         EndedIn(row, LimitsEnd);
}

// Times belong to one host; other results are equal on every host of a kind.
bool IsTimed(TrialKind kind) { return kind == TrialKind::kTime || kind == TrialKind::kEvaluation; }

std::string OnHost(const std::string& machine, const std::string& host) {
  return machine + " on " + host;
}

// On a busy machine the control kernel is slower: it is measured for this long before a host counts as slower [s].
constexpr double kPatience = 3;

// Whether this host is as fast as the one on which `least` was measured; true if nothing was measured.
bool IsAsFast(MaybeNumber least, const std::function<double()>& control_seconds) {
  if (!least) return true;
  double here = std::numeric_limits<double>::infinity();
  for (const double start = WallSeconds(); WallSeconds() - start < kPatience;) {
    here = std::min(here, control_seconds());
    if (here < *least / (1 + kControlLimit)) return false;
    if (here <= *least * (1 + kControlLimit)) return true;
  }
  return false;
}

}  // namespace

std::optional<RunRow> RunToResume(const Store& store, const MachineRecord& machine,
                                  const BuildRecord& build,
                                  const std::function<double()>& control_seconds) {
  const std::string& host = machine.hosts.front();
  std::vector<RunRow> runs = store.Runs();
  std::reverse(runs.begin(), runs.end());
  std::erase_if(runs, [&](const RunRow& run) {
    return ProcessorAndBuild(run.machine, run.build) != ProcessorAndBuild(machine, build);
  });
  const auto was_here = [&host](const RunRow& run) {
    const std::vector<std::string>& hosts = run.machine.hosts;
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
  };
  auto found = std::find_if(runs.begin(), runs.end(), was_here);
  if (found == runs.end() && !runs.empty()) {
    std::map<std::string, MaybeNumber>
        least;  // time of the control kernel next to the trials of each run [s]
    store.ForEachTrialWithoutSeries(
        [&least](TrialRow&& trial) { Lower(least[trial.run_id], trial.record.control_seconds); });
    found = std::find_if(runs.begin(), runs.end(), [&](const RunRow& run) {
      return IsAsFast(least[run.id], control_seconds);
    });
  }
  if (found == runs.end()) return std::nullopt;
  std::vector<std::string> hosts = found->machine.hosts;
  if (!was_here(*found)) hosts.push_back(host);
  found->machine = machine;
  found->machine.hosts = std::move(hosts);
  return *found;
}

RunTrials::RunTrials(const RunOptions& options, RunSummary& summary)
    : options_(options),
      summary_(summary),
      store_(Store::OpenToWrite(options.store, &summary.damaged)),
      binary_hash_(HashOfBinary(options.plugins)),
      machine_(MachineIdentity()),
      host_(HostName()) {
  for (const auto& [key, file] : options.engines) {
    std::vector<std::filesystem::path> files = options.plugins;
    files.push_back(file);
    engine_hashes_[key] = HashOfBinary(files);
  }
  if (store_.TrialCount() > 0 && !options_.resume) {
    throw StoreError(
        fmt::format("the store '{}' holds results already. Give --resume to continue it, or "
                    "another file by --store.",
                    options_.store.string()));
  }
  const MachineRecord machine = ThisMachine();
  const BuildRecord build = ThisBuild(binary_hash_);
  if (std::optional<RunRow> begun = RunToResume(store_, machine, build)) run_ = std::move(*begun);
  if (run_.id.empty()) {
    if (const std::vector<RunRow> runs = store_.Runs();
        !runs.empty() && options_.progress != nullptr)
      fmt::print(options_.progress,
                 "A new run begins in addition to the run of {}, which another machine or build "
                 "made.\n",
                 runs.back().started);
    run_ = {RandomId(), UtcNow(), "", "", static_cast<std::int64_t>(options_.seed), machine, build};
  }
  const RunCommands commands = WithCommand(run_, options_.command);
  run_.command = commands.all;
  summary_.unfinished = commands.awaited;
  run_.finished.clear();
  AddPlugins(build, run_.build);
  store_.Put(run_);
}

std::vector<PlannedProblem>& RunTrials::TakeShard(std::vector<PlannedProblem>& plan) {
  if (!options_.shard) return plan;
  const std::vector<int> shards = AssignShards(plan, options_.shard->of);
  shard_ = {run_.id,
            PlanHash(plan, shards, options_.rounds, options_.seed, binary_hash_),
            options_.shard->number,
            options_.shard->of,
            "",
            RecordOf(plan, shards)};
  store_.Put(*shard_);
  std::vector<PlannedProblem> mine;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (shards[i] == shard_->number) mine.push_back(std::move(plan[i]));
  }
  return plan = std::move(mine);
}

void RunTrials::PutCoverage(const CoverageRecord& coverage, bool is_complete) {
  if (shard_) {
    shard_->document.coverage = coverage;
    if (is_complete) shard_->finished = UtcNow();
    store_.Put(*shard_);
  }
  if (!summary_.unfinished.empty()) return;  // the coverage of the awaited command stays
  store_.Put(CoverageRow{run_.id, coverage});
  if (!is_complete) return;
  run_.finished = UtcNow();
  store_.Put(run_);
}

void RunTrials::Put(const std::string& problem, ProblemRecord record) {
  store_.Put(ProblemRow{run_.id, problem, std::move(record)});
}

void RunTrials::Put(const MethodChoice& method) {
  store_.Put(MethodRow{run_.id, method.spec, RecordOf(method)});
}

TrialIdentity RunTrials::IdentityOf(const Cell& cell, const std::string& problem_hash,
                                    TrialKind kind, int round, std::string what) const {
  return {cell,
          std::string(Name(kind)),
          round,
          std::move(what),
          problem_hash,
          BinaryHashFor(cell.method),
          IsTimed(kind) ? OnHost(machine_, host_) : machine_};
}

const std::string& RunTrials::BinaryHashFor(const std::string& method) const {
  const auto engine = engine_hashes_.find(method.substr(0, method.find(':')));
  return engine == engine_hashes_.end() ? binary_hash_ : engine->second;
}

std::optional<TrialRow> RunTrials::Found(const TrialIdentity& identity) {
  std::optional<TrialRow> row = store_.FindTrial(TrialKey(identity));
  // The trial may have been timed on another host that counts as this machine.
  if (!row && identity.machine != machine_) {
    TrialIdentity elsewhere = identity;
    for (const std::string& host : run_.machine.hosts) {
      elsewhere.machine = OnHost(machine_, host);
      if (!row) row = store_.FindTrial(TrialKey(elsewhere));
    }
  }
  if (!row) return row;
  const auto is_named = [this](const std::string& outcome) {
    return options_.retry.count(outcome) > 0;
  };
  const ProcessLimits had = row->record.limits.value_or(ProcessLimits{0, 0}), has = options_.limits;
  const bool has_more = !(had.seconds >= has.seconds) || had.bytes < has.bytes;
  if ((EndedIn(*row, is_named) && !stored_.contains(row->key)) ||
      (has_more && LimitsDecided(*row))) {
    keys_to_replace_[TrialKey(identity)] = row->key;
    return std::nullopt;
  }
  ++summary_.trials_found;
  return row;
}

TrialRow RunTrials::StoreTrial(const TrialIdentity& identity, const TrialResult& result,
                               double process_seconds) {
  TrialRow row{identity};
  row.key = TrialKey(identity);
  if (const auto old = keys_to_replace_.find(row.key); old != keys_to_replace_.end())
    row.key = old->second;
  row.run_id = run_.id;
  row.kind = identity.kind;
  row.round = identity.round;
  row.outcome = Name(result.ending.outcome);
  row.reason = result.ending.reason;
  row.finished = UtcNow();
  row.cpu_seconds = result.cpu_seconds;
  row.wall_seconds = result.wall_seconds;
  row.record = result.record;
  row.record.process_seconds = process_seconds;
  row.record.limits = options_.limits;
  row.record.problem_hash = identity.problem_hash;
  store_.Put(row);
  stored_.insert(row.key);
  ++summary_.trials_run;
  return row;
}

}  // namespace mbsbench
