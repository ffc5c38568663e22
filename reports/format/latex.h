#pragma once

#include <string>

#include "reports/format/document.h"

namespace mbsbench::reports {

// Escapes the special characters of LaTeX and those that its fonts lack. `breaks`: long names may be broken between lines.
std::string EscapeLatex(const std::string& raw, bool breaks = false);

// A table with the rules of the package booktabs, no wider than a line of text. Wide tables have smaller type and
// broken lines, or several panels; long ones are longtables. The first line names the packages that it needs.
std::string RenderLatex(const Table& table);

}  // namespace mbsbench::reports
