#include "reports/analysis/coverage.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/store/run_commands.h"
#include "reports/analysis/benches.h"
#include "reports/format/document.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

// The trials of all passes. A shard that is missing has planned trials that are not known.
std::optional<Covered> TrialsOf(const Run& run) {
  if (run.shard_count.done < run.shard_count.planned) return std::nullopt;
  const PassRecord all = SumOf(run.coverage->passes);
  return all.planned > 0 ? std::optional(Covered{all.planned, all.done}) : std::nullopt;
}

// "3 of 4 problems, 5 of 9 cells and 7 of 40 trials", for the known shares. Merged shards of a plan have no count of methods and
// families, which they have in common.
std::string DescribeShares(const Run& run) {
  const CoverageRecord& coverage = *run.coverage;
  std::vector<std::string> shares;
  for (const auto& [share, name] : {std::pair{coverage.families, "problem families"},
                                    {coverage.problems, "problems"},
                                    {coverage.methods, "methods with their variants"},
                                    {coverage.items, "items"},
                                    {TrialsOf(run), "trials"}}) {
    if (share)
      shares.push_back(
          fmt::format("{} of {} {}", FormatCount(share->done), FormatCount(share->planned), name));
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

std::string CommandToContinue(const Run& run) {
  const bool is_one_shard = run.shard_count.done < 2 && !run.shards.empty();
  return CommandToResume(is_one_shard ? run.shards.rbegin()->second : run.command);
}

std::vector<std::string> DescribeUnfinishedRuns(const Comparison& comparison) {
  std::vector<std::string> sentences;
  for (const Run* run : comparison.runs) {
    if (!run->finished.empty()) continue;
    const bool is_one = run->shard_count.done < 2;
    const std::string go_on = Code(CommandToContinue(*run)), shards = ShardsOf(*run);
    if (!run->coverage) {
      sentences.push_back(
          fmt::format("Run {} has not finished: it is under way or was interrupted. Its stored "
                      "cells are shown; {} completes it.",
                      run->id.substr(0, 8), go_on));
      continue;
    }
    sentences.push_back(fmt::format(
        "{} unfinished. {} {}. Cells that were not run count nowhere as failed. {} continues {}. "
        "{} passes: {}.",
        (shards.empty() ? "Run " + run->id.substr(0, 8) : shards + " of one plan") +
            (is_one ? " is" : " are"),
        is_one ? "It covers" : "Together they cover", DescribeShares(*run), go_on,
        is_one ? "it" : "each of them, with its own `--shard` and `--store`",
        is_one ? "Its" : "Their", DescribePasses(*run->coverage)));
  }
  return sentences;
}

std::string UnfinishedInShort(const Comparison& comparison) {
  for (const Run* run : comparison.runs) {
    if (!run->finished.empty()) continue;
    if (!run->coverage) return "unfinished";
    const auto percent = [](const Covered& share) {
      return 100 * share.done / std::max({share.planned, share.done, std::int64_t{1}});
    };
    const std::optional<Covered> trials = TrialsOf(*run);
    return fmt::format("unfinished: {} % of the items", percent(OrNone(run->coverage->items))) +
           (trials ? fmt::format(", {} % of the trials", percent(*trials)) : "");
  }
  return "";
}

}  // namespace mbsbench::reports
