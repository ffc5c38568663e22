#pragma once

#include <string>

#include "reports/document.h"

namespace mbsbench::reports {

// A text as a field: printable, in quotes where it has to be, and after an apostrophe where a
// spreadsheet would take it for a formula.
std::string CsvField(const std::string& text);

// RFC 4180 with line feeds; numbers with all digits that the store holds.
std::string RenderCsv(const CsvFile& file);

}  // namespace mbsbench::reports
