// mbsbench archive: the results of a store as a folder that can be published.
#include "reports/archive.h"

#include <memory>

#include "commands/options.h"
#include "commands/text.h"

namespace mbsbench {

void AddArchiveCommand(CLI::App& app, CommandContext&) {
  CLI::App* command = AddCommand(
      app, "archive", "Write a store, its report and their origin as a folder to publish",
      R"(The folder is an RO-Crate 1.1: the store, report, numbers as CSV, commands, machines and builds,
CITATION.cff and checksums. 'mbsbench report --against FOLDER' draws its curves in grey.

Example:
  mbsbench archive planar.sqlite --output planar-2026)");
  struct Options {
    std::string store, output = "mbsbench-results/archive",
                       license = "https://spdx.org/licenses/CC-BY-4.0";
  };
  const auto options = std::make_shared<Options>();
  AddArgument(*command, "STORE", options->store, "File of the store");
  AddOption(*command, "--output", options->output, "DIR", "New folder of the archive");
  AddOption(*command, "--license", options->license, "URL", "Licence of the results");
  command->callback([options] {
    WriteArchive(options->store, options->output, options->license);
    Print("archive in {}\n", options->output);
  });
}

}  // namespace mbsbench
