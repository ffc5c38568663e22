#pragma once

#include <string>

#include "reports/format/document.h"

namespace mbsbench::reports {

// A text as a field: printable, quoted where needed, and after an apostrophe where a spreadsheet would compute it as a
// formula.
std::string CsvField(const std::string& text);

// RFC 4180 with line feeds; numbers with all digits that the store holds.
std::string RenderCsv(const CsvFile& file);

}  // namespace mbsbench::reports
