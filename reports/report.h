// What people read: from a result store alone, a Markdown report, its tables as CSV, and one HTML
// file that opens without network. Everything that is computed (times, fits, ratios) is
// computed here once, so that the three agree; the script inside the HTML file only draws.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/format/report_error.h"

namespace mbsbench {

struct ReportFiles {
  std::filesystem::path markdown;          // report.md
  std::filesystem::path html;              // report.html
  std::vector<std::filesystem::path> csv;  // one per figure and table
};

// `against`: archives, whose results figures show in grey. `health`: file of a health card; empty: the report has no page of it.
// Reads `store` and writes the report into `directory`, which is made when absent. A store that
// holds runs but no finished trial, or failures only, gives a report that says so. Throws
// ReportError when the store is absent, empty, damaged, of another schema version or no store at
// all, or when a file cannot be written.
ReportFiles WriteReport(const std::filesystem::path& store, const std::filesystem::path& directory,
                        const std::vector<std::string>& against = {},
                        const std::filesystem::path& health = {});

// The store on a screen of a terminal, at most 20 lines of 100 columns of ASCII: cells by outcome, the cost of each
// family of methods, what failed, and how to go on. Throws ReportError. `program`: as it was called; `continued_by`: what continues
// the comparison, unless it is the command in the store.
std::string Summary(const std::filesystem::path& store, const std::string& program = "mbsbench",
                    const std::string& continued_by = "");

}  // namespace mbsbench
