// mbsbench export: a compact copy of a store.
#include <fmt/format.h>

#include <memory>

#include "commands/options.h"
#include "commands/text.h"

namespace mbsbench {

void AddExportCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "export", "Copy a store into one compact file, even while a run writes to it",
      "Example:\n  mbsbench export --store mbsbench-results/results.sqlite laptop.sqlite");
  struct Options {
    std::string store = kDefaultStore, file;
  };
  const auto options = std::make_shared<Options>();
  AddStore(*command, options->store);
  AddArgument(*command, "OUTPUT", options->file, "New file to write");
  command->callback([options, &context] {
    const Store store = Store::OpenToRead(options->store);
    store.ExportTo(options->file);
    Print("{} trials exported to {}\n", store.TrialCount(), options->file);
  });
}

}  // namespace mbsbench
