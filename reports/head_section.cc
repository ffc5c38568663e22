// What was run, and how it ended.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

// Who is right, where 113 bits can tell: "; against 113 bits A errs by 1, the others by 1e-12 at most"
std::string AgainstTruth(const Json& record) {
  const std::string worst = Text(Field(record, "worst"), "method");
  std::optional<double> own, others;
  for (const Json& method : Field(record, "methods")) {
    const auto error = Number(method, "error");
    if (!error) continue;
    std::optional<double>& largest = Text(method, "method") == worst ? own : others;
    largest = std::max(largest.value_or(0), *error);
  }
  if (!own || !others) return "";
  return fmt::format("; against 113 bits {} errs by {}, the others by {} at most", worst,
                     FormatError(own), FormatError(others));
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
  if (cells == 0) {
    section.blocks.push_back(
        Paragraph{"This store holds no finished cell: the run was stopped before its first one, or "
                  "nothing was selected. Go on with it by `mbsbench run --resume`."});
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
  for (const Run* run : comparison.runs) {
    if (run->finished.empty()) {
      section.blocks.push_back(
          Paragraph{fmt::format("Run {} has not finished: it is under way or was killed. What it "
                                "had stored is shown; `mbsbench run --resume` completes it.",
                                run->id.substr(0, 8))});
    }
  }
  List disagreements;
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement || problem.agreement->outcome != "inaccurate") continue;
    disagreements.items.push_back(problem.name + ": " + problem.agreement->reason +
                                  AgainstTruth(problem.agreement->record));
  }
  if (!disagreements.items.empty()) {
    section.blocks.push_back(Paragraph{
        "Accelerations of a method differ from those of the others. Where the others meet the "
        "reference, its digits are lost there (products of transfer matrices lose them along long "
        "chains), and its own cells alone suffer; where they do not, methods did not solve the "
        "same problem:"});
    section.blocks.push_back(std::move(disagreements));
  }
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
