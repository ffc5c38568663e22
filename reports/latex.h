#pragma once

#include <string>

#include "reports/document.h"

namespace mbsbench::reports {

// A table with the rules of the package booktabs, no wider than a line of text: wide ones in smaller
// type with lines that break, or in several panels; long ones as longtable. What needs which package stands
// in its first line.
std::string RenderLatex(const Table& table);

}  // namespace mbsbench::reports
