// mbsbench report: the report of a store.

#include <memory>

#include "commands/options.h"
#include "commands/text.h"
#include "reports/report.h"

namespace mbsbench {

void AddReportCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      AddCommand(app, "report", "Write the report of a store: Markdown, CSV and one HTML file",
                 R"(The report needs only the store; the HTML file opens offline.

Examples:
  mbsbench report --store planar.sqlite --output planar-report
  mbsbench report --against published-archive
  mbsbench health --json > card.json; mbsbench report --health card.json)");
  struct Options {
    std::string store = kDefaultStore, output = "mbsbench-results/report", health;
    std::vector<std::string> against;
  };
  const auto options = std::make_shared<Options>();
  AddStore(*command, options->store);
  AddOption(*command, "--output", options->output, "DIR", "Folder of the report");
  AddOption(*command, "--against", options->against, "ARCHIVE",
            "Draw what an archive holds in grey; repeatable ('mbsbench compare' compares runs)");
  AddOption(*command, "--health", options->health, "FILE",
            "Add a page with the card that 'mbsbench health --json' has printed");
  command->callback([options, &context] {
    const ReportFiles files =
        WriteReport(options->store, options->output, options->against, options->health);
    Print("{}", Summary(options->store, Program(), StartedBy()));
    Print("report in {} and {}, {} tables as CSV\n", files.html.string(), files.markdown.string(),
          files.csv.size());
  });
}

}  // namespace mbsbench
