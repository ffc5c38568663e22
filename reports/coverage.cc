#include "reports/coverage.h"

#include <fmt/format.h>

#include <map>

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

// CoverageDocuments by run; none in older stores, and where they cannot be read.
std::map<std::string, Json> Coverages(const std::filesystem::path& path) {
  std::map<std::string, Json> coverages;
  try {
    for (CoverageRow& row : Store::OpenToRead(path).Coverages())
      coverages[row.run_id] = std::move(row.document);
  } catch (const StoreError&) {
    // What is wrong with the store has been said where it was read.
  }
  return coverages;
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
  const std::map<std::string, Json> coverages = Coverages(comparison.results->path);
  for (const Run* run : comparison.runs) {
    if (!run->finished.empty()) continue;
    const std::string go_on = Code(CommandToResume(run->command));
    const auto found = coverages.find(run->id);
    if (found == coverages.end()) {
      sentences.push_back(
          fmt::format("Run {} has not finished: it is under way or was interrupted. What it had "
                      "stored is shown; {} completes it.",
                      run->id.substr(0, 8), go_on));
      continue;
    }
    const Json& document = found->second;
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
  const std::map<std::string, Json> coverages = Coverages(comparison.results->path);
  for (const Run* run : comparison.runs) {
    if (!run->finished.empty()) continue;
    const auto found = coverages.find(run->id);
    return found == coverages.end()
               ? "unfinished"
               : "unfinished: " + DescribeShare(found->second, "cells", "cells");
  }
  return "";
}

}  // namespace mbsbench::reports
