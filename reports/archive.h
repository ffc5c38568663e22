// An archive: the results of a store in a folder that can be published, as an RO-Crate 1.1.
#pragma once

#include <filesystem>
#include <string>

#include "reports/format/report_error.h"

namespace mbsbench {

// Writes a new folder: a copy of the store, its report with all numbers as CSV, the origin of the numbers (commands, machines,
// builds), CITATION.cff, SHA-1 of every file, and ro-crate-metadata.json, which describes them. Its licence is a URL. Throws ReportError;
// the folder then does not exist.
void WriteArchive(const std::filesystem::path& store, const std::filesystem::path& folder,
                  const std::string& license);

// The store of an archive, every file of which is as it was written. Throws ReportError.
std::filesystem::path StoreOfArchive(const std::filesystem::path& folder);

}  // namespace mbsbench
