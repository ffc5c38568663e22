// The numbers of a report or of a paper's figures, and their provenance.
#pragma once

#include <filesystem>
#include <vector>

#include "reports/format/document.h"

namespace mbsbench::reports {

// Writes csv/, one file per figure and table, and reproduce.json into `directory`. reproduce.json holds the SHA-1 of the
// store and of each CSV file, and for each run its command, seed, times, machine, build (commit, compiler, flags,
// libraries) and how quiet the machine was. The SHA-1 of a store is null while a run writes to it. Returns the paths of
// the CSV files. Throws ReportError.
std::vector<std::filesystem::path> WriteDataFiles(const std::filesystem::path& store,
                                                  const Document& document,
                                                  const std::filesystem::path& directory);

}  // namespace mbsbench::reports
