// mbsbench figures: figures and tables for a paper.
#include "reports/figures.h"

#include <fmt/format.h>

#include <memory>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/runner/plan/policy.h"

namespace mbsbench {

void AddFiguresCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "figures",
      "Write at most eight figures and four tables of a store for a paper: SVG, PDF, LaTeX, BibTeX",
      R"(A map of all families of methods, a profile, four work-precision diagrams, scaling and engines,
each 252 and 510 pt wide; tables with captions; and paper.tex, which includes them. Figures need
node (package nodejs); PDF needs rsvg-convert (package librsvg2-bin), inkscape or chromium, and the
first one found is used.

Example:
  mbsbench figures --store planar.sqlite --output paper --problem fourbar --problem andrews)");
  struct Options {
    std::string store = kDefaultStore, output = "mbsbench-results/figures";
    PaperOptions paper = {};
  };
  const auto options = std::make_shared<Options>();
  AddStore(*command, options->store);
  AddOption(*command, "--output", options->output, "DIR", "Folder of the figures");
  AddOption(*command, "--problem", options->paper.problems, "NAME",
            "Problem of a work-precision diagram, at most four; default: problems that a "
            "comparison begins with");
  command->add_flag("--swap", options->paper.swap,
                    "Draw work-precision diagrams with times on the abscissa instead of errors");
  command->callback([options, &context] {
    options->paper.preferred = HeadlineProblems();
    const PaperFiles files = WriteFigures(options->store, options->output, options->paper);
    Print("{} figures as SVG and {} PDF files, {} tables, paper.tex and sources.bib in {}\n",
          files.figures, files.pdfs, files.tables, options->output);
    for (const std::string& sentence : files.missing) Print("{}\n", sentence);
  });
}

}  // namespace mbsbench
