#pragma once

#include <string>
#include <vector>

#include "reports/document.h"

namespace mbsbench::reports {

struct MarkdownFile {
  std::string path;  // in the folder of the report: "report.md", "problem/NAME.md"
  std::string text;
};

// The whole report as Markdown, report.md first: it links to a file for each page that stands below another. Figures appear
// as their tables. What is not `in_markdown` is named by its file.
std::vector<MarkdownFile> RenderMarkdown(const Document& document);

// One table by itself.
std::string RenderMarkdown(const Table& table);

}  // namespace mbsbench::reports
