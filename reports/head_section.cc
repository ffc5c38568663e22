// What was run, and how it ended.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/store/run_commands.h"
#include "reports/digit_loss.h"
#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

constexpr double kMeets = 1e-6;  // as the comparison of methods with each other has it

// Of a disagreement: the errors against 113 bits of the method that stands out, and of the others.
struct Judged {
  std::string method;
  std::optional<double> own, others;
  // The others are right, and the one has lost its digits.
  bool IsSettled() const { return own && others && *others <= kMeets; }
};
Judged Judge(const Json& record) {
  Judged judged{Text(Field(record, "worst"), "method"), {}, {}};
  for (const Json& method : Field(record, "methods")) {
    const auto error = Number(method, "error");
    if (!error) continue;
    auto& largest = Text(method, "method") == judged.method ? judged.own : judged.others;
    largest = std::max(largest.value_or(0), *error);
  }
  return judged;
}

// A method that loses its digits on some problems.
struct Loser {
  std::vector<std::string> problems;
  double own = 0, others = 0;
};

void AddDisagreements(const Comparison& comparison, Section& section) {
  std::map<std::string, Loser> losers;
  List open;
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement || problem.agreement->outcome != "inaccurate") continue;
    const Judged judged = Judge(problem.agreement->record);
    if (!judged.IsSettled()) {
      open.items.push_back(problem.name + ": " + problem.agreement->reason);
      continue;
    }
    Loser& loser = losers[judged.method];
    loser.problems.push_back(problem.name);
    loser.own = std::max(loser.own, *judged.own);
    loser.others = std::max(loser.others, *judged.others);
  }
  for (const auto& [method, loser] : losers) {
    section.blocks.push_back(Paragraph{fmt::format(
        "`{}` loses digits on {}: against 113 bits its accelerations err by {}, those of the "
        "others by {} at most, so that its own cells alone suffer.",
        method, fmt::join(loser.problems, ", "),
        loser.own < kAllLost ? "up to " + FormatError(loser.own)
                             : "as much as they are large, or more",
        FormatError(loser.others))});
  }
  if (open.items.empty()) return;
  section.blocks.push_back(
      Paragraph{"Methods do not agree on accelerations, so they did not solve the same problem:"});
  section.blocks.push_back(std::move(open));
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
  for (const Run* run : comparison.runs) {
    if (run->finished.empty()) {
      section.blocks.push_back(Paragraph{
          fmt::format("Run {} has not finished: it is under way or was interrupted. What it "
                      "had stored is shown; `{}` completes it.",
                      run->id.substr(0, 8), CommandToResume(run->command))});
    }
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
