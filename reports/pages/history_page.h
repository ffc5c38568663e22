// The history of any number of stores as one HTML file that opens without network.
#pragma once

#include <filesystem>

#include "reports/analysis/history.h"

namespace mbsbench {

// Throws ReportError if a store cannot be read.
reports::RunHistory ReadHistory(const std::vector<std::filesystem::path>& stores);

void WriteHistoryPage(const reports::RunHistory& history, const std::filesystem::path& file);

}  // namespace mbsbench
