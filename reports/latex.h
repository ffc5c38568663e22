#pragma once

#include <string>

#include "reports/document.h"

namespace mbsbench::reports {

// A table with the rules of the package booktabs; long ones as longtable. What needs which package
// stands in its first line.
std::string RenderLatex(const Table& table);

}  // namespace mbsbench::reports
