// A document as the files that people read.
#pragma once

#include <string>

#include "reports/format/document.h"

namespace mbsbench::reports {

// Figures appear as their tables.
std::string RenderMarkdown(const Document& document);

// One self-contained file: the page of web/src/page.html with style, script and the document as
// JSON inside.
std::string RenderHtml(const Document& document);

// RFC 4180 with line feeds; numbers with all digits that the store holds.
std::string RenderCsv(const CsvFile& file);

// A text as a field: printable, quoted where needed, and after an apostrophe where a spreadsheet would compute it as a
// formula.
std::string CsvField(const std::string& text);

}  // namespace mbsbench::reports
