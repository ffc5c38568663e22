// What was run, and how it ended.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/store/run_commands.h"
#include "reports/coverage.h"
#include "reports/disagreements.h"
#include "reports/format.h"
#include "reports/outcomes.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

void AddDisagreements(const Comparison& comparison, Section& section) {
  const Disagreements found = ReadDisagreements(comparison);
  if (!found.losses.empty()) {
    std::string names;
    for (const DigitLoss& loss : found.losses)
      names += (names.empty() ? "" : ", ") + Code(loss.method);
    section.blocks.push_back(Paragraph{
        fmt::format("On some problems {} digits: {}. The page Validation says where, and how many.",
                    found.losses.size() == 1 ? "one method loses" : "methods lose", names)});
  }
  if (found.open.empty()) return;
  section.blocks.push_back(
      Paragraph{"Methods do not agree on accelerations, so they did not solve the same problem:"});
  section.blocks.push_back(List{found.open});
}

}  // namespace

Section HeadSection(const Comparison& comparison, Document&) {
  const std::size_t cells = comparison.CellCount();
  std::size_t good = 0, refused = 0, skipped = 0;
  std::set<std::string> methods;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) {
      good += cell.outcome == "ok";
      refused += cell.outcome == "unsupported";
      skipped += cell.outcome == "skipped";
      methods.insert(cell.method);
    }
  }
  Section section{"head", "What was run", {}};
  for (const std::string& sentence : DescribeUnfinishedRuns(comparison))
    section.blocks.push_back(Paragraph{sentence});
  if (cells == 0) {
    section.blocks.push_back(Paragraph{
        fmt::format("This store holds no finished cell: the run was stopped before its first one, "
                    "or nothing was selected. Go on with it by {}.",
                    Code(CommandToResume(comparison.results->runs.back().command)))});
  } else {
    section.blocks.push_back(Paragraph{fmt::format(
        "{} over {} and {}: {} ended ok, {} were refused by their method, which says why, {} "
        "were skipped for a reason given, {} ended otherwise{}.",
        Plural(static_cast<long long>(cells), "cell"),
        Plural(static_cast<long long>(comparison.problems.size()), "problem"),
        Plural(static_cast<long long>(methods.size()), "method"),
        FormatCount(static_cast<long long>(good)), FormatCount(static_cast<long long>(refused)),
        FormatCount(static_cast<long long>(skipped)),
        FormatCount(static_cast<long long>(cells - good - refused - skipped)),
        good == 0 ? ". No cell ended ok, so there is nothing to compare; the "
                    "reasons stand below the outcome matrix"
                  : "")});
  }
  AddDisagreements(comparison, section);
  if (comparison.superseded > 0) {
    section.blocks.push_back(Paragraph{fmt::format(
        "{} of older builds or other machines, of problems that a newer run repeated, {} not "
        "shown.",
        Plural(comparison.superseded, "trial"), comparison.superseded == 1 ? "is" : "are")});
  }
  if (!comparison.results->warnings.empty()) {
    section.blocks.push_back(Paragraph{"Not everything in the store could be read:"});
    section.blocks.push_back(List{comparison.results->warnings});
  }
  return section;
}

}  // namespace mbsbench::reports
