#pragma once

#include <string>

#include "reports/format/document.h"

namespace mbsbench::reports {

// A table with the rules of the package booktabs, no wider than a line of text. Wide tables have smaller type and
// broken lines, or several panels; long ones are longtables. The first line names the packages that it needs.
std::string RenderLatex(const Table& table);

}  // namespace mbsbench::reports
