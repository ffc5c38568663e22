#include "reports/coverage.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/store/run_commands.h"
#include "reports/document.h"
#include "reports/format.h"

namespace mbsbench::reports {

namespace {

struct Share {
  long long done = 0, planned = 0;
};

Share ShareOf(const Json& document, const char* what) {
  const Json& share = Field(document, what);
  return {static_cast<long long>(Number(share, "done").value_or(0)),
          static_cast<long long>(Number(share, "planned").value_or(0))};
}

std::string DescribeShare(const Json& document, const char* what, const char* name) {
  const Share share = ShareOf(document, what);
  return fmt::format("{} of {} {}", FormatCount(share.done), FormatCount(share.planned), name);
}

// "3 of 4 problems and 5 of 9 cells": of the shares that are known. Shards of a plan have methods and families in common.
std::string DescribeShares(const Json& document) {
  std::vector<std::string> shares;
  for (auto [what, name] :
       {std::pair{"families", "problem families"}, std::pair{"problems", "problems"},
        std::pair{"methods", "methods with their variants"}, std::pair{"cells", "cells"}}) {
    if (Field(document, what).is_object()) shares.push_back(DescribeShare(document, what, name));
  }
  std::string text;
  for (std::size_t i = 0; i < shares.size(); ++i)
    text += (i == 0 ? "" : i + 1 == shares.size() ? " and " : ", ") + shares[i];
  return text;
}

std::string DescribePasses(const Json& document) {
  std::string text;
  int number = 0;
  for (const Json& pass : Field(document, "passes")) {
    const auto done = static_cast<long long>(Number(pass, "done").value_or(0)),
               planned = static_cast<long long>(Number(pass, "planned").value_or(0));
    const double seconds = Number(pass, "seconds_left").value_or(0);
    text += fmt::format("{}{}. {}: {}", text.empty() ? "" : "; ", ++number, Text(pass, "title"),
                        done == planned
                            ? std::string("complete")
                            : fmt::format("{} of {} trials, about {:.0f} min more",
                                          FormatCount(done), FormatCount(planned), seconds / 60));
  }
  return text;
}

}  // namespace

std::vector<std::string> DescribeUnfinishedRuns(const Comparison& comparison) {
  std::vector<std::string> sentences;
  for (const Run* run : comparison.runs) {
    if (!run->finished.empty()) continue;
    const std::string go_on = Code(CommandToResume(run->command));
    const Json& document = run->coverage;
    if (!document.is_object()) {
      sentences.push_back(
          fmt::format("Run {} has not finished: it is under way or was interrupted. Its stored "
                      "cells are shown; {} completes it.",
                      run->id.substr(0, 8), go_on));
      continue;
    }
    sentences.push_back(fmt::format(
        "Run {} is unfinished. It covers {}. Cells that were not run count nowhere as failed. {} "
        "continues it. Its passes: {}.",
        run->id.substr(0, 8), DescribeShares(document), go_on, DescribePasses(document)));
  }
  return sentences;
}

std::string UnfinishedInShort(const Comparison& comparison) {
  for (const Run* run : comparison.runs) {
    if (!run->finished.empty()) continue;
    if (!run->coverage.is_object()) return "unfinished";
    const Share share = ShareOf(run->coverage, "cells");
    return fmt::format("unfinished: {} %",
                       100 * share.done / std::max({share.planned, share.done, 1LL}));
  }
  return "";
}

}  // namespace mbsbench::reports
