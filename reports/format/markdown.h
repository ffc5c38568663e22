#pragma once

#include <string>

#include "reports/format/document.h"

namespace mbsbench::reports {

// A document as Markdown. Figures appear as their tables.
std::string RenderMarkdown(const Document& document);

}  // namespace mbsbench::reports
