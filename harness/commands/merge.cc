// mbsbench merge: the shards of a plan, or results from several machines, in one store.
#include <fmt/format.h>

#include <memory>

#include "harness/commands/options.h"
#include "harness/commands/text.h"
#include "harness/store/plan_shards.h"

namespace mbsbench {

namespace {

void Merge(const std::string& into, const std::vector<std::string>& stores) {
  // All or none: nothing is written before all of them are checked.
  for (const std::string& store : stores) Store::OpenToRead(store).CheckWhole();
  Store merged = Store::OpenToWrite(into);
  for (const std::string& store : stores) {
    const ImportCount count = merged.ImportFrom(store);
    Print("{}: {} trials added, {} were there already\n", store, count.added, count.present);
  }
  const std::vector<std::string> missing = MissingShards(merged);
  for (const std::string& sentence : missing) Print("{}\n", sentence);
  if (missing.empty() && !merged.Shards().empty()) Print("all shards are there\n");
}

}  // namespace

void AddMergeCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "merge", "Merge stores, such as the shards of a plan, into one, trial by trial");
  command->footer(
      std::string(
          R"(The order does not matter; trials that are in the store already stay as they are. If shards
of a plan are merged, the missing ones are listed.

Example:
  mbsbench merge --store all.sqlite shard-1.sqlite shard-2.sqlite

)") + kExitCodesHelp);
  struct Options {
    std::string store = kDefaultStore;
    std::vector<std::string> shards;
  };
  const auto options = std::make_shared<Options>();
  AddStore(*command, options->store, "The store to add to; it is created if there is none");
  AddArgument(*command, "STORE", options->shards, "Stores to add");
  command->callback([options, &context] { Merge(options->store, options->shards); });
}

}  // namespace mbsbench
