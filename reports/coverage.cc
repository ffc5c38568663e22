#include "reports/coverage.h"

#include <fmt/format.h>

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
          fmt::format("Run {} has not finished: it is under way or was interrupted. What it had "
                      "stored is shown; {} completes it.",
                      run->id.substr(0, 8), go_on));
      continue;
    }
    sentences.push_back(fmt::format(
        "Run {} is unfinished. It covers {}, {}, {} and {}; what was not run is absent, and counts "
        "nowhere as failed. {} goes on. Its passes: {}.",
        run->id.substr(0, 8), DescribeShare(document, "families", "problem families"),
        DescribeShare(document, "problems", "problems"),
        DescribeShare(document, "methods", "methods with their variants"),
        DescribeShare(document, "cells", "cells"), go_on, DescribePasses(document)));
  }
  return sentences;
}

std::string UnfinishedInShort(const Comparison& comparison) {
  for (const Run* run : comparison.runs) {
    if (!run->finished.empty()) continue;
    return run->coverage.is_object()
               ? "unfinished: " + DescribeShare(run->coverage, "cells", "cells")
               : "unfinished";
  }
  return "";
}

}  // namespace mbsbench::reports
