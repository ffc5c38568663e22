#pragma once

#include <string>

#include "reports/format/document.h"

namespace mbsbench::reports {

// A document as Markdown. Figures appear as their tables. Tables that are not `in_markdown` are named by their files.
std::string RenderMarkdown(const Document& document);

// One table by itself.
std::string RenderMarkdown(const Table& table);

}  // namespace mbsbench::reports
