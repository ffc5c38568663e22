// How a table fits a page of LaTeX: what breaks its lines, and which columns stand in which panel.
#pragma once

#include <string>
#include <vector>

#include "reports/document.h"

namespace mbsbench::reports {

struct LatexColumn {
  std::size_t index;      // in the table
  double line_share = 0;  // of the line, for a column that breaks its lines; 0: as wide as its text
  double header_width = 0;  // [characters] to which its header is broken
};
struct LatexLayout {
  bool is_small = false;                         // set in a smaller type, with less between columns
  std::vector<std::vector<LatexColumn>> panels;  // each with the first column
  std::size_t lines = 0;                         // of one panel, at least
};

// For a line of 345 pt, as the article class has it at 10 pt on A4.
LatexLayout LayOut(const Table& table);

std::vector<std::string> WordsOf(const std::string& text);

// Whether a line may also break after this character of a word: '-', ':', ',', '=' or '/'.
bool BreaksAfter(char c);

}  // namespace mbsbench::reports
