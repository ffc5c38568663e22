// mbsbench merge: the shards of a plan, or results from several machines, in one store.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <set>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/comparison/plan_shards.h"

namespace mbsbench {

namespace {

std::set<std::string> NamesOfTwoMechanisms(const Store& store) {
  std::map<std::string, ProblemRecord> first;
  std::set<std::string> names;
  for (const ProblemRow& row : store.Problems()) {
    const auto [known, is_new] = first.try_emplace(row.name, row.record);
    if (!is_new && IsOtherMechanism(known->second.problem_hash, row.record.problem_hash))
      names.insert(row.name);
  }
  return names;
}

int Merge(const std::string& into, const std::vector<std::string>& stores) {
  // All or none: nothing is written before all of them are checked.
  for (const std::string& store : stores) Store::OpenToRead(store).CheckWhole();
  std::vector<std::string> damaged;
  Store merged = Store::OpenToWrite(into, &damaged);
  for (const std::string& store : stores) {
    const ImportCount count = merged.ImportFrom(store);
    Print("{}: {} trials added, {} were there already\n", store, count.added, count.present);
    damaged.insert(damaged.end(), count.damaged.begin(), count.damaged.end());
  }
  for (const std::string& sentence : damaged) PrintWrapped("DAMAGED: ", sentence);
  for (const std::string& name : NamesOfTwoMechanisms(merged)) {
    PrintWrapped(
        "note: ",
        fmt::format("'{}' names different mechanisms in different runs: results of each are "
                    "kept, and a report shows those of the latest run.",
                    name));
  }
  const std::vector<std::string> missing = MissingShards(merged);
  for (const std::string& sentence : missing) Print("{}\n", sentence);
  if (missing.empty() && !merged.Shards().empty()) Print("all shards are there\n");
  return damaged.empty() ? kExitOk : kExitCellFailed;
}

}  // namespace

void AddMergeCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "merge", "Merge stores, such as the shards of a plan, into one, trial by trial",
      R"(The order does not matter; of two results of one trial the later one stays. If shards
of a plan are merged, the missing ones are listed. A trial whose record is damaged is named and left
out; 'mbsbench run --resume' runs it again, and an undamaged copy of it can be merged later.

Example:
  mbsbench merge --store all.sqlite shard-1.sqlite shard-2.sqlite

Exit codes: 0 ok; 2 bad usage or input; 3 merged, but a damaged record was left out; 4 internal
error.)");
  struct Options {
    std::string store = kDefaultStore;
    std::vector<std::string> shards;
  };
  const auto options = std::make_shared<Options>();
  AddStore(*command, options->store, "The store to add to; it is created if there is none");
  AddArgument(*command, "STORE", options->shards, "Stores to add");
  command->callback(
      [options, &context] { context.exit_code = Merge(options->store, options->shards); });
}

}  // namespace mbsbench
