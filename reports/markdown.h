#pragma once

#include <string>

#include "reports/document.h"

namespace mbsbench::reports {

// The whole report as Markdown; figures appear as their tables. What is not `in_markdown` is named by its file.
std::string RenderMarkdown(const Document& document);

// One table by itself.
std::string RenderMarkdown(const Table& table);

}  // namespace mbsbench::reports
