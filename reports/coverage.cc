#include "reports/coverage.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/store/run_commands.h"
#include "reports/document.h"
#include "reports/format.h"

namespace mbsbench::reports {

namespace {

// "3 of 4 problems and 5 of 9 cells", for the known shares. Merged shards of a plan have no count of methods and families,
// which they have in common.
std::string DescribeShares(const CoverageRecord& coverage) {
  std::vector<std::string> shares;
  for (const auto& [share, name] : {std::pair{&coverage.families, "problem families"},
                                    {&coverage.problems, "problems"},
                                    {&coverage.methods, "methods with their variants"},
                                    {&coverage.cells, "cells"}}) {
    if (*share)
      shares.push_back(fmt::format("{} of {} {}", FormatCount((*share)->done),
                                   FormatCount((*share)->planned), name));
  }
  std::string text;
  for (std::size_t i = 0; i < shares.size(); ++i)
    text += (i == 0 ? "" : i + 1 == shares.size() ? " and " : ", ") + shares[i];
  return text;
}

std::string DescribePasses(const CoverageRecord& coverage) {
  std::string text;
  int number = 0;
  for (const PassRecord& pass : coverage.passes) {
    text += fmt::format(
        "{}{}. {}: {}", text.empty() ? "" : "; ", ++number, pass.title,
        pass.done == pass.planned
            ? std::string("complete")
            : fmt::format("{} of {} trials, about {:.0f} min more", FormatCount(pass.done),
                          FormatCount(pass.planned), IfFinite(pass.seconds_left).value_or(0) / 60));
  }
  return text;
}

}  // namespace

std::string NameOf(const Run& run) {
  return run.shards.size() > 1 ? fmt::format("{} runs of one plan", run.shards.size())
                               : "Run " + run.id.substr(0, 8);
}

std::vector<std::string> DescribeUnfinishedRuns(const Comparison& comparison) {
  std::vector<std::string> sentences;
  for (const Run* run : comparison.runs) {
    if (!run->finished.empty()) continue;
    const std::string go_on = Code(CommandToResume(run->command));
    if (!run->coverage) {
      sentences.push_back(
          fmt::format("Run {} has not finished: it is under way or was interrupted. Its stored "
                      "cells are shown; {} completes it.",
                      run->id.substr(0, 8), go_on));
      continue;
    }
    const bool is_one = run->shards.size() < 2;
    sentences.push_back(fmt::format(
        "{} unfinished. {} {}. Cells that were not run count nowhere as failed. {} continues {}. "
        "{} passes: {}.",
        NameOf(*run) + (is_one ? " is" : " are"), is_one ? "It covers" : "Together they cover",
        DescribeShares(*run->coverage), go_on,
        is_one ? "it" : "each of them, with its own `--shard` and `--store`",
        is_one ? "Its" : "Their", DescribePasses(*run->coverage)));
  }
  return sentences;
}

std::string UnfinishedInShort(const Comparison& comparison) {
  for (const Run* run : comparison.runs) {
    if (!run->finished.empty()) continue;
    if (!run->coverage) return "unfinished";
    const Covered cells = run->coverage->cells.value_or(Covered{});
    return fmt::format("unfinished: {} %",
                       100 * cells.done / std::max({cells.planned, cells.done, std::int64_t{1}}));
  }
  return "";
}

}  // namespace mbsbench::reports
