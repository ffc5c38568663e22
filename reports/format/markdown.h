#pragma once

#include <string>
#include <vector>

#include "reports/format/document.h"

namespace mbsbench::reports {

struct MarkdownFile {
  std::string path;  // in the folder of the report: "report.md", "problem/NAME.md"
  std::string text;
};

// The whole report as Markdown, report.md first, which links to a file for each page below another one. Figures appear as
// their tables. Tables that are not `in_markdown` are named by their files.
std::vector<MarkdownFile> RenderMarkdown(const Document& document);

// One table by itself.
std::string RenderMarkdown(const Table& table);

}  // namespace mbsbench::reports
