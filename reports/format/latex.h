#pragma once

#include <string>
#include <vector>

#include "reports/format/document.h"

namespace mbsbench::reports {

// Escapes the special characters of LaTeX and those that its fonts lack; `code` between backticks becomes \texttt.
std::string EscapeLatex(const std::string& raw);

// A table of a paper, whose texts are LaTeX.
struct LatexTable {
  std::string name, caption;  // its label is "tab:NAME"
  std::string columns;        // "llr"
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows = {};
};

// Without the columns that are empty.
LatexTable AsLatex(const std::string& name, const std::string& caption, const Table& table);

// With the rules of the package booktabs, as wide as a page of two columns.
std::string RenderLatex(const LatexTable& table);

}  // namespace mbsbench::reports
