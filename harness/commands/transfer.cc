// mbsbench export, import: results from several machines in one store.
#include <fmt/format.h>

#include <memory>

#include "harness/commands/commands.h"
#include "harness/commands/text.h"

namespace mbsbench {

void AddExportCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "export", "Copy a store into one compact file, also while a run writes to it");
  command->footer(
      std::string(
          "Example:\n  mbsbench export --store mbsbench-results/results.sqlite laptop.sqlite\n\n") +
      kExitCodesHelp);
  struct Options {
    std::string store = kDefaultStore, file;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("--store", options->store, "The store")
      ->capture_default_str()
      ->type_name("FILE");
  command->add_option("OUTPUT", options->file, "New file to write")->required()->type_name("");
  command->callback([options, &context] {
    const Store store = Store::OpenToRead(options->store);
    store.ExportTo(options->file);
    Print("{} trials exported to {}\n", store.TrialCount(), options->file);
    context.exit_code = kExitOk;
  });
}

void AddImportCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("import", "Add the results of other stores to one, trial by trial by key");
  command->footer(
      std::string(
          "Trials that are there already stay as they are.\n\n"
          "Example:\n  mbsbench import --store all.sqlite laptop.sqlite server.sqlite\n\n") +
      kExitCodesHelp);
  struct Options {
    std::string store = kDefaultStore;
    std::vector<std::string> shards;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("--store", options->store, "The store to add to; made when there is none")
      ->capture_default_str()
      ->type_name("FILE");
  command->add_option("FILE", options->shards, "Stores to add")->required()->type_name("");
  command->callback([options, &context] {
    for (const std::string& shard : options->shards) Store::OpenToRead(shard);  // all or none
    Store store = Store::OpenToWrite(options->store);
    for (const std::string& shard : options->shards) {
      const ImportCount count = store.ImportFrom(shard);
      Print("{}: {} trials added, {} were there already\n", shard, count.added, count.present);
    }
    context.exit_code = kExitOk;
  });
}

}  // namespace mbsbench
