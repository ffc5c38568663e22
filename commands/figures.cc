// mbsbench figures: figures and tables for a paper.
#include "reports/figures.h"

#include <fmt/format.h>

#include <memory>

#include "commands/options.h"
#include "commands/text.h"

namespace mbsbench {

void AddFiguresCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "figures",
      "Write the figures and tables of a store for a paper: SVG, PDF, LaTeX, BibTeX",
      R"(Charts need node (package nodejs); PDF needs rsvg-convert (package librsvg2-bin), inkscape or
chromium, and the first one found is used. Without them only the tables are written.

Example:
  mbsbench figures --store planar.sqlite --output paper)");
  struct Options {
    std::string store = kDefaultStore, output = "mbsbench-results/figures";
  };
  const auto options = std::make_shared<Options>();
  AddStore(*command, options->store);
  AddOption(*command, "--output", options->output, "DIR", "Folder of the figures");
  command->callback([options, &context] {
    const PaperFiles files = WriteFigures(options->store, options->output);
    Print("{} figures as SVG, {} as PDF, {} tables as LaTeX and Markdown, sources.bib in {}\n",
          files.figures, files.pdfs, files.tables, options->output);
    for (const std::string& sentence : files.missing) Print("{}\n", sentence);
  });
}

}  // namespace mbsbench
