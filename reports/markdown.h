#pragma once

#include <string>

#include "reports/document.h"

namespace mbsbench::reports {

// The whole report as Markdown; figures appear as their tables.
std::string RenderMarkdown(const Document& document);

}  // namespace mbsbench::reports
